"""The kernels of a formula on the page "Fit": the residual of one point, and the derivatives that the solver
calls.

The kernels do not depend on the number of points. The solver does: it always takes a fixed number of points,
its capacity. If there are fewer points, we add points of weight 0, which have no effect. So the page needs
another solver only when there are more points than the capacity.
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
"""The functions that the solver calls, each for one point (`functions_of_a_point`)."""
DATUM = "x"


def compile_fitter(text: str) -> dict[str, Any]:
    """Compile a formula's kernels. Return {name: {"wasm", "abi"} for each of KERNELS, "names", "cost"}.

    "names" are the parameters, in the order in which the kernels take them. "cost" is {"ms", "bytes"}.

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
    """Convert a formula to a function (x, *parameters) of traced Reals. Return it with the sorted parameters.

    Raises:
        FormulaError: the text is not a formula, or it has no letter except x.
        LimitError: the formula has more than MOST_PARAMETERS letters besides x.
    """
    model, names = with_free_letters(text, [DATUM])
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
    return model, names
