"""Functions of `eg.math` return the same values for traced numbers, plain numbers and elements of Vecs.

The functions' derivatives are right. At kinks, they follow Eglantine's conventions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import eglantine as eg
from tests.engines import bits

Engines = Callable[..., Any]
m = eg.math
inf, nan = math.inf, math.nan

UNARY: dict[str, tuple[Any, float]] = {
    "sqrt": (mpmath.sqrt, 2.0),
    "cbrt": (mpmath.cbrt, 2.0),
    "exp": (mpmath.exp, 0.7),
    "exp2": (lambda x: mpmath.power(2, x), 0.7),
    "expm1": (mpmath.expm1, 0.7),
    "log": (mpmath.log, 2.5),
    "log2": (lambda x: mpmath.log(x, 2), 2.5),
    "log10": (mpmath.log10, 2.5),
    "log1p": (mpmath.log1p, 0.3),
    "sin": (mpmath.sin, 1.2),
    "cos": (mpmath.cos, 1.2),
    "tan": (mpmath.tan, 1.2),
    "asin": (mpmath.asin, 0.4),
    "acos": (mpmath.acos, 0.4),
    "atan": (mpmath.atan, 0.4),
    "sinh": (mpmath.sinh, 1.2),
    "cosh": (mpmath.cosh, 1.2),
    "tanh": (mpmath.tanh, 0.6),
    "asinh": (mpmath.asinh, 1.2),
    "acosh": (mpmath.acosh, 2.2),
    "atanh": (mpmath.atanh, 0.3),
    "erf": (mpmath.erf, 0.3),
    "lgamma": (mpmath.loggamma, 3.3),
}
BINARY: dict[str, tuple[Any, float, float]] = {
    "atan2": (mpmath.atan2, 0.7, -1.3),
    "hypot": (mpmath.hypot, 0.7, -1.3),
    "pow": (mpmath.power, 0.7, -1.3),
}


@pytest.mark.parametrize("name", UNARY)
def test_a_function_and_its_first_two_derivatives_are_right(engines: Engines, name: str) -> None:
    reference, x = UNARY[name]
    f = eg.fn([eg.Real], eg.Real)(getattr(m, name))
    with mpmath.workdps(40):
        expected = [float(mpmath.diff(reference, mpmath.mpf(x), n)) for n in range(3)]
    found = [engines(f, x), engines(eg.grad(f), x), engines(eg.grad(eg.grad(f)), x)]
    assert found == pytest.approx(expected, rel=1e-14)
    assert engines(lambda_jvp(f), x) == found[1]


def lambda_jvp(f: Any) -> Any:
    return eg.fn([eg.Real], eg.Real)(lambda x: eg.jvp(f, (x,), (1.0,))[1])


@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_two_reals_and_its_derivatives_are_right(engines: Engines, name: str) -> None:
    reference, x, y = BINARY[name]
    f = eg.fn([eg.Real, eg.Real], eg.Real)(getattr(m, name))
    with mpmath.workdps(40):
        at = (mpmath.mpf(x), mpmath.mpf(y))
        value = float(reference(*at))
        gradient = tuple(float(mpmath.diff(reference, at, n)) for n in ((1, 0), (0, 1)))
        second = [
            [float(mpmath.diff(reference, at, n)) for n in row]
            for row in (((2, 0), (1, 1)), ((1, 1), (0, 2)))
        ]
    assert engines(f, x, y) == pytest.approx(value, rel=1e-15)
    assert engines(eg.grad(f, (0, 1)), x, y) == pytest.approx(gradient, rel=1e-14)
    hessian = engines(eg.hessian(f, (0, 1)), x, y)
    assert [list(row) for row in hessian] == [pytest.approx(row, rel=1e-13) for row in second]


@pytest.mark.parametrize("n", range(4))
def test_polygamma_is_right_for_each_order(engines: Engines, n: int) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: m.polygamma(n, x))
    assert engines(f, 2.3) == pytest.approx(float(mpmath.polygamma(n, 2.3)), rel=1e-14)
    if n < 3:
        assert engines(eg.grad(f), 2.3) == pytest.approx(float(mpmath.polygamma(n + 1, 2.3)), rel=1e-14)


@pytest.mark.parametrize(
    ("f", "values"),
    [
        (m.floor, {1.5: 1.0, -1.5: -2.0, 2.0: 2.0, inf: inf, -0.5: -1.0}),
        (m.ceil, {1.5: 2.0, -1.5: -1.0, 2.0: 2.0, 0.5: 1.0}),
        (m.trunc, {1.5: 1.0, -1.5: -1.0, 1e300: 1e300}),
        (m.round, {0.5: 0.0, 1.5: 2.0, 2.5: 2.0, -2.5: -2.0, 2.6: 3.0}),
        (m.sign, {3.0: 1.0, -2.0: -1.0, 0.0: 0.0, -inf: -1.0}),
    ],
)
def test_rounding_functions_and_sign_are_right_and_have_gradient_zero(
    engines: Engines, f: Any, values: dict[float, float]
) -> None:
    traced = eg.fn([eg.Real], eg.Real)(f)
    for x, y in values.items():
        assert engines(traced, x) == y
        assert f(x) == y
        assert engines(eg.grad(traced), x) == 0.0


def test_minimum_maximum_clip_and_copysign_have_the_right_values(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Real])(
        lambda x, y: (m.minimum(x, y), m.maximum(x, y), m.clip(x, 0, y), m.copysign(x, y))
    )
    assert engines(f, 1.0, 2.0) == (1.0, 2.0, 1.0, 1.0)
    assert engines(f, 3.0, 2.0) == (2.0, 3.0, 2.0, 3.0)
    assert engines(f, -3.0, 2.0) == (-3.0, 2.0, 0.0, 3.0)
    assert engines(f, 3.0, -2.0)[3] == -3.0


def test_constants_of_eg_math_equal_pythons() -> None:
    assert (m.pi, m.e, m.inf) == (math.pi, math.e, inf)
    assert math.isnan(m.nan)


# ---------------------------------------------------------------- traced, plain, elementwise


@pytest.mark.parametrize("name", [*UNARY, "floor", "ceil", "trunc", "round", "sign"])
def test_functions_of_plain_numbers_give_the_bits_of_traced_numbers(engines: Engines, name: str) -> None:
    f = getattr(m, name)
    traced = eg.fn([eg.Real], eg.Real)(f)
    constant = eg.fn([], eg.Real)
    for x in (0.0, -0.0, 0.3, -0.3, 1.0, 2.7, -17.25, 1e-310, 1e300, inf, -inf, nan):
        expected = engines(traced, x)
        assert bits(f(x)) == bits(expected)
        assert bits(constant(lambda x=x: f(x))()) == bits(expected)


def test_integers_and_numpy_scalars_are_accepted_as_reals() -> None:
    assert m.sqrt(4) == 2.0
    assert m.sqrt(np.float64(4)) == 2.0
    assert m.maximum(1, 2) == 2.0
    f = eg.fn([eg.Real], eg.Real)(lambda x: m.maximum(x, 3) + m.pow(2, x) + m.atan2(np.float64(0), x))
    assert f(2.0) == 7.0


@pytest.mark.parametrize("n", [0, 3, 9])
def test_functions_are_elementwise_and_broadcast(engines: Engines, n: int) -> None:
    v = [0.5 + i for i in range(n)]
    f = eg.fn([eg.Vec(n, eg.Real), eg.Real])(
        lambda v, x: (
            m.sqrt(v),
            m.maximum(v, x),
            m.pow(2, v),
            m.clip(v, 1, x),
            m.hypot(v, v),
            m.copysign(x, -v),
        )
    )
    expected = (
        [m.sqrt(x) for x in v], [max(x, 2.0) for x in v], [m.pow(2, x) for x in v],
        [min(max(x, 1.0), 2.0) for x in v], [m.hypot(x, x) for x in v], [-2.0] * n,
    )  # fmt: skip
    assert engines(f, v, 2.0) == expected


def test_functions_of_plain_lists_outside_a_trace_are_elementwise() -> None:
    assert list(m.sqrt([1.0, 4.0, 9.0])) == [1.0, 2.0, 3.0]
    assert list(m.maximum([1.0, 4.0], 2.0)) == [2.0, 4.0]
    assert list(m.sqrt(np.array([1.0, 4.0]))) == [1.0, 2.0]


# ---------------------------------------------------------------- conventions at kinks


def gradient(engines: Engines, f: Callable[..., Any], *at: float) -> Any:
    return engines(eg.grad(eg.fn([eg.Real] * len(at), eg.Real)(f), tuple(range(len(at)))), *at)


def test_the_derivative_of_abs_is_the_sign_bit(engines: Engines) -> None:
    assert gradient(engines, abs, 0.0) == (1.0,)
    assert gradient(engines, abs, -0.0) == (-1.0,)
    assert gradient(engines, abs, -3.0) == (-1.0,)
    assert gradient(engines, abs, nan) == (1.0,)


def test_the_derivative_of_sqrt_at_zero_is_infinite(engines: Engines) -> None:
    assert gradient(engines, m.sqrt, 0.0) == (inf,)


def test_sign_returns_a_zero_with_its_sign(engines: Engines) -> None:
    f = eg.fn([eg.Real], eg.Real)(m.sign)
    assert math.copysign(1, engines(f, -0.0)) == -1.0
    assert math.copysign(1, engines(f, 0.0)) == 1.0
    assert math.isnan(engines(f, nan))


def test_the_derivative_at_a_tie_belongs_to_the_second_operand(engines: Engines) -> None:
    for f in (m.maximum, m.minimum):
        assert gradient(engines, f, 2.0, 2.0) == (0.0, 1.0)
    assert gradient(engines, m.maximum, 3.0, 2.0) == (1.0, 0.0)
    assert gradient(engines, m.minimum, 3.0, 2.0) == (0.0, 1.0)


def test_the_derivative_of_norm_at_zero_is_zero(engines: Engines) -> None:
    for n in (2, 9):
        f = eg.fn([eg.Vec(n, eg.Real)], eg.Real)(eg.norm)
        assert engines(f, [0.0] * n) == 0.0
        assert engines(eg.grad(f), [0.0] * n) == [0.0] * n
        assert engines(eg.grad(f), [3.0, 4.0] + [0.0] * (n - 2)) == pytest.approx(
            [0.6, 0.8] + [0.0] * (n - 2)
        )


def test_copysign_treats_nan_as_positive(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Real], eg.Real)(m.copysign)
    assert engines(f, 2.0, nan) == 2.0
    assert engines(f, 2.0, -nan) == 2.0


def test_minimum_and_maximum_return_nan_if_either_operand_is_nan(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Real])(lambda x, y: (m.minimum(x, y), m.maximum(x, y)))
    for a, b in ((nan, 1.0), (1.0, nan)):
        assert all(map(math.isnan, engines(f, a, b)))
    zeros = engines(f, -0.0, 0.0)
    assert [math.copysign(1, x) for x in zeros] == [-1.0, 1.0]
