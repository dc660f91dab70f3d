"""More residuals of Moré, Garbow and Hillstrom, "Testing unconstrained optimization software" (1981).

Starting points, minimal sums of squares and the numbers of the problems are from this paper. If a problem is
defined for any number of unknowns, we use the number in the paper's table of results.
"""

from __future__ import annotations

import math
from typing import Any

from .residual_problems import Residuals, maths

TEN = range(10)


def _gulf(x: Any) -> Any:
    def residual(t: float) -> Any:
        y = 25 + (-50 * math.log(t)) ** (2 / 3)
        return maths.exp(-maths.pow(abs(y - x[1]), x[2]) / x[0]) - t

    return [residual(i / 100) for i in range(1, 100)]


def _extended_rosenbrock(x: Any) -> Any:
    return [r for k in range(0, 10, 2) for r in (10 * (x[k + 1] - x[k] ** 2), 1 - x[k])]


def _extended_powell(x: Any) -> Any:
    return [
        r
        for k in range(0, 8, 4)
        for r in (
            x[k] + 10 * x[k + 1], math.sqrt(5) * (x[k + 2] - x[k + 3]), (x[k + 1] - 2 * x[k + 2]) ** 2,
            math.sqrt(10) * (x[k] - x[k + 3]) ** 2,
        )
    ]  # fmt: skip


PENALTY = math.sqrt(1e-5)


def _penalty_1(x: Any) -> Any:
    return [*(PENALTY * (x[k] - 1) for k in TEN), sum(x[k] ** 2 for k in TEN) - 0.25]


def _penalty_2(x: Any) -> Any:
    n = 4

    def neighbours(k: int) -> Any:
        return maths.exp(x[k] / 10) + maths.exp(x[k - 1] / 10) - math.exp((k + 1) / 10) - math.exp(k / 10)

    return [
        x[0] - 0.2, *(PENALTY * neighbours(k) for k in range(1, n)),
        *(PENALTY * (maths.exp(x[k] / 10) - math.exp(-0.1)) for k in range(1, n)),
        sum((n - k) * x[k] ** 2 for k in range(n)) - 1,
    ]  # fmt: skip


def _variably_dimensioned(x: Any) -> Any:
    total = sum((k + 1) * (x[k] - 1) for k in TEN)
    return [*(x[k] - 1 for k in TEN), total, total * total]


def _trigonometric(x: Any) -> Any:
    total = sum(maths.cos(x[k]) for k in TEN)
    return [10 - total + (i + 1) * (1 - maths.cos(x[i])) - maths.sin(x[i]) for i in TEN]


H = 1 / 11
PLACES = [H * (k + 1) for k in TEN]
CURVED = [t * (t - 1) for t in PLACES]


def _discrete_boundary(x: Any) -> Any:
    padded = [0.0, *(x[k] for k in TEN), 0.0]
    return [
        2 * padded[k + 1] - padded[k] - padded[k + 2] + H * H * (padded[k + 1] + t + 1) ** 3 / 2
        for k, t in enumerate(PLACES)
    ]


def _discrete_integral(x: Any) -> Any:
    cubes = [(x[k] + t + 1) ** 3 for k, t in enumerate(PLACES)]

    def residual(i: int) -> Any:
        before = sum(PLACES[j] * cubes[j] for j in range(i + 1))
        after = sum((1 - PLACES[j]) * cubes[j] for j in range(i + 1, 10))
        return x[i] + H * ((1 - PLACES[i]) * before + PLACES[i] * after) / 2

    return [residual(i) for i in TEN]


def _broyden_tridiagonal(x: Any) -> Any:
    padded = [0.0, *(x[k] for k in TEN), 0.0]
    return [(3 - 2 * padded[k]) * padded[k] - padded[k - 1] - 2 * padded[k + 1] + 1 for k in range(1, 11)]


def _broyden_banded(x: Any) -> Any:
    def others(i: int) -> Any:
        return sum(x[j] * (1 + x[j]) for j in range(max(0, i - 5), min(9, i + 1) + 1) if j != i)

    return [x[i] * (2 + 5 * x[i] ** 2) + 1 - others(i) for i in TEN]


def _linear_full_rank(x: Any) -> Any:
    total = sum(x[k] for k in range(5))
    return [*(x[i] - 0.2 * total - 1 for i in range(5)), *(-0.2 * total - 1 for _ in range(5))]


def _linear_rank_1_with_zeros(x: Any) -> Any:
    total = sum((k + 1) * x[k] for k in range(1, 4))
    return [-1.0, *((i - 1) * total - 1 for i in range(2, 10)), -1.0]


PROBLEMS = {
    "11 Gulf": Residuals(_gulf, [5.0, 2.5, 0.15], (0.0, 0.038)),
    "21 extended Rosenbrock": Residuals(_extended_rosenbrock, [-1.2, 1.0] * 5),
    "22 extended Powell singular": Residuals(_extended_powell, [3.0, -1.0, 0.0, 1.0] * 2),
    "23 penalty I": Residuals(_penalty_1, [float(k + 1) for k in TEN], (7.08765e-5,)),
    "24 penalty II": Residuals(_penalty_2, [0.5] * 4, (9.37629e-6,)),
    "25 variably dimensioned": Residuals(_variably_dimensioned, [1 - (k + 1) / 10 for k in TEN]),
    "26 trigonometric": Residuals(_trigonometric, [0.1] * 10, (0.0, 2.79506e-5)),
    "28 discrete boundary value": Residuals(_discrete_boundary, CURVED),
    "29 discrete integral equation": Residuals(_discrete_integral, CURVED),
    "30 Broyden tridiagonal": Residuals(_broyden_tridiagonal, [-1.0] * 10),
    "31 Broyden banded": Residuals(_broyden_banded, [-1.0] * 10),
    "32 linear of full rank": Residuals(_linear_full_rank, [1.0] * 5, (5.0,)),
    "34 linear of rank 1 with zeros": Residuals(_linear_rank_1_with_zeros, [1.0] * 5, (62 / 17,)),
}
