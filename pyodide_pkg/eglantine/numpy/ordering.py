"""Sorting, medians, quantiles and differences."""

from __future__ import annotations

import math
from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.choices import select
from eglantine.trace.constants import known
from eglantine.trace.loops import fori_loop
from eglantine.trace.shapes import axes_below, axis_below, shape_of
from eglantine.trace.sums import vec
from eglantine.types import Fin

from .building import array_of
from .calls import array_function
from .elements import where
from .shaping import expand_dims, moveaxis, ravel, reshape, stack
from .subscripts import sliced


def _rows(a: Any, f: Any) -> Any:
    """f of each Vec along the last axis."""
    return f(a) if len(shape_of(a)) == 1 else vec(len(a), lambda i: _rows(a[i], f))


def _order(v: Any) -> Any:
    """The indices that sort a Vec. Equal elements keep their order, and NaN comes last."""
    n = len(v)
    order = vec(n, Fin(max(n, 1)))
    width = 1
    while width < n:
        order = _merged(v, order, width)
        width *= 2
    return order


def _merged(v: Any, order: Any, width: int) -> Any:
    """Merge each pair of neighbouring sorted runs of length `width`. Return the new order.

    Source: D. E. Knuth, "The Art of Computer Programming", volume 3, section 5.2.4.
    """
    n = len(order)
    place, index = Fin(n + 1), Fin(n)

    def step(k: Any, state: Any) -> Any:
        i, j, merged = state
        start = k // (2 * width) * (2 * width)
        middle, end = least(start + width, n), least(start + 2 * width, n)
        i, j = select(k == start, place(start), i), select(k == start, place(middle), j)
        left, right = order[index(least(i, n - 1))], order[index(least(j, n - 1))]
        x, y = v[left], v[right]
        is_after = (y < x) | ((x != x) & (y == y))
        takes_right = (j < end) & ((i >= middle) | is_after)
        merged = merged.at[k].set(select(takes_right, right, left))
        i_after, j_after = place(least(i + 1, n)), place(least(j + 1, n))
        return select(takes_right, i, i_after), select(takes_right, j_after, j), merged

    return fori_loop(0, n, step, (place(0), place(0), order))[2]


def least(i: Any, most: int) -> Any:
    """The smaller of the index i and `most`."""
    return select(i < most, i, Fin(most + 1)(most))


def searched(v: Any, x: Any) -> Any:
    """Count the elements below x in an ascending Vec v. The result is an index of v, at most len(v) − 1."""
    n = len(v)

    def later(i: Any, k: Any) -> Any:
        return Fin(n)(select((v[i] < x) & (i + 1 < n), (i + 1) % n, k))

    return fori_loop(0, n, later, Fin(n)(0))


@array_function("axis")
def argsort(a: Any, axis: Any = -1) -> Any:
    """The indices that sort the array along an axis. Equal elements keep their order, and NaN comes last."""
    if axis is None:
        return argsort(ravel(a))
    a = array_of(a)
    k = axis_below(axis, len(shape_of(a)), shape_of(a))
    return moveaxis(_rows(moveaxis(a, k, -1), _order), -1, k)


@array_function("axis")
def sort(a: Any, axis: Any = -1) -> Any:
    """The array sorted along an axis, with NaN last."""
    if axis is None:
        return sort(ravel(a))
    a = array_of(a)
    k = axis_below(axis, len(shape_of(a)), shape_of(a))
    return moveaxis(_rows(moveaxis(a, k, -1), _sorted), -1, k)


def _sorted(v: Any) -> Any:
    order = _order(v)
    return vec(len(v), lambda i: v[order[i]])


@array_function("axis", "keepdims")
def median(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The median along the given axes: the middle element, or the mean of the two middle elements."""
    return quantile(a, 0.5, axis, keepdims)


@array_function("q", "axis", "keepdims")
def quantile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The q-quantile along axes: element q·(n − 1) of the n sorted elements, counted from 0.

    If q·(n − 1) is not whole, we interpolate linearly between two neighbours. If any element is NaN, the
    result is NaN.

    q: a number from 0 to 1, or a list of numbers. For a list, the result has a new first axis with an entry
        for each number.
    """
    q = known(q)
    if q is None:
        raise ShapeError("The q of quantile must be known when the function is traced. Write plain numbers.")
    if isinstance(q, list):
        return stack([quantile(a, float(share), axis, keepdims) for share in q])
    if not 0 <= q <= 1:
        raise ShapeError(f"The q of quantile must be from 0 to 1, but this one is {q}.")
    shape = shape_of(a)
    axes = axes_below(axis, len(shape), shape)
    moved = moveaxis(a, axes, range(len(shape) - len(axes), len(shape)))
    rest = shape_of(moved)[: len(shape) - len(axes)]
    n = math.prod(shape[k] for k in axes)
    if n == 0:
        raise ShapeError(
            f"quantile needs at least one element, but this array has the shape {shape}. Add an element."
        )
    ordered = sort(reshape(moved, (*rest, n)))
    place = q * (n - 1)
    low = min(int(place), max(n - 2, 0))
    last = len(rest)
    if n == 1:
        result = sliced(ordered, last, 0)
    else:
        x, y = sliced(ordered, last, low), sliced(ordered, last, low + 1)
        part = place - low
        result = x + (y - x) * part if part < 0.5 else y - (y - x) * (1 - part)
        greatest = sliced(ordered, last, n - 1)
        result = where(greatest != greatest, greatest, result)
    return expand_dims(result, axes) if keepdims else result


@array_function("n", "axis")
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """The differences between neighbours along an axis. For n > 1, take the differences n times."""
    if n == 0:
        return a
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    for _ in range(n):
        a = sliced(a, k, slice(1, None)) - sliced(a, k, slice(None, -1))
    return a
