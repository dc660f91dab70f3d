"""The programs of the Rose paper (Estep, Ni, Rothkopf, Sunshine: ECOOP 2024), in Python, with its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import eglantine as eg
from tests.engines import HAS_WASM, bits

Engines = Callable[..., Any]
m = eg.math

# ---------------------------------------------------------------- linear regression

X = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0]
Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
"""Anscombe's first data set (The American Statistician 27, 1973)."""

N = len(X)
RATE = 0.01
"""A step of the gradient; from about 0.0108 on, descent diverges on these data."""


class Line(NamedTuple):
    b0: eg.Real
    b1: eg.Real


@eg.fn
def mean_squared_error(line: Line) -> eg.Real:
    x, y = eg.asarray(X), eg.asarray(Y)
    return eg.sum(N, lambda i: (line.b0 + line.b1 * x[i] - y[i]) ** 2) / N


@eg.fn
def step(line: Line) -> Line:
    slope = eg.grad(mean_squared_error)(line)
    return Line(line.b0 - RATE * slope.b0, line.b1 - RATE * slope.b1)


@eg.fn
def hundred_steps(line: Line) -> Line:
    return eg.fori_loop(0, 100, lambda _, line: step(line), line)


def least_squares() -> Line:
    """The exact answer, by the normal equations."""
    mean_x, mean_y = math.fsum(X) / N, math.fsum(Y) / N
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in zip(X, Y, strict=True))
    slope /= math.fsum((x - mean_x) ** 2 for x in X)
    return Line(mean_y - slope * mean_x, slope)


def test_the_gradient_of_the_error_is_that_of_the_formula(engines: Engines) -> None:
    line = Line(1.0, 2.0)
    residuals = [line.b0 + line.b1 * x - y for x, y in zip(X, Y, strict=True)]
    expected = (
        2 * math.fsum(residuals) / N,
        2 * math.fsum(r * x for r, x in zip(residuals, X, strict=True)) / N,
    )
    gradient = engines(eg.grad(mean_squared_error), line)
    assert isinstance(gradient, Line)
    assert tuple(gradient) == pytest.approx(expected, rel=1e-14)


def test_gradient_descent_ends_at_a_fixed_point_the_least_squares_line() -> None:
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


# ---------------------------------------------------------------- x to the y


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


LOG2 = math.log(2)
GRADIENT = (12.0, 8 * LOG2)
HESSIAN = ((12.0, 4 + 12 * LOG2), (4 + 12 * LOG2, 8 * LOG2**2))


def test_value_gradient_and_hessian_of_a_power(engines: Engines) -> None:
    assert pytest.approx((5.545177, 12.317766, 3.843624), abs=1e-6) == (
        GRADIENT[1],
        HESSIAN[0][1],
        HESSIAN[1][1],
    )
    assert engines(power, 2.0, 3.0) == 8.0
    assert engines(eg.grad(power, (0, 1)), 2.0, 3.0) == pytest.approx(GRADIENT, rel=1e-15)
    hessian = engines(eg.hessian(power, (0, 1)), 2.0, 3.0)
    assert list(hessian) == [pytest.approx(row, rel=1e-15) for row in HESSIAN]


# ---------------------------------------------------------------- log and pow as opaque functions

log = eg.opaque(math.log, [eg.Real], eg.Real, pure=True)
pow_ = eg.opaque(math.pow, [eg.Real, eg.Real], eg.Real, pure=True)


@log.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    return log(x), dx / x


@pow_.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    z = pow_(x, y)
    return z, dx * y * pow_(x, y - 1) + dy * log(x) * z


def test_log_and_pow_may_be_the_hosts_with_derivatives_of_our_own(engines: Engines) -> None:
    assert engines(eg.grad(log), 2.0) == 0.5
    assert engines(eg.grad(eg.grad(log)), 2.0) == -0.25
    assert engines(pow_, 2.0, 3.0) == 8.0
    assert engines(eg.grad(pow_, (0, 1)), 2.0, 3.0) == pytest.approx(GRADIENT, rel=1e-15)
    hessian = engines(eg.hessian(pow_, (0, 1)), 2.0, 3.0)
    assert list(hessian) == [pytest.approx(row, rel=1e-15) for row in HESSIAN]


# ---------------------------------------------------------------- sine and cosine through each other

