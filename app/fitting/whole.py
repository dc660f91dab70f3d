"""Compile two modules for export: one fits a formula to points, the other computes the formula's curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import eglantine as eg
from app.fitting.fitter import CAPACITIES, model_of
from app.fitting.points import residual
from app.fitting.solver import whole_fit
from eglantine import Artifact
from eglantine.solvers.residuals import Residuals, pointwise

PLACES = 257
"""The number of points of a computed curve."""


def compile_whole_fit(text: str, capacity: int) -> tuple[Artifact, Artifact]:
    """Compile one module that fits a formula to at most `capacity` points, and one module for its curve.

    Raises:
        EglantineError: the formula cannot be compiled (see `compile_fitter`).
        ValueError: the capacity is not in CAPACITIES.
    """
    if capacity not in CAPACITIES:
        msg = f"The capacity must be one of {CAPACITIES}, but it is {capacity}."
        raise ValueError(msg)
    model, names = model_of(text)
    fit = whole_fit(residuals(model, len(names), capacity))
    return eg.compile_artifact(fit), eg.compile_artifact(curve(model, len(names)))


def residuals(model: Callable[..., Any], n: int, capacity: int) -> Residuals:
    """Make functions of (parameters, xs, ys, weights): the residuals of all points, and their derivatives."""

    @eg.fn([eg.Vec(n, eg.Real), eg.Real, eg.Real, eg.Real], eg.Real)
    def point(p: Any, x: Any, y: Any, weight: Any) -> Any:
        return residual(model, [p[k] for k in range(n)], x, y, weight)

    return pointwise(point, capacity)


def curve(model: Callable[..., Any], n: int) -> eg.Fn:
    """Make a function of (parameters, covariance, from, to) that returns the model's values and their errors.

    The function computes PLACES values, at equally spaced x between `from` and `to`. `covariance` is the
    covariance matrix of the parameters. The error of a value is its standard deviation √(gᵀ·covariance·g),
    where g is the value's gradient with respect to the parameters.
    """
    parameters = eg.Vec(n, eg.Real)

    @eg.fn([parameters, eg.Real], eg.Real)
    def value(p: Any, x: Any) -> Any:
        return model(x, *[p[k] for k in range(n)])

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
