"""The conditions under which the rows of a block matter.

    y = sqrt(x)                y matters only if p holds,
    z = select(p, y, 0.0)      because only z uses y

Reverse mode differentiates a row as if its conditions held, and passes cotangents to the row's operands. If
an operand has fewer conditions than the row, the cotangent becomes 0 where the row's conditions do not hold.
So the value that `select` does not choose contributes 0, even if its derivative is infinite or NaN. If only
one arm of a branch uses a row outside the branch, the row matters only when this arm runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import NESTING, Block, Memo
from eglantine.ir.row_types import Array, Row

from .liveness import acc_root

Conditions = frozenset[tuple[int, bool]]
"""Pairs of a condition's row and the truth value it must have. A row ~k stands for set k of `Joint`."""

MOST = 16
"""A limit for the size of a set of conditions. Without it, sets would grow with nested choices.

If a set of this size gets more conditions, a single condition replaces its old conditions (see `Joint`).
"""

ALWAYS: Conditions = frozenset()


class Joint(NamedTuple):
    """Large sets of conditions. Each set has a number: 0, 1, 2, ….

    Any other set can contain set k as a single condition, with the row number ~k (that is, −k − 1).

    sets: the sets in the order of their numbers. numbers: the number of each set.
    """

    sets: list[Conditions]
    numbers: dict[Conditions, int]

    def within(self, mine: Conditions, more: Conditions) -> Conditions:
        """Return the union of two sets of conditions.

        If `mine` is large, the union refers to it by a single condition.
        """
        if len(mine) >= MOST:
            if mine not in self.numbers:
                self.numbers[mine] = len(self.sets)
                self.sets.append(mine)
            mine = frozenset({(~self.numbers[mine], True)})
        return mine | more


def implied(rows: Sequence[Any], p: int, holds: bool) -> Conditions:
    """Return the condition (p, holds), and the conditions on p's operands that follow from it."""
    if p > 0 and rows[p][0] not in ("not", "and", "or"):
        return frozenset({(p, holds)})
    implied_by_p: set[tuple[int, bool]] = set()
    pending = [(p, holds)]
    while pending and len(implied_by_p) < MOST:
        p, holds = pending.pop()
        if p > 0:
            implied_by_p.add((p, holds))
            if rows[p][0] == "not":
                pending.append((rows[p][1], not holds))
            elif rows[p][0] == ("and" if holds else "or"):
                pending += [(a, holds) for a in rows[p][1:]]
    return frozenset(implied_by_p)


class When(NamedTuple):
    """The conditions under which the rows of a block matter.

    rows: the conditions of each row. A parameter has none, because its cotangent is used outside the block.
    params: for each parameter, the conditions under which the block uses it, or None if it is unused.
    nested: for each loop or branch, the `When` of each of its bodies.
    joint: the large sets of conditions that the sets in `rows` and `params` contain.
    """

    rows: list[Conditions]
    params: list[Conditions | None]
    nested: dict[int, list[When | None]]
    joint: Joint


CONDITIONS: Memo[When | None] = Memo("conditions")


def conditions(block: Block, always: bool = False) -> When | None:
    """Find the conditions under which the rows of a block matter.

    If `always` is false and the block has no select and no branch, return None.
    """
    return CONDITIONS.remember(block, always, lambda: _conditions(block, always))


def _conditions(block: Block, always: bool) -> When | None:
    nested: dict[int, list[When | None]] = {}
    operations = block.operations
    chooses = always or not operations.isdisjoint(("select", "cond"))
    for i, row in () if operations.isdisjoint(NESTING) else enumerate(block.rows):
        if row[0] == "loop":
            nested[i] = [conditions(row[2].body)]
            chooses = chooses or nested[i] != [None]
        elif row[0] == "cond":
            nested[i] = [conditions(arm, True) for arm in (row[2].then, row[2].orelse)]
    return _when(block, nested) if chooses else None


