"""Every transform gives right derivatives. Transforms may be nested and called inside an `fn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from tests.language.differentiated import LOG2, Line, approx, cube, m, polar, power, quadratic

Engines = Callable[..., Any]


# ---------------------------------------------------------------- jvp, linearize


def test_jvp_gives_the_value_and_the_tangent() -> None:
    y, dy = eg.jvp(power, (2.0, 3.0), (1.0, 10.0))
    assert y == 8.0
    assert dy == pytest.approx(12 + 80 * LOG2)


def test_jvp_works_inside_a_trace(engines: Engines) -> None:
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


def test_the_function_that_linearize_returns_can_be_called_repeatedly() -> None:
    y, df = eg.linearize(power, 2.0, 3.0)
    assert y == 8.0
    assert df(1.0, 0.0) == pytest.approx(12.0)
    assert df(0.0, 1.0) == pytest.approx(8 * LOG2)


def test_linearize_works_inside_a_trace(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real) -> (eg.Real, eg.Real, eg.Real):  # type: ignore[valid-type]
        y, df = eg.linearize(cube, x)
        return y, df(1), df(x)

    assert engines(f, 2.0) == (8.0, 12.0, 24.0)


# ---------------------------------------------------------------- vjp


def test_the_function_that_vjp_returns_can_be_called_repeatedly() -> None:
    y, pull = eg.vjp(polar, 2.0, 0.0)
    assert y == (2.0, 0.0)
    assert pull((1.0, 0.0)) == (1.0, 0.0)
    assert pull((0.0, 1.0)) == (0.0, 2.0)
    assert pull((1.0, 0.0)) == (1.0, 0.0)


def test_vjp_works_inside_a_trace(engines: Engines) -> None:
    @eg.fn
    def f(x: eg.Real, y: eg.Real):  # type: ignore[no-untyped-def]
        z, pull = eg.vjp(power, x, y)
        return z, pull(1), pull(10.0)

    z, once, ten = engines(f, 2.0, 3.0)
    assert z == 8.0
    assert once == approx((12.0, 8 * LOG2))
    assert ten == approx((120.0, 80 * LOG2))


def test_a_cotangent_has_the_same_container_as_its_argument() -> None:
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


def test_grad_returns_a_tuple_if_argnums_is_a_tuple(engines: Engines) -> None:
    assert engines(eg.grad(power), 2.0, 3.0) == pytest.approx(12.0)
    assert engines(eg.grad(power, 1), 2.0, 3.0) == pytest.approx(8 * LOG2)
    assert engines(eg.grad(power, argnums=-1), 2.0, 3.0) == pytest.approx(8 * LOG2)
    assert engines(eg.grad(power, (0, 1)), 2.0, 3.0) == approx((12.0, 8 * LOG2))
    assert engines(eg.grad(power, (1,)), 2.0, 3.0) == approx((8 * LOG2,))
    assert engines(eg.grad(power, (1, 0)), 2.0, 3.0) == approx((8 * LOG2, 12.0))


def test_value_and_grad_returns_the_value_and_the_gradient(engines: Engines) -> None:
    assert engines(eg.value_and_grad(power), 2.0, 3.0) == approx((8.0, 12.0))
    assert engines(eg.value_and_grad(power, (0, 1)), 2.0, 3.0) == approx((8.0, (12.0, 8 * LOG2)))


def test_a_gradient_has_the_same_container_as_its_argument(engines: Engines) -> None:
    f = eg.fn([Line, {"x": eg.Real, "p": eg.Bool}], eg.Real)(
        lambda line, at: line.slope * at["x"] + line.offset
    )
    assert engines(eg.grad(f, (0, 1)), Line(2.0, 1.0), {"x": 5.0, "p": True}) == (
        Line(5.0, 1.0),
        {"x": 2.0, "p": None},
    )
    assert engines(eg.grad(quadratic), [1.0, 2.0, 3.0]) == [2.0, 10.0, 12.0]


def test_the_gradient_by_a_vec_of_structs_is_a_list_of_structs(engines: Engines) -> None:
    f = eg.fn([eg.Vec(2, Line)], eg.Real)(lambda v: v[0].slope * v[1].offset)
    assert engines(eg.grad(f), [Line(1.0, 2.0), Line(3.0, 4.0)]) == [Line(4.0, 0.0), Line(0.0, 1.0)]


def test_the_gradient_by_an_argument_without_reals_is_none(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Bool], eg.Real)(lambda x, p: eg.select(p, x, -x))
    assert engines(eg.grad(f, (0, 1)), 3.0, False) == (-1.0, None)


def test_the_gradient_of_a_constant_is_zero(engines: Engines) -> None:
    f = eg.fn([eg.Real, eg.Vec(3, eg.Real)], eg.Real)(lambda x, v: 7)
    assert engines(eg.value_and_grad(f, (0, 1)), 1.0, [1.0, 2.0, 3.0]) == (7.0, (0.0, [0.0, 0.0, 0.0]))


def test_plain_functions_and_jit_functions_can_be_differentiated(engines: Engines) -> None:
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


def test_nested_gradients_give_derivatives_to_order_four(engines: Engines) -> None:
    f, factor = eg.fn([eg.Real], eg.Real)(lambda x: x**5), 1.0
    for n in range(5, 1, -1):
        f, factor = eg.grad(f), factor * n
        assert engines(f, 2.0) == pytest.approx(factor * 2.0 ** (n - 1), rel=1e-14)


def test_the_gradient_by_a_numpy_array_is_a_numpy_array(engines: Engines) -> None:
    value, gradient = engines(eg.value_and_grad(quadratic), np.array([1.0, 2.0, 3.0]))
    assert value == 20.0
    assert isinstance(gradient, np.ndarray)
