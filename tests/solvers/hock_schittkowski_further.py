"""More constrained test problems from the book of Hock and Schittkowski.

Source: "Test examples for nonlinear programming codes" (1981). Numbers, starting points and minima are from
this book, except for three minima. In problems 20, 33 and 55, solvers do not reach the book's minima (81.5 −
25√3, √2 − 6 and 19/3) but other local minima.
"""

# ruff: noqa: E501 - a formula reads best on one line
from __future__ import annotations

import math
from typing import Any

from .hock_schittkowski import Constrained, m, rosenbrock

CHEMICAL = (-6.089, -17.164, -34.054, -5.914, -24.721, -14.986, -24.1, -10.708, -26.662, -22.179)
"""The free energies in problem 112. Each is divided by the product of the gas constant and the
temperature."""


def hs44(x: Any) -> Any:
    return x[0] - x[1] - x[2] - x[0] * x[2] + x[0] * x[3] + x[1] * x[2] - x[1] * x[3]


def hs62(x: Any) -> Any:
    whole, last, third = x[0] + x[1] + x[2] + 0.03, x[1] + x[2] + 0.03, x[2] + 0.03
    return -32.174 * (
        255 * m.log(whole / (0.09 * x[0] + last)) + 280 * m.log(last / (0.07 * x[1] + third))
        + 290 * m.log(third / (0.13 * x[2] + 0.03))
    )  # fmt: skip


def hs74(x: Any) -> Any:
    return 3 * x[0] + 1e-6 * x[0] ** 3 + 2 * x[1] + 2e-6 / 3 * x[1] ** 3


def hs93(x: Any) -> Any:
    first, second = x[0] * x[3] * (x[0] + x[1] + x[2]), x[1] * x[2] * (x[0] + 1.57 * x[1] + x[3])
    return 0.0204 * first + 0.0187 * second + 0.0607 * first * x[4] ** 2 + 0.0437 * second * x[5] ** 2


def hs104(x: Any) -> Any:
    return 0.4 * (x[0] / x[6]) ** 0.67 + 0.4 * (x[1] / x[7]) ** 0.67 + 10 - x[0] - x[1]


def hs110(x: Any) -> Any:
    product = 1.0
    for k in range(10):
        product = product * x[k]
    return sum(m.log(x[k] - 2) ** 2 + m.log(10 - x[k]) ** 2 for k in range(10)) - product**0.2


def hs112(x: Any) -> Any:
    total = sum(x[k] for k in range(10))
    return sum(x[k] * (c + m.log(x[k] / total)) for k, c in enumerate(CHEMICAL))


A56, B56 = math.asin(math.sqrt(1 / 4.2)), math.asin(math.sqrt(5 / 7.2))

