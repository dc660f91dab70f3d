"""`eg.dot` and `eg.norm`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine import ieee as numbers
from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.plain.symbolic import current

from .choices import select
from .elementwise import _placed, as_vector
from .scalars import RealValue, unary
from .shapes import broadcast, shape_of
from .sums import sum_, vec
from .types_of import is_traced
from .vectors import UNROLLED, VecValue, _is_vector


@_placed
def dot(a: Any, b: Any) -> Any:
    """The dot product, as in NumPy. Sum over the last axis of a and the second to last (or only) axis of b.

    The products are added in index order.
    Raises: ShapeError with both shapes if the two axes differ in length.
    """
    for v in (a, b):
        if not hasattr(v, "__len__") or isinstance(v, str | dict | set):
            raise TypeMismatchError(
                f"eg.dot and eg.norm work on Vecs, but this is {v!r}. Multiply Reals with `*`."
            )
    a, b = _traced(a), _traced(b)
    return _each(a, len(shape_of(a)) - 1, lambda row: _below(row, b))


def matmul(a: Any, b: Any) -> Any:
    """The matrix product a @ b. A Vec a is used as a row, and a Vec b as a column.

    If an array has more than two axes, the axes before the last two broadcast.
    Raises: ShapeError with both shapes.
    """
    x, y = shape_of(a), shape_of(b)
    if not (x and y):
        raise ShapeError(
            f"`@` multiplies arrays, but these have the shapes {x} and {y}. Use `*` for a number."
        )
    a, b = _traced(a), _traced(b)
    if len(x) <= 2 and len(y) <= 2:
        return _matrices(a, b)
    if len(y) == 1:
        return _each(a, len(x) - 2, lambda matrix: _matrices(matrix, b))
    if len(x) == 1:
        return _each(b, len(y) - 2, lambda matrix: _matrices(a, matrix))
    broadcast([x[:-2], y[:-2]], "`@`")
    return _batched(a, b)


def _traced(v: Any) -> Any:
    """Convert a list or array to a traced Vec, if a function is being traced."""
    return v if current.get() is None or not _is_vector(v) else as_vector(v)


def _batched(a: Any, b: Any) -> Any:
    """Multiply the matrices in a by the matrices in b. Axes before the last two broadcast."""
    x, y = shape_of(a), shape_of(b)
    rank = max(len(x), len(y))
    if rank == 2:
        return _matrices(a, b)
    n = max(x[0] if len(x) == rank else 1, y[0] if len(y) == rank else 1)
    if 0 in (x[0] if len(x) == rank else 1, y[0] if len(y) == rank else 1):
        n = 0

    def at(i: Any) -> Any:
        left = a if len(x) < rank else a[0 if x[0] == 1 else i]
        right = b if len(y) < rank else b[0 if y[0] == 1 else i]
        return _batched(left, right)

    return vec(n, at)


def _each(a: Any, axes: int, f: Callable[[Any], Any]) -> Any:
    """Apply f to a[i, j, …] for all indices of the first `axes` axes of a."""
    return f(a) if axes <= 0 else vec(len(a), lambda i: _each(a[i], axes - 1, f))


def _below(row: Any, b: Any) -> Any:
    """Return the dot products of a Vec with each column of each matrix in b."""
    return _matrices(row, b) if len(shape_of(b)) <= 2 else vec(len(b), lambda i: _below(row, b[i]))


def _matrices(a: Any, b: Any) -> Any:
    """The product of two arrays with one or two axes each."""
    x, y = shape_of(a), shape_of(b)
    if x[-1] != y[0]:
        raise ShapeError(
            f"The shapes {x} and {y} do not fit in a product: axis -1 of the first has {x[-1]} elements, and "
            f"axis 0 of the second has {y[0]}. These must be equal."
        )
    if len(y) == 1:
        return _inner(a, b) if len(x) == 1 else vec(x[0], lambda i: _inner(a[i], b))

    def row(left: Any) -> Any:
        return vec(y[1], lambda j: sum_(y[0], lambda k: left[k] * b[k][j]))

    return row(a) if len(x) == 1 else vec(x[0], lambda i: row(a[i]))


def _inner(a: Any, b: Any) -> Any:
    """The dot product of two Vecs."""
    if len(a) != len(b):
        raise ShapeError(
            f"The shapes {shape_of(a)} and {shape_of(b)} do not fit in a product. Give Vecs of equal lengths."
        )
    if current.get() is None or not (is_traced(a) or is_traced(b)):
        return sum_(len(a), lambda i: a[i] * b[i])
    x, y = as_vector(a), as_vector(b)
    if len(x) <= UNROLLED:
        total: Any = 0.0
        for k in range(len(x)):
            total = total + x[k] * y[k]
        return total
    return sum_(len(x), lambda i: x[i] * y[i])


@_placed
def norm(v: Any) -> Any:
    """The square root of the sum of the squares of a Vec's or matrix's elements. The derivative at 0 is 0."""
    squares = _squares(v)
    if not isinstance(squares, RealValue):
        return numbers.sqrt(float(squares))
    is_zero = squares == 0.0
    length = unary("sqrt", select(is_zero, 1.0, squares))
    return select(is_zero, 0.0, length)


def _squares(v: Any) -> Any:
    """The sum of the squares of all elements."""
    return dot(v, v) if len(shape_of(v)) < 2 else sum_(len(v), lambda i: _squares(v[i]))


setattr(VecValue, "__matmul__", matmul)  # noqa: B010 - an operator, which is looked up in the class
setattr(VecValue, "__rmatmul__", lambda self, other: matmul(other, self))  # noqa: B010 - an operator too