def _when(  # noqa: C901, PLR0912 - one loop over all rows
    block: Block, nested: dict[int, list[When | None]]
) -> When:
    rows, types = block.rows, block.types
    conditions_of: list[Conditions | None] = [None] * len(rows)
    joint = Joint([], {})
    sides: dict[int, tuple[Conditions, Conditions]] = {}
    for a in (*block.results, *(a for a in block.params if types[a].dtype == "acc")):
        if a > 0:
            conditions_of[a] = ALWAYS
    for i in range(len(rows) - 1, 0, -1):
        row = rows[i]
        op = row[0]
        mine = conditions_of[i]
        if op in ("add_to", "loop", "cond", "call"):
            mine = conditions_of[i] = _with_accumulators(block, op, row, mine, conditions_of)
        if mine is None or op == "param":
            continue
        if op in PRIMITIVES or op == "index":  # handled here because calling `_uses` for each row is slow
            for a in row[1:]:
                if a > 0:
                    before = conditions_of[a]
                    if before is None:
                        conditions_of[a] = mine
                    elif before and before is not mine:
                        conditions_of[a] = before & mine or ALWAYS
            continue
        if op == "select":
            p = row[1]
            if p not in sides:
                sides[p] = implied(rows, p, True), implied(rows, p, False)
            then, orelse = sides[p]
            if mine:
                then, orelse = joint.within(mine, then), joint.within(mine, orelse)
            uses: Iterable[Any] = ((p, mine), (row[2], then), (row[3], orelse))
        else:
            uses = _uses(rows, i, mine, nested.get(i), joint)
        for a, use in uses:
            if a > 0:
                if rows[a][0] == "acc_index":
                    a = acc_root(block, a)
                before = conditions_of[a]
                if before is None:
                    conditions_of[a] = use
                elif before:
                    conditions_of[a] = before & use or ALWAYS
    params = [conditions_of[a] for a in block.params]
    when = [one or ALWAYS for one in conditions_of]
    for a in block.params:
        when[a] = ALWAYS
    for i, row in enumerate(rows):
        if row[0] == "index" and isinstance(types[i], Array):  # the array sums the cotangents of its parts
            when[i] = when[row[1]]
    return When(when, params, nested, joint)


def _with_accumulators(
    block: Block, op: str, row: Row, mine: Conditions | None, conditions_of: list[Conditions | None]
) -> Conditions | None:
    """Find the conditions of a row that may add to accumulators. Record them for the accumulators too.

    The row matters whenever one of the accumulators matters.
    """
    used = (row[1],) if op == "add_to" else row[1]
    roots = [acc_root(block, a) for a in used if a > 0 and block.types[a].dtype == "acc"]
    for root in roots:
        sums = conditions_of[root]
        if sums is not None:
            mine = sums if mine is None else mine & sums
    for root in roots:
        conditions_of[root] = mine
    return mine


def _uses(
    rows: Sequence[Any], i: int, mine: Conditions, bodies: Any, joint: Joint
) -> Iterator[tuple[int, Conditions]]:
    """Yield the operands of row i, each with the conditions under which row i uses it.

    mine: the conditions under which row i matters. bodies: the `When` of each body of row i.
    """
    row = rows[i]
    op = row[0]
    if op == "cond":
        p, *captured = row[1]
        yield p, mine
        for body, arm, holds in zip((row[2].then, row[2].orelse), bodies, (True, False), strict=True):
            inside = joint.within(mine, implied(rows, p, holds))
            yield from _captured(body.params, captured, arm.params, inside)
    elif op == "loop" and bodies[0] is not None:
        loop = row[2]
        trips, inits, captures = loop.parts(row[1])
        yield from ((a, mine) for a in (*trips, *inits))
        yield from _captured(loop.params.captures, captures, bodies[0].params[1 + loop.carried :], mine)
    else:
        yield from ((a, mine) for a in operands(row))


def _captured(
    params: Sequence[int], captured: Sequence[int], inner: Sequence[Conditions | None], mine: Conditions
) -> Iterator[tuple[int, Conditions]]:
    """Yield each outer row that a body captures and uses, with the conditions of its use.

    Omit conditions that test rows of the body, because these rows do not exist outside.
    """
    outer = dict(zip(params, captured, strict=True))
    for a, use in zip(captured, inner, strict=True):
        if use is not None:
            yield a, mine | {(outer[p], holds) for p, holds in use if outer.get(p, 0) > 0}
