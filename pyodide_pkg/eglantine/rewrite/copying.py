"""Copy rows from one block into a builder. Inlining, pruning and lowering all work in this way.

The builder folds constants and merges equal rows as it receives them, so a copy is already simplified.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import compress
from typing import Any, TypeVar

from eglantine.analysis.liveness import Live, LiveNested
from eglantine.ir.builder import Builder, Results
from eglantine.ir.program import Block, Loop, loop_results
from eglantine.ir.row_types import ZERO, Row

from . import nested
from .environment import PLAIN, Env, Options, begun, new_env
from .hoisting import drop_captures, hoist, reuse
from .nested import Nested, finish_cond, finish_loop
from .plain_rows import copy_plain_row
from .unrolling import is_short

T = TypeVar("T")


def inline(
    block: Block, b: Builder, arguments: Sequence[int], options: Options = PLAIN
) -> tuple[Env, list[int]]:
    """Copy a block's rows into `b`. The rows `arguments` of `b` replace its parameters.

    Returns a map from the rows of the block to their copies, and the copies of the block's results.
    """
    env = new_env(block, b)
    for param, argument in zip(block.params, arguments, strict=True):
        env[param] = argument
    copy_rows(block, b, env, options, None)
    return env, [env[row] for row in block.results]


def copied(block: Block, options: Options = PLAIN, live: Live | None = None, rounds: bool = False) -> Block:
    """Copy and simplify a block. If `live` is given, copy only live rows. `Rows` documents `rounds`."""
    b, env = begun(block)
    b.rounds = rounds
    copy_rows(block, b, env, options, live)
    return b.finish([env[row] for row in block.results])


def rewritten(
    block: Block,
    make: Callable[[Block, int, Builder, Env, T], Sequence[int | None]],
    rows: Mapping[int, T],
    left_out: Collection[int] = (),
) -> Block:
    """Copy a block with some of its rows replaced or left out.

    rows: the rows to replace. For each such row i, make(block, i, b, env, rows[i]) builds the new row.
    left_out: the rows that are not copied.
    """
    b, env = begun(block)
    for i in range(1, len(block.rows)):
        if i in rows:
            b.source = block.sources[i]
            env[i] = make(block, i, b, env, rows[i])
        elif env[i] is None and i not in left_out:
            copy_row(block, i, b, env, PLAIN, None)
    return b.finish([env[row] for row in block.results])


def copy_rows(block: Block, b: Builder, env: Env, options: Options, live: Live | None) -> None:
    """Copy the rows of a block that have no copy in `env` yet. If `live` is given, copy only live rows."""
    saved = b.source
    every = range(len(block.rows))
    pending = compress(every, live.flags) if live else iter(every)
    for i in pending if options.instead else iter(partial(b.copy_plain, block, env, pending), ZERO):
        if env[i] is None:
            copy_row(block, i, b, env, options, live)
    b.source = saved


def copy_row(block: Block, i: int, b: Builder, env: Env, options: Options, live: Live | None) -> None:
    """Copy row i. If it is a loop or branch, copy only the results and the inner rows that `live` needs."""
    row = block.rows[i]
    b.source = block.sources[i]
    if options.instead is not None and (other := options.instead(block, i, b, env)) is not None:
        env[i] = other
    elif row[0] == "loop":
        env[i] = _copy_loop(row, b, env, options, live.nested[i] if live else None)
    elif row[0] == "cond":
        env[i] = _copy_cond(row, b, env, options, live.nested[i] if live else None)
    else:
        copy_plain_row(block, i, b, env, options)


def _all_of(body: Block) -> tuple[Sequence[bool], Sequence[Live | None]]:
    """Return flags to copy all results of a loop or branch, and all rows of its bodies."""
    return [True] * len(body.results), [None, None]


# ---------------------------------------------------------------- loops


def _copy_loop(
    row: Row, b: Builder, env: Env, options: Options, live: LiveNested | None
) -> Sequence[int | None]:
    """Copy a loop with only the results that `live` needs. Return the results, with None for unneeded ones.

    If several results of the body are the same row, the copy stacks this row only once.
    """
    _, operands, loop = row
    trips, inits, captures = loop.parts([env[a] for a in operands])
    count = loop.count
    if trips and trips[0] < 0:
        count, trips = b.value(trips[0]), []
    if count == 0:
        return [*inits, *(b.zeros(of) for of in loop_results(loop)[loop.carried :])]
    if options.unroll and b.parent and is_short(loop):
        return _unrolled(b, loop, inits, captures, options)
    if options is PLAIN and live is None and count == loop.count and min(captures, default=1) > 0:
        return b.loop(loop, [*trips, *(row or b.const(0.0) for row in inits), *captures])
    wanted, lives = live or _all_of(loop.body)
    carries = [k for k in range(loop.carried) if wanted[k]]
    bodies = [
        _copy_body(block, b, captures, carries, loop, options, body_live)
        for block, body_live in zip(loop.blocks, lives, strict=False)
    ]
    returned = bodies[0].results(wanted)
    stacked = returned[len(carries) :]
    unequal = list(dict.fromkeys(stacked))
    results = [[*returned[: len(carries)], *unequal], *(test.results() for test in bodies[1:])]
    starts = [inits[k] or b.zeros(loop.body.types[loop.params.carries[k]]) for k in carries]
    new = finish_loop(b, loop, count, [*trips, *starts], [body.b for body in bodies], results)
    arrays = dict(zip(unequal, new[len(carries) :], strict=False))
    loop_rows = iter((*new[: len(carries)], *(arrays[row] for row in stacked)))
    kept: list[Any] = [next(loop_rows) if want else None for want in wanted]
    with_gaps = Results([*kept, *new[len(carries) + len(unequal) :]])
    with_gaps.row = new.row
    return with_gaps


def _copy_body(
    block: Block, b: Builder, captures: Sequence[int], carries: Sequence[int], loop: Loop, options: Options,
    live: Live | None,
) -> Nested:  # fmt: skip
    """Copy the body of a loop, or its test.

    carries: the positions of the carried values that the copy keeps.
    """
    params = block.params
    body = nested.loop_body(block, b, [params[0], *(params[1 + k] for k in carries)])
    outer = dict(zip(params[1 + loop.carried :], captures, strict=True))
    elements = hoist(block, b, outer, options, live, loop.count is None) if options.hoist else []
    for row, place in outer.items():
        if live is None or live.flags[row]:
            body.env[row] = body.b.capture(place)
    for element in elements:
        body.b.capture(element)
    copy_rows(block, body.b, body.env, options, live)
    if options.hoist:
        drop_captures(body.b, body.results())
    return body


def _unrolled(
    b: Builder, loop: Loop, inits: Sequence[int], captures: Sequence[int], options: Options
) -> Sequence[int]:
    """Unroll a loop: write its rounds one after the other."""
    body, carry = loop.body, list(inits)
    elements: list[list[int]] = []
    for k in range(loop.extent)[:: -1 if loop.reverse else 1]:
        _, results = inline(body, b, [b.int_const(k), *carry, *captures], options)
        carry = results[: loop.carried]
        elements.append(results[loop.carried :])
    columns = zip(*elements[:: -1 if loop.reverse else 1], strict=True)
    types = body.result_types[loop.carried :]
    return [*carry, *(b.stack(column, of) for column, of in zip(columns, types, strict=True))]


# ---------------------------------------------------------------- branches


def _copy_cond(
    row: Row, b: Builder, env: Env, options: Options, live: LiveNested | None
) -> Sequence[int | None]:
    """Copy a branch with only the results that `live` needs. If the condition is a constant, copy one arm."""
    _, operands, cond = row
    wanted, lives = live or _all_of(cond.then)
    condition = env[operands[0]]
    captures = [env[a] for a in operands[1:]]
    if condition < 0:
        k = 0 if b.value(condition) else 1
        block = cond.blocks[k]
        inner = new_env(block, b)
        for param, outer in zip(block.params, captures, strict=True):
            inner[param] = outer
        copy_rows(block, b, inner, options, lives[k])
        return [inner[r] if want else None for r, want in zip(block.results, wanted, strict=True)]
    arms = [
        _copy_arm(block, b, captures, options, arm_live)
        for block, arm_live in zip(cond.blocks, lives, strict=True)
    ]
    return finish_cond(b, condition, [arm.b for arm in arms], [arm.results(wanted) for arm in arms], wanted)


def _copy_arm(
    block: Block, b: Builder, captures: Sequence[int], options: Options, live: Live | None
) -> Nested:
    """Copy an arm of a branch."""
    arm = nested.arm(block, b)
    outer = dict(zip(block.params, captures, strict=True))
    for param, place in outer.items():
        if live is None or live.flags[param]:
            arm.env[param] = arm.b.capture(place)
    if options.hoist:
        reuse(arm, b, outer, live)
    copy_rows(block, arm.b, arm.env, options, live)
    if options.hoist:
        drop_captures(arm.b, arm.results())
    return arm
