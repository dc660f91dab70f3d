"""`eg.jacobian` uses the mode that runs fewer operations."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine.analysis.work import work
from eglantine.functions.choosing import jacobian_fn
from eglantine.optimise.pipeline import optimise


def operations(f: Any) -> int:
    return work(optimise(f.function))


def wide(x: Any) -> Any:
    return [eg.sum(40, lambda i: eg.math.sin(x[i]) * x[i]), eg.sum(40, lambda i: x[i] ** 3)]


def tall(x: Any) -> Any:
    return eg.vec(40, lambda i: eg.math.sin(x[0] * eg.real(i)) * x[1])


def through_a_bottleneck(x: Any) -> Any:
    """Compute 24 results from 20 numbers. All results are multiples of one number, `total`."""
    total = eg.fori_loop(0, 100, lambda _, c: eg.math.sin(c) + eg.sum(20, lambda i: x[i]), 0.0)
    return eg.vec(24, lambda i: total * eg.real(i))


FUNCTIONS = {"wide": (wide, 40, eg.jacrev), "tall": (tall, 2, eg.jacfwd)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_jacobian_is_computed_by_the_mode_with_fewer_operations(name: str) -> None:
    f, n, mode = FUNCTIONS[name]
    g = eg.fn([eg.Vec(n, eg.Real)])(f)
    other = eg.jacfwd if mode is eg.jacrev else eg.jacrev
    assert 2 * operations(mode(g)) < operations(other(g))
    chosen = jacobian_fn(g, 0)
    assert operations(chosen) == operations(mode(g))
    x = [0.1 * k - 0.7 for k in range(n)]
    J = eg.jacobian(f)(x)
    for row, expected in zip(J, eg.jacfwd(f)(x), strict=True):
        assert list(row) == pytest.approx(list(expected), rel=1e-13)


def test_operations_decide_and_not_numbers_of_arguments_and_results() -> None:
    g = eg.fn([eg.Vec(20, eg.Real)])(through_a_bottleneck)
    modes = {mode: operations(mode(g)) for mode in (eg.jacfwd, eg.jacrev)}
    assert operations(jacobian_fn(g, 0)) == min(modes.values())


def test_a_jacobian_by_several_arguments_has_their_structure() -> None:
    f = lambda x, p: {"u": x[0] * p["a"], "v": [x[1], p["a"] ** 2]}  # noqa: E731 - a function without a name
    x = ([2.0, 3.0], {"a": 5.0})
    assert eg.jacobian(f, (0, 1))(*x) == eg.jacfwd(f, (0, 1))(*x)


def test_operations_are_counted_through_loops_branches_and_calls() -> None:
    @eg.fn
    def square(x: eg.Real) -> eg.Real:
        return x * x

    def f(x: Any) -> Any:
        return eg.fori_loop(0, 7, lambda _, c: eg.cond(c > 0.0, lambda: square(c) + 1.0, lambda: c), x)

    # Each of the 7 rounds does three operations: a comparison, a product (in the call) and a sum.
    assert work(eg.fn([eg.Real])(f).function) == 7 * 3
    assert work(eg.fn([eg.Real])(lambda x: eg.math.sin(x) * 2.0).function) == 21
