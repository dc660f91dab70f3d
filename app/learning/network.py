"""A network of layers that assigns examples to classes.

All its weights are in one Vec: for each layer the matrix, row by row, and then the biases. Softmax turns the
last layer's outputs into probabilities of classes. A network without hidden layers is logistic regression.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import eglantine as eg
from eglantine import numpy as enp

m = eg.math

PIECES = 2
"""The number of linear functions in a maxout unit. The unit returns the largest of their values."""
CELLS = 40
"""The number of cells along each side of a picture of a plane."""
REACH = 3.0
"""The largest x and y in the pictures of a plane. The smallest x and y are −REACH."""
SHOWN = 40
"""The number of tests whose class probabilities a page shows."""
PLANE = 2
"""The number of inputs of a network whose pictures show a plane."""
ROOT_HALF = math.sqrt(0.5)


def relu(z: Any) -> Any:
    """The rectified linear unit."""
    return m.maximum(z, 0.0)


def gelu(z: Any) -> Any:
    """The Gaussian error linear unit: z·Φ(z) (Hendrycks and Gimpel 2016)."""
    return 0.5 * z * (1.0 + m.erf(ROOT_HALF * z))


ACTIVATIONS = {"tanh": m.tanh, "relu": relu, "gelu": gelu, "maxout": None}
"""The activation functions by name. Maxout has no activation function, because a maxout unit takes the
largest of several sums."""


@dataclass(frozen=True)
class Layer:
    """A layer of a network: its sizes, and the index of its first weight in the network's Vec of weights.

    pieces: the number of linear functions in each unit. A maxout unit computes several linear functions and
        returns the largest value. Every other unit computes one.
    """

    first: int
    inputs: int
    units: int
    pieces: int

    @property
    def rows(self) -> int:
        """The number of linear functions."""
        return self.units * self.pieces

    @property
    def end(self) -> int:
        """The place after the layer's last bias."""
        return self.first + self.rows * (self.inputs + 1)


@dataclass(frozen=True)
class Network:
    """A network of layers. `hidden` has the number of units of each hidden layer."""

    inputs: int
    hidden: tuple[int, ...]
    classes: int
    activation: str

    @property
    def layers(self) -> list[Layer]:
        """All layers from the first to the output."""
        layers: list[Layer] = []
        inputs, first = self.inputs, 0
        pieces = PIECES if self.activation == "maxout" else 1
        for k, units in enumerate((*self.hidden, self.classes)):
            layers.append(Layer(first, inputs, units, pieces if k < len(self.hidden) else 1))
            inputs, first = units, layers[-1].end
        return layers

    @property
    def size(self) -> int:
        """The number of weights."""
        return self.layers[-1].end

    def start(self, seed: Any) -> Any:
        """Generate random weights from a seed as Glorot and Bengio (2010) propose. All biases are 0."""
        keys = eg.random.split(eg.random.key(seed), len(self.layers))
        parts = []
        for layer, key in zip(self.layers, keys, strict=True):
            spread = math.sqrt(2.0 / (layer.inputs + layer.units))
            parts += [spread * eg.random.normal(key, layer.rows * layer.inputs), enp.zeros(layer.rows)]
        return enp.concatenate(parts)

    def activities(self, weights: Any, inputs: Any) -> list[Any]:
        """Compute each layer's outputs for one example. Softmax is not yet applied to the last layer."""
        outputs = []
        for layer in self.layers:
            inputs = self._output(layer, weights, inputs)
            outputs.append(inputs)
        return outputs

    def _output(self, layer: Layer, weights: Any, inputs: Any) -> Any:
        biases = layer.first + layer.rows * layer.inputs

        def linear(row: Any) -> Any:
            at = row * layer.inputs + layer.first
            return eg.sum(layer.inputs, lambda j: weights[at + j] * inputs[j]) + weights[row + biases]

        if layer is self.layers[-1] or layer.end == self.size:
            return eg.vec(layer.units, linear)
        if layer.pieces == 1:
            return eg.vec(layer.units, lambda i: ACTIVATIONS[self.activation](linear(i)))
        return eg.vec(layer.units, lambda i: m.maximum(linear(i * PIECES), linear(i * PIECES + 1)))

    @property
    def example(self) -> dict[str, Any]:
        """The types of an example's parts."""
        return {"x": eg.Vec(self.inputs, eg.Real), "label": eg.Fin(self.classes)}

    def loss(self, weights: Any, example: Any) -> Any:
        """Return an example's cross entropy: −log of the probability that the network gives its class."""
        outputs = self.activities(weights, example["x"])[-1]
        return enp.logsumexp(outputs) - outputs[example["label"]]

    def judge(self, weights: Any, example: Any) -> tuple[Any, Any]:
        """Return an example's loss, and 1 if the example's class gets the highest probability, else 0."""
        outputs, label = self.activities(weights, example["x"])[-1], example["label"]
        return enp.logsumexp(outputs) - outputs[label], eg.real(enp.argmax(outputs) == label)

    def pictures(self, weights: Any, tests: Any) -> dict[str, Any]:
        """Compute the numbers from which the page draws pictures of the network.

        If the network has two inputs, we divide the input plane into cells, and list them row by row from the
        lowest y. "surface" is the probability of class 1 in each cell, and "neurons" has the outputs of all
        hidden units. Other networks return "guesses": class probabilities for the first SHOWN tests.
        """
        if self.inputs != PLANE:
            return {"guesses": eg.vec(SHOWN, lambda k: self.chances(weights, tests["x"][k]))}

        def at(cell: Any) -> Any:
            x = [REACH * (2.0 * eg.real(i) + 1.0 - CELLS) / CELLS for i in (cell % CELLS, cell // CELLS)]
            *hidden, outputs = self.activities(weights, eg.asarray(x))
            chance = 1.0 / (1.0 + m.exp(outputs[0] - outputs[1]))
            return {"surface": chance, "neurons": enp.concatenate(hidden) if hidden else enp.zeros(1)}

        cells = eg.vec(CELLS * CELLS, at)
        names = ("surface", "neurons")
        return {name: eg.vec(CELLS * CELLS, lambda c, name=name: cells[c][name]) for name in names}

    def chances(self, weights: Any, x: Any) -> Any:
        """The probabilities of the classes."""
        return enp.softmax(self.activities(weights, x)[-1])
