"""The interpreter computes exact derivatives of Fractions, and bounds of derivatives on intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import eglantine as eg
from tests.engines import bits

X, Y = Fraction(1, 3), Fraction(-5, 7)


# ---------------------------------------------------------------- Fractions


@pytest.mark.parametrize(
    ("f", "derivative"),
    [
        (lambda x: x / 3, Fraction(1, 3)),
        (lambda x: x * x / 3, 2 * X / 3),
        (lambda x: (x / 3) / 7 - x / 11, Fraction(1, 21) - Fraction(1, 11)),
        (lambda x: 1 / (3 * x), -1 / (3 * X * X)),
        (lambda x: x**5 - 2 * x**-3, 5 * X**4 + 6 * X**-4),
        (lambda x: (x + 1) / (x * x + 7), (7 - 2 * X - X * X) / (X * X + 7) ** 2),
        (lambda x: eg.sum(10, lambda i: x ** 2 / (eg.real(i) + 1)),
         2 * X * sum(Fraction(1, i + 1) for i in range(10))),
        (lambda x: eg.fori_loop(0, 6, lambda i, s: s * x / 3 + 1, 0.0),
         sum(k * X ** (k - 1) * Fraction(1, 3**k) for k in range(6))),
        (lambda x: eg.select(x > 0, x / 7, -x), Fraction(1, 7)),
        (lambda x: abs(x - 1) / 3, Fraction(-1, 3)),
        (lambda x: eg.math.maximum(x / 3, x / 9), Fraction(1, 3)),
        (lambda x: 5, 0),
    ],
)  # fmt: skip
def test_the_derivative_of_a_rational_function_is_exact(f: Any, derivative: Fraction) -> None:
    forward = eg.interp(lambda x: eg.jvp(f, (x,), (1,))[1])(X)
    for found in (eg.interp(eg.grad(f))(X), forward):
        assert isinstance(found, Fraction | int)
        assert found == derivative


def test_a_call_on_constants_is_computed_exactly() -> None:
    third = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x / y)
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * third(1.0, 3.0) + third(x, 7.0))
    assert eg.interp(eg.grad(f))(X) == Fraction(1, 3) + Fraction(1, 7)
    assert bits(eg.compile(eg.grad(f))(0.1)) == bits(1 / 3 + 1 / 7)


def test_a_hessian_is_exact() -> None:
    def f(x: Any, y: Any) -> Any:
        return x**3 * y / 3 + x / (y * 9)

    (xx, xy), (yx, yy) = eg.interp(eg.hessian(f, (0, 1)))(X, Y)
    assert (xx, yy) == (2 * X * Y, 2 * X / (9 * Y**3))
    assert xy == yx == X**2 - 1 / (9 * Y**2)


def test_the_gradient_of_a_vec_is_exact() -> None:
    v = [Fraction(k, 7) for k in range(1, 6)]
    f = eg.fn([eg.Vec(5, eg.Real)], eg.Real)(lambda v: eg.dot(v, v) / 3 / v[0])
    norm = sum(x * x for x in v)
    first = 2 * v[0] / (3 * v[0]) - norm / (3 * v[0] ** 2)
    assert eg.interp(eg.grad(f))(v) == [first, *(2 * x / (3 * v[0]) for x in v[1:])]


def test_emitted_code_contains_exact_constants_rounded_to_floats() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x / 3)
    body = eg.compile(eg.grad(f)).wat.split("func $main")[-1]
    assert "f64.div" not in body
    assert bits(eg.compile(eg.grad(f))(2.0)) == bits(1 / 3)


# ---------------------------------------------------------------- intervals


class Interval:
    """An interval: all numbers from lo to hi.

    Operations round lo down and hi up, so that the result contains every possible value.
    """

    def __init__(self, lo: Any, hi: Any = None) -> None:
        self.lo, self.hi = float(lo), float(lo if hi is None else hi)
        assert self.lo <= self.hi

    def __repr__(self) -> str:
        return f"Interval({self.lo}, {self.hi})"

    def __contains__(self, x: Any) -> bool:
        return bool(self.lo <= x <= self.hi)

    @property
    def width(self) -> float:
        return self.hi - self.lo

    def __add__(self, other: Any) -> Interval:
        y = interval(other)
        return outward([self.lo + y.lo, self.hi + y.hi])

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __sub__(self, other: Any) -> Interval:
        return self + -interval(other)

    def __rsub__(self, other: Any) -> Interval:
        return interval(other) - self

    def __mul__(self, other: Any) -> Interval:
        y = interval(other)
        return outward([a * b for a in (self.lo, self.hi) for b in (y.lo, y.hi)])

    def __truediv__(self, other: Any) -> Interval:
        y = interval(other)
        if 0.0 in y:
            raise ZeroDivisionError
        return outward([a / b for a in (self.lo, self.hi) for b in (y.lo, y.hi)])

    def __rtruediv__(self, other: Any) -> Interval:
        return interval(other) / self

    def sin(self) -> Interval:
        middle, radius = (self.lo + self.hi) / 2, self.width / 2
        return outward([math.sin(middle) - radius, math.sin(middle) + radius])

    def cos(self) -> Interval:
        return (self + math.pi / 2).sin()

    __radd__ = __add__
    __rmul__ = __mul__


def interval(x: Any) -> Interval:
    return x if isinstance(x, Interval) else Interval(x)


def outward(corners: list[float]) -> Interval:
    return Interval(math.nextafter(min(corners), -math.inf), math.nextafter(max(corners), math.inf))


def rational(x: Any) -> Any:
    return (x**3 - 2 * x) / (x * x + 3) / 7


def horner(x: Any) -> Any:
    return eg.fori_loop(0, 6, lambda i, s: s * x / 3 + eg.real(i), 1.0)


def series(x: Any) -> Any:
    return eg.sum(8, lambda i: x**2 / (eg.real(i) + 3) - x)


@pytest.mark.parametrize("f", [rational, horner, series])
@pytest.mark.parametrize("derive", [eg.grad, lambda f: eg.grad(eg.grad(f)), eg.hessian, eg.jacfwd])
@pytest.mark.parametrize(("lo", "hi"), [(0.5, 0.75), (-1.25, -1.0), (-0.125, 0.25), (2.0, 2.0)])
def test_an_interval_contains_the_derivative_at_all_its_points(
    f: Any, derive: Callable[[Any], Any], lo: float, hi: float
) -> None:
    found = eg.interp(derive(f))(Interval(lo, hi))
    exact = eg.interp(derive(f))
    steps = 16
    for k in range(steps + 1):
        assert exact(Fraction(lo) + (Fraction(hi) - Fraction(lo)) * k / steps) in found
    assert found.width < 100 * (hi - lo) + 1e-12


def test_an_enclosure_of_the_derivative_proves_that_a_function_increases() -> None:
    slope = eg.interp(eg.grad(lambda x: 3 * x + eg.math.sin(x) * x / 2))(Interval(0.0, 1.0))
    assert slope.lo > 0
    assert eg.grad(lambda x: 3 * x + eg.math.sin(x) * x / 2)(0.5) in slope
