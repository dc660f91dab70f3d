"""Turn straight-line code that repeats the same rows with other operands into loops over tables.

    a = sin(x0) * y3               for k in 0 … n − 1:
    b = sin(x7) * y1                   r[k] = sin(x[i[k]]) * y[j[k]]
    …

The rows of a block fall into *regions*. A row belongs to the region of its users if all of them are in one
region. Else it is the *root* of a region of its own: the one row of the region that is used outside. A row is
a root too if its shape occurs often and the shape of its user does not.

Regions become the rounds of one loop if they have one shape, none uses another, and their operands come from
the same arrays. The loop gathers its operands through tables of indices and stacks the roots. A long chain of
additions becomes a loop over its terms in their order. All values keep their bits, with one exception: the
sum of a chain whose terms all are −0 is +0.
"""

from __future__ import annotations

from eglantine.ir.program import Block

from .plan import _Plan
from .rebuild import _rebuilt
from .regions import _chains, _operands, _roots, _subshapes

LEAST_ROWS = 1000
"""The shortest block that is rolled up."""

LEAST_SAVED_PART = 4
"""A block is rolled up if at least one row in this many is saved."""


def rolled(block: Block) -> Block:
    """Roll up a block. A short block, or one with other than scalar rows, is returned as it is."""
    uses = _operands(block) if len(block.rows) >= LEAST_ROWS else None
    if uses is None:
        return block
    used, several = uses
    chains = _chains(block, used, several)
    roots = _roots(block, used, chains, [0] * len(used), [True])
    roots = _roots(block, used, chains, *_subshapes(block, used, roots))
    if any(row[0] == "call" and roots[i] == i for i, row in enumerate(block.rows)):
        return block  # results of a call in several regions
    plan = _Plan(block, used, roots, chains)
    return _rebuilt(block, plan) if plan.saved * LEAST_SAVED_PART >= len(block.rows) else block
