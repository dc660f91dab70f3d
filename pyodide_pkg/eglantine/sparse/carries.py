"""Find loop carries that change in a simple way, so that we can analyse all rounds together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import NESTING, Block, Loop
from eglantine.ir.row_types import F64, ZERO, Row
from eglantine.ir.rules import NO_TANGENT

from .scalars import passing

UNCHANGED: Final = "unchanged"
"""The kind of a carry that no round changes."""

GATHERS: Final = "gathers"
"""The kind of a Real that keeps its dependencies in each round and may gain more.

Nothing else in the loop depends on such a carry.
"""

FILLS: Final = "fills"
"""The kind of an array in which each round sets or increases elements.

An element is read only to compute its own new value.
"""

SHIFTS: Final = "shifts"
"""The kind of a Real, or an array of Reals, whose next value does not depend on its present value."""

COUNTS: Final = "counts"
"""This kind means: a whole number to which each round adds the same constant."""

WHOLE: Final = frozenset(
    op for op, primitive in PRIMITIVES.items() if primitive.operands and primitive.operands[0] == "i32"
)
"""The operations on whole numbers. If we know the operands, we can compute the result."""

_BLIND: Final = frozenset(
    op
    for op, primitive in PRIMITIVES.items()
    if primitive.derivative is NO_TANGENT and primitive.operands[:1] == ("f64",)
)
"""The operations on Reals that have no derivative, such as comparisons."""


def kinds_of(loop: Loop) -> list[str | None]:
    """Return the kind of each carry: one of the constants above, or None if no kind fits."""
    body = loop.body
    carries = loop.params.carries
    kinds = [_kind(body, param, k) for k, param in enumerate(carries)]
    return kinds if passes_of(loop, kinds) else [None if kind == SHIFTS else kind for kind in kinds]


def passes_of(loop: Loop, kinds: Sequence[str | None]) -> int:
    """Return how many times to analyse the body until all carries of kind SHIFTS are known.

    A carry of this kind may depend on other carries of this kind, which must be known first. If these
    carries depend on each other in a cycle, return 0.
    """
    body = loop.body
    shifts = {
        k: _reached(body, loop.params.carries[k]) or () for k, kind in enumerate(kinds) if kind == SHIFTS
    }
    passes = 1
    while shifts:
        free = [j for j in shifts if not any(body.results[j] in reached for reached in shifts.values())]
        if not free:
            return 0
        for j in free:
            del shifts[j]
        passes += 1
    return passes


def _kind(body: Block, param: int, k: int) -> str | None:
    result = body.results[k]
    if result == param:
        return UNCHANGED
    of = body.types[param]
    if of.dtype == "i32":
        return COUNTS if step_of(body, param, result) is not None else None
    is_array = of.dtype == "array"
    if of.dtype != "f64" and not (is_array and of.leaf.dtype == "f64"):
        return None
    reached = _reached(body, param)
    if reached is None:
        return None
    if result not in reached:
        return SHIFTS
    if any(row in reached for j, row in enumerate(body.results) if j != k):
        return None
    if is_array:
        return FILLS if _only_filled(body, reached, param) else None
    return None if _is_killed(body, reached) else GATHERS


def step_of(body: Block, param: int, result: int) -> int | None:
    """Return the number that each round adds to a carry, or None if this number is not a constant."""
    row = body.rows[result] if result > 0 else ("zero",)
    if row[0] not in ("iadd", "isub") or param not in row[1:3]:
        return None
    other = row[2] if row[1] == param else row[1]
    if other >= ZERO or (row[0] == "isub" and row[1] != param):
        return None
    step: int = body.consts[~other]
    return step if row[0] == "iadd" else -step


def _reached(body: Block, param: int) -> set[int] | None:
    """Return the rows that depend on `param`. If an accumulator depends on `param`, return None."""
    reached = {param}
    for i, row in enumerate(body.rows):
        if row[0] in ("param", "zero"):
            continue
        if not reached.isdisjoint(_passing(row)):
            if row[0] == "add_to" or (row[0] in NESTING and _has_sums(body, row)):
                return None
            reached.add(i)
    return reached


def _passing(row: Row) -> Sequence[int]:
    """Return a row's operands. Leave out those for which the derivative is always 0."""
    return [row[1 + k] for k in passing(row[0])] if row[0] in PRIMITIVES else operands(row)


def _has_sums(body: Block, row: Row) -> bool:
    return any(body.type_of(x).dtype == "acc" for x in operands(row))


def _only_filled(body: Block, reached: set[int], param: int) -> bool:
    """Return True if the rows only set or increase elements, and no element depends on other elements."""
    read: dict[int, set[tuple[int, int]]] = {param: set()}  # the elements that each row depends on
    for i in sorted(reached - {param}):
        row = body.rows[i]
        if row[0] in ("update", "update_add"):
            if row[1] not in reached or not read.get(row[3], set()) <= {(row[1], row[2])}:
                return False
            read[i] = set()
        elif row[0] == "index" and row[1] in reached and body.types[i] is F64:
            read[i] = {(row[1], row[2])}
        elif row[0] in PRIMITIVES and body.types[i] is F64:
            read[i] = set().union(*(read.get(x, set()) for x in _passing(row)))
        else:
            return False
    return True


def keeps_element(body: Block, carry: int, update: int) -> bool:
    """Return True if the row `update` may let an element of the array `carry` depend on its old value."""
    row = body.rows[update]
    return row[0] == "update_add" or row[3] in (_reached(body, carry) or ())


def _is_killed(body: Block, reached: set[int]) -> bool:
    """Return True if a branch or select may discard the carry's old value in some rounds."""
    for i in reached:
        row = body.rows[i]
        if row[0] in ("select", "cond"):
            condition = row[1] if row[0] == "select" else row[1][0]
            if condition < 0 or body.rows[condition][0] not in _BLIND:
                return True
    return False
