"""An LSTM that learns a line of text: it sees a letter and guesses the next one.

Its weights are one Vec: for each of the four sums (forget, input, output, candidate) the rows of W, U and b
of each unit, then the rows of the guess with its biases. W has a column for each letter, so W·x is a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg
from eglantine import numpy as enp

from .sequence import REMEMBERS, SUMS

m = eg.math

LETTERS = " abcdefghijklmnopqrstuvwxyz,."
LINE = "the briar climbs the wall, the rose follows the sun."
"""The line that the network learns. From its first letter, the network has to find all others."""
CODES = [LETTERS.index(letter) for letter in LINE]
SPREAD = 0.25
"""The largest weight at the start."""


@dataclass(frozen=True)
class Text:
    """An LSTM whose inputs and outputs are letters."""

    units: int

    @property
    def row(self) -> int:
        """The number of weights of a unit's sum: a row of W, a row of U, and the bias."""
        return len(LETTERS) + self.units + 1

    @property
    def size(self) -> int:
        """The number of weights."""
        return SUMS * self.units * self.row + len(LETTERS) * (self.units + 1)

    @property
    def example(self) -> dict[str, Any]:
        """The types of an example's parts."""
        return {"x": eg.Vec(len(LINE), eg.Fin(len(LETTERS)))}

    def start(self, seed: Any) -> Any:
        """Random weights for a seed. The forget gates begin open."""
        drawn = eg.random.uniform(eg.random.key(seed), self.size, -SPREAD, SPREAD)
        forgets = self.units * self.row

        def at(k: Any) -> Any:
            is_bias = (k < forgets) & (k % self.row == self.row - 1)
            return eg.select(is_bias, REMEMBERS, drawn[k])

        return eg.vec(self.size, at)

    def step(self, weights: Any, state: Any, letter: Any) -> Any:
        """The outputs and cells after a letter."""
        h, cells = state

        def total(gate: int, i: Any) -> Any:
            at = (i + gate * self.units) * self.row
            recurrent = eg.sum(self.units, lambda j: weights[at + j + len(LETTERS)] * h[j])
            return weights[at + letter] + recurrent + weights[at + self.row - 1]

        def unit(i: Any) -> Any:
            forget, insert, output = (1.0 / (1.0 + m.exp(-total(gate, i))) for gate in range(3))
            cell = forget * cells[i] + insert * m.tanh(total(3, i))
            return output * m.tanh(cell), cell

        both = eg.vec(self.units, unit)
        return tuple(eg.vec(self.units, lambda i, k=k: both[i][k]) for k in range(2))

    def scores(self, weights: Any, h: Any) -> Any:
        """The score of each letter to be the next one. Softmax makes them probabilities."""
        first = SUMS * self.units * self.row

        def score(letter: Any) -> Any:
            at = letter * (self.units + 1) + first
            return eg.sum(self.units, lambda j: weights[at + j] * h[j]) + weights[at + self.units]

        return eg.vec(len(LETTERS), score)

    def judge(self, weights: Any, example: Any) -> tuple[Any, Any]:
        """The mean cross entropy of the guesses, and the share of letters that are guessed right."""
        x = example["x"]

        def one(t: Any, carry: Any) -> Any:
            state, losses, right = carry
            state = self.step(weights, state, x[t])
            scores, wanted = self.scores(weights, state[0]), x[t + 1]
            loss = enp.logsumexp(scores) - scores[wanted]
            return state, losses + loss, right + eg.real(enp.argmax(scores) == wanted)

        _, losses, right = eg.fori_loop(0, len(LINE) - 1, one, (self._empty(), 0.0, 0.0))
        return losses / (len(LINE) - 1), right / (len(LINE) - 1)

    def loss(self, weights: Any, example: Any) -> Any:
        """The mean cross entropy of the guesses."""
        x = example["x"]

        def one(t: Any, carry: Any) -> Any:
            state, losses = carry
            state = self.step(weights, state, x[t])
            scores = self.scores(weights, state[0])
            return state, losses + enp.logsumexp(scores) - scores[x[t + 1]]

        return eg.fori_loop(0, len(LINE) - 1, one, (self._empty(), 0.0))[1] / (len(LINE) - 1)

    def answer(self, weights: Any, first: Any) -> Any:
        """The letters that the network writes after a first one, as numbers in LETTERS."""
        seen = self._writing(weights, first)
        return eg.vec(len(LINE), lambda t: seen[t]["letter"])

    def pictures(self, weights: Any, tests: Any) -> dict[str, Any]:
        """The line that the network writes: "written", its letters, and "neurons", the units' outputs."""
        seen = self._writing(weights, tests["x"][0][0])
        return {
            "written": eg.vec(len(LINE), lambda t: seen[t]["letter"]),
            "neurons": eg.vec(len(LINE), lambda t: seen[t]["h"]),
        }

    def _writing(self, weights: Any, first: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            state, letter = carry
            state = self.step(weights, state, letter)
            following = enp.argmax(self.scores(weights, state[0]))
            return (state, following), {"letter": letter, "h": state[0]}

        return eg.scan(one, (self._empty(), first), length=len(LINE))[1]

    def _empty(self) -> tuple[Any, Any]:
        zeros = enp.zeros(self.units)
        return zeros, zeros
