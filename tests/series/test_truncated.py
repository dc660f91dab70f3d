"""A loop that sums a power series needs a custom rule, because differentiating the loop loses a term."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import mpmath
import pytest

import eglantine as eg
from tests.engines import run

EPSILON = 2.0**-52
FAR = (-21.0, -13.6, -7.25, -3.1, 1.7, 2.404825557695773, 5.0, 9.9, 16.0)


class PowerSeries(NamedTuple):
    """A function's power series: the sum of a_k·x^(first + step·k) for k = 0, 1, …

    ratio: a function of k that returns the numerator and the denominator of a_{k+1} / a_k.
    exact: a function of d and x that computes the d-th derivative at x with mpmath.
    """

    step: int
    first: int
    ratio: Callable[[Any], tuple[float, Any]]
    exact: Callable[[int, Any], Any]


SERIES = {
    "exp": PowerSeries(1, 0, lambda k: (1.0, k + 1.0), lambda _, x: mpmath.exp(x)),
    "sin": PowerSeries(
        2,
        1,
        lambda k: (-1.0, (2.0 * k + 2.0) * (2.0 * k + 3.0)),
        lambda d, x: (mpmath.sin(x), mpmath.cos(x), -mpmath.sin(x))[d],
    ),
    "J₀": PowerSeries(
        2, 0, lambda k: (-1.0, 4.0 * (k + 1.0) * (k + 1.0)), lambda d, x: mpmath.besselj(0, x, derivative=d)
    ),
}


@cache
def summed(name: str, order: int) -> Any:
    """Make a function that differentiates a power series `order` times and returns the sum at x.

    It adds terms until the sum no longer changes. Its custom rule is summed(name, order + 1).
    """
    own = SERIES[name]

    def falling(p: Any) -> Any:
        product: Any = 1.0
        for j in range(order):
            product = product * (p - float(j))
        return product

    start = 0
    while own.first + own.step * start < order:
        start += 1

    @eg.fn([eg.Real], eg.Real)
    def f(x: Any) -> Any:
        power = own.first + own.step * start - order
        factor = 1.0
        for k in range(start):
            a, b = own.ratio(float(k))
            factor = factor * a / b

        def more(c: Any) -> Any:
            return c[0] + c[1] * falling(c[2] * own.step + own.first) != c[0]

        def step(c: Any) -> Any:
            total, term, k = c
            a, b = own.ratio(k)
            return total + term * falling(k * own.step + own.first), term * (x**own.step * a) / b, k + 1.0

        return eg.while_loop(more, step, (0.0, factor * x**power, float(start)))[0]

    f.defjvp(lambda primals, tangents: (f(*primals), summed(name, order + 1)(*primals) * tangents[0]))
    return f


def magnitudes(name: str, order: int, x: float) -> Any:
    """Differentiate a series `order` times, and sum the absolute values of its terms at x."""
    own, total = SERIES[name], mpmath.mpf(0)
    a = mpmath.mpf(1)
    for k in range(200):
        p = own.first + own.step * k
        if p >= order:
            total += abs(a) * mpmath.ff(p, order) * abs(mpmath.mpf(x)) ** (p - order)
        over, under = own.ratio(float(k))
        a = a * over / under
    return total


def derivatives(name: str, x: float) -> list[float]:
    """f, f′ and f″ by a Taylor series."""
    series = run(lambda t: tuple(eg.taylor(summed(name, 0), t, order=2)), x)
    return [c * math.factorial(k) for k, c in enumerate(series)]


@pytest.mark.parametrize("name", SERIES)
def test_near_zero_the_derivatives_are_within_four_ulps(name: str) -> None:
    for j in range(-20, 21):
        x = j / 20.0
        for order, found in enumerate(derivatives(name, x)):
            with mpmath.workdps(40):
                exact = SERIES[name].exact(order, mpmath.mpf(x))
                assert abs(found - exact) <= 4 * math.ulp(float(exact)), (x, order)


@pytest.mark.parametrize("name", SERIES)
def test_elsewhere_the_error_is_below_four_ulps_of_the_terms_magnitudes(name: str) -> None:
    for x in FAR:
        for order, found in enumerate(derivatives(name, x)):
            with mpmath.workdps(40):
                exact = SERIES[name].exact(order, mpmath.mpf(x))
                assert abs(found - exact) <= 4 * EPSILON * magnitudes(name, order, x), (x, order)


@pytest.mark.parametrize("name", SERIES)
def test_forward_and_reverse_mode_lose_no_term_either(name: str) -> None:
    f = summed(name, 0)
    for x in (0.3, -0.9):
        series = derivatives(name, x)
        assert eg.grad(f)(x) == pytest.approx(series[1], rel=2 * EPSILON)
        assert eg.grad(eg.grad(f))(x) == pytest.approx(series[2], rel=2 * EPSILON)
        assert eg.jvp(f, (x,), (1.0,))[1] == pytest.approx(series[1], rel=2 * EPSILON)


def test_without_the_rule_the_last_terms_are_lost() -> None:
    """At x = 0 the loop ends after the constant term, so the derivative of the loop is 0.

    With the custom rule, the derivative at 0 is right.
    """
    alone = eg.fn([eg.Real], eg.Real)(summed("exp", 0).__wrapped__)
    assert eg.grad(alone)(0.0) == 0.0
    assert eg.grad(summed("exp", 0))(0.0) == 1.0
