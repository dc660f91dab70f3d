"""An LSTM that learns to continue a wave: it sees a value and predicts the next value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import eglantine as eg

from .memory import Memory

LENGTH = 32
"""The values of an example."""
HEARD, CONTINUED = 24, 72
"""In the picture the network hears the first 24 values, and then its own predictions up to 72 values."""
NEAR = 0.1
"""The largest error of a prediction that counts as right."""


@dataclass(frozen=True)
class Sequence(Memory):
    """An LSTM with one input and one result."""

    inputs: ClassVar[int] = 1
    results: ClassVar[int] = 1

    @property
    def spread(self) -> float:
        """The largest weight at the start."""
        return 1.0 / math.sqrt(self.units)

    @property
    def example(self) -> dict[str, Any]:
        """The types of an example's parts."""
        return {"x": eg.Vec(LENGTH, eg.Real)}

    def step(self, weights: Any, state: Any, x: Any) -> Any:
        """The outputs and cells after a value."""
        return self.hear(weights, state, lambda at: weights[at] * x)

    def predicted(self, weights: Any, h: Any) -> Any:
        """The next value, from the outputs."""
        return self.result(weights, h, 0)

    def judge(self, weights: Any, example: Any) -> tuple[Any, Any]:
        """Return the mean squared error of the predictions, and the fraction of errors that are ≤ NEAR."""
        x = example["x"]

        def one(t: Any, carry: Any) -> Any:
            state, squares, near = carry
            state = self.step(weights, state, x[t])
            error = self.predicted(weights, state[0]) - x[t + 1]
            return state, squares + error * error, near + eg.select(abs(error) <= NEAR, 1.0, 0.0)

        _, squares, near = eg.fori_loop(0, LENGTH - 1, one, (self.empty, 0.0, 0.0))
        return squares / (LENGTH - 1), near / (LENGTH - 1)

    def loss(self, weights: Any, example: Any) -> Any:
        """Return the mean squared error of the predictions."""
        return self.judge(weights, example)[0]

    def answer(self, weights: Any, x: Any) -> Any:
        """The value that follows the values in x."""
        last = eg.fori_loop(0, len(x), lambda t, state: self.step(weights, state, x[t]), self.empty)
        return self.predicted(weights, last[0])

    def pictures(self, weights: Any, tests: Any) -> dict[str, Any]:
        """Let the network continue the first test wave.

        Entry t of "wave" predicts the value at t + 1. "neurons" has the units' outputs.
        """
        x = tests["x"][0]

        def one(carry: Any, t: Any) -> Any:
            state, last = carry
            known = x[eg.Fin(LENGTH)(eg.select(t < HEARD, t, 0))]
            state = self.step(weights, state, eg.select(t < HEARD, known, last))
            value = self.predicted(weights, state[0])
            return (state, value), {"wave": value, "neurons": state[0]}

        seen = eg.scan(one, (self.empty, 0.0), eg.vec(CONTINUED, lambda t: t))[1]
        return {name: eg.vec(CONTINUED, lambda t, name=name: seen[t][name]) for name in ("wave", "neurons")}
