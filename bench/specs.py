"""The programs that the benches measure, and their inputs, as data. All contestants get the same data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MULTIPLIER, INCREMENT, MODULUS = 1_664_525, 1_013_904_223, 2**32
"""The linear congruential generator of Numerical Recipes, which gives the same numbers everywhere."""

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
"""Formulas of x and y. Each compile uses another number for K, because V8 reuses the code of equal
modules."""

WINDOW = 16
"""The number of inputs of a program of `straight_line`.

Each operand of an instruction is one of the 16 values that come just before the instruction's result.
"""
KINDS = ("mean", "difference", "product", "root", "ratio")
"""The kinds of instructions: (a + b)/2, (a − b)/2, a·b, √(a² + b² + ½)/2 and a/(b² + 1).

If a and b are in [−1, 1], the result is in [−1, 1] too.
"""


def uniform(seed: int) -> Iterator[float]:
    """Yield an endless sequence of random numbers between 0 and 1. The seed determines the numbers."""
    state = seed
    while True:
        state = (MULTIPLIER * state + INCREMENT) % MODULUS
        yield state / MODULUS


def straight_line(instructions: int) -> list[list[Any]]:
    """Generate a random program without loops, as a list of instructions [kind, a, b].

    All values are numbered: the inputs are values 0 to 15, and instruction k computes value 16 + k. Its
    operands are the values number a and b: a is k, and b is a random number from k to k + 15. The program's
    result is the sum of the last 16 values.
    """
    random = uniform(seed=instructions)
    program = []
    for k in range(instructions):
        kind = KINDS[int(next(random) * len(KINDS))]
        program.append([kind, k, k + int(next(random) * WINDOW)])
    return program


def straight_line_inputs() -> list[float]:
    """Generate random inputs for a program of `straight_line`."""
    random = uniform(seed=1)
    return [2 * next(random) - 1 for _ in range(WINDOW)]


def regression(n: int, m: int) -> dict[str, Any]:
    """The data of a linear regression: n rows of m numbers, n outcomes, m weights and an offset."""
    random = uniform(seed=2)

    def draw(count: int) -> list[float]:
        return [2 * next(random) - 1 for _ in range(count)]

    return {"x": [draw(m) for _ in range(n)], "y": draw(n), "w": draw(m), "b": next(random)}


def points(n: int) -> dict[str, list[float]]:
    """Return the x and y coordinates of n random points in the unit square."""
    random = uniform(seed=3)
    return {"x": [next(random) for _ in range(n)], "y": [next(random) for _ in range(n)]}


CHAIN = {"x": 0.7, "y": 0.4}
"""The inputs at which the chain of bench/problems.py is evaluated. All values in the chain stay near 1."""


CUE = {"x": [0.1, 0.5], "v": [0.3, 0.0]}
"""The first position and velocity of the cue ball in DiffTaichi's billiards."""
