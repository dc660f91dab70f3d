"""Tests of `least_squares`: nested unknowns, bounds, arguments and errors."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg
from eglantine.solvers import solves
from tests.engines import HAS_WASM

maths = eg.math


def rosenbrock(x: Any) -> Any:
    return [10 * (x[1] - x[0] ** 2), 1 - x[0]]


def test_an_outcome_has_the_attributes_of_scipys() -> None:
    r = eg.least_squares(rosenbrock, [-1.2, 1.0])
    assert r.success
    assert r.x == pytest.approx([1.0, 1.0], abs=1e-12)
    assert r.cost == pytest.approx(0.0, abs=1e-25)
    assert r.fun == pytest.approx([0.0, 0.0], abs=1e-12)
    assert r.jac == [pytest.approx([-20.0, 10.0]), pytest.approx([-1.0, 0.0])]
    assert r.optimality <= 1e-12
    assert 0 < r.nit <= r.nfev
    assert r.status == "converged"
    assert r.message.startswith("Converged")


def test_the_solution_has_the_structure_of_the_start() -> None:
    def f(p: Any) -> Any:
        return {"a": p["u"] - 3.0, "b": (p["v"][0] - p["u"], p["v"][1] - 1.0)}

    r = eg.least_squares(f, {"u": 0.0, "v": [0.0, 0.0]})
    assert r.x == {"u": 3.0, "v": [3.0, 1.0]}
    assert r.fun == [0.0, 0.0, 0.0]
    assert r.jac == [[1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def test_nested_vecs_are_flattened_row_by_row() -> None:
    def f(p: Any) -> Any:
        return [[p[i][j] - 3.0 * i - j for j in range(3)] for i in range(2)]

    r = eg.least_squares(f, [[0.0] * 3 for _ in range(2)])
    assert r.x == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert len(r.fun) == len(r.jac) == len(r.jac[0]) == 6


def test_a_problem_may_have_one_residual_and_one_parameter() -> None:
    r = eg.least_squares(lambda x: x * x - 2.0, 1.0)
    assert r.x == pytest.approx(math.sqrt(2.0))
    assert (len(r.fun), r.jac) == (1, [[pytest.approx(2 * math.sqrt(2.0))]])


def test_many_parameters_are_flattened_by_a_loop() -> None:
    n = 40
    r = eg.least_squares(lambda p: (p["a"] - 1.0, p["b"] * 2.0), {"a": [0.0] * n, "b": [1.0] * n})
    assert r.x == {"a": [1.0] * n, "b": [0.0] * n}


@pytest.mark.parametrize(
    "bounds",
    [[(None, 0.5), (0, 1)], ([-math.inf, 0.0], [0.5, 1.0]), ((None, 0.5), (0, 1)), (None, [0.5, 1.0])],
)
def test_bounds_may_be_pairs_or_two_structures(bounds: Any) -> None:
    r = eg.least_squares(rosenbrock, [-1.2, 1.0], bounds=bounds)
    assert r.success
    assert r.x == pytest.approx([0.5, 0.25])
    assert r.optimality == pytest.approx(0.0, abs=1e-8)


def test_bounds_of_a_dict_may_be_two_dicts_or_pairs_in_order() -> None:
    def f(p: Any) -> Any:
        return [p["u"] - 3.0, p["v"] + 1.0]

    by_dicts = eg.least_squares(f, {"u": 0.0, "v": 0.0}, bounds=({"u": 0, "v": 0}, {"u": 2, "v": None}))
    by_pairs = eg.least_squares(f, {"u": 0.0, "v": 0.0}, bounds=[(0, 2), (0, None)])
    assert by_dicts.x == by_pairs.x == {"u": 2.0, "v": 0.0}


def test_equal_bounds_fix_a_parameter() -> None:
    r = eg.least_squares(rosenbrock, [1.2, 1.0], bounds=[(None, None), (4.0, 4.0)])
    assert r.x[1] == 4.0
    assert r.x[0] == pytest.approx(2 - 1 / 1600, abs=1e-5)  # to first order, by hand


@pytest.mark.parametrize(
    ("bounds", "error"),
    [([(0, 1)], eg.ShapeError), ([(1, 0), (0, 1)], eg.ShapeError), (3, eg.TypeMismatchError),
     ({"a": 1}, eg.TypeMismatchError), ([(0, 1), 5], eg.TypeMismatchError)],
)  # fmt: skip
def test_contradictory_bounds_are_an_error(bounds: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        eg.least_squares(rosenbrock, [-1.2, 1.0], bounds=bounds)


@pytest.mark.skipif(not HAS_WASM, reason="counts kernels")
def test_new_arguments_are_used_without_compiling_again() -> None:
    @eg.fn([eg.Vec(2, eg.Real), eg.Vec(3, eg.Real)])
    def f(p: Any, y: Any) -> Any:
        return [p[0] + p[1] * t - y[t] for t in range(3)]

    first = eg.least_squares(f, [0.0, 0.0], args=([1.0, 2.0, 3.0],))
    kernels = len(solves._solves)
    second = eg.least_squares(f, [0.0, 0.0], args=([1.0, 3.0, 5.0],))
    assert len(solves._solves) == kernels
    assert first.x == pytest.approx([1.0, 1.0])
    assert second.x == pytest.approx([1.0, 2.0])


def test_a_plain_function_is_traced_again_if_its_captured_values_change() -> None:
    target = 1.0

    def f(x: Any) -> Any:
        return x - target

    assert eg.least_squares(f, 0.0).x == 1.0
    target = 2.0
    assert eg.least_squares(f, 0.0).x == 2.0


def test_steps_to_values_that_are_not_finite_are_shortened() -> None:
    r = eg.least_squares(lambda x: maths.log(x) - 2.0, 100.0)
    assert r.success
    assert r.x == pytest.approx(math.exp(2.0))


@pytest.mark.parametrize(
    ("f", "x0", "why"), [(maths.log, -1.0, "log of a negative"), (maths.sqrt, 0.0, "sqrt")]
)
def test_a_start_that_is_not_finite_is_an_error(f: Any, x0: float, why: str) -> None:
    with pytest.raises(eg.NotFiniteError, match=why):
        eg.least_squares(f, x0)


def test_dependent_parameters_or_too_few_residuals_are_no_error() -> None:
    assert eg.least_squares(lambda x: x[0] * x[1] - 6.0, [1.0, 1.0]).cost == pytest.approx(0.0, abs=1e-20)
    assert eg.least_squares(lambda x: [x[0] + x[1] - 3.0], [1.0, 5.0]).cost == pytest.approx(0.0, abs=1e-20)
    assert eg.least_squares(lambda x: [1.0, 2.0, 0.0 * x], 1.0).cost == 2.5


def test_a_solve_that_uses_up_its_iterations_is_no_success() -> None:
    r = eg.least_squares(rosenbrock, [-1.2, 1.0], maxiter=2)
    assert not r.success
    assert r.nit == 2
    assert r.status == "iterations"
    assert eg.least_squares(rosenbrock, [-1.2, 1.0], maxiter=0).x == [-1.2, 1.0]
    assert "used up" in r.message


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: eg.least_squares(3.0, [1.0]), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, []), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, [True, False]), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, [1.0, 1.0], method="dogleg"), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, [1.0, 1.0], args=3.0), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, [1.0, 1.0], args=(3.0,)), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, [1.0, 1.0], maxiter=math.inf), eg.TypeMismatchError),
        (lambda: eg.least_squares(rosenbrock, [1.0, 1.0], tol=math.nan), eg.TypeMismatchError),
        (lambda: eg.least_squares(lambda x: (), [1.0]), eg.ShapeError),
        (lambda: eg.least_squares(lambda x: x > 0, 1.0), eg.TypeMismatchError),
    ],
)
def test_wrong_calls_are_errors(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_without_an_engine_the_interpreter_solves_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_engine(*_: Any, **__: Any) -> Any:
        raise eg.CompileError("There is no engine here.")

    monkeypatch.setattr(solves, "compile_kernel", no_engine)
    monkeypatch.setattr(solves, "_solves", type(solves._solves)())
    solves._warn.cache_clear()
    with pytest.warns(UserWarning, match="no engine") as warned:
        r = eg.least_squares(lambda x: [x[0] - 5.0, x[1] * x[0] - 10.0], [1.0, 1.0])
    assert r.x == pytest.approx([5.0, 2.0])
    assert warned[0].filename == __file__
    assert eg.least_squares(lambda x: x - 5.0, 1.0).x == 5.0  # warns no more, else pytest would fail
