"""New arrays: constants, ranges and grids, and matrices made of diagonals."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.shapes import axis_below, shape_of
from eglantine.trace.views import element_at

from .building import array_of, built, lazy, rearranged
from .calls import array_function
from .shaping import as_shape, broadcast_to


@array_function("dtype")
def array(values: Any, dtype: Any = None) -> Any:
    """Make an array from nested lists of numbers. The numbers may be traced.

    dtype: None or float. Both mean float64, the only type of number that arrays have.
    """
    check_dtype(dtype)
    return array_of(values)


def check_dtype(dtype: Any) -> None:
    """Check that a dtype is float64, or is not given.

    Raises: TypeMismatchError for another dtype.
    """
    if dtype is not None and dtype is not float and str(getattr(dtype, "__name__", dtype)) != "float64":
        raise TypeMismatchError(
            f"Arrays hold only float64, but the dtype is {dtype!r}. Leave it out. For an index, write "
            "eg.Fin(n)(k)."
        )


asarray = array


@array_function("shape", "dtype")
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """An array of this shape filled with a number, or with an array that broadcasts to the shape."""
    check_dtype(dtype)
    if shape_of(fill_value):
        return broadcast_to(fill_value, shape)
    return built(as_shape(shape), lambda _: fill_value)


@array_function("shape", "dtype")
def zeros(shape: Any, dtype: Any = None) -> Any:
    """An array of zeros."""
    check_dtype(dtype)
    return built(as_shape(shape), lambda _: 0.0)


@array_function("shape", "dtype")
def ones(shape: Any, dtype: Any = None) -> Any:
    """An array of ones."""
    check_dtype(dtype)
    return built(as_shape(shape), lambda _: 1.0)


@array_function("dtype")
def zeros_like(a: Any, dtype: Any = None) -> Any:
    """An array of zeros with the shape of `a`."""
    check_dtype(dtype)
    return built(shape_of(a), lambda _: 0.0)


@array_function("dtype")
def ones_like(a: Any, dtype: Any = None) -> Any:
    """An array of ones with the shape of `a`."""
    check_dtype(dtype)
    return built(shape_of(a), lambda _: 1.0)


@array_function("n", "m", "k", "dtype")
def eye(n: int, m: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """A matrix with n rows and m columns (by default n). It has ones on diagonal k, and zeros elsewhere."""
    check_dtype(dtype)
    return built((n, n if m is None else m), lambda ij: select(ij[1] - ij[0] == k, 1.0, 0.0))


@array_function("start", "stop", "step", "dtype")
def arange(start: float, stop: float | None = None, step: float = 1.0, dtype: Any = None) -> Any:
    """The numbers `start`, `start + step`, … before `stop`. `arange(stop)` begins at 0."""
    check_dtype(dtype)
    first, end = (0.0, start) if stop is None else (start, stop)
    if step == 0:
        raise ShapeError("arange cannot take steps of 0. Give another step.")
    n = max(0, math.ceil((end - first) / step))
    start, step = float(first), float(step)
    if start == 0.0 and step == 1.0:
        return lazy((n,), lambda i: float(i[0]) if isinstance(i[0], int) else real(i[0]))
    return lazy((n,), lambda i: start + real(i[0]) * step)


@array_function("n")
def identity(n: int) -> Any:
    """The matrix of n rows with ones on its diagonal and zeros elsewhere."""
    return eye(n)


@array_function("dtype")
def full_like(a: Any, fill_value: Any, dtype: Any = None) -> Any:
    """An array with the shape of `a`, filled with a number, or with an array that broadcasts to the shape."""
    return full(shape_of(a), fill_value, dtype)


@array_function("n", "m", "k")
def tri(n: int, m: int | None = None, k: int = 0) -> Any:
    """A matrix with n rows and m columns (by default n). It has ones on and below diagonal k, zeros above."""
    return built((n, n if m is None else m), lambda ij: select(ij[1] - ij[0] <= k, 1.0, 0.0))


@array_function("start", "stop", "num", "endpoint", "base")
def logspace(start: float, stop: float, num: int = 50, endpoint: bool = True, base: float = 10.0) -> Any:
    """`num` powers of `base`. The exponents are evenly spaced from `start` to `stop`."""
    return base ** linspace(start, stop, num, endpoint)


@array_function("start", "stop", "num", "endpoint")
def linspace(start: float, stop: float, num: int = 50, endpoint: bool = True) -> Any:
    """`num` evenly spaced numbers from `start` to `stop`. If `endpoint` is false, `stop` is left out."""
    gaps = num - 1 if endpoint else num
    step = (stop - start) / gaps if gaps > 0 else math.nan
    if num == 1:
        return built((1,), lambda _: float(start))
    last = num - 1 if endpoint else num

    def at(indices: tuple[Any, ...]) -> Any:
        (i,) = indices
        return select(i == last, float(stop), float(start) + real(i) * step)

    return built((num,), at)


def _along(k: int, indices: Any) -> Any:
    """Return [indices[k]], the index of a grid point along axis k."""
    return [indices[k]]


@array_function("indexing")
def meshgrid(*arrays: Any, indexing: str = "xy") -> Any:
    """The coordinates of all points of a grid. Return one array of the grid's shape for each axis.

    arrays: for each axis, a Vec with the coordinates along the axis.
    indexing: "xy" exchanges the first two axes of the grid. "ij" keeps the axes in the order of `arrays`.
    """
    lengths = [shape_of(a)[0] if shape_of(a) else 1 for a in arrays]
    swapped = indexing == "xy" and len(arrays) > 1
    shape = (lengths[1], lengths[0], *lengths[2:]) if swapped else tuple(lengths)
    axes = [1, 0, *range(2, len(arrays))] if swapped else range(len(arrays))
    return tuple(rearranged(a, shape, partial(_along, k)) for a, k in zip(arrays, axes, strict=True))


@array_function("k")
def diag(v: Any, k: int = 0) -> Any:
    """If v is a Vec, return a matrix with v on diagonal k. If v is a matrix, return its diagonal k."""
    shape = shape_of(v)
    v = array_of(v)
    if len(shape) == 2:
        return diagonal(v, k)
    if len(shape) != 1:
        raise ShapeError(f"diag takes an array with one or two axes, but this has the shape {shape}.")
    n = shape[0]
    if n == 0:
        return zeros((abs(k), abs(k)))
    down, right = max(0, -k), max(0, k)
    m = n + abs(k)

    def at(indices: tuple[Any, ...]) -> Any:
        i, j = indices
        on = j - right == i - down
        place = _wrapped(i - down, n)
        return select(on & _within(i - down, n), v[place], 0.0)

    return built((m, m), at)


def _within(i: Any, n: int) -> Any:
    return (i >= 0) & (i < n)


def _wrapped(i: Any, n: int) -> Any:
    """An index moved into 0 … n − 1."""
    return i % n if isinstance(i, int) or _may_leave(i, n) else i


def _may_leave(i: Any, n: int) -> bool:
    lo, hi = i.bounds
    return bool(lo < 0 or hi >= n)


@array_function("offset", "axis1", "axis2")
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements a[i, i + offset] of a matrix, or of each matrix in the axes `axis1` and `axis2`.

    The last axis of the result runs along the diagonals.
    """
    shape = shape_of(a)
    if len(shape) < 2:
        raise ShapeError(f"diagonal takes an array with two axes or more, but this has the shape {shape}.")
    first, second = (axis_below(axis, len(shape), shape) for axis in (axis1, axis2))
    if first == second:
        raise ShapeError(
            f"diagonal needs two different axes, but axis {first} of the shape {shape} is named twice."
        )
    rest = [k for k in range(len(shape)) if k not in (first, second)]
    down, right = max(0, -offset), max(0, offset)
    n = max(0, min(shape[first] - down, shape[second] - right))

    def places(indices: tuple[Any, ...]) -> list[Any]:
        at: list[Any] = [None] * len(shape)
        for k, i in zip(rest, indices[:-1], strict=True):
            at[k] = i
        at[first], at[second] = indices[-1] + down, indices[-1] + right
        return at

    return rearranged(a, (*(shape[k] for k in rest), n), places)


@array_function("offset", "axis1", "axis2")
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The sums along the diagonals (see `diagonal`)."""
    from .reductions import sum

    return sum(diagonal(a, offset, axis1, axis2), -1)


@array_function("k")
def tril(a: Any, k: int = 0) -> Any:
    """The matrix with the elements above diagonal k replaced by 0."""
    return _triangle(a, lambda i, j: j - i <= k)


@array_function("k")
def triu(a: Any, k: int = 0) -> Any:
    """The matrix with the elements below diagonal k replaced by 0."""
    return _triangle(a, lambda i, j: j - i >= k)


def _triangle(a: Any, keeps: Any) -> Any:
    a = array_of(a)
    return built(shape_of(a), lambda ij: select(keeps(*ij[-2:]), element_at(a, ij), 0.0))


__all__ = [
    "arange", "diag", "diagonal", "eye", "full", "full_like", "identity", "lazy", "linspace", "logspace",
    "meshgrid", "ones", "ones_like", "trace", "tri", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip
