"""Convolution of sequences, and interpolation between points."""

from __future__ import annotations

from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.choices import select
from eglantine.trace.elementwise import elementwise
from eglantine.trace.loops import fori_loop
from eglantine.trace.shapes import shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin

from .building import array_of
from .calls import array_function
from .ordering import argsort
from .shaping import concatenate


@array_function("mode")
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The convolution of two Vecs. For each k, it has the sum over i of a[i] · v[k − i].

    mode: "full" returns the sums for all k. "same" returns the sums in the middle, as many as the longer Vec
        has elements. "valid" returns the sums in which all elements of the shorter Vec occur.
    """
    a, v = array_of(a), array_of(v)
    if len(shape_of(a)) != 1 or len(shape_of(v)) != 1 or 0 in (len(a), len(v)):
        raise ShapeError(
            f"convolve takes two Vecs that are not empty, but the shapes are {shape_of(a)} and {shape_of(v)}."
        )
    if len(v) > len(a):
        a, v = v, a
    n, m = len(a), len(v)
    starts = {"full": (0, n + m - 1), "same": ((m - 1) // 2, n), "valid": (m - 1, n - m + 1)}
    if mode not in starts:
        raise ShapeError(f"convolve has no mode {mode!r}. Write one of {', '.join(starts)}.")
    first, length = starts[mode]

    def at(k: Any) -> Any:
        def term(j: Any) -> Any:
            i = k + first - j
            inside = (i >= 0) & (i < n)
            return select(inside, a[i % n] * v[j], 0.0)

        return sum_(m, term)

    return vec(length, at)


@array_function("period")
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Interpolate linearly between the points (xp, fp), where xp increases. Return the values at x.

    left, right: the value for each x before the first point, and for each x after the last point. None means
        fp[0] for `left`, and fp[-1] for `right`.
    period: the length after which the values repeat. If you give it, xp may have any order, and `left` and
        `right` are ignored.
    """
    xp, fp = array_of(xp), array_of(fp)
    if shape_of(xp) != shape_of(fp) or len(shape_of(xp)) != 1 or len(xp) == 0:
        raise ShapeError(
            f"interp takes Vecs xp and fp of equal length, but the shapes are {shape_of(xp)} and "
            f"{shape_of(fp)}."
        )
    if period is not None:
        x, xp, fp = _unwound(x, xp, fp, abs(float(period)))
        left = right = None
    n = len(xp)

    def at(point: Any) -> Any:
        if shape_of(point):
            return elementwise(at, point)

        def later(i: Any, k: Any) -> Any:
            return Fin(n)(select(xp[i] <= point, i, k))

        k = fori_loop(0, n, later, Fin(n)(0))
        after = Fin(n)(select(k + 1 < n, k + 1, k) % n)
        width = xp[after] - xp[k]
        inside = (point >= xp[0]) & (width > 0.0)
        share = (point - xp[k]) / select(width > 0.0, width, 1.0)
        value = select(inside, fp[k] + share * (fp[after] - fp[k]), fp[k])
        if left is not None:
            value = select(point < xp[0], left, value)
        return value if right is None else select(point > xp[n - 1], right, value)

    return at(x)


def _unwound(x: Any, xp: Any, fp: Any, period: float) -> tuple[Any, Any, Any]:
    """Move x and the points (xp, fp) into one period. Sort the points, and add a point on each side."""
    if period == 0.0:
        raise ShapeError("The period of interp must not be 0. Give the length after which the line repeats.")
    xp = xp % period
    order = argsort(xp)
    xp, fp = xp[order], fp[order]
    around = concatenate([xp[-1:] - period, xp, xp[:1] + period])
    return x % period, around, concatenate([fp[-1:], fp, fp[:1]])
