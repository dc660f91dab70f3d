"""Figures of chapter 1, "What is a derivative?"."""

from __future__ import annotations

from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from eglantine import math as em

LN_10 = 2.302585092994046
LEAST = -17.0
"""The height at which the picture of errors draws an error of 0, because 0 has no logarithm."""


def square(x: Any) -> Any:
    """The first curve of the book."""
    return x * x


def secant_slope(f: Any, a: Any, h: Any) -> Any:
    """The slope of the secant from a to a + h: the rise of f, divided by h."""
    return (f(a + h) - f(a)) / h


def secants() -> Shown:
    """A secant that turns into the tangent."""

    def secant(x: Any, a: Any, h: Any) -> Any:
        return square(a[0]) + secant_slope(square, a[0], h) * (x - a[0])

    def tangent(x: Any, a: Any) -> Any:
        return square(a[0]) + eg.grad(square)(a[0]) * (x - a[0])

    def slopes(a: Any, h: Any) -> Any:
        return secant_slope(square, a[0], h), eg.grad(square)(a[0])

    figure = eg.figure(
        [square, secant, tangent],
        x=(-1, 3), y=(-1, 6), a=eg.point((1, 1), on="curve"), h=eg.slider(0.01, 1.5, 1), show=(),
        says=("The secant rises {} per unit of x, and the tangent {}", slopes),
    )  # fmt: skip
    return shown(
        figure,
        "At <i>x</i> = 1 the secant of <i>x</i>² rises {wide} per unit for <i>h</i> = 1, {near} for "
        "<i>h</i> = 0.1 and {close} for <i>h</i> = 0.01. The tangent rises {slope}.",
        wide=secant_slope(square, 1.0, 1.0),
        near=secant_slope(square, 1.0, 0.1),
        close=secant_slope(square, 1.0, 0.01),
        slope=eg.grad(square)(1.0),
    )


def wave(x: Any) -> Any:
    """A wave on a parabola. Under a magnifying glass, the curve looks straight."""
    return em.sin(3.0 * x) + x * x / 2


def magnified() -> Shown:
    """A curve under a magnifying glass."""

    def curve(u: Any, zoom: Any, at: Any) -> Any:
        width = em.exp(-LN_10 * zoom)
        return (wave(at + u * width) - wave(at)) / width

    def tangent(u: Any, at: Any) -> Any:
        return eg.grad(wave)(at) * u

    def largest_gap(zoom: float, at: float) -> float:
        places = [k / 100 for k in range(-100, 101)]
        return float(max(abs(curve(u, zoom, at) - tangent(u, at)) for u in places))

    figure = eg.figure(
        [curve, tangent], u=(-1, 1), y=(-3, 3), zoom=eg.slider(0, 3, 0), at=eg.slider(-2, 2, 0.5), show=(),
        says=("A piece of the curve of width {}", lambda zoom: 2 * em.exp(-LN_10 * zoom)),
    )  # fmt: skip
    return shown(
        figure,
        "Magnify the curve 10 times around <i>x</i> = ½, and it differs from its tangent by at most {ten} of the "
        "picture’s half width. Magnified 100 times it differs by {hundred}, and 1000 times by {thousand}.",
        ten=largest_gap(1.0, 0.5),
        hundred=largest_gap(2.0, 0.5),
        thousand=largest_gap(3.0, 0.5),
    )


def hill(x: Any) -> Any:
    """The cubic x³ − 3x. It has a top at x = −1 and a bottom at x = 1."""
    return x * x * x - 3 * x


