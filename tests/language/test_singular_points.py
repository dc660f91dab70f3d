"""Derivatives at singular points, such as x = 0 for x^y, are limits or are defined by convention."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from mpmath import mp

import eglantine as eg
from app.formulas.jets import jet_of

Engines = Callable[..., Any]
INF = math.inf
BOTH = (0, 1)

power = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x**y)
HESSIANS = {
    "forward over reverse": lambda f: eg.hessian(f, BOTH),
    "reverse over forward": lambda f: eg.jacrev(eg.jacfwd(f, BOTH), BOTH),
    "forward over forward": lambda f: eg.jacfwd(eg.jacfwd(f, BOTH), BOTH),
    "reverse over reverse": lambda f: eg.jacrev(eg.grad(f, BOTH), BOTH),
}
EACH_HESSIAN = pytest.mark.parametrize("mode", HESSIANS)


def mixed(x: Any, y: Any) -> Any:
    """∂²(x^y)/∂x∂y."""
    return x ** (y - 1) * (1 + y * mp.log(x))


def limit_at_zero(y: float) -> float:
    """Estimate the limit of ∂²(x^y)/∂x∂y as x → 0+. Use the values at x = 10⁻¹⁰⁰⁰⁰ and 10⁻¹⁰⁰⁰⁰⁰."""
    with mp.workdps(50):
        near, nearer = (mixed(mp.mpf(10) ** -e, mp.mpf(y)) for e in (10**4, 10**5))
    if abs(nearer) < abs(near):
        return 0.0
    return INF if nearer > 0 else -INF


@EACH_HESSIAN
@pytest.mark.parametrize("x", [0.0, -0.0])
def test_both_mixed_derivatives_of_zero_to_the_one_are_minus_infinity(
    x: float, mode: str, engines: Engines
) -> None:
    """In an earlier version, the two mixed derivatives were 1 and 0."""
    (_, xy), (yx, yy) = engines(HESSIANS[mode](power), x, 1.0)
    assert xy == yx == limit_at_zero(1.0) == -INF
    assert yy == 0.0


@EACH_HESSIAN
@pytest.mark.parametrize("y", [1.5, 2.0, 3.0])
def test_mixed_derivatives_of_higher_powers_of_zero_are_zero(y: float, mode: str, engines: Engines) -> None:
    (xx, xy), (yx, yy) = engines(HESSIANS[mode](power), 0.0, y)
    assert xy == yx == limit_at_zero(y) == 0.0
    assert xx == {1.5: INF, 2.0: 2.0, 3.0: 0.0}[y]
    assert yy == 0.0


@EACH_HESSIAN
@pytest.mark.parametrize("y", [0.5, 0.0, -1.0])
def test_mixed_derivatives_of_low_powers_of_zero_are_the_limit_or_nan(
    y: float, mode: str, engines: Engines
) -> None:
    (_, xy), (yx, _) = engines(HESSIANS[mode](power), 0.0, y)
    for found in (xy, yx):
        assert math.isnan(found) or found == limit_at_zero(y)


@EACH_HESSIAN
@pytest.mark.parametrize("x", [0.3, 1.0, 2.5, 1e-300])
@pytest.mark.parametrize("y", [0.0, 1.0, 2.0, 0.5, -1.0])
def test_mixed_derivatives_at_other_points_are_exact(x: float, y: float, mode: str) -> None:
    (_, xy), (yx, _) = HESSIANS[mode](power)(x, y)
    exact = float(mixed(mp.mpf(x), mp.mpf(y)))
    assert xy == pytest.approx(exact, rel=1e-12)
    assert yx == pytest.approx(exact, rel=1e-12)


@EACH_HESSIAN
@pytest.mark.parametrize("y", [0.0, 1.0, 2.0, 0.5, -1.0])
def test_mixed_derivatives_of_powers_of_negative_numbers_are_undefined(y: float, mode: str) -> None:
    (_, xy), (yx, _) = HESSIANS[mode](power)(-2.0, y)
    assert math.isnan(xy)
    assert math.isnan(yx)


def test_the_jet_of_a_power_of_zero_has_the_limit(engines: Engines) -> None:
    jet = jet_of(power, BOTH, eg.types.as_type((eg.Real,) * 6))
    for x in (0.0, -0.0):
        value, by_x, by_y, _, xy, yy = engines(jet, x, 1.0)
        assert (value, by_x, by_y, xy, yy) == (0.0, 1.0, 0.0, -INF, 0.0)
    assert engines(jet, 0.0, 2.0) == (0.0, 0.0, 0.0, 2.0, 0.0, 0.0)


def test_gradients_of_powers_of_zero_follow_the_convention(engines: Engines) -> None:
    gradient = eg.grad(power, BOTH)
    assert [engines(gradient, 0.0, y) for y in (1.0, 2.0, 0.5)] == [(1.0, 0.0), (0.0, 0.0), (INF, 0.0)]
    assert engines(gradient, 0.0, 0.0)[1] == 0.0


@EACH_HESSIAN
def test_hypot_has_derivatives_zero_at_the_origin_like_norm(mode: str, engines: Engines) -> None:
    length = eg.fn([eg.Real, eg.Real], eg.Real)(eg.math.hypot)
    norm = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: eg.norm(eg.asarray([x, y])))
    for f in (length, norm):
        assert engines(eg.grad(f, BOTH), 0.0, -0.0) == (0.0, 0.0)
        assert engines(eg.jacfwd(f, BOTH), 0.0, 0.0) == (0.0, 0.0)
        assert engines(HESSIANS[mode](f), 0.0, 0.0) == ((0.0, 0.0), (0.0, 0.0))
    assert engines(eg.grad(length, BOTH), 3.0, 4.0) == (0.6, 0.8)
    assert eg.hessian(length, BOTH)(3.0, 4.0)[0] == pytest.approx((0.128, -0.096), rel=1e-14)
