"""Bounds for the values of `eg.math`'s functions on an interval lo … hi.

The error of each library function is at most a known number of ulps. We widen a computed value by slightly
more. If a function is piecewise monotone, its extremes are at the ends of the interval, or where two pieces
meet.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from eglantine.interpreter.machine import run
from eglantine.mathlib.library import library

from .rounding import INF, Bounds, around, root

STEPS: Final = 2
"""The number of floats by which we move a bound outward if the value has an error of at most 1 ulp.

Just below a power of 2, neighbouring floats differ by only half the ulp of the power, so 1 ulp is two floats.
"""
MORE_STEPS: Final = 3
PRECISE: Final = frozenset(
    {"exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "pow"}
)
"""The functions with an error of at most 1 ulp.

Other functions have an error of at most 2 ulps, except lgamma and polygamma (see GAMMA_ULPS).
"""
GAMMA_ULPS, GAMMA_REFLECTED = 5 * 2.0**-52, 1.1e-13
"""The errors of lgamma and polygamma relative to max(1, |y|), for positive and for negative arguments."""

RANGES: Final[dict[str, Bounds]] = {
    "exp": (0.0, INF), "exp2": (0.0, INF), "expm1": (-1.0, INF), "sin": (-1.0, 1.0), "cos": (-1.0, 1.0),
    "tanh": (-1.0, 1.0), "erf": (-1.0, 1.0), "cosh": (1.0, INF), "hypot": (0.0, INF), "pow": (0.0, INF),
    "acos": (0.0, INF), "acosh": (0.0, INF),
}  # fmt: skip
"""For some functions, two numbers between which all exact values lie.

We use these numbers if a bound that was rounded outward lies beyond them.
"""

INCREASING: Final[dict[str, Bounds]] = {
    **dict.fromkeys(("exp", "exp2", "expm1", "atan", "sinh", "tanh", "asinh", "cbrt", "erf"), (-INF, INF)),
    **dict.fromkeys(("log", "log2", "log10"), (0.0, INF)),
    "log1p": (-1.0, INF), "asin": (-1.0, 1.0), "acosh": (1.0, INF), "atanh": (-1.0, 1.0),
}  # fmt: skip
"""Maps each increasing function to its domain."""

POLES: Final[dict[str, Bounds]] = {
    **dict.fromkeys(("log", "log2", "log10"), (0.0, math.nan)),
    "log1p": (-1.0, math.nan),
    "atanh": (-1.0, 1.0),
}
"""Maps a function to the finite arguments at which it is −∞ and ∞. NaN means that there is none."""

ZERO_AT_ZERO: Final = (
    "expm1",
    "log1p",
    "sin",
    "tan",
    "asin",
    "atan",
    "sinh",
    "tanh",
    "asinh",
    "atanh",
    "cbrt",
    "erf",
)
EXACT_AT: Final[dict[str, tuple[float, float]]] = {
    **dict.fromkeys(("exp", "exp2", "cosh", "cos"), (0.0, 1.0)),
    **dict.fromkeys(("log", "log2", "log10", "acosh", "acos"), (1.0, 0.0)),
    **dict.fromkeys(ZERO_AT_ZERO, (0.0, 0.0)),
}  # fmt: skip
"""Maps a function to an argument for which the exact value is a float, and to this value."""


def value(name: str, *x: float) -> float:
    """The library's value."""
    result: float = run(library(name), x, library)[0]
    return result


def bounds(name: str, *x: float) -> Bounds:
    """Bounds of the exact value of a function at a point."""
    at, exact = EXACT_AT.get(name, (math.nan, 0.0))
    if x[0] == at:
        return exact, exact
    y = value(name, *x)
    if math.isinf(y) and any(math.isinf(a) for a in x):
        return y, y
    low, high = around(y, STEPS if name in PRECISE else MORE_STEPS)
    least, greatest = RANGES.get(name, (-INF, INF))
    return max(low, least), min(high, greatest)


def increasing(name: str, lo: float, hi: float) -> Bounds:
    """Return the range of an increasing function on lo … hi, which must be a part of its domain."""
    return _value_or_pole(name, lo)[0], _value_or_pole(name, hi)[1]


def _value_or_pole(name: str, x: float) -> Bounds:
    pole = POLES.get(name, (math.nan, math.nan))
    return (-INF, -INF) if x == pole[0] else (INF, INF) if x == pole[1] else bounds(name, x)


