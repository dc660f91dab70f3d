"""The lengths of arrays that grow by one element in each round of a while loop."""

from __future__ import annotations

from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.program import Block
from eglantine.ir.row_types import TRIPS, TRIPS_TYPE, is_growing
from eglantine.rewrite.environment import Env


def place_of(copied_loop: Any) -> int:
    """Return the row of a copied loop. `copied_loop` is this row or the list of the loop's results."""
    row: int = copied_loop if isinstance(copied_loop, int) else copied_loop.row
    return row


def trips(b: Builder, copied_loop: Any) -> int:
    """Return a row with the number of rounds that the copy of a while loop ran.

    copied_loop: the row of the copy, or the list of the copy's results.
    """
    return b.row(("proj", place_of(copied_loop), TRIPS), TRIPS_TYPE)


def length(block: Block, b: Builder, env: Env, row: int) -> list[int]:
    """Return the length for `Builder.acc`: [length] for a growing array, and [] for any other array.

    A growing array is a result of a loop, or the sum in an accumulator.
    """
    if not is_growing(block.types[row]):
        return []
    maker = block.rows[row][1]
    _, operands, loop = block.rows[maker]
    if block.rows[row][0] == "acc_read":
        return [env[a] for a in operands]
    if loop.test:
        return [trips(b, env[maker])]
    return [env[operands[0]] if loop.count is None else b.int_const(loop.count)]
