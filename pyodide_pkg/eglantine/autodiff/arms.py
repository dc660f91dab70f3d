"""Move rows into the arms of a branch if only that branch needs their derivatives.

Before                                    After
    d = sqrt(x*x + y*y)                       d = sqrt(x*x + y*y)      still needed by the condition
    f = d < 1 ? (1 - d)**2 : 0                f = d < 1 ? (1 - sqrt(x*x + y*y))**2 : 0

A condition has no derivative, so only the first arm needs the derivative of d. If we compute d in this arm,
the reverse of d runs only if the arm runs. For example, two balls that do not collide add nothing to any
gradient. After the move, a row may be both before a branch and in its arm. `optimise` then computes it once.

We do not move a row that reads an element of an updated array. Because the row stays outside the branch, a
surrounding loop can store only this element in each round, instead of the whole array.
"""

from __future__ import annotations

from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import F64, Array
from eglantine.rewrite.copying import rewritten
from eglantine.rewrite.moving import ArmChanges, with_changed_arms

_UNUSED, _MANY = -1, 0
"""Two values in place of a branch's number. The number says which branch needs a row's derivative.

_UNUSED: none of the rows visited so far needs the row's derivative.
_MANY: several branches need the row's derivative, or a row outside of all branches needs it.
"""


def with_rows_in_arms(block: Block) -> Block:
    """Move each row into the arms of a branch, if only this branch needs the row's derivative."""
    if "cond" not in block.operations:
        return block
    owners, stays = _owners(block)
    moved: dict[int, set[int]] = {}
    for i, owner in enumerate(owners):
        if owner > 0:
            moved.setdefault(owner, set()).add(i)
    if not moved:
        return block
    left_out = {i for i, on in enumerate(stays) if owners[i] > 0 and not on}
    return rewritten(block, with_changed_arms, {i: ArmChanges(rows) for i, rows in moved.items()}, left_out)


def _owners(block: Block) -> tuple[list[int], bytearray]:
    """Find the branch into which each row moves, and the rows that also stay outside.

    Return two lists, with an entry for each row. The first contains the row number of the branch, or 0 or
    less if the row does not move. The second contains 1 if a condition or an unmoved row reads the value.
    """
    rows, types = block.rows, block.types
    updated = {row[1] for row in rows if row[0] in ("update", "update_add")}
    needs = [_UNUSED] * len(rows)
    stays = bytearray(len(rows))
    owners = [_MANY] * len(rows)
    for a in block.results:
        if a > 0:
            needs[a], stays[a] = _MANY, 1
    for i in range(len(rows) - 1, 0, -1):
        row, owner = rows[i], _MANY
        if row[0] == "cond":
            owner = i
            stays[max(row[1][0], 0)] = 1
        elif row[0] in PRIMITIVES or row[0] == "index":
            if needs[i] == _UNUSED or not (types[i] is F64 or isinstance(types[i], Array)):
                owner = _UNUSED
            elif needs[i] > 0 and not (row[0] == "index" and types[i] is F64 and row[1] in updated):
                owner = owners[i] = needs[i]
        for a in operands(row):
            if a > 0:
                stays[a] |= row[0] != "cond" and (owners[i] <= 0 or stays[i])
                if owner != _UNUSED and needs[a] != owner:
                    needs[a] = owner if needs[a] == _UNUSED else _MANY
    return owners, stays
