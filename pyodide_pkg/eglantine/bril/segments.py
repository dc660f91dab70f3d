"""Bound the memory of reverse mode: cut while loops into segments, and store only the state before each.

A loop `while t(x): x = f(x)` becomes

    while t(x): x = segment(x)

where `segment` runs a number of rounds of the loop, or fewer if the loop ends. Reverse mode stores only the x
before each segment. To differentiate a segment, it runs the segment again from this x. So memory holds the
values of only one segment at a time.

Let x take S bytes, and let reverse mode store p bytes for a round. The number of rounds R is not known
beforehand, so segment k runs k·S/p rounds more than the first segment. All x together then take about as many
bytes as the rounds of the last segment: both are √(2 R S p). With equal segments of the best length, the
memory would be smaller by a factor of at most √2. We count S twice, because the buffers that store x have
spare room.
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
"""The most rounds of the first segment of a loop."""

OTHER_BYTES: Final = 16
"""About how many bytes a round stores in addition to the scalars that the loop carries."""

SPARE: Final = 2
"""About how many bytes of memory a growing buffer takes for each byte of its content."""

ROUNDS: Final = I32(0, DYNAMIC)
"""The row type of a number of rounds."""


def segmented(f: Fn) -> Fn:
    """Cut the while loops of a function into segments. Its values and derivatives stay the same."""
    function = f.function
    assert function.block is not None
    return Fn(replace(function, block=_cut(function.block)), f.hidden)


def _cut(block: Block) -> Block:
    """Cut all while loops of a block into segments, including nested loops."""
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
    """True for a while loop that uses no round number and does not collect values into an array."""
    if loop.test is None or loop.carried != len(loop.body.results):
        return False
    return not any(block.params[0] in operands(row) for block in loop.blocks for row in block.rows)


def _of_segments(loop: Loop) -> Loop:
    """Turn a while loop into the loop over its segments."""
    index, *types = loop.body.param_types
    b = Builder()
    k, *params = [b.param(of) for of in (index, *types)]
    rounds = rounds_row(b, k, types[: loop.carried])
    inner = Builder()
    results = inner.loop(limited(loop), [inner.param(of) for of in (*types, ROUNDS)])
    segment = segment_function(inner, results[: loop.carried])
    return replace(loop, body=b.finish(b.call(segment, [*params, rounds])))


def rounds_row(b: Builder, k: int, carry: Sequence[RowType]) -> int:
    """Write the largest number of rounds of segment k.

    carry: the types of the values that the loop carries.
    """
    scalars = sum(not isinstance(of, Array) for of in carry)
    step = max(1.0, SPARE * sum(map(_bytes, carry)) / (_WORD * scalars + OTHER_BYTES))
    rounds = b.bi("add", b.const(float(FIRST_ROUNDS)), b.bi("mul", b.const(step), b.un("real_i32", k)))
    return b.un("wrap_i64", b.un("int_f64", rounds))


Condition: TypeAlias = Callable[[Builder, Sequence[int], Sequence[int]], int]
"""Writes a condition. It takes a builder, the rows of a carry, and the rows of some captures."""


def limited(loop: Loop, more: Sequence[RowType] = (), condition: Condition | None = None) -> Loop:
    """Limit the number of rounds of a while loop. The limit becomes the last capture of the new loop.

    more: the types of other new captures, which come before the limit.
    condition: a function that writes a condition on the carry and on the captures `more`. If the condition is
        false, the loop also stops.
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
    """Make a function from a builder's rows. Reverse mode runs it again instead of storing its values."""
    block = b.finish(list(results))
    return Function(
        "segment", (), Real, block, policy="checkpoint",
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def _bytes(of: RowType) -> int:
    """The bytes of a number or an array."""
    return _WORD * prod(of.dims) if isinstance(of, Array) else _WORD


_WORD: Final = 8
