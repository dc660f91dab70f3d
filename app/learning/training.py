"""Compile a network to one kernel, which takes training steps, tests the network, and computes its pictures.

A model has a `size` (its number of weights), `example` (the types of an example's parts), and four functions.
`start` makes the initial weights. `loss` computes the loss of one example. `judge` computes the loss, and
whether the model's answer is right. `pictures` computes the numbers that the page draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

OPTIMISERS = {"descent": "gradient-descent", "momentum": "momentum", "adam": "adam"}
"""For the name of each optimiser on the page, the optimiser's name in `eg.stepper`."""
FOREVER = 10**9
"""The largest number of iterations of a solver. No training reaches it."""
NEVER = -1.0
"""The solver's tolerance for the gradient. No gradient meets it, so the training goes on even if the gradient
of a few examples is 0."""


def data_type(model: Any, most: int) -> Any:
    """The type of up to `most` examples."""
    return {**{name: eg.Vec(most, of) for name, of in model.example.items()}, "count": eg.Fin(most + 1)}


def settings_type(most: int) -> Any:
    """Return the type of the settings of a training run.

    `rate` is the learning rate, and `batch` is the number of examples in each step. `l2` is the strength of
    the regularisation: the loss contains l2/2 times the sum of the squared weights.
    """
    return {"rate": eg.Real, "batch": eg.Fin(most + 1), "l2": eg.Real}


def example_of(model: Any, data: Any, k: Any) -> Any:
    """The example number k."""
    return {name: data[name][k] for name in model.example}


def loss_of(model: Any, most: int) -> eg.Fn:
    """Make the function (weights, data, first example, settings) → the loss of one step's examples.

    The loss is the mean of the examples' losses, plus l2 times half the sum of the squared weights.
    """
    line = eg.Vec(model.size, eg.Real)

    @eg.fn([line, data_type(model, most), eg.Fin(most), settings_type(most)], eg.Real)
    def loss(weights: Any, data: Any, first: Any, settings: Any) -> Any:
        batch = batch_of(settings, data)

        def add(i: Any, total: Any) -> Any:
            k = place(first + i, data["count"], most)
            return total + model.loss(weights, example_of(model, data, k))

        total = eg.fori_loop(0, batch, add, 0.0)
        return total / m.maximum(eg.real(batch), 1.0) + 0.5 * settings["l2"] * eg.dot(weights, weights)

    return loss


def batch_of(settings: Any, data: Any) -> Any:
    """Return how many examples a training step uses: settings["batch"], but no more than `data` has."""
    return eg.select(settings["batch"] < data["count"], settings["batch"], data["count"])


def place(i: Any, count: Any, most: int) -> Any:
    """Return i if there is an example with this index. Otherwise begin again: return i − count.

    The index must be less than 2·count.
    """
    return eg.Fin(most)(eg.select(i < count, i, i - count))


@dataclass(frozen=True)
class Course:
    """Two traced functions for training. `begins` makes a state from weights, `step` updates the state."""

    model: Any
    most: int
    begins: eg.Fn
    step: eg.Fn

    @property
    def state(self) -> dict[str, Any]:
        """The type of a state."""
        return {"solver": self.begins.function.result, "next": eg.Fin(self.most)}

    def begin(self, weights: Any, data: Any, settings: Any) -> Any:
        """The state at the start."""
        zero = eg.Fin(self.most)(0)
        return {"solver": self.begins(weights, data, zero, settings), "next": zero}

    def advance(self, state: Any, steps: Any, data: Any, settings: Any) -> Any:
        """Return the state after `steps` more iterations. Each iteration uses the next examples."""

        def one(carry: Any) -> Any:
            count, state = carry
            solver = self.step(state["solver"], 1.0, data, state["next"], settings)
            after = place(state["next"] + batch_of(settings, data), data["count"], self.most)
            return count + 1.0, {"solver": solver, "next": after}

        return eg.while_loop(lambda carry: carry[0] < steps, one, (0.0, state))[1]


def course_of(model: Any, most: int, optimiser: str) -> Course:
    """Make the functions for training by `eg.stepper`. The learning rate is one of the settings."""
    loss = loss_of(model, most)
    begin, step = eg.stepper(
        loss, loss.function.params, OPTIMISERS[optimiser], maxiter=FOREVER, tol=NEVER,
        learning_rate=lambda data, first, settings: settings["rate"],
    )  # fmt: skip
    return Course(model, most, begin, step)


def learning(model: Any, most: int, most_tests: int, optimiser: str) -> eg.Fn:
    """Make the function that the page Learn calls in each frame.

    The function takes (state, begins, steps, seed, examples, tests, settings). It returns "state", "train",
    "test" and the model's pictures. If `begins` is true, the training starts again from the seed. Then the
    function makes `steps` iterations, and each iteration uses the next examples. "train" is the mean loss and
    the fraction of right answers for the examples, and "test" has the same two numbers for the tests.
    """
    course = course_of(model, most, optimiser)
    given = [data_type(model, most), data_type(model, most_tests), settings_type(most)]

    @eg.fn([course.state, eg.Bool, eg.Real, eg.Real, *given])
    def frame(state: Any, begins: Any, steps: Any, seed: Any, data: Any, tests: Any, settings: Any) -> Any:
        def anew() -> Any:
            return course.begin(model.start(seed), data, settings)

        state = eg.cond(begins, anew, lambda: state)
        state = course.advance(state, steps, data, settings)
        weights = state["solver"].x
        judged = {"train": judgement(model, weights, data), "test": judgement(model, weights, tests)}
        return {"state": state, **judged, **model.pictures(weights, tests)}

    return frame


def judgement(model: Any, weights: Any, data: Any) -> Any:
    """Test a network on data. Return the mean loss and the fraction of right answers."""

    def add(k: Any, sums: Any) -> Any:
        loss, right = model.judge(weights, example_of(model, data, k))
        return sums[0] + loss, sums[1] + right

    losses, right = eg.fori_loop(0, data["count"], add, (0.0, 0.0))
    count = m.maximum(eg.real(data["count"]), 1.0)
    return {"loss": losses / count, "right": right / count}
