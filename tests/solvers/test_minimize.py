"""Tests of `eg.minimize`, `eg.minimizer` and `eg.stepper`: known minima, and derivatives of solutions."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg
from tests.seeds import NIGHTLY

from . import (
    classic_problems,
    hock_schittkowski,
    hock_schittkowski_further,
    residual_problems,
    residual_problems_further,
)

METHODS = (
    "gradient-descent", "momentum", "adam", "bfgs", "l-bfgs", "newton", "newton-cg", "exterior-point",
    "augmented-lagrangian",
)  # fmt: skip
SUMS_OF_SQUARES = {**residual_problems.PROBLEMS, **residual_problems_further.PROBLEMS}
CONSTRAINED = {**hock_schittkowski.PROBLEMS, **hock_schittkowski_further.PROBLEMS}
HARD = {"20 Watson, n = 12": "its Hessian's condition is 1e13, and the gradient is small long before the end"}


@eg.fn
def rosenbrock(x: eg.Vec(2, eg.Real)) -> eg.Real:
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


def sum_of_squares(problem: Any) -> Any:
    return lambda x: sum(r * r for r in problem.f(x))


@pytest.mark.parametrize(
    ("name", "method"),
    [
        (name, method)
        for k, name in enumerate(SUMS_OF_SQUARES)
        for j, method in enumerate(("l-bfgs", "bfgs", "newton", "newton-cg"))
        if NIGHTLY or (j - k) % 4 == 0
    ],
)
def test_published_minima_are_found(name: str, method: str) -> None:
    """Usual runs solve each problem with one of four methods. Nightly runs use all four methods."""
    problem = SUMS_OF_SQUARES[name]
    if name in HARD and method in ("bfgs", "l-bfgs"):
        pytest.skip(HARD[name])
    if (name, method) == ("18 Biggs", "newton"):
        pytest.skip("it is flat far away, and the trust region follows the valley to infinity")
    r = eg.minimize(sum_of_squares(problem), problem.start, method=method)
    assert any(abs(r.fun - known) <= max(1e-8, 2e-6 * known) for known in problem.minima)


@pytest.mark.parametrize("name", classic_problems.PROBLEMS)
def test_known_minima_are_found(name: str) -> None:
    problem = classic_problems.PROBLEMS[name]
    r = eg.minimize(problem.f, problem.start)
    assert r.success
    assert abs(r.fun - problem.minimum) <= 1e-8 * max(1, abs(problem.minimum))


@pytest.mark.parametrize("name", CONSTRAINED)
def test_published_minima_with_bounds_and_constraints_are_found(name: str) -> None:
    p = CONSTRAINED[name]
    constraints = [{"type": "ineq", "fun": c} for c in p.least] + [{"type": "eq", "fun": c} for c in p.equal]
    r = eg.minimize(p.f, p.start, bounds=p.bounds, constraints=constraints)
    assert r.success
    assert abs(r.fun - p.minimum) <= (1e-6 if constraints else 1e-8) * max(1, abs(p.minimum))
    for x, (low, high) in zip(r.x, p.bounds or [], strict=bool(p.bounds)):
        assert low is None or x >= low
        assert high is None or x <= high


@pytest.mark.parametrize("method", METHODS)
def test_steps_of_any_size_give_the_bits_of_the_whole_solve(method: str) -> None:
    options: dict[str, Any] = {"maxiter": 60, "method": method}
    if method == "augmented-lagrangian":
        options["constraints"] = [lambda x: 0.5 - x[0]]
    if method == "momentum":
        options["learning_rate"] = 1e-3
    whole = eg.minimize(rosenbrock, [-1.2, 1.0], **options)
    begin, step = eg.stepper(rosenbrock, [eg.Vec(2, eg.Real)], **options)
    begun, stepped = eg.compile(begin), eg.compile(step)
    for n in (1.0, 7.0):
        state = begun([-1.2, 1.0])
        while state.status == 0:
            state = stepped(state, n)
        assert (state.x, state.fun, state.nit) == (whole.x, whole.fun, whole.nit)
        assert stepped(state, n) == state


def test_exterior_point_can_finish_with_an_exact_solve() -> None:
    """With a penalty of weight w for x > 1, (x − 2)² has its minimum at x = (2 + w)/(1 + w)."""
    w = 10.0
    coarse, fine = (
        eg.minimize(
            lambda x: (x[0] - 2.0) ** 2 + (x[1] - x[0] ** 2) ** 2, [-1.2, 1.0], method="exterior-point",
            constraints=[lambda x: 1.0 - x[0]], weight=w, growth=1.0, descent=1.0, **options,
        )
        for options in ({}, {"finish": 1e-12})
    )  # fmt: skip
    assert fine.x[0] == pytest.approx((2 + w) / (1 + w), abs=1e-6)
    assert abs(coarse.x[1] - coarse.x[0] ** 2) > abs(fine.x[1] - fine.x[0] ** 2)


def test_exterior_point_says_that_its_limits_are_coarse_and_obeys_tol() -> None:
    def valley(x: Any) -> Any:
        return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2

    coarse = eg.minimize(valley, [-1.2, 1.0], method="exterior-point")
    fine = eg.minimize(valley, [-1.2, 1.0], method="exterior-point", tol=1e-12)
    assert coarse.fun > 1e-4
    assert "the gradient is as small" not in coarse.message
    assert "give tol" in coarse.message
    assert fine.fun < 1e-12
    assert fine.x == pytest.approx([1.0, 1.0], abs=1e-6)


@pytest.mark.parametrize("method", ["gradient-descent", "momentum", "adam"])
def test_learning_rate_can_be_an_argument_that_changes_between_steps(method: str) -> None:
    def of_first(x: Any, rate: Any) -> Any:
        return rosenbrock(x)

    begin, step = eg.stepper(
        of_first, [eg.Vec(2, eg.Real), eg.Real], method, learning_rate=lambda rate: rate, tol=0.0
    )
    begun, stepped = eg.compile(begin), eg.compile(step)
    for rate in (1e-4, 1e-3):
        fixed = eg.minimize(rosenbrock, [-1.2, 1.0], method=method, learning_rate=rate, maxiter=9, tol=0.0)
        assert stepped(begun([-1.2, 1.0], rate), 9.0, rate).x == fixed.x
    start = begun([-1.2, 1.0], 1e-3)
    halves = stepped(stepped(start, 1.0, 1e-3), 1.0, 2e-3)
    assert halves.x not in (stepped(start, 2.0, 1e-3).x, stepped(start, 2.0, 2e-3).x)
    slopes = [stepped(start, 1.0, rate).x[0] + 1.2 for rate in (1e-3, 2e-3)]
    assert slopes[1] == pytest.approx(2 * slopes[0])


@pytest.mark.parametrize("method", METHODS)
def test_interpreter_gives_the_bits_of_the_kernel(method: str) -> None:
    constraints = [lambda x: 0.5 - x[0]] if method == "augmented-lagrangian" else ()
    solve = eg.minimizer(rosenbrock, [eg.Vec(2, eg.Real)], method, constraints=constraints, maxiter=20)
    assert solve.interpreted([-1.2, 1.0]) == eg.compile(solve)([-1.2, 1.0])


def test_the_solution_has_the_structure_of_the_start() -> None:
    r = eg.minimize(
        lambda s: (s["a"] - 1) ** 2 + s["b"][0][1] ** 2 + s["b"][1][0] ** 2,
        {"a": 5.0, "b": [[0.0, 3.0], [1.0, 0.0]]},
    )
    assert r.x["a"] == pytest.approx(1)
    assert r.x["b"][0][1] == pytest.approx(0, abs=1e-7)
    assert set(r.jac) == {"a", "b"}
    number = eg.minimize(lambda x: (x - 3) ** 2, 0.0)
    assert number.x == pytest.approx(3)


def test_new_arguments_are_used_without_tracing_again() -> None:
    def f(x: Any, a: Any) -> Any:
        return (x[0] - a) ** 2 + (x[1] - a * a) ** 4

    for a in (1.0, 2.0, -3.0):
        assert eg.minimize(f, [0.0, 0.0], args=(a,)).x[0] == pytest.approx(a)


def test_a_changed_captured_value_is_used() -> None:
    for a in (1.0, 2.0):
        assert eg.minimize(lambda x, a=a: (x - a) ** 2, 0.0).x == pytest.approx(a)


def test_a_bound_stops_a_number_and_a_start_outside_is_moved_inside() -> None:
    r = eg.minimize(rosenbrock, [3.0, 3.0], bounds=[(None, 0.5), (None, None)])
    assert r.x == pytest.approx([0.5, 0.25], abs=1e-6)
    both = eg.minimize(rosenbrock, [3.0, 3.0], bounds=([-1.0, -1.0], [0.5, 0.2]))
    assert both.x[0] <= 0.5
    assert both.x[1] == 0.2


def test_infeasible_constraints_are_listed_with_their_lines() -> None:
    def above_three(x: Any) -> Any:
        return x[0] - 3

    def below_one(x: Any) -> Any:
        return 1 - x[0]

    r = eg.minimize(lambda x: x[0] ** 2, [0.0], constraints=[above_three, below_one])
    assert not r.success
    assert r.status == "infeasible"
    line = above_three.__code__.co_firstlineno
    assert f"above_three in line {line} by 1" in r.message
    assert f"below_one in line {line + 3} by 1" in r.message


def test_with_constraints_the_outcome_has_the_gradient_of_the_function() -> None:
    r = eg.minimize(lambda x: x[0] ** 2 + x[1] ** 2, [3.0, 3.0], constraints=[lambda x: x[0] + x[1] - 2])
    assert r.x == pytest.approx([1, 1], abs=1e-6)
    assert r.jac == pytest.approx([2, 2], abs=1e-5)


def test_trial_step_without_a_finite_value_is_shortened() -> None:
    r = eg.minimize(lambda x: eg.math.sqrt(x[0]) - eg.math.log(x[0]), [1e-3])
    assert r.success
    assert r.x[0] == pytest.approx(4)


def test_a_start_without_a_finite_value_is_an_error_with_its_place() -> None:
    with pytest.raises(eg.NotFiniteError, match=r"log of a negative number, -1\.0"):
        eg.minimize(lambda x: eg.math.log(x[0]), [-1.0])


def test_a_minimum_at_a_kink_is_a_success() -> None:
    r = eg.minimize(abs, 3.0)
    assert r.success
    assert r.x == 0


def test_an_outcome_states_that_the_iterations_are_used_up() -> None:
    r = eg.minimize(rosenbrock, [-1.2, 1.0], maxiter=5)
    assert (r.success, r.status, r.nit) == (False, "iterations", 5)
    assert "maxiter" in r.message


def test_an_outcome_states_that_the_fuel_is_used_up() -> None:
    r = eg.minimize(rosenbrock, [-1.2, 1.0], method="adam", fuel=1000)
    assert (r.success, r.status) == (False, "fuel")


def test_a_callback_gets_each_iteration_and_can_end_the_solve() -> None:
    seen: list[float] = []
    r = eg.minimize(rosenbrock, [-1.2, 1.0], callback=lambda state: seen.append(state.fun) or len(seen) == 4)
    assert len(seen) == 4
    assert (r.status, r.fun, r.nit) == ("stopped", seen[-1], 4)
    assert seen == sorted(seen, reverse=True)


def moved_well(x: Any, a: Any) -> Any:
    return (x[0] - a) ** 4 + (x[0] - a) ** 2 + (x[1] - a * a) ** 2


def test_the_derivative_of_a_solution_follows_from_the_minimum() -> None:
    solve = eg.minimizer(moved_well, [eg.Vec(2, eg.Real), eg.Real])
    place = eg.fn([eg.Real])(lambda a: solve([0.0, 0.0], a).x)
    assert eg.jacfwd(place)(3.0) == pytest.approx([1, 6])
    assert eg.jacrev(place)(3.0) == pytest.approx([1, 6])
    second = eg.grad(eg.grad(eg.fn([eg.Real])(lambda a: solve([0.0, 0.0], a).x[1])))
    assert second(3.0) == pytest.approx(2)
    assert eg.jacrev(eg.fn([eg.Vec(2, eg.Real)])(lambda x0: solve(x0, 3.0).x))([0.5, 0.5]) == [[0, 0], [0, 0]]


def test_a_number_that_a_bound_stops_has_derivative_zero() -> None:
    solve = eg.minimizer(moved_well, [eg.Vec(2, eg.Real), eg.Real], bounds=[(None, None), (None, 4.0)])
    place = eg.fn([eg.Real])(lambda a: solve([0.0, 0.0], a).x)
    assert eg.jacfwd(place)(3.0) == pytest.approx([1, 0])
    assert eg.jacrev(place)(1.0) == pytest.approx([1, 2], rel=1e-6)


def test_a_solution_on_a_constraint_moves_with_the_constraint() -> None:
    """Under the constraint x₀ + x₁ = a², the minimum 2/3·a⁴ is at (2/3, 1/3)·a², and λ is 4/3·a²."""
    on_line = {"type": "eq", "fun": lambda x, a: x[0] + x[1] - a * a}
    pair = eg.Vec(2, eg.Real)
    solve = eg.minimizer(lambda x, a: x[0] ** 2 + 2 * x[1] ** 2, [pair, eg.Real], constraints=[on_line])
    end = eg.fn([eg.Real])(lambda a: solve([1.0, 0.0], a))
    assert end(3.0).multipliers == pytest.approx([12.0])
    x = eg.fn([eg.Real])(lambda a: end(a).x)
    assert eg.jacfwd(x)(3.0) == pytest.approx([4, 2])
    assert eg.jacrev(x)(3.0) == pytest.approx([4, 2])
    for part, second in ((lambda a: end(a).x[0], 4 / 3), (lambda a: end(a).multipliers[0], 8 / 3)):
        assert eg.grad(eg.grad(eg.fn([eg.Real])(part)))(3.0) == pytest.approx(second)
    value = eg.fn([eg.Real])(lambda a: end(a).fun)
    assert eg.grad(value)(3.0) == pytest.approx(72)
    assert eg.grad(eg.grad(value))(3.0) == pytest.approx(72)


def test_a_point_is_projected_onto_a_disc_and_a_bound() -> None:
    """The projection of (a, 1) onto the unit disc is (a, 1)/√(a² + 1).

    If the disc contains the point, the projection is the point itself.
    """
    pair = eg.Vec(2, eg.Real)

    def distance(x: Any, a: Any) -> Any:
        return (x[0] - a) ** 2 + (x[1] - 1) ** 2

    inside = [lambda x: 1 - x[0] ** 2 - x[1] ** 2]
    solve = eg.minimizer(distance, [pair, eg.Real], constraints=inside)
    x = eg.fn([eg.Real])(lambda a: solve([0.1, 0.2], a).x)
    size = math.sqrt(5) ** 3
    assert eg.jacfwd(x)(2.0) == pytest.approx([1 / size, -2 / size], rel=1e-6)
    assert eg.jacrev(x)(2.0) == pytest.approx([1 / size, -2 / size], rel=1e-6)
    wide = eg.minimizer(distance, [pair, eg.Real], constraints=[lambda x: 9 - x[0] ** 2 - x[1] ** 2])
    assert eg.jacfwd(eg.fn([eg.Real])(lambda a: wide([0.1, 0.2], a).x))(2.0) == pytest.approx([1, 0])
    held = eg.minimizer(distance, [pair, eg.Real], constraints=inside, bounds=[(None, None), (None, 0.4)])
    assert eg.jacfwd(eg.fn([eg.Real])(lambda a: held([0.1, 0.2], a).x))(2.0) == pytest.approx([0, 0])


def test_a_solution_by_the_exterior_point_method_has_no_derivative() -> None:
    solve = eg.minimizer(
        lambda x, a: (x - a) ** 2, [eg.Real, eg.Real], "exterior-point", constraints=[lambda x: x]
    )
    with pytest.raises(eg.TypeMismatchError, match="Use augmented-lagrangian"):
        eg.grad(eg.fn([eg.Real])(lambda a: solve(1.0, a).x))(1.0)


def test_the_derivative_of_a_minimal_value_follows_the_envelope_theorem() -> None:
    solve = eg.minimizer(lambda x, a: (x - a) ** 2 + a * eg.math.sin(x), [eg.Real, eg.Real])
    value = eg.fn([eg.Real])(lambda a: solve(0.0, a).fun)
    h = 1e-5
    difference = (value(0.7 + h) - value(0.7 - h)) / (2 * h)
    assert eg.grad(value)(0.7) == pytest.approx(difference, rel=1e-7)


def test_minimizer_can_be_exported(tmp_path: Any) -> None:
    solve = eg.minimizer(rosenbrock, [eg.Vec(2, eg.Real)])
    eg.export(solve, tmp_path / "solver")
    assert any(path.suffix == ".wasm" for path in (tmp_path / "solver").iterdir())


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: eg.minimize(rosenbrock, [1.0, 1.0], method="bfsg"), "Did you mean `bfgs`?"),
        (lambda: eg.minimize(rosenbrock, [1.0, 1.0], memoryy=3), "has no option 'memoryy'"),
        (
            lambda: eg.minimize(rosenbrock, [1.0, 1.0], method="newton", bounds=[(0, 1)] * 2),
            "takes no bounds",
        ),
        (
            lambda: eg.minimize(rosenbrock, [1.0, 1.0], method="adam", constraints=[lambda x: x[0]]),
            "takes no constraints",
        ),
        (lambda: eg.minimize(rosenbrock, [1.0, 1.0], bounds=[(0, 1)]), "2 Reals"),
        (lambda: eg.minimize(lambda x: x, [1.0, 1.0]), "minimises a Real"),
        (lambda: eg.minimize(3.0, [1.0]), "A function is needed"),
        (
            lambda: eg.minimize(rosenbrock, [1.0, 1.0], constraints=[{"fun": rosenbrock}]),
            "A constraint is a dict",
        ),
        (lambda: eg.minimize(rosenbrock, [1.0, 1.0], args=3.0), "args must be a tuple"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_an_error_with_a_message(call: Any, told: str) -> None:
    with pytest.raises(eg.EglantineError) as caught:
        call()
    assert told in str(caught.value)


def test_minimize_solves_a_large_problem() -> None:
    n = 400

    def extended(x: Any) -> Any:
        return eg.sum(
            n // 2,
            lambda i: (1 - x[2 * i]) ** 2 + 100 * (x[2 * i + 1] - x[2 * i] ** 2) ** 2,
        )

    r = eg.minimize(extended, [-1.2, 1.0] * (n // 2))
    assert r.success
    assert max(abs(v - 1) for v in r.x) < 1e-6
    assert math.isfinite(r.fun)


@pytest.mark.parametrize("method", METHODS)
def test_a_start_at_the_minimum_is_returned(method: str) -> None:
    constraints = [lambda x: x[0] + 9] if method == "augmented-lagrangian" else ()
    r = eg.minimize(lambda x: x[0] ** 2 + x[1] ** 2, [0.0, 0.0], method=method, constraints=constraints)
    assert r.success
    assert r.x == [0, 0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("f", [lambda x: x[0] + 0 * x[1], lambda x: -x[0] * x[0] - x[1] * x[1]])
def test_a_function_without_a_minimum_never_converges(f: Any, method: str) -> None:
    for constraints in [(), [lambda x: x[1] + 9]] if method == "augmented-lagrangian" else [()]:
        r = eg.minimize(f, [1.0, 1.0], method=method, constraints=constraints, maxiter=500)
        assert r.nit <= 500
        assert not r.success
        assert r.status in {"unbounded", "iterations", "not finite", "infeasible"}
    assert eg.minimize(lambda x: x, 0.0).status == "unbounded"


@pytest.mark.parametrize("method", METHODS)
def test_a_minimum_with_a_large_value_is_found(method: str) -> None:
    r = eg.minimize(lambda x: (x[0] - 3) ** 2 + x[1] ** 2 - 1e21, [1.0, 1.0], method=method)
    assert r.success
