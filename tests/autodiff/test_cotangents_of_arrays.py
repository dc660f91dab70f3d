"""If a program reads an array at constant indices, reverse mode may use one accumulator for the array."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine.printer import pretty
from tests.engines import run

LENGTH = 40


def squares(count: int) -> eg.Fn:
    """Make the function Σ k·v[k]² over the first `count` elements of a vector with LENGTH elements."""

    def f(v: Any) -> Any:
        total: Any = 0.0
        for k in range(count):
            total = total + float(k) * v[k] * v[k]
        return total

    return eg.fn([eg.Vec(LENGTH, eg.Real)], eg.Real)(f)


@pytest.mark.parametrize(("count", "gathers"), [(LENGTH, False), (LENGTH // 2, False), (2, True)])
def test_a_long_array_has_an_accumulator_only_if_few_elements_are_read(count: int, gathers: bool) -> None:
    gradient = eg.grad(squares(count))
    assert (" acc" in pretty(gradient.function)) == gathers
    at = [1.0 + k for k in range(LENGTH)]
    expected = [2.0 * k * (1.0 + k) if k < count else 0.0 for k in range(LENGTH)]
    assert list(run(gradient, at)) == expected


def test_reads_in_a_loop_and_at_constants_add_to_one_gradient() -> None:
    def f(v: Any) -> Any:
        total = eg.sum(LENGTH, lambda i: v[i] * v[i])
        for k in range(LENGTH):
            total = total + float(k) * v[k]
        return total

    gradient = eg.grad(eg.fn([eg.Vec(LENGTH, eg.Real)], eg.Real)(f))
    assert list(run(gradient, [1.0 + k for k in range(LENGTH)])) == [2.0 + 3.0 * k for k in range(LENGTH)]
