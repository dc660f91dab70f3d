"""An arm that a select or cond does not choose has no effect on derivatives, even at its singularities.

Each tested function has the form f(x) = select(x > 0, arm(x), 0), where the arm has a singularity at 0. At
x = 0 all derivatives of f must be 0 in every mode. At x = 4 they must be the derivatives of the arm.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg

Engines = Callable[..., Any]
m = eg.math

root = eg.fn([eg.Real], eg.Real)(m.sqrt)
ruled = eg.fn([eg.Real], eg.Real)(m.sqrt)


@ruled.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = ruled(primals[0])
    return y, 0.5 * tangents[0] / y


def big(x: Any) -> Any:
    """Compute √x with superfluous rows, so that the function is too long to be inlined."""
    for _ in range(20):
        x = x + eg.sum(2, lambda i, x=x: 0.0 * eg.real(i) * x)
    return m.sqrt(x)


long = eg.fn([eg.Real], eg.Real)(big)


def carried(x: Any) -> Any:
    return eg.fori_loop(0, 2, lambda i, c: m.sqrt(c * c * x) / m.sqrt(c), 1.0 + 0.0 * x)


def vector(x: Any) -> Any:
    return [x, 2 * x, 3 * x, 4 * x, 5 * x, 6 * x]


ARMS: dict[str, Callable[[Any], Any]] = {
    "sqrt": m.sqrt,
    "division": lambda x: 1 / x,
    "log": m.log,
    "pow": lambda x: x**0.5,
    "pow of a variable": lambda x: m.pow(x, x),
    "cbrt": m.cbrt,
    "a call": root,
    "calls of a long function": lambda x: long(x) + long(2 * x),
    "a custom rule": ruled,
    "a sum": lambda x: eg.sum(3, lambda i: m.sqrt(x * eg.real(i + 1))),
    "a sum of an invariant": lambda x: eg.sum(3, lambda i: m.sqrt(x) * eg.real(i)),
    "a carry": carried,
    "a while loop": lambda x: eg.while_loop(lambda c: c > 1.5, m.sqrt, x + 0.0),
    "a branch": lambda x: eg.cond(x < 9, lambda: m.sqrt(x), lambda: m.log(x)),
    "a value that a branch uses": lambda x: _branched(m.sqrt(x), x),
    "a vec": lambda x: eg.vec(6, lambda i: m.sqrt(x * eg.real(i + 1)))[3],
    "a sum over a vec": lambda x: eg.sum(m.sqrt(eg.asarray(vector(x)))),
    "a norm": lambda x: m.sqrt(eg.dot(vector(x), vector(x))),
    "a sum in a sum": lambda x: eg.sum(2, lambda i: eg.sum(2, lambda j: m.sqrt(x * eg.real(i + j + 1)))),
    "vecs in a sum": lambda x: eg.sum(
        2, lambda i: eg.sum(eg.vec(6, lambda j: m.log(x * eg.real(i + j + 1))))
    ),
    "an index": lambda x: eg.sum(3, lambda i: m.sqrt(eg.asarray(vector(x))[i])),
    "a nested select": lambda x: eg.select(x < 9, m.sqrt(x), m.log(x)),
    "a select of a loop in a select": lambda x: eg.select(
        x < 9, eg.sum(3, lambda i: m.sqrt(x * eg.real(i + 1))), m.log(x)
    ),
    "an update": lambda x: m.sqrt(eg.asarray(vector(x)).at[2].set(x * x)[2] * x),
}


def _branched(y: Any, x: Any) -> Any:
    return eg.cond(x < 9, lambda: 2 * y, lambda: y)


def chosen(arm: Callable[[Any], Any]) -> Any:
    return eg.fn([eg.Real], eg.Real)(lambda x: eg.select(x > 0, arm(x), 0))


def singular(arm: Callable[[Any], Any]) -> Any:
    return eg.fn([eg.Real], eg.Real)(arm)


def derivatives(f: Any) -> dict[str, Any]:
    """Make the derivatives of f up to order three in all modes. The key "fr" means forward over reverse."""
    found: dict[str, Any] = {"": f}
    for _ in range(3):
        found |= {
            mode + name: make(g)
            for name, g in found.items()
            for mode, make in (("r", eg.grad), ("f", eg.jacfwd))
            if len(name) == len(max(found, key=len))
        }
    return {name: g for name, g in found.items() if name}


@pytest.mark.parametrize("name", ARMS)
def test_an_untaken_arm_has_derivative_zero_to_third_order_in_every_mode(engines: Engines, name: str) -> None:
    f = chosen(ARMS[name])
    assert engines(f, 0.0) == 0.0
    for mode, g in derivatives(f).items():
        assert g(0.0) == 0.0, mode
    for g in (eg.grad(f), eg.hessian(f), eg.grad(eg.grad(f)), eg.grad(eg.jacfwd(f))):
        assert engines(g, 0.0) == 0.0


@pytest.mark.parametrize("name", ARMS)
def test_the_arm_that_is_taken_has_the_derivatives_of_its_expression(name: str) -> None:
    f, g = derivatives(chosen(ARMS[name])), derivatives(singular(ARMS[name]))
    for mode in f:
        assert f[mode](4.0) == pytest.approx(g[mode](4.0), rel=1e-12), mode


def test_the_derivative_of_the_arm_that_is_taken_may_be_infinite() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.select(x >= 0, eg.sum(3, lambda i: m.sqrt(x)), 0))
    assert eg.grad(f)(0.0) == float("inf")


@pytest.mark.parametrize("n", [1, 3, 6, 20])
@pytest.mark.parametrize("choose", [eg.select, m.where])
def test_elements_of_a_vec_that_are_not_chosen_have_gradient_zero(
    engines: Engines, n: int, choose: Any
) -> None:
    f = eg.fn([eg.Vec(n, eg.Real)], eg.Real)(lambda v: eg.sum(choose(v > 0, m.sqrt(v), 0.0)))
    assert engines(eg.grad(f), [0.0] * n) == [0.0] * n
    assert engines(eg.grad(f), [0.0] * (n - 1) + [4.0]) == [0.0] * (n - 1) + [0.25]
    assert engines(eg.hessian(f), [0.0] * n) == [[0.0] * n] * n
    log = eg.fn([eg.Vec(n, eg.Real)], eg.Real)(lambda v: eg.dot(choose(v > 0, v * m.log(2 * v), 0.0), v))
    assert engines(eg.grad(log), [0.0] * n) == [0.0] * n
    assert eg.jacfwd(eg.grad(log))([0.0] * n) == [[0.0] * n] * n


def test_a_vec_that_is_not_chosen_has_gradient_zero(engines: Engines) -> None:
    f = eg.fn([eg.Vec(6, eg.Real), eg.Real], eg.Real)(
        lambda v, x: eg.sum(eg.select(x > 0, m.sqrt(v * x), eg.asarray([0.0] * 6)))
    )
    assert engines(eg.grad(f, (0, 1)), [1.0] * 6, 0.0) == ([0.0] * 6, 0.0)
    assert engines(eg.grad(f, (0, 1)), [1.0] * 6, 4.0) == ([1.0] * 6, 1.5)


def test_an_array_read_by_a_loop_in_an_arm_not_taken_has_gradient_zero(engines: Engines) -> None:
    def f(v: Any, x: Any) -> Any:
        return eg.select(x > 0, eg.sum(6, lambda i: m.sqrt(v[i])), 0) + eg.sum(v) * x

    g = eg.fn([eg.Vec(6, eg.Real), eg.Real], eg.Real)(f)
    assert engines(eg.grad(g), [0.0] * 6, 0.0) == [0.0] * 6
    assert engines(eg.grad(g), [4.0] * 6, 1.0) == [1.25] * 6
    assert engines(eg.hessian(g), [0.0] * 6, 0.0) == [[0.0] * 6] * 6


def test_a_value_used_only_in_an_arm_not_taken_has_gradient_zero(engines: Engines) -> None:
    def f(x: Any) -> Any:
        y = m.sqrt(x)
        return eg.cond(x > 0, lambda: 2 * y, lambda: 0.0)

    g = eg.fn([eg.Real], eg.Real)(f)
    assert engines(eg.grad(g), 0.0) == 0.0
    assert engines(eg.grad(g), 4.0) == 0.5
    assert engines(eg.grad(eg.grad(g)), 0.0) == 0.0


def test_a_value_not_chosen_inside_a_loop_has_gradient_zero(engines: Engines) -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.sum(3, lambda i: eg.select(x > 0, m.sqrt(x) * eg.real(i), 0)))
    for g in (eg.grad(f), eg.grad(eg.grad(f)), eg.hessian(f)):
        assert engines(g, 0.0) == 0.0
    assert engines(eg.grad(f), 4.0) == 0.75


# ---------------------------------------------------------------- selects in loops


def chosen_in_a_sum(x: Any, v: Any) -> Any:
    return eg.sum(3, lambda i: eg.select(v[i] > 0, m.sqrt(x), 0.0))


def chosen_by_an_inner_loop(x: Any, v: Any) -> Any:
    return eg.sum(3, lambda i: eg.sum(1, lambda j: eg.select(v[i] > eg.real(j), 1 / (1 / m.sqrt(x)), 0.0)))


def chosen_by_two_loops(x: Any, v: Any) -> Any:
    root, inverse = m.sqrt(x), 1 / x
    first = eg.sum(3, lambda i: eg.select(v[i] > 0, root * root * inverse, 0.0))
    return first * eg.sum(3, lambda i: eg.cond(v[i] > 0, lambda: root, lambda: 0.0)) / 3


def chosen_in_a_while_loop(x: Any, v: Any) -> Any:
    def step(carry: Any) -> Any:
        count, total = carry
        return count + 1, total + eg.select((count > 0) & (v[0] + v[1] > -2 * count), m.sqrt(x) * v[2], 0.0)

    return eg.while_loop(lambda carry: carry[0] < 2 + 0 * v[1], step, (0.0, 0.0))[1]


@pytest.mark.parametrize(
    ("f", "slope"),
    [(chosen_in_a_sum, 3.0), (chosen_by_an_inner_loop, 3.0), (chosen_by_two_loops, 3.0),
     (chosen_in_a_while_loop, 1.0)],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_a_value_that_no_round_of_a_loop_chooses_contributes_0(
    engines: Engines, f: Any, slope: float
) -> None:
    g = eg.fn([eg.Real, eg.Vec(3, eg.Real)], eg.Real)(f)
    never, always = [-3.0, -3.0, -3.0], [1.0, 1.0, 1.0]
    assert engines(eg.grad(g), 0.0, never) == 0.0
    assert engines(eg.grad(eg.grad(g)), 0.0, never) == 0.0
    assert math.isclose(engines(eg.grad(g), 4.0, always), slope / 4)
    eg.check_grads(g, (4.0, [1.0, 2.0, -1.0]))
