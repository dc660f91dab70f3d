"""Reduce arrays along axes: sums, means, extremes, and running sums and products."""

from __future__ import annotations

from math import prod as product_of
from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.loops import fori_loop, scan
from eglantine.trace.products import dot as dot_of_vecs
from eglantine.trace.shapes import Shape, axes_below, axis_below, shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.types import BoolType, Fin, scalar_of

from .building import Read, array_of, built, folded
from .calls import array_function
from .shaping import moveaxis, ravel


def _reals(a: Any) -> Any:
    """An array with its Bools as 0.0 and 1.0."""
    a = array_of(a)
    return real(a) if shape_of(a) and isinstance(scalar_of(a.type), BoolType) else a


def _sum(shape: Shape, read: Read) -> Any:
    if not shape:
        return read(())
    return sum_(shape[0], lambda i: _sum(shape[1:], lambda rest: read((i, *rest))))


@array_function("axis", "keepdims")
def sum(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum along the given axes. It begins with 0.0 and adds the elements in index order."""
    a = _reals(a)
    return folded(a, axis, keepdims, _sum) if shape_of(a) else a


@array_function("axis", "keepdims")
def prod(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product along the given axes. It begins with 1.0 and multiplies the elements in index order."""
    return folded(_reals(a), axis, keepdims, lambda shape, read: _fold(shape, read, lambda x, y: x * y, 1.0))


def _fold(shape: Shape, read: Read, f: Any, start: Any) -> Any:
    """Start with c = `start`, and set c = f(c, element) for each element in index order. Return c."""
    if not shape:
        return f(start, read(()))
    return fori_loop(0, shape[0], lambda i, c: _fold(shape[1:], lambda rest: read((i, *rest)), f, c), start)


def _count(a: Any, axis: Any) -> int:
    shape = shape_of(a)
    return product_of(shape[k] for k in axes_below(axis, len(shape), shape))


@array_function("axis", "keepdims")
def mean(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean along the given axes."""
    return sum(a, axis, keepdims) / float(_filled(a, axis, "mean"))


@array_function("axis", "keepdims", "ddof")
def var(a: Any, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Any:
    """The variance along axes: the sum of N squared deviations from the mean, divided by N − ddof."""
    n = _filled(a, axis, "var")
    a = _reals(a)
    deviations = a - mean(a, axis, True)
    return sum(deviations * deviations, axis, keepdims) / (n - ddof)


@array_function("axis", "keepdims", "ddof")
def std(a: Any, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Any:
    """The standard deviation along axes: the square root of the variance."""
    return maths.sqrt(var(a, axis, ddof, keepdims))


def _filled(a: Any, axis: Any, name: str) -> int:
    """Count the elements along the axes. `name` is the name of the reduction in the error message.

    Raises: ShapeError if there are no elements.
    """
    n = _count(a, axis)
    if n == 0:
        raise ShapeError(
            f"{name} needs at least one element, but this array has the shape {shape_of(a)}. Add an element."
        )
    return n


def _extreme(f: Any) -> Any:
    def fold(shape: Shape, read: Read) -> Any:
        return _fold(shape, read, f, read((0,) * len(shape)))

    return fold


@array_function("axis", "keepdims")
def max(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest element along axes, or NaN if any is NaN. In a tie, the last element has the derivative."""
    _filled(a, axis, "max")
    return folded(a, axis, keepdims, _extreme(maths.maximum))


@array_function("axis", "keepdims")
def min(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The least element along axes, or NaN if any is NaN. In a tie, the last element has the derivative."""
    _filled(a, axis, "min")
    return folded(a, axis, keepdims, _extreme(maths.minimum))


def _arg(better: Any) -> Any:
    def fold(shape: Shape, read: Read) -> Any:
        (n,) = shape

        def body(i: Any, carry: Any) -> Any:
            best, at = carry
            x = read((i,))
            wins = (better(x, best) | (x != x)) & (best == best)
            return select(wins, x, best), select(wins, Fin(n)(i), at)

        return fori_loop(1, n, body, (read((0,)), Fin(n)(0)))[1] if n > 1 else Fin(1)(0)

    return fold


@array_function("axis", "keepdims")
def argmax(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The index of the first largest element along an axis or in the array. NaN counts as largest."""
    return _indexed(a, axis, keepdims, _arg(lambda x, y: x > y), "argmax")


@array_function("axis", "keepdims")
def argmin(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The index of the first smallest element along an axis or in the array. NaN counts as smallest."""
    return _indexed(a, axis, keepdims, _arg(lambda x, y: x < y), "argmin")


def _indexed(a: Any, axis: Any, keepdims: bool, fold: Any, name: str) -> Any:
    _filled(a, axis, name)
    if axis is None:
        result = folded(ravel(a), 0, False, fold)
        return built((1,) * len(shape_of(a)), lambda _: result) if keepdims else result
    return folded(a, axis, keepdims, fold)


@array_function("axis", "keepdims")
def any(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """True if any element is True or a number other than 0."""
    return folded(
        _truths(a), axis, keepdims, lambda shape, read: _fold(shape, read, lambda p, q: p | q, False)
    )


@array_function("axis", "keepdims")
def all(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """True if every element is True or a number other than 0."""
    return folded(
        _truths(a), axis, keepdims, lambda shape, read: _fold(shape, read, lambda p, q: p & q, True)
    )


def _truths(a: Any) -> Any:
    a = array_of(a)
    return a if isinstance(scalar_of(a.type), BoolType) else a != 0.0


def _running(a: Any, axis: Any, step: Any, start: float) -> Any:
    """Combine elements along an axis with `step`. Return all intermediate results."""
    if axis is None:
        return _running(ravel(a), 0, step, start)
    a = _reals(a)
    shape = shape_of(a)
    k = axis_below(axis, len(shape), shape)
    moved = moveaxis(a, k, -1)

    def below(part: Any) -> Any:
        if len(shape_of(part)) > 1:
            return vec(len(part), lambda i: below(part[i]))
        if not len(part):
            return part

        def body(c: Any, x: Any) -> Any:
            total = step(c, x)
            return total, total

        return scan(body, start, part)[1]

    return moveaxis(below(moved), -1, k)


@array_function("axis")
def cumsum(a: Any, axis: Any = None) -> Any:
    """The running sums along an axis. Element k of the result is the sum of elements 0 to k."""
    return _running(a, axis, lambda c, x: c + x, 0.0)


@array_function("axis")
def cumprod(a: Any, axis: Any = None) -> Any:
    """The running products along an axis. Element k of the result is the product of elements 0 to k."""
    return _running(a, axis, lambda c, x: c * x, 1.0)


@array_function("axis", "keepdims")
def logsumexp(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The logarithm of the sum of exponentials, computed without overflow."""
    top = max(a, axis, True)
    finite = select(abs(top) < maths.inf, top, 0.0)
    total = maths.log(sum(maths.exp(a - finite), axis, True)) + finite
    return sum(total, axis, keepdims)


@array_function("axis")
def softmax(a: Any, axis: Any = -1) -> Any:
    """The exponentials of the elements, divided by the sum of the exponentials along an axis."""
    e = maths.exp(a - max(a, axis, True))
    return e / sum(e, axis, True)


@array_function()
def dot(a: Any, b: Any) -> Any:
    """NumPy's dot: the sums of products over the last axis of a and the second to last axis of b."""
    return dot_of_vecs(a, b) if shape_of(a) and shape_of(b) else a * b
