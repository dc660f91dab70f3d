"""Fit a line to points by gradient descent: the loss, its gradient, its surface, and the exact solution.

The line is slope·(x − origin) + intercept. All modules take MOST_POINTS points but use only the first
`count`, so nothing is compiled again when you add a point.

Source of the data: F. J. Anscombe, "Graphs in Statistical Analysis", The American Statistician 27 (1973),
pages 17 to 21.
"""

from __future__ import annotations

import time
from typing import Any

import eglantine as eg

MOST_POINTS = 64
CELLS = 49
"""The number of grid points along each side of the loss surface."""

SQUARED, ABSOLUTE, HUBER = range(3)
LOSSES = ("squared", "absolute", "huber")
"""The names of the losses. The squared loss of a residual r is r², and the absolute loss is |r|. Huber's loss
(1964) is r²/2 up to a threshold, and linear beyond it."""

_X = (10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0)
_X4 = (8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 19.0, 8.0, 8.0, 8.0)
ANSCOMBE: dict[str, tuple[tuple[float, float], ...]] = {
    "I": tuple(zip(_X, (8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68), strict=True)),
    "II": tuple(zip(_X, (9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74), strict=True)),
    "III": tuple(zip(_X, (7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73), strict=True)),
    "IV": tuple(zip(_X4, (6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89), strict=True)),
}
"""Four sets of points. Their means, variances, correlations and fitted lines are equal, but the sets look
very different."""

MEAN_X = 9.0
"""The mean of x in each of the four sets."""

PLACES = eg.Vec(MOST_POINTS, eg.Real)
COUNT = eg.Fin(MOST_POINTS + 1)
KIND = eg.Fin(len(LOSSES))
DATA = (PLACES, PLACES, COUNT, eg.Real, KIND, eg.Real)
"""The types of the data: xs, ys, the number of points, the origin of x, the kind of loss, and the threshold
of Huber's loss."""


def cost(kind: Any, threshold: Any, r: Any) -> Any:
    """The cost of one residual r."""
    size = abs(r)
    huber = eg.select(size <= threshold, 0.5 * r * r, threshold * (size - 0.5 * threshold))
    return eg.select(kind == SQUARED, r * r, eg.select(kind == ABSOLUTE, size, huber))


def mean_cost(data: Any, slope: Any, intercept: Any) -> Any:
    """Return the mean of the residuals' costs, or 0 if there are no points."""
    xs, ys, count, origin, kind, threshold = data

    def add(i: Any, total: Any) -> Any:
        return total + cost(kind, threshold, slope * (xs[i] - origin) + intercept - ys[i])

    total = eg.fori_loop(0, count, add, 0.0)
    return total / eg.math.maximum(eg.real(count), 1.0)


def fit() -> eg.Fn:
    """Make the function (data…, slope, intercept) → (loss, (∂loss/∂slope, ∂loss/∂intercept))."""

    @eg.fn([*DATA, eg.Real, eg.Real], eg.Real)
    def loss(
        xs: Any, ys: Any, count: Any, origin: Any, kind: Any, threshold: Any, slope: Any, intercept: Any
    ) -> Any:
        return mean_cost((xs, ys, count, origin, kind, threshold), slope, intercept)

    return eg.value_and_grad(loss, argnums=(6, 7))  # type: ignore[no-any-return]


def surface() -> eg.Fn:
    """Make the function (data…, slope from, to, intercept from, to) → the loss on a grid of CELLS × CELLS."""

    @eg.fn([*DATA, *(eg.Real,) * 4])
    def losses(
        xs: Any, ys: Any, count: Any, origin: Any, kind: Any, threshold: Any,
        slope0: Any, slope1: Any, intercept0: Any, intercept1: Any,
    ) -> Any:  # fmt: skip
        data = (xs, ys, count, origin, kind, threshold)

        def at(row: Any, column: Any) -> Any:
            slope = slope0 + (slope1 - slope0) / (CELLS - 1) * eg.real(column)
            intercept = intercept0 + (intercept1 - intercept0) / (CELLS - 1) * eg.real(row)
            return mean_cost(data, slope, intercept)

        return eg.vec(CELLS, lambda row: eg.vec(CELLS, lambda column: at(row, column)))

    return losses


def exact() -> eg.Fn:
    """Make the function (xs, ys, count, origin) → (slope, intercept) of least squares. Equal xs give NaN."""

    @eg.fn([PLACES, PLACES, COUNT, eg.Real])
    def line(xs: Any, ys: Any, count: Any, origin: Any) -> Any:
        n = eg.real(count)

        def add(i: Any, sums: Any) -> Any:
            return sums[0] + xs[i], sums[1] + ys[i]

        sum_x, sum_y = eg.fori_loop(0, count, add, (0.0, 0.0))
        mean_x, mean_y = sum_x / n, sum_y / n

        def spread(i: Any, sums: Any) -> Any:
            away = xs[i] - mean_x
            return sums[0] + away * away, sums[1] + away * (ys[i] - mean_y)

        xx, xy = eg.fori_loop(0, count, spread, (0.0, 0.0))
        slope = xy / xx
        return slope, mean_y - slope * (mean_x - origin)

    return line


def compile_regression() -> dict[str, Any]:
    """Compile the page's modules: {"fit", "surface", "exact": {"wasm", "abi"}, "cost": {"ms", "bytes"}}.

    "cost" describes only the module "fit" (loss and gradient): the time of tracing and compiling, and the
    module's size.
    """
    start = time.perf_counter()
    gradient = eg.compile_artifact(fit())
    ms = 1000 * (time.perf_counter() - start)
    rest = {"surface": eg.compile_artifact(surface()), "exact": eg.compile_artifact(exact())}
    artifacts = {"fit": gradient, **rest}
    modules = {name: {"wasm": artifact.wasm, "abi": artifact.abi} for name, artifact in artifacts.items()}
    return {**modules, "cost": {"ms": ms, "bytes": len(gradient.wasm)}}


def beginning() -> dict[str, Any]:
    """Return constants and data. The build stores them, so the page has them before Python starts."""
    return {"sets": ANSCOMBE, "meanX": MEAN_X, "mostPoints": MOST_POINTS, "cells": CELLS, "losses": LOSSES}
