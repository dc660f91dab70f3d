"""Compile a formula for the page "Fit" to kernels that compute one point's residual and its derivatives.

The kernels do not depend on the number of points. A solver takes a fixed number of points, which we call its
capacity. If there are fewer points, we add points of weight 0, which have no effect. If there are more
points, the page loads a solver with a larger capacity.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import eglantine as eg
from app.fitting.points import functions_of_a_point
from eglantine import formulas
from eglantine.formulas.free import with_free_letters

CAPACITIES = (16, 64, 256, 512)
MOST_PARAMETERS = 12
KERNELS = ("residuals", "jacobian", "along", "curvature")
"""The names of the functions that the solver calls. Each handles one point (`functions_of_a_point`)."""
DATUM = "x"


def compile_fitter(text: str) -> dict[str, Any]:
    """Compile a formula's kernels. Return {"names", "cost"} and, for each name in KERNELS, {"wasm", "abi"}.

    "names" are the formula's parameters in the kernels' order. "cost" is {"ms", "bytes"}.

    Raises:
        EglantineError: `model_of` does not accept the formula, or the compiler cannot compile it.
    """
    start = time.perf_counter()
    model, names = model_of(text)
    functions = functions_of_a_point(model, len(names))
    artifacts = {name: eg.compile_artifact(functions[name]) for name in KERNELS}
    ms = 1000 * (time.perf_counter() - start)
    modules = {name: {"wasm": artifact.wasm, "abi": artifact.abi} for name, artifact in artifacts.items()}
    size = sum(len(artifact.wasm) for artifact in artifacts.values())
    return {**modules, "names": names, "cost": {"ms": ms, "bytes": size}}


def model_of(text: str) -> tuple[Callable[..., Any], list[str]]:
    """Convert a formula to a function (x, *parameters) of traced Reals. Return it, and the parameters' names.

    Raises:
        FormulaError: the text is not a formula, or it has no letter except x.
        LimitError: the formula has more than MOST_PARAMETERS letters besides x.
    """
    model, names = with_free_letters(text, [DATUM])
    if not names:
        formulas.to_fn(text, [DATUM])
        raise eg.FormulaError(
            "There is nothing to fit, because this formula has no letter except x. Write a letter for each "
            "unknown number, as in a*x + b."
        )
    if len(names) > MOST_PARAMETERS:
        raise eg.LimitError(
            f"This formula has {len(names)} letters in addition to x, but a fit here takes at most "
            f"{MOST_PARAMETERS}. Replace some of these letters by numbers."
        )
    return model, names