sin = eg.opaque(math.sin, [eg.Real], eg.Real, pure=True)
cos = eg.opaque(math.cos, [eg.Real], eg.Real, pure=True)


@sin.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return sin(primals[0]), cos(primals[0]) * tangents[0]


@cos.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return cos(primals[0]), -sin(primals[0]) * tangents[0]


def test_sine_and_cosine_are_each_others_derivative_to_any_order(engines: Engines) -> None:
    x, f = 0.7, sin
    for expected in (math.sin(x), math.cos(x), -math.sin(x), -math.cos(x), math.sin(x)):
        assert engines(f, x) == expected
        f = eg.grad(f)


# ---------------------------------------------------------------- print

printed: list[float] = []


def note(x: float) -> float:
    """What `print` does, to where a test can read it."""
    printed.append(x)
    return x


print_ = eg.opaque(note, [eg.Real], eg.Real)


@print_.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return print_(primals[0]), tangents[0]


@eg.fn
def shown(x: eg.Real) -> eg.Real:
    return print_(print_(x) * x)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_print_happens_once_in_order_and_does_not_change_the_derivative(compiled: bool) -> None:
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


# ---------------------------------------------------------------- a square root with a clamped derivative

LEAST = 1e-5
"""The least root by which the derivative divides."""

sqrt = eg.fn([eg.Real], eg.Real)(m.sqrt)


@sqrt.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = sqrt(primals[0])
    return y, tangents[0] / (2 * m.maximum(y, LEAST))


def test_a_square_root_with_a_clamped_derivative_is_steep_but_finite_at_zero(engines: Engines) -> None:
    assert engines(eg.grad(sqrt), 4.0) == 0.25
    assert engines(eg.grad(sqrt), 0.0) == pytest.approx(0.5 / LEAST)
    distance = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: sqrt(x * x + y * y))
    assert engines(eg.grad(distance, (0, 1)), 3.0, 4.0) == pytest.approx((0.6, 0.8))
    assert engines(eg.grad(distance, (0, 1)), 0.0, 0.0) == (0.0, 0.0)


# ---------------------------------------------------------------- bounding boxes


class Point(NamedTuple):
    x: eg.Real
    y: eg.Real


class Box(NamedTuple):
    low: Point
    high: Point


class Circle(NamedTuple):
    centre: Point
    radius: eg.Real


class Rectangle(NamedTuple):
    corner: Point
    size: Point


@eg.fn
def box_of_circle(circle: Circle) -> Box:
    (x, y), r = circle
    return Box(Point(x - r, y - r), Point(x + r, y + r))


@eg.fn
def box_of_rectangle(rectangle: Rectangle) -> Box:
    (x, y), (width, height) = rectangle
    return Box(Point(x, y), Point(x + width, y + height))


@eg.fn
def union(a: Box, b: Box) -> Box:
    return Box(
        Point(m.minimum(a.low.x, b.low.x), m.minimum(a.low.y, b.low.y)),
        Point(m.maximum(a.high.x, b.high.x), m.maximum(a.high.y, b.high.y)),
    )


Group = list[Any]


def type_of(shape: Any) -> Any:
    """The type of a shape; a group is a list of shapes."""
    return tuple(map(type_of, shape)) if isinstance(shape, list) else type(shape)


def value_of(shape: Any) -> Any:
    return tuple(map(value_of, shape)) if isinstance(shape, list) else shape


def box_of(shape: Any) -> eg.Fn:
    """The function from shapes of this structure to their box, built by recursion over groups."""
    if isinstance(shape, Circle):
        return box_of_circle
    if isinstance(shape, Rectangle):
        return box_of_rectangle
    parts = [box_of(part) for part in shape]

    def box(group: Any) -> Any:
        whole, *rest = [part(value) for part, value in zip(parts, group, strict=True)]
        for other in rest:
            whole = union(whole, other)
        return whole

    return eg.fn([type_of(shape)], Box)(box)


DRAWING: Group = [
    Circle(Point(0.0, 0.0), 1.0),
    [Rectangle(Point(2.0, -3.0), Point(1.0, 5.0)), [Circle(Point(-4.0, 1.0), 0.5)]],
    Circle(Point(1.0, 4.0), 2.0),
]


def test_the_box_of_a_group_of_groups(engines: Engines) -> None:
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
