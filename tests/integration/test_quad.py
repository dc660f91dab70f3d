"""`eg.quad` returns right integrals and derivatives, even for infinite limits. Its errors are clear."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg

INFINITE = math.inf
KNOWN = {
    "sine": (eg.math.sin, 0.0, math.pi, 2.0),
    "polynomial": (lambda x: x**5 - 3.0 * x, -1.0, 2.0, 6.0),
    "root": (eg.math.sqrt, 0.0, 1.0, 2 / 3),
    "logarithm": (eg.math.log, 0.0, 1.0, -1.0),
    "pole of order 1/2": (lambda x: 1.0 / eg.math.sqrt(x), 0.0, 1.0, 2.0),
    "kink": (lambda x: abs(x - 0.3), 0.0, 1.0, 0.29),
    "peak": (
        lambda x: 1.0 / (1e-6 + (x - 0.3) ** 2), 0.0, 1.0, 1e3 * (math.atan(700.0) + math.atan(300.0))
    ),
    "waves": (lambda x: eg.math.cos(60.0 * x), 0.0, 1.0, math.sin(60.0) / 60.0),
    "bell": (lambda x: eg.math.exp(-x * x), -INFINITE, INFINITE, math.sqrt(math.pi)),
    "decay": (lambda x: eg.math.exp(-2.0 * x), 1.0, INFINITE, math.exp(-2.0) / 2),
    "growth": (eg.math.exp, -INFINITE, 0.5, math.exp(0.5)),
    "Cauchy": (lambda x: 1.0 / (1.0 + x * x), -INFINITE, INFINITE, math.pi),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_integrals_differ_from_known_values_by_at_most_the_stated_error(name: str) -> None:
    f, a, b, known = KNOWN[name]
    value, error = eg.quad(f, a, b)
    assert error <= 1.49e-8 * max(1.0, abs(known)) * (10 if "pole" in name else 1)
    assert abs(value - known) <= error
    assert eg.quad(f, b, a)[0] == pytest.approx(-value, rel=1e-12)


def test_with_too_few_pieces_the_stated_error_exceeds_the_tolerance() -> None:
    f, a, b, known = KNOWN["peak"]
    errors = [eg.quad(f, a, b, limit=limit)[1] for limit in (2, 50)]
    assert errors[0] > 1.49e-8 * known >= errors[1]


def test_an_integral_over_an_interval_of_length_0_is_0() -> None:
    assert eg.quad(eg.math.exp, 1.0, 1.0)[0] == 0.0
    assert eg.quad(eg.math.exp, INFINITE, INFINITE)[0] == 0.0


def test_the_integral_of_a_function_with_nan_values_is_nan() -> None:
    assert math.isnan(eg.quad(lambda x: eg.math.log(-x), 0.0, 1.0)[0])


def test_further_arguments_are_passed_to_the_integrand() -> None:
    assert eg.quad(lambda x, a, b: a * x + b, 0.0, 2.0, args=(3.0, 1.0))[0] == pytest.approx(8.0)
    assert eg.quad(lambda x, a: a * x, 0.0, 2.0, args=3.0)[0] == pytest.approx(6.0)
    assert eg.quad(lambda x, v: v[0] * x + v[1], 0.0, 2.0, args=([3.0, 1.0],))[0] == pytest.approx(8.0)


def of_limits(a: Any, b: Any) -> Any:
    return eg.quad(lambda x: eg.math.exp(-x * x), a, b)[0]


def of_parameter(k: Any) -> Any:
    return eg.quad(lambda x: 1.0 / (k + (x - 0.3) ** 2), 0.0, 1.0)[0]


def test_the_derivative_by_a_limit_is_the_integrand_at_the_limit() -> None:
    low, high = eg.grad(of_limits, (0, 1))(0.2, 1.0)
    assert (low, high) == pytest.approx((-math.exp(-0.04), math.exp(-1.0)), rel=1e-12)
    assert eg.grad(eg.grad(lambda b: of_limits(0.0, b)))(1.0) == pytest.approx(-2.0 / math.e, rel=1e-12)


def test_both_modes_differentiate_under_the_integral() -> None:
    k, h = 1e-3, 1e-7
    root = math.sqrt(k)
    rise = math.atan(0.7 / root) + math.atan(0.3 / root)
    known = -rise / (2 * k * root) - (0.7 / (k + 0.49) + 0.3 / (k + 0.09)) / (2 * k)
    assert eg.grad(of_parameter)(k) == pytest.approx(known, rel=1e-8)
    assert eg.jvp(of_parameter, (k,), (1.0,))[1] == pytest.approx(known, rel=1e-8)
    differences = (of_parameter_now(k + h) - of_parameter_now(k - h)) / (2 * h)
    assert differences == pytest.approx(known, rel=1e-5)


def of_parameter_now(k: float) -> float:
    return eg.quad(lambda x, k: 1.0 / (k + (x - 0.3) ** 2), 0.0, 1.0, args=(k,))[0]


def test_the_derivative_by_a_finite_limit_beside_an_infinite_one_is_right() -> None:
    slope = eg.grad(lambda a: eg.quad(lambda x: eg.math.exp(-2.0 * x), a, INFINITE)[0])(1.0)
    assert slope == pytest.approx(-math.exp(-2.0), rel=1e-7)


def test_interpreter_gives_the_bits_of_the_kernel() -> None:
    f = eg.fn([eg.Real], eg.Real)(of_parameter)
    assert eg.compile(f)(1e-3) == f.interpreted(1e-3)


def test_an_integrand_with_several_results_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="returns one Real"):
        eg.quad(lambda x: (x, x), 0.0, 1.0)


def test_a_number_instead_of_the_integrand_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="A function is needed"):
        eg.quad(2.0, 0.0, 1.0)  # type: ignore[arg-type]
