"""`eg.odeint` returns right solutions and derivatives for states of any type, and raises clear errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp

FINE = {"rtol": 1e-12, "atol": 1e-12}
TIMES = [0.0, 0.4, 1.0, 2.5]


@pytest.mark.parametrize(
    ("slope", "solution"),
    [
        (lambda y, t: -y, lambda t: math.exp(-t)),
        (lambda y, t: 2.0 * t * y, lambda t: math.exp(t * t)),
        (lambda y, t: eg.math.cos(t), lambda t: 1.0 + math.sin(t)),
        (lambda y, t: y * (1.0 - 0.5 * y), lambda t: 2.0 / (1.0 + math.exp(-t))),
        (lambda y, t: 0.0 * y, lambda t: 1.0),
    ],
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_odeint_finds_known_solutions_forward_and_backward_in_time(
    slope: Any, solution: Any, sign: float
) -> None:
    times = [sign * t for t in TIMES]
    for t, y in zip(times, eg.odeint(slope, 1.0, times, **FINE), strict=True):
        assert y == pytest.approx(solution(t), rel=1e-10)


def test_default_tolerance_gives_about_eight_digits() -> None:
    y = eg.odeint(lambda y, t: [y[1], -y[0]], [0.0, 1.0], [0.0, 1.0, 10.0])
    assert y[2][0] == pytest.approx(math.sin(10.0), abs=1e-6)
    assert y[2][0] != pytest.approx(math.sin(10.0), abs=1e-13)


def test_an_orbit_of_kepler_closes_after_a_period() -> None:
    def attraction(s: Any, t: Any) -> Any:
        r = eg.math.hypot(s["x"], s["y"])
        return {"x": s["u"], "y": s["v"], "u": -s["x"] / r**3, "v": -s["y"] / r**3}

    e = 0.6
    start = {"x": 1.0 - e, "y": 0.0, "u": 0.0, "v": math.sqrt((1 + e) / (1 - e))}
    orbit = eg.odeint(attraction, start, [0.0, math.pi, 2 * math.pi], **FINE)
    assert orbit["x"][1] == pytest.approx(-1.0 - e, abs=1e-9)
    assert [orbit[name][2] for name in "xyuv"] == pytest.approx([start[name] for name in "xyuv"], abs=1e-8)


def test_long_vectors_are_integrated_as_loops() -> None:
    n = 40
    y = eg.odeint(lambda y, t, k: -k * y, [1.0 + k for k in range(n)], [0.0, 1.0], 0.5, **FINE)
    assert y.shape == (2, n)
    assert list(y[1]) == pytest.approx([(1.0 + k) * math.exp(-0.5) for k in range(n)], rel=1e-10)


def test_numpy_arguments_give_a_numpy_solution() -> None:
    matrix = np.array([[0.0, 1.0], [-1.0, 0.0]])
    y = eg.odeint(lambda y, t, m: m @ y, np.array([0.0, 1.0]), np.linspace(0, 1, 5), matrix, **FINE)
    assert isinstance(y, np.ndarray)
    assert y[:, 0] == pytest.approx(np.sin(np.linspace(0, 1, 5)), abs=1e-10)
    assert isinstance(eg.odeint(lambda y, t: -y, enp.ones(2), [0.0, 1.0]), eg.Array)


def test_a_single_time_gives_only_the_start() -> None:
    assert list(eg.odeint(lambda y, t: 1.0 / y, 0.3, [5.0])) == [0.3]


def test_a_matrix_as_state_has_the_same_shape_at_each_time() -> None:
    y = eg.odeint(lambda m, t: -m, [[1.0, 2.0], [3.0, 0.1]], [0.0, 0.5])
    assert y.shape == (2, 2, 2)
    assert y[0].tolist() == [[1.0, 2.0], [3.0, 0.1]]


def test_after_a_pole_the_solution_is_nan() -> None:
    y = eg.odeint(lambda y, t: y * y, 1.0, [0.0, 0.5, 1.5, 2.0])
    assert y[1] == pytest.approx(2.0, rel=1e-6)
    assert math.isnan(y[2])
    assert math.isnan(y[3])


def test_slope_that_is_not_finite_at_the_start_gives_nan() -> None:
    assert math.isnan(eg.odeint(lambda y, t: eg.math.log(-y), 1.0, [0.0, 1.0])[1])


def test_function_is_not_called_beyond_the_last_time() -> None:
    y = eg.odeint(lambda y, t: eg.math.sqrt(1.0 - t), 0.0, [0.0, 1.0], **FINE)
    assert y[1] == pytest.approx(2 / 3, abs=1e-9)


# ---------------------------------------------------------------- derivatives


@pytest.mark.parametrize("derivative", [eg.grad, lambda f: lambda x: eg.jvp(f, (x,), (1.0,))[1]])
def test_derivatives_by_parameters_start_and_times_are_right(derivative: Any) -> None:
    def by_rate(c: Any) -> Any:
        return eg.odeint(lambda y, t: c * y, 1.0, [0.0, 1.0], **FINE)[1]

    def by_start(y0: Any) -> Any:
        return eg.odeint(lambda y, t, c: c * y, y0, [0.0, 1.0], 0.5, **FINE)[1]

    def by_end(end: Any) -> Any:
        return eg.odeint(lambda y, t: -y * t, 1.0, [0.0, end], **FINE)[1]

    def by_begin(begin: Any) -> Any:
        return eg.odeint(lambda y, t: y, 1.0, [begin, 1.0], **FINE)[1]

    assert derivative(by_rate)(0.7) == pytest.approx(math.exp(0.7), rel=1e-9)
    assert derivative(by_start)(2.0) == pytest.approx(math.exp(0.5), rel=1e-9)
    assert derivative(by_end)(1.3) == pytest.approx(-1.3 * math.exp(-0.845), rel=1e-9)
    assert derivative(by_begin)(0.2) == pytest.approx(-math.exp(0.8), rel=1e-9)


def test_second_derivatives_by_a_parameter_are_right() -> None:
    def end(c: Any) -> Any:
        return eg.odeint(lambda y, t: c * y, 1.0, [0.0, 1.0], **FINE)[1]

    assert eg.grad(eg.grad(end))(0.7) == pytest.approx(math.exp(0.7), rel=1e-7)


def test_gradient_through_a_nonlinear_system_agrees_with_differences() -> None:
    @eg.fn
    def fish(p: eg.Vec(4, eg.Real)) -> eg.Real:
        def change(y: Any, t: Any) -> Any:
            return [p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - p[3] * y[1]]

        ys = eg.odeint(change, [1.0, 0.5], [0.0, 1.0, 3.0, 4.0], **FINE)
        return eg.sum(ys * ys)

    at, h = [1.1, 0.4, 0.3, 0.6], 1e-5
    value, kernel = eg.compile(fish), eg.compile(eg.grad(fish))
    for k, slope in enumerate(kernel(at)):
        up = [x + h * (i == k) for i, x in enumerate(at)]
        down = [x - h * (i == k) for i, x in enumerate(at)]
        assert slope == pytest.approx((value(up) - value(down)) / (2 * h), rel=1e-7)


def test_interpreter_gives_the_bits_of_the_kernel() -> None:
    @eg.fn
    def swing(angle: eg.Real) -> eg.Vec(3, eg.Vec(2, eg.Real)):
        return eg.odeint(lambda s, t: [s[1], -eg.math.sin(s[0])], [angle, 0.0], [0.0, 0.5, 2.0])

    assert eg.compile(swing)(1.2) == swing.interpreted(1.2)
    assert eg.compile(eg.jacrev(swing))(1.2) == eg.jacrev(swing).interpreted(1.2)


# ---------------------------------------------------------------- errors


def test_slopes_of_another_length_are_an_error() -> None:
    with pytest.raises(eg.ShapeError, match="y has 2 Reals and f returns 3"):
        eg.odeint(lambda y, t: [1.0, 2.0, t], [0.0, 0.0], [0.0, 1.0])


def test_times_out_of_order_are_an_error() -> None:
    with pytest.raises(eg.ShapeError, match=r"time 1 is 2\.0 and time 2 is 1\.0"):
        eg.odeint(lambda y, t: y, 1.0, [0.0, 2.0, 1.0, 3.0])


def test_a_number_instead_of_a_sequence_of_times_is_an_error() -> None:
    with pytest.raises(eg.ShapeError, match="must be a list of numbers"):
        eg.odeint(lambda y, t: y, 1.0, 2.0)


def test_a_start_that_is_not_made_of_reals_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="must consist of Reals"):
        eg.odeint(lambda y, t: y, True, [0.0, 1.0])
