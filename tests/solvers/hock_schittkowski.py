"""Constrained test problems from the book of Hock and Schittkowski.

Source: "Test examples for nonlinear programming codes" (1981). Numbers, starting points and minima are from
this book, except for the minimum of problem 2. From the book's starting point, solvers reach the local
minimum 4.941229 at x = −1.22, so we use this minimum.
"""

# ruff: noqa: E501 - a formula reads best on one line
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math
Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Constrained:
    """A problem with constraints. Functions in `least` must be ≥ 0, and functions in `equal` must be 0."""

    f: Function
    start: list[float]
    minimum: float
    bounds: Sequence[tuple[float | None, float | None]] | None = None
    least: tuple[Function, ...] = ()
    equal: tuple[Function, ...] = ()


def rosenbrock(x: Any) -> Any:
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def wood(x: Any) -> Any:
    return (
        100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2 + 90 * (x[3] - x[2] ** 2) ** 2 + (1 - x[2]) ** 2
        + 10.1 * ((x[1] - 1) ** 2 + (x[3] - 1) ** 2) + 19.8 * (x[1] - 1) * (x[3] - 1)
    )  # fmt: skip


def hs43(x: Any) -> Any:
    return x[0] ** 2 + x[1] ** 2 + 2 * x[2] ** 2 + x[3] ** 2 - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3]


def hs100(x: Any) -> Any:
    return (
        (x[0] - 10) ** 2 + 5 * (x[1] - 12) ** 2 + x[2] ** 4 + 3 * (x[3] - 11) ** 2 + 10 * x[4] ** 6
        + 7 * x[5] ** 2 + x[6] ** 4 - 4 * x[5] * x[6] - 10 * x[5] - 8 * x[6]
    )  # fmt: skip


def hs113(x: Any) -> Any:
    return (
        x[0] ** 2 + x[1] ** 2 + x[0] * x[1] - 14 * x[0] - 16 * x[1] + (x[2] - 10) ** 2 + 4 * (x[3] - 5) ** 2
        + (x[4] - 3) ** 2 + 2 * (x[5] - 1) ** 2 + 5 * x[6] ** 2 + 7 * (x[7] - 11) ** 2
        + 2 * (x[8] - 10) ** 2 + (x[9] - 7) ** 2 + 45
    )  # fmt: skip


