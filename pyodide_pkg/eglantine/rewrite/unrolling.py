"""Find the loops that are short enough to be unrolled."""

from __future__ import annotations

from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import NESTING, Block, Loop
from eglantine.ir.rules import LIBRARY

_LONG = NESTING | {"call"} | {name for name, primitive in PRIMITIVES.items() if primitive.wasm is LIBRARY}
"""Operations that take long. The time to count the rounds of a loop around them does not matter."""

MOST_ROUNDS = 4
"""The largest number of rounds of a loop that is unrolled."""

MOST_UNROLLED_ROWS = 64
"""The largest number of rows that all rounds of an unrolled loop may have together."""


def has_short(block: Block, within: bool = False) -> bool:
    """True if a block has a short loop inside another loop or a branch.

    within: true if the block itself is inside a loop or branch. Then each short loop of the block counts.
    """
    if block.operations.isdisjoint(NESTING):
        return False
    for row in block.rows:
        if row[0] in NESTING:
            if within and row[0] == "loop" and is_short(row[2]):
                return True
            for inner in row[2].blocks:
                if has_short(inner, True):
                    return True
    return False


def is_short(loop: Loop) -> bool:
    """True if a loop is so short that counting its rounds takes longer than running them."""
    if loop.count != loop.extent or loop.extent > MOST_ROUNDS or loop.test:
        return False
    rows = loop.body.rows
    size = 1 + len(rows) - sum(row[0] == "zero" for row in rows)
    return loop.extent * size <= MOST_UNROLLED_ROWS and loop.body.operations.isdisjoint(_LONG)
