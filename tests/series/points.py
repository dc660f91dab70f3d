"""Draw random points in intervals, and check that an enclosure contains a function's values at these points.

An enclosure is an interval that must contain all values of a function on other intervals. A value is first
computed with floats. If it is too close to a bound of the enclosure, mpmath computes it to 60 digits.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import mpmath

import eglantine as eg
from eglantine.ir.functions import FUNCTIONS
from tests.series.precise import MORE_DIGITS, PRECISE

Side = tuple[float, float]
Value = tuple[float, float]
"""A rough value, and the size of its largest term, by which we judge its error."""

PER_INTERVAL = 20
GAMMA = {name for name in FUNCTIONS if name.startswith(("lgamma", "polygamma"))}
LOWEST = -60.0
"""The smallest argument at which we compare values of the gamma functions."""
DIGITS, FEWER_DIGITS = 60, 25
REMAINDERS = {"mod", "floordiv"}
"""Functions that we compute with MORE_DIGITS digits. A quotient of floats may have hundreds of digits before
its decimal point."""
ROUGH, FEWER_ROUGH = 1e-12, 1e-20
"""Values computed with floats and with 25 digits are off by far less than this share of their size."""
TINY = 1e-300
INF = math.inf
FAR = 40.0
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
"""The Bernoulli numbers B₂ to B₁₆."""
BEYOND = 711.0
"""An argument at which the exponential function and the hyperbolic functions overflow."""


def _itself(y: float) -> Value:
    return y, abs(y)


def _itself_of(f: Callable[..., float]) -> Callable[..., Value]:
    return lambda *x: _itself(f(*x))


def _growing(f: Callable[[float], float], below: Callable[[float], float]) -> Callable[[float], Value]:
    """Return a version of f that does not overflow.

    It returns infinity for large positive arguments, and below(x) for large negative arguments x.
    """
    return lambda x: _itself(f(x) if abs(x) < BEYOND else INF if x > 0.0 else below(x))


def _polygamma(n: int, x: float) -> Value:
    """Compute ψ⁽ⁿ⁾(x). The recurrence increases x until Stirling's series converges (DLMF 5.15)."""
    sign = -1.0 if n % 2 == 0 else 1.0
    terms = []
    while x < FAR:
        terms.append(sign * math.factorial(n) / x ** (n + 1))
        x += 1.0
    terms.append(sign * math.factorial(n - 1) / x**n if n else math.log(x))
    terms.append(sign * math.factorial(n) / (2.0 * x ** (n + 1)))
    for k, bernoulli in enumerate(BERNOULLI, 1):
        size = math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        terms.append(sign * bernoulli * size / x ** (2 * k + n))
    return math.fsum(terms), max(map(abs, terms))


ROUGHLY: dict[str, Callable[..., Value]] = {
    **{name: _itself_of(getattr(math, name)) for name in FUNCTIONS if hasattr(math, name)},
    "abs": lambda x: _itself(abs(x)),
    "min": lambda *x: _itself(min(x)),
    "max": lambda *x: _itself(max(x)),
    "cosh": _growing(math.cosh, lambda _: INF),
    "exp": _growing(math.exp, math.exp),
    "expm1": _growing(math.expm1, math.expm1),
    "sinh": _growing(math.sinh, lambda _: -INF),
    "lgamma": lambda x: (y := math.lgamma(x), max(abs(x), abs(y))),
    **{f"polygamma{n}": lambda x, n=n: _polygamma(n, x) for n in range(4)},
    "polygamma_n": lambda n, x: _polygamma(int(n), x),
}
"""Name of a function → a function that computes its rough value with floats. It raises an error where the
value overflows or does not exist."""


def random_number(r: random.Random) -> float:
    """Draw a small whole number, or a float of random magnitude."""
    kind = r.random()
    if kind < 0.1:
        return float(r.randint(-4, 4))
    size = r.choice([1e-9, 1e-2, 1.0, 1.0, 3.0, 30.0, 1e3] if kind < 0.95 else [1e16, 1e200])
    return r.uniform(-size, size)


def random_interval(r: random.Random) -> Side:
    """Draw the bounds of a wide or narrow interval."""
    a = random_number(r)
    kind = r.random()
    b = a if kind < 0.2 else random_number(r) if kind < 0.6 else a + abs(a) * r.choice([1e-15, 1e-6, 0.1])
    return min(a, b), max(a, b)


def random_sides(r: random.Random, name: str) -> list[Side]:
    """Draw the bounds of an interval for each operand of a function."""
    sides = [random_interval(r) for _ in FUNCTIONS[name].operands]
    if name in GAMMA:
        sides = [(max(lo, LOWEST), max(hi, LOWEST)) for lo, hi in sides]
    if name == "polygamma_n":  # its order is a whole number
        sides[0] = (float(r.randint(1, 12)),) * 2
    return sides


def points_of(r: random.Random, sides: list[Side]) -> Iterator[tuple[float, ...]]:
    """Yield at most PER_INTERVAL different points of a box: first its corners, then random points."""
    corners = 2 ** len(sides)
    seen = set()
    for k in range(PER_INTERVAL):
        if k < corners:
            x = tuple(side[k >> i & 1] for i, side in enumerate(sides))
        else:
            x = tuple(min(max(r.uniform(*side), side[0]), side[1]) for side in sides)
        if x not in seen:
            seen.add(x)
            yield x


def exact(name: str, x: tuple[float, ...], digits: int = DIGITS) -> Any:
    """Compute a function at a point with `digits` digits. Return None if the function is undefined there."""
    try:
        with mpmath.workdps(MORE_DIGITS if name in REMAINDERS else digits):
            y = PRECISE[name](*map(mpmath.mpf, x))
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return y if isinstance(y, mpmath.mpf) and mpmath.isfinite(y) else None


def contains(found: eg.Interval, name: str, x: tuple[float, ...]) -> bool:
    """True if an enclosure contains a function's value at a point, or if the function is undefined there."""
    if _is_roughly_inside(found, name, x):
        return True
    if name in GAMMA:
        y = exact(name, x, FEWER_DIGITS)
        if y is not None and _is_far_inside(found, y, FEWER_ROUGH * max(1, abs(y))):
            return True
    y = exact(name, x)
    return y is None or bool(found.lo <= y <= found.hi)


def _is_roughly_inside(found: eg.Interval, name: str, x: tuple[float, ...]) -> bool:
    try:
        y, size = ROUGHLY[name](*x)
    except (KeyError, OverflowError, ValueError, ZeroDivisionError):
        return False
    if abs(y) == INF:  # the value overflows
        return y in (found.lo, found.hi) and found.lo < found.hi
    return _is_far_inside(found, y, ROUGH * size + TINY)


def _is_far_inside(found: eg.Interval, y: Any, margin: Any) -> bool:
    """True if y is inside an interval, and its distance to both bounds is larger than `margin`."""
    return bool(found.lo + margin < y < found.hi - margin)
