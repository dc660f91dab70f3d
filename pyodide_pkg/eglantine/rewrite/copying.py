"""Copying rows from one block into a builder: the one mechanism behind inlining, pruning and lowering.

The builder folds and merges as it receives the rows, so a copy is already simplified.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import compress
from typing import Any

from eglantine.analysis.liveness import Live
from eglantine.ir.builder import Builder, Results, unify
from eglantine.ir.primitives import ARITY, LOWERED, PRIMITIVES, operands
from eglantine.ir.program import Block, Cond, Loop, loop_results
from eglantine.ir.row_types import ZERO, Row

from .environment import PLAIN, Env, Options, begun, new_env
from .plain_rows import _METHODS, _copy_add_to, _copy_powi, _copy_print, _copy_stack
from .unrolling import _is_short


def inline(
    block: Block, b: Builder, arguments: Sequence[int], options: Options = PLAIN
) -> tuple[Env, list[int]]:
    """Copy a block's rows into `b`, parameters bound to `arguments`; return the places and the results."""
    env = new_env(block, b)
    for param, argument in zip(block.params, arguments, strict=True):
        env[param] = argument
    copy_rows(block, b, env, options, None)
    return env, [env[row] for row in block.results]


def copied(block: Block, options: Options = PLAIN, live: Live | None = None, rounds: bool = False) -> Block:
    """A copy of a block (of what is `live` of it, if given), simplified; `rounds`: see `Builder`."""
    b, env = begun(block)
    b.rounds = rounds
    copy_rows(block, b, env, options, live)
    return b.finish([env[row] for row in block.results])


def rewritten(
    block: Block, make: Callable[..., Any], rows: Mapping[int, Any], left_out: Collection[int] = ()
) -> Block:
    """A copy of a block, with what `make(block, i, b, env, rows[i])` gives for some rows, without others."""
    b, env = begun(block)
    for i in range(1, len(block.rows)):
        if i in rows:
            b.source = block.sources[i]
            env[i] = make(block, i, b, env, rows[i])
        elif env[i] is None and i not in left_out:
            copy_row(block, i, b, env, PLAIN, None)
    return b.finish([env[row] for row in block.results])


def copy_rows(block: Block, b: Builder, env: Env, options: Options, live: Live | None) -> None:
    """Copy the rows of a block (the `live` ones, if given) that have no place in `env` yet."""
    saved = b.source
    every = range(len(block.rows))
    pending = compress(every, live.flags) if live else iter(every)
    for i in pending if options.instead else iter(partial(b.copy_plain, block, env, pending), ZERO):
        if env[i] is None:
            copy_row(block, i, b, env, options, live)
    b.source = saved


def copy_row(block: Block, i: int, b: Builder, env: Env, options: Options, live: Live | None) -> None:
    """Copy row i; `live` says what is needed of it if it is a loop or branch."""
    row = block.rows[i]
    op = row[0]
    b.source = block.sources[i]
    if options.instead is not None and (other := options.instead(block, i, b, env)) is not None:
        env[i] = other
        return
    if op in _METHODS:
        env[i] = getattr(b, op)(*[env[a] for a in row[1:]])
    elif op in PRIMITIVES:
        if options.lower and op in LOWERED:
            env[i] = LOWERED[op](b, *(env[a] for a in row[1:]))
        elif len(row) == 3:
            env[i] = b.bi(op, env[row[1]], env[row[2]])
        else:
            env[i] = b.un(op, env[row[1]])
    elif op == "proj":
        env[i] = env[row[1]][row[2]]
    elif op == "loop":
        env[i] = _copy_loop(row, b, env, options, live.nested[i] if live else None)
    elif op == "cond":
        env[i] = _copy_cond(row, b, env, options, live.nested[i] if live else None)
    else:
        env[i] = _COPY[op](block, row, i, b, env, options)


def _copy_update(block: Block, row: Any, i: int, b: Builder, env: Env, options: Options) -> int:
    array, at, x = (env[a] for a in row[1:])
    if options.lower and row[0] == "update_add":
        added = _added(b, array, at, x) if options.hoist and array else b.add(b.index(array, at), x)
        return b.update(array, at, added)
    return b.update(array, at, x, row[0])