OPEN = (None, None)
PROBLEMS = {
    "1": Constrained(rosenbrock, [-2.0, 1.0], 0.0, [OPEN, (-1.5, None)]),
    "2": Constrained(rosenbrock, [-2.0, 1.0], 4.94122931799, [OPEN, (1.5, None)]),
    "3": Constrained(lambda x: x[1] + 1e-5 * (x[1] - x[0]) ** 2, [10.0, 1.0], 0.0, [OPEN, (0.0, None)]),
    "4": Constrained(lambda x: (x[0] + 1) ** 3 / 3 + x[1], [1.125, 0.125], 8 / 3, [(1.0, None), (0.0, None)]),
    "5": Constrained(
        lambda x: m.sin(x[0] + x[1]) + (x[0] - x[1]) ** 2 - 1.5 * x[0] + 2.5 * x[1] + 1, [0.0, 0.0],
        -1.91322295498, [(-1.5, 4.0), (-3.0, 3.0)],
    ),
    "6": Constrained(lambda x: (1 - x[0]) ** 2, [-1.2, 1.0], 0.0, equal=(lambda x: 10 * (x[1] - x[0] ** 2),)),
    "7": Constrained(
        lambda x: m.log(1 + x[0] ** 2) - x[1], [2.0, 2.0], -(3**0.5),
        equal=(lambda x: (1 + x[0] ** 2) ** 2 + x[1] ** 2 - 4,),
    ),
    "8": Constrained(
        lambda x: 0 * x[0] - 1, [2.0, 1.0], -1.0,
        equal=(lambda x: x[0] ** 2 + x[1] ** 2 - 25, lambda x: x[0] * x[1] - 9),
    ),
    "9": Constrained(
        lambda x: m.sin(m.pi * x[0] / 12) * m.cos(m.pi * x[1] / 16), [0.0, 0.0], -0.5,
        equal=(lambda x: 4 * x[0] - 3 * x[1],),
    ),
    "10": Constrained(
        lambda x: x[0] - x[1], [-10.0, 10.0], -1.0, least=(lambda x: -3 * x[0] ** 2 + 2 * x[0] * x[1] - x[1] ** 2 + 1,)
    ),
    "11": Constrained(
        lambda x: (x[0] - 5) ** 2 + x[1] ** 2 - 25, [4.9, 0.1], -8.498464223, least=(lambda x: -x[0] ** 2 + x[1],)
    ),
    "12": Constrained(
        lambda x: 0.5 * x[0] ** 2 + x[1] ** 2 - x[0] * x[1] - 7 * x[0] - 7 * x[1], [0.0, 0.0], -30.0,
        least=(lambda x: 25 - 4 * x[0] ** 2 - x[1] ** 2,),
    ),
    "14": Constrained(
        lambda x: (x[0] - 2) ** 2 + (x[1] - 1) ** 2, [2.0, 2.0], 9 - 2.875 * 7**0.5,
        least=(lambda x: -0.25 * x[0] ** 2 - x[1] ** 2 + 1,), equal=(lambda x: x[0] - 2 * x[1] + 1,),
    ),
    "16": Constrained(
        rosenbrock, [-2.0, 1.0], 0.25, [(-0.5, 0.5), (None, 1.0)],
        least=(lambda x: x[0] + x[1] ** 2, lambda x: x[0] ** 2 + x[1]),
    ),
    "18": Constrained(
        lambda x: 0.01 * x[0] ** 2 + x[1] ** 2, [2.0, 2.0], 5.0, [(2.0, 50.0), (0.0, 50.0)],
        least=(lambda x: x[0] * x[1] - 25, lambda x: x[0] ** 2 + x[1] ** 2 - 25),
    ),
    "21": Constrained(
        lambda x: 0.01 * x[0] ** 2 + x[1] ** 2 - 100, [-1.0, -1.0], -99.96, [(2.0, 50.0), (-50.0, 50.0)],
        least=(lambda x: 10 * x[0] - x[1] - 10,),
    ),
    "22": Constrained(
        lambda x: (x[0] - 2) ** 2 + (x[1] - 1) ** 2, [2.0, 2.0], 1.0,
        least=(lambda x: -x[0] - x[1] + 2, lambda x: -x[0] ** 2 + x[1]),
    ),
    "24": Constrained(
        lambda x: ((x[0] - 3) ** 2 - 9) * x[1] ** 3 / (27 * 3**0.5), [1.0, 0.5], -1.0, [(0.0, None), (0.0, None)],
        least=(
            lambda x: x[0] / 3**0.5 - x[1], lambda x: x[0] + 3**0.5 * x[1], lambda x: -x[0] - 3**0.5 * x[1] + 6,
        ),
    ),
    "26": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[1] - x[2]) ** 4, [-2.6, 2.0, 2.0], 0.0,
        equal=(lambda x: (1 + x[1] ** 2) * x[0] + x[2] ** 4 - 3,),
    ),
    "28": Constrained(
        lambda x: (x[0] + x[1]) ** 2 + (x[1] + x[2]) ** 2, [-4.0, 1.0, 1.0], 0.0,
        equal=(lambda x: x[0] + 2 * x[1] + 3 * x[2] - 1,),
    ),
    "29": Constrained(
        lambda x: -x[0] * x[1] * x[2], [1.0, 1.0, 1.0], -16 * 2**0.5,
        least=(lambda x: -x[0] ** 2 - 2 * x[1] ** 2 - 4 * x[2] ** 2 + 48,),
    ),
    "30": Constrained(
        lambda x: x[0] ** 2 + x[1] ** 2 + x[2] ** 2, [1.0, 1.0, 1.0], 1.0, [(1.0, 10.0), (-10.0, 10.0), (-10.0, 10.0)],
        least=(lambda x: x[0] ** 2 + x[1] ** 2 - 1,),
    ),
    "31": Constrained(
        lambda x: 9 * x[0] ** 2 + x[1] ** 2 + 9 * x[2] ** 2, [1.0, 1.0, 1.0], 6.0,
        [(-10.0, 10.0), (1.0, 10.0), (-10.0, 1.0)], least=(lambda x: x[0] * x[1] - 1,),
    ),
    "34": Constrained(
        lambda x: -x[0], [0.0, 1.05, 2.9], -m.log(m.log(10.0)), [(0.0, 100.0), (0.0, 100.0), (0.0, 10.0)],
        least=(lambda x: x[1] - m.exp(x[0]), lambda x: x[2] - m.exp(x[1])),
    ),
    "35": Constrained(
        lambda x: 9 - 8 * x[0] - 6 * x[1] - 4 * x[2] + 2 * x[0] ** 2 + 2 * x[1] ** 2 + x[2] ** 2
        + 2 * x[0] * x[1] + 2 * x[0] * x[2],
        [0.5, 0.5, 0.5], 1 / 9, [(0.0, None)] * 3, least=(lambda x: 3 - x[0] - x[1] - 2 * x[2],),
    ),
    "36": Constrained(
        lambda x: -x[0] * x[1] * x[2], [10.0, 10.0, 10.0], -3300.0, [(0.0, 20.0), (0.0, 11.0), (0.0, 42.0)],
        least=(lambda x: 72 - x[0] - 2 * x[1] - 2 * x[2],),
    ),
    "37": Constrained(
        lambda x: -x[0] * x[1] * x[2], [10.0, 10.0, 10.0], -3456.0, [(0.0, 42.0)] * 3,
        least=(lambda x: 72 - x[0] - 2 * x[1] - 2 * x[2], lambda x: x[0] + 2 * x[1] + 2 * x[2]),
    ),
    "38": Constrained(wood, [-3.0, -1.0, -3.0, -1.0], 0.0, [(-10.0, 10.0)] * 4),
    "39": Constrained(
        lambda x: -x[0], [2.0] * 4, -1.0,
        equal=(lambda x: x[1] - x[0] ** 3 - x[2] ** 2, lambda x: x[0] ** 2 - x[1] - x[3] ** 2),
    ),
    "40": Constrained(
        lambda x: -x[0] * x[1] * x[2] * x[3], [0.8] * 4, -0.25,
        equal=(
            lambda x: x[0] ** 3 + x[1] ** 2 - 1, lambda x: x[0] ** 2 * x[3] - x[2], lambda x: x[3] ** 2 - x[1],
        ),
    ),
    "42": Constrained(
        lambda x: sum((x[k] - k - 1) ** 2 for k in range(4)), [1.0] * 4, 28 - 10 * 2**0.5,
        equal=(lambda x: x[0] - 2, lambda x: x[2] ** 2 + x[3] ** 2 - 2),
    ),
    "43": Constrained(
        hs43, [0.0] * 4, -44.0,
        least=(
            lambda x: 8 - x[0] ** 2 - x[1] ** 2 - x[2] ** 2 - x[3] ** 2 - x[0] + x[1] - x[2] + x[3],
            lambda x: 10 - x[0] ** 2 - 2 * x[1] ** 2 - x[2] ** 2 - 2 * x[3] ** 2 + x[0] + x[3],
            lambda x: 5 - 2 * x[0] ** 2 - x[1] ** 2 - x[2] ** 2 - 2 * x[0] + x[1] + x[3],
        ),
    ),
    "45": Constrained(
        lambda x: 2 - x[0] * x[1] * x[2] * x[3] * x[4] / 120, [2.0] * 5, 1.0, [(0.0, k) for k in (1.0, 2.0, 3.0, 4.0, 5.0)]
    ),
    "48": Constrained(
        lambda x: (x[0] - 1) ** 2 + (x[1] - x[2]) ** 2 + (x[3] - x[4]) ** 2, [3.0, 5.0, -3.0, 2.0, -2.0], 0.0,
        equal=(lambda x: x[0] + x[1] + x[2] + x[3] + x[4] - 5, lambda x: x[2] - 2 * (x[3] + x[4]) + 3),
    ),
    "50": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[1] - x[2]) ** 2 + (x[2] - x[3]) ** 4 + (x[3] - x[4]) ** 2,
        [35.0, -31.0, 11.0, 5.0, -5.0], 0.0,
        equal=tuple((lambda x, k=k: x[k] + 2 * x[k + 1] + 3 * x[k + 2] - 6) for k in range(3)),
    ),
    "51": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[1] + x[2] - 2) ** 2 + (x[3] - 1) ** 2 + (x[4] - 1) ** 2,
        [2.5, 0.5, 2.0, -1.0, 0.5], 0.0,
        equal=(lambda x: x[0] + 3 * x[1] - 4, lambda x: x[2] + x[3] - 2 * x[4], lambda x: x[1] - x[4]),
    ),
    "52": Constrained(
        lambda x: (4 * x[0] - x[1]) ** 2 + (x[1] + x[2] - 2) ** 2 + (x[3] - 1) ** 2 + (x[4] - 1) ** 2,
        [2.0] * 5, 1859 / 349,
        equal=(lambda x: x[0] + 3 * x[1], lambda x: x[2] + x[3] - 2 * x[4], lambda x: x[1] - x[4]),
    ),
    "60": Constrained(
        lambda x: (x[0] - 1) ** 2 + (x[0] - x[1]) ** 2 + (x[1] - x[2]) ** 4, [2.0] * 3, 0.03256820025,
        [(-10.0, 10.0)] * 3, equal=(lambda x: x[0] * (1 + x[1] ** 2) + x[2] ** 4 - 4 - 3 * 2**0.5,),
    ),
    "61": Constrained(
        lambda x: 4 * x[0] ** 2 + 2 * x[1] ** 2 + 2 * x[2] ** 2 - 33 * x[0] + 16 * x[1] - 24 * x[2], [0.0] * 3,
        -143.6461422, equal=(lambda x: 3 * x[0] - 2 * x[1] ** 2 - 7, lambda x: 4 * x[0] - x[2] ** 2 - 11),
    ),
    "63": Constrained(
        lambda x: 1000 - x[0] ** 2 - 2 * x[1] ** 2 - x[2] ** 2 - x[0] * x[1] - x[0] * x[2], [2.0] * 3, 961.7151721,
        [(0.0, None)] * 3,
        equal=(lambda x: 8 * x[0] + 14 * x[1] + 7 * x[2] - 56, lambda x: x[0] ** 2 + x[1] ** 2 + x[2] ** 2 - 25),
    ),
    "65": Constrained(
        lambda x: (x[0] - x[1]) ** 2 + (x[0] + x[1] - 10) ** 2 / 9 + (x[2] - 5) ** 2, [-5.0, 5.0, 0.0], 0.9535288567,
        [(-4.5, 4.5), (-4.5, 4.5), (-5.0, 5.0)], least=(lambda x: 48 - x[0] ** 2 - x[1] ** 2 - x[2] ** 2,),
    ),
    "66": Constrained(
        lambda x: 0.2 * x[2] - 0.8 * x[0], [0.0, 1.05, 2.9], 0.5181632741, [(0.0, 100.0), (0.0, 100.0), (0.0, 10.0)],
        least=(lambda x: x[1] - m.exp(x[0]), lambda x: x[2] - m.exp(x[1])),
    ),
    "71": Constrained(
        lambda x: x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2], [1.0, 5.0, 5.0, 1.0], 17.0140173, [(1.0, 5.0)] * 4,
        least=(lambda x: x[0] * x[1] * x[2] * x[3] - 25,),
        equal=(lambda x: x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + x[3] ** 2 - 40,),
    ),
    "76": Constrained(
        lambda x: x[0] ** 2 + 0.5 * x[1] ** 2 + x[2] ** 2 + 0.5 * x[3] ** 2 - x[0] * x[2] + x[2] * x[3] - x[0]
        - 3 * x[1] + x[2] - x[3],
        [0.5] * 4, -4.681818181, [(0.0, None)] * 4,
        least=(
            lambda x: 5 - x[0] - 2 * x[1] - x[2] - x[3], lambda x: 4 - 3 * x[0] - x[1] - 2 * x[2] + x[3],
            lambda x: x[1] + 4 * x[2] - 1.5,
        ),
    ),
    "77": Constrained(
        lambda x: (x[0] - 1) ** 2 + (x[0] - x[1]) ** 2 + (x[2] - 1) ** 2 + (x[3] - 1) ** 4 + (x[4] - 1) ** 6,
        [2.0] * 5, 0.24150513,
        equal=(
            lambda x: x[0] ** 2 * x[3] + m.sin(x[3] - x[4]) - 2 * 2**0.5,
            lambda x: x[1] + x[2] ** 4 * x[3] ** 2 - 8 - 2**0.5,
        ),
    ),
    "78": Constrained(
        lambda x: x[0] * x[1] * x[2] * x[3] * x[4], [-2.0, 1.5, 2.0, -1.0, -1.0], -2.91970041,
        equal=(
            lambda x: sum(x[k] ** 2 for k in range(5)) - 10, lambda x: x[1] * x[2] - 5 * x[3] * x[4],
            lambda x: x[0] ** 3 + x[1] ** 3 + 1,
        ),
    ),
    "79": Constrained(
        lambda x: (x[0] - 1) ** 2 + (x[0] - x[1]) ** 2 + (x[1] - x[2]) ** 2 + (x[2] - x[3]) ** 4 + (x[3] - x[4]) ** 4,
        [2.0] * 5, 0.0787768209,
        equal=(
            lambda x: x[0] + x[1] ** 2 + x[2] ** 3 - 2 - 3 * 2**0.5, lambda x: x[1] - x[2] ** 2 + x[3] + 2 - 2 * 2**0.5,
            lambda x: x[0] * x[4] - 2,
        ),
    ),
    "81": Constrained(
        lambda x: m.exp(x[0] * x[1] * x[2] * x[3] * x[4]) - 0.5 * (x[0] ** 3 + x[1] ** 3 + 1) ** 2,
        [-2.0, 2.0, 2.0, -1.0, -1.0], 0.0539498478, [(-2.3, 2.3)] * 2 + [(-3.2, 3.2)] * 3,
        equal=(
            lambda x: sum(x[k] ** 2 for k in range(5)) - 10, lambda x: x[1] * x[2] - 5 * x[3] * x[4],
            lambda x: x[0] ** 3 + x[1] ** 3 + 1,
        ),
    ),
    "100": Constrained(
        hs100, [1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 1.0], 680.6300573,
        least=(
            lambda x: 127 - 2 * x[0] ** 2 - 3 * x[1] ** 4 - x[2] - 4 * x[3] ** 2 - 5 * x[4],
            lambda x: 282 - 7 * x[0] - 3 * x[1] - 10 * x[2] ** 2 - x[3] + x[4],
            lambda x: 196 - 23 * x[0] - x[1] ** 2 - 6 * x[5] ** 2 + 8 * x[6],
            lambda x: -4 * x[0] ** 2 - x[1] ** 2 + 3 * x[0] * x[1] - 2 * x[2] ** 2 - 5 * x[5] + 11 * x[6],
        ),
    ),
    "113": Constrained(
        hs113, [2.0, 3.0, 5.0, 5.0, 1.0, 2.0, 7.0, 3.0, 6.0, 10.0], 24.3062091,
        least=(
            lambda x: 105 - 4 * x[0] - 5 * x[1] + 3 * x[6] - 9 * x[7],
            lambda x: -10 * x[0] + 8 * x[1] + 17 * x[6] - 2 * x[7],
            lambda x: 8 * x[0] - 2 * x[1] - 5 * x[8] + 2 * x[9] + 12,
            lambda x: -3 * (x[0] - 2) ** 2 - 4 * (x[1] - 3) ** 2 - 2 * x[2] ** 2 + 7 * x[3] + 120,
            lambda x: -5 * x[0] ** 2 - 8 * x[1] - (x[2] - 6) ** 2 + 2 * x[3] + 40,
            lambda x: -0.5 * (x[0] - 8) ** 2 - 2 * (x[1] - 4) ** 2 - 3 * x[4] ** 2 + x[5] + 30,
            lambda x: -x[0] ** 2 - 2 * (x[1] - 2) ** 2 + 2 * x[0] * x[1] - 14 * x[4] + 6 * x[5],
            lambda x: 3 * x[0] - 6 * x[1] - 12 * (x[8] - 8) ** 2 + 7 * x[9],
        ),
    ),
}  # fmt: skip
