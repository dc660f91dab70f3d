"""Write a trained network as a Python program that needs only Eglantine."""

from __future__ import annotations

from collections.abc import Sequence as Many
from typing import Any

from .memory import SUMS
from .modules import line_of, model_of
from .network import ACTIVATIONS, Network
from .sequence import HEARD, Sequence
from .text import KINDS, Text, letters_of

HEAD = '''"""A network that was trained on the page Learn of Eglantine."""

import eglantine as eg
from eglantine import numpy as enp

m = eg.math
'''
ACTIVATED = {
    "tanh": "m.tanh(z)",
    "relu": "m.maximum(z, 0.0)",
    "gelu": "0.5 * z * (1.0 + m.erf(z / m.sqrt(2.0)))",
    "maxout": "m.maximum(z[::2], z[1::2])",
}
assert ACTIVATED.keys() == ACTIVATIONS.keys()
LAYERS = '''
LAYERS = [
{layers}
]
"""The weights of each layer by rows, and its biases."""


@eg.fn
def network(x: eg.Vec({inputs}, eg.Real)):
    """The probabilities of the classes."""
    for weights, biases in LAYERS[:-1]:
        z = eg.asarray(weights) @ x + eg.asarray(biases)
        x = {activation}
    weights, biases = LAYERS[-1]
    return enp.softmax(eg.asarray(weights) @ x + eg.asarray(biases))
'''
LSTM = '''
FORGET, INPUT, OUTPUT, CANDIDATE = [
{gates}
]
"""W, the rows of U, and b of each sum."""
READ, BIAS = {read}, {bias}


def total(gate, x, h):
    W, U, b = map(eg.asarray, gate)
    return W * x + U @ h + b


def sigmoid(z):
    return 1.0 / (1.0 + m.exp(-z))


@eg.fn
def network(xs: eg.Vec({heard}, eg.Real)):
    """The value that comes after those in xs."""

    def step(state, x):
        h, cell = state
        cell = sigmoid(total(FORGET, x, h)) * cell
        cell = cell + sigmoid(total(INPUT, x, h)) * m.tanh(total(CANDIDATE, x, h))
        return (sigmoid(total(OUTPUT, x, h)) * m.tanh(cell), cell), None

    zeros = enp.zeros({units})
    h = eg.scan(step, (zeros, zeros), xs)[0][0]
    return eg.dot(eg.asarray(READ), h) + BIAS
'''
TEXT = '''
LETTERS = {letters!r}
"""The letters of the line, then signs for letters that the line does not have."""
FORGET, INPUT, OUTPUT, CANDIDATE = [
{gates}
]
"""The rows of W, the rows of U, and b of each sum. W has a column for each letter."""
READ, BIASES = {read}, {biases}


def total(gate, letter, h):
    W, U, b = map(eg.asarray, gate)
    return eg.vec({units}, lambda i: W[i][letter]) + U @ h + b


def sigmoid(z):
    return 1.0 / (1.0 + m.exp(-z))


@eg.fn
def network(first: eg.Fin({count})):
    """The letters that the network writes after a first one, as numbers in LETTERS."""

    def step(state, _):
        h, cell, letter = state
        kept = sigmoid(total(FORGET, letter, h)) * cell
        cell = kept + sigmoid(total(INPUT, letter, h)) * m.tanh(total(CANDIDATE, letter, h))
        h = sigmoid(total(OUTPUT, letter, h)) * m.tanh(cell)
        return (h, cell, enp.argmax(eg.asarray(READ) @ h + eg.asarray(BIASES))), letter

    zeros = enp.zeros({units})
    return eg.scan(step, (zeros, zeros, first), length={length})[1]


print("".join(LETTERS[k] for k in network(LETTERS.index({first!r}))))
'''
UNUSED = "·"
EXAMPLE = """
print(network({example}))
"""


def program_of(spec: dict[str, Any], weights: Many[float]) -> str:
    """Write a Python program. Its function `network` equals the function that `answering` (modules.py) makes.

    Raises:
        ValueError: the spec is out of range.
    """
    model, numbers = model_of(spec), [float(weight) for weight in weights]
    if isinstance(model, Text):
        return HEAD + text_text(model, numbers, line_of(spec))
    if isinstance(model, Sequence):
        return HEAD + lstm_text(model, numbers)
    return HEAD + layers_text(model, numbers)


def layers_text(model: Network, numbers: list[float]) -> str:
    """Write the program for a network of layers, without the imports."""
    lines = []
    for layer in model.layers:
        biases = layer.first + layer.rows * layer.inputs
        rows = [numbers[layer.first + r * layer.inputs :][: layer.inputs] for r in range(layer.rows)]
        lines.append(f"    ({rows}, {numbers[biases : layer.end]}),")
    text = LAYERS.format(layers="\n".join(lines), inputs=model.inputs, activation=ACTIVATED[model.activation])
    return text + EXAMPLE.format(example=[0.5] * model.inputs)


def lstm_text(model: Sequence, numbers: list[float]) -> str:
    """The program of an LSTM, after its head."""
    *read, bias = numbers[SUMS * model.units * model.row :]
    text = LSTM.format(gates=gates_text(model, numbers), read=read, bias=bias, heard=HEARD, units=model.units)
    return text + EXAMPLE.format(example=f"[0.1] * {HEARD}")


def text_text(model: Text, numbers: list[float], line: str) -> str:
    """Write the program for an LSTM that writes a line of text, without the imports."""
    last = numbers[SUMS * model.units * model.row :]
    rows = [last[k * (model.units + 1) :][: model.units + 1] for k in range(KINDS)]
    return TEXT.format(
        gates=gates_text(model, numbers), read=[row[:-1] for row in rows], biases=[row[-1] for row in rows],
        letters=letters_of(line).ljust(KINDS, UNUSED), count=KINDS, units=model.units, length=len(line),
        first=line[0],
    )  # fmt: skip


def gates_text(model: Sequence | Text, numbers: list[float]) -> str:
    """Write W, U and b of each sum as Python lists. W is a flat list if the model has only one input."""
    lines = []
    for gate in range(SUMS):
        rows = [numbers[(gate * model.units + i) * model.row :][: model.row] for i in range(model.units)]
        parts = (
            [row[0] if model.inputs == 1 else row[: model.inputs] for row in rows],
            [row[model.inputs : -1] for row in rows],
            [row[-1] for row in rows],
        )
        lines.append(f"    ({', '.join(map(str, parts))}),")
    return "\n".join(lines)
