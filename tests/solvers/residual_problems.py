"""Residuals of Moré, Garbow and Hillstrom, "Testing unconstrained optimization software" (1981).

Starting points, minimal sums of squares and the numbers of the problems are from this paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import eglantine as eg

maths = eg.math


@dataclass(frozen=True)
class Residuals:
    """A least-squares problem. f returns its residuals, and `minima` are minima of the sum of squares."""

    f: Callable[[Any], Any]
    start: list[float]
    minima: tuple[float, ...] = (0.0,)


def _rosenbrock(x: Any) -> Any:
    return [10 * (x[1] - x[0] ** 2), 1 - x[0]]


def _freudenstein_roth(x: Any) -> Any:
    return [
        -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1],
        -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1],
    ]


def _powell_badly_scaled(x: Any) -> Any:
    return [1e4 * x[0] * x[1] - 1, maths.exp(-x[0]) + maths.exp(-x[1]) - 1.0001]


def _brown_badly_scaled(x: Any) -> Any:
    return [x[0] - 1e6, x[1] - 2e-6, x[0] * x[1] - 2]


def _beale(x: Any) -> Any:
    return [y - x[0] * (1 - x[1] ** i) for i, y in ((1, 1.5), (2, 2.25), (3, 2.625))]


def _jennrich_sampson(x: Any) -> Any:
    return [2 + 2 * i - (maths.exp(i * x[0]) + maths.exp(i * x[1])) for i in range(1, 11)]


def _helical_valley(x: Any) -> Any:
    angle = maths.atan2(x[1], x[0]) / (2 * math.pi)
    return [10 * (x[2] - 10 * angle), 10 * (maths.sqrt(x[0] ** 2 + x[1] ** 2) - 1), x[2]]


BARD = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39]


def _bard(x: Any) -> Any:
    def residual(u: int, y: float) -> Any:
        v = 16 - u
        return y - (x[0] + u / (v * x[1] + min(u, v) * x[2]))

    return [residual(i + 1, y) for i, y in enumerate(BARD)]


GAUSSIAN = [0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989]


def _gaussian(x: Any) -> Any:
    ys = [*GAUSSIAN, *GAUSSIAN[-2::-1]]
    return [x[0] * maths.exp(-x[1] * ((7 - i) / 2 - x[2]) ** 2 / 2) - y for i, y in enumerate(ys)]


MEYER = [
    34780,
    28610,
    23650,
    19630,
    16370,
    13720,
    11540,
    9744,
    8261,
    7030,
    6005,
    5147,
    4427,
    3820,
    3307,
    2872,
]


def _meyer(x: Any) -> Any:
    return [x[0] * maths.exp(x[1] / (50 + 5 * i + x[2])) - y for i, y in enumerate(MEYER)]


def _box(x: Any) -> Any:
    ts = [0.1 * i for i in range(1, 11)]
    return [
        maths.exp(-t * x[0]) - maths.exp(-t * x[1]) - x[2] * (math.exp(-t) - math.exp(-10 * t)) for t in ts
    ]


def _powell_singular(x: Any) -> Any:
    return [
        x[0] + 10 * x[1], math.sqrt(5) * (x[2] - x[3]), (x[1] - 2 * x[2]) ** 2,
        math.sqrt(10) * (x[0] - x[3]) ** 2,
    ]  # fmt: skip


def _wood(x: Any) -> Any:
    return [
        10 * (x[1] - x[0] ** 2), 1 - x[0], math.sqrt(90) * (x[3] - x[2] ** 2), 1 - x[2],
        math.sqrt(10) * (x[1] + x[3] - 2), (x[1] - x[3]) / math.sqrt(10),
    ]  # fmt: skip


KOWALIK = [
    (0.1957, 4.0), (0.1947, 2.0), (0.1735, 1.0), (0.1600, 0.5), (0.0844, 0.25), (0.0627, 0.1670),
    (0.0456, 0.1250), (0.0342, 0.1), (0.0323, 0.0833), (0.0235, 0.0714), (0.0246, 0.0625),
]  # fmt: skip


def _kowalik_osborne(x: Any) -> Any:
    return [y - x[0] * (u**2 + u * x[1]) / (u**2 + u * x[2] + x[3]) for y, u in KOWALIK]


def _brown_dennis(x: Any) -> Any:
    ts = [i / 5 for i in range(1, 21)]
    return [(x[0] + t * x[1] - math.exp(t)) ** 2 + (x[2] + x[3] * math.sin(t) - math.cos(t)) ** 2 for t in ts]


OSBORNE_1 = [
    0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751, 0.718, 0.685, 0.658, 0.628,
    0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490, 0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.420,
    0.414, 0.411, 0.406,
]  # fmt: skip


def _osborne_1(x: Any) -> Any:
    return [
        y - (x[0] + x[1] * maths.exp(-10 * i * x[3]) + x[2] * maths.exp(-10 * i * x[4]))
        for i, y in enumerate(OSBORNE_1)
    ]


def _biggs(x: Any) -> Any:
    def residual(t: float) -> Any:
        y = math.exp(-t) - 5 * math.exp(-10 * t) + 3 * math.exp(-4 * t)
        return x[2] * maths.exp(-t * x[0]) - x[3] * maths.exp(-t * x[1]) + x[5] * maths.exp(-t * x[4]) - y

    return [residual(0.1 * i) for i in range(1, 14)]


OSBORNE_2 = [
    1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608, 0.655, 0.616,
    0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661, 0.612, 0.558, 0.533, 0.495,
    0.500, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428, 0.429, 0.523, 0.562, 0.607, 0.653, 0.672,
    0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559, 0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581,
    0.428, 0.292, 0.162, 0.098, 0.054,
]  # fmt: skip


def _osborne_2(x: Any) -> Any:
    def residual(t: float, y: float) -> Any:
        peaks = [x[k] * maths.exp(-x[k + 4] * (t - x[k + 7]) ** 2) for k in (1, 2, 3)]
        return y - (x[0] * maths.exp(-t * x[4]) + peaks[0] + peaks[1] + peaks[2])

    return [residual(0.1 * i, y) for i, y in enumerate(OSBORNE_2)]


def _watson(x: Any) -> Any:
    n = len(x)

    def residual(t: float) -> Any:
        slope, value = 0.0, 0.0
        for j in range(n):
            value = value + x[j] * t**j
            if j:
                slope = slope + j * x[j] * t ** (j - 1)
        return slope - value**2 - 1

    return [*(residual(i / 29) for i in range(1, 30)), x[0], x[1] - x[0] ** 2 - 1]


def _chebyquad(x: Any) -> Any:
    n = len(x)
    columns = []
    for j in range(n):
        before, now = 1.0, 2 * x[j] - 1
        column = [now]
        for _ in range(n - 1):
            before, now = now, 2 * (2 * x[j] - 1) * now - before
            column.append(now)
        columns.append(column)
    return [
        sum((column[i - 1] for column in columns), 0.0) / n + (1 / (i**2 - 1) if i % 2 == 0 else 0.0)
        for i in range(1, n + 1)
    ]


def _brown_almost_linear(x: Any) -> Any:
    n = len(x)
    total, product = 0.0, 1.0
    for k in range(n):
        total, product = total + x[k], product * x[k]
    return [*(x[i] + total - (n + 1) for i in range(n - 1)), product - 1]


def _linear_rank_1(x: Any) -> Any:
    total = 0.0
    for j in range(len(x)):
        total = total + (j + 1) * x[j]
    return [i * total - 1 for i in range(1, 11)]


PROBLEMS = {
    "1 Rosenbrock": Residuals(_rosenbrock, [-1.2, 1.0]),
    "2 Freudenstein and Roth": Residuals(_freudenstein_roth, [0.5, -2.0], (0.0, 48.9842)),
    "3 Powell badly scaled": Residuals(_powell_badly_scaled, [0.0, 1.0]),
    "4 Brown badly scaled": Residuals(_brown_badly_scaled, [1.0, 1.0]),
    "5 Beale": Residuals(_beale, [1.0, 1.0]),
    "6 Jennrich and Sampson": Residuals(_jennrich_sampson, [0.3, 0.4], (124.362,)),
    "7 helical valley": Residuals(_helical_valley, [-1.0, 0.0, 0.0]),
    "8 Bard": Residuals(_bard, [1.0, 1.0, 1.0], (8.21487e-3, 17.4286)),
    "9 Gaussian": Residuals(_gaussian, [0.4, 1.0, 0.0], (1.12793e-8,)),
    "10 Meyer": Residuals(_meyer, [0.02, 4000.0, 250.0], (87.9458,)),
    "12 Box": Residuals(_box, [0.0, 10.0, 20.0]),
    "13 Powell singular": Residuals(_powell_singular, [3.0, -1.0, 0.0, 1.0]),
    "14 Wood": Residuals(_wood, [-3.0, -1.0, -3.0, -1.0]),
    "15 Kowalik and Osborne": Residuals(
        _kowalik_osborne, [0.25, 0.39, 0.415, 0.39], (3.07505e-4, 1.02734e-3)
    ),
    "16 Brown and Dennis": Residuals(_brown_dennis, [25.0, 5.0, -5.0, -1.0], (85822.2,)),
    "17 Osborne 1": Residuals(_osborne_1, [0.5, 1.5, -1.0, 0.01, 0.02], (5.46489e-5,)),
    "18 Biggs": Residuals(_biggs, [1.0, 2.0, 1.0, 1.0, 1.0, 1.0], (0.0, 5.65565e-3)),
    "19 Osborne 2": Residuals(
        _osborne_2, [1.3, 0.65, 0.65, 0.7, 0.6, 3.0, 5.0, 7.0, 2.0, 4.5, 5.5], (4.01377e-2,)
    ),
    "20 Watson, n = 6": Residuals(_watson, [0.0] * 6, (2.28767e-3,)),
    "20 Watson, n = 9": Residuals(_watson, [0.0] * 9, (1.39976e-6,)),
    "20 Watson, n = 12": Residuals(_watson, [0.0] * 12, (4.72238e-10,)),
    "27 Brown almost linear": Residuals(_brown_almost_linear, [0.5] * 10, (0.0, 1.0)),
    "33 linear of rank 1": Residuals(_linear_rank_1, [1.0] * 5, (10 * 9 / (2 * 21),)),
    "35 Chebyquad, n = 8": Residuals(_chebyquad, [j / 9 for j in range(1, 9)], (3.51687e-3,)),
    "35 Chebyquad, n = 10": Residuals(_chebyquad, [j / 11 for j in range(1, 11)], (6.50395e-3, 4.77271e-3)),
}
