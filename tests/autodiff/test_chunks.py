"""Forward mode gives the same bits for one direction at a time and for several directions at once."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg
from tests.laws.comparing import bits


def rosenbrock(n: int) -> Any:
    return eg.fn([eg.Vec(n, eg.Real)], eg.Real)(
        lambda x: eg.sum(n - 1, lambda i: 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2)
    )


def points(n: int) -> list[float]:
    return [math.sin(7.0 * k + 1.0) for k in range(n)]


CHUNKS = [None, *range(1, 13), 100]


@pytest.mark.parametrize("chunk", CHUNKS)
def test_rosenbrocks_function_has_the_published_derivatives(chunk: int | None) -> None:
    f = rosenbrock(3)
    assert eg.jacfwd(f, chunk=chunk)([0.1, 0.2, 0.3]) == pytest.approx([-9.4, 15.6, 52.0], rel=1e-14)
    H = eg.jacfwd(eg.grad(f), chunk=chunk)([0.1, 0.2, 0.3])
    expected = [[-66.0, -40.0, 0.0], [-40.0, 130.0, -80.0], [0.0, -80.0, 200.0]]
    for row, own in zip(H, expected, strict=True):
        assert row == pytest.approx(own, rel=1e-14)


@pytest.mark.parametrize("n", [17, 24, 31])
def test_the_chunk_size_changes_no_bit_of_a_jacobian(n: int) -> None:
    f = rosenbrock(n)
    expected = bits(eg.jacfwd(f, chunk=1)(points(n)))
    hessian = bits(eg.hessian(f)(points(n)))
    for chunk in (None, 2, 3, 5, 7, 12, n, n + 5):
        J = eg.jacfwd(f, chunk=chunk)
        assert bits(J.interpreted(points(n))) == expected
        assert bits(eg.compile(J)(points(n))) == expected
        assert bits(eg.compile(eg.jacfwd(eg.grad(f), chunk=chunk))(points(n))) == hessian


def test_chunks_work_for_structures_loops_and_branches() -> None:
    point = {"a": eg.Real, "b": eg.Vec(2, eg.Real)}

    def f(p: Any, y: Any) -> Any:
        total = eg.while_loop(lambda c: c < 10.0, lambda c: c * 1.5 + p[3]["a"], y[0] ** 2 + 1.0)
        return {
            "u": eg.vec(7, lambda i: p[i]["a"] * p[6 - i]["b"][0]),
            "v": eg.cond(total > 1.0, lambda: total, lambda: y[1]),
        }

    g = eg.fn([eg.Vec(7, point), eg.Vec(2, eg.Real)])(f)
    p = [{"a": 0.1 * k + 0.5, "b": [0.3 * k, 1.0 - k]} for k in range(7)]
    for argnums in (0, (0, 1), (1, 0)):
        expected = eg.jacfwd(g, argnums, chunk=1)(p, [0.5, 2.0])
        for chunk in (None, 4, 5, 12):
            assert eg.jacfwd(g, argnums, chunk=chunk)(p, [0.5, 2.0]) == expected
            assert eg.compile(eg.jacfwd(g, argnums, chunk=chunk))(p, [0.5, 2.0]) == expected
    transposed = eg.jacrev(g)(p, [0.5, 2.0])
    forward = eg.jacfwd(g, chunk=4)(p, [0.5, 2.0])
    assert forward["v"][3]["a"] == pytest.approx(transposed["v"][3]["a"], rel=1e-14)
    assert forward["u"][2][4]["b"] == pytest.approx(transposed["u"][2][4]["b"], rel=1e-14)


def test_a_jacobian_in_chunks_can_be_differentiated() -> None:
    n = 20
    f = rosenbrock(n)

    def total(x: Any) -> Any:
        g = eg.jacfwd(f, chunk=6)(x)
        return eg.sum(n, lambda i: g[i] * g[i])

    def expected(x: Any) -> Any:
        g = eg.grad(f)(x)
        return eg.sum(n, lambda i: g[i] * g[i])

    for d in (eg.grad, eg.jacfwd):
        assert d(total)(points(n)) == pytest.approx(d(expected)(points(n)), rel=1e-12)


@pytest.mark.parametrize("chunk", [0, -1, 2.0, True, "3"])
def test_a_chunk_that_is_not_a_positive_integer_is_an_error(chunk: Any) -> None:
    with pytest.raises(eg.TypeMismatchError, match="at least 1"):
        eg.jacfwd(rosenbrock(3), chunk=chunk)
