"""Arithmetic with outward rounding. Each function returns one float below and one above the exact result.

If we can compute the rounding error exactly, one bound is the rounded result. The other bound is the next
float in the direction of the exact result.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

INF: Final = math.inf
LARGE, SMALL = 1e150, 1e-140
"""Between these magnitudes, the exact error of a product is a float."""
SPLITTER: Final = 134217729.0
"""2²⁷ + 1. We multiply a float by this number to split the float into two halves (Dekker, 1971)."""
EXACT_POWER: Final = 64
"""The largest exponent for which we compute a power as an exact rational number, and then round it."""

Bounds = tuple[float, float]


def around(value: float, steps: int = 1) -> Bounds:
    """Return the floats that we reach from a value by `steps` steps down and by `steps` steps up."""
    low = high = value
    for _ in range(steps):
        low, high = math.nextafter(low, -INF), math.nextafter(high, INF)
    return low, high


def directed(value: float, error: float) -> Bounds:
    """Return the floats just below and above value + error. The error is less than an ulp of value."""
    if error > 0:
        return value, math.nextafter(value, INF)
    return (math.nextafter(value, -INF), value) if error < 0 else (value, value)


def total(a: float, b: float) -> Bounds:
    """The bounds of a + b."""
    s = a + b
    if math.isinf(s):
        return (s, s) if math.isinf(a) or math.isinf(b) else around(s)
    part = s - a
    return directed(s, (a - (s - part)) + (b - part))


def product(a: float, b: float) -> Bounds:
    """The bounds of a · b. We define 0 · ∞ as 0, because an infinite bound stands for all large numbers."""
    if a == 0 or b == 0:
        return 0.0, 0.0
    p = a * b
    if math.isinf(a) or math.isinf(b):
        return p, p
    if not (SMALL < abs(p) < LARGE and abs(a) < LARGE and abs(b) < LARGE):
        return around(p)
    return directed(p, _product_error(a, b, p))


def _product_error(a: float, b: float, p: float) -> float:
    """Compute the rounding error a · b − p without rounding. p is the rounded product."""
    high_a, high_b = _high(a), _high(b)
    low_a, low_b = a - high_a, b - high_b
    return low_a * low_b - (((p - high_a * high_b) - low_a * high_b) - high_a * low_b)


def _high(a: float) -> float:
    scaled = a * SPLITTER
    return scaled - (scaled - a)


def quotient(a: float, b: float) -> Bounds:
    """The bounds of a / b for b ≠ 0. A quotient by ∞ is 0, even ∞ / ∞."""
    if a == 0 or math.isinf(b):
        return 0.0, 0.0
    q = a / b
    if math.isinf(a):
        return q, q
    if not (SMALL < abs(q) < LARGE and SMALL < abs(a) < LARGE and SMALL < abs(b) < LARGE):
        return around(q)
    p = q * b
    rest = (a - p) - _product_error(q, b, p)
    return directed(q, rest if b > 0 else -rest)


def root(a: float) -> Bounds:
    """The bounds of √a for a ≥ 0."""
    r = math.sqrt(a)
    if a == 0 or math.isinf(a):
        return r, r
    if not SMALL < a < LARGE:
        return around(r)
    square = r * r
    return directed(r, (a - square) - _product_error(r, r, square))


def whole_power(a: float, n: int) -> Bounds:
    """The bounds of aⁿ for n ≥ 1."""
    if a == 0 or math.isinf(a):
        return a**n, a**n
    if n <= EXACT_POWER:
        return of_fraction(Fraction(a) ** n)
    odd_negative = a < 0 and n & 1
    low = high = 1.0
    square = (abs(a), abs(a))
    while n:
        if n & 1:
            low, high = product(low, square[0])[0], product(high, square[1])[1]
        n >>= 1
        square = product(square[0], square[0])[0], product(square[1], square[1])[1]
    return (-high, -low) if odd_negative else (low, high)


def of_fraction(exact: Fraction) -> Bounds:
    """The bounds of a rational number."""
    try:
        value = float(exact)
    except OverflowError:
        return around(INF if exact > 0 else -INF)
    if math.isinf(value):
        return around(value)
    rest = exact - Fraction(value)
    return directed(value, float((rest > 0) - (rest < 0)))
