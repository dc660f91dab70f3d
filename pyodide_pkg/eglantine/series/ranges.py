"""Compute bounds of the result of an operation or function from bounds of its operands."""

from __future__ import annotations

import math

from . import enclosures, rounding
from .rounding import INF, Bounds


def total(x: Bounds, y: Bounds) -> Bounds:
    """The range of x + y."""
    return rounding.total(x[0], y[0])[0], rounding.total(x[1], y[1])[1]


def difference(x: Bounds, y: Bounds) -> Bounds:
    """The range of x − y."""
    return total(x, (-y[1], -y[0]))


def product(x: Bounds, y: Bounds) -> Bounds:
    """The range of x · y."""
    corners = [rounding.product(a, b) for a in x for b in y]
    return min(c[0] for c in corners), max(c[1] for c in corners)


def quotient(x: Bounds, y: Bounds) -> Bounds:
    """The range of x / y. If y can be 0, the range has no bound on one side or on both."""
    if y[0] <= 0 <= y[1]:
        if y[0] == y[1] or (y[0] < 0 < y[1]) or x[0] <= 0 <= x[1]:
            return -INF, INF
        is_positive = (x[0] > 0) == (y[1] > 0)
        nearest, farthest = (x[0] if x[0] > 0 else x[1]), (y[1] if y[1] > 0 else y[0])
        low, high = rounding.quotient(nearest, farthest)
        return (low, INF) if is_positive else (-INF, high)
    corners = [rounding.quotient(a, b) for a in x for b in y]
    if any(math.isinf(a) for a in x) and any(math.isinf(b) for b in y):
        corners.append((0.0, 0.0))
    return min(c[0] for c in corners), max(c[1] for c in corners)


def floor_quotient(x: Bounds, y: Bounds) -> Bounds:
    """The range of x // y."""
    low, high = quotient(x, y)
    return floor(low), floor(high)


def remainder(x: Bounds, y: Bounds) -> Bounds | None:
    """Return bounds of x % y. They lie between 0 and y, and are narrower if x // y is a single number."""
    if y == (0.0, 0.0):
        return None
    low, high = min(y[0], 0.0), max(y[1], 0.0)
    whole = floor_quotient(x, y)
    if whole[0] == whole[1] and not math.isinf(whole[0]):
        exact = difference(x, product(y, whole))
        low, high = max(low, exact[0]), min(high, exact[1])
    return low, high


def whole_power(x: Bounds, n: int) -> Bounds:
    """The narrowest range of xⁿ. For example, the square of Interval(-1, 2) is Interval(0, 4)."""
    if n == 0:
        return 1.0, 1.0
    if n < 0:
        return quotient((1.0, 1.0), whole_power(x, -n))
    lo, hi = enclosures.magnitudes(*x) if n % 2 == 0 else x
    return rounding.whole_power(lo, n)[0], rounding.whole_power(hi, n)[1]


def power(x: Bounds, y: Bounds) -> Bounds | None:
    """Return bounds of x to the power y, or None if this power is undefined everywhere in the ranges."""
    if y[0] == y[1] and y[0] == y[0] // 1 and abs(y[0]) <= rounding.EXACT_POWER:
        return whole_power(x, int(y[0]))
    return enclosures.power(x, y)


# ------------------------------------------------------------ functions


def floor(x: float) -> float:
    """The largest whole number up to x."""
    return x if math.isinf(x) else float(math.floor(x))


def ceil(x: float) -> float:
    """The smallest whole number from x on."""
    return x if math.isinf(x) else float(math.ceil(x))


def trunc(x: float) -> float:
    """x without its fraction."""
    return x if math.isinf(x) else float(math.trunc(x))


def nearest(x: float) -> float:
    """The whole number nearest to x. A half is rounded to the even neighbour."""
    return x if math.isinf(x) else float(round(x))


def sign(x: float) -> float:
    """−1, 0 or 1."""
    return float((x > 0) - (x < 0))


def root(lo: float, hi: float) -> Bounds:
    """The range of the square root."""
    return rounding.root(lo)[0], rounding.root(hi)[1]


def cosh(lo: float, hi: float) -> Bounds:
    """The range of the hyperbolic cosine."""
    low, high = enclosures.magnitudes(lo, hi)
    return enclosures.bounds("cosh", low)[0], enclosures.bounds("cosh", high)[1]


def acos(lo: float, hi: float) -> Bounds:
    """The range of the arc cosine, which is a decreasing function."""
    return enclosures.bounds("acos", hi)[0], enclosures.bounds("acos", lo)[1]


def copysign(x: Bounds, y: Bounds) -> Bounds:
    """The range of numbers with the magnitude of x and the sign of y."""
    low, high = enclosures.magnitudes(*x)
    if y[0] >= 0:
        return low, high
    return (-high, -low) if y[1] < 0 else (-high, high)


def minimum(x: Bounds, y: Bounds) -> Bounds:
    """The range of the smaller of x and y."""
    return min(x[0], y[0]), min(x[1], y[1])


def maximum(x: Bounds, y: Bounds) -> Bounds:
    """The range of the larger of x and y."""
    return max(x[0], y[0]), max(x[1], y[1])