PROBLEMS = {
    "15": Constrained(
        rosenbrock, [-2.0, 1.0], 306.5, [(None, 0.5), (None, None)],
        least=(lambda x: x[0] * x[1] - 1, lambda x: x[0] + x[1] ** 2),
    ),
    "17": Constrained(
        rosenbrock, [-2.0, 1.0], 1.0, [(-0.5, 0.5), (None, 1.0)],
        least=(lambda x: x[1] ** 2 - x[0], lambda x: x[0] ** 2 - x[1]),
    ),
    "19": Constrained(
        lambda x: (x[0] - 10) ** 3 + (x[1] - 20) ** 3, [20.1, 5.84], -6961.81381, [(13.0, 100.0), (0.0, 100.0)],
        least=(
            lambda x: (x[0] - 5) ** 2 + (x[1] - 5) ** 2 - 100,
            lambda x: 82.81 - (x[1] - 5) ** 2 - (x[0] - 6) ** 2,
        ),
    ),
    "20": Constrained(
        rosenbrock, [-2.0, 1.0], 40.19872981077807, [(-0.5, 0.5), (None, None)],
        least=(lambda x: x[0] + x[1] ** 2, lambda x: x[0] ** 2 + x[1], lambda x: x[0] ** 2 + x[1] ** 2 - 1),
    ),
    "23": Constrained(
        lambda x: x[0] ** 2 + x[1] ** 2, [3.0, 1.0], 2.0, [(-50.0, 50.0)] * 2,
        least=(
            lambda x: x[0] + x[1] - 1, lambda x: x[0] ** 2 + x[1] ** 2 - 1, lambda x: 9 * x[0] ** 2 + x[1] ** 2 - 9,
            lambda x: x[0] ** 2 - x[1], lambda x: x[1] ** 2 - x[0],
        ),
    ),
    "27": Constrained(
        lambda x: 0.01 * (x[0] - 1) ** 2 + (x[1] - x[0] ** 2) ** 2, [2.0, 2.0, 2.0], 0.04,
        equal=(lambda x: x[0] + x[2] ** 2 + 1,),
    ),
    "32": Constrained(
        lambda x: (x[0] + 3 * x[1] + x[2]) ** 2 + 4 * (x[0] - x[1]) ** 2, [0.1, 0.7, 0.2], 1.0, [(0.0, None)] * 3,
        least=(lambda x: 6 * x[1] + 4 * x[2] - x[0] ** 3 - 3,), equal=(lambda x: 1 - x[0] - x[1] - x[2],),
    ),
    "33": Constrained(
        lambda x: (x[0] - 1) * (x[0] - 2) * (x[0] - 3) + x[2], [0.0, 0.0, 3.0], -4.0,
        [(0.0, None), (0.0, None), (0.0, 5.0)],
        least=(lambda x: x[2] ** 2 - x[1] ** 2 - x[0] ** 2, lambda x: x[0] ** 2 + x[1] ** 2 + x[2] ** 2 - 4),
    ),
    "41": Constrained(
        lambda x: 2 - x[0] * x[1] * x[2], [2.0] * 4, 52 / 27, [(0.0, 1.0)] * 3 + [(0.0, 2.0)],
        equal=(lambda x: x[0] + 2 * x[1] + 2 * x[2] - x[3],),
    ),
    "44": Constrained(
        hs44, [0.0] * 4, -15.0, [(0.0, None)] * 4,
        least=(
            lambda x: 8 - x[0] - 2 * x[1], lambda x: 12 - 4 * x[0] - x[1], lambda x: 12 - 3 * x[0] - 4 * x[1],
            lambda x: 8 - 2 * x[2] - x[3], lambda x: 8 - x[2] - 2 * x[3], lambda x: 5 - x[2] - x[3],
        ),
    ),
    "46": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[2] - 1) ** 2 + (x[3] - 1) ** 4 + (x[4] - 1) ** 6,
        [math.sqrt(0.5), 1.75, 0.5, 2.0, 2.0], 0.0,
        equal=(lambda x: x[0] ** 2 * x[3] + m.sin(x[3] - x[4]) - 1, lambda x: x[1] + x[2] ** 4 * x[3] ** 2 - 2),
    ),
    "49": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[2] - 1) ** 2 + (x[3] - 1) ** 4 + (x[4] - 1) ** 6,
        [10.0, 7.0, 2.0, -3.0, 0.8], 0.0,
        equal=(lambda x: x[0] + x[1] + x[2] + 4 * x[3] - 7, lambda x: x[2] + 5 * x[4] - 6),
    ),
    "53": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[1] + x[2] - 2) ** 2 + (x[3] - 1) ** 2 + (x[4] - 1) ** 2,
        [2.0] * 5, 176 / 43, [(-10.0, 10.0)] * 5,
        equal=(lambda x: x[0] + 3 * x[1], lambda x: x[2] + x[3] - 2 * x[4], lambda x: x[1] - x[4]),
    ),
    "55": Constrained(
        lambda x: x[0] + 2 * x[1] + 4 * x[4] + m.exp(x[0] * x[3]), [1.0, 2.0, 0.0, 0.0, 0.0, 2.0], 20 / 3,
        [(0.0, 1.0), (0.0, None), (0.0, None), (0.0, 1.0), (0.0, None), (0.0, None)],
        equal=(
            lambda x: x[0] + 2 * x[1] + 5 * x[4] - 6, lambda x: x[0] + x[1] + x[2] - 3,
            lambda x: x[3] + x[4] + x[5] - 2, lambda x: x[0] + x[3] - 1, lambda x: x[1] + x[4] - 2,
            lambda x: x[2] + x[5] - 2,
        ),
    ),
    "56": Constrained(
        lambda x: -x[0] * x[1] * x[2], [1.0, 1.0, 1.0, A56, A56, A56, B56], -3.456,
        equal=(
            lambda x: x[0] - 4.2 * m.sin(x[3]) ** 2, lambda x: x[1] - 4.2 * m.sin(x[4]) ** 2,
            lambda x: x[2] - 4.2 * m.sin(x[5]) ** 2, lambda x: x[0] + 2 * x[1] + 2 * x[2] - 7.2 * m.sin(x[6]) ** 2,
        ),
    ),
    "62": Constrained(
        hs62, [0.7, 0.2, 0.1], -26272.51448, [(0.0, 1.0)] * 3, equal=(lambda x: x[0] + x[1] + x[2] - 1,),
    ),
    "64": Constrained(
        lambda x: 5 * x[0] + 5e4 / x[0] + 20 * x[1] + 7.2e4 / x[1] + 10 * x[2] + 1.44e5 / x[2], [1.0] * 3,
        6299.842428, [(1e-5, None)] * 3, least=(lambda x: 1 - 4 / x[0] - 32 / x[1] - 120 / x[2],),
    ),
    "72": Constrained(
        lambda x: 1 + x[0] + x[1] + x[2] + x[3], [1.0] * 4, 727.67937, [(0.001, (4 - k) * 1e5) for k in range(4)],
        least=(
            lambda x: 0.0401 - 4 / x[0] - 2.25 / x[1] - 1 / x[2] - 0.25 / x[3],
            lambda x: 0.010085 - 0.16 / x[0] - 0.36 / x[1] - 0.64 / x[2] - 0.64 / x[3],
        ),
    ),
    "73": Constrained(
        lambda x: 24.55 * x[0] + 26.75 * x[1] + 39 * x[2] + 40.5 * x[3], [1.0] * 4, 29.894378, [(0.0, None)] * 4,
        least=(
            lambda x: 2.3 * x[0] + 5.6 * x[1] + 11.1 * x[2] + 1.3 * x[3] - 5,
            lambda x: 12 * x[0] + 11.9 * x[1] + 41.8 * x[2] + 52.1 * x[3] - 21 - 1.645 * m.sqrt(
                0.28 * x[0] ** 2 + 0.19 * x[1] ** 2 + 20.5 * x[2] ** 2 + 0.62 * x[3] ** 2),
        ),
        equal=(lambda x: x[0] + x[1] + x[2] + x[3] - 1,),
    ),
    "74": Constrained(
        hs74, [0.0] * 4, 5126.4981, [(0.0, 1200.0)] * 2 + [(-0.55, 0.55)] * 2,
        least=(lambda x: x[3] - x[2] + 0.55, lambda x: x[2] - x[3] + 0.55),
        equal=(
            lambda x: 1000 * (m.sin(-x[2] - 0.25) + m.sin(-x[3] - 0.25)) + 894.8 - x[0],
            lambda x: 1000 * (m.sin(x[2] - 0.25) + m.sin(x[2] - x[3] - 0.25)) + 894.8 - x[1],
            lambda x: 1000 * (m.sin(x[3] - 0.25) + m.sin(x[3] - x[2] - 0.25)) + 1294.8,
        ),
    ),
    "80": Constrained(
        lambda x: m.exp(x[0] * x[1] * x[2] * x[3] * x[4]), [-2.0, 2.0, 2.0, -1.0, -1.0], 0.0539498478,
        [(-2.3, 2.3)] * 2 + [(-3.2, 3.2)] * 3,
        equal=(
            lambda x: sum(x[k] ** 2 for k in range(5)) - 10, lambda x: x[1] * x[2] - 5 * x[3] * x[4],
            lambda x: x[0] ** 3 + x[1] ** 3 + 1,
        ),
    ),
    "93": Constrained(
        hs93, [5.54, 4.4, 12.02, 11.82, 0.702, 0.852], 135.075961, [(0.0, None)] * 6,
        least=(
            lambda x: 0.001 * x[0] * x[1] * x[2] * x[3] * x[4] * x[5] - 2.07,
            lambda x: 1 - 0.00062 * x[0] * x[3] * x[4] ** 2 * (x[0] + x[1] + x[2])
            - 0.00058 * x[1] * x[2] * x[5] ** 2 * (x[0] + 1.57 * x[1] + x[3]),
        ),
    ),
    "104": Constrained(
        hs104, [6.0, 3.0, 0.4, 0.2, 6.0, 6.0, 1.0, 0.5], 3.9511634396, [(0.1, 10.0)] * 8,
        least=(
            lambda x: 1 - 0.0588 * x[4] * x[6] - 0.1 * x[0],
            lambda x: 1 - 0.0588 * x[5] * x[7] - 0.1 * x[0] - 0.1 * x[1],
            lambda x: 1 - 4 * x[2] / x[4] - 2 / (x[2] ** 0.71 * x[4]) - 0.0588 * x[6] / x[2] ** 1.3,
            lambda x: 1 - 4 * x[3] / x[5] - 2 / (x[3] ** 0.71 * x[5]) - 0.0588 * x[7] / x[3] ** 1.3,
            lambda x: hs104(x) - 1, lambda x: 4.2 - hs104(x),
        ),
    ),
    "110": Constrained(hs110, [9.0] * 10, -45.77846971, [(2.001, 9.999)] * 10),
    "112": Constrained(
        hs112, [0.1] * 10, -47.76109, [(1e-6, None)] * 10,
        equal=(
            lambda x: x[0] + 2 * x[1] + 2 * x[2] + x[5] + x[9] - 2, lambda x: x[3] + 2 * x[4] + x[5] + x[6] - 1,
            lambda x: x[2] + x[6] + x[7] + 2 * x[8] + x[9] - 1,
        ),
    ),
}  # fmt: skip
