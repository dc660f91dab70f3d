"""Forward mode: a block computed together with its tangents, in one or several directions at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from eglantine.analysis.activity import Activity, activity
from eglantine.analysis.liveness import Live, live_rows
from eglantine.errors import no_derivative_of
from eglantine.ir.builder import ARITHMETIC, Builder, unify
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import Block, Function, Loop
from eglantine.ir.row_types import ZERO, Array, RowType
from eglantine.ir.rules import NO_TANGENT, Chooses
from eglantine.rewrite.copying import copy_row, copy_rows, finish_cond
from eglantine.rewrite.effects import stripped
from eglantine.rewrite.environment import PLAIN, Env, identity, new_env

from .custom_rules import require_rule, rule_function
from .inlining import block_of
from .once import kept, memoised
from .push import _STRUCTURED, Tangent
from .rule_checks import require_linear_numbers

SHORT = 100
"""Up to so many rows, all may come before the tangents without pushing values out of registers."""


Pattern = tuple[tuple[bool, ...] | None, ...]
"""For each leaf, in which of the directions it has a tangent; or None for none at all."""


def jvp_function(function: Function, pattern: Pattern, directions: int = 1, effects: bool = True
                 ) -> tuple[Function, Pattern]:  # fmt: skip
    """The function (x…, dx…) → (y…, dy…), where each dx and dy stands once for each direction it is there in.

    Also returns the pattern of the results. effects: whether its prints and impure calls happen.
    """
    key = ("jvp", pattern, directions, effects)
    make = partial(_differentiated, function, pattern, directions, effects)
    return memoised(function, key, make)  # type: ignore[no-any-return]


def _differentiated(
    function: Function, pattern: Pattern, directions: int, effects: bool
) -> tuple[Function, Pattern]:
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    tangents: list[Tangent] = [
        None if ons is None else tuple(b.param(of) if on else ZERO for on in ons)
        for of, ons in zip(function.leaf_params, pattern, strict=True)
    ]
    return _function(function, b, primals, tangents, directions, effects)


def jacobian_function(function: Function, wanted: Sequence[bool]) -> tuple[Function, Pattern]:
    """The function x… → (y…, dy…) for each direction of the standard basis of the wanted (real) leaves."""
    wanted = tuple(wanted)
    make = partial(_jacobian, function, wanted)
    return memoised(function, ("jacobian", wanted), make)  # type: ignore[no-any-return]


def _jacobian(function: Function, wanted: Sequence[bool]) -> tuple[Function, Pattern]:
    block = _short(function)
    b = Builder.resume(block) if block else Builder()
    primals = [*block.params] if block else [b.param(of) for of in function.leaf_params]
    sizes = [_size(of) if on else 0 for of, on in zip(function.leaf_params, wanted, strict=True)]
    tangents: list[Tangent] = []
    for k, (of, size) in enumerate(zip(function.leaf_params, sizes, strict=True)):
        before, after = sum(sizes[:k]), sum(sizes[k + 1 :])
        basis = [unit(b, of, j) for j in range(size)]
        tangents.append((*(ZERO,) * before, *basis, *(ZERO,) * after) if size else None)
    env = identity(block) if block else None
    return _function(function, b, primals, tangents, sum(sizes), True, env)


def _short(function: Function) -> Block | None:
    """A function's block if its tangents may come after all of its rows: if it is short and straight."""
    if function.rule is not None or function.block is None or len(function.block.rows) > SHORT:
        return None
    block = block_of(function)
    return block if block.operations.isdisjoint(_STRUCTURED) else None


def _size(of: RowType) -> int:
    size = 1
    for n in of.dims if isinstance(of, Array) else ():
        size *= n
    return size


def unit(b: Builder, of: RowType, j: int) -> int:
    """The zero of type `of` but for a one at flat position j."""
    if not isinstance(of, Array):
        return b.const(1.0)
    element: RowType = Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
    k, rest = divmod(j, _size(element))
    return b.stack([unit(b, element, rest) if i == k else ZERO for i in range(of.dims[0])], element)


