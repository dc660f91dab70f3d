"""Rows put into the arms of a branch: those whose derivatives it alone needs, and what it adds to sums.

Two balls' distance decides whether they collide, and is used where they do. A condition has no derivative, so
all that the reverse sweep does with the distance waits in the arm that is taken, and where no pair collides
nothing is added to any gradient. (What is computed before a branch and in it too, `optimise` computes once.)
And where two balls do not collide they give each other 0.0, of which a sum needs to know nothing.
"""

from __future__ import annotations

from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import F64, Array
from eglantine.rewrite.copying import rewritten
from eglantine.rewrite.moving import _changed

_UNUSED, _MANY = -1, 0
"""Who needs a row's derivative, if not one branch: nothing yet; more than one branch, or something else."""


def with_rows_in_arms(block: Block) -> Block:
    """The block with rows in the arms of the branches that alone need their derivatives."""
    if "cond" not in block.operations:
        return block
    owners, kept = _owners(block)
    moved: dict[int, set[int]] = {}
    for i, owner in enumerate(owners):
        if owner > 0:
            moved.setdefault(owner, set()).add(i)
    if not moved:
        return block
    left_out = {i for i, on in enumerate(kept) if owners[i] > 0 and not on}
    return rewritten(block, _changed, {i: (rows, {}) for i, rows in moved.items()}, left_out)


def _owners(block: Block) -> tuple[list[int], bytearray]:
    """For each row the branch it is to be moved into, or less; whether it is needed in its place too."""
    rows, types = block.rows, block.types
    needs = [_UNUSED] * len(rows)
    kept = bytearray(len(rows))
    owners = [_MANY] * len(rows)
    for a in block.results:
        if a > 0:
            needs[a], kept[a] = _MANY, 1
    for i in range(len(rows) - 1, 0, -1):
        row, owner = rows[i], _MANY
        if row[0] == "cond":
            owner = i
            kept[max(row[1][0], 0)] = 1
        elif row[0] in PRIMITIVES or row[0] == "index":
            if needs[i] == _UNUSED or not (types[i] is F64 or isinstance(types[i], Array)):
                owner = _UNUSED
            elif needs[i] > 0:
                owner = owners[i] = needs[i]
        for a in operands(row):
            if a > 0:
                kept[a] |= row[0] != "cond" and (owners[i] <= 0 or kept[i])
                if owner != _UNUSED and needs[a] != owner:
                    needs[a] = owner if needs[a] == _UNUSED else _MANY
    return owners, kept
