"""Random sums of branches, and their derivatives, have equal results on all engines."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

import eglantine as eg
from eglantine.optimise.pipeline import optimise
from tests.engines import run

PROGRAMS = 40
TERMS = 4
DEEPEST = 3
VECTORS = ([0.5, -1.5, 2.0, 0.25], [-0.0, 0.0, 1e16, -1e16], [1.0, math.inf, -3.0, 1e-300])


def drawn(seed: int) -> eg.Fn:
    """Make a random function that adds the results of nested branches."""
    random = Random(seed)  # noqa: S311  the same programs each time

    def number(x: Any, a: Any) -> Any:
        kind = random.randrange(9)
        return [x * a, x + a, a - x, x * x, 0.5 * a, -x, 1.0, -0.0, 0.0][kind]

    def numbers(x: Any, a: Any, depth: int) -> Any:
        kind = random.choice(("numbers", "zeros", "branch", "branch", "sum")) if depth else "numbers"
        if kind == "zeros":
            return 0.0, 0.0
        if kind == "branch":
            p = random.choice((x, x * a, a - x)) < random.choice((-1.0, 0.0, 1.0, 2.0))
            arms = [lambda: numbers(x, a, depth - 1), lambda: numbers(x, a, depth - 1)]
            if random.random() < 0.6:
                arms[random.randrange(2)] = lambda: (0.0, 0.0)
            return eg.cond(p, *arms)
        if kind == "sum":
            return eg.sum(2, lambda k: numbers(x + eg.real(k), a, depth - 1))
        return number(x, a), number(x, a)

    def near(x: Any, a: Any) -> Any:
        return eg.cond(abs(x) < 2.5, lambda: numbers(x, a, DEEPEST), lambda: (0.0, 0.0))

    def f(v: Any, a: Any) -> Any:
        first, second = eg.sum(TERMS, lambda i: near(v[i], a))
        other = eg.sum(TERMS, lambda i: near(v[i] * a, first)[0])
        return first * second + other

    return eg.fn([eg.Vec(TERMS, eg.Real), eg.Real], eg.Real)(f)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_sum_of_branches_and_its_derivatives_equal_the_interpreters(seed: int) -> None:
    f = drawn(seed)
    gradient = eg.grad(f, (0, 1))
    along = eg.fn([eg.Vec(TERMS, eg.Real), eg.Real])(lambda v, a: eg.jvp(gradient, (v, a), (v, 1.0))[1])
    for g in (f, gradient, along):
        for v in VECTORS:
            run(g, v, 0.75)


def test_in_most_generated_programs_sums_are_moved_into_arms() -> None:
    passes: list[list[Any]] = [[] for _ in range(PROGRAMS)]
    for seed in range(PROGRAMS):
        optimise(eg.grad(drawn(seed)).function, passes[seed])
    assert sum("sums in arms" in dict(stages) for stages in passes) > PROGRAMS / 2
