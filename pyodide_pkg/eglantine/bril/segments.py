"""Bound the memory of reverse mode: cut while loops into segments, and store only the state before each.

A loop `while t(x): x = f(x)` becomes

    while t(x): x = segment(x)

where `segment` runs some more rounds of the loop, or all that are left. `segment` is checkpointed. Reverse
mode stores one x for each segment. Before it differentiates a segment, it runs the segment again. Only the
values of this segment are then in memory.

Let x take S bytes, and a round p bytes. The number of rounds R is not known beforehand, so segment k runs
k·S/p rounds more than the first segment. All x together then take about as many bytes as the rounds of the
last segment: both are √(2 R S p). This is at most √2 times the memory for segments of the best equal length.
The buffers of x have spare room, so we count S twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Final, TypeAlias

from eglantine.functions.fn import Fn
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import Block, Function, Loop, with_bodies
from eglantine.ir.row_types import DYNAMIC, I32, TRIPS, Array, RowType
from eglantine.rewrite.copying import inline
from eglantine.types import Real

FIRST_ROUNDS: Final = 64
"""The most rounds of the first segment."""

OTHER_BYTES: Final = 16
"""About how many bytes a round stores besides its scalar carry."""

SPARE: Final = 2
"""About how many bytes a growing buffer takes for each byte in it."""

ROUNDS: Final = I32(0, DYNAMIC)
"""The type of a number of rounds."""


def segmented(f: Fn) -> Fn:
    """A function with the same values and derivatives, whose while loops are cut into segments."""
    function = f.function
    assert function.block is not None
    return Fn(replace(function, block=_cut(function.block)), f.hidden)


def _cut(block: Block) -> Block:
    """The block with its while loops cut into segments, the inner ones too."""
    block = with_bodies(block, _cut)
    used = {*block.results, *(place for row in block.rows for place in operands(row))}
    counted = {
        row[1] for k, row in enumerate(block.rows) if row[0] == "proj" and row[2] == TRIPS and k in used
    }
    rows = list(block.rows)
    for i, row in enumerate(rows):
        if row[0] == "loop" and i not in counted and _is_plain(row[2]):
            rows[i] = ("loop", row[1], _of_segments(row[2]))
    return replace(block, rows=tuple(rows))


def _is_plain(loop: Loop) -> bool:
    """True if a loop is a while loop that stacks nothing and does not use the number of the round."""
    if loop.test is None or loop.carried != len(loop.body.results):
        return False
    return not any(block.params[0] in operands(row) for block in loop.blocks for row in block.rows)


def _of_segments(loop: Loop) -> Loop:
    """The loop over the segments of a while loop."""
    index, *types = loop.body.param_types
    b = Builder()
    k, *params = [b.param(of) for of in (index, *types)]
    rounds = rounds_row(b, k, types[: loop.carried])
    inner = Builder()
    results = inner.loop(limited(loop), [inner.param(of) for of in (*types, ROUNDS)])
    segment = segment_function(inner, results[: loop.carried])
    return replace(loop, body=b.finish(b.call(segment, [*params, rounds])))


def rounds_row(b: Builder, k: int, carry: Sequence[RowType]) -> int:
    """The row with the most rounds that segment k may run, for a loop with this carry."""
    scalars = sum(not isinstance(of, Array) for of in carry)
    step = max(1.0, SPARE * sum(map(_bytes, carry)) / (_WORD * scalars + OTHER_BYTES))
    rounds = b.bi("add", b.const(float(FIRST_ROUNDS)), b.bi("mul", b.const(step), b.un("real_i32", k)))
    return b.un("wrap_i64", b.un("int_f64", rounds))


Condition: TypeAlias = Callable[[Builder, Sequence[int], Sequence[int]], int]
"""Writes a condition. It takes a builder, the rows of a carry, and the rows of some captures."""


def limited(loop: Loop, more: Sequence[RowType] = (), condition: Condition | None = None) -> Loop:
    """The while loop with a limit on its number of rounds. The limit becomes the last capture.

    more: the types of other new captures, which come before the limit.
    condition: a function that writes a condition on these captures and the carry. Another round runs only if
        it holds.
    """
    blocks = []
    for block in loop.blocks:
        b = Builder()
        params = [b.param(of) for of in (*block.param_types, *more, ROUNDS)]
        own = params[: len(block.params)]
        _, results = inline(block, b, own)
        if block is loop.test:
            (p,) = results
            p = b.bi("and", b.bi("ilt", own[0], params[-1]), p)
            if condition is not None:
                p = b.bi("and", p, condition(b, own[1 : 1 + loop.carried], params[len(own) : -1]))
            results = [p]
        blocks.append(b.finish(list(results)))
    body, test = blocks
    return replace(loop, body=body, test=test)


def segment_function(b: Builder, results: Sequence[int]) -> Function:
    """The checkpointed function whose rows are in a builder."""
    block = b.finish(list(results))
    return Function(
        "segment", (), Real, block, policy="checkpoint",
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def _bytes(of: RowType) -> int:
    """The bytes of a number or an array."""
    return _WORD * prod(of.dims) if isinstance(of, Array) else _WORD


_WORD: Final = 8