def _function(function: Function, b: Builder, primals: list[int], tangents: list[Tangent], directions: int,
              effects: bool, env: Env | None = None) -> tuple[Function, Pattern]:  # fmt: skip
    if function.rule is not None or function.block is None:
        results, out = _by_rule(b, function, primals, tangents, directions)
    else:
        block = block_of(function)
        block = block if effects else stripped(block, ())
        results, out = push(block, b, primals, tangents, directions, env)
    block = b.finish([*results, *(row for dy in out if dy for row in dy if row)])
    made = Function(
        f"jvp of {function.name}", (), function.result, block, span=function.span, policy=kept(function),
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return made, tuple(None if dy is None else tuple(map(bool, dy)) for dy in out)


def push(block: Block, b: Builder, primals: Sequence[int], tangents: Sequence[Tangent], directions: int,
         env: Env | None = None) -> tuple[list[int], list[Tangent]]:  # fmt: skip
    """Build a block's rows (unless they stand at `env`) and their tangents in `b`; its results and theirs."""
    env = env or new_env(block, b)
    tan: list[Any] = [None] * (len(block.rows) + len(block.consts))
    for param, x, dx in zip(block.params, primals, tangents, strict=True):
        env[param], tan[param] = x, dx
    act = activity(block, [dx is not None for dx in tangents])
    accs = [k for k, of in enumerate(block.param_types) if of.dtype == "acc"]
    _Push(block, b, env, tan, act, live_rows(block, None, accs), directions).run()
    return [env[row] for row in block.results], [tan[row] for row in block.results]


class _Push:
    """One block being differentiated forward."""

    def __init__(
        self, block: Block, b: Builder, env: Env, tan: list[Any], act: Activity, live: Live, n: int
    ) -> None:
        self.block, self.b, self.env, self.tan, self.act, self.live, self.n = block, b, env, tan, act, live, n
        self.multi: dict[int, list[Tangent]] = {}

    def run(self) -> None:
        block, b, env, tan = self.block, self.b, self.env, self.tan
        live, active = self.live, self.act.flags
        for i, row in enumerate(block.rows):
            op = row[0]
            if not live.flags[i] or op == "param" or not i:
                continue
            if env[i] is not None:
                pass
            elif op in ARITHMETIC:
                b.source = block.sources[i]
                env[i] = ARITHMETIC[op](b, env[row[1]], env[row[2]])
            elif op in ("call", "loop", "cond") and self._is_active(i):
                b.source = (block.sources[i], op)
                getattr(self, f"_{op}")(i, row)
                continue
            else:
                copy_row(block, i, b, env, PLAIN, live)
            if active[i]:
                b.source = (block.sources[i], op)
                tan[i] = self._tangent(i, op, row)
            elif op == "add_to" and tan[row[2]] is not None:
                b.source = (block.sources[i], op)
                self._add_to(row)

    def _is_active(self, i: int) -> bool:
        """Whether a call, loop or cond row has a tangent, or adds to an accumulator that has one."""
        if any(self.act.multi[i]):
            return True
        return any(
            self.act.flags[a] for a in self.block.rows[i][1] if a > 0 and self.block.types[a].dtype == "acc"
        )

    def _add_to(self, row: Any) -> None:
        for acc, dx in zip(self.tan[row[1]], self.tan[row[2]], strict=True):  # a zero adds no row
            self.b.add_to(acc, dx)

    def _tangent(self, i: int, op: str, row: Any) -> Tangent:
        b, env, tan = self.b, self.env, self.tan
        if op in PRIMITIVES:
            return self._primitive(i, op, row)
        match op:
            case "proj":
                result: Tangent = self.multi[row[1]][row[2]]
                return result
            case "select":
                return self._choose(env[row[1]], row[2], row[3])
            case "powi":
                x, n = env[row[1]], row[2]
                slope = b.mul(b.const(float(n)), b.powi(x, n - 1))
                return tuple(b.mul(slope, dx) for dx in tan[row[1]])
            case "index":
                return tuple(self._element(dx, env[row[2]]) for dx in tan[row[1]])
            case "update" | "update_add":
                zero = (ZERO,) * self.n
                pairs = zip(tan[row[1]] or zero, tan[row[3]] or zero, strict=True)
                whole = b.zeros(self.block.types[i])
                return tuple(
                    b.update(dv or whole, env[row[2]], dx, op) if dv or dx else ZERO for dv, dx in pairs
                )
            case "stack":
                of = self.block.types[i]
                element = Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
                columns = [tan[a] or (ZERO,) * self.n for a in row[1]]
                return tuple(b.stack(column, element) for column in zip(*columns, strict=True))
            case "acc":
                length = [env[a] for a in row[1]]
                return tuple(b.acc(self.block.types[i].dims, length) for _ in range(self.n))
            case "acc_index":
                return tuple(b.acc_index(acc, env[row[2]]) for acc in tan[row[1]])
            case "acc_read":
                return tuple(b.acc_read(acc) for acc in tan[row[1]])
        raise no_derivative_of(op, b.source)

    def _element(self, dx: int, i: int) -> int:
        """Element i of an array's tangent; one that is known to be 0 is the symbolic zero again."""
        if not dx:
            return ZERO
        row = self.b.index(dx, i)
        return ZERO if row < 0 and self.b.value(row) == 0.0 else row

    def _choose(self, p: int, x: int, y: int) -> Tangent:
        zero = (ZERO,) * self.n
        pairs = zip(self.tan[x] or zero, self.tan[y] or zero, strict=True)
        return tuple(self.b.select(p, dx, dy) for dx, dy in pairs)

    def _primitive(self, i: int, op: str, row: Any) -> Tangent:
        b, env, tan = self.b, self.env, self.tan
        x, y = row[1], row[-1]
        if op in ("add", "sub"):
            zero = (ZERO,) * self.n
            both = b.add if op == "add" else b.sub
            return tuple(map(both, tan[x] or zero, tan[y] or zero))
        if op == "mul":
            return self._sum((x, y), (env[y], env[x]))
        rule = PRIMITIVES[op].derivative
        if isinstance(rule, Chooses):
            return self._choose(rule.first(b, env[x], env[y]), x, y)
        if rule is NO_TANGENT:
            raise no_derivative_of(op, b.source)
        return self._sum(row[1:], rule(b, *[env[a] for a in row[1:]], env[i]))

    def _sum(self, operands: Sequence[int], slopes: Sequence[int]) -> Tangent:
        """The sum of slope · tangent over the operands that have one."""
        add, mul = self.b.add, self.b.mul
        total: list[int] | None = None
        for a, slope in zip(operands, slopes, strict=True):
            tangent = self.tan[a]
            if tangent is not None and total is None:
                total = [mul(slope, dx) for dx in tangent]
            elif tangent is not None:
                total = [add(t, mul(slope, dx)) for t, dx in zip(total or (), tangent, strict=True)]
        return None if total is None else tuple(total)

    # ------------------------------------------------------------ structure

    def _call(self, i: int, row: Any) -> None:
        b, env, tan = self.b, self.env, self.tan
        function: Function = row[2]
        require_rule(function, b.source)
        pattern = tuple(None if tan[a] is None else tuple(map(bool, tan[a])) for a in row[1])
        made, out = jvp_function(function, pattern, self.n)
        flat = [dx for a in row[1] if tan[a] is not None for dx in tan[a] if dx]
        found = b.call(made, [*(env[a] for a in row[1]), *flat])
        n = len(function.leaf_results)
        env[i] = found[:n]
        tangents = iter(found[n:])
        self.multi[i] = [
            tuple(next(tangents) if on else ZERO for on in ons or (False,) * self.n) for ons in out
        ]  # fmt: skip

    def _loop(self, i: int, row: Any) -> None:
        b, env = self.b, self.env
        _, operands, loop = row
        carried, body = loop.carried, loop.body
        inner_act = self.act.nested[i][0]
        trips, inits, captured = loop.parts(operands)
        params = loop.params
        inner = _Body(body, Builder(b), inner_act, self.live.nested[i][1][0], self.n)
        index = inner.b.param(body.types[params.round])
        active = [inner_act.flags[p] for p in params.carries]
        primals = [inner.b.param(body.types[p]) for p in params.carries]
        carries: list[Tangent] = [
            tuple(inner.b.param(body.types[p]) for _ in range(self.n)) if on else None
            for p, on in zip(params.carries, active, strict=True)
        ]
        captures = [self._captured(inner.b, a) for a in captured]
        inner.bind(
            [index, *primals, *(x for x, _ in captures)], [None, *carries, *(dx for _, dx in captures)]
        )
        ys, dys = inner.run()
        results_active = self.act.multi[i]
        of = body.result_types
        d_carry = self._flatten(inner.b, dys[:carried], active, of[:carried])
        d_stack = self._flatten(inner.b, dys[carried:], results_active[carried:], of[carried:])
        results = [*ys[:carried], *d_carry, *ys[carried:], *d_stack]
        d_inits = self._flatten(b, [self.tan[a] for a in inits], active, of[:carried])
        test = self._test(loop, inner.b, captured, self.live.nested[i][1]) if loop.test else None
        block = inner.b.finish(results)
        new = Loop(block, loop.count, loop.extent, loop.reverse, carried + len(d_carry), test)
        filled = [env[a] or b.zeros(t) for a, t in zip(inits, of, strict=False)]
        found = b.loop(new, [*(env[a] for a in trips), *filled, *d_inits, *inner.b.captured])
        c, d, s = carried, len(d_carry), len(ys) - carried
        env[i] = [*found[:c], *found[c + d : c + d + s], *found[c + d + s + len(d_stack) :]]
        self._note(i, results_active, [*found[c : c + d], *found[c + d + s :]])

    def _test(self, loop: Loop, body: Builder, captures: Sequence[int], lives: Sequence[Live]) -> Block:
        """A while loop's test copied, with the parameters of its new body."""
        assert loop.test is not None
        test = Builder(self.b)
        env = new_env(loop.test, test)
        own = len(body.params) - len(body.captured)
        params = [test.param(body.types[row]) for row in body.params[:own]]
        values = [*params[: 1 + loop.carried], *(test.capture(self.env[a] or ZERO) for a in captures)]
        for param, x in zip(loop.test.params, values, strict=True):
            env[param] = x
        copy_rows(loop.test, test, env, PLAIN, lives[1])
        unify([body, test], own)
        return test.finish([env[row] for row in loop.test.results])

    def _captured(self, inner: Builder, a: int) -> tuple[int, Tangent]:
        dx = self.tan[a]
        place = self.env[a] or ZERO
        return inner.capture(place), None if dx is None else tuple(inner.capture(row) for row in dx)

    def _flatten(
        self, b: Builder, tangents: Sequence[Tangent], active: Sequence[bool], types: Sequence[RowType]
    ) -> list[int]:
        """The tangents of what is active, one after the other; a missing one is zero."""
        return [
            row or b.zeros(of)
            for dx, on, of in zip(tangents, active, types, strict=True) if on
            for row in (dx or (ZERO,) * self.n)
        ]  # fmt: skip

    def _note(self, i: int, active: Sequence[bool], flat: Sequence[int]) -> None:
        rows = iter(flat)
        self.multi[i] = [tuple(next(rows) for _ in range(self.n)) if on else None for on in active]

    def _cond(self, i: int, row: Any) -> None:
        b = self.b
        _, operands, cond = row
        active = self.act.multi[i]
        arms, results = [], []
        for body, act, live in zip(
            (cond.then, cond.orelse), self.act.nested[i], self.live.nested[i][1], strict=True
        ):
            inner = _Body(body, Builder(b, conditional=True), act, live, self.n)
            captures = [self._captured(inner.b, a) for a in operands[1:]]
            inner.bind([x for x, _ in captures], [dx for _, dx in captures])
            ys, dys = inner.run()
            arms.append(inner.b)
            results.append([*ys, *self._flatten(inner.b, dys, active, body.result_types)])
        found = finish_cond(b, self.env[operands[0]], arms, results, [True] * len(results[0]))
        n = len(cond.then.results)
        self.env[i] = found[:n]
        self._note(i, active, found[n:])  # type: ignore[arg-type]


class _Body:
    """The body of a loop or an arm of a branch, differentiated into a builder of its own."""

    def __init__(self, block: Block, b: Builder, act: Activity, live: Live, directions: int) -> None:
        self.block, self.b, self.act, self.live, self.n = block, b, act, live, directions
        self.env = new_env(block, b)
        self.tan: list[Any] = [None] * (len(block.rows) + len(block.consts))

    def bind(self, primals: Sequence[int], tangents: Sequence[Tangent]) -> None:
        for param, x, dx in zip(self.block.params, primals, tangents, strict=True):
            self.env[param] = x
            self.tan[param] = dx if self.act.flags[param] else None

    def run(self) -> tuple[list[int], list[Tangent]]:
        _Push(self.block, self.b, self.env, self.tan, self.act, self.live, self.n).run()
        results = self.block.results
        return [self._filled(row) for row in results], [self.tan[row] for row in results]

    def _filled(self, row: int) -> int:
        place: int | None = self.env[row]
        return place or self.b.zeros(self.block.type_of(row))


def _by_rule(b: Builder, function: Function, primals: list[int], tangents: list[Tangent], directions: int
             ) -> tuple[list[int], list[Tangent]]:  # fmt: skip
    """Apply a custom rule, once for each direction; absent tangents are zeros."""
    made, real_in, real_out = rule_function(function)
    require_linear_numbers(function)
    n = len(function.leaf_results)
    ys: list[int] = []
    out: list[list[int]] = []
    for k in range(directions):
        filled = [
            (dx[k] if dx else ZERO) or b.zeros(of)
            for dx, of, on in zip(tangents, function.leaf_params, real_in, strict=True) if on
        ]  # fmt: skip
        found = b.call(made, [*primals, *filled])
        ys = ys or found[:n]
        out.append(found[n:])
    columns = iter(zip(*out, strict=True))
    return ys, [tuple(next(columns)) if on else None for on in real_out]
