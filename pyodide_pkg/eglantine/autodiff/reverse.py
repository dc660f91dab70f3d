"""Reverse mode: one sweep over a block's rows from the end, adding up what each contributes to the result.

A row's cotangent is the sum of its users' contributions; when the sweep reaches the row, the sum is complete
and is passed on to its operands by the same partial derivatives that forward mode uses. Cotangents of arrays
gather in accumulators, so that reading one element never copies the array; or in the whole, if that is there.

A loop's reverse is a loop the other way round whose body computes the rows it needs again, from the carry
that the forward loop is changed to store; what a loop stores, or computes again, is decided in `residuals`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from eglantine.analysis.activity import Activity, activity, is_real
from eglantine.analysis.conditions import ALWAYS, Conditions, Joint, When, conditions, implied
from eglantine.analysis.liveness import live_rows
from eglantine.errors import no_derivative_of
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import Block, Function, Loop
from eglantine.ir.row_types import DYNAMIC, F64, I32, ZERO, Array, RowType, is_growing
from eglantine.ir.rules import NO_TANGENT, Chooses
from eglantine.rewrite.copying import copied, copy_rows, finish_cond
from eglantine.rewrite.effects import quiet, stripped
from eglantine.rewrite.environment import PLAIN, Env, identity, new_env

from .custom_rules import require_rule, rule_function
from .forward import unit
from .fusion import fused
from .growing import trips
from .inlining import block_of
from .once import kept, memoised
from .residuals import Stored, augmented, dear_results, is_dear
from .rule_checks import require_linear_rows
from .slopes import over_root, times_slope

SPARSE = 16
"""The longest array whose cotangent is kept element by element however few constant indices are read."""


def vjp_function(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...], effects: bool = True
                 ) -> Function:  # fmt: skip
    """The function (x…, ct_y… of the seeded results) → (y…, ct_x… of the active leaves).

    The results y are the function's own; whoever does not want them does not use them.
    effects: whether its prints and impure calls happen.
    """
    make = partial(_differentiated, function, active, seeded, effects)
    return memoised(function, ("vjp", active, seeded, effects), make)  # type: ignore[no-any-return]


def _differentiated(
    function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...], effects: bool
) -> Function:
    if has_rule(function):
        return _by_rule(function, active, seeded)
    block = _calling(function) if function.columns else fused(block_of(function))
    block = block if effects else stripped(block, ())
    b = Builder.resume(block)
    env = identity(block)
    cts = [b.param(of) if on else ZERO for of, on in zip(function.leaf_results, seeded, strict=True)]
    sweep = Sweep(block, b, env, activity(block, active), conditions(block))
    for row, ct in zip(block.results, cts, strict=True):
        sweep.contribute(row, ct)
    sweep.run()
    out = [
        sweep.total(param) or b.zeros(block.types[param])
        for param, on in zip(block.params, active, strict=True) if on
    ]  # fmt: skip
    return _made(function, b, [*block.results, *out])


def _without_effects(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    """The function (x…, ct_y… of the seeded results) → ct_x… of the active leaves, its effects over."""

    def make() -> Function:
        whole = vjp_function(function, active, seeded, effects=False).block
        assert whole is not None
        return _made(function, Builder.resume(whole), whole.results[len(function.leaf_results) :])

    return memoised(function, ("pull", active, seeded), make)  # type: ignore[no-any-return]


def _made(function: Function, b: Builder, results: Sequence[int], prune: bool = False) -> Function:
    block = b.finish(results)
    if prune or not function.pure:  # an impure call runs a second time only where its value is needed
        block = copied(block, live=live_rows(block))
    return Function(
        f"vjp of {function.name}", (), function.result, block, span=function.span, policy=kept(function),
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def jacobian_transposed(
    function: Function, active: Sequence[bool], rows: Sequence[tuple[int, int]]
) -> Function:
    """The function x… → (y…, then ct_x… of the active leaves for each seed), a seed being 1 at one place of
    the results.

    rows: for each seed, the result leaf and the flat position in it.
    """
    key = ("jacobian transposed", tuple(active), tuple(rows))
    make = partial(_jacobian_transposed, function, *key[1:])
    return memoised(function, key, make)  # type: ignore[no-any-return]


def _jacobian_transposed(
    function: Function, active: Sequence[bool], rows: Sequence[tuple[int, int]]
) -> Function:
    block = _calling(function) if has_rule(function) or function.columns else fused(block_of(function))
    b = Builder.resume(block)
    env = identity(block)
    act, when = activity(block, active), conditions(block)
    out: list[int] = []
    for leaf, position in rows:
        sweep = Sweep(block, b, env, act, when)
        sweep.contribute(block.results[leaf], unit(b, function.leaf_results[leaf], position))
        sweep.run()
        out.extend(
            sweep.total(param) or b.zeros(block.types[param])
            for param, on in zip(block.params, active, strict=True) if on
        )  # fmt: skip
    return _made(function, b, [*block.results, *out])


def _calling(function: Function) -> Block:
    """A block that only calls `function`."""
    b = Builder()
    return b.finish(b.call(function, [b.param(of) for of in function.leaf_params]))


def has_rule(function: Function) -> bool:
    """Whether a function is differentiated by a custom rule (an opaque one always is)."""
    return function.rule is not None or function.block is None


def _by_rule(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    cts = [b.param(of) for of, on in zip(function.leaf_results, seeded, strict=True) if on]
    ys = b.call(function, primals)
    return _made(function, b, [*ys, *b.call(transposed_rule(function, active, seeded), [*primals, *cts])])


def transposed_rule(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    """The function (x…, ct_y… of the seeded results) → ct_x… of the active leaves, from a custom rule.

    The rule is linear in its tangents, so they may be zero in its forward part.
    """
    make = partial(_transposed, function, active, seeded)
    return memoised(function, ("transpose", active, seeded), make)  # type: ignore[no-any-return]


def _transposed(function: Function, active: tuple[bool, ...], seeded: tuple[bool, ...]) -> Function:
    rule, real_in, real_out = rule_function(function)
    require_linear_rows(function)
    assert rule.block is not None
    block = stripped(rule.block, ())
    b = Builder()
    primals = [b.param(of) for of in function.leaf_params]
    cts = [b.param(of) if on else ZERO for of, on in zip(function.leaf_results, seeded, strict=True)]
    env = new_env(block, b)
    n = len(primals)
    for param, argument in zip(block.params[:n], primals, strict=True):
        env[param] = argument
    for param in block.params[n:]:
        env[param] = b.zeros(block.types[param])
    copy_rows(block, b, env, PLAIN, None)
    wanted = iter(block.params[n:])
    tangents = [next(wanted) if real else None for real in real_in]
    act = activity(block, [False] * n + [True] * sum(real_in))
    sweep = Sweep(block, b, env, act, conditions(block))
    real_cts = [ct for ct, real in zip(cts, real_out, strict=True) if real]
    for row, ct in zip(block.results[len(cts) :], real_cts, strict=True):
        sweep.contribute(row, ct)
    sweep.run()
    out = [
        ZERO if row is None else sweep.total(row) for row, on in zip(tangents, active, strict=True) if on
    ]  # fmt: skip
    types = [of for of, on in zip(function.leaf_params, active, strict=True) if on]
    return _made(function, b, [row or b.zeros(of) for row, of in zip(out, types, strict=True)], prune=True)


@dataclass(slots=True)
class ArrayCotangent:
    """The contributions to an array's cotangent so far.

    parts: those to single elements at constant indices, by index.
    wholes: those to all of it.
    acc: the accumulator that the others went to, or None while there is none.
    """

    parts: dict[int, list[int]] = field(default_factory=dict)
    wholes: list[int] = field(default_factory=list)
    acc: int | None = None


class Sweep:
    """One block being differentiated backward into a builder where its rows stand at `env`."""

    def __init__(self, block: Block, b: Builder, env: Env, act: Activity, when: When | None,
                 accs: dict[int, Callable[[], int]] | None = None) -> None:  # fmt: skip
        self.block, self.b, self.env, self.act = block, b, env, act
        self.ct: list[int] = [ZERO] * (len(block.rows) + len(block.consts))
        self.arrays: defaultdict[int, ArrayCotangent] = defaultdict(ArrayCotangent)
        self.multi: dict[int, dict[int, int]] = {}
        self.acc_ct: dict[int, int] = {}
        self.when = when and when._replace(joint=Joint([*when.joint.sets], {**when.joint.numbers}))
        self.now: Conditions = ALWAYS
        """Under which conditions the row being differentiated matters; all contributions come from it."""
        self.rules: Mapping[int, Any] = {}
        """For rows of primitives that have other derivatives than these, those."""
        self.reads: Counter[int] | None = None
        """For arrays, at how many constant indices they are read; counted when first asked for."""
        self.held: dict[Conditions, int] = {}
        """For conditions, the row that says whether they all hold."""
        self.readers: dict[int, list[int]] | None = None
        self.outer_accs = accs or {}
        """For array parameters, how to get the accumulator outside to which their contributions go."""
        self.kept: dict[int, Stored] = {}
        """For loops, the arrays of what was stored of their rounds."""
        self.slopes: dict[int, Sequence[int]] = {}
        """The partial derivatives of functions that were differentiated, by row."""
        self.masked_accs: dict[int, int] = {}
        """For arrays that matter when a loop or branch does not, what gathers its contributions to them."""

    # ------------------------------------------------------------ contributions

    def contribute(self, row: int, ct: int) -> None:
        """Add `ct` to the cotangent of a row, if the row is active."""
        if not ct or not self.act.flags[row]:
            return
        ct = self._masked(ct, row)
        if isinstance(self.block.types[row], Array):
            self.arrays[row].wholes.append(ct)
        else:
            self.ct[row] = self.b.add(self.ct[row], ct)

    def _masked(self, ct: int, row: int, array: int = ZERO) -> int:
        """`ct` (of row `array`, else of `row`), or 0 where the present row matters less than `row` does."""
        if not self.now:
            return ct
        assert self.when is not None
        masks = self.now - self.when.rows[row]
        if not masks:
            return ct
        ((p, holds), *others) = masks
        negated = p > 0 and not holds and not others
        condition = self.env[p] if negated else self._all_hold(masks)
        if not is_growing(self.b.type_of(ct)):
            return self.b.select(condition, ZERO, ct) if negated else self.b.select(condition, ct, ZERO)
        each = Builder(self.b)
        i = each.param(I32(0, DYNAMIC - 1))
        element = each.index(each.capture(ct), i)
        kept = (ZERO, element) if negated else (element, ZERO)
        results = [each.select(each.capture(condition), *kept)]
        loop = Loop(each.finish(results), None, DYNAMIC, False, 0)
        return self.b.loop(loop, [*self._length(array or row), *each.captured])[0]

    def _all_hold(self, masks: Conditions) -> int:
        """Whether all of these conditions hold: those of inner choices last, which share the others."""
        assert self.when is not None
        joint, held = self.when.joint.sets, self.held
        pending = [] if masks in held else [masks]
        while pending:
            waiting = [joint[~p] for p, _ in pending[-1] if p < 0 and joint[~p] not in held]
            if waiting:
                pending += waiting
                continue
            found = self.b.bool_const(True)
            for p, holds in sorted(self._needed(pending[-1]), reverse=True):
                one = self.env[p] if p > 0 else held[joint[~p]]
                found = self.b.bi("and", found, one if holds else self.b.un("not", one))
            held[pending.pop()] = found
        return held[masks]

    def _needed(self, masks: Conditions) -> Conditions:
        """The conditions from which all of these follow."""
        rows = self.block.rows
        return masks - {
            other for p, holds in masks for other in implied(rows, p, holds) if other != (p, holds)
        }

    def acc_of(self, row: int) -> int:
        """The accumulator for contributions to an array row, made now if there is none."""
        views = []
        found = self.arrays[row]
        while found.acc is None and row not in self.outer_accs and self.block.rows[row][0] == "index":
            views.append((found, self.env[self.block.rows[row][2]]))
            row = self.block.rows[row][1]
            found = self.arrays[row]
        if found.acc is None:
            outer = self.outer_accs.get(row)
            found.acc = outer() if outer else self.b.acc(self.block.types[row].dims, self._length(row))
        acc = found.acc
        for view, i in reversed(views):
            acc = view.acc = self.b.acc_index(acc, i)
        return acc

    def _length(self, row: int) -> list[int]:
        """The length of an accumulator for a growing array, which a loop or an accumulator has made."""
        if not is_growing(self.block.types[row]):
            return []
        made = self.block.rows[row][1]
        _, operands, loop = self.block.rows[made]
        if self.block.rows[row][0] == "acc_read":
            return [self.env[a] for a in operands]
        if loop.test:
            return [trips(self.b, self.env[made])]
        return [self.env[operands[0]] if loop.count is None else self.b.int_const(loop.count)]

    def contribute_at(self, array: int, i: int, ct: int) -> None:
        """Add `ct` to the cotangent of the element (or part) of `array` at index row `i` of the block."""
        if not ct or not self.act.flags[array]:
            return
        ct = self._masked(ct, array)
        found = self.arrays[array]
        apart = i < 0 and found.acc is None and array not in self.outer_accs
        if apart and (self.block.types[array].dims[0] <= SPARSE or self._dense(array)):
            found.parts.setdefault(self.block.consts[~i], []).append(ct)
        elif not self._written_over(array, i, ct):
            self.b.add_to(self.b.acc_index(self.acc_of(array), self.env[i]), ct)

    def _written_over(self, array: int, i: int, ct: int) -> bool:
        """Whether a cotangent of all of an array is there, as a loop's carry is; then `ct` is added in it."""
        b, path, rows = self.b, [self.env[i]], self.block.rows
        while not (found := self.arrays[array]).wholes and rows[array][0] == "index":
            path.append(self.env[rows[array][2]])
            array = rows[array][1]
        if not found.wholes or found.acc is not None or not b.parent:
            return False
        parts = [found.wholes.pop()]
        for at in reversed(path):
            parts.append(b.index(parts[-1], at))
        before, of = parts.pop(), b.type_of(ct)
        if before != b.zeros(of):
            ct = self._sum([before, ct], of)
        for at in path:
            ct = b.update(parts.pop(), at, ct)
        found.wholes.append(ct)
        return True

    def _dense(self, array: int) -> bool:
        """Whether constant indices read at least half of an array's elements."""
        if self.reads is None:
            rows = self.block.rows
            self.reads = Counter(row[1] for row in rows if row[0] == "index" and row[2] < 0)
        of = self.block.types[array]
        return not is_growing(of) and 2 * self.reads[array] >= of.dims[0]

    def total(self, row: int) -> int:
        """The cotangent of a row (or the symbolic zero), complete once the sweep has passed it."""
        if not isinstance(self.block.types[row], Array):
            return self.ct[row]
        return self._total_array(self.arrays[row], self.block.types[row])

    def _total_array(self, found: ArrayCotangent, of: Array) -> int:
        b = self.b
        element: RowType = Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
        if found.acc is None and found.parts:
            column = [self._sum(found.parts.get(k, []), element) for k in range(of.dims[0])]
            found.wholes.append(b.stack(column, element))
            found.parts = {}
        if found.acc is None:
            if len(found.wholes) <= 1:
                return found.wholes[0] if found.wholes else ZERO
            found.acc = b.acc(of.dims)
        self.flush(found)
        return b.acc_read(found.acc)

    def flush(self, found: ArrayCotangent) -> None:
        """Add all that waits to the accumulator."""
        assert found.acc is not None
        for ct in found.wholes:
            self.b.add_to(found.acc, ct)
        for k, cts in found.parts.items():
            for ct in cts:
                self.b.add_to(self.b.acc_index(found.acc, self.b.int_const(k)), ct)
        found.wholes, found.parts = [], {}

    def _sum(self, cts: Sequence[int], of: RowType) -> int:
        if isinstance(of, Array):
            return self._total_array(ArrayCotangent(wholes=[*cts]), of)
        total = ZERO
        for ct in cts:
            total = self.b.add(total, ct)
        return total

    # ------------------------------------------------------------ the sweep

    def run(self) -> None:  # noqa: C901, PLR0912 - the commonest rows without a call for each
        """Go over the rows from the end."""
        block, b, env, ct, active = self.block, self.b, self.env, self.ct, self.act.flags
        rows, sources, when, now = block.rows, block.sources, self.when and self.when.rows, ALWAYS
        for i in range(len(rows) - 1, 0, -1):
            c = ct[i]
            row = rows[i]
            op = row[0]
            if when is not None:
                now = self.now = when[i]
            if c:
                b.source = (sources[i], op)
                if now and when and op in PRIMITIVES and not (when[row[1]] is now is when[row[-1]]):
                    self._primitive(i, op, row, c)
                elif op == "mul":
                    x, y = row[1], row[2]
                    if active[x]:
                        part = b.mul(c, env[y])
                        ct[x] = b.add(ct[x], part) if ct[x] else part
                    if active[y]:
                        part = part if x == y else b.mul(c, env[x])
                        ct[y] = b.add(ct[y], part) if ct[y] else part
                elif op == "add":
                    x, y = row[1], row[2]
                    if active[x]:
                        ct[x] = b.add(ct[x], c) if ct[x] else c
                    if active[y]:
                        ct[y] = b.add(ct[y], c) if ct[y] else c
                elif op == "sub":
                    x, y = row[1], row[2]
                    if active[x]:
                        ct[x] = b.add(ct[x], c) if ct[x] else c
                    if active[y]:
                        ct[y] = b.sub(ct[y], c)
                elif op == "sqrt" and i not in self.rules and (root := env[i]) > 0:
                    x, half = row[1], b.const(0.5)
                    part = over_root(b, c, half, root) or b.mul(c, b.div(half, root))
                    ct[x] = b.add(ct[x], part) if ct[x] else part
                elif op in PRIMITIVES:
                    self._primitive(i, op, row, c)
                else:
                    self._scalar(op, row, c)
            elif i in self.arrays:
                b.source = (sources[i], op)
                self._array_row(i, op, row, self.arrays[i])
            elif op == "add_to":
                self._add_to(row)
            elif op in ("call", "loop", "cond"):
                b.source = (sources[i], op)
                getattr(self, f"_{op}")(i, row)
        self.now = ALWAYS

    def _primitive(self, i: int, op: str, row: Any, c: int) -> None:
        b, env, active = self.b, self.env, self.act.flags
        rule = self.rules.get(i) or PRIMITIVES[op].derivative
        if isinstance(rule, Chooses):
            self._choose(rule.first(b, env[row[1]], env[row[2]]), row[1], row[2], c)
            return
        if rule is NO_TANGENT:
            raise no_derivative_of(op, b.source)
        total, now = self.ct, self.now
        slopes = self.slopes[i] = rule(b, *[env[a] for a in row[1:]], env[i])
        for a, slope in zip(row[1:], slopes, strict=True):
            if active[a] and (ct := times_slope(b, c, slope)):
                ct = self._masked(ct, a) if now else ct
                total[a] = b.add(total[a], ct) if total[a] else ct

    def _select(self, row: Any, c: int) -> None:
        """The cotangent goes to both arms as if taken; where it leaves rows of one arm only, it is masked."""
        now, when, b = self.now, self.when, self.b
        assert when is not None
        p = row[1]
        for a, holds in ((row[2], True), (row[3], False)):
            if not self.act.flags[a]:
                continue
            if p <= 0 or isinstance(self.block.types[a], Array) or not now <= when.rows[a]:
                self.now = when.joint.within(now, frozenset({(p, holds)}))
                self.contribute(a, c)
            elif (p, holds) in when.rows[a]:  # the same without sets
                self.ct[a] = b.add(self.ct[a], c)
            else:
                part = b.select(self.env[p], *((c, ZERO) if holds else (ZERO, c)))
                self.ct[a] = b.add(self.ct[a], part)
        self.now = now

    def _choose(self, p: int, x: int, y: int, c: int) -> None:
        """The cotangent goes to x where p holds, else to y."""
        if self.act.flags[x]:
            self.contribute(x, self.b.select(p, c, ZERO))
        if self.act.flags[y]:
            self.contribute(y, self.b.select(p, ZERO, c))

    def _scalar(self, op: str, row: Any, c: int) -> None:
        b, env = self.b, self.env
        match op:
            case "select":
                self._select(row, c)
            case "powi":
                x, n = env[row[1]], row[2]
                self.contribute(row[1], b.mul(c, b.mul(b.const(float(n)), b.powi(x, n - 1))))
            case "index":
                self.contribute_at(row[1], row[2], c)
            case "proj":
                self.multi.setdefault(row[1], {})[row[2]] = self._masked(c, row[1])
            case "acc_read":
                self.acc_ct[row[1]] = self._masked(c, row[1])
            case "param":
                pass
            case _:
                raise no_derivative_of(op, b.source)

    def _array_param(self, i: int, found: ArrayCotangent) -> None:
        if i in self.outer_accs:
            if found.acc is None:
                self.acc_of(i)
            self.flush(found)

    def _array_row(self, i: int, op: str, row: Any, found: ArrayCotangent) -> None:
        b = self.b
        if op == "param":
            self._array_param(i, found)
            return
        if op == "index" and found.acc is not None:
            self.flush(found)
            return
        if op in ("zeros", "table"):
            return
        whole = self.total(i)
        match op:
            case "index":
                self.contribute_at(row[1], row[2], whole)
            case "update" | "update_add":
                at = self.env[row[2]]
                self.contribute(row[3], b.index(whole, at))
                self.contribute(row[1], whole if op == "update_add" else b.update(whole, at, ZERO))
            case "stack":
                for k, a in enumerate(row[1]):
                    if self.act.flags[a]:
                        self.contribute(a, b.index(whole, b.int_const(k)))
            case "select":
                self._select(row, whole)
            case "proj":
                self.multi.setdefault(row[1], {})[row[2]] = self._masked(whole, row[1], i)
            case "acc_read":
                self.acc_ct[row[1]] = self._masked(whole, row[1], i)
            case _:
                raise no_derivative_of(op, b.source)

    def _acc_cotangent(self, acc: int) -> int:
        """The cotangent of an accumulator (or part of one): an array (or number), or the symbolic zero."""
        views = []
        while acc not in self.acc_ct and self.block.rows[acc][0] == "acc_index":
            views.append(self.env[self.block.rows[acc][2]])
            acc = self.block.rows[acc][1]
        ct = self.acc_ct.get(acc, ZERO)
        for i in reversed(views):
            if not ct:
                return ZERO
            ct = self.b.index(ct, i)
        return ct

    def _add_to(self, row: Any) -> None:
        if self.act.flags[row[2]]:
            self.contribute(row[2], self._acc_cotangent(row[1]))

    # ------------------------------------------------------------ structure

    def _call(self, i: int, row: Any) -> None:
        b, env = self.b, self.env
        cts = self.multi.get(i)
        if not cts:
            return
        function: Function = row[2]
        active = tuple(self.act.flags[a] for a in row[1])
        n = len(function.leaf_results)
        residuals = len(active) - function.linear
        if function.transposed is not None and not any(active[:residuals]):
            seeds = [cts.get(k) or b.zeros(of) for k, of in enumerate(function.leaf_results)]
            found = b.call(function.transposed(), [*(env[a] for a in row[1][:residuals]), *seeds])
            for a, ct in zip(row[1][residuals:], found, strict=True):
                self.contribute(a, ct)
            return
        if function.columns:
            self._contract(i, row, cts)
            return
        seeded = tuple(k in cts for k in range(n))
        again = function.pure and function.policy == "plain"
        bare = has_rule(function) or not again
        require_rule(function, b.source)
        if has_rule(function):
            made = transposed_rule(function, active, seeded)
        else:
            made = (vjp_function if again else _without_effects)(function, active, seeded)
        found = b.call(made, [*(env[a] for a in row[1]), *(cts[k] for k in sorted(cts))])
        wanted = [a for a, on in zip(row[1], active, strict=True) if on]
        for a, ct in zip(wanted, found if bare else found[n:], strict=True):
            self.contribute(a, ct)

    def _contract(self, i: int, row: Any, cts: dict[int, int]) -> None:
        """The call that the forward part makes returns the Jacobian too, and is contracted with it here."""
        b, place = self.b, self.env[i]
        _, args, function = row
        with_jacobian, contraction = function.columns()
        number = place if isinstance(place, int) else place.row
        _, operands, called = b.rows[number]
        with_jacobian = quiet(with_jacobian) if called.pure else with_jacobian
        b.rows[number] = ("call", operands, with_jacobian)
        jacobian = b.results_of(number, with_jacobian.leaf_results)[len(function.leaf_results) :]
        seeds = [
            cts.get(k) or b.zeros(of) for k, of in enumerate(function.leaf_results) if is_real(of)
        ]  # fmt: skip
        real = [a for a, of in zip(args, function.leaf_params, strict=True) if is_real(of)]
        for a, ct in zip(real, b.call(contraction, [*jacobian, *seeds]), strict=True):
            self.contribute(a, ct)

    def _inner_accs(self, body: Block, captured: Sequence[tuple[int, int]], inner: Builder) -> dict[int, int]:
        """The cotangents of outer accumulators that a body adds to, as the reverse body sees them."""
        found = {}
        for param, a in captured:
            if body.types[param].dtype == "acc":
                ct = self._acc_cotangent(a)
                if ct:
                    found[param] = inner.capture(ct)
        return found

    def _outer(self, inner: Builder, a: int) -> Callable[[], int]:
        return lambda: inner.capture(self._acc_for_body(a))

    def _acc_for_body(self, a: int) -> int:
        """The accumulator of array `a`, or one whose sums are masked before they are added to it."""
        if self.when is None or self.now <= self.when.rows[a]:
            return self.acc_of(a)
        if a not in self.masked_accs:
            self.masked_accs[a] = self.b.acc(self.block.types[a].dims, self._length(a))
        return self.masked_accs[a]

    def _contribute_masked(self) -> None:
        """Pass on what a loop or branch has added to accumulators of its own."""
        for a, acc in self.masked_accs.items():
            self.contribute(a, self.b.acc_read(acc))
        self.masked_accs = {}

    def _enter(
        self, body: Block, inner: Builder, env: Env, act: Activity, captured: Sequence[tuple[int, int]],
        when: When | None,
    ) -> Sweep:  # fmt: skip
        """A sweep of a copied body whose captured parameters stand for rows of this block."""
        for param, a in captured:
            if body.types[param].dtype != "acc":
                env[param] = inner.capture(self.env[a])
        accs = {
            param: self._outer(inner, a)
            for param, a in captured if isinstance(body.types[param], Array) and act.flags[param]
        }  # fmt: skip
        forward = stripped(body, tuple(k for k, of in enumerate(body.param_types) if of.dtype == "acc"))
        for param in forward.params:
            if env[param] is None:
                env[param] = ZERO
        copy_rows(forward, inner, env, PLAIN, None)
        return type(self)(body, inner, env, act, when, accs)

    def _loop(self, i: int, row: Any) -> None:
        _, operands, loop = row
        body, act, carried = loop.body, self.act.nested[i][0], loop.carried
        count, before, _ = loop.parts(operands)
        params, captured = loop.params, loop.captured(operands)
        cts = self.multi.get(i, {})
        if loop.count == 0:
            for k, ct in cts.items():
                if k < carried:
                    self.contribute(before[k], ct)
            return
        inner = type(self.b)(self.b)
        index = inner.param(body.types[params.round])
        active = [k for k in range(carried) if act.flags[params.carries[k]]]
        ct_carry = {k: inner.param(body.types[params.carries[k]]) for k in active}
        acc_cts = self._inner_accs(body, captured, inner)
        if not cts and not acc_cts:
            return
        env = new_env(body, inner)
        env[params.round] = index
        kept = self._recall(i, loop, inner, env)
        sweep = self._enter(body, inner, env, act, captured, self.when and self.when.nested[i][0])
        sweep.kept = kept
        sweep.acc_ct.update(acc_cts)
        for k, ct in ct_carry.items():
            sweep.contribute(body.results[k], ct)
        for k in range(carried, len(body.results)):
            if k in cts:
                sweep.contribute(body.results[k], inner.index(inner.capture(cts[k]), index))
        sweep.run()
        sums = self._scalar_sums(sweep, inner, captured)
        out = [sweep.total(params.carries[k]) or inner.zeros(inner.types[ct_carry[k]]) for k in active]
        reverse = loop.reverse != bool(active)  # without a carry any direction does: that of the forward loop
        new = Loop(inner.finish(out), loop.count, loop.extent, reverse, len(active))
        first = [self.env[a] for a in count]
        if loop.test:
            first = [trips(self.b, self.env[i])]
        inits = [cts.get(k) or self.b.zeros(body.types[params.carries[k]]) for k in active]
        found = self.b.loop(new, [*first, *inits, *inner.captured])
        self._contribute_masked()
        for a, acc in sums:
            self.contribute(a, self.b.acc_read(acc))
        for k, ct in zip(active, found, strict=True):
            self.contribute(before[k], ct)

    def _recall(self, i: int, loop: Loop, inner: Builder, env: Env) -> dict[int, Stored]:
        """Read what is stored of a round: rows of the body into their places; others come back, by loop."""
        kept: dict[int, Stored] = {}
        known = self._known(i, loop)
        for path, array in (known | augmented(self.b, self.env, i, loop, known.keys())).items():
            element = inner.index(inner.capture(array), inner.params[0])
            if len(path) == 1:
                env[path[0]] = element
            else:
                kept.setdefault(path[0], {})[path[1:]] = element
        return kept

    def _known(self, i: int, loop: Loop) -> Stored:
        """What is dear in the rounds of a loop without a carry and there as an array, by where it is."""
        if loop.carried:
            return {}
        results = loop.body.results
        returned = zip(results, self._returned(i, len(results)), strict=True)
        dear = set(dear_results(loop))
        return {(row,): array for row, array in returned if array and row in dear} | self.kept.get(i, {})

    def _scalar_sums(
        self, sweep: Sweep, inner: Builder, captured: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Sum captured scalars' cotangents over a loop's rounds; return the rows and their accumulators."""
        sums = []
        for param, a in captured:
            if sweep.block.types[param] == F64 and sweep.ct[param] and self.act.flags[a]:
                acc = self.b.acc(())
                inner.add_to(inner.capture(acc), sweep.ct[param])
                sums.append((a, acc))
        return sums

    def _returned(self, i: int, n: int) -> list[int]:
        """The n results of the copied row i, as far as the block reads them."""
        if self.readers is None:
            self.readers = {}
            for row, key in enumerate(self.block.rows):
                if key[0] == "proj":
                    self.readers.setdefault(key[1], []).append(row)
        found = [ZERO] * n
        for row in self.readers.get(i, ()):
            found[self.block.rows[row][2]] = self.env[row] or ZERO
        return found

    def _cond(self, i: int, row: Any) -> None:
        _, operands, cond = row
        cts = self.multi.get(i, {})
        args = operands[1:]
        wanted = [a for a in dict.fromkeys(args) if self.act.flags[a] and self.block.types[a] == F64]
        returned = self._returned(i, len(cond.then.results))
        arms, results = [], []
        for k, (body, act) in enumerate(zip((cond.then, cond.orelse), self.act.nested[i], strict=True)):
            inner = Builder(self.b, conditional=True)
            captured = list(zip(body.params, args, strict=True))
            acc_cts = self._inner_accs(body, captured, inner)
            assert self.when is not None
            when = self.when.nested[i][k]
            env = new_env(body, inner)
            for result, known in zip(body.results, returned, strict=True):
                if known and result > 0 and is_dear(body, result):
                    env[result] = inner.capture(known)
            sweep = self._enter(body, inner, env, act, captured, when)
            sweep.acc_ct.update(acc_cts)
            for k, ct in cts.items():
                sweep.contribute(body.results[k], inner.capture(ct))
            sweep.run()
            totals = dict.fromkeys(wanted, ZERO)
            for param, a in captured:
                if a in totals and sweep.act.flags[param]:
                    totals[a] = inner.add(totals[a], sweep.ct[param])
            arms.append(inner)
            results.append([totals[a] for a in wanted])
        used = [any(column) for column in zip(*results, strict=True)]
        kept = [[row for row, on in zip(rows, used, strict=True) if on] for rows in results]
        found = finish_cond(self.b, self.env[operands[0]], arms, kept, [True] * sum(used))
        self._contribute_masked()
        for a, total in zip([a for a, on in zip(wanted, used, strict=True) if on], found, strict=True):
            self.contribute(a, total)  # type: ignore[arg-type]
