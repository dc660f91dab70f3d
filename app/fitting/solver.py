"""The solver of the page "Fit": the Levenberg-Marquardt method. Other modules compute the model.

A solver depends only on the number of parameters and the capacity. So the build compiles all solvers in
advance. When a visitor types a formula, the page compiles only the model.
"""

from __future__ import annotations

from typing import Any

import eglantine as eg
from eglantine import Artifact
from eglantine.solvers.hosted import hosted
from eglantine.solvers.levenberg_marquardt import levenberg_marquardt
from eglantine.solvers.residuals import Residuals

RESULTS = ("x", "fun", "cost", "inverse", "independent", "status", "nit")

TOLERANCE = 1e-14
"""The largest offset at which a fit ends. The offset is the cosine between the residuals and the space of the
Jacobian's columns. It is 0 at an exact minimum."""


class Absent:
    """A placeholder for a function that the page provides later. Solvers are compiled with placeholders."""

    __name__ = "model"

    def __call__(self, *args: Any) -> Any:
        """Refuse to compute anything.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "A solver needs a model. Instantiate the solver's module with the functions of a model."
        )

    at_addresses = __call__


def whole_fit(residuals: Residuals) -> eg.Fn:
    """Make a function of (start, lower, upper, xs, ys, weights, rounds) that fits the model to points.

    residuals: the model's residuals and their derivatives, as functions of (parameters, xs, ys, weights).

    The function makes at most `rounds` iterations. If the lower and the upper bound of a parameter are equal,
    the parameter stays fixed. The result has the parameters `x`, the residuals `fun`, and half the sum of
    their squares as `cost`. `inverse` is the inverse of JᵀJ for all parameters that are not at a bound.
    `independent` is 1 if `inverse` exists, else 0. `status` is the reason why the solver stopped (see
    solvers/statuses.py), and `nit` is the number of iterations.
    """
    parameters, line, *_ = residuals.value.function.params

    @eg.fn([parameters, parameters, parameters, line, line, line, eg.Real])
    def fitted(start: Any, lower: Any, upper: Any, xs: Any, ys: Any, weights: Any, rounds: Any) -> Any:
        end = levenberg_marquardt(residuals, start, (xs, ys, weights), lower, upper, TOLERANCE, rounds)
        return {name: end[name] for name in RESULTS}

    return fitted


def solver(n: int, capacity: int) -> eg.Fn:
    """Make a function of (start, lower, upper, rounds) that fits n parameters.

    For the results of a fit, see `whole_fit`. The solver's module imports functions that compute the
    residuals and their derivatives for all points. The page provides these functions.
    """
    parameters, line = eg.Vec(n, eg.Real), eg.Vec(capacity, eg.Real)
    jacobian = eg.Vec(capacity, parameters)
    absent = Absent()
    derivatives = Residuals(
        hosted("residuals", absent, {"p": parameters}, line),
        hosted("jacobian", absent, {"p": parameters}, (line, jacobian)),
        hosted("along", absent, {"v": parameters, "p": parameters}, line),
        hosted("curvature", absent, {"w": line, "p": parameters}, eg.Vec(n, parameters)),
    )

    @eg.fn([parameters, parameters, parameters, eg.Real])
    def fitted(start: Any, lower: Any, upper: Any, rounds: Any) -> Any:
        end = levenberg_marquardt(derivatives, start, (), lower, upper, TOLERANCE, rounds)
        return {name: end[name] for name in RESULTS}

    return fitted


def compiled_solver(n: int, capacity: int) -> Artifact:
    """Compile a solver. Its module imports "residuals", "jacobian", "along" and "curvature"."""
    return eg.compile_artifact(solver(n, capacity))
