"""Sorting, and what is read off a sorted array."""

from __future__ import annotations

import math
from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.choices import select
from eglantine.trace.loops import fori_loop
from eglantine.trace.shapes import axes_below, axis_below, shape_of
from eglantine.trace.sums import vec
from eglantine.types import Fin

from .building import array_of
from .calls import array_function
from .shaping import expand_dims, moveaxis, ravel, reshape
from .subscripts import sliced


def _rows(a: Any, f: Any) -> Any:
    """f of each Vec along the last axis."""
    return f(a) if len(shape_of(a)) == 1 else vec(len(a), lambda i: _rows(a[i], f))


def _order(v: Any) -> Any:
    """The indices that sort a Vec: equal elements keep their order, and NaN comes last."""
    n = len(v)
    if n < 2:
        return vec(n, lambda _: Fin(max(n, 1))(0))

    def before(i: Any, j: Any) -> Any:
        x, y = v[i], v[j]
        return (x < y) | ((y != y) & (x == x)) | (((x == y) | ((x != x) & (y != y))) & (i < j))

    def rank(j: Any) -> Any:
        def count(i: Any, c: Any) -> Any:
            return Fin(n)(select(before(i, j), (c + 1) % n, c))

        return fori_loop(0, n, count, Fin(n)(0))

    start = vec(n, lambda _: Fin(n)(0))
    return fori_loop(0, n, lambda j, order: order.at[rank(j)].set(Fin(n)(j)), start)


@array_function("axis")
def argsort(a: Any, axis: Any = -1) -> Any:
    """The indices that sort the array along an axis; equal elements keep their order, and NaN comes last."""
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
    """The middle element over axes, or the mean of the two middle ones."""
    return quantile(a, 0.5, axis, keepdims)


@array_function("q", "axis", "keepdims")
def quantile(a: Any, q: float, axis: Any = None, keepdims: bool = False) -> Any:
    """The number below which a share q of the elements over axes lies, between neighbours linearly."""
    shape = shape_of(a)
    axes = axes_below(axis, len(shape), shape)
    moved = moveaxis(a, axes, range(len(shape) - len(axes), len(shape)))
    rest = shape_of(moved)[: len(shape) - len(axes)]
    n = math.prod(shape[k] for k in axes)
    if n == 0:
        raise ShapeError(
            f"quantile of an array of shape {shape} has no elements to take. Give it at least one."
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
    return expand_dims(result, axes) if keepdims else result


@array_function("n", "axis")
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """The differences of neighbours along an axis, taken n times."""
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    for _ in range(n):
        a = sliced(a, k, slice(1, None)) - sliced(a, k, slice(None, -1))
    return a
