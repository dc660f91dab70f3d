"""Figures of chapter 6, "The second derivative"."""

from __future__ import annotations

import math
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from docs.book.vectors import points
from eglantine import math as em

CIRCLE = 60
"""The number of straight pieces with which a circle is drawn."""


def road(x: Any) -> Any:
    """A road with bends."""
    return em.sin(x) + x / 4


def bend(f: Any, x: Any) -> tuple[Any, Any]:
    """The slope and the second derivative."""
    return eg.grad(f)(x), eg.grad(eg.grad(f))(x)


def radius(x: Any) -> Any:
    """The radius of the circle that fits the road best. It is negative where the road bends downwards."""
    slope, second = bend(road, x)
    return em.pow(1 + slope * slope, 1.5) / second


def circle() -> Shown:
    """The circle that fits a curve best."""

    def ring(x: Any) -> Any:
        slope, _ = bend(road, x)
        size = radius(x)
        steep = em.sqrt(1 + slope * slope)
        middle_x, middle_y = x - size * slope / steep, road(x) + size / steep

        def at(i: Any) -> Any:
            return eg.real(i) * (2 * math.pi / CIRCLE)

        return (
            eg.vec(CIRCLE + 1, lambda i: middle_x + size * em.cos(at(i))),
            eg.vec(CIRCLE + 1, lambda i: middle_y + size * em.sin(at(i))),
        )

    figure = eg.figure(
        road, x=(-1, 6), y=(-1.2, 3.19), at=eg.point((math.pi / 2, 1)), show=("quadratic",),
        paths={"circle": ring}, says=("The circle’s radius is {}", lambda x: abs(radius(x))),
    )  # fmt: skip
    return shown(
        figure,
        "At <i>x</i> = π/2 the road has the slope {slope} and the second derivative {second}. The circle that fits it "
        "best has a radius of {size}.",
        slope=bend(road, math.pi / 2)[0], second=bend(road, math.pi / 2)[1], size=abs(radius(math.pi / 2)),
    )  # fmt: skip


def saddle(x: Any, y: Any) -> Any:
    """A surface with all kinds of curvature."""
    return em.sin(x) * em.cos(y) + x * y / 6


def patch() -> Shown:
    """A surface with its quadratic."""
    figure = eg.figure(saddle, x=(-3, 3), y=(-3, 3), at=eg.point((1, 0.5)))
    here = eg.grad(saddle, (0, 1))(1.0, 0.5)
    (a, b), (_, d) = eg.hessian(saddle, (0, 1))(1.0, 0.5)

    def near(dx: float, dy: float) -> float:
        value = (
            saddle(1.0, 0.5) + here[0] * dx + here[1] * dy + (a * dx * dx + 2 * b * dx * dy + d * dy * dy) / 2
        )
        return float(abs(value - saddle(1.0 + dx, 0.5 + dy)))

    return shown(
        figure,
        "At (1, ½) the Hessian is ({a}, {b}; {b}, {d}). At a distance of 0.2 to the right the quadratic is wrong by "
        "{far}. At half that distance it is wrong by {close}, about an eighth of that.",
        a=a, b=b, d=d, far=near(0.2, 0.0), close=near(0.1, 0.0),
    )  # fmt: skip


def cubic(x: Any) -> Any:
    """A function with one zero, near 2.0946 (Newton's own example)."""
    return x * x * x - 2 * x - 5


def newton(x: Any) -> Any:
    """A step of Newton's method."""
    return x - cubic(x) / eg.grad(cubic)(x)


def zero() -> Shown:
    """Newton's way to a zero, along tangents."""

    def way(x: Any) -> Any:
        spots, at = [], x * 1.0
        for _ in range(5):
            there = newton(at)
            spots += [(at, 0.0), (at, cubic(at)), (there, 0.0)]
            at = there
        return points(spots)

    def ends(x: Any) -> Any:
        values = []
        for _ in range(4):
            x = newton(x)
            values.append(cubic(x))
        return tuple(values)

    figure = eg.figure(
        cubic, x=(1, 4), y=(-10, 40), at=eg.point((3.5, 0)), show=(), paths={"tangents": way},
        says=("f after 1, 2, 3, 4 steps: {}, {}, {}, {}", ends),
    )  # fmt: skip
    left = ends(2.0)
    return shown(
        figure,
        "From <i>x</i> = 2, where <i>f</i> = {start}, one step leaves <i>f</i> = {one}, two leave {two}, and three leave "
        "{three}. The number of right digits doubles with each step.",
        start=cubic(2.0), one=left[0], two=left[1], three=left[2],
    )  # fmt: skip


def products() -> Shown:
    """A figure of the Hessian times a direction: the change of the gradient in this direction."""

    def times(x: Any, y: Any, angle: Any) -> tuple[Any, Any]:
        turned = angle * math.pi / 180
        return eg.jvp(eg.grad(saddle, (0, 1)), (x, y), (em.cos(turned), em.sin(turned)))[1]

    def direction(x: Any, y: Any, angle: Any) -> Any:
        turned = angle * math.pi / 180
        return points([(x, y), (x + em.cos(turned), y + em.sin(turned))])

    def change(x: Any, y: Any, angle: Any) -> Any:
        across, up = times(x, y, angle)
        return points([(x, y), (x + across, y + up)])

    def curvature(x: Any, y: Any, angle: Any) -> Any:
        turned = angle * math.pi / 180
        across, up = times(x, y, angle)
        return across, up, across * em.cos(turned) + up * em.sin(turned)

    figure = eg.figure(
        saddle, x=(-3, 3), y=(-2, 2), at=eg.point((1, 0.5)), angle=eg.slider(0, 360, 30), kind="contour", show=(),
        paths={"direction": direction, "change": change},
        says=("The gradient changes by ({}, {}) per unit, and the curvature that way is {}", curvature),
    )  # fmt: skip
    (a, b), (_, d) = eg.hessian(saddle, (0, 1))(1.0, 0.5)
    along = times(1.0, 0.5, 30.0)
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    return shown(
        figure,
        "At (1, ½) the gradient changes by ({across}, {up}) for each unit at 30 degrees. The whole Hessian, multiplied "
        "with that direction, gives the same: it differs by at most {gap}.",
        across=along[0], up=along[1], gap=max(abs(along[0] - a * c - b * s), abs(along[1] - b * c - d * s)),
    )  # fmt: skip


FIGURES = {"circle": circle, "patch": patch, "zero": zero, "products": products}


def larger_eigenvalue() -> float:
    """The larger eigenvalue of the Hessian of x² − y² + 3xy."""
    (p, q), (_, r) = eg.hessian(lambda x, y: x * x - y * y + 3 * x * y, (0, 1))(0.5, 0.5)
    return float((p + r) / 2 + em.sqrt((p - r) * (p - r) / 4 + q * q))


NUMBERS = {
    "root": newton(newton(newton(newton(2.0)))),
    "larger": larger_eigenvalue(),
    "straight": math.pi,
    "level": math.sqrt(2 / 3),
}
