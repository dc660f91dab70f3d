"""Methods that follow the gradient alone: gradient descent, momentum and Adam.

* Gradient descent: Cauchy, "Méthode générale pour la résolution des systèmes d'équations simultanées" (1847).
* Momentum: Polyak, "Some methods of speeding up the convergence of iteration methods" (1964).
* Adam: Kingma and Ba, "Adam: a method for stochastic optimization" (2015).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.sums import vec

from .line_searches import backtracking
from .problems import Problem, State, is_finite, length
from .statuses import NOT_FINITE, RUNNING, STUCK

GROWTH: Final = 2.0
"""The first step that a line search tries, divided by the step that the previous line search found."""
SMALL: Final = 1e-8
"""A small number that prevents divisions by 0.

Adam adds it to its divisors. Where we divide by the length of a gradient, we divide by at least this number.
"""

Rate = float | Callable[..., Any]
"""A learning rate: a number, or a function that computes it from the further arguments of a solve."""


@dataclass(frozen=True)
class GradientDescent:
    """Gradient descent: x ← x − rate·g, or a line search along −g if there is no rate."""

    learning_rate: Rate | None = None
    normalise: bool = False
    softening: float = 0.0

    def begin(self, problem: Problem, at: State) -> State:
        """The method's own numbers at the start."""
        if self.learning_rate is None:
            return {"rate": first_step(at["jac"])}
        return {"rate": rate_of(self.learning_rate, problem)}

    def step(self, problem: Problem, s: State) -> State:
        """One iteration."""
        g = problem.projected(s["x"], s["jac"])
        if self.normalise:
            g = normalised(g, self.softening)
        if self.learning_rate is not None:
            rate = rate_of(self.learning_rate, problem)
            return {**moved(problem, s, s["x"] - rate * g), "rate": rate}
        end = backtracking(problem, s["x"], s["fun"], s["jac"], -g, s["rate"])
        return {**searched(s, end), "rate": select(end["t"] > 0.0, GROWTH * end["t"], s["rate"])}


@dataclass(frozen=True)
class Momentum:
    """Momentum: v ← momentum·v − rate·(1 − dampening)·g, then x ← x + v.

    If dampening and momentum are equal, each step is −rate times a weighted mean of the gradients so far.
    """

    learning_rate: Rate = 0.01
    momentum: float = 0.9
    dampening: float = 0.0
    normalise: bool = False
    softening: float = 0.0

    def begin(self, problem: Problem, at: State) -> State:  # noqa: ARG002
        """The method's own numbers at the start."""
        return {"velocity": vec(problem.n, lambda _: 0.0)}

    def step(self, problem: Problem, s: State) -> State:
        """One iteration."""
        g = s["jac"]
        if self.normalise:
            g = normalised(g, self.softening)
        rate = rate_of(self.learning_rate, problem)
        if self.dampening != 0.0:
            rate = rate * (1.0 - self.dampening)
        velocity = self.momentum * s["velocity"] - rate * g
        return {**moved(problem, s, s["x"] + velocity), "velocity": velocity}


@dataclass(frozen=True)
class Adam:
    """Adam: each coordinate moves by its mean gradient divided by the root of its mean squared gradient."""

    learning_rate: Rate = 0.01
    beta1: float = 0.9
    beta2: float = 0.999

    def begin(self, problem: Problem, at: State) -> State:  # noqa: ARG002
        """The method's own numbers at the start."""
        zeros = vec(problem.n, lambda _: 0.0)
        return {"mean": zeros, "square": zeros, "power1": 1.0, "power2": 1.0}

    def step(self, problem: Problem, s: State) -> State:
        """One iteration."""
        g = s["jac"]
        mean = self.beta1 * s["mean"] + (1.0 - self.beta1) * g
        square = self.beta2 * s["square"] + (1.0 - self.beta2) * g * g
        power1, power2 = self.beta1 * s["power1"], self.beta2 * s["power2"]
        root = maths.sqrt(square / (1.0 - power2))
        rate = rate_of(self.learning_rate, problem)
        x = s["x"] - rate * (mean / (1.0 - power1)) / (root + SMALL)
        return {**moved(problem, s, x), "mean": mean, "square": square, "power1": power1, "power2": power2}


def normalised(g: Any, softening: float) -> Any:
    """Divide a gradient by (its length + softening). With softening, short gradients remain short."""
    size = maths.maximum(length(g), SMALL)
    return g / (size + softening if softening != 0.0 else size)


def rate_of(rate: Rate, problem: Problem) -> Any:
    """Return the learning rate as a Real. If the rate is a function, call it with the further arguments."""
    return real(rate(*problem.args)) if callable(rate) else rate


def first_step(g: Any) -> Any:
    """Return the factor t of a first step −t·g, such that t and the length of the step are at most 1."""
    return maths.minimum(1.0, 1.0 / maths.maximum(length(g), SMALL))


def moved(problem: Problem, s: State, x: Any) -> State:
    """Return the state after a move to x, for methods without a line search.

    If the value at x is not finite, the state stays at its old point and the solve ends.
    """
    x = problem.inside(x)
    value, gradient = problem.at(x)
    good = is_finite(value)
    return {
        "x": select(good, x, s["x"]), "fun": select(good, value, s["fun"]),
        "jac": select(good, gradient, s["jac"]), "nfev": s["nfev"] + 1.0,
        "status": select(good, RUNNING, NOT_FINITE),
    }  # fmt: skip


def searched(s: State, end: State) -> State:
    """Return the state after a line search. If the search found no lower point, the solve ends."""
    failed = select(end["finite"], STUCK, NOT_FINITE)
    return {
        "x": end["x"], "fun": end["fun"], "jac": end["jac"], "nfev": s["nfev"] + end["trials"],
        "status": select(end["t"] > 0.0, RUNNING, failed),
    }  # fmt: skip
