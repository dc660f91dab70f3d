"""Rows put into the arms of a branch: those whose derivatives it alone needs, and what it adds to sums.

Two balls' distance decides whether they collide, and is used where they do. A condition has no derivative, so
all that the reverse sweep does with the distance waits in the arm that is taken, and where no pair collides
nothing is added to any gradient. (What is computed before a branch and in it too, `optimise` computes once.)
And where two balls do not collide they give each other 0.0, of which a sum needs to know nothing.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import Any

from .build import Builder
from .ir import F64, NESTING, ZERO, Array, Block, with_bodies
from .liveness import accumulators
from .primitives import PRIMITIVES, operands
from .rewrite import PLAIN, Env, copy_row, copy_rows, finish_cond, new_env, rewritten
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


# ---------------------------------------------------------------- sums


def added_in_arms(block: Block) -> Block:
    """The block with what its branches give to accumulators added in their arms, its bodies likewise.

    An arm that gives 0.0 does nothing: a sum plus 0.0 is the sum, as no accumulator holds −0.0.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    sums = _sums(block) if block.operations >= {"add_to", "cond"} else {}
    if sums:
        added = {j for found in sums.values() for j in found.values()}
        block = rewritten(block, _changed, {i: (set(), found) for i, found in sums.items()}, added)
    return with_bodies(block, added_in_arms)


def _sums(block: Block) -> dict[int, dict[int, int]]:
    """For each branch the results that are only added, which may happen in its arms, and the rows that do."""
    rows = block.rows
    uses = Counter(block.results)
    for row in rows:
        uses.update(operands(row))
    found: dict[int, dict[int, int]] = {}
    touched: dict[int, int] = {}
    for j, row in enumerate(rows):
        at, accs = j, accumulators(block, j)
        if row[0] == "add_to":
            made = rows[max(row[2], 0)]
            if made[0] == "proj" and uses[row[2]] == 1 and rows[made[1]][0] == "cond":
                _, i, k = made
                before = max(row[1], *[touched.get(acc, 0) for acc in accs])
                if before <= i and any(_is_nothing(arm, k) for arm in rows[i][2].blocks):
                    found.setdefault(i, {})[k] = j
                    at = i
        touched.update(dict.fromkeys(accs, at))
    return found


def _is_nothing(arm: Block, k: int) -> bool:
    """Whether result k of an arm is 0.0."""
    row = arm.results[k]
    return row < 0 and repr(arm.consts[~row]) == "0.0"


# ---------------------------------------------------------------- both


def _changed(block: Block, i: int, b: Builder, env: Env, plan: tuple[set[int], dict[int, int]]) -> Any:
    """The results of branch i, copied into `b` with other arms.

    plan: the rows before it that are moved into those of its arms that use them; its results that are added
        in its arms, with the rows that add them.
    """
    _, (condition, *args), cond = block.rows[i]
    moved, sums = plan
    kept = [k not in sums for k in range(len(cond.then.results))]
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
        for k, j in sums.items():
            if not _is_nothing(body, k):
                arm.add_to(arm.capture(env[block.rows[j][1]]), inner[body.results[k]])
        arms.append(arm)
        results.append([inner[a] for a in compress(body.results, kept)])
    return finish_cond(b, env[condition], arms, results, kept)