def slopes() -> Shown:
    """A figure of a function and its derivative in one picture."""
    derivative = eg.grad(hill)

    def slope(x: Any) -> Any:
        return derivative(x)

    figure = eg.figure([hill, slope], x=(-2.2, 2.2), y=(-4, 6), at=eg.point((-1, 0)), show=("tangent",))
    return shown(
        figure,
        "Where the blue curve has its top (<i>x</i> = −1, height {top}) and its bottom (<i>x</i> = 1, height "
        "{bottom}), its derivative is {left} and {right}. The derivative is smallest, {steepest}, where the "
        "curve falls most steeply.",
        top=hill(-1.0),
        bottom=hill(1.0),
        left=derivative(-1.0),
        right=derivative(1.0),
        steepest=derivative(0.0),
    )


def forward_error(f: Any, x: float, h: Any) -> Any:
    """The error of the secant's slope."""
    return abs(secant_slope(f, x, h) - eg.grad(f)(x))


def central_error(f: Any, x: float, h: Any) -> Any:
    """Return the error of the central difference (f(x + h) − f(x − h)) / 2h."""
    return abs((f(x + h) - f(x - h)) / (2 * h) - eg.grad(f)(x))


def complex_error(h: Any) -> Any:
    """Return the error of the complex step Im sin(1 + ih) / h, compared with the derivative cos 1."""
    return abs(em.sin(eg.Complex(1.0, h)).im / h - em.cos(1.0))


def digits(error: Any) -> Any:
    """Return the decimal logarithm of an error. For an error of 0, return `LEAST`."""
    return eg.select(error > 0.0, em.log10(em.maximum(error, 1e-300)), LEAST)


def vee() -> Shown:
    """A figure that shows how the errors of three difference formulas depend on the step."""

    def forward(t: Any) -> Any:
        return digits(forward_error(em.sin, 1.0, em.exp(LN_10 * t)))

    def central(t: Any) -> Any:
        return digits(central_error(em.sin, 1.0, em.exp(LN_10 * t)))

    def complex_step(t: Any) -> Any:
        return digits(complex_error(em.exp(LN_10 * t)))

    complex_step.__name__ = "complex"
    figure = eg.figure(
        [forward, central, complex_step], t=(-16, 0), y=(-18, 1), show=(), at=eg.point((-8, 0)),
    )  # fmt: skip
    return shown(
        figure,
        "For sin at 1, the secant with <i>h</i> = 0.1 is wrong by {large}. With <i>h</i> = 10<sup>−8</sup> "
        "it is wrong by {best}, and with <i>h</i> = 10<sup>−15</sup> by {tiny}, more than at first. "
        "The complex step with <i>h</i> = 10<sup>−15</sup> is wrong by {exact}.",
        large=float(forward_error(em.sin, 1.0, 0.1)),
        best=float(forward_error(em.sin, 1.0, 1e-8)),
        tiny=float(forward_error(em.sin, 1.0, 1e-15)),
        exact=float(complex_error(1e-15)),
    )


def corner() -> Shown:
    """A curve that has no slope at one place."""

    def size(x: Any) -> Any:
        return abs(x)

    def secant(x: Any, h: Any) -> Any:
        return abs(h) / h * x

    figure = eg.figure(
        [size, secant], x=(-2, 2), y=(-2, 2), h=eg.slider(-1, 1, 0.5), show=(),
        says=("The secant from 0 to h rises {} per unit", lambda h: abs(h) / h),
    )  # fmt: skip
    return shown(
        figure,
        "However small <i>h</i> is, the secant of |<i>x</i>| from 0 rises {right} per unit if <i>h</i> is "
        "positive, and {left} if it is negative. So |<i>x</i>| has no derivative at 0.",
        right=secant_slope(abs, 0.0, 1e-9),
        left=secant_slope(abs, 0.0, -1e-9),
    )


FIGURES = {
    "secants": secants, "magnified": magnified, "slopes": slopes, "vee": vee, "corner": corner,
}  # fmt: skip
NUMBERS = {
    "cubed": eg.grad(lambda x: x * x * x)(2.0),
    "secant": (2.5 * 2.5 - 2.0 * 2.0) / 0.5,
    "steep": ((9 + 3) / 3) ** 0.5,
}