_COPY: dict[str, Callable[..., Any]] = {
    "zero": lambda *_: ZERO,
    "powi": _copy_powi,
    "update": _copy_update,
    "update_add": _copy_update,
    "stack": _copy_stack,
    "zeros": lambda block, row, i, b, *_: b.row(row, block.types[i]),
    "table": lambda block, row, i, b, *_: b.table(row[1], block.types[i].leaf),
    "acc": lambda block, row, i, b, env, _: b.acc(block.types[i].dims, [env[a] for a in row[1]]),
    "add_to": _copy_add_to,
    "check": lambda block, row, i, b, env, _: b.check(env[row[1]], row[2]),
    "print": _copy_print,
    "require": _copy_print,
    "call": lambda block, row, i, b, env, _: b.call(row[2], [env[a] for a in row[1]]),
}


def _copy_loop(row: Any, b: Builder, env: Env, options: Options, plan: Any) -> Sequence[int | None]:
    """A loop with only its wanted results; unwanted ones are None among the results returned."""
    _, operands, loop = row
    wanted, lives = plan or ([True] * len(loop.body.results), [None, None])
    rows = [env[a] for a in operands]
    first = rows[: loop.first_init]
    count = loop.count
    if first and first[0] < 0:
        count, first = b.value(first[0]), []
    inits = rows[loop.first_init : loop.first_init + loop.carried]
    captures = rows[loop.first_init + loop.carried :]
    if count == 0:
        return _empty_loop(b, loop, inits)
    if options.unroll and b.parent and _is_short(loop):
        return _unrolled(b, loop, inits, captures, options)
    if options is PLAIN and plan is None and count == loop.count and all(row > 0 for row in captures):
        return b.loop(loop, [*first, *(row or b.const(0.0) for row in inits), *captures])
    kept = [k for k in range(loop.carried) if wanted[k]]
    copies = [
        _copy_body(old, b, captures, kept, loop, options, live)
        for old, live in zip(loop.blocks, lives, strict=False)
    ]
    captured = unify([inner for inner, _ in copies], 1 + len(kept))
    body, env = copies[0]
    rows = [env[r] for r, want in zip(loop.body.results, wanted, strict=True) if want]
    block = body.finish(rows)
    test = None
    if loop.test:
        inner, env = copies[1]
        test = inner.finish([env[r] for r in loop.test.results])
    new = Loop(block, count, loop.extent, loop.reverse, len(kept), test)
    starts = [inits[k] or b.zeros(block.param_types[1 + n]) for n, k in enumerate(kept)]
    made = b.loop(new, [*first, *starts, *captured])
    found = iter(made)
    return Results(made.row, [*(next(found) if want else None for want in wanted), *found])


def _copy_body(
    old: Block, b: Builder, captures: Sequence[int], kept: Sequence[int], loop: Loop, options: Options,
    live: Live | None,
) -> tuple[Builder, Env]:  # fmt: skip
    """Copy the body of a loop, or its test, with the carries that are kept; where its rows are."""
    body = Builder(b)
    inner = new_env(old, body)
    params = old.params
    for k in (0, *(1 + k for k in kept)):
        inner[params[k]] = body.param(old.types[params[k]])
    hoisted = dict(zip(params[1 + loop.carried :], captures, strict=True))
    elements = _hoist(old, b, hoisted, options, live, loop.count is None) if options.hoist else []
    for param, outer in hoisted.items():
        if live is None or live.flags[param]:
            inner[param] = body.capture(outer)
    for element in elements:
        body.capture(element)
    copy_rows(old, body, inner, options, live)
    if options.hoist:
        _drop_captures(body, (inner[row] for row in old.results if inner[row] is not None))
    return body, inner


def _empty_loop(b: Builder, loop: Loop, inits: Sequence[int]) -> list[int | None]:
    stacked = [b.zeros(of) for of in loop_results(loop)[loop.carried :]]
    return [*inits, *stacked]


def _unrolled(
    b: Builder, loop: Loop, inits: Sequence[int], captures: Sequence[int], options: Options
) -> Sequence[int]:
    """The rounds of a loop one after the other."""
    body, carry = loop.body, list(inits)
    elements: list[list[int]] = []
    for k in range(loop.extent)[:: -1 if loop.reverse else 1]:
        _, results = inline(body, b, [b.int_const(k), *carry, *captures], options)
        carry = results[: loop.carried]
        elements.append(results[loop.carried :])
    columns = zip(*elements[:: -1 if loop.reverse else 1], strict=True)
    types = body.result_types[loop.carried :]
    return [*carry, *(b.stack(column, of) for column, of in zip(columns, types, strict=True))]


_MOVABLE = frozenset(PRIMITIVES) | {"select", "powi", "index", "stack"}

_TRAPPING = frozenset({"ifloordiv", "imod", "iquotient", "iremainder"})


def _may_trap(body: Block, row: Row) -> bool:
    """Whether a row divides by an index that may be 0."""
    if row[0] not in _TRAPPING:
        return False
    divisor = body.type_of(row[2])
    return bool(divisor.lo <= 0 <= divisor.hi)


def _hoist(
    body: Block, b: Builder, outer: dict[int, int], options: Options, live: Live | None, may_not_run: bool
) -> list[int]:
    """Build in `b` the rows of a body that use only what is outside; note them in `outer`.

    may_not_run: whether the body may run 0 times, and so what may trap must stay in it.
    Returns: what updates, once they are lowered, will use from outside: an element, or its sum.
    """
    elements: list[int] = []
    if not outer:
        return elements
    env = new_env(body, b)
    known = bytearray(len(body.rows)) + bytearray([1]) * len(body.consts)
    for known_row, place in outer.items():
        env[known_row] = place
        known[known_row] = 1
    for i, row in enumerate(body.rows):
        op = row[0]
        if op not in _MOVABLE:
            is_read = op == "update_add" and options.lower and (not live or live.flags[i])
            if is_read and known[row[1]] and known[row[2]]:
                array, at, x = env[row[1]], env[row[2]], row[3]
                elements.append(_added(b, array, at, env[x]) if known[x] else _element(b, array, at))
            continue
        n = ARITY[op]
        if n == 2:
            if not (known[row[1]] and known[row[2]]):
                continue
        elif not all(map(known.__getitem__, operands(row))):
            continue
        if (live and not live.flags[i]) or (may_not_run and _may_trap(body, row)) or max(operands(row)) < 0:
            continue
        env[i] = outer[i] = _lift(body, i, b, env, options)
        known[i] = 1
    return elements


def _lift(body: Block, i: int, b: Builder, env: Env, options: Options) -> int:
    """Build row i of a body as far out as its operands are known, within a branch; its place in `b`."""
    row = body.rows[i]
    n = ARITY[row[0]]
    uses = [a for a in (row[1] if n < 0 else row[1 : 1 + n]) if a]
    places = {a: env[a] for a in uses}
    target = b
    inner: list[Builder] = []
    if not _may_trap(body, row):
        target, places, inner = _farthest_out(b, places)
    kept = {a: env[a] for a in uses}
    for a, place in places.items():
        env[a] = place
    copy_row(body, i, target, env, options, None)
    for a, place in kept.items():
        env[a] = place
    found: int = env[i]
    for block in reversed(inner):
        found = block.capture(found)
    return found


def _farthest_out(b: Builder, places: dict[int, int]) -> tuple[Builder, dict[int, int], list[Builder]]:
    """The outermost block, within a branch, that has the rows in `places`; where; the blocks between."""
    inner = []
    while b.parent and not b.conditional:
        own = len(b.params) - len(b.captured)
        outer = {}
        for a, place in places.items():
            if place < 0:
                outer[a] = b.parent.constant(b.value(place), b.type_of(place))
            elif b.rows[place][0] == "param" and b.rows[place][1] >= own:
                outer[a] = b.captured[b.rows[place][1] - own]
        if len(outer) < len(places):
            break
        inner.append(b)
        b, places = b.parent, outer
    return b, places, inner


