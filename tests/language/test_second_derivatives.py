"""Jacobians, Hessians, and derivatives of derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
from tests.engines import run
from tests.language.differentiated import LOG2, Line, approx, cube, m, polar, power, quadratic

Engines = Callable[..., Any]

# ---------------------------------------------------------------- jacobians and hessians

POLAR = ((1.0, 0.0), (0.0, 2.0))  # d(x, y)/d(r, t) at r = 2, t = 0


@pytest.mark.parametrize("jacobian", [eg.jacfwd, eg.jacrev])
def test_a_jacobian_has_the_structure_of_the_result_then_of_the_argument(
    engines: Engines, jacobian: Any
) -> None:
    assert engines(jacobian(polar, (0, 1)), 2.0, 0.0) == POLAR
    assert engines(jacobian(polar, (1, 0)), 2.0, 0.0) == tuple(row[::-1] for row in POLAR)
    assert engines(jacobian(polar), 2.0, 0.0) == (1.0, 0.0)
    assert engines(jacobian(polar, 1), 2.0, 0.0) == (0.0, 2.0)
    named = eg.fn([{"r": eg.Real, "t": eg.Real}])(
        lambda p: Line(p["r"] * m.cos(p["t"]), p["r"] * m.sin(p["t"]))
    )
    assert engines(jacobian(named), {"r": 2.0, "t": 0.0}) == Line({"r": 1.0, "t": 0.0}, {"r": 0.0, "t": 2.0})


@pytest.mark.parametrize("jacobian", [eg.jacfwd, eg.jacrev])
@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (20, 3), (3, 20), (20, 18), (0, 3), (3, 0)])
def test_a_jacobian_of_a_linear_map_is_its_matrix(
    engines: Engines, jacobian: Any, rows: int, columns: int
) -> None:
    matrix = [[float((3 * i + 7 * j) % 11) for j in range(columns)] for i in range(rows)]
    flat = [x for row in matrix for x in row]
    of = eg.Vec(columns, eg.Real)

    def product(v: Any) -> Any:
        table = eg.asarray(flat, eg.Vec(len(flat), eg.Real))
        return eg.vec(rows, lambda i: eg.sum(columns, lambda j: table[i * columns + j] * v[j]))

    assert engines(jacobian(eg.fn([of])(product)), [1.0] * columns) == matrix


@pytest.mark.parametrize("jacobian", [eg.jacfwd, eg.jacrev])
def test_a_jacobian_by_matrices_and_structs_is_right(engines: Engines, jacobian: Any) -> None:
    of = eg.Vec(2, {"a": eg.Real, "b": eg.Vec(2, eg.Real)})
    f = eg.fn([of])(lambda v: [v[0]["a"] * v[1]["b"][1], v[0]["b"][0] + 3 * v[1]["a"]])
    x = [{"a": 2.0, "b": [3.0, 4.0]}, {"a": 5.0, "b": [6.0, 7.0]}]
    assert engines(jacobian(f), x) == [
        [{"a": 7.0, "b": [0.0, 0.0]}, {"a": 0.0, "b": [0.0, 2.0]}],
        [{"a": 0.0, "b": [1.0, 0.0]}, {"a": 3.0, "b": [0.0, 0.0]}],
    ]


@pytest.mark.parametrize("jacobian", [eg.jacfwd, eg.jacrev])
def test_a_jacobian_contains_none_for_bools_of_the_result(engines: Engines, jacobian: Any) -> None:
    f = eg.fn([eg.Real])(lambda x: {"y": x * x, "p": x > 0, "u": None})
    assert engines(jacobian(f), 3.0) == {"y": 6.0, "p": None, "u": None}


def test_the_hessian_of_a_power_is_right(engines: Engines) -> None:
    expected = ((12.0, 4 + 12 * LOG2), (4 + 12 * LOG2, 8 * LOG2**2))
    assert engines(eg.hessian(power, (0, 1)), 2.0, 3.0) == approx(expected)
    assert engines(eg.hessian(power), 2.0, 3.0) == pytest.approx(12.0)


def test_a_hessian_has_the_structure_of_the_argument_twice(engines: Engines) -> None:
    assert engines(eg.hessian(quadratic), [1.0, 2.0, 3.0]) == [
        [0.0, 1.0, 0.0],
        [1.0, 0.0, 6.0],
        [0.0, 6.0, 4.0],
    ]
    f = eg.fn([{"a": eg.Real, "b": eg.Real}], eg.Real)(lambda s: s["a"] ** 2 * s["b"])
    assert engines(eg.hessian(f), {"a": 2.0, "b": 3.0}) == {
        "a": {"a": 6.0, "b": 4.0},
        "b": {"a": 4.0, "b": 0.0},
    }


def test_a_hessian_by_many_variables_is_right(engines: Engines) -> None:
    n = 20
    f = eg.fn([eg.Vec(n, eg.Real)], eg.Real)(lambda v: eg.sum(n - 1, lambda i: v[i] ** 2 * v[i + 1]))
    v = [1.0 + i for i in range(n)]
    expected = [[0.0] * n for _ in range(n)]
    for i in range(n - 1):
        expected[i][i] += 2 * v[i + 1]
        expected[i][i + 1] += 2 * v[i]
        expected[i + 1][i] += 2 * v[i]
    assert engines(eg.hessian(f), v) == expected


def test_hvp_is_the_hessian_times_a_vector(engines: Engines) -> None:
    assert eg.hvp(quadratic, ([1.0, 2.0, 3.0],), ([1.0, 10.0, 100.0],)) == ([10.0, 601.0, 460.0],)
    f = eg.fn([eg.Real, eg.Real])(lambda x, y: eg.hvp(power, (x, y), (1, 0)))
    assert engines(f, 2.0, 3.0) == approx((12.0, 4 + 12 * LOG2))


# ---------------------------------------------------------------- nesting


def all_second_derivatives(f: Any) -> dict[str, Any]:
    """Make functions that compute f'' in different modes. Keys are names such as "forward over reverse"."""
    forward = eg.fn([eg.Real], eg.Real)(lambda x: eg.jvp(f, (x,), (1,))[1])
    reverse = eg.fn([eg.Real], eg.Real)(lambda x: eg.vjp(f, x)[1](1)[0])
    return {
        "forward over forward": eg.fn([eg.Real], eg.Real)(lambda x: eg.jvp(forward, (x,), (1,))[1]),
        "forward over reverse": eg.fn([eg.Real], eg.Real)(lambda x: eg.jvp(reverse, (x,), (1,))[1]),
        "reverse over forward": eg.fn([eg.Real], eg.Real)(lambda x: eg.vjp(forward, x)[1](1)[0]),
        "reverse over reverse": eg.fn([eg.Real], eg.Real)(lambda x: eg.vjp(reverse, x)[1](1)[0]),
        "grad of grad": eg.grad(eg.grad(f)),
        "jacfwd of jacrev": eg.jacfwd(eg.jacrev(f)),
        "jacrev of jacfwd": eg.jacrev(eg.jacfwd(f)),
        "hessian": eg.hessian(f),
    }


PROGRAMS: dict[str, tuple[Any, float, float]] = {
    "a cube": (lambda x: x * x * x, 2.0, 12.0),
    "a function in a function": (lambda x: cube(m.sin(x)) / x, 1.3, math.nan),
    "a sum": (lambda x: eg.sum(7, lambda i: x**3 * eg.real(i)), 2.0, 252.0),
    "a sum of sums": (lambda x: eg.sum(4, lambda i: eg.sum(i, lambda j: x * x * eg.real(j))), 2.0, 8.0),
    "a vec that is read": (lambda x: eg.dot(eg.vec(9, lambda i: x * x * eg.real(i)), [1.0] * 9), 2.0, 72.0),
    "a branch": (lambda x: eg.cond(x > 0, lambda: x * x * x, lambda: x), 2.0, 12.0),
    "a branch in a loop": (
        lambda x: eg.sum(6, lambda i: eg.cond(i % 2 == 0, lambda: x**3, lambda: x**2)), 2.0, 42.0,
    ),
    "a loop with a carry": (lambda x: eg.fori_loop(0, 4, lambda i, c: c * x, 1.0), 2.0, 48.0),
    "a scan": (lambda x: eg.sum(eg.scan(lambda c, _: (c * x, c), 1.0, None, length=5)[1]), 2.0, 62.0),
    "a select": (lambda x: eg.select(x > 0, x * x * x, x), 2.0, 12.0),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_nesting_of_modes_gives_the_same_second_derivative(name: str) -> None:
    f, x, expected = PROGRAMS[name]
    function = eg.fn([eg.Real], eg.Real)(f)
    if math.isnan(expected):
        first, h = eg.grad(function), 1e-5
        expected = (first(x + h) - first(x - h)) / (2 * h)
        tolerance = 1e-8
    else:
        tolerance = 1e-13
    for mode, second in all_second_derivatives(function).items():
        assert run(second, x) == pytest.approx(expected, rel=tolerance), mode


# ---------------------------------------------------------------- perturbation confusion


def test_perturbations_are_not_confused_in_nested_gradients(engines: Engines) -> None:
    # d/dx [x · d/dy (x + y)] is 1. A system that confuses the perturbations of x and y returns 2 (Siskind
    # and Pearlmutter 2005).
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return x * eg.grad(lambda y: x + y)(1.0)

    assert engines(eg.grad(f), 1.0) == 1.0


def test_perturbations_are_not_confused_in_nested_jvps(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return x * eg.jvp(lambda y: x * y * y, (3.0,), (1.0,))[1]  # 6x²

    assert engines(f, 2.0) == 24.0
    g = eg.fn([eg.Real], eg.Real)(lambda x: eg.jvp(f, (x,), (1.0,))[1])
    assert engines(g, 2.0) == 24.0
    assert engines(eg.grad(f), 2.0) == 24.0


def test_perturbations_are_not_confused_through_a_returned_closure(engines: Engines) -> None:
    # Manzyuk et al. (2019) call such a confusion of perturbations the "amazing bug".
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        def shifted(g: Any) -> Any:
            return lambda y: g(y + x)

        return eg.grad(shifted(m.exp))(1.0) + shifted(shifted(m.exp))(1.0)

    assert engines(eg.grad(f), 0.0) == pytest.approx(3 * math.e)


def test_an_inner_gradient_in_a_loop_treats_outer_variables_as_constants(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return eg.sum(3, lambda i: eg.grad(lambda y: x * y**2)(eg.real(i)))  # Σ 2·x·i

    assert engines(f, 5.0) == 30.0
    assert engines(eg.grad(f), 5.0) == 6.0


def test_gradient_descent_can_be_differentiated(engines: Engines) -> None:
    # Ten steps of gradient descent on (w − x)² from w = 0 give w = x·(1 − 0.8¹⁰).
    @eg.fn
    def fitted(x: eg.Real) -> eg.Real:
        step = lambda i, w: w - 0.1 * eg.grad(lambda w: (w - x) ** 2)(w)  # noqa: E731
        return eg.fori_loop(0, 10, step, 0.0)

    assert engines(fitted, 3.0) == pytest.approx(3 * (1 - 0.8**10))
    assert engines(eg.grad(fitted), 3.0) == pytest.approx(1 - 0.8**10)