# ------------------------------------------------------------ trigonometric functions


@cache
def _half_pi() -> Fraction:
    """π/2 to 1,300 bits, by Machin's formula. This precision suffices to reduce any float modulo π/2."""
    one = 1 << 1320

    def arc(n: int) -> int:
        power = term = one // n
        k, sign = 1, -1
        while power:
            power //= n * n
            k += 2
            term += sign * (power // k)
            sign = -sign
        return term

    return Fraction(2 * (4 * arc(5) - arc(239)), one)


@lru_cache(maxsize=1024)
def _quarter(x: float) -> int:
    """The number of whole quarter turns below x: floor(x / (π/2))."""
    return math.floor(Fraction(x) / _half_pi())


def _passes(lo: float, hi: float, remainder: int, turn: int) -> bool:
    """True if there is a whole number m with m ≡ remainder (mod turn) and lo < m·π/2 ≤ hi."""
    first, last = _quarter(lo), _quarter(hi)
    return (last - remainder) // turn > (first - remainder) // turn


def wave(name: str, lo: float, hi: float) -> Bounds:
    """The range of sin or cos."""
    if math.isinf(lo) or math.isinf(hi):
        return -1.0, 1.0
    top, bottom = (1, 3) if name == "sin" else (0, 2)
    ends = bounds(name, lo), bounds(name, hi)
    low = -1.0 if _passes(lo, hi, bottom, 4) else min(end[0] for end in ends)
    high = 1.0 if _passes(lo, hi, top, 4) else max(end[1] for end in ends)
    return low, high


def tangent(lo: float, hi: float) -> Bounds:
    """The range of tan, which is unbounded if a pole lies between lo and hi."""
    if math.isinf(lo) or math.isinf(hi) or _passes(lo, hi, 1, 2):
        return -INF, INF
    return bounds("tan", lo)[0], bounds("tan", hi)[1]


# ------------------------------------------------------------ the gamma function


MOST_STATIC: Final = 3
"""The largest order of a polygamma for which the library has its own function.

One function computes the polygammas of all larger orders.
"""
FURTHER_ULPS: Final = 16
"""The constant part of the error bound for a polygamma whose order n is larger than MOST_STATIC.

The function is a sum of terms. Its error is below FURTHER_ULPS + n ulps of the sum of the terms' magnitudes.
"""
LEAST_ARGUMENT: Final = -64.0
"""The least lower end of an interval for which we look for the minimum of lgamma between its poles.

If an interval contains a pole and begins below this number, we use the range −∞ … ∞ for lgamma.
"""


GammaFunction = int | None
"""The order of a polygamma, or None for lgamma."""


def _gamma_value(of: GammaFunction, x: float) -> float:
    if of is None:
        return value("lgamma", x)
    return value(f"polygamma{of}", x) if of <= MOST_STATIC else value("polygamma_n", float(of), x)


def _is_even(of: GammaFunction) -> bool:
    """Return True if the function increases between its poles, and False if it is convex there."""
    return of is not None and of % 2 == 0


@lru_cache(maxsize=4096)
def gamma_bounds(of: GammaFunction, x: float) -> Bounds:
    """Bounds of lgamma or a polygamma at a point."""
    if x <= 0 and x == math.floor(x):
        return (-INF, INF) if _is_even(of) else (INF, INF)
    y = _gamma_value(of, x)
    if math.isinf(x) or math.isinf(y):
        return (y, y) if math.isinf(x) else around(y)
    if of is not None and of > MOST_STATIC:
        distance = x if x > 0 else abs(x - round(x))
        terms = 2.0 * value("polygamma_size", float(of), distance)
        error = (FURTHER_ULPS + of) * 2.0**-52 * terms
    else:
        error = (GAMMA_ULPS if x > 0 else GAMMA_REFLECTED) * max(1.0, abs(y))
    return math.nextafter(y - error, -INF), math.nextafter(y + error, INF)


def _has_pole(lo: float, hi: float) -> bool:
    return lo <= 0 and math.floor(min(hi, 0.0)) >= lo


def gamma(of: GammaFunction, lo: float, hi: float) -> Bounds:
    """The range of lgamma or a polygamma."""
    if _is_even(of):
        if _has_pole(lo, hi):
            return -INF, INF
        return gamma_bounds(of, lo)[0], gamma_bounds(of, hi)[1]
    floor = -INF if of is None else 0.0
    if _has_pole(lo, hi):
        if lo < LEAST_ARGUMENT or of is not None:
            return floor, INF
        edges = [lo, *map(float, range(math.ceil(lo), math.floor(min(hi, 0.0)) + 1)), hi]
        return min(_least(of, a, b) for a, b in pairwise(edges)), INF
    high = max(gamma_bounds(of, lo)[1], gamma_bounds(of, hi)[1])
    return max(floor, _least(of, lo, hi)), high


@lru_cache(maxsize=1024)
def _least(of: GammaFunction, lo: float, hi: float) -> float:
    """Return a lower bound of a function on lo … hi. It must be convex there, without a pole inside."""
    if of is not None and lo > 0:
        return gamma_bounds(of, hi)[0]
    a, b = lo, hi
    if not _rises(of, a, True) and _rises(of, b, False):
        while True:  # the slope changes its sign between a and b
            middle = a + 0.5 * (b - a)
            if not a < middle < b:
                break
            a, b = (a, middle) if _rises(of, middle, False) else (middle, b)
    return min(gamma_bounds(of, a)[0], gamma_bounds(of, b)[0]) - 1e-15


def _rises(of: GammaFunction, x: float, at_low_end: bool) -> bool:
    if x <= 0 and x == math.floor(x):
        return not at_low_end
    return _gamma_value(0 if of is None else of + 1, x) > 0


# ------------------------------------------------------------ functions of two numbers


def hypotenuse(x: Bounds, y: Bounds) -> Bounds:
    """The range of √(x² + y²)."""
    (x_low, x_high), (y_low, y_high) = magnitudes(*x), magnitudes(*y)
    low = bounds("hypot", x_low, y_low)[0] if x_low and y_low else max(x_low, y_low)
    if not x_high or not y_high:
        return low, max(x_high, y_high)
    return low, bounds("hypot", x_high, y_high)[1]


def magnitudes(lo: float, hi: float) -> Bounds:
    """The range of |x|."""
    return (0.0 if lo <= 0 <= hi else min(abs(lo), abs(hi))), max(abs(lo), abs(hi))


def angle(y: Bounds, x: Bounds) -> Bounds:
    """The range of atan2(y, x). If the operands' box crosses the negative x axis, all angles are possible."""
    if x[0] < 0 and y[0] < 0 <= y[1]:
        high = around(math.pi)[1]
        return -high, high
    corners = [bounds("atan2", b, a) for a in x for b in (y[0] + 0.0, y[1] + 0.0)]
    if x == (0.0, 0.0) == y:
        return 0.0, 0.0
    return min(c[0] for c in corners), max(c[1] for c in corners)


def power(x: Bounds, y: Bounds) -> Bounds | None:
    """The range of x^y over the points where x^y is a number, or None if there are no such points."""
    pieces: list[Bounds] = []
    if x[1] >= 0:
        pieces.append(_power_right(max(x[0], 0.0) + 0.0, x[1], y))
    if x[0] < 0:
        first, last = (math.ceil(y[0]) if y[0] > -INF else -INF), (math.floor(y[1]) if y[1] < INF else INF)
        if first <= last:
            low, high = magnitudes(x[0], min(x[1], 0.0))
            bound = _power_right(low, high, (float(first), float(last)))
            is_even, is_odd = (first == last and first % 2 == r for r in (0, 1))
            if not is_odd:
                pieces.append(bound)
            if not is_even:
                pieces.append((-bound[1], -bound[0]))
    if not pieces:
        return None
    return min(piece[0] for piece in pieces), max(piece[1] for piece in pieces)


def _power_right(lo: float, hi: float, y: Bounds) -> Bounds:
    """The range of x^y for 0 ≤ lo ≤ x ≤ hi. It is monotone in x and in y, so its extremes are at corners."""
    corners = [_power_at(a, b) for a in (lo, hi) for b in y]
    return min(c[0] for c in corners), max(c[1] for c in corners)


def _power_at(x: float, y: float) -> Bounds:
    if y == 0 or x == 1:
        return 1.0, 1.0
    if y == 1:
        return x, x
    if x == 0:
        return (0.0, 0.0) if y > 0 else (INF, INF)
    if y == 0.5:
        return root(x)
    return bounds("pow", x, y)
