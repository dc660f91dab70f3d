"""The result of an operation on intervals contains the exact results for all points of the intervals."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import eglantine as eg
from tests.seeds import NIGHTLY, first_seed
from tests.series.points import PER_INTERVAL, Side, points_of, random_interval

POINTS = 1_000_000 if NIGHTLY else 4_000
EXPONENTS = [*range(-9, 10), 24, 63, -40]
EXTREME = [2.0**-1074, 1e-310, 1e-160, 1e150, 1e308]
"""Very small and very large sizes of numbers. Rounding errors of such numbers are often not floats."""
LEAST, LARGEST = 1e-140, 1e140
"""Between these sizes, a bound is the float next to the exact result."""
ROUGH = 1e-12
"""An upper bound of the relative error of a rounded result. The actual error is far smaller."""
INF = math.inf

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "−": operator.sub,
    "×": operator.mul,
    "÷": operator.truediv,
}


def random_side(r: random.Random) -> Side:
    """Draw the bounds of an interval. About a fifth of the intervals have extreme bounds."""
    if r.random() < 0.8:
        return random_interval(r)
    a, b = (r.uniform(-1.0, 1.0) * r.choice(EXTREME) for _ in range(2))
    return min(a, b), max(a, b)


def operand(r: random.Random, side: Side) -> Any:
    """Make an operand from two bounds: an interval, or a plain number if the bounds are equal.

    Sometimes the interval's lower or upper bound is replaced by an infinity.
    """
    if side[0] == side[1] and r.random() < 0.5:
        return side[0]
    kind = r.random()
    return eg.Interval(-INF if kind < 0.05 else side[0], INF if kind > 0.95 else side[1])


def contains(found: eg.Interval, of: Callable[..., Any], *x: float) -> bool:
    """True if an interval contains the exact result of an operation at a point.

    Compute with floats first, and with exact fractions only if the result is near a bound.
    """
    try:
        y = of(*x)
    except OverflowError:
        y = INF
    if found.lo + ROUGH * abs(y) < y < found.hi - ROUGH * abs(y):
        return True
    return bool(found.lo <= of(*map(Fraction, x)) <= found.hi)


@pytest.mark.parametrize("name", OPERATORS)
def test_an_interval_contains_the_results_at_all_its_points(name: str) -> None:
    r = random.Random(f"intervals of {name}, {first_seed(0)}")  # noqa: S311 - tests need no secrets
    of = OPERATORS[name]
    for _ in range(POINTS // PER_INTERVAL):
        sides = [random_side(r), random_side(r)]
        x, y = (operand(r, side) for side in sides)
        found = of(x if isinstance(x, eg.Interval) else eg.Interval(x), y)
        if isinstance(x, float) and isinstance(y, eg.Interval):
            turned = of(x, y)
            assert (found.lo, found.hi) == (turned.lo, turned.hi), (x, y)
        for a, b in points_of(r, sides):
            if name != "÷" or b:
                assert contains(found, of, a, b), (x, y, a, b, found)


def test_an_interval_contains_the_whole_powers_of_all_its_points() -> None:
    r = random.Random(f"intervals of whole powers, {first_seed(0)}")  # noqa: S311 - tests need no secrets
    for _ in range(POINTS // PER_INTERVAL):
        side, n = random_side(r), r.choice(EXPONENTS)
        x = eg.Interval(*side)
        found = x**n
        for (a,) in points_of(r, [side]):
            if n >= 0 or a:
                assert contains(found, lambda b, n=n: b**n, a), (x, n, a, found)


@pytest.mark.parametrize("name", OPERATORS)
def test_the_bounds_of_a_result_of_points_are_its_neighbours(name: str) -> None:
    r = random.Random(f"points of {name}")  # noqa: S311 - tests need no secrets
    of = OPERATORS[name]
    for _ in range(400):
        a, b = (random_interval(r)[0] for _ in range(2))
        if name == "÷" and not b:
            continue
        exact, found = of(Fraction(a), Fraction(b)), of(eg.Interval(a), eg.Interval(b))
        if exact and not all(LEAST < abs(size) < LARGEST for size in (a, b, exact) if size):
            continue
        near = float(exact)
        assert found.lo == (near if near <= exact else math.nextafter(near, -INF)), (a, b)
        assert found.hi == (near if near >= exact else math.nextafter(near, INF)), (a, b)


@pytest.mark.parametrize("n", EXPONENTS)
def test_a_traced_whole_power_has_the_bounds_of_the_operator(n: int) -> None:
    r = random.Random(f"points of the power {n}")  # noqa: S311 - tests need no secrets
    traced = eg.interp(lambda x: x**n)
    for _ in range(20):
        x = eg.Interval(*random_interval(r))
        found, expected = traced(x) if n else eg.Interval(traced(x)), x**n
        assert (found.lo, found.hi) == (expected.lo, expected.hi), x
