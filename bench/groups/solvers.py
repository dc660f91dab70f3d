"""Time L-BFGS and Levenberg–Marquardt per evaluation, in comparison with SciPy, JAXopt and JavaScript."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import eglantine as eg
from bench import fit_page
from bench.contest import Contestant, compete, enough
from bench.groups import nist
from bench.lab import Lab
from bench.measure import OURS, Row, Series
from bench.problems import rosenbrock
from tests.solvers.nist import PROBLEMS

SIZES = (2, 10, 100, 1000)
MEMORY, TOLERANCE, MOST = 10, 1e-8, 20_000
WITH_OUR_GRADIENT = "SciPy L-BFGS-B, our gradient"
WITH_DIFFERENCES = "SciPy L-BFGS-B, its differences"
JAXOPT = "JAXopt LBFGS, jitted"
MOST_DIFFERENCES = 100
"""The largest number of unknowns for which we time SciPy with gradients by differences. For more unknowns,
this takes minutes."""
PARTS = {2: 1 / 5, 10: 1 / 5, 100: 1 / 2, 1000: 1.0}
"""For each number of unknowns, the longest time that our evaluation should take. It is a fraction of the time
that SciPy takes for an evaluation with our gradient."""
FITS = ("Misra1a", "Thurber", "Eckerle4", "MGH10")
FIT_PART = 1 / 5
MOST_BESIDE = 30.0
"""The longest time, in microseconds, that a second solve should take in addition to its kernel call."""
HOST = "CPython, wasmtime"
CLOSE = 1e-4
"""The tolerance with which `compete` compares the solutions of two contestants."""


@dataclass(frozen=True)
class Solver:
    """A solver of one problem. solve() returns the solution and the number of function evaluations."""

    solve: Callable[[], tuple[Sequence[float], float]]


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows for L-BFGS in a browser and on CPython, for NIST's fits, and for the page Fit."""
    work = {"sizes": list(SIZES), "memory": MEMORY, "tolerance": TOLERANCE, "most": MOST}
    yield from lab.in_browser("solvers", work)
    for n in SIZES:
        lab.say(f"Rosenbrock, n = {n}")
        yield from of_rosenbrock(n, lab.check)
    for name in FITS:
        lab.say(f"NIST: {name}")
        yield of_fit(name, lab.check)
    if not lab.check:
        yield second_solve()
    yield from fit_page.rows(lab)


def second_solve() -> Row:
    """Time a second call of `eg.minimize` for the same function. Subtract the time of the kernel call."""
    f, x0 = rosenbrock(1.0, 2), [-1.2, 1.0]
    eg.minimize(f, x0)
    minimum = eg.compile(eg.minimizer(f, [eg.Vec(2, eg.Real)]))
    extra = [1e3 * (least(lambda: eg.minimize(f, x0)) - least(lambda: minimum(x0))) for _ in range(5)]
    return Row(
        "eg.minimize of two numbers again, beside its kernel call", "µs", {OURS: Series(tuple(extra))},
        target=MOST_BESIDE, host=HOST,
    )  # fmt: skip


