"""The work that is measured, as data: the same for every contestant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MULTIPLIER, INCREMENT, MODULUS = 1_664_525, 1_013_904_223, 2**32
"""Of the linear congruential generator of Numerical Recipes: the same numbers everywhere, every time."""

FORMULAS = {
    "power": "x^y + K",
    "short": "sin(x) * y^2 + x / (K + y)",
    "medium": "exp(-(x^2 + y^2) / K) * cos(3 * x * y) + log(1 + x^2) * sqrt(y^2 + 1)",
    "long": (
        "x^3 - 3 * x * y^2 + sin(2 * x + y) * exp(-x^2 / 4) + log(1 + x^2 + y^2) / (2 + cos(x * y))"
        " + sqrt(1 + (x - y)^2) * sin(x) * cos(y) - K * exp(-((x - 1)^2 + (y + 1)^2) / 2)"
        " + x^y * log(x + 2)"
    ),
}
"""Formulas of x and y. K is a number that differs in each compile: V8 knows modules by their bytes."""

WINDOW = 16
"""How far back an instruction of `straight_line` reaches, and how many inputs there are."""
KINDS = ("mean", "difference", "product", "root", "ratio")
"""(a + b)/2, (a − b)/2, a·b, √(a² + b² + ½)/2, a/(b² + 1): each stays within [−1, 1]."""


def uniform(seed: int) -> Iterator[float]:
    """Numbers from 0 to 1, the same for the same seed."""
    state = seed
    while True:
        state = (MULTIPLIER * state + INCREMENT) % MODULUS
        yield state / MODULUS


def straight_line(instructions: int) -> list[list[Any]]:
    """A program without loops: [kind, a, b] each, a and b being numbers of inputs (0 to 15) or instructions.

    Every value is used by the instruction 16 places on; the program's result is the sum of the last 16.
    """
    random = uniform(seed=instructions)
    found = []
    for k in range(instructions):
        kind = KINDS[int(next(random) * len(KINDS))]
        found.append([kind, k, k + int(next(random) * WINDOW)])
    return found


def straight_line_inputs() -> list[float]:
    """Where `straight_line` is evaluated."""
    random = uniform(seed=1)
    return [2 * next(random) - 1 for _ in range(WINDOW)]


def regression(n: int, m: int) -> dict[str, Any]:
    """Data of a linear regression: n rows of m numbers, n outcomes, m weights and an offset."""
    random = uniform(seed=2)

    def draw(count: int) -> list[float]:
        return [2 * next(random) - 1 for _ in range(count)]

    return {"x": [draw(m) for _ in range(n)], "y": draw(n), "w": draw(m), "b": next(random)}


def points(n: int) -> dict[str, list[float]]:
    """Points in the unit square: their x and y."""
    random = uniform(seed=3)
    return {"x": [next(random) for _ in range(n)], "y": [next(random) for _ in range(n)]}


CHAIN = {"x": 0.7, "y": 0.4}
"""Where the chain of bench/problems.py is evaluated; it stays near 1."""


CUE = {"x": [0.1, 0.5], "v": [0.3, 0.0]}
"""Where the cue ball of DiffTaichi's billiards lies at first, and its velocity."""
