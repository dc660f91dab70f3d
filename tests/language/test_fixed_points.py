"""The derivative of `eg.fixed_point` depends only on the fixed point, not on the steps that led to it."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg


@eg.fn
def root(a: eg.Real) -> eg.Real:
    """√a by Heron's method."""
    return eg.fixed_point(lambda x, a: 0.5 * (x + a / x), 1.0, a)


@eg.fn
def kepler(e: eg.Real, m: eg.Real) -> eg.Real:
    """Solve Kepler's equation E = m + e sin E for the eccentric anomaly E."""
    return eg.fixed_point(lambda x: m + e * eg.math.sin(x), 0.0)


def both(f: Any, *args: Any) -> Any:
    """Call f in the interpreter and as compiled code. Check that the values are equal, and return one."""
    value = f(*args)
    assert eg.compile(f)(*args) == value
    return value


def test_a_square_root_by_iteration_has_the_right_derivatives() -> None:
    assert both(root, 2.0) == pytest.approx(math.sqrt(2.0), rel=1e-15)
    assert both(eg.grad(root), 2.0) == pytest.approx(0.5 / math.sqrt(2.0), rel=1e-13)
    assert both(eg.hessian(root), 2.0) == pytest.approx(-0.25 * 2.0**-1.5, rel=1e-12)
    third = eg.grad(eg.grad(eg.grad(root)))
    assert third(2.0) == pytest.approx(0.375 * 2.0**-2.5, rel=1e-11)


def test_keplers_equation_has_the_right_derivatives_by_captured_values() -> None:
    e, m = 0.6, 1.1
    x = both(kepler, e, m)
    assert x == pytest.approx(m + e * math.sin(x), abs=1e-12)
    by_e, by_m = math.sin(x) / (1 - e * math.cos(x)), 1 / (1 - e * math.cos(x))
    assert both(eg.grad(kepler, (0, 1)), e, m) == pytest.approx((by_e, by_m), rel=1e-11)
    assert eg.jvp(kepler, (e, m), (1.0, 2.0))[1] == pytest.approx(by_e + 2 * by_m, rel=1e-11)
    eg.check_grads(kepler, (e, m), order=2)


def test_the_gradient_of_a_jacobi_solve_is_the_transposed_solve() -> None:
    n = 4
    A = [[4.0, 1.0, 0.0, 0.5], [0.5, 5.0, 1.0, 0.0], [1.0, 0.0, 3.0, 1.0], [0.0, 1.0, 1.0, 6.0]]
    V = eg.Vec(n, eg.Real)
    M = eg.Vec(n, V)

    @eg.fn
    def solve(a: M, b: V) -> V:
        def step(x: Any) -> Any:
            return eg.vec(n, lambda i: x[i] + (b[i] - eg.dot(a[i], x)) / a[i][i])

        return eg.fixed_point(step, [0.0] * n)

    numpy = pytest.importorskip("numpy")
    b, w = [1.0, 2.0, 3.0, 4.0], [1.0, -1.0, 0.5, 2.0]
    x = both(solve, A, b)
    assert x == pytest.approx(list(numpy.linalg.solve(A, b)), rel=1e-12)
    _, back = eg.vjp(solve, A, b)
    ct_a, ct_b = back(w)
    y = numpy.linalg.solve(numpy.transpose(A), w)
    assert ct_b == pytest.approx(list(y), rel=1e-11)
    for i in range(n):
        assert ct_a[i] == pytest.approx([-y[i] * x[j] for j in range(n)], rel=1e-10)
    loss = eg.fn([M, V], eg.Real)(lambda a, b: eg.norm(solve(a, b)))
    eg.check_grads(loss, (A, b), order=2)


def test_unknowns_and_arguments_may_have_any_type_of_reals() -> None:
    P = {"u": eg.Real, "v": eg.Vec(2, eg.Real)}

    @eg.fn
    def f(p: P, k: eg.Fin(3)) -> P:
        def step(x: Any, p: Any, k: Any) -> Any:
            return {
                "u": 0.3 * x["v"][0] + p["u"],
                "v": [0.2 * x["u"], eg.math.cos(x["v"][1]) * p["v"][k % 2]],
            }

        return eg.fixed_point(step, {"u": 0.0, "v": [0.0, 0.0]}, p, k)

    p = {"u": 1.0, "v": [0.5, 0.7]}
    x = both(f, p, 1)
    assert x["u"] == pytest.approx(1.0 / (1 - 0.06), rel=1e-12)
    assert x["v"][1] == pytest.approx(math.cos(x["v"][1]) * 0.7, rel=1e-12)
    eg.check_grads(eg.fn([P], eg.Real)(lambda p: f(p, 1)["u"] * f(p, 1)["v"][1]), (p,), order=2)


def test_the_gradient_of_a_fixed_point_stores_no_iterates() -> None:
    def iterated(rounds: int) -> int:
        slow = 1.0 - 1.0 / rounds
        f = eg.fn([eg.Real])(lambda a: eg.fixed_point(lambda x: slow * x + (1 - slow) * eg.math.sin(a), 0.0))
        k = eg.compile(eg.grad(f))
        assert k(0.3) == pytest.approx(math.cos(0.3), rel=1e-6)
        return k.memory_bytes

    assert iterated(10) == iterated(300) < 1000


def test_the_derivative_does_not_depend_on_the_starting_point() -> None:
    started = eg.fn([eg.Real, eg.Real])(lambda x0, a: eg.fixed_point(lambda x: eg.math.cos(x) * a, x0))
    assert eg.grad(started, (0, 1))(0.1, 0.9)[0] == 0.0
    assert eg.grad(started, 1)(0.1, 0.9) == pytest.approx(eg.grad(started, 1)(2.0, 0.9), rel=1e-12)


def test_fixed_points_may_be_nested_and_used_in_loops_and_branches() -> None:
    @eg.fn
    def f(a: eg.Real) -> eg.Real:
        inner = lambda y: eg.fixed_point(lambda x: 0.5 * eg.math.sin(x) + y, 0.0)  # noqa: E731
        outer = eg.fixed_point(lambda y: 0.3 * inner(y) + a, 0.0)
        looped = eg.fori_loop(0, 3, lambda _, c: eg.cond(c > 0.5, lambda: root(c + a), lambda: c * a), outer)
        return looped * outer

    both(f, 0.7)
    both(eg.grad(f), 0.7)
    eg.check_grads(f, (0.7,), order=2)


def test_an_iteration_that_does_not_converge_gives_nan() -> None:
    f = eg.fn([eg.Real])(lambda a: eg.fixed_point(lambda x: 2.0 * x + a, 1.0, limit=50))
    assert math.isnan(f(1.0))
    assert math.isnan(eg.compile(f)(1.0))


def test_outside_a_trace_fixed_point_computes_at_once() -> None:
    assert eg.fixed_point(lambda x, a: 0.5 * (x + a / x), 1.0, 9.0) == pytest.approx(3.0, rel=1e-15)


def test_unknowns_of_a_fixed_point_are_reals_of_constant_type() -> None:
    with pytest.raises(eg.TypeMismatchError, match="only Reals"):
        eg.fn([eg.Fin(3)])(lambda i: eg.fixed_point(lambda k: k, i))
    with pytest.raises(eg.TypeMismatchError, match=r"must return the type Real, .* it returned "):
        eg.fn([eg.Real])(lambda a: eg.fixed_point(lambda x: (x, a), a))
