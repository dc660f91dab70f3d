"""Turn straight-line code into loops if it repeats the same operations on different operands.

    a = sin(x0) * y3               for k in 0 … n − 1:
    b = sin(x7) * y1                   r[k] = sin(x[i[k]]) * y[j[k]]
    …

The rows of a block are divided into *regions*. If all users of a row are in one region, the row belongs to
this region too. Otherwise it is the *root* of a new region. So rows outside a region use only its root. A row
is also a root if its shape occurs often, but the shape of the row that uses it does not.

Regions become the rounds of one loop if they have the same shape, none uses another, and their operands come
from the same arrays. The loop reads its operands from these arrays, at indices from tables, and stacks the
roots in an array. A long chain of additions becomes a loop over its terms in their order. No bit of a value
changes, with one exception: the sum of a chain is +0 if all its terms are −0.
"""

from __future__ import annotations

from eglantine.ir.program import Block

from .plan import _Plan
from .rebuild import _rebuilt
from .regions import _chains, _operands, _roots, _subshapes

LEAST_ROWS = 1000
"""The least number of rows of a block that is rolled up."""

LEAST_SAVED_PART = 4
"""A number n. A block is rolled up only if the loops save at least 1/n of its rows."""


def rolled(block: Block) -> Block:
    """Roll up a block. A short block, or a block with rows that are not scalar, is returned unchanged."""
    uses = _operands(block) if len(block.rows) >= LEAST_ROWS else None
    if uses is None:
        return block
    used, several = uses
    chains = _chains(block, used, several)
    roots = _roots(block, used, chains, [0] * len(used), [True])
    roots = _roots(block, used, chains, *_subshapes(block, used, roots))
    if any(row[0] == "call" and roots[i] == i for i, row in enumerate(block.rows)):
        return block  # several regions use results of one call
    plan = _Plan(block, used, roots, chains)
    return _rebuilt(block, plan) if plan.saved * LEAST_SAVED_PART >= len(block.rows) else block
