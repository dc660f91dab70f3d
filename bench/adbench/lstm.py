"""LSTM, long short-term memory: the loss of a small network that predicts the next character of a text.

Every product is elementwise, so each bit of a character has separate gates. Only the loss −Σ_t Σ y*_t∘(y −
ln(2 + Σ e^y)) / ((chars − 1) b) combines the bits. The 2 in ln(2 + …) comes from the benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math


@dataclass(frozen=True)
class Size:
    """The size of a problem: l layers, b bits in a character, and c characters."""

    l: int
    b: int
    c: int

    @property
    def types(self) -> tuple[Any, Any, Any, Any]:
        """Return the types of the main parameters, the extra parameters, the state and the characters.

        Main parameters: for each layer a row of weights and a row of biases. A row has 4·b numbers: b for the
        forget gates, b for the input gates, b for the output gates and b for the change gates.
        Extra parameters: the input's weights, then the output's weights and biases.
        State: for each layer the vector h, then the vector c.
        """
        bits = eg.Vec(self.b, eg.Real)
        gates = eg.Vec(4 * self.b, eg.Real)
        return eg.Vec(2 * self.l, gates), eg.Vec(3, bits), eg.Vec(2 * self.l, bits), eg.Vec(self.c, bits)


def objective(size: Size) -> eg.Fn:
    """Make the function (main, extra, state, characters) → loss."""
    b, steps = size.b, size.c - 1

    def loss(main: Any, extra: Any, state: Any, characters: Any) -> Any:
        def step(states: Any, x: Any) -> Any:
            predicted = eg.vec(b, lambda j: predict(size, main, extra, states[j], x[j], j))
            return eg.vec(b, lambda j: predicted[j][0]), eg.vec(b, lambda j: predicted[j][1])

        def likelihood(t: Any) -> Any:
            norm = m.log(2.0 + eg.sum(b, lambda j: m.exp(ys[t][j])))
            return eg.sum(b, lambda j: characters[t + 1][j] * (ys[t][j] - norm))

        start = eg.vec(b, lambda j: [state[k][j] for k in range(2 * size.l)])
        _, ys = eg.scan(step, start, eg.vec(steps, lambda t: characters[t]))
        return -eg.sum(steps, likelihood) / (steps * b)

    return eg.fn(list(size.types), eg.Real, names=("main", "extra", "state", "characters"))(loss)


def derivative(size: Size) -> eg.Fn:
    """Make the function (main, extra, state, characters) → (loss, (∂/∂main, ∂/∂extra))."""
    value_and_gradient: eg.Fn = eg.value_and_grad(objective(size), (0, 1))
    return value_and_gradient


def predict(size: Size, main: Any, extra: Any, state: Any, x: Any, j: Any) -> Any:
    """Compute bit j of the next state (all layers' h and c) and of the output.

    These bits depend only on bit j of the present state and on bit j of the input.
    """
    x = x * extra[0][j]
    after = []
    for layer in range(size.l):
        x, c = cell(
            size.b, main[2 * layer], main[2 * layer + 1], x, state[2 * layer], state[2 * layer + 1], j
        )
        after += [x, c]
    return after, x * extra[1][j] + extra[2][j]


def cell(b: int, weights: Any, biases: Any, x: Any, h: Any, c: Any, j: Any) -> Any:
    """Bit j of a layer's next h and c."""
    forget = sigmoid(x * weights[j] + biases[j])
    keep = sigmoid(h * weights[j + b] + biases[j + b])
    put = sigmoid(x * weights[j + 2 * b] + biases[j + 2 * b])
    change = m.tanh(h * weights[j + 3 * b] + biases[j + 3 * b])
    c = c * forget + keep * change
    return put * m.tanh(c), c


def sigmoid(x: Any) -> Any:
    """1 / (1 + e⁻ˣ)."""
    return 1.0 / (1.0 + m.exp(-x))
