"""`eg.dot` and `eg.norm`."""

from __future__ import annotations

from typing import Any

from eglantine import ieee as numbers
from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.plain.symbolic import current

from .choices import select
from .elementwise import _placed, as_vector
from .scalars import RealValue, unary
from .sums import sum_
from .types_of import is_traced
from .vectors import UNROLLED, VecValue


@_placed
def dot(a: Any, b: Any) -> Any:
    """The sum of products of corresponding elements, in index order."""
    for v in (a, b):
        if not hasattr(v, "__len__") or isinstance(v, str | dict | set):
            raise TypeMismatchError(
                f"eg.dot and eg.norm work on Vecs, but this is {v!r}. Multiply Reals with `*`."
            )
    if len(a) != len(b):
        raise ShapeError(
            f"eg.dot needs two Vecs of equal length, but these have {len(a)} and {len(b)} elements. "
            "Shorten or extend one of them."
        )
    if current.get() is None or not (is_traced(a) or is_traced(b)):
        return sum_(len(a), lambda i: a[i] * b[i])
    x, y = as_vector(a), as_vector(b)
    if len(a) <= UNROLLED:
        total: Any = 0.0
        for k in range(len(a)):
            total = total + x[k] * y[k]
        return total
    return sum_(len(a), lambda i: x[i] * y[i])


@_placed
def norm(v: Any) -> Any:
    """The Euclidean length of a Vec. Its derivative at 0 is 0."""
    squares = dot(v, v)
    if isinstance(squares, VecValue | list):
        raise TypeMismatchError(
            f"eg.norm needs a Vec of Reals, but it was given {v!r}. Take the norm row by row."
        )
    if not isinstance(squares, RealValue):
        return numbers.sqrt(float(squares))
    is_zero = squares == 0.0
    length = unary("sqrt", select(is_zero, 1.0, squares))
    return select(is_zero, 0.0, length)
