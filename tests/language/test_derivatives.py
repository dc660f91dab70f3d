"""Every transform gives right derivatives, outside and inside a trace, nested, and in any container."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import eglantine as eg
from tests.engines import run

Engines = Callable[..., Any]
m = eg.math

LOG2 = math.log(2.0)


class Line(NamedTuple):
    slope: eg.Real
    offset: eg.Real


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


@eg.fn
def polar(r: eg.Real, t: eg.Real) -> (eg.Real, eg.Real):  # type: ignore[valid-type]
    return r * m.cos(t), r * m.sin(t)


cube = eg.fn([eg.Real], eg.Real)(lambda x: x * x * x)
quadratic = eg.fn([eg.Vec(3, eg.Real)], eg.Real)(lambda v: v[0] * v[1] + v[1] * v[2] ** 2)


def approx(value: Any, rel: float = 1e-13) -> Any:
    """Like pytest.approx, but for numbers in nested tuples, lists and dicts."""
    if isinstance(value, dict):
        return {name: approx(item, rel) for name, item in value.items()}
    if isinstance(value, list | tuple):
        items = [approx(item, rel) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value if value is None else pytest.approx(value, rel=rel)


# ---------------------------------------------------------------- jvp, linearize


def test_jvp_gives_the_value_and_its_change() -> None:
    y, dy = eg.jvp(power, (2.0, 3.0), (1.0, 10.0))
    assert y == 8.0
    assert dy == pytest.approx(12 + 80 * LOG2)


def test_jvp_inside_a_trace(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Real])(lambda x, dx: eg.jvp(power, (x, 3), (dx, 0)))
    assert engines(f, 2.0, 1.0) == approx((8.0, 12.0))


def test_jvp_is_linear_in_its_tangent() -> None:
    _, a = eg.jvp(polar, (2.0, 0.5), (1.0, 0.0))
    _, b = eg.jvp(polar, (2.0, 0.5), (0.0, 1.0))
    _, c = eg.jvp(polar, (2.0, 0.5), (3.0, -2.0))
    assert c == approx(tuple(3 * p - 2 * q for p, q in zip(a, b, strict=True)))


def test_tangents_of_bools_indices_and_units_are_none(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Bool, eg.Fin(3), eg.Unit])(lambda x, p, i, u: (x * x, p, i, u, eg.real(i) * x))
    y, dy = eg.jvp(f, (3.0, True, 2, None), (1.0, None, None, None))
    assert y == (9.0, True, 2, None, 6.0)
    assert dy == (6.0, None, None, None, 2.0)
    g = eg.fn([eg.Real, eg.Bool, eg.Fin(3)])(
        lambda x, p, i: eg.jvp(f, (x, p, i, None), (1, None, None, None))[1]
    )
    assert engines(g, 3.0, True, 2) == (6.0, None, None, None, 2.0)


def test_the_tangent_of_a_vec_of_bools_is_none() -> None:
    f = eg.fn([eg.Vec(2, eg.Bool), eg.Real])(lambda p, x: (p, eg.select(p[0], x, 2 * x)))
    y, dy = eg.jvp(f, ([False, True], 3.0), (None, 1.0))
    assert y == ([False, True], 6.0)
    assert dy == (None, 2.0)


def test_linearize_gives_a_function_that_is_called_more_than_once() -> None:
    y, df = eg.linearize(power, 2.0, 3.0)
    assert y == 8.0
    assert df(1.0, 0.0) == pytest.approx(12.0)
    assert df(0.0, 1.0) == pytest.approx(8 * LOG2)


def test_linearize_inside_a_trace(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real) -> (eg.Real, eg.Real, eg.Real):  # type: ignore[valid-type]
        y, df = eg.linearize(cube, x)
        return y, df(1), df(x)

    assert engines(f, 2.0) == (8.0, 12.0, 24.0)


# ---------------------------------------------------------------- vjp


def test_vjp_gives_the_value_and_a_function_that_is_called_more_than_once() -> None:
    y, pull = eg.vjp(polar, 2.0, 0.0)
    assert y == (2.0, 0.0)
    assert pull((1.0, 0.0)) == (1.0, 0.0)
    assert pull((0.0, 1.0)) == (0.0, 2.0)
    assert pull((1.0, 0.0)) == (1.0, 0.0)


def test_vjp_inside_a_trace(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real, y: eg.Real):  # type: ignore[no-untyped-def]
        z, pull = eg.vjp(power, x, y)
        return z, pull(1), pull(10.0)

    z, once, ten = engines(f, 2.0, 3.0)
    assert z == 8.0
    assert once == approx((12.0, 8 * LOG2))
    assert ten == approx((120.0, 80 * LOG2))


def test_cotangents_have_their_arguments_containers() -> None:
    Data = {"x": eg.Vec(2, eg.Real), "on": eg.Bool}

    @eg.fn
    def f(line: Line, data: Data, k: eg.Fin(2)) -> eg.Real:  # type: ignore[valid-type]
        return line.slope * data["x"][k] + line.offset

    _, pull = eg.vjp(f, Line(2.0, 1.0), {"x": [5.0, 7.0], "on": True}, 1)
    assert pull(1.0) == (Line(7.0, 1.0), {"x": [0.0, 2.0], "on": None}, None)


def test_vjp_is_the_transpose_of_jvp() -> None:
    f = eg.fn([eg.Vec(3, eg.Real)])(
        lambda v: [v[0] * m.sin(v[1]), v[2] / v[0], m.exp(v[1] * v[2]), eg.sum(v)]
    )
    x, dx, ct = [1.5, 0.3, -0.7], [0.2, -1.0, 0.4], [1.0, 2.0, -3.0, 0.5]
    _, dy = eg.jvp(f, (x,), (dx,))
    _, pull = eg.vjp(f, x)
    (ct_x,) = pull(ct)
    forward = sum(a * b for a, b in zip(ct, dy, strict=True))
    assert forward == pytest.approx(sum(a * b for a, b in zip(ct_x, dx, strict=True)), rel=1e-14)


# ---------------------------------------------------------------- grad


def test_an_int_gives_the_bare_gradient_and_a_tuple_a_tuple(engines: Engines) -> None:
    assert engines(eg.grad(power), 2.0, 3.0) == pytest.approx(12.0)
    assert engines(eg.grad(power, 1), 2.0, 3.0) == pytest.approx(8 * LOG2)
    assert engines(eg.grad(power, argnums=-1), 2.0, 3.0) == pytest.approx(8 * LOG2)
    assert engines(eg.grad(power, (0, 1)), 2.0, 3.0) == approx((12.0, 8 * LOG2))
    assert engines(eg.grad(power, (1,)), 2.0, 3.0) == approx((8 * LOG2,))
    assert engines(eg.grad(power, (1, 0)), 2.0, 3.0) == approx((8 * LOG2, 12.0))


def test_value_and_grad(engines: Engines) -> None:
    assert engines(eg.value_and_grad(power), 2.0, 3.0) == approx((8.0, 12.0))
    assert engines(eg.value_and_grad(power, (0, 1)), 2.0, 3.0) == approx((8.0, (12.0, 8 * LOG2)))


def test_a_gradient_has_its_arguments_container(engines: Engines) -> None:
    f = eg.fn([Line, {"x": eg.Real, "p": eg.Bool}], eg.Real)(
        lambda line, at: line.slope * at["x"] + line.offset
    )
    assert engines(eg.grad(f, (0, 1)), Line(2.0, 1.0), {"x": 5.0, "p": True}) == (
        Line(5.0, 1.0),
        {"x": 2.0, "p": None},
    )
    assert engines(eg.grad(quadratic), [1.0, 2.0, 3.0]) == [2.0, 10.0, 12.0]


def test_the_gradient_by_a_vec_of_structs(engines: Engines) -> None:
    f = eg.fn([eg.Vec(2, Line)], eg.Real)(lambda v: v[0].slope * v[1].offset)
    assert engines(eg.grad(f), [Line(1.0, 2.0), Line(3.0, 4.0)]) == [Line(4.0, 0.0), Line(0.0, 1.0)]


def test_the_gradient_by_an_argument_without_reals_is_none(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Bool], eg.Real)(lambda x, p: eg.select(p, x, -x))
    assert engines(eg.grad(f, (0, 1)), 3.0, False) == (-1.0, None)


def test_the_gradient_of_a_constant_is_zero(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Vec(3, eg.Real)], eg.Real)(lambda x, v: 7)
    assert engines(eg.value_and_grad(f, (0, 1)), 1.0, [1.0, 2.0, 3.0]) == (7.0, (0.0, [0.0, 0.0, 0.0]))


def test_plain_functions_and_jit_are_differentiated_too(engines: Engines) -> None:
    assert engines(eg.grad(lambda x, y: x * x * y), 3.0, 2.0) == 12.0
    assert engines(eg.grad(eg.jit(lambda v: eg.sum(v * v))), [1.0, 2.0]) == [2.0, 4.0]
    f = eg.fn([eg.Real], eg.Real)(
        lambda x: eg.grad(lambda y: y * y * y)(x) + eg.grad(eg.jit(lambda y: y * y))(x)
    )
    assert engines(f, 2.0) == 16.0
    assert eg.jvp(lambda x: x * x, (3.0,), (1.0,)) == (9.0, 6.0)
    assert eg.vjp(lambda x: x * x, 3.0)[1](1.0) == (6.0,)


def test_a_gradient_is_a_function_that_can_be_called_inside_another(engines: Engines) -> None:
    gradient = eg.grad(cube)
    assert isinstance(gradient, eg.Fn)
    f = eg.fn([eg.Real], eg.Real)(lambda x: gradient(x) * x)
    assert engines(f, 2.0) == 24.0
    assert engines(eg.grad(f), 2.0) == 36.0


def test_gradients_nest_to_the_fourth_order(engines: Engines) -> None:
    f, factor = eg.fn([eg.Real], eg.Real)(lambda x: x**5), 1.0
    for n in range(5, 1, -1):
        f, factor = eg.grad(f), factor * n
        assert engines(f, 2.0) == pytest.approx(factor * 2.0 ** (n - 1), rel=1e-14)


def test_numpy_arguments_give_numpy_gradients(engines: Engines) -> None:
    value, gradient = engines(eg.value_and_grad(quadratic), np.array([1.0, 2.0, 3.0]))
    assert value == 20.0
    assert isinstance(gradient, np.ndarray)


# ---------------------------------------------------------------- jacobians and hessians

POLAR = ((1.0, 0.0), (0.0, 2.0))  # d(x, y)/d(r, t) at r = 2, t = 0


@pytest.mark.parametrize("jacobian", [eg.jacfwd, eg.jacrev])
def test_a_jacobian_has_the_results_structure_over_the_arguments(engines: Engines, jacobian: Any) -> None:
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
def test_a_jacobian_over_matrices_and_structs(engines: Engines, jacobian: Any) -> None:
    of = eg.Vec(2, {"a": eg.Real, "b": eg.Vec(2, eg.Real)})
    f = eg.fn([of])(lambda v: [v[0]["a"] * v[1]["b"][1], v[0]["b"][0] + 3 * v[1]["a"]])
    x = [{"a": 2.0, "b": [3.0, 4.0]}, {"a": 5.0, "b": [6.0, 7.0]}]
    assert engines(jacobian(f), x) == [
        [{"a": 7.0, "b": [0.0, 0.0]}, {"a": 0.0, "b": [0.0, 2.0]}],
        [{"a": 0.0, "b": [1.0, 0.0]}, {"a": 3.0, "b": [0.0, 0.0]}],
    ]


@pytest.mark.parametrize("jacobian", [eg.jacfwd, eg.jacrev])
def test_a_jacobian_of_a_result_with_bools_has_none_there(engines: Engines, jacobian: Any) -> None:
    f = eg.fn([eg.Real])(lambda x: {"y": x * x, "p": x > 0, "u": None})
    assert engines(jacobian(f), 3.0) == {"y": 6.0, "p": None, "u": None}


def test_the_hessian_of_a_power(engines: Engines) -> None:
    expected = ((12.0, 4 + 12 * LOG2), (4 + 12 * LOG2, 8 * LOG2**2))
    assert engines(eg.hessian(power, (0, 1)), 2.0, 3.0) == approx(expected)
    assert engines(eg.hessian(power), 2.0, 3.0) == pytest.approx(12.0)


def test_a_hessian_is_the_arguments_structure_over_itself(engines: Engines) -> None:
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


def test_a_hessian_of_many_variables_is_a_loop(engines: Engines) -> None:
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
    """The second derivative of f: Real → Real by every pair of modes."""
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
    # d/dx [x · d/dy (x + y)] = 1. Confusing the perturbations gives 2 (Siskind and Pearlmutter 2005).
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
    # The "amazing bug" of Manzyuk et al. (2019): differentiate λx. λg. λy. g(y + x) at 0 and apply it twice.
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        def shifted(g: Any) -> Any:
            return lambda y: g(y + x)

        return eg.grad(shifted(m.exp))(1.0) + shifted(shifted(m.exp))(1.0)

    assert engines(eg.grad(f), 0.0) == pytest.approx(3 * math.e)


def test_a_gradient_inside_a_loop_body_sees_the_outer_variable_as_constant(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return eg.sum(3, lambda i: eg.grad(lambda y: x * y**2)(eg.real(i)))  # Σ 2·x·i

    assert engines(f, 5.0) == 30.0
    assert engines(eg.grad(f), 5.0) == 6.0


def test_gradient_descent_is_itself_differentiable(engines: Engines) -> None:
    # Ten steps of gradient descent on (w − x)² from w = 0 give w = x·(1 − 0.8¹⁰).
    @eg.fn
    def fitted(x: eg.Real) -> eg.Real:
        step = lambda i, w: w - 0.1 * eg.grad(lambda w: (w - x) ** 2)(w)  # noqa: E731
        return eg.fori_loop(0, 10, step, 0.0)

    assert engines(fitted, 3.0) == pytest.approx(3 * (1 - 0.8**10))
    assert engines(eg.grad(fitted), 3.0) == pytest.approx(1 - 0.8**10)
