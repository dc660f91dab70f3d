"""Taylor polynomials of formulas about a point, and the proven bounds of their remainders."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import cache

import pytest

import eglantine as eg
from app.formulas.band import HIGHEST as HIGHEST_BOUND
from app.formulas.band import RINGS, SECTORS, RoughnessError, proven_band
from app.formulas.orders import COUNT, HIGHEST, polynomial
from eglantine import formulas

POINT = (0.3, 1.2)
REGION = (-0.7, 1.3, 0.2, 2.2)


def coefficients(
    text: str, point: Sequence[float], units: Sequence[float] = (1.0, 1.0), **letters: float
) -> list[float]:
    """Compute the coefficients of a formula's Taylor polynomial about a point."""
    f = formulas.to_fn(text, ["x", "y", *letters])
    return list(eg.compile(polynomial(f, len(letters)))(*point, *units, *letters.values()))


def value(found: Sequence[float], order: int, u: float, v: float) -> float:
    """Evaluate a polynomial's terms up to an order, at the distances u and v from its centre."""
    return math.fsum(
        found[d * (d + 1) // 2 + j] * u ** (d - j) * v**j for d in range(order + 1) for j in range(d + 1)
    )


PLACE, AROUND, RADIUS = (0.8, 1.2), (-0.2, 1.8, 0.7, 1.7), 0.45
"""The point, the region and the radius of the bands."""


@cache
def compiled(text: str) -> tuple[eg.Fn, Callable[..., float], list[float]]:
    """Return a formula as a function, its compiled function, and its Taylor coefficients."""
    f = formulas.to_fn(text, ["x", "y"])
    return f, eg.compile(f), coefficients(text, PLACE, (1.0, 0.5))


def test_the_coefficients_of_an_exponential_are_inverse_factorials() -> None:
    found = coefficients("exp(2x - y)", (0.0, 0.0))
    expected = [
        2.0 ** (d - j) * (-1.0) ** j / (math.factorial(d - j) * math.factorial(j))
        for d in range(HIGHEST + 1)
        for j in range(d + 1)
    ]
    assert len(found) == COUNT
    assert found == pytest.approx(expected, abs=1e-13)


def test_a_polynomial_is_its_own_taylor_polynomial_in_other_units() -> None:
    found = coefficients("a x^5 y^3 - x y", POINT, (0.5, 2.0), a=3.0)
    for u, v in ((1.0, 1.0), (-0.7, 0.4), (0.2, -1.0)):
        x, y = POINT[0] + 0.5 * u, POINT[1] + 2.0 * v
        assert value(found, 8, u, v) == pytest.approx(3 * x**5 * y**3 - x * y, rel=1e-12)


def test_a_kink_has_the_polynomial_of_its_piece() -> None:
    assert coefficients("abs(x) y", (-2.0, 3.0))[:6] == pytest.approx([6.0, -3.0, 2.0, 0.0, -1.0, 0.0])


def bound(nodes: list[list[float | None]], share: float, angle: float) -> float:
    """Interpolate the remainder's bound between the nodes of a band (see app/formulas/band.py).

    share: the distance from the disc's centre, divided by the disc's radius.
    """
    ring, sector = min(int(share * RINGS), RINGS - 1), int(SECTORS * _share_of_turn(angle))
    along, around = share * RINGS - ring, SECTORS * _share_of_turn(angle) - sector
    corners = [[nodes[ring + i][(sector + k) % SECTORS] for k in (0, 1)] for i in (0, 1)]
    if any(corner is None for row in corners for corner in row):
        return math.inf
    inner, outer = ((1 - around) * a + around * b for a, b in corners)  # type: ignore[operator]
    return (1 - along) * inner + along * outer


def _share_of_turn(angle: float) -> float:
    """Find the point where a ray from the middle of a square crosses the square's border.

    Return the point's position along the border, as a fraction of the border's length.
    """
    u, v = math.cos(angle), math.sin(angle)
    for quarter in range(4):
        if u > 0 and 0 <= v <= u:
            return (2 * quarter + v / u) / 8
        if v > 0 and 0 <= u < v:
            return (2 * quarter + 2 - u / v) / 8
        u, v = v, -u
    raise AssertionError(angle)


@pytest.mark.parametrize("order", range(1, HIGHEST_BOUND + 1))
@pytest.mark.parametrize(
    "text",
    [
        "x^y",
        "sin(3x) exp(y)",
        "x^4 - 2x y^3",
        "log(x + y) / (1 + x^2)",
        "sqrt(2 + x y)",
        "abs(x - 2) y^3 + max(x, 3y) exp(x) + polygamma(5, y)",
        "(x % 2) sin(y) floor(y + 0.5) + (x < 2 ? atan2(y, x) : copysign(x, y))",
    ],
)
def test_the_remainder_lies_within_its_band(text: str, order: int) -> None:
    f, kernel, found = compiled(text)
    band = proven_band(f, order, PLACE, AROUND, RADIUS, [])
    least, most = band["least"], band["most"]
    draw = random.Random(order)  # noqa: S311 - places, not secrets
    for _ in range(300):
        share, angle = draw.random(), draw.uniform(0, 2 * math.pi)
        u, v = RADIUS * share * math.cos(angle), RADIUS * share * math.sin(angle)
        s = max(abs(u), abs(v)) ** (order + 1)
        remainder = kernel(PLACE[0] + u, PLACE[1] + 0.5 * v) - value(found, order, u, v)
        low, high = bound(band["low"], share, angle), bound(band["high"], share, angle)
        assert least - 1e-14 <= remainder <= most + 1e-14
        assert s * low - 1e-14 <= remainder <= s * high + 1e-14


def test_a_constant_third_derivative_has_a_tight_band() -> None:
    band = proven_band(formulas.to_fn("x^3", ["x", "y"]), 2, (0.0, 0.0), (-1, 1, -1, 1), 0.5, [])
    assert band["low"][RINGS][0] == band["high"][RINGS][0] == 1.0
    assert (band["least"], band["most"]) == pytest.approx((-(0.5**3), 0.5**3))
    assert band["low"][RINGS][SECTORS // 2] == band["high"][RINGS][SECTORS // 2] == -1.0


def test_a_disc_that_reaches_a_pole_has_no_bound_there() -> None:
    band = proven_band(formulas.to_fn("1/x + y", ["x", "y"]), 2, (0.4, 0.0), (-1, 1, -1, 1), 0.5, [])
    assert band["low"][RINGS][SECTORS // 2] is None
    assert band["low"][1][SECTORS // 2] is not None
    assert band["low"][RINGS][0] is not None


@pytest.mark.parametrize(
    "text",
    [
        "abs(x) y",
        "max(x, 0) y",
        "x > 0 ? x^2 : y",
        "copysign(y + 5, x)",
        "atan2(x, y - 5)",
        "floor(x) + y^2",
        "sign(x) y",
        "x % 1 + y",
    ],
)
def test_a_disc_that_reaches_a_kink_or_a_jump_has_no_bound_there(text: str) -> None:
    band = proven_band(formulas.to_fn(text, ["x", "y"]), 2, (0.4, 0.0), (-1, 1, -1, 1), 0.5, [])
    for side in (band["low"], band["high"]):
        assert side[RINGS][SECTORS // 2] is None
        assert side[1][SECTORS // 2] is not None
        assert side[RINGS][0] is not None


def test_a_loop_has_no_band() -> None:
    doubled = eg.fn([eg.Real, eg.Real])(lambda x, y: eg.fori_loop(0, 3, lambda _, c: c + x, y))
    with pytest.raises(RoughnessError, match="No bound can be proven"):
        proven_band(doubled, 2, POINT, REGION, 0.4, [])


def test_a_power_with_a_base_that_reaches_zero_has_no_bound_there() -> None:
    band = proven_band(formulas.to_fn("x^3.5 + y", ["x", "y"]), 2, (0.2, 0.0), (-1, 1, -1, 1), 0.5, [])
    assert band["high"][RINGS][SECTORS // 2] is None
    assert band["high"][RINGS][0] is not None
