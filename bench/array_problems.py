"""Problems in terms of whole arrays. The same code runs on `eglantine.numpy`, NumPy and JAX.

This module runs in Pyodide and on CPython. The bench's page unpacks it beside problems.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import eglantine as eg
from bench.programs import Compiled, handed_over
from bench.specs import uniform

Shapes = tuple[tuple[int, ...], ...]

MATMULS = (16, 64, 256)
BATCH, INPUTS, HIDDEN, CLASSES = 32, 64, 32, 10
IMAGE, KERNEL, MAPS = 28, 3, 8
POINTS = 100
ROWS, COLUMNS = 1000, 10


@dataclass(frozen=True)
class Problem:
    """A function of arrays. We time its value and gradient.

    loss: the function. Its first argument is NumPy or a module with the same names. The other arguments are
        arrays.
    shapes: the shapes of the arrays.
    unknowns: the positions of the arrays with respect to which we differentiate. They are always the last
        arrays. If `unknowns` is empty, we time only the value.
    """

    title: str
    loss: Callable[..., Any]
    shapes: Shapes
    unknowns: tuple[int, ...] = ()

    def arguments(self) -> list[list[float]]:
        """Make flat lists of numbers from −1 to 1 for the arrays. Every run makes the same random numbers."""
        random = uniform(seed=4)
        return [[2 * next(random) - 1 for _ in range(math.prod(shape))] for shape in self.shapes]

    def function(self, xp: Any) -> Callable[..., Any]:
        """The function of the arrays alone."""
        return lambda *arrays: self.loss(xp, *arrays)


def matmul(_: Any, a: Any, b: Any) -> Any:
    """The product of two matrices."""
    return a @ b


def perceptron(np: Any, x: Any, scores: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Return the softmax cross-entropy of a network with one hidden layer, for a batch of inputs x.

    The network should predict the distribution softmax(scores).
    """
    shares = np.exp(scores) / np.sum(np.exp(scores), axis=1, keepdims=True)
    logits = np.tanh(x @ w1 + b1) @ w2 + b2
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_shares = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.sum(shares * log_shares) / BATCH


def convolution(np: Any, image: Any, kernels: Any, bias: Any) -> Any:
    """Return the mean square of a layer's outputs. The layer is a convolution followed by a ReLU."""
    n = IMAGE - KERNEL + 1
    maps = bias[:, None, None] + sum(
        kernels[:, i, j][:, None, None] * image[i : i + n, j : j + n]
        for i in range(KERNEL)
        for j in range(KERNEL)
    )
    positive = np.maximum(maps, 0.0)
    return np.sum(positive * positive) / (MAPS * n * n)


def gaussian_process(np: Any, x: Any, y: Any, theta: Any) -> Any:
    """Return the marginal log-likelihood of a Gaussian process.

    theta: the logarithms of the length scale, the amplitude and the noise.
    """
    length, amplitude, noise = np.exp(theta[0]), np.exp(theta[1]), np.exp(theta[2])
    k = amplitude * np.exp(-0.5 * ((x[:, None] - x[None, :]) / length) ** 2) + noise * np.eye(POINTS)
    factor = np.linalg.cholesky(k)
    alpha = np.linalg.solve(k, y)
    return -0.5 * np.dot(y, alpha) - np.sum(np.log(np.diagonal(factor)))


def logistic(np: Any, x: Any, y: Any, w: Any, b: Any) -> Any:
    """Return the mean logistic loss of examples x. An example's class is the sign of its number in y."""
    margins = np.where(y > 0.0, 1.0, -1.0) * (x @ w + b)
    return np.mean(np.log(1.0 + np.exp(-margins)))


PROBLEMS = {
    **{f"matmul{n}": Problem(f"matrix product, {n}×{n}", matmul, ((n, n), (n, n))) for n in MATMULS},
    "mlp": Problem(
        f"MLP {INPUTS}-{HIDDEN}-{CLASSES}, batch {BATCH}: softmax cross-entropy and gradient", perceptron,
        ((BATCH, INPUTS), (BATCH, CLASSES), (INPUTS, HIDDEN), (HIDDEN,), (HIDDEN, CLASSES), (CLASSES,)),
        (2, 3, 4, 5),
    ),
    "convolution": Problem(
        f"convolution layer, {IMAGE}×{IMAGE}, {MAPS} kernels {KERNEL}×{KERNEL}: value and gradient",
        convolution, ((IMAGE, IMAGE), (MAPS, KERNEL, KERNEL), (MAPS,)), (1, 2),
    ),
    "gp": Problem(
        f"Gaussian process, n = {POINTS}: likelihood and gradient", gaussian_process,
        ((POINTS,), (POINTS,), (3,)), (2,),
    ),
    "logistic": Problem(
        f"logistic regression, {ROWS}×{COLUMNS}: value and gradient", logistic,
        ((ROWS, COLUMNS), (ROWS,), (COLUMNS,), ()), (2, 3),
    ),
}  # fmt: skip
"""Name → problem."""


def compile_array_problem(name: str, scale: float) -> Compiled:
    """Compile a problem. Return its ABI and its module. Each `scale` gives a different module."""
    return handed_over(compiled_form(PROBLEMS[name], scale))


def compiled_form(problem: Problem, scale: float = 1.0) -> eg.Fn:
    """Make the function that we compile: the loss times `scale`, with its gradient if there are unknowns."""
    import eglantine.numpy as enp

    def scaled(*arrays: Any) -> Any:
        return scale * problem.loss(enp, *arrays)

    f = eg.fn([vector(shape) for shape in problem.shapes])(scaled)
    return eg.value_and_grad(f, problem.unknowns) if problem.unknowns else f


def vector(shape: tuple[int, ...]) -> Any:
    """The type of an array of this shape."""
    of: Any = eg.Real
    for n in reversed(shape):
        of = eg.Vec(n, of)
    return of
