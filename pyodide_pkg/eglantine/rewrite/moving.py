"""Copy branches, and move rows into the bodies of the branch or loop that follows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress
from typing import Any, NamedTuple

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO

from . import nested
from .copying import copy_rows
from .environment import PLAIN, Env
from .nested import Nested, finish_cond
from .plain_rows import copy_plain_row


class ArmChanges(NamedTuple):
    """Changes to the arms of a branch.

    moved: rows that precede the branch. Each moves into the arms that use it.
    sums: maps the position of a result to the row that adds this result to an accumulator. In the copy, the
        arms add the result themselves.
    """

    moved: AbstractSet[int] = frozenset()
    sums: dict[int, int] = {}  # noqa: RUF012 - never changed


def with_changed_arms(
    block: Block, i: int, b: Builder, env: Env, changes: ArmChanges
) -> Sequence[int | None]:
    """Copy branch i into `b`, apply the changes to its arms, and return its results."""
    _, (condition, *args), cond = block.rows[i]
    moved, sums = changes
    wanted = [k not in sums for k in range(len(cond.then.results))]
    arms, results = [], []
    for body in cond.blocks:
        arm = nested.arm(body, b)
        used = {a for row in body.rows for a in operands(row)}.union(body.results)
        pairs = [(param, a) for param, a in zip(body.params, args, strict=True) if param in used]
        for param in body.params:
            arm.env[param] = ZERO
        capture_or_move(arm, pairs, block, env, moved)
        copy_rows(body, arm.b, arm.env, PLAIN, None)
        for k, j in sums.items():
            if not is_nothing(body, k):
                arm.b.add_to(arm.b.capture(env[block.rows[j][1]]), arm.env[body.results[k]])
        arms.append(arm.b)
        results.append(list(compress(arm.results(), wanted)))
    return finish_cond(b, env[condition], arms, results, wanted)


def capture_or_move(
    body: Nested, pairs: Sequence[tuple[int, int]], block: Block, env: Env, moved: AbstractSet[int]
) -> None:
    """Bind parameters of a body to rows of the block around it, or to copies of these rows in the body.

    Rows in `moved` are copied into the body. All other rows are captured.

    pairs: tuples (parameter of the body, row of `block`).
    env: maps each row of `block` that is not moved to its copy in the builder around the body.
    """
    places: dict[int, Any] = {}
    for a in sorted(needed(block, [a for _, a in pairs], moved)):
        for operand in operands(block.rows[a]):
            if operand not in moved:
                places[operand] = body.b.capture(env[operand])
        body.b.source = block.sources[a]
        copy_plain_row(block, a, body.b, places, PLAIN)
    for param, a in pairs:
        body.env[param] = places[a] if a in moved else body.b.capture(env[a])


def needed(block: Block, rows: Iterable[int], moved: AbstractSet[int]) -> set[int]:
    """Return all rows in `moved` that `rows` contains or depends on."""
    needed: set[int] = set()
    pending = [a for a in rows if a in moved]
    while pending:
        a = pending.pop()
        if a not in needed:
            needed.add(a)
            pending.extend(x for x in operands(block.rows[a]) if x in moved)
    return needed


def is_nothing(arm: Block, k: int) -> bool:
    """True if result k of an arm is 0.0."""
    row = arm.results[k]
    return row < 0 and repr(arm.consts[~row]) == "0.0"
