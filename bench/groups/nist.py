"""Compare our solver with SciPy's on NIST's regression problems: correct digits, evaluations and times."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import eglantine as eg
from bench.lab import Lab
from bench.measure import OURS, Row, Series
from eglantine.formulas import to_fn
from tests.solvers.nist import PROBLEMS, Problem, digits, in_order

MISSING = "there is no module scipy here (pip install eglantine[bench])"
METHODS = ("lm", "trf", "dogbox")
TIGHT = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15}
TOLERANCES = (
    "SciPy runs with its smallest tolerances, because with its default tolerances it stops at 4 to 8 digits. "
    "It computes Jacobians by differences of a NumPy function, unless the column says something else."
)
MOST_EVALUATIONS = 20_000
WITH_OUR_JACOBIAN = "SciPy least_squares lm, our Jacobian"
ENOUGH, GOOD, ENOUGH_OF_DEVIATIONS = 8, 9, 6
FEWEST_GOOD = 50
NOISE = "Lanczos1"
"""The problem whose sum of squared residuals, 1.4e-25, consists only of rounding errors. So the standard
deviations of its parameters have only 3 correct digits."""
ROUNDS = 5
LONGEST_S = 0.5
"""The longest time, in seconds, of a contestant that is timed more than once."""


@dataclass(frozen=True)
class Fit:
    """A contestant's result. deviations: the standard deviations of the parameters, or None."""

    parameters: Sequence[float]
    deviations: Sequence[float] | None
    evaluations: int


Solver = Callable[[Sequence[float]], Fit]


def rows(lab: Lab) -> Iterator[Row]:
    """Yield summary rows, then rows with the correct digits, evaluations and times of each run."""
    runs: dict[str, dict[str, tuple[Fit | None, Series]]] = {}
    missing: dict[str, str] = {}
    for name, problem in PROBLEMS.items():
        lab.say(f"NIST: {name}")
        solvers, missing = contestants(problem)
        for k, start in enumerate(problem.starts):
            runs[f"{name}, start {k + 1}"] = timed(solvers, start)
    yield from summary(runs, missing)
    yield from each_run(runs)


def contestants(problem: Problem) -> tuple[dict[str, Solver], dict[str, str]]:
    """Return our solver and SciPy's solvers for a problem, and the reason for each solver that is missing."""
    solvers: dict[str, Solver] = {OURS: ours(problem)}
    try:
        from scipy import optimize
    except ImportError:
        return solvers, {"SciPy": MISSING}
    residuals, model, x = numpy_model(problem)
    jacobian = our_jacobian(problem)
    for method in METHODS:
        solvers[f"SciPy least_squares {method}"] = least_squares(optimize, residuals, method, "2-point")
    solvers[WITH_OUR_JACOBIAN] = least_squares(optimize, residuals, "lm", jacobian)
    for method in METHODS:
        solvers[f"SciPy curve_fit {method}"] = curve_fit(optimize, model, x, problem, method)
    return solvers, {}


def ours(problem: Problem) -> Solver:
    """Our fit of the formula's text."""

    def solve(start: Sequence[float]) -> Fit:
        r = eg.curve_fit(problem.model, problem.x, problem.y, start)
        return Fit(r.x, r.deviations, r.nfev)

    return solve


def numpy_model(problem: Problem) -> tuple[Callable[..., Any], Callable[..., Any], Any]:
    """Write a problem in NumPy. Return the functions residuals(b) and model(x, *b), and the data x."""
    n = len(problem.parameters)
    names = [f"b{k + 1}" for k in range(n)]
    x, y = np.array(problem.x).T, np.array(problem.y)
    data = ["x"] if x.ndim == 1 else ["x1", "x2"]
    functions = {"exp": np.exp, "cos": np.cos, "sin": np.sin, "atan": np.arctan, "pi": np.pi}
    text = f"lambda {', '.join([*data, *names])}: {problem.model.replace('^', '**')}"
    f = eval(text, functions)  # noqa: S307 (the text is NIST's)

    def residuals(b: Any) -> Any:
        return f(*(x if x.ndim > 1 else (x,)), *b) - y

    def model(points: Any, *b: float) -> Any:
        return f(*(points if x.ndim > 1 else (points,)), *b)

    return residuals, model, x


def our_jacobian(problem: Problem) -> Callable[..., Any]:
    """Compile a kernel that computes the Jacobian of a problem's residuals."""
    n, m = len(problem.parameters), len(problem.y)
    pairs = isinstance(problem.x[0], tuple)
    names = [f"b{k + 1}" for k in range(n)]
    formula = to_fn(problem.model, [*(["x1", "x2"] if pairs else ["x"]), *names])
    columns = np.array(problem.x).T.reshape(-1, m)
    point = eg.Vec(m, eg.Real)

    @eg.fn([eg.Vec(n, eg.Real), eg.Vec(len(columns), point)])
    def jacobian(b: Any, xs: Any) -> Any:
        def value(b: Any) -> Any:
            return eg.vec(m, lambda i: formula(*(x[i] for x in xs), *(b[k] for k in range(n))))

        return eg.jacfwd(value)(b)

    kernel = eg.compile(jacobian)
    return lambda b: kernel(b, columns)


