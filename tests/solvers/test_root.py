"""Tests of `root`, which finds zeros of functions. For a function without zeros, `success` is False."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg

maths = eg.math


def test_root_solves_a_scalar_equation() -> None:
    r = eg.root(lambda x: maths.cos(x) - x, 1.0)
    assert r.success
    assert r.x == pytest.approx(0.7390851332151607, rel=1e-15)  # OEIS A003957


def test_unknowns_and_equations_may_have_different_structures() -> None:
    r = eg.root(lambda v: {"p": v["a"] - v["b"], "q": v["a"] ** 3 - 8.0}, {"a": 1.0, "b": 1.0})
    assert r.success
    assert r.x == {"a": pytest.approx(2.0), "b": pytest.approx(2.0)}
    assert r.fun == {"p": pytest.approx(0.0, abs=1e-14), "q": pytest.approx(0.0, abs=1e-14)}
    assert len(r.jac) == len(r.jac[0]) == 2


def test_root_passes_further_arguments_to_the_function() -> None:
    assert eg.root(lambda x, c: maths.exp(x) - c, 0.0, args=(5.0,)).x == pytest.approx(math.log(5.0))


def test_root_converges_for_an_equation_at_which_newtons_method_diverges() -> None:
    r = eg.root(maths.atan, 10.0)
    assert r.success
    assert r.x == pytest.approx(0.0, abs=1e-15)


def test_root_solves_powells_badly_scaled_function() -> None:
    def f(v: Any) -> Any:
        return [1e4 * v[0] * v[1] - 1, maths.exp(-v[0]) + maths.exp(-v[1]) - 1.0001]

    r = eg.root(f, [0.0, 1.0])
    assert r.success
    assert r.x == pytest.approx([1.09815933e-5, 9.10614674], rel=1e-7)  # Moré, Garbow and Hillstrom (1981)


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_root_solves_broydens_tridiagonal_function(n: int) -> None:
    def f(v: Any) -> Any:
        return [
            (3 - 2 * v[i]) * v[i] - (v[i - 1] if i else 0.0) - 2 * (v[i + 1] if i + 1 < n else 0.0) + 1
            for i in range(n)
        ]

    r = eg.root(f, [-1.0] * n)
    assert r.success
    assert max(map(abs, r.fun)) < 1e-14


def test_root_finds_a_double_root() -> None:
    r = eg.root(lambda x: (x - 1.0) ** 2, 3.0)
    assert r.success
    assert r.x == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("f", [lambda x: x * x + 1.0, maths.cosh, lambda x: maths.exp(x) + 0.1])
def test_a_function_without_roots_is_no_success(f: Any) -> None:
    r = eg.root(f, 1.0)
    assert not r.success
    assert r.status in ("no root", "iterations")
    assert r.message.startswith("Not converged")


def test_the_numbers_of_equations_and_unknowns_must_agree() -> None:
    with pytest.raises(eg.ShapeError, match="least_squares"):
        eg.root(lambda v: v[0], [1.0, 2.0])


def test_a_start_that_is_not_finite_is_an_error() -> None:
    with pytest.raises(eg.NotFiniteError):
        eg.root(maths.log, -1.0)


def test_a_numpy_start_gives_a_numpy_solution() -> None:
    np = pytest.importorskip("numpy")
    r = eg.root(lambda v: v - eg.asarray([1.0, 2.0]), np.zeros(2))
    assert isinstance(r.x, np.ndarray)
    assert isinstance(r.fun, np.ndarray)
    assert r.x.tolist() == [1.0, 2.0]
