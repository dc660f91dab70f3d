"""Which rows a block needs, and blocks that change nothing."""

from __future__ import annotations

from itertools import compress
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO

from .copying import copy_row, copy_rows, finish_cond
from .environment import PLAIN, Env, new_env


def _is_nothing(arm: Block, k: int) -> bool:
    """Whether result k of an arm is 0.0."""
    row = arm.results[k]
    return row < 0 and repr(arm.consts[~row]) == "0.0"


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


def needed(block: Block, rows: Any, moved: set[int]) -> set[int]:
    """The moved rows among `rows`, and those that they are made of."""
    needed: set[int] = set()
    pending = [a for a in rows if a in moved]
    while pending:
        a = pending.pop()
        if a not in needed:
            needed.add(a)
            pending.extend(x for x in operands(block.rows[a]) if x in moved)
    return needed
