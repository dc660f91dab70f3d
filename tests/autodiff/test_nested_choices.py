"""A derivative of nested choices grows linearly with their depth, and skips arms that do not run."""

from __future__ import annotations

import math

import pytest

import eglantine as eg
from tests.engines import run

DEEP = 2_000


def chain(n: int) -> eg.Fn:
    """Start with y = a. For k = 0 … n − 1, replace y by y·a if x > k, and by x otherwise."""

    @eg.fn([eg.Real, eg.Real], eg.Real)
    def f(x: eg.Real, a: eg.Real) -> eg.Real:
        y = a
        for k in range(n):
            y = eg.select(x > float(k), y * a, x)
        return y

    return f


@pytest.mark.parametrize("n", [20, 200])
def test_the_derivative_of_nested_choices_grows_linearly_with_their_number(n: int) -> None:
    once, twice = (len(eg.grad(chain(k), argnums=(0, 1)).function.block.rows) for k in (n, 2 * n))
    assert twice < 2.5 * once


def test_choices_thousands_deep_are_differentiated() -> None:
    """If x > k for every k, y = a·aⁿ. If only the first two conditions hold, y = x."""
    gradient = eg.grad(chain(DEEP), argnums=(0, 1))
    assert run(gradient, 1e9, 1.0) == (0.0, DEEP + 1.0)
    assert run(gradient, 1.5, 2.0) == (1.0, 0.0)


@pytest.mark.parametrize("depth", [1, 2, 15, 16, 17, 40])
def test_an_arm_not_taken_contributes_nothing_at_any_depth_of_nesting(depth: int) -> None:
    """The result contains √x only if `depth` nested conditions on z hold.

    All conditions hold in the third call and, for depth 1, also in the fourth. In the other calls, the
    outermost condition fails.
    """

    @eg.fn([eg.Real, eg.Real], eg.Real)
    def f(x: eg.Real, z: eg.Real) -> eg.Real:
        y = eg.math.sqrt(x)
        for k in range(depth):
            y = eg.select((z > float(k)) & (z < 100.0 - float(depth - 1 - k)), y + y, x)
        return y

    gradient = eg.grad(f)
    assert run(gradient, 0.0, -1.0) == 1.0  # the outermost arm is x itself
    assert run(gradient, 0.0, 100.0) == 1.0
    assert run(gradient, 0.25, 50.0) == math.ldexp(1.0, depth)
    assert run(gradient, 0.0, 0.5) == (1.0 if depth > 1 else math.inf)
