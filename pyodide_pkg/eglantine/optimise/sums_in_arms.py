"""If a branch's results are added to accumulators, move the additions into the branch's arms."""

from __future__ import annotations

from collections import Counter

from eglantine.analysis.liveness import accumulators
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, with_bodies
from eglantine.rewrite.copying import rewritten
from eglantine.rewrite.moving import ArmChanges, is_nothing, with_changed_arms


def added_in_arms(block: Block) -> Block:
    """If results of a branch are added to accumulators, move these additions into the arms of the branch.

    We also do this in all bodies of the block. An arm whose result is 0.0 then adds nothing. The sum is the
    same to the bit, because no accumulator holds −0.0.

        s = cond p (y, 0.0)            cond p (add_to acc y, nothing)
        add_to acc s
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
    """For each branch, map positions of results to the rows that add these results to accumulators.

    We leave out additions that cannot move into the arms.
    """
    rows = block.rows
    uses = Counter(block.results)
    for row in rows:
        uses.update(operands(row))
    sums: dict[int, dict[int, int]] = {}
    touched: dict[int, int] = {}
    for j, row in enumerate(rows):
        at, accs = j, accumulators(block, j)
        if row[0] == "add_to":
            term = rows[max(row[2], 0)]
            if term[0] == "proj" and uses[row[2]] == 1 and rows[term[1]][0] == "cond":
                _, i, k = term
                before = max(row[1], *[touched.get(acc, 0) for acc in accs])
                if before <= i and any(is_nothing(arm, k) for arm in rows[i][2].blocks):
                    sums.setdefault(i, {})[k] = j
                    at = i
        touched.update(dict.fromkeys(accs, at))
    return sums
