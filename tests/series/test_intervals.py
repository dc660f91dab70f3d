"""Intervals are narrow and contain all exact results. Comparing overlapping intervals raises an error."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath
import pytest

import eglantine as eg
from eglantine.ir.functions import FUNCTIONS
from eglantine.series import enclosures
from eglantine.series.intervals import OPERATIONS
from tests.seeds import NIGHTLY, first_seed
from tests.series.compiled import compiled_value
from tests.series.points import GAMMA, PER_INTERVAL, contains, exact, points_of, random_number, random_sides

POINTS = 1_000_000 if NIGHTLY else 400
NARROW = {*FUNCTIONS} - GAMMA
"""The functions whose bounds at a point are a few ulps apart. The bounds of the other functions have an
absolute error below 1."""


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_an_interval_contains_the_values_at_all_its_points(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in GAMMA:  # the interpreter would be too slow in a nightly run
        monkeypatch.setattr(enclosures, "value", compiled_value)
    r = random.Random(f"intervals of {name}, {first_seed(0)}")  # noqa: S311 - tests need no secrets
    for _ in range(POINTS // PER_INTERVAL):
        sides = random_sides(r, name)
        found = OPERATIONS[name](*(eg.Interval(*side) for side in sides))
        for x in points_of(r, sides):
            assert contains(found, name, x), (sides, x, found, exact(name, x))


@pytest.mark.parametrize("name", sorted(GAMMA))
def test_the_compiled_gamma_functions_have_the_interpreters_bits(name: str) -> None:
    r = random.Random(f"bits of {name}, {first_seed(0)}")  # noqa: S311 - tests need no secrets
    for _ in range(10):
        x = tuple(lo for lo, _ in random_sides(r, name))
        assert repr(compiled_value(name, *x)) == repr(enclosures.value(name, *x)), x


@pytest.mark.parametrize("name", sorted(NARROW - {"mod", "floordiv"}))
def test_the_interval_of_a_point_is_a_few_ulps_wide(name: str) -> None:
    r = random.Random(f"points of {name}")  # noqa: S311 - tests need no secrets
    arity = len(FUNCTIONS[name].operands)
    for _ in range(200):
        x = tuple(random_number(r) for _ in range(arity))
        y = exact(name, x)
        if y is None or abs(y) > 1e300 or 0 < abs(y) < 1e-300:
            continue
        found = OPERATIONS[name](*(eg.Interval(a) for a in x))
        if name == "tan" and math.isinf(found.hi):
            continue
        assert found.hi - found.lo <= 8 * math.ulp(float(y)), (x, found, y)


@pytest.mark.parametrize("n", [4, 5, 9])
def test_derivatives_of_the_gamma_function_beyond_the_table_have_bounds(n: int) -> None:
    found = eg.interp(lambda x: eg.math.polygamma(n, x))(eg.Interval(0.5, 0.75))
    exact = sorted(float(mpmath.polygamma(n, mpmath.mpf(x))) for x in (0.5, 0.75))
    assert found.lo <= exact[0] <= exact[1] <= found.hi
    assert found.hi - found.lo <= (exact[1] - exact[0]) * (1.0 + 1e-13)
    with pytest.raises(eg.TypeMismatchError, match="whole number"):
        OPERATIONS["polygamma_n"](eg.Interval(4.0, 5.0), eg.Interval(0.5))


def test_arithmetic_is_exact_if_possible_and_else_rounded_outward() -> None:
    tenth = eg.interp(lambda x: x + 0.1)(eg.Interval(0.2))
    assert Fraction(tenth.lo) <= Fraction(0.1) + Fraction(0.2) <= Fraction(tenth.hi)
    assert tenth.hi == math.nextafter(tenth.lo, math.inf)
    whole = eg.interp(lambda x: x * 3.0 - 1.0)(eg.Interval(1.0, 2.0))
    assert (whole.lo, whole.hi) == (2.0, 5.0)


def test_integer_powers_have_tight_bounds() -> None:
    square = eg.interp(lambda x: x**2)(eg.Interval(-1.0, 2.0))
    cube = eg.interp(lambda x: x**3)(eg.Interval(-1.0, 2.0))
    assert (square.lo, square.hi, cube.lo, cube.hi) == (0.0, 4.0, -1.0, 8.0)
    third = eg.interp(lambda x: x**-1)(eg.Interval(3.0))
    assert Fraction(third.lo) < Fraction(1, 3) < Fraction(third.hi)


@pytest.mark.parametrize(
    ("lo", "hi", "expected"),
    [(0.0, 2.0, (0.5, math.inf)), (-2.0, 0.0, (-math.inf, -0.5)), (-1.0, 2.0, (-math.inf, math.inf))],
)
def test_a_quotient_by_an_interval_with_zero_is_unbounded(
    lo: float, hi: float, expected: tuple[float, float]
) -> None:
    found = eg.interp(lambda x: 1.0 / x)(eg.Interval(lo, hi))
    assert (found.lo, found.hi) == expected


def test_a_comparison_that_is_not_decided_raises() -> None:
    x = eg.Interval(-1.0, 2.0)
    assert eg.interp(lambda x: x > -2.0)(x) is True
    assert eg.interp(lambda x: (x > 0.0) & (x > 3.0))(x) is False
    for f in (
        lambda x: x > 0.0,
        lambda x: eg.cond(x > 0.0, lambda: x, lambda: -x),
        lambda x: eg.while_loop(lambda c: c < 1.5, lambda c: c + 1.0, x),
    ):
        with pytest.raises(eg.EglantineError, match=r"eg\.select"):
            eg.interp(f)(x)
    with pytest.raises(eg.EglantineError, match="do not decide"):
        assert x < 1.0


def test_an_undecided_select_gives_an_interval_around_both_values() -> None:
    found = eg.interp(lambda x: eg.select(x > 0.0, x * 2.0, 5.0))(eg.Interval(-1.0, 2.0))
    assert (found.lo, found.hi) == (-2.0, 5.0)
    decided = eg.interp(lambda x: eg.select(x > -3.0, x, -x))(eg.Interval(-1.0, 2.0))
    assert (decided.lo, decided.hi) == (-1.0, 2.0)
    index = eg.interp(lambda x: eg.select(x > 0.0, eg.index(eg.Fin(2)(1)), eg.index(eg.Fin(2)(0))))
    with pytest.raises(eg.EglantineError):
        index(eg.Interval(-1.0, 2.0))


def test_points_outside_the_domain_are_ignored() -> None:
    root = eg.interp(eg.math.sqrt)
    assert (root(eg.Interval(-1.0, 4.0)).lo, root(eg.Interval(-1.0, 4.0)).hi) == (0.0, 2.0)
    empty = root(eg.Interval(-2.0, -1.0))
    assert empty.is_empty
    assert eg.interp(lambda x: eg.math.exp(x) + 1.0)(empty).is_empty
    assert eg.Interval(math.nan).is_empty


def test_intervals_contain_the_exact_derivatives() -> None:
    found = eg.interp(eg.grad(lambda x: eg.math.sin(x) * x))(eg.Interval(0.5, 0.6))
    for x in (0.5, 0.55, 0.6):
        assert found.lo <= math.sin(x) + x * math.cos(x) <= found.hi
    vector = eg.interp(lambda v: v[0] * v[1] + eg.sum(v))([eg.Interval(0.0, 1.0), 2.0])
    assert (vector.lo, vector.hi) == (2.0, 5.0)


def test_large_arguments_are_reduced_exactly() -> None:
    found = eg.interp(eg.math.sin)(eg.Interval(1e22))
    assert found.lo <= -0.8522008497671888 <= found.hi
    assert found.hi - found.lo < 1e-15
    wide = eg.interp(eg.math.cos)(eg.Interval(1e22, 1.1e22))
    assert (wide.lo, wide.hi) == (-1.0, 1.0)


def test_wrong_bounds_of_an_interval_are_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="must not exceed"):
        eg.Interval(2.0, 1.0)
    with pytest.raises(eg.TypeMismatchError, match="must be numbers"):
        eg.Interval("a", 1.0)  # type: ignore[arg-type]
    assert repr(eg.Interval(1, 2)) == "Interval(1.0, 2.0)"
