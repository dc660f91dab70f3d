"""The programs of the Rose paper give the paper's numbers on every engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
from tests.engines import HAS_WASM, bits
from tests.rose.programs import (
    DRAWING,
    GRADIENT,
    HESSIAN,
    LEAST,
    Box,
    Circle,
    Line,
    N,
    Point,
    Rectangle,
    X,
    Y,
    box_of,
    hundred_steps,
    least_squares,
    log,
    mean_squared_error,
    pow_,
    power,
    printed,
    shown,
    sin,
    sqrt,
    step,
    type_of,
    value_of,
)

Engines = Callable[..., Any]


def test_the_gradient_of_the_error_agrees_with_its_formula(engines: Engines) -> None:
    line = Line(1.0, 2.0)
    residuals = [line.b0 + line.b1 * x - y for x, y in zip(X, Y, strict=True)]
    expected = (
        2 * math.fsum(residuals) / N,
        2 * math.fsum(r * x for r, x in zip(residuals, X, strict=True)) / N,
    )
    gradient = engines(eg.grad(mean_squared_error), line)
    assert isinstance(gradient, Line)
    assert tuple(gradient) == pytest.approx(expected, rel=1e-14)


def test_gradient_descent_ends_at_the_least_squares_line() -> None:
    run = eg.compile(hundred_steps) if HAS_WASM else hundred_steps
    line, following = Line(0.0, 0.0), run(Line(0.0, 0.0))
    while following != line:
        line, following = following, run(following)
    assert line == pytest.approx(least_squares(), rel=1e-11)
    assert line == pytest.approx((3.00009, 0.50009), abs=1e-5)
    assert bits(hundred_steps(line)) == bits(line)


def test_every_step_of_the_descent_has_the_same_bits_on_every_engine(engines: Engines) -> None:
    line = Line(0.0, 0.0)
    for _ in range(20):
        line = engines(step, line)
    assert bits(engines(hundred_steps, Line(0.0, 0.0))) != bits(line)


def test_value_gradient_and_hessian_of_a_power_are_right(engines: Engines) -> None:
    assert pytest.approx((5.545177, 12.317766, 3.843624), abs=1e-6) == (
        GRADIENT[1],
        HESSIAN[0][1],
        HESSIAN[1][1],
    )
    assert engines(power, 2.0, 3.0) == 8.0
    assert engines(eg.grad(power, (0, 1)), 2.0, 3.0) == pytest.approx(GRADIENT, rel=1e-15)
    hessian = engines(eg.hessian(power, (0, 1)), 2.0, 3.0)
    assert list(hessian) == [pytest.approx(row, rel=1e-15) for row in HESSIAN]


def test_log_and_pow_may_be_opaque_functions_with_custom_rules(engines: Engines) -> None:
    assert engines(eg.grad(log), 2.0) == 0.5
    assert engines(eg.grad(eg.grad(log)), 2.0) == -0.25
    assert engines(pow_, 2.0, 3.0) == 8.0
    assert engines(eg.grad(pow_, (0, 1)), 2.0, 3.0) == pytest.approx(GRADIENT, rel=1e-15)
    hessian = engines(eg.hessian(pow_, (0, 1)), 2.0, 3.0)
    assert list(hessian) == [pytest.approx(row, rel=1e-15) for row in HESSIAN]


def test_sine_and_cosine_are_each_others_derivative_to_any_order(engines: Engines) -> None:
    x, f = 0.7, sin
    for expected in (math.sin(x), math.cos(x), -math.sin(x), -math.cos(x), math.sin(x)):
        assert engines(f, x) == expected
        f = eg.grad(f)


@pytest.mark.parametrize("compiled", [False, True])
def test_prints_happen_once_in_order_and_do_not_change_derivatives(compiled: bool) -> None:
    if compiled and not HAS_WASM:
        pytest.skip("wasmtime is not here")
    run = eg.compile if compiled else lambda f: f
    printed.clear()
    assert run(shown)(3.0) == 9.0
    assert printed == [3.0, 9.0]
    printed.clear()
    assert run(eg.value_and_grad(shown))(3.0) == (9.0, 6.0)
    assert printed == [3.0, 9.0]
    printed.clear()
    assert run(eg.fn([eg.Real])(lambda x: eg.jvp(shown, (x,), (1,))))(3.0) == (9.0, 6.0)
    assert printed == [3.0, 9.0]


def test_a_clamped_square_root_has_a_steep_but_finite_slope_at_zero(engines: Engines) -> None:
    assert engines(eg.grad(sqrt), 4.0) == 0.25
    assert engines(eg.grad(sqrt), 0.0) == pytest.approx(0.5 / LEAST)
    distance = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: sqrt(x * x + y * y))
    assert engines(eg.grad(distance, (0, 1)), 3.0, 4.0) == pytest.approx((0.6, 0.8))
    assert engines(eg.grad(distance, (0, 1)), 0.0, 0.0) == (0.0, 0.0)


def test_the_bounding_box_of_nested_groups_is_right(engines: Engines) -> None:
    box = engines(box_of(DRAWING), value_of(DRAWING))
    assert box == Box(Point(-4.5, -3.0), Point(3.0, 6.0))
    assert isinstance(box, Box)


def test_the_area_of_the_box_depends_only_on_the_shapes_at_its_border(engines: Engines) -> None:
    of = box_of(DRAWING)

    def area(drawing: Any) -> Any:
        low, high = of(drawing)
        return (high.x - low.x) * (high.y - low.y)

    width, height = 7.5, 9.0
    first, (rectangle, (left,)), top = engines(
        eg.grad(eg.fn([type_of(DRAWING)], eg.Real)(area)), value_of(DRAWING)
    )
    assert first == Circle(Point(0.0, 0.0), 0.0)
    assert rectangle == Rectangle(Point(0.0, -width), Point(0.0, 0.0))
    assert left == Circle(Point(-height, 0.0), height)
    assert top == Circle(Point(height, width), height + width)
