"""Add to accumulators inside the arm of a branch that has something to add."""

from __future__ import annotations

from collections import Counter

from eglantine.analysis.liveness import accumulators
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, with_bodies
from eglantine.rewrite.copying import rewritten
from eglantine.rewrite.moving import ArmChanges, is_nothing, with_changed_arms


def added_in_arms(block: Block) -> Block:
    """The block with what its branches give to accumulators added in their arms, its bodies likewise.

    An arm that gives 0.0 does nothing: a sum plus 0.0 is the sum, as no accumulator holds −0.0.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    sums = _sums(block) if block.operations >= {"add_to", "cond"} else {}
    if sums:
        additions = {j for sums_of_branch in sums.values() for j in sums_of_branch.values()}
        changes = {i: ArmChanges(sums=sums_of_branch) for i, sums_of_branch in sums.items()}
        block = rewritten(block, with_changed_arms, changes, additions)
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
                if before <= i and any(is_nothing(arm, k) for arm in rows[i][2].blocks):
                    found.setdefault(i, {})[k] = j
                    at = i
        touched.update(dict.fromkeys(accs, at))
    return found
