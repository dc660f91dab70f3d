"""The search directions of our L-BFGS equal the directions of the textbook algorithm."""

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg


def bowl(x: Any) -> Any:
    """A nearly quadratic function of 6 numbers."""
    return sum(((k + 1) * x[k] - 0.3) ** 2 + 0.01 * x[k] ** 4 for k in range(6))


@pytest.mark.parametrize("memory", [1, 2, 3, 5])
def test_l_bfgs_goes_along_the_direction_of_the_two_loop_recursion(memory: int) -> None:
    """The test computes the expected directions by algorithm 7.4 of Nocedal and Wright."""
    begin, step = eg.stepper(bowl, [eg.Vec(6, eg.Real)], method="l-bfgs", memory=memory, tol=0.0)
    states = [begin.interpreted([1.0 - 0.1 * k for k in range(6)])]
    for _ in range(8):
        states.append(step.interpreted(states[-1], 1.0))
    xs, gs = [list(state.x) for state in states], [list(state.jac) for state in states]
    pairs = [
        (differences(xs[k], xs[k + 1]), differences(gs[k], gs[k + 1])) for k in range(len(states) - 1)
    ]  # fmt: skip
    for k in range(1, len(pairs)):
        expected = two_loops(gs[k], pairs[max(0, k - memory) : k])
        taken = pairs[k][0]
        length = inner(taken, expected) / inner(expected, expected)
        assert length > 0.0
        assert taken == pytest.approx([length * d for d in expected], rel=1e-6, abs=1e-12), k


def differences(a: list[float], b: list[float]) -> list[float]:
    return [y - x for x, y in zip(a, b, strict=True)]


def inner(u: list[float], v: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(u, v, strict=True))


def two_loops(gradient: list[float], pairs: list[tuple[list[float], list[float]]]) -> list[float]:
    """Compute the direction −H · gradient, where H is L-BFGS's approximate inverse Hessian.

    pairs: a pair (step, change of the gradient) for each of the last steps. The oldest pair comes first.
    """
    q, alphas = [-g for g in gradient], []
    for s, y in reversed(pairs):
        alphas.append(inner(s, q) / inner(s, y))
        q = [a - alphas[-1] * b for a, b in zip(q, y, strict=True)]
    s, y = pairs[-1]
    q = [a * inner(s, y) / inner(y, y) for a in q]
    for (s, y), alpha in zip(pairs, reversed(alphas), strict=True):
        beta = inner(y, q) / inner(s, y)
        q = [a + (alpha - beta) * b for a, b in zip(q, s, strict=True)]
    return q
