"""The numbers that chapter 4 of the book must show. NumPy computes the gradients as matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

RELATIVE = 1e-6
"""The allowed relative error of the numbers. It is large, because steps of conjugate gradients multiply
rounding errors."""


def rose(size: int) -> Any:
    row, column = np.mgrid[:size, :size]
    x, y = (column + 0.5) / size * 2 - 1, 1 - (row + 0.5) / size * 2
    distance, angle = np.hypot(x, y), np.arctan2(y, x)
    inside = np.where(distance < 0.62 + 0.25 * np.cos(5 * angle - np.pi / 2), 200.0, 60.0)
    inside = np.where(distance < 0.18, 30.0, inside)
    return np.where((abs(x) > 0.9) | (abs(y) > 0.9), 240.0, inside)


def smoothing(size: int) -> Any:
    """Return the matrix M for a mean of three neighbours. M X Mᵀ is a blurred version of the picture X."""
    m = np.zeros((size, size))
    for i in range(size):
        for j in (i - 1, i, i + 1):
            m[i, min(max(j, 0), size - 1)] += 1 / 3
    return m


class Problem:
    """A blurred picture, and a gradient descent that sharpens it."""

    def __init__(self, size: int) -> None:
        self.m, self.truth = smoothing(size), rose(size)
        self.blurred = self.blur(self.truth)
        self.x = np.full((size, size), 127.5)

    def blur(self, x: Any) -> Any:
        return self.m @ x @ self.m.T

    def gradient(self) -> Any:
        return 2 * self.m.T @ (self.blur(self.x) - self.blurred) @ self.m

    def loss(self) -> float:
        return float(np.mean((self.blur(self.x) - self.blurred) ** 2))

    def error(self) -> float:
        return float(np.sqrt(np.mean((self.x - self.truth) ** 2)))

    def descend(self, tau: float, steps: int) -> tuple[float, float]:
        for _ in range(steps):
            self.x = self.x - tau * self.gradient()
        return self.loss(), self.error()

    def conjugate(self, steps: int) -> float:
        rest = way = -self.gradient()
        for _ in range(steps):
            bent = 2 * self.m.T @ self.blur(way) @ self.m
            square = np.sum(rest * rest)
            size = square / np.sum(way * bent)
            self.x = self.x + size * way
            rest = rest - size * bent
            way = rest + np.sum(rest * rest) / square * way
        return self.loss()


def quasi_newton(steps: int, memory: int = 10) -> float:
    """Run L-BFGS (Nocedal 1980) with exact line searches. Return the loss after `steps` steps."""
    problem = Problem(16)
    pairs: list[Any] = []
    for _ in range(steps):
        slope = problem.gradient()
        way, weights = slope, []
        for s, y in reversed(pairs):
            weights.append(np.sum(s * way) / np.sum(s * y))
            way = way - weights[-1] * y
        if pairs:
            s, y = pairs[-1]
            way = way * np.sum(s * y) / np.sum(y * y)
        for (s, y), weight in zip(pairs, reversed(weights), strict=True):
            way = way + s * (weight - np.sum(y * way) / np.sum(s * y))
        bent = 2 * problem.m.T @ problem.blur(way) @ problem.m
        move = -np.sum(way * slope) / np.sum(way * bent) * way
        problem.x = problem.x + move
        pairs = [*pairs, (move, problem.gradient() - slope)][-memory:]
    return problem.loss()


def with_noise(weight: float) -> float:
    problem = Problem(32)
    row, column = np.mgrid[:32, :32]
    mixed = np.sin(row * 12.9898 + column * 78.233) * 43758.5453
    problem.blurred = problem.blurred + 20 * (2 * (mixed - np.floor(mixed)) - 1)
    for _ in range(40):
        down, across = np.diff(problem.x, axis=0), np.diff(problem.x, axis=1)
        pull = np.zeros((32, 32))
        pull[1:] += down
        pull[:-1] -= down
        pull[:, 1:] += across
        pull[:, :-1] -= across
        problem.x = problem.x - 0.4 * (problem.gradient() + 2 * weight * pull)
    return problem.error()


START = Problem(32).descend(0.25, 0)
AFTER = Problem(32).descend(0.25, 5)
BEFORE_RUN, AFTER_RUN = Problem(16).descend(0.25, 0), Problem(16).descend(0.25, 40)
CLAIMS = {
    "sharpen": {"loss_0": START[0], "error_0": START[1], "loss_5": AFTER[0], "error_5": AFTER[1]},
    "runs": {
        "loss": BEFORE_RUN[0] / AFTER_RUN[0], "error": BEFORE_RUN[1] / AFTER_RUN[1],
        "fast": BEFORE_RUN[0] / Problem(16).conjugate(20),
        "other": int(np.floor(np.log10(BEFORE_RUN[0] / quasi_newton(20)))),
    },
    "penalty": {"none": with_noise(0), "some": with_noise(0.03), "much": with_noise(0.3)},
}  # fmt: skip
NUMBERS = {"largest": 2, "half": 0.5}
