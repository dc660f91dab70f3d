"""The programs of the Rose paper (Estep, Ni, Rothkopf, Sunshine: ECOOP 2024), in Python.

This file needs only Eglantine, so a browser's Python can run it too.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import eglantine as eg

m = eg.math

# ---------------------------------------------------------------- linear regression

X = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0]
Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
"""Anscombe's first data set (The American Statistician 27, 1973)."""

N = len(X)
RATE = 0.01
"""The learning rate of the gradient descent. With a rate of more than about 0.0108, it diverges on these
data."""


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
    """Compute the line with the least sum of squared errors by the normal equations."""
    mean_x, mean_y = math.fsum(X) / N, math.fsum(Y) / N
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in zip(X, Y, strict=True))
    slope /= math.fsum((x - mean_x) ** 2 for x in X)
    return Line(mean_y - slope * mean_x, slope)


# ---------------------------------------------------------------- x to the y


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


LOG2 = math.log(2)
GRADIENT = (12.0, 8 * LOG2)
HESSIAN = ((12.0, 4 + 12 * LOG2), (4 + 12 * LOG2, 8 * LOG2**2))


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


# ---------------------------------------------------------------- sine and cosine

sin = eg.opaque(math.sin, [eg.Real], eg.Real, pure=True)
cos = eg.opaque(math.cos, [eg.Real], eg.Real, pure=True)


@sin.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return sin(primals[0]), cos(primals[0]) * tangents[0]


@cos.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return cos(primals[0]), -sin(primals[0]) * tangents[0]


# ---------------------------------------------------------------- print

printed: list[float] = []


def note(x: float) -> float:
    """Append a number to the list `printed`. The tests use this instead of printing."""
    printed.append(x)
    return x


print_ = eg.opaque(note, [eg.Real], eg.Real)


@print_.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return print_(primals[0]), tangents[0]


@eg.fn
def shown(x: eg.Real) -> eg.Real:
    return print_(print_(x) * x)


# ---------------------------------------------------------------- a square root with a clamped derivative

LEAST = 1e-5
"""A lower limit for the root y in the derivative 1/(2y). If y is smaller, the derivative uses this number
instead of y."""

sqrt = eg.fn([eg.Real], eg.Real)(m.sqrt)


@sqrt.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = sqrt(primals[0])
    return y, tangents[0] / (2 * m.maximum(y, LEAST))


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
    """Return the type of a shape. The type of a list of shapes is a tuple."""
    return tuple(map(type_of, shape)) if isinstance(shape, list) else type(shape)


def value_of(shape: Any) -> Any:
    return tuple(map(value_of, shape)) if isinstance(shape, list) else shape


def box_of(shape: Any) -> eg.Fn:
    """Make a function that computes the bounding box of shapes with the same structure as `shape`."""
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

# ---------------------------------------------------------------- programs for each engine

RUNS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "hundred steps of gradient descent": (hundred_steps, (Line(0.0, 0.0),)),
    "gradient of the error": (eg.grad(mean_squared_error), (Line(1.0, 2.0),)),
    "power": (power, (2.0, 3.0)),
    "gradient of the power": (eg.grad(power, (0, 1)), (2.0, 3.0)),
    "Hessian of the power": (eg.hessian(power, (0, 1)), (2.0, 3.0)),
    "square root's clamped derivative": (eg.grad(sqrt), (0.0,)),
    "box of a group": (box_of(DRAWING), (value_of(DRAWING),)),
    "value and gradient of what is printed": (eg.value_and_grad(shown), (3.0,)),
    "host's second derivative of log": (eg.grad(eg.grad(log)), (2.0,)),
    "Hessian of the host's power": (eg.hessian(pow_, (0, 1)), (2.0, 3.0)),
    "host's fourth derivative of sine": (eg.grad(eg.grad(eg.grad(eg.grad(sin)))), (0.7,)),
}
"""Name of a program → its function and its arguments. Programs with "host" in their name use the host's
functions."""


def numbers(value: Any) -> list[str]:
    """List all numbers in a nested value, as hexadecimal texts."""
    if isinstance(value, tuple | list):
        return [number for part in value for number in numbers(part)]
    return [float(value).hex()]


def computed(run: Any) -> dict[str, list[str]]:
    """Run each program of `RUNS`. Return a dict from the programs' names to their results.

    run: a function such as `eg.compile`. We call `run(program)`, and then call its result.
    """
    return {name: numbers(run(f)(*args)) for name, (f, args) in RUNS.items()}
