"""An LSTM that learns to continue a wave: it sees a value and predicts the next one.

Its weights are one Vec: for each of the four sums (forget, input, output, candidate) the rows of W, U and b
of each unit, then the weights of the prediction and its bias.

Source: S. Hochreiter and J. Schmidhuber, "Long Short-Term Memory", Neural Computation 9 (1997), with the
forget gate of F. Gers, J. Schmidhuber and F. Cummins (2000).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import eglantine as eg
from eglantine import numpy as enp

m = eg.math

LENGTH = 32
"""The values of an example."""
HEARD, CONTINUED = 24, 72
"""In the picture the network hears the first 24 values, and then its own predictions up to 72 values."""
NEAR = 0.1
"""A prediction counts as right if it is at most this far off."""
SUMS = 4
REMEMBERS = 1.0
"""The bias of the forget gates at the start (Jozefowicz, Zaremba and Sutskever 2015)."""


@dataclass(frozen=True)
class Sequence:
    """An LSTM with one input and one output."""

    units: int

    @property
    def row(self) -> int:
        """The number of weights of a unit's sum: one of W, the row of U, and the bias."""
        return self.units + 2

    @property
    def size(self) -> int:
        """The number of weights."""
        return SUMS * self.units * self.row + self.units + 1

    @property
    def example(self) -> dict[str, Any]:
        """The types of an example's parts."""
        return {"x": eg.Vec(LENGTH, eg.Real)}

    def start(self, seed: Any) -> Any:
        """Random weights for a seed. The forget gates begin open."""
        spread = 1.0 / math.sqrt(self.units)
        drawn = eg.random.uniform(eg.random.key(seed), self.size, -spread, spread)
        forgets = self.units * self.row

        def at(k: Any) -> Any:
            is_bias = (k < forgets) & (k % self.row == self.row - 1)
            return eg.select(is_bias, REMEMBERS, drawn[k])

        return eg.vec(self.size, at)

    def step(self, weights: Any, state: Any, x: Any) -> Any:
        """The outputs and cells after an input."""
        h, cells = state

        def total(gate: int, i: Any) -> Any:
            at = (i + gate * self.units) * self.row
            recurrent = eg.sum(self.units, lambda j: weights[at + j + 1] * h[j])
            return weights[at] * x + recurrent + weights[at + self.units + 1]

        def unit(i: Any) -> Any:
            forget, insert, output = (1.0 / (1.0 + m.exp(-total(gate, i))) for gate in range(3))
            cell = forget * cells[i] + insert * m.tanh(total(3, i))
            return output * m.tanh(cell), cell

        both = eg.vec(self.units, unit)
        return tuple(eg.vec(self.units, lambda i, k=k: both[i][k]) for k in range(2))

    def predicted(self, weights: Any, h: Any) -> Any:
        """The next value, from the outputs."""
        at = SUMS * self.units * self.row
        return eg.sum(self.units, lambda j: weights[at + j] * h[j]) + weights[self.size - 1]

    def judge(self, weights: Any, example: Any) -> tuple[Any, Any]:
        """The mean squared error of the predictions, and the share of predictions near the next value."""
        x = example["x"]

        def one(t: Any, carry: Any) -> Any:
            state, squares, near = carry
            state = self.step(weights, state, x[t])
            error = self.predicted(weights, state[0]) - x[t + 1]
            return state, squares + error * error, near + eg.select(abs(error) <= NEAR, 1.0, 0.0)

        zeros = enp.zeros(self.units)
        _, squares, near = eg.fori_loop(0, LENGTH - 1, one, ((zeros, zeros), 0.0, 0.0))
        return squares / (LENGTH - 1), near / (LENGTH - 1)

    def loss(self, weights: Any, example: Any) -> Any:
        """The mean squared error of the predictions."""
        return self.judge(weights, example)[0]

    def answer(self, weights: Any, x: Any) -> Any:
        """The value that follows the values in x."""
        zeros = enp.zeros(self.units)
        last = eg.fori_loop(0, len(x), lambda t, state: self.step(weights, state, x[t]), (zeros, zeros))
        return self.predicted(weights, last[0])

    def pictures(self, weights: Any, tests: Any) -> dict[str, Any]:
        """The first test, continued: "wave" holds predictions, and "neurons" the units' outputs.

        The prediction at t is for the value at t + 1.
        """
        x = tests["x"][0]

        def one(carry: Any, t: Any) -> Any:
            state, last = carry
            known = x[eg.Fin(LENGTH)(eg.select(t < HEARD, t, 0))]
            state = self.step(weights, state, eg.select(t < HEARD, known, last))
            value = self.predicted(weights, state[0])
            return (state, value), {"wave": value, "neurons": state[0]}

        zeros = enp.zeros(self.units)
        seen = eg.scan(one, ((zeros, zeros), 0.0), eg.vec(CONTINUED, lambda t: t))[1]
        return {name: eg.vec(CONTINUED, lambda t, name=name: seen[t][name]) for name in ("wave", "neurons")}
