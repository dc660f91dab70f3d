"""Which loops are short enough to be written out round by round."""

from __future__ import annotations

from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import NESTING, Block, Loop
from eglantine.ir.rules import LIBRARY

_LONG = NESTING | {"call"} | {name for name, primitive in PRIMITIVES.items() if primitive.wasm is LIBRARY}
"""Operations beside which the turn of a loop takes no time."""

MOST_ROUNDS = 4
MOST_UNROLLED = 64
"""Up to how many rounds, and rows of all of them, a loop within a loop is written round after round."""


def has_short(block: Block, within: bool = False) -> bool:
    """Whether there is a short loop in a loop or branch of a block."""
    if block.operations.isdisjoint(NESTING):
        return False
    return any(
        (within and row[0] == "loop" and is_short(row[2]))
        or any(has_short(inner, True) for inner in row[2].blocks)
        for row in block.rows
        if row[0] in NESTING
    )


def is_short(loop: Loop) -> bool:
    """Whether a loop is less work to run than to count."""
    if loop.count != loop.extent or loop.extent > MOST_ROUNDS or loop.test:
        return False
    rows = loop.body.rows
    size = 1 + len(rows) - sum(row[0] == "zero" for row in rows)
    return loop.extent * size <= MOST_UNROLLED and loop.body.operations.isdisjoint(_LONG)
