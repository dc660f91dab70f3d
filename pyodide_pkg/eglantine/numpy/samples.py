"""Statistics of samples, integrals and slopes of sampled functions, and polynomials."""

from __future__ import annotations

from typing import Any

from eglantine.errors import ShapeError
from eglantine.trace.constants import known
from eglantine.trace.elementwise import elementwise, real
from eglantine.trace.loops import fori_loop
from eglantine.trace.maths import sqrt
from eglantine.trace.shapes import axes_below, axis_below, shape_of

from .building import array_of
from .calls import array_function
from .creation import diag
from .elements import where
from .ordering import diff, quantile
from .parts import atleast_2d
from .reductions import _count, _truths, max, mean, min, sum
from .shaping import concatenate, flip, ravel, reshape, stack
from .signals import convolve
from .subscripts import sliced


@array_function("axis", "keepdims")
def average(a: Any, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Any:
    """The weighted mean along the given axes.

    weights: an array with the shape of `a`, or a Vec with a weight for each index along the axis. None means
        equal weights.
    """
    if weights is None:
        return mean(a, axis, keepdims)
    shape, own = shape_of(a), shape_of(weights)
    if own != shape:
        axes = axes_below(axis, len(shape), shape)
        if axis is None or own != tuple(shape[k] for k in axes):
            raise ShapeError(
                f"The weights of average have the shape {own}, but the array has the shape {shape}. Give an "
                "array of the same shape, or an axis and a weight for each of its elements."
            )
        weights = reshape(weights, tuple(n if k in axes else 1 for k, n in enumerate(shape)))
    return sum(a * weights, axis, keepdims) / sum(weights, axis, keepdims)


@array_function("q", "axis", "keepdims")
def percentile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The q-th percentile along axes. About q percent of the elements are smaller (see `quantile`)."""
    shares = known(q)
    if shares is None:
        raise ShapeError(
            "The q of percentile must be known when the function is traced. Write plain numbers."
        )
    shares = [part / 100.0 for part in shares] if isinstance(shares, list) else shares / 100.0
    return quantile(a, shares, axis, keepdims)


@array_function("axis", "keepdims")
def ptp(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest element along axes minus the smallest."""
    return max(a, axis, keepdims) - min(a, axis, keepdims)


@array_function("rowvar", "bias", "ddof")
def cov(m: Any, rowvar: bool = True, bias: bool = False, ddof: float | None = None) -> Any:
    """The covariances of variables. By default, each row of m has the samples of one variable.

    rowvar: if false, each column of m has the samples of one variable.
    bias, ddof: the sums over n samples are divided by n − ddof. By default, ddof is 0 if `bias` is true,
        and 1 otherwise.
    """
    shape = shape_of(m)
    if len(shape) > 2:
        raise ShapeError(f"cov takes an array with at most two axes, but this has the shape {shape}.")
    x = atleast_2d(m)
    if not rowvar and len(shape) == 2:
        x = x.T
    n = shape_of(x)[1]
    if 0 in shape_of(x):
        raise ShapeError(f"cov of an array of shape {shape} has no samples. Give it at least one.")
    centred = x - mean(x, 1, True)
    result = centred @ centred.T / (n - (float(not bias) if ddof is None else ddof))
    return result if shape_of(x)[0] > 1 else result[0, 0]


@array_function("rowvar")
def corrcoef(x: Any, rowvar: bool = True) -> Any:
    """The correlations of variables: each covariance (see `cov`) divided by both standard deviations."""
    c = cov(x, rowvar)
    if not shape_of(c):
        return c / c
    deviations = sqrt(diag(c))
    return c / deviations[:, None] / deviations[None, :]


@array_function("axis", "keepdims")
def count_nonzero(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Count the elements that are True, or not 0, for example along an axis. The count is a Real."""
    return sum(real(_truths(a)), axis, keepdims)


@array_function("axis", "keepdims")
def nansum(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum along the given axes, where NaN counts as 0."""
    return sum(where(array_of(a) == a, a, 0.0), axis, keepdims)


@array_function("axis", "keepdims")
def nanmean(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean of the elements that are not NaN, along the given axes. It is NaN if all are NaN."""
    if not _count(a, axis):
        raise ShapeError(f"nanmean needs at least one element, but this has the shape {shape_of(a)}.")
    return nansum(a, axis, keepdims) / sum(real(array_of(a) == a), axis, keepdims)


# ---------------------------------------------------------------- sampled functions


@array_function("dx", "axis")
def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """The integral along an axis, by the trapezoidal rule.

    x: the points at which the integrated function has the values y. Give a Vec of points along the axis, or
        an array with the shape of y. None means that neighbouring points have the distance dx.
    """
    y = array_of(y)
    shape = shape_of(y)
    k = axis_below(axis, len(shape), shape)
    middle = sliced(y, k, slice(1, None)) + sliced(y, k, slice(None, -1))
    if x is None:
        return sum(dx * middle / 2.0, k)
    widths = diff(x, axis=-1 if len(shape_of(x)) == 1 else k)
    if len(shape_of(x)) == 1:
        widths = reshape(widths, tuple(len(widths) if j == k else 1 for j in range(len(shape))))
    return sum(widths * middle / 2.0, k)


def gradient(f: Any, *varargs: Any, axis: Any = None) -> Any:
    """Estimate slopes from the differences of neighbours.

    If neighbours have the distance h, the error of a slope is O(h²). At the two ends of an axis, it is O(h).

    varargs: the distance between neighbours. Give one distance for all axes, or for each axis a distance or a
        Vec of points.
    Returns an array of slopes with the shape of f. For several axes, it returns a tuple of such arrays.
    """
    shape = shape_of(f)
    axes = axes_below(axis, len(shape), shape)
    steps = list(varargs) or [1.0]
    if len(steps) not in (1, len(axes)) or (len(steps) < len(axes) and shape_of(steps[0])):
        raise ShapeError(
            f"gradient along {len(axes)} axes takes one distance for all axes, or one distance for each axis."
        )
    slopes = [_slopes(f, steps[j % len(steps)], k) for j, k in enumerate(axes)]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


@array_function("axis")
def _slopes(f: Any, step: Any, axis: int) -> Any:
    f = array_of(f)
    shape = shape_of(f)
    n = shape[axis]
    if n < 2:
        raise ShapeError(f"gradient needs two elements or more along axis {axis} of the shape {shape}.")
    if shape_of(step) not in ((), (n,)):
        raise ShapeError(
            f"Along axis {axis}, gradient needs a distance or {n} points, but it was given an array of "
            f"shape {shape_of(step)}."
        )

    def part(i: int | None, j: int | None) -> Any:
        return sliced(f, axis, slice(i, j))

    if not shape_of(step):
        first, last = (part(1, 2) - part(0, 1)) / step, (part(n - 1, n) - part(n - 2, n - 1)) / step
        inner = (part(2, None) - part(None, n - 2)) / (2.0 * step)
        return concatenate([first, inner, last], axis)
    gaps = reshape(diff(step), tuple(n - 1 if k == axis else 1 for k in range(len(shape))))
    left, right = sliced(gaps, axis, slice(None, -1)), sliced(gaps, axis, slice(1, None))
    first = (part(1, 2) - part(0, 1)) / sliced(gaps, axis, slice(0, 1))
    last = (part(n - 1, n) - part(n - 2, n - 1)) / sliced(gaps, axis, slice(n - 2, n - 1))
    outer, middle = -right / (left * (left + right)), (right - left) / (left * right)
    inner = outer * part(None, n - 2) + middle * part(1, n - 1)
    inner = inner + left / (right * (left + right)) * part(2, None)
    return concatenate([first, inner, last], axis)


@array_function("n", "increasing")
def vander(x: Any, n: int | None = None, increasing: bool = False) -> Any:
    """The Vandermonde matrix. Row i has the powers of x[i]. The highest is first, or last if `increasing`.

    n: the number of powers in a row. By default, it is the number of elements of x.
    """
    if len(shape_of(x)) != 1:
        raise ShapeError(f"vander takes a Vec, but the shape is {shape_of(x)}.")
    columns = [x * 0.0 + 1.0]
    for _ in range(1, len(x) if n is None else n):
        columns.append(columns[-1] * x)
    columns = columns[: len(x) if n is None else n]
    if not columns:
        raise ShapeError("vander needs at least one power.")
    return stack(columns if increasing else columns[::-1], axis=1)


@array_function()
def polyval(p: Any, x: Any) -> Any:
    """Evaluate a polynomial at each x by Horner's rule. p[0] is the coefficient of the highest power."""
    p = array_of(p)
    if len(shape_of(p)) != 1:
        raise ShapeError(f"polyval takes a Vec of coefficients, but the shape is {shape_of(p)}.")

    def at(point: Any) -> Any:
        if shape_of(point):
            return elementwise(at, point)
        return fori_loop(0, len(p), lambda i, total: total * point + p[i], 0.0)

    return at(x)


@array_function("mode")
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The sums of a[k + i] · v[i] for every k. For `mode`, see `convolve`."""
    if len(shape_of(a)) == len(shape_of(v)) == 1 and len(a) < len(v):
        return flip(convolve(v, flip(a), mode))
    return convolve(a, flip(v) if shape_of(v) else v, mode)


@array_function()
def vdot(a: Any, b: Any) -> Any:
    """The sum of the products of corresponding elements of a and b, in row-major order."""
    a, b = (ravel(part) if shape_of(part) else part for part in (a, b))
    if shape_of(a) != shape_of(b):
        raise ShapeError(
            f"vdot takes arrays with equal numbers of elements, but their shapes are {shape_of(a)} and "
            f"{shape_of(b)}."
        )
    return sum(a * b)
