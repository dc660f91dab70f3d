"""Rolling up: straight-line code that repeats the same rows with other operands becomes loops over tables.

The rows of a block fall into *regions*: a row belongs to the region of its users if they agree, else it is
the root, the one value, of a region of its own; so is a row whose like occurs often where that of its user
does not. Regions of one shape, of which none uses another and whose operands come from the same arrays,
become the rounds of one loop, which gathers its operands through tables of indices and stacks the roots. A
long chain of additions becomes a loop over its terms in their order. All values keep their bits, except that
the sum of a chain of terms that all are −0 is +0.
"""

from __future__ import annotations

from eglantine.ir.program import Block

from .plan import _Plan
from .rebuild import _rebuilt
from .regions import _chains, _operands, _roots, _subshapes

LEAST_ROWS = 1000
"""The shortest block that is rolled up."""

LEAST_SAVED_PART = 4
"""A block is rolled up if it gets shorter by one part in so many."""


def rolled(block: Block) -> Block:
    """The block with what repeats in loops; itself if it is short, or holds more than scalar rows."""
    found = _operands(block) if len(block.rows) >= LEAST_ROWS else None
    if found is None:
        return block
    used, several = found
    chains = _chains(block, used, several)
    roots = _roots(block, used, chains, [0] * len(used), [True])
    roots = _roots(block, used, chains, *_subshapes(block, used, roots))
    if any(row[0] == "call" and roots[i] == i for i, row in enumerate(block.rows)):
        return block  # results of a call in several regions
    plan = _Plan(block, used, roots, chains)
    return _rebuilt(block, plan) if plan.saved * LEAST_SAVED_PART >= len(block.rows) else block