def least_squares(optimize: Any, residuals: Any, method: str, jacobian: Any) -> Solver:
    """SciPy's least_squares."""

    def solve(start: Sequence[float]) -> Fit:
        r = optimize.least_squares(
            residuals, start, jac=jacobian, method=method, max_nfev=MOST_EVALUATIONS, **TIGHT
        )
        return Fit(r.x, None, r.nfev)

    return solve


def curve_fit(optimize: Any, model: Any, x: Any, problem: Problem, method: str) -> Solver:
    """SciPy's curve_fit."""
    most = {"maxfev" if method == "lm" else "max_nfev": MOST_EVALUATIONS}

    def solve(start: Sequence[float]) -> Fit:
        found, covariance, info, *_ = optimize.curve_fit(
            model, x, problem.y, start, method=method, full_output=True, **TIGHT, **most
        )
        return Fit(found, np.sqrt(np.diag(covariance)), info["nfev"])

    return solve


def timed(solvers: Mapping[str, Solver], start: Sequence[float]) -> dict[str, tuple[Fit | None, Series]]:
    """Let each contestant fit from the same start values, in turns.

    Return each contestant's result and its times in milliseconds. The result of a failed fit is None.
    """
    fits: dict[str, Fit | None] = {}
    samples: dict[str, list[float]] = {name: [] for name in solvers}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # SciPy warns about overflow and covariances
        for turn in range(ROUNDS + 1):
            for name, solve in solvers.items():
                if turn > 1 and samples[name][-1] > 1e3 * LONGEST_S:
                    continue
                began = time.perf_counter()
                try:
                    fits[name] = solve(start)
                except (RuntimeError, ValueError):
                    fits[name] = None
                if turn:  # the first turn compiles
                    samples[name].append(1e3 * (time.perf_counter() - began))
    return {name: (fits[name], Series(tuple(samples[name]))) for name in solvers}


def correct(title: str, fit: Fit | None) -> float:
    """Count the correct digits of the parameters, compared with NIST's values. A failed fit counts as 0."""
    name = title.partition(",")[0]
    certified = PROBLEMS[name].parameters
    if fit is None or not all(map(math.isfinite, fit.parameters)):
        return 0.0
    return max(0.0, digits(in_order(name, fit.parameters, certified), certified))


def correct_deviations(title: str, fit: Fit | None) -> float:
    """Count the correct digits of the standard deviations. Missing deviations count as 0."""
    name = title.partition(",")[0]
    certified = PROBLEMS[name].deviations
    if fit is None or fit.deviations is None or not all(map(math.isfinite, fit.deviations)):
        return 0.0
    return max(0.0, digits(in_order(name, fit.deviations, certified), certified))


Runs = Mapping[str, Mapping[str, tuple[Fit | None, Series]]]


def summary(runs: Runs, missing: Mapping[str, str]) -> Iterator[Row]:
    """Yield summary rows: how many runs of each solver fail, and how long all runs take together."""
    names = list(next(iter(runs.values())))

    def count(fails: Callable[[str, Fit | None], bool], names: Sequence[str]) -> dict[str, Series]:
        return {
            name: Series((float(sum(fails(title, run[name][0]) for title, run in runs.items())),))
            for name in names
        }

    for least, target in ((4, None), (ENOUGH, 0), (GOOD, len(runs) - FEWEST_GOOD)):
        counts = count(lambda title, fit, least=least: correct(title, fit) < least, names)
        yield Row(
            f"runs of {len(runs)} with fewer than {least} certified digits",
            "runs", counts, target=target, missing=missing,
        )  # fmt: skip
    with_deviations = [name for name in names if name == OURS or "curve_fit" in name]
    counts = count(
        lambda title, fit: NOISE not in title and correct_deviations(title, fit) < ENOUGH_OF_DEVIATIONS,
        with_deviations,
    )
    yield Row(
        f"runs whose deviations have fewer than {ENOUGH_OF_DEVIATIONS} digits, without {NOISE}",
        "runs", counts, target=0,
    )  # fmt: skip
    evaluations = {
        name: Series((float(sum(run[name][0].evaluations if run[name][0] else 0 for run in runs.values())),))
        for name in names
    }
    yield Row("evaluations of the residuals, all runs that end", "evaluations", evaluations)
    times = {name: Series((sum(run[name][1].median for run in runs.values()),)) for name in names}
    yield Row("time of all runs", "ms", times, note=TOLERANCES)


def each_run(runs: Runs) -> Iterator[Row]:
    """Yield the rows of three tables: each run's correct digits, its evaluations, and its times."""
    for title, run in runs.items():
        yield Row(
            title, "digits",
            {name: Series((correct(title, fit),)) for name, (fit, _) in run.items()},
            host="digits",
        )  # fmt: skip
    for title, run in runs.items():
        counts = {name: Series((float(fit.evaluations),)) for name, (fit, _) in run.items() if fit}
        yield Row(title, "evaluations", counts, host="evaluations")
    for title, run in runs.items():
        yield Row(title, "ms", {name: series for name, (_, series) in run.items()}, host="times")
