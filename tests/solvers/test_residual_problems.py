"""`least_squares` finds the known minima of the problems by Moré, Garbow and Hillstrom."""

from __future__ import annotations

import pytest

import eglantine as eg
from tests.engines import HAS_WASM

from . import residual_problems, residual_problems_further

PROBLEMS = {**residual_problems.PROBLEMS, **residual_problems_further.PROBLEMS}
pytestmark = pytest.mark.skipif(not HAS_WASM, reason="needs wasmtime, because the interpreter is slow")
DIGITS = 5e-6
"""The allowed relative error of a minimum. The paper gives six digits of each minimum."""
ZERO = 1e-25


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_sum_of_squares_equals_the_published_value(name: str) -> None:
    problem = PROBLEMS[name]
    r = eg.least_squares(problem.f, problem.start)
    least = 2 * r.cost
    assert r.success
    assert any(abs(least - minimum) <= DIGITS * minimum + ZERO for minimum in problem.minima), least
