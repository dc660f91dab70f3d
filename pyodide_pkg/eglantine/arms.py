"""Rows put into the branch that alone needs their derivatives, before the reverse sweep.

Two balls' distance decides whether they collide, and is used where they do. A condition has no derivative, so
all that the sweep does with the distance waits in the arm that is taken, and where no pair collides nothing
is added to any gradient. (What is computed before the branch and in it too, `optimise` computes once.)
"""

from __future__ import annotations

from typing import Any

from .build import Builder
from .ir import F64, ZERO, Array, Block
from .primitives import PRIMITIVES, operands
from .rewrite import PLAIN, copy_row, copy_rows, finish_cond, new_env, rewritten
from .sinking import needed

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
    return rewritten(block, _with_moved, moved, {i for i, on in enumerate(kept) if owners[i] > 0 and not on})


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


def _with_moved(block: Block, i: int, b: Builder, env: Any, moved: set[int]) -> Any:
    """The results of branch i, copied into `b` with what is moved in those of its arms that use it."""
    _, (condition, *args), cond = block.rows[i]
    arms, results = [], []
    for body in cond.blocks:
        arm = Builder(b, conditional=True)
        inner = new_env(body, arm)
        used = {a for row in body.rows for a in operands(row)}.union(body.results)
        pairs = [(param, a) for param, a in zip(body.params, args, strict=True) if param in used]
        places: dict[int, Any] = {}
        for a in sorted(needed(block, [a for _, a in pairs], moved)):
            outside = (x for x in operands(block.rows[a]) if x not in moved)
            places.update((x, arm.capture(env[x])) for x in outside)
            copy_row(block, a, arm, places, PLAIN, None)  # type: ignore[arg-type]
        for param in body.params:
            inner[param] = ZERO
        for param, a in pairs:
            inner[param] = places[a] if a in moved else arm.capture(env[a])
        copy_rows(body, arm, inner, PLAIN, None)
        arms.append(arm)
        results.append([inner[a] for a in body.results])
    return finish_cond(b, env[condition], arms, results, [True] * len(results[0]))
