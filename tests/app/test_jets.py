"""`jet` computes value, gradient and Hessian in one call, equal to those of forward over reverse mode."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import eglantine as eg
from app.formulas.jets import jet_of
from app.service import jet
from eglantine.optimise.pipeline import optimise
from eglantine.types import as_type
from tests.engines import bits, run
from tests.showing import shown, text

ONE = as_type({"f": eg.Real, "g": eg.Real, "h": eg.Real})
POINTS = [(1.3, 0.7), (-0.4, 2.5), (0.0, -0.0), (0.25, 0.25), (float("inf"), -3.0)]
UNARY = [
    "sqrt", "exp", "log", "log1p", "sin", "cos", "tan", "asin", "atan", "tanh", "asinh", "cbrt", "erf",
    "lgamma", "floor", "sign",
]  # fmt: skip
BINARY = ["pow", "atan2", "hypot", "minimum", "maximum", "copysign"]


def forward_over_reverse(f: eg.Fn) -> Callable[[float, float], Any]:
    """Compute value, gradient and Hessian with `eg.value_and_grad` and `eg.hessian`."""
    first, second = eg.value_and_grad(f, (0, 1)), eg.hessian(f, (0, 1))

    def of(x: float, y: float) -> Any:
        value, gradient = first(x, y)
        (xx, xy), (_, yy) = second(x, y)
        return {"f": value, "g": gradient, "h": (xx, xy, yy)}

    return of


def drawn(rng: random.Random) -> eg.Fn:
    """Draw a straight-line program of up to 12 operations on two Reals and on earlier results."""

    def program(x: Any, y: Any) -> Any:
        values = [x, y, x * y, y - x]
        for _ in range(rng.randint(1, 12)):
            values.append(_operation(rng, values))
        return values[-1]

    return eg.fn([eg.Real, eg.Real], eg.Real)(program)  # type: ignore[no-any-return]


def _operation(rng: random.Random, values: Sequence[Any]) -> Any:
    a, b, c, d = (rng.choice(values) for _ in range(4))
    match rng.randrange(10):
        case 0:
            return a + b
        case 1:
            return a - rng.choice([b, 0.5])
        case 2 | 3:
            return a * rng.choice([b, -3.0])
        case 4:
            return rng.choice([a, 1.0]) / b
        case 5:
            return a ** rng.choice([2, 3, -1, 0])
        case 6:
            return -a if rng.random() < 0.5 else abs(a)
        case 7:
            return getattr(eg.math, rng.choice(UNARY))(a)
        case 8:
            return getattr(eg.math, rng.choice(BINARY))(a, b)
    return eg.select(a < b, c, d)


@pytest.mark.parametrize("seed", range(12))
def test_a_jet_has_the_bits_of_forward_over_reverse_mode(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    for _ in range(20):
        f = drawn(rng)
        general, direct = forward_over_reverse(f), jet(f)
        for point in POINTS:
            assert bits(direct(*point)) == bits(general(*point))
        run(direct, *POINTS[0])


def test_a_jet_by_one_of_three_arguments_treats_the_others_as_constants() -> None:
    f = eg.fn([eg.Real, eg.Real, eg.Real], eg.Real)(lambda x, y, z: x * y**3 + eg.math.sin(y * z))
    found = run(jet_of(f, (1,), ONE), 2.0, 0.5, 1.5)
    assert bits(found["g"]) == bits(eg.grad(f, 1)(2.0, 0.5, 1.5))
    assert bits(found["h"]) == bits(eg.hessian(f, 1)(2.0, 0.5, 1.5))


def test_a_jet_computes_the_mixed_derivative_once_and_no_unneeded_row() -> None:
    f = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x * x * y)
    assert shown(optimise(jet(f).function)) == text("""
        "jet of <lambda>"(%1: f64, %2: f64) -> f64, f64, f64, f64, f64, f64:
          %3: f64 = mul %1 %1
          %4: f64 = mul %2 %3
          %5: f64 = mul %1 %2
          %6: f64 = add %5 %5
          %7: f64 = add %2 %2
          %8: f64 = add %1 %1
          return %4 %6 %3 %7 %8 0.0
        """)
