"""Compile the kernels of a formula on the page "Fit": its residuals, and its curve with error bands.

The solver calls the residuals. All kernels of a formula take a fixed number of points, its capacity. A point
of weight 0 does not count, so adding a point needs no compilation until the capacity is full.
"""

from __future__ import annotations

import time
from typing import Any

import eglantine as eg
from eglantine import Artifact, formulas
from eglantine.solvers.residuals import Residuals, pointwise

CAPACITIES = (16, 64, 256, 512)
MOST_PARAMETERS = 12
KERNELS = ("residuals", "jacobian", "along", "curvature", "curve")
"""The solver calls the first four."""
PLACES = 257
"""The number of places at which a curve is computed."""
DATUM = "x"


def parameters_of(text: str) -> list[str]:
    """The letters of a formula except x, in natural order.

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
    """Compile a formula's kernels. Return {name: {"wasm", "abi"} for each of KERNELS, "names", "cost"}.

    "names" are the parameters, in the order in which the kernels take them. "cost" is {"ms", "bytes"}.

    Raises:
        EglantineError: `parameters_of` refuses the formula, or it cannot be compiled.
        ValueError: the capacity is not in CAPACITIES.
    """
    start = time.perf_counter()
    model, names = _model_of(text, capacity)
    of = residuals(model, len(names), capacity)
    functions = {
        "residuals": of.value,
        "jacobian": of.jacobian,
        "along": of.along,
        "curvature": of.curvature,
        "curve": curve(model, len(names)),
    }
    artifacts = {name: eg.compile_artifact(function) for name, function in functions.items()}
    ms = 1000 * (time.perf_counter() - start)
    modules = {name: {"wasm": artifact.wasm, "abi": artifact.abi} for name, artifact in artifacts.items()}
    size = sum(len(artifact.wasm) for artifact in artifacts.values())
    return {**modules, "names": names, "cost": {"ms": ms, "bytes": size}}


def compile_whole_fit(text: str, capacity: int) -> Artifact:
    """Compile the fit of a formula to a single module, for exports. It needs no other module.

    Raises:
        EglantineError, ValueError: for the reasons that `compile_fitter` lists.
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


def residuals(model: eg.Fn, n: int, capacity: int) -> Residuals:
    """Two functions of (parameters, xs, ys, weights): the residuals of all points, and their derivatives."""

    @eg.fn([eg.Vec(n, eg.Real), eg.Real, eg.Real, eg.Real], eg.Real)
    def point(p: Any, x: Any, y: Any, weight: Any) -> Any:
        return residual(model, p, x, y, weight)

    return pointwise(point, capacity)


def curve(model: eg.Fn, n: int) -> eg.Fn:
    """The function (parameters, covariance, from, to) → values of the model and their standard deviations.

    The values are at PLACES equally spaced places between the two ends. `covariance` is the parameters'
    covariance matrix. The standard deviation of a value is √(gᵀ·covariance·g), where g is the gradient of the
    value by the parameters.
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
