"""Find the type of a loop's carry. Raise the bounds of indices until a round no longer changes the type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.ir.row_types import DYNAMIC
from eglantine.leaves import leaves
from eglantine.types import FinType, StructType, TupleType, Type, VecType

from .common_types import common_type

FIRST_WIDTH = 1 << 16
"""The number of rounds of a while loop that we first assume, to limit how far an index in its carry grows."""


def _settled(first: Type, extent: int, trace: Callable[[Type], tuple[Type, Any]]) -> tuple[Type, Any]:
    """Find the type of a loop's carry. Return the type, and the result of tracing the body with this type.

    first: the type of the initial carry. The body may return indices with larger bounds.
    extent: the number of rounds during which we first let an index grow.
    trace: traces the body for a given type of the carry. It returns the carry's type after one round. If this
        type has no larger bounds than the given type, it also returns the traced body.
    """
    of, widths, is_level = first, [extent, DYNAMIC], False
    while True:
        after, traced = trace(of)
        wider = common_type(of, after, "the loop's carries before and after its body")
        if wider == of:
            break
        most = _largest_bound(of)
        if not is_level and _largest_bound(wider) == most:  # the body may only swap indices
            is_level, of = True, _widened(of, wider, most)
            continue
        if not widths:
            raise TypeMismatchError(
                "An index in this loop's carry may grow in every round, but it must stay below a bound. "
                "Write eg.Fin(n)(i) to check that it is below n, or carry a Real."
            )
        of = _widened(of, wider, 0, max(widths.pop(0), 1))
    close = common_type(first, after, "the loop's carries before and after its body")
    if close != of:
        after, again = trace(close)
        if common_type(close, after, "the loop's carries before and after its body") == close:
            return close, again
    return of, traced


def _largest_bound(of: Type) -> int:
    """The largest bound of a type's indices."""
    return max([leaf.bound for leaf in leaves(of)], default=0)


def _widened(of: Type, wider: Type, bound: int, rounds: int = 0) -> Type:
    """Raise the bounds of indices in the carry's type `of`. `wider` is the carry's type after a round.

    If `rounds` is 0, each bound that grew becomes `bound`. Otherwise the growth in one round is multiplied by
    `rounds` and added to the bound.
    """
    match of, wider:
        case FinType(m), FinType(n):
            return FinType(min(m + (n - m) * rounds, (1 << 31) - 1) if rounds else bound)
        case TupleType(xs), TupleType(ys):
            return TupleType(tuple(_widened(x, y, bound, rounds) for x, y in zip(xs, ys, strict=True)))
        case VecType(n, x), VecType(_, y):
            return VecType(n, _widened(x, y, bound, rounds))
        case StructType(xs, cls), StructType(ys, _):
            return StructType(tuple((k, _widened(x, dict(ys)[k], bound, rounds)) for k, x in xs), cls)
    return wider
