"""Compile the optimisers (*descents*) of the pages Regression, Billiards and Robot.

A descent is a Wasm module that minimises a function by steps of `eg.stepper`. It imports the function's value
and gradient from another module of the page. So one descent works for all billiard tables, and another
descent works for all robots.
"""

from __future__ import annotations

from typing import Any

import eglantine as eg
from app.learning.training import FOREVER, NEVER, OPTIMISERS
from app.simulations import walkers
from app.simulations.robot import HIDDEN
from eglantine import Artifact
from eglantine.solvers.hosted import Host, hosted

NUMBERS_OF_A_LINE, NUMBERS_OF_A_CUE = 2, 4
KEPT_MOMENTUM = 0.9
SOFTENING = 1e-6
"""A small number s. DiffTaichi's robots divide a gradient g by |g| + s, so that a gradient of 0 gives a
finite step."""
OPTIONS: dict[str, dict[str, Any]] = {
    "descent": {},
    "momentum": {"momentum": KEPT_MOMENTUM, "dampening": KEPT_MOMENTUM},
    "adam": {},
}
"""Name of a method on the pages → its options for `eg.stepper`. With each method, the length of a step is
about the rate times the length of the gradient."""
STRIDES: dict[str, Any] = {"normalise": True, "softening": SOFTENING}
"""The options of a robot's training. With them, all steps have the same length."""


class Absent:
    """A placeholder for a host function that exists only in the page."""

    __name__ = "jet"

    def __call__(self, *args: Any) -> Any:
        """Raise an error, because only the page has the function.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "A descent needs a function. Pass the function when you instantiate its module."
        )

    at_addresses = __call__


def descent(n: int, method: str, host: Host, **options: Any) -> eg.Fn:
    """Make a function (state, begins, steps, rate) that returns the state after at most `steps` steps.

    The state is a state of `eg.stepper`. If `begins` is true, the function starts a new descent at the
    state's x. `host` is a function of n numbers that returns the minimised function's value and gradient.
    """
    line = eg.Vec(n, eg.Real)
    jet = hosted("jet", host, {"x": line}, (eg.Real, line))

    @eg.fn([line], eg.Real)
    def value(x: Any) -> Any:
        return jet(x)[0]

    @value.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        at, gradient = jet(primals[0])
        return at, eg.dot(gradient, tangents[0])

    begin, step = eg.stepper(
        lambda x, rate: value(x), [line, eg.Real], OPTIMISERS[method], maxiter=FOREVER, tol=NEVER,
        learning_rate=lambda rate: rate, **options,
    )  # fmt: skip

    @eg.fn([begin.function.result, eg.Bool, eg.Real, eg.Real])
    def frame(state: Any, begins: Any, steps: Any, rate: Any) -> Any:
        state = eg.cond(begins, lambda: begin(state.x, rate), lambda: state)
        return step(state, steps, rate)

    made: eg.Fn = frame
    return made


def compiled(n: int, method: str, **options: Any) -> Artifact:
    """Compile a descent. Its module imports the minimised function with the label `jet`."""
    return eg.compile_artifact(descent(n, method, Absent(), **options))


def for_page(n: int) -> dict[str, Artifact]:
    """Compile a descent for each method that a visitor can choose. Return {method's name: module}."""
    return {method: compiled(n, method, **options) for method, options in OPTIONS.items()}


def for_robots() -> Artifact:
    """Compile the descent that trains robots. It has enough variables for the largest robot's weights."""
    return compiled(most_weights(), "descent", **STRIDES)


def most_weights() -> int:
    """Return the number of weights of the largest robot."""
    masses, springs = walkers.MOST_MASSES, walkers.MOST_SPRINGS
    spec = {"masses": masses, "springs": [[0, 1]] * springs, "stiffness": 1.0, "steps": 1}
    return HIDDEN * (walkers.robot_of(spec).inputs + 1) + springs * (HIDDEN + 1)
