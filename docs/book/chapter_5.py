"""Figures of chapter 5, "Programs, not formulas"."""

from __future__ import annotations

import math
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from docs.book.vectors import vector
from eglantine import math as em

STEPS = 64
"""The number of rounds of the loop whose memory is drawn."""


def root(x: Any) -> Any:
    """Compute the square root by Heron's method. The loop ends when the result no longer improves."""

    def step(state: Any) -> Any:
        guess, _ = state
        new = (guess + x / guess) / 2
        return new, abs(new - guess)

    return eg.while_loop(lambda state: state[1] > 1e-12, step, (1.0 + 0.0 * x, 1.0))[0]


def loops() -> Shown:
    """A loop and the derivative through it."""

    def rounds(x: Any) -> Any:
        def step(state: Any) -> Any:
            guess, _, count = state
            new = (guess + x / guess) / 2
            return new, abs(new - guess), count + 1.0

        return eg.while_loop(lambda state: state[1] > 1e-12, step, (1.0, 1.0, 0.0))[2]

    figure = eg.figure(
        root, x=(0.2, 9), y=(0, 3.2), at=eg.point((4, 2)), show=("tangent",),
        says=("The loop ran {} times", rounds),
    )  # fmt: skip
    return shown(
        figure,
        "At 4 the loop runs {rounds} times and gives {root}, with the slope {slope}. By the formula, the slope of the "
        "square root is 1/(2·2) = {formula}.",
        rounds=int(rounds(4.0)), root=root(4.0), slope=eg.grad(root)(4.0), formula=eg.grad(em.sqrt)(4.0),
    )  # fmt: skip


def branches() -> Shown:
    """A figure of a tax with three rates, and of its derivative. Each branch has its own derivative."""

    def tax(x: Any) -> Any:
        return eg.select(x < 1.0, 0.1 * x, eg.select(x < 2.5, 0.1 + 0.3 * (x - 1), 0.55 + 0.5 * (x - 2.5)))

    def rate(x: Any) -> Any:
        return eg.grad(tax)(x)

    figure = eg.figure([tax, rate], x=(0, 4), y=(0, 1.4), at=eg.point((2, 0.4)), show=("tangent",))
    return shown(
        figure,
        "Below 1 each unit costs {low}, up to 2.5 it costs {middle}, and above that {high}. At the corners the "
        "derivative is that of the branch that runs: {corner} at 1.",
        low=rate(0.5), middle=rate(2.0), high=rate(3.0), corner=rate(1.0),
    )  # fmt: skip


def stored(every: int) -> int:
    """Return how many values reverse mode stores at once, if checkpoints are `every` rounds apart.

    It stores all checkpoints, and one value for each round between two checkpoints.
    """
    return math.ceil(STEPS / every) + every


def memory() -> Shown:
    """A figure that shows how many values reverse mode stores for each distance between checkpoints."""

    def kept(every: Any) -> Any:
        size = em.floor(every)
        marks = eg.vec(
            STEPS, lambda k: eg.select(eg.real(k) - size * em.floor(eg.real(k) / size) < 0.5, 1.0, math.nan)
        )
        return eg.vec(STEPS, lambda k: eg.real(k) + 1.0), marks

    def again(every: Any) -> Any:
        size = em.floor(every)
        first = size * em.floor((STEPS - 1.0) / size)
        marks = eg.vec(STEPS, lambda k: eg.select(eg.real(k) >= first, 2.0, math.nan))
        return eg.vec(STEPS, lambda k: eg.real(k) + 1.0), marks

    def needs(every: Any) -> Any:
        size = em.floor(every)
        return size, em.ceil(STEPS / size) + size

    def curve() -> Any:
        sizes = range(1, STEPS + 1)
        return vector([float(size) for size in sizes]), vector([3 + stored(size) / 16 for size in sizes])

    def here(every: Any) -> Any:
        size, cells = needs(every)
        return eg.vec(1, lambda _: size), eg.vec(1, lambda _: 3 + cells / 16)

    figure = eg.figure(
        None, kind="scatter", round=(0, STEPS + 1), level=(0, 8), every=eg.slider(1, 64, 16),
        paths={"checkpoints": (kept, "dots"), "again": (again, "dots"), "memory": curve, "now": (here, "dots")},
        says=("A checkpoint every {} rounds: {} values are kept at once", needs),
    )  # fmt: skip
    best = min(range(1, STEPS + 1), key=stored)
    return shown(
        figure,
        "To go back through {steps} rounds, a program can keep all {all} values. With a checkpoint every {best} rounds, it "
        "keeps at most {least} values at once, and computes each round one more time.",
        steps=STEPS, all=STEPS, best=best, least=stored(best),
    )  # fmt: skip


def not_a_number() -> Shown:
    """A figure of two programs for |x|. At 0, the gradient of the first program is NaN."""

    def careless(x: Any) -> Any:
        return em.sqrt(x * x)

    def careful(x: Any) -> Any:
        safe = eg.select(x == 0.0, 1.0, x)
        return eg.select(x == 0.0, 0.0, em.sqrt(safe * safe))

    def slopes(x: Any) -> Any:
        return eg.grad(careless)(x), eg.grad(careful)(x)

    figure = eg.figure(
        [careless, careful], x=(-1, 1), y=(-0.2, 1.2), at=eg.point((0, 0)), show=(),
        says=("Slopes: careless {}, careful {}", slopes),
    )  # fmt: skip
    careless_slope, careful_slope = slopes(0.0)
    return shown(
        figure,
        "At 0 both programs give 0. The slope of the first one is {careless}, since it multiplies ∞ by 0. The slope of "
        "the second is {careful}.",
        careless=careless_slope, careful=careful_slope,
    )  # fmt: skip


FIGURES = {"loops": loops, "branches": branches, "memory": memory, "not_a_number": not_a_number}
NUMBERS = {"best": stored(8), "jump": 2.5}
