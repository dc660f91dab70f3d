"""Under which conditions the rows of a block matter: those of the selects whose one arm alone uses them.

In the reverse direction such rows are differentiated as if their conditions held; what they pass on to rows
outside is masked there. So an arm that is not taken contributes 0, even where a derivative in it is infinite
or NaN.
"""

from __future__ import annotations

from .ir import Array, Block
from .primitives import ARITY, PRIMITIVES

Conditions = frozenset[tuple[int, bool]]
"""Rows that are conditions, each with the truth value it must have."""

ALWAYS: Conditions = frozenset()

_SCALAR = frozenset(PRIMITIVES) | {"select", "powi", "index"}


def conditions(block: Block) -> list[Conditions] | None:
    """For each row the conditions under which its value matters; None if there is no select at all.

    Parameters, arrays and results of structure always matter: what reaches them goes elsewhere unmasked.
    """
    rows, types = block.rows, block.types
    if not any(row[0] == "select" for row in rows):
        return None
    found: list[Conditions | None] = [None] * len(rows)
    for result in block.results:
        if result > 0:
            found[result] = ALWAYS
    for i in range(len(rows) - 1, 0, -1):
        row = rows[i]
        op = row[0]
        mine = found[i]
        if op not in _SCALAR or isinstance(types[i], Array):
            mine = found[i] = ALWAYS
        elif mine is None:
            continue
        uses: tuple[tuple[int, Conditions], ...]
        if op == "select":
            uses = ((row[1], mine), (row[2], mine | {(row[1], True)}), (row[3], mine | {(row[1], False)}))
        else:
            n = ARITY[op]
            uses = tuple((a, mine) for a in (row[1] if n < 0 else row[1 : 1 + n]))
        for a, use in uses:
            if a > 0:
                before = found[a]
                found[a] = use if before is None else before & use
    return [ALWAYS if one is None else one for one in found]
