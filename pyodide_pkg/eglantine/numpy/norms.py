"""Norms and powers of matrices."""

from __future__ import annotations

from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace import maths
from eglantine.trace.products import matmul
from eglantine.trace.products import norm as norm_of
from eglantine.trace.shapes import axes_below, shape_of

from . import reductions
from .building import array_of
from .calls import array_function
from .creation import eye
from .elements import where
from .factors import svd
from .matrices import square
from .shaping import broadcast_to, expand_dims, moveaxis
from .systems import inv


@array_function("ord", "axis", "keepdims")
def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The norm of a Vec or matrix. If `axis` names one or two axes, the norm of each Vec or matrix in `a`.

    ord: None means the root of the sum of squares. For a Vec, a number p means the p-norm. inf gives the
        largest magnitude, -inf the smallest, and 0 the number of elements that are not 0. For a matrix, "fro"
        is the same as None. "nuc" gives the sum of the singular values. 2 gives the largest singular value,
        and -2 the smallest. 1 gives the largest sum of magnitudes in a column, and -1 the smallest. inf gives
        the largest sum of magnitudes in a row, and -inf the smallest.
    If all elements are 0, the Euclidean norm has the derivative 0.
    """
    a = array_of(a)
    shape = shape_of(a)
    if ord is None and axis is None:
        total = norm_of(a) if shape else abs(a)
        return expand_dims(total, tuple(range(len(shape)))) if keepdims else total
    axes = axes_below(axis, len(shape), shape)
    if len(axes) == 1:
        return _of_vectors(a, ord, axes[0], keepdims)
    if len(axes) != 2:
        raise ShapeError(
            f"norm with ord={ord!r} needs one axis or two, but here it has {len(axes)} (the array has the "
            f"shape {shape}). Name one axis or two with axis=."
        )
    if isinstance(axis, tuple | list):  # the first one named counts the rows
        axes = tuple(k % len(shape) for k in axis)
    return _of_matrices(a, ord, axes, keepdims)


def _root(squares: Any) -> Any:
    is_zero = squares == 0.0
    return where(is_zero, 0.0, maths.sqrt(where(is_zero, 1.0, squares)))


def _of_vectors(a: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    if isinstance(ord, str):
        raise ShapeError(f"The norm of a Vec has no order {ord!r}. Give a number, or None.")
    if ord is None or ord == 2:
        return _root(reductions.sum(a * a, axis, keepdims))
    if ord == maths.inf:
        return reductions.max(abs(a), axis, keepdims)
    if ord == -maths.inf:
        return reductions.min(abs(a), axis, keepdims)
    if ord == 0:
        return reductions.sum(a != 0.0, axis, keepdims)
    if ord == 1:
        return reductions.sum(abs(a), axis, keepdims)
    return reductions.sum(abs(a) ** float(ord), axis, keepdims) ** (1.0 / ord)


def _of_matrices(a: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    row, column = axes
    if ord in (None, "fro"):
        return _root(reductions.sum(a * a, axes, keepdims))
    if ord in (1, -1, maths.inf, -maths.inf):
        along, across = (row, column) if abs(ord) == 1 else (column, row)
        sums = reductions.sum(abs(a), along, True)
        result = (reductions.max if ord > 0 else reductions.min)(sums, across, True)
    elif ord in (2, -2, "nuc"):
        values = svd(moveaxis(a, axes, (-2, -1)), compute_uv=False)
        fold = {2: reductions.max, -2: reductions.min, "nuc": reductions.sum}[ord]
        result = expand_dims(fold(values, -1), tuple(sorted(axes)))
    else:
        raise ShapeError(
            f"The norm of a matrix has no order {ord!r}. Give ±1, ±2, ±inf, 'fro', 'nuc' or None."
        )
    return result if keepdims else reductions.sum(result, axes)


@array_function("n")
def matrix_power(a: Any, n: int) -> Any:
    """The matrix power a @ a @ … with n factors. For a negative n, the factors are the inverse of a."""
    size = square(a, "matrix_power")
    if n < 0:
        return matrix_power(inv(a), -n)
    if n == 0:
        return broadcast_to(eye(size), shape_of(a))
    result, power = None, a
    while n:
        if n % 2:
            result = power if result is None else matmul(result, power)
        n //= 2
        if n:
            power = matmul(power, power)
    return result
