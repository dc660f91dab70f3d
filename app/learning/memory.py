"""The cells and gates of an LSTM (long short-term memory), a network that reads a sequence of inputs.

Each unit computes four sums W·x + U·h + b from the input x and the units' previous outputs h. The sums are
named forget, input, output and candidate, and each has its own W, U and b. All weights of the network are in
one Vec. First come the weights of the four sums: for each sum and each unit, a row of W, a row of U and a
bias b. Then come a row of weights and a bias for each result of the network.

Source: S. Hochreiter and J. Schmidhuber, "Long Short-Term Memory", Neural Computation 9 (1997), with the
forget gate of F. Gers, J. Schmidhuber and F. Cummins (2000).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import eglantine as eg
from eglantine import numpy as enp

m = eg.math

SUMS = 4
REMEMBERS = 1.0
"""The bias of each forget gate before the training (Jozefowicz, Zaremba and Sutskever 2015)."""


@dataclass(frozen=True)
class Memory:
    """An LSTM with some units."""

    units: int
    inputs: ClassVar[int]
    """The columns of W."""
    results: ClassVar[int]
    """The numbers that are computed from the outputs."""

    @property
    def row(self) -> int:
        """The number of weights that a unit has for one sum: a row of W, a row of U, and a bias."""
        return self.inputs + self.units + 1

    @property
    def size(self) -> int:
        """The number of weights."""
        return SUMS * self.units * self.row + self.results * (self.units + 1)

    @property
    def spread(self) -> float:
        """The largest weight at the start."""
        raise NotImplementedError

    def start(self, seed: Any) -> Any:
        """Generate random weights from a seed.

        The forget gates begin with a large bias, so that an untrained network keeps the values of its cells.
        """
        drawn = eg.random.uniform(eg.random.key(seed), self.size, -self.spread, self.spread)
        forgets = self.units * self.row

        def at(k: Any) -> Any:
            is_bias = (k < forgets) & (k % self.row == self.row - 1)
            return eg.select(is_bias, REMEMBERS, drawn[k])

        return eg.vec(self.size, at)

    def hear(self, weights: Any, state: Any, heard: Callable[[Any], Any]) -> Any:
        """Compute the units' new outputs and cells (the values that they remember) for an input x.

        heard: a function that multiplies a row of W by x. Its argument is the index of the row's first
            weight in `weights`.
        """
        h, cells = state

        def total(gate: int, i: Any) -> Any:
            at = (i + gate * self.units) * self.row
            recurrent = eg.sum(self.units, lambda j: weights[at + j + self.inputs] * h[j])
            return heard(at) + recurrent + weights[at + self.row - 1]

        def unit(i: Any) -> Any:
            forget, insert, output = (1.0 / (1.0 + m.exp(-total(gate, i))) for gate in range(3))
            cell = forget * cells[i] + insert * m.tanh(total(3, i))
            return output * m.tanh(cell), cell

        both = eg.vec(self.units, unit)
        return tuple(eg.vec(self.units, lambda i, k=k: both[i][k]) for k in range(2))

    def result(self, weights: Any, h: Any, k: Any) -> Any:
        """The result number k, from the outputs."""
        at = k * (self.units + 1) + SUMS * self.units * self.row
        return eg.sum(self.units, lambda j: weights[at + j] * h[j]) + weights[at + self.units]

    @property
    def empty(self) -> tuple[Any, Any]:
        """Return the units' outputs and cells before the first input: zeros."""
        zeros = enp.zeros(self.units)
        return zeros, zeros