def start(n: int) -> Any:
    """Return the usual starting point for Rosenbrock's function."""
    return np.array([-1.2, 1.0] * (n // 2))


def of_rosenbrock(n: int, check: bool) -> Iterator[Row]:
    """Yield two rows about the minimisation of Rosenbrock's function.

    The first row has each contestant's time per evaluation of the function. The second row has the time of
    one iteration of our solver, without evaluations.
    """
    f = rosenbrock(1.0, n)
    line, x0 = eg.Vec(n, eg.Real), start(n)
    options = {"memory": MEMORY, "tol": TOLERANCE, "maxiter": MOST}
    minimum = eg.compile(eg.minimizer(f, [line], "l-bfgs", **options))
    both = eg.compile(eg.value_and_grad(f))

    def ours() -> tuple[Sequence[float], float]:
        end = minimum(x0)
        return end.x, end.nfev

    solvers, missing = {OURS: Solver(ours)}, dict[str, str]()
    for name, make in ((WITH_OUR_GRADIENT, scipy_with_our_gradient), (WITH_DIFFERENCES, scipy_alone)):
        if name == WITH_DIFFERENCES and n > MOST_DIFFERENCES:
            continue
        try:
            solvers[name] = make(x0, both)
        except ImportError as error:
            missing[name] = f"{error} (pip install eglantine[bench])"
    try:
        solvers[JAXOPT] = jaxopt_solver(x0)
    except ImportError as error:
        missing[JAXOPT] = f"{error} (pip install jaxopt)"
    title = f"Rosenbrock, n = {n}: an evaluation in L-BFGS, memory {MEMORY}"
    row = an_evaluation(title, solvers, missing, WITH_OUR_GRADIENT, PARTS[n], check)
    yield row
    if row.wrong or check:
        return
    yield beside_evaluations(f, minimum, both, x0, options)


def beside_evaluations(f: Any, minimum: Any, both: Any, x0: Any, options: Mapping[str, Any]) -> Row:
    """Measure the time of an iteration of L-BFGS without its evaluations of the function.

    We time a whole solve, and a solve that stops after half of the iterations. The difference is the time of
    the second half. We subtract the time of the evaluations in the second half, and divide by the number of
    iterations. The time of an evaluation is measured as (call of its kernel) − (call of an empty kernel).
    """
    n, line = len(x0), eg.Vec(len(x0), eg.Real)
    idle = eg.compile(eg.fn([line], eg.Real)(lambda x: x[0]))
    both(x0)
    idle(x0)
    evaluation = least(both._instance.call) - least(idle._instance.call)
    half = eg.compile(eg.minimizer(f, [line], "l-bfgs", **{**options, "maxiter": half_of(minimum(x0).nit)}))
    whole_end, half_end = minimum(x0), half(x0)
    spent = least(lambda: minimum(x0)) - least(lambda: half(x0))
    extra = spent - evaluation * (whole_end.nfev - half_end.nfev)
    overhead = 1e3 * extra / (whole_end.nit - half_end.nit)
    return Row(
        "  an iteration beside its evaluations", "µs", {OURS: Series((overhead,))},
        target=2.0 + 0.004 * n * MEMORY, host=HOST,
        note=f"At most 2 µs + 4 ns · n · memory = {2.0 + 0.004 * n * MEMORY:.3g} µs. Processor time.",
    )  # fmt: skip


def half_of(iterations: float) -> int:
    return int(iterations) // 2


def least(call: Callable[[], Any]) -> float:
    """Return the shortest processor time of several calls, in milliseconds."""
    calls, _ = enough(call)

    def spent() -> float:
        start = time.process_time()
        for _ in range(calls):
            call()
        return 1e3 * (time.process_time() - start) / calls

    return min(spent() for _ in range(5))


def scipy_with_our_gradient(x0: Any, both: Callable[[Any], Any]) -> Solver:
    """Make a contestant: SciPy's L-BFGS-B with our compiled value and gradient."""
    from scipy import optimize

    def f(x: Any) -> tuple[float, Any]:
        value, gradient = both(x)
        return value, np.array(gradient)

    def solve() -> tuple[Sequence[float], float]:
        return end_of(optimize.minimize(f, x0, jac=True, method="L-BFGS-B", options=scipy_options()))

    return Solver(solve)


def scipy_alone(x0: Any, _: Any) -> Solver:
    """Make a contestant: SciPy's L-BFGS-B with gradients by finite differences of a NumPy function."""
    from scipy import optimize

    def solve() -> tuple[Sequence[float], float]:
        return end_of(optimize.minimize(numpy_rosenbrock, x0, method="L-BFGS-B", options=scipy_options()))

    return Solver(solve)


def scipy_options() -> dict[str, Any]:
    return {"maxcor": MEMORY, "maxiter": MOST, "maxfun": 100 * MOST, "ftol": 1e-16, "gtol": TOLERANCE}


def end_of(result: Any) -> tuple[Sequence[float], float]:
    return list(result.x), float(result.nfev)


def numpy_rosenbrock(x: Any) -> float:
    """Compute Rosenbrock's function, written as a user of NumPy would write it."""
    return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2))


def jaxopt_solver(x0: Any) -> Solver:
    """Make a contestant: JAXopt's L-BFGS. JAX compiles the whole solver, including its loop."""
    import jax
    import jaxopt

    jax.config.update("jax_enable_x64", True)
    numpy = jax.numpy

    def f(x: Any) -> Any:
        return numpy.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    method = jaxopt.LBFGS(f, history_size=MEMORY, tol=TOLERANCE, maxiter=MOST, jit=True, implicit_diff=False)
    run = jax.jit(method.run)
    array = numpy.array(x0)

    def solve() -> tuple[Sequence[float], float]:
        end = run(array)
        return np.asarray(end.params).tolist(), float(end.state.num_fun_eval)

    return Solver(solve)


def of_fit(name: str, check: bool) -> Row:
    """Time a fit to NIST's data. Return the time for one evaluation of the residuals and the Jacobian."""
    problem = PROBLEMS[name]
    contestants, missing = nist.contestants(problem)
    first = problem.starts[1]

    def solver(solve: nist.Solver) -> Solver:
        def evaluated() -> tuple[Sequence[float], float]:
            fit = solve(first)
            return fit.parameters, fit.evaluations

        return Solver(evaluated)

    names = [one for one in (OURS, nist.WITH_OUR_JACOBIAN) if one in contestants]
    solvers = {one: solver(contestants[one]) for one in names}
    title = f"NIST's {name}, second start: an evaluation in Levenberg–Marquardt"
    return an_evaluation(title, solvers, missing, nist.WITH_OUR_JACOBIAN, FIT_PART, check)


def an_evaluation(
    title: str, solvers: Mapping[str, Solver], missing: Mapping[str, str], peer: str, part: float, check: bool
) -> Row:
    """Time a whole solve for each contestant. Divide the time by the contestant's number of evaluations.

    peer, part: our target is `part` times the time of the contestant `peer`.
    """
    counts: dict[str, float] = {}

    def contestant(name: str, solver: Solver) -> Contestant:
        def result() -> list[float]:
            solution, counts[name] = solver.solve()
            return list(solution)

        return Contestant(result, solver.solve)

    outcome = compete(
        {name: contestant(name, solver) for name, solver in solvers.items()}, check=check, tolerance=CLOSE
    )
    series = {
        name: Series(tuple(1e3 * ms / counts[name] for ms in one.samples))
        for name, one in outcome.series.items()
    }
    row = Row(
        title, "µs", series, missing=missing, compared=outcome.compared, wrong=outcome.wrong, host=HOST,
        note=", ".join(f"{name} {count:.0f}" for name, count in counts.items()) + " evaluations",
    )  # fmt: skip
    return replace(row, target=part * series[peer].median) if peer in series else row
