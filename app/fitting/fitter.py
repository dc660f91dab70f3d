"""The kernels of a formula on the page "Fit": the functions that the solver calls, the formula's curve with
error bands, and the sums of squares over two parameters (a valley).

All kernels of a formula take a fixed number of points, its capacity. A point of weight 0 does not count, so
adding a point needs no compilation until the capacity is full.
"""

from __future__ import annotations

import time
from typing import Any

import eglantine as eg
from eglantine import Artifact, formulas
from eglantine.solvers.residuals import differentiated

CAPACITIES = (16, 64, 256, 512)
MOST_PARAMETERS = 12
KERNELS = ("residuals", "jacobian", "along", "curvature", "curve", "valley")
"""The solver calls the first four."""
PLACES = 257
"""The number of places at which a curve is computed."""
CELLS = 41
"""The number of places along each side of a valley."""
DATUM = "x"


def parameters_of(text: str) -> list[str]:
    """The letters of a formula beside x, in natural order.

    Raises:
        FormulaError: the text is not a formula, or it has no letter to fit.
        LimitError: it has more than MOST_PARAMETERS letters to fit.
    """
    names = formulas.free_names(text, [DATUM])
    if not names:
        formulas.to_fn(text, [DATUM])
        raise eg.FormulaError(
            "There is nothing to fit, because this formula has no letter beside x. Write a letter for each "
            "unknown number, such as a*x + b."
        )
    if len(names) > MOST_PARAMETERS:
        raise eg.LimitError(
            f"This formula has {len(names)} letters beside x, but a fit here takes at most "
            f"{MOST_PARAMETERS}. Write numbers for some of them."
        )
    return names


def compile_fitter(text: str, capacity: int) -> dict[str, Any]:
    """Compile {name: {"wasm", "abi"} for each of KERNELS, "names", "cost": {"ms", "bytes"}}.

    names: the parameters, in the order in which the kernels take them.

    Raises:
        EglantineError: as `parameters_of`, or the formula cannot be compiled.
        ValueError: the capacity is none of CAPACITIES.
    """
    start = time.perf_counter()
    model, names = _model_of(text, capacity)
    of = differentiated(residuals(model, len(names), capacity))
    functions = {
        "residuals": of.value,
        "jacobian": of.jacobian,
        "along": of.along,
        "curvature": of.curvature,
        "curve": curve(model, len(names)),
        "valley": valley(model, len(names), capacity),
    }
    artifacts = {name: eg.compile_artifact(function) for name, function in functions.items()}
    ms = 1000 * (time.perf_counter() - start)
    modules = {name: {"wasm": artifact.wasm, "abi": artifact.abi} for name, artifact in artifacts.items()}
    size = sum(len(artifact.wasm) for artifact in artifacts.values())
    return {**modules, "names": names, "cost": {"ms": ms, "bytes": size}}


def compile_whole_fit(text: str, capacity: int) -> Artifact:
    """The fit of a formula as a single module that needs no other module, for exports.

    Raises:
        EglantineError, ValueError: as `compile_fitter`.
    """
    from app.fitting.solver import whole_fit  # typed formulas do not need the solvers

    model, names = _model_of(text, capacity)
    return eg.compile_artifact(whole_fit(residuals(model, len(names), capacity)))


def _model_of(text: str, capacity: int) -> tuple[eg.Fn, list[str]]:
    """The function (x, *parameters) of a formula, and the parameters' names."""
    if capacity not in CAPACITIES:
        msg = f"The capacity must be one of {CAPACITIES}, but it is {capacity}."
        raise ValueError(msg)
    names = parameters_of(text)
    return formulas.to_fn(text, [DATUM, *names]), names


def residual(model: eg.Fn, p: Any, x: Any, y: Any, weight: Any) -> Any:
    """(model − y)·weight, or 0 for a point of weight 0."""
    return eg.select(weight > 0.0, weight * (_at(model, x, p) - y), 0.0)


def _at(model: eg.Fn, x: Any, p: Any) -> Any:
    return model(x, *[p[k] for k in range(len(p))])


def residuals(model: eg.Fn, n: int, capacity: int) -> eg.Fn:
    """The function (parameters, xs, ys, weights) → the residuals."""
    line = eg.Vec(capacity, eg.Real)

    @eg.fn([eg.Vec(n, eg.Real), line, line, line])
    def of(p: Any, xs: Any, ys: Any, weights: Any) -> Any:
        return eg.vec(capacity, lambda i: residual(model, p, xs[i], ys[i], weights[i]))

    return of


def curve(model: eg.Fn, n: int) -> eg.Fn:
    """The function (parameters, covariance, from, to) → values of the model and their deviations.

    There are PLACES values, at equal distances between the ends. covariance: the parameters' covariance
    matrix. The standard deviation of a value is √(gᵀ·covariance·g), where g is the gradient of the value by
    the parameters.
    """
    parameters = eg.Vec(n, eg.Real)

    @eg.fn([parameters, eg.Real], eg.Real)
    def value(p: Any, x: Any) -> Any:
        return _at(model, x, p)

    slopes = eg.value_and_grad(value)

    @eg.fn([parameters, eg.Vec(n, parameters), eg.Real, eg.Real])
    def drawn(p: Any, covariance: Any, x0: Any, x1: Any) -> Any:
        def place(k: Any) -> Any:
            y, g = slopes(p, x0 + (x1 - x0) * (eg.real(k) / (PLACES - 1)))
            variance = eg.sum(n, lambda i: g[i] * eg.dot(covariance[i], g))
            return y, eg.math.sqrt(eg.math.maximum(variance, 0.0))

        both = eg.vec(PLACES, place)
        return {
            "values": eg.vec(PLACES, lambda k: both[k][0]),
            "deviations": eg.vec(PLACES, lambda k: both[k][1]),
        }

    return drawn


def valley(model: eg.Fn, n: int, capacity: int) -> eg.Fn:
    """The function (parameters, i, from, to, j, from, to, xs, ys, weights) → the sums of squares.

    There is a sum for each of CELLS × CELLS values of the parameters i (across) and j (up), row by row. The
    other parameters keep their values.
    """
    line, parameters = eg.Vec(capacity, eg.Real), eg.Vec(n, eg.Real)

    @eg.fn([parameters, eg.Fin(n), eg.Real, eg.Real, eg.Fin(n), eg.Real, eg.Real, line, line, line])
    def sums(
        p: Any, i: Any, i0: Any, i1: Any, j: Any, j0: Any, j1: Any, xs: Any, ys: Any, weights: Any
    ) -> Any:
        def at(row: Any, column: Any) -> Any:
            there = p.at[j].set(j0 + (j1 - j0) * (eg.real(row) / (CELLS - 1)))
            there = there.at[i].set(i0 + (i1 - i0) * (eg.real(column) / (CELLS - 1)))

            def square(k: Any) -> Any:
                r = residual(model, there, xs[k], ys[k], weights[k])
                return r * r

            return eg.sum(capacity, square)

        return eg.vec(CELLS, lambda row: eg.vec(CELLS, lambda column: at(row, column)))

    return sums
