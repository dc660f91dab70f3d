"""Bound the memory of reverse mode: cut while loops into segments, of which it stores only the beginnings.

A loop `while t(x): x = f(x)` becomes

    while t(x): x = segment(x)

where `segment` runs the next thousand rounds of the loop, or as many as are left. It is checkpointed. Reverse
mode stores one x for each segment. It runs a segment again when it comes to it, and only the values of this
segment are then in memory.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Final

from eglantine.functions.fn import Fn
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import Block, Function, Loop, with_bodies
from eglantine.ir.row_types import DYNAMIC, I32, TRIPS, Array, RowType
from eglantine.rewrite.copying import inline
from eglantine.types import Real

LEAST_ROUNDS: Final = 1024
"""The most rounds of a segment, unless its carry is large."""

ROUNDS_A_BYTE: Final = 1
"""If the carry of a loop is large, as a stack or a heap is, a segment has a round for each byte of it.
The carries of all segments then take one byte a round."""


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
    _, *types = loop.body.param_types
    segment = _segment(loop)
    b = Builder()
    b.param(I32(0, DYNAMIC - 1))
    body = b.finish(b.call(segment, [b.param(of) for of in types]))
    return replace(loop, body=body)


def _segment(loop: Loop) -> Function:
    """The function that runs some rounds of a while loop from a carry."""
    assert loop.test is not None
    index, *types = loop.body.param_types
    rounds = max(LEAST_ROUNDS, ROUNDS_A_BYTE * sum(map(_bytes, types[: loop.carried])))
    test = Builder()
    params = [test.param(of) for of in (index, *types)]
    _, (goes_on,) = inline(loop.test, test, params)
    among_first = test.bi("ilt", params[0], test.int_const(rounds))
    short = replace(loop, test=test.finish([test.bi("and", among_first, goes_on)]))
    b = Builder()
    results = b.loop(short, [b.param(of) for of in types])
    block = b.finish(results[: loop.carried])
    return Function(
        "segment", (), Real, block, policy="checkpoint",
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def _bytes(of: RowType) -> int:
    """The bytes of a number or an array."""
    return _WORD * prod(of.dims) if isinstance(of, Array) else _WORD


_WORD: Final = 8