def _element(b: Builder, array: int, at: int) -> int:
    """The element of an array, found as far out as both are known."""
    outside, places, inner = _farthest_out(b, {array: array, at: at})
    found = outside.index(places[array], places[at])
    for block in reversed(inner):
        found = block.capture(found)
    return found


def _added(b: Builder, array: int, at: int, x: int) -> int:
    """x and the element of an array added as far out as all are known."""
    outside, places, inner = _farthest_out(b, {array: array, at: at, x: x})
    found = outside.add(_element(outside, places[array], places[at]), places[x])
    for block in reversed(inner):
        found = block.capture(found)
    return found


def _drop_captures(b: Builder, results: Iterable[int]) -> None:
    """Take out of a block what it captures and does not use, as what used it has moved out."""
    used = set(results)
    for key in b.rows:
        used.update(key[1:] if key[0] in PRIMITIVES else operands(key))
    own = len(b.params) - len(b.captured)
    kept = []
    for number, row in zip(b.params[own:], b.captured, strict=True):
        if number in used:
            kept.append((number, row))
        else:
            b.release(number, row)
    if len(kept) < len(b.captured):
        b.captured[:] = [row for _, row in kept]
        b.reorder_params([*b.params[:own], *(number for number, _ in kept)])


def _copy_cond(row: Any, b: Builder, env: Env, options: Options, plan: Any) -> list[int | None]:
    """A branch with only its wanted results; one whose condition is known becomes the arm that runs."""
    _, operands, cond = row
    wanted, lives = plan or ([True] * len(cond.then.results), [None, None])
    condition = env[operands[0]]
    captures = [env[a] for a in operands[1:]]
    if condition < 0:
        k = 0 if b.value(condition) else 1
        block = (cond.then, cond.orelse)[k]
        inner = new_env(block, b)
        for param, outer in zip(block.params, captures, strict=True):
            inner[param] = outer
        copy_rows(block, b, inner, options, lives[k])
        return [inner[r] if want else None for r, want in zip(block.results, wanted, strict=True)]
    arms, results = [], []
    for block, live in zip((cond.then, cond.orelse), lives, strict=True):
        arm = Builder(b, conditional=True)
        inner = new_env(block, arm)
        for param, outer in zip(block.params, captures, strict=True):
            if live is None or live.flags[param]:
                inner[param] = arm.capture(outer)
        if options.hoist:
            _reuse(block, b, dict(zip(block.params, captures, strict=True)), arm, inner, live)
        copy_rows(block, arm, inner, options, live)
        if options.hoist:
            _drop_captures(arm, (inner[row] for row in block.results if inner[row] is not None))
        arms.append(arm)
        results.append([inner[r] for r, want in zip(block.results, wanted, strict=True) if want])
    return finish_cond(b, condition, arms, results, wanted)


def _reuse(
    block: Block, b: Builder, outer: dict[int, int], arm: Builder, inner: Env, live: Live | None
) -> None:
    """Let rows of an arm that `b` around it has computed too be what the arm captures."""
    env = new_env(block, b)
    for param, place in outer.items():
        env[param] = place
    for i, row in enumerate(block.rows):
        op = row[0]
        if (live is None or live.flags[i]) and (op in PRIMITIVES or op == "index"):
            uses = row[1:]
            places = [env[a] for a in uses]
            if None not in places and (found := b.known(op, places)):
                env[i] = found
                inner[i] = arm.capture(found)
                arm.known(op, [inner[a] for a in uses], inner[i])


def finish_cond(b: Builder, condition: int, arms: Sequence[Builder], results: Sequence[Sequence[int]],
                wanted: Sequence[bool]) -> list[int | None]:  # fmt: skip
    """Close the two arms of a branch with the same parameters and add its row."""
    shared = unify(arms)
    blocks = [arm.finish(rows) for arm, rows in zip(arms, results, strict=True)]
    found = iter(b.cond(Cond(blocks[0], blocks[1]), [condition, *shared]))
    return [next(found) if want else None for want in wanted]
