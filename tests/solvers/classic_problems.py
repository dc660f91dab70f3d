"""Well-known test functions for optimisers, with their usual starting points and minima.

Most functions and their names come from Bongartz, Conn, Gould and Toint, "CUTE: constrained and unconstrained
testing environment" (1995). The functions of Dixon and Price, Rastrigin, Griewank, Ackley, Styblinski and
Tang, Himmelblau, and Goldstein and Price come from Surjanovic and Bingham, "Virtual library of simulation
experiments" (2013).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math
N = range(20)
PAIRS = range(19)


@dataclass(frozen=True)
class Classic:
    """A function, a starting point, and the minimum that an optimiser should reach from this point."""

    f: Callable[[Any], Any]
    start: list[float]
    minimum: float = 0.0


def squared(x: Any) -> Any:
    return x * x


def chained_wood(x: Any) -> Any:
    return sum(
        100 * squared(x[k + 1] - x[k] ** 2) + squared(1 - x[k]) + 90 * squared(x[k + 3] - x[k + 2] ** 2)
        + squared(1 - x[k + 2]) + 10 * squared(x[k + 1] + x[k + 3] - 2) + 0.1 * squared(x[k + 1] - x[k + 3])
        for k in range(0, 17, 2)
    )  # fmt: skip


def dixmaan_a(x: Any) -> Any:
    near = sum(0.125 * x[k] ** 2 * x[k + 4] ** 4 for k in range(8))
    return 1 + sum(x[k] ** 2 for k in range(12)) + near + sum(0.125 * x[k] * x[k + 8] for k in range(4))


def denschn_d(x: Any) -> Any:
    return (
        squared(x[0] ** 2 + x[1] ** 3 - x[2] ** 4) + squared(2 * x[0] * x[1] * x[2])
        + squared(2 * x[0] * x[1] - 3 * x[1] * x[2] + x[0] * x[2])
    )  # fmt: skip


def hairy(x: Any) -> Any:
    ripples = 30 * m.sin(7 * x[0]) ** 2 * m.cos(7 * x[1]) ** 2
    return ripples + 100 * m.sqrt(0.01 + squared(x[0] - x[1])) + 100 * m.sqrt(0.01 + x[0] ** 2)


def griewank(x: Any) -> Any:
    product = 1.0
    for k in range(4):
        product = product * m.cos(x[k] / math.sqrt(k + 1))
    return 1 + sum(x[k] ** 2 for k in range(4)) / 4000 - product


def ackley(x: Any) -> Any:
    waves = (m.cos(2 * math.pi * x[0]) + m.cos(2 * math.pi * x[1])) / 2
    return 20 + math.e - 20 * m.exp(-0.2 * m.sqrt((x[0] ** 2 + x[1] ** 2) / 2)) - m.exp(waves)


def goldstein_price(x: Any) -> Any:
    a, b = x[0], x[1]
    first = 1 + (a + b + 1) ** 2 * (19 - 14 * a + 3 * a**2 - 14 * b + 6 * a * b + 3 * b**2)
    second = 30 + (2 * a - 3 * b) ** 2 * (18 - 32 * a + 12 * a**2 + 48 * b - 36 * a * b + 27 * b**2)
    return first * second


PROBLEMS = {
    "arwhead": Classic(
        lambda x: sum(squared(x[k] ** 2 + x[19] ** 2) - 4 * x[k] + 3 for k in PAIRS), [1.0] * 20
    ),
    "chained Wood": Classic(chained_wood, [-3.0, -1.0] * 2 + [-2.0, 0.0] * 8),
    "cosine": Classic(lambda x: sum(m.cos(x[k] ** 2 - 0.5 * x[k + 1]) for k in PAIRS), [1.0] * 20, -19.0),
    "dqdrtic": Classic(
        lambda x: sum(x[k] ** 2 + 100 * x[k + 1] ** 2 + 100 * x[k + 2] ** 2 for k in range(18)), [3.0] * 20
    ),
    "genrose": Classic(
        lambda x: 1 + sum(100 * squared(x[k + 1] - x[k] ** 2) + squared(x[k + 1] - 1) for k in PAIRS),
        [(k + 1) / 21 for k in N], 1.0,
    ),
    "nondia": Classic(
        lambda x: squared(x[0] - 1) + sum(100 * squared(x[0] - x[k] ** 2) for k in PAIRS), [-1.0] * 20
    ),
    "liarwhd": Classic(
        lambda x: sum(4 * squared(x[k] ** 2 - x[0]) + squared(x[k] - 1) for k in N), [4.0] * 20
    ),
    "power": Classic(lambda x: squared(sum((k + 1) * x[k] ** 2 for k in N)), [1.0] * 20),
    "quartc": Classic(lambda x: sum((x[k] - (k + 1)) ** 4 for k in N), [2.0] * 20),
    "tridia": Classic(
        lambda x: squared(x[0] - 1) + sum((k + 2) * squared(2 * x[k + 1] - x[k]) for k in PAIRS), [1.0] * 20
    ),
    "dixmaan A": Classic(dixmaan_a, [2.0] * 12, 1.0),
    "denschn D": Classic(denschn_d, [10.0] * 3),
    "denschn E": Classic(
        lambda x: x[0] ** 2 + squared(x[1] + x[1] ** 2) + squared(m.exp(x[2]) - 1), [2.0, 3.0, -8.0]
    ),
    "cliff": Classic(
        lambda x: squared((x[0] - 3) / 100) - (x[0] - x[1]) + m.exp(20 * (x[0] - x[1])), [0.0, -1.0],
        0.19978661367769956,
    ),
    "hairy": Classic(hairy, [-5.0, -7.0], 20.0),
    "sisser": Classic(lambda x: 3 * x[0] ** 4 - 2 * squared(x[0] * x[1]) + 3 * x[1] ** 4, [1.0, 0.1]),
    "zangwil2": Classic(
        lambda x: (16 * x[0] ** 2 + 16 * x[1] ** 2 - 8 * x[0] * x[1] - 56 * x[0] - 256 * x[1] + 991) / 15,
        [3.0, 8.0], -18.2,
    ),
    "maratosb": Classic(
        lambda x: x[0] + 1e6 * squared(x[0] ** 2 + x[1] ** 2 - 1), [1.1, 0.1], -1.0000000625
    ),
    "Dixon and Price": Classic(
        lambda x: squared(x[0] - 1) + sum((k + 2) * squared(2 * x[k + 1] ** 2 - x[k]) for k in range(9)),
        [1.0] * 10,
    ),
    "Rastrigin": Classic(
        lambda x: sum(10 + x[k] ** 2 - 10 * m.cos(2 * math.pi * x[k]) for k in range(5)), [0.2] * 5
    ),
    "Griewank": Classic(griewank, [1.0] * 4),
    "Ackley, with a kink at its minimum": Classic(ackley, [0.3, 0.4]),
    "Styblinski and Tang": Classic(
        lambda x: 0.5 * sum(x[k] ** 4 - 16 * x[k] ** 2 + 5 * x[k] for k in range(5)), [-1.0] * 5,
        5 * -39.16616570377142,
    ),
    "Himmelblau": Classic(
        lambda x: squared(x[0] ** 2 + x[1] - 11) + squared(x[0] + x[1] ** 2 - 7), [0.0, 0.0]
    ),
    "Goldstein and Price": Classic(goldstein_price, [0.1, -0.8], 3.0),
}  # fmt: skip
