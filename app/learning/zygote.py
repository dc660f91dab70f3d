"""The three models of the paper on Zygote: a maxout network, an LSTM and logistic regression.

Parameters are structs of Vecs. `fitted` trains a model by `eg.stepper`.

Source: M. Innes, "Don't Unroll Adjoint: Differentiating SSA-Form Programs", arXiv 1810.07951 (2018).
"""

from __future__ import annotations

from typing import Any

import eglantine as eg
from eglantine import numpy as enp

m = eg.math

FEATURES, HIDDEN, CLASSES = 10, 5, 2
"""The sizes of the maxout network, and the columns and rows of logistic regression's W."""
SEEN, UNITS, STEPS = 3, 8, 20
"""The inputs and units of the LSTM, and the length of its sequences."""


def matrix(rows: int, columns: int) -> Any:
    """The type of a matrix of Reals."""
    return eg.Vec(rows, eg.Vec(columns, eg.Real))


@eg.struct
class Hidden:
    """The weights and biases of a model's hidden layer."""

    W: matrix(HIDDEN, FEATURES)  # type: ignore[valid-type]
    b: eg.Vec(HIDDEN, eg.Real)  # type: ignore[valid-type]


@eg.struct
class Output:
    """The weights and biases of a model's output layer."""

    W: matrix(CLASSES, HIDDEN)  # type: ignore[valid-type]
    b: eg.Vec(CLASSES, eg.Real)  # type: ignore[valid-type]


@eg.struct
class Model:
    """The parameters of a submodel. A maxout network returns the maximum of two submodels' outputs."""

    hidden: Hidden
    output: Output


@eg.struct
class Maxout:
    """The parameters of the maxout network, 134 in all."""

    first: Model
    second: Model


@eg.struct
class Gate:
    """The parameters W, U and b of a gate of an LSTM. The gate is a function of W·x + U·h + b."""

    W: matrix(UNITS, SEEN)  # type: ignore[valid-type]
    U: matrix(UNITS, UNITS)  # type: ignore[valid-type]
    b: eg.Vec(UNITS, eg.Real)  # type: ignore[valid-type]


@eg.struct
class LSTM:
    """The parameters of an LSTM."""

    forget: Gate
    input: Gate
    output: Gate
    candidate: Gate


@eg.struct
class Linear:
    """The parameters of logistic regression."""

    W: matrix(CLASSES, FEATURES)  # type: ignore[valid-type]
    b: eg.Vec(CLASSES, eg.Real)  # type: ignore[valid-type]


EXAMPLE = (eg.Vec(FEATURES, eg.Real), eg.Vec(CLASSES, eg.Real))
"""The types of an example: of its features, and of the outputs that the model should give."""
SEQUENCE = (matrix(STEPS, SEEN), matrix(STEPS, UNITS))
"""The types of an LSTM's inputs, and of the outputs that it should give."""


def sigmoid(z: Any) -> Any:
    """The logistic function, elementwise."""
    return 1.0 / (1.0 + m.exp(-z))


def dense(layer: Any, x: Any) -> Any:
    """W·x + b."""
    return layer.W @ x + layer.b


def one_model(model: Any, x: Any) -> Any:
    """Apply one model to x: a layer of rectified units, then a linear layer."""
    return dense(model.output, m.maximum(dense(model.hidden, x), 0.0))


def maxout(parameters: Any, x: Any) -> Any:
    """Return class probabilities: the softmax of the maximum of two models' outputs."""
    return enp.softmax(m.maximum(one_model(parameters.first, x), one_model(parameters.second, x)))


def lstm(parameters: Any, xs: Any) -> Any:
    """Run an LSTM over a sequence, from a state of zeros. Return its outputs after each input."""

    def sum_of(gate: Any, x: Any, h: Any) -> Any:
        return gate.W @ x + gate.U @ h + gate.b

    def step(state: Any, x: Any) -> Any:
        h, cell = state
        forget = sigmoid(sum_of(parameters.forget, x, h))
        insert = sigmoid(sum_of(parameters.input, x, h))
        output = sigmoid(sum_of(parameters.output, x, h))
        cell = forget * cell + insert * m.tanh(sum_of(parameters.candidate, x, h))
        h = output * m.tanh(cell)
        return (h, cell), h

    zeros = enp.zeros(UNITS)
    return eg.scan(step, (zeros, zeros), xs)[1]


def logistic(parameters: Any, x: Any) -> Any:
    """Logistic regression: σ(W·x + b)."""
    return sigmoid(dense(parameters, x))


def squares(outputs: Any, wanted: Any) -> Any:
    """The sum of squared differences."""
    return eg.sum((outputs - wanted) ** 2)


def surprise(probabilities: Any, wanted: Any) -> Any:
    """Return the cross entropy: −log of the probability of the wanted class."""
    return -eg.sum(wanted * m.log(probabilities))


@eg.fn([Maxout, *EXAMPLE], eg.Real)
def maxout_loss(parameters: Any, x: Any, wanted: Any) -> Any:
    """The cross entropy of one example."""
    return surprise(maxout(parameters, x), wanted)


@eg.fn([LSTM, *SEQUENCE], eg.Real)
def lstm_loss(parameters: Any, xs: Any, wanted: Any) -> Any:
    """Return the distance between the outputs and the wanted outputs, summed over a sequence."""
    hs = lstm(parameters, xs)
    return eg.sum(STEPS, lambda t: eg.norm(hs[t] - wanted[t]))


@eg.fn([Linear, *EXAMPLE], eg.Real)
def logistic_loss(parameters: Any, x: Any, wanted: Any) -> Any:
    """The squared differences of one example."""
    return squares(logistic(parameters, x), wanted)


def over(loss: eg.Fn, count: int) -> eg.Fn:
    """Return the mean loss of `count` examples, as a function of the parameters, inputs and targets."""
    parameters, x, wanted = loss.function.params

    @eg.fn([parameters, eg.Vec(count, x), eg.Vec(count, wanted)], eg.Real)
    def mean(parameters: Any, xs: Any, several: Any) -> Any:
        return eg.sum(count, lambda k: loss(parameters, xs[k], several[k])) / count

    return mean


def fitted(loss: eg.Fn, start: Any, xs: Any, wanted: Any, *, steps: int, rate: float) -> Any:
    """Train by Adam for `steps` steps on all examples, in one call of one kernel. Return Adam's state."""
    whole = over(loss, len(xs))
    begin, step = eg.stepper(whole, whole.function.params, "adam", learning_rate=rate, maxiter=steps, tol=0.0)
    return eg.compile(step)(eg.compile(begin)(start, xs, wanted), float(steps), xs, wanted)
