"""`eg.random` draws what JAX draws, and draws well."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.numpy.inverse_error import inverse_error

EXPECTED = json.loads((Path(__file__).parents[1] / "data" / "jax_random.json").read_text(encoding="utf-8"))
SEEDS = [int(seed) for seed in EXPECTED]
ROWS = [10.0, 20.0, 30.0, 40.0]
CHANCES = [0.1, 0.2, 0.3, 0.4]
FAR = 2**31 - 10
DRAWS = {
    "split": lambda key: eg.random.split(key, 3),
    "uniform": lambda key: eg.random.uniform(key, (2, 3)),
    "uniform_one": eg.random.uniform,
    "integers": lambda key: eg.random.integers(key, 0, 10, (6,)),
    "integers_far": lambda key: eg.random.integers(key, -5, FAR, (6,)),
    "permutation": lambda key: eg.random.permutation(key, 9),
    "permutation_many": lambda key: eg.random.permutation(key, 2000)[:20],
    "permuted": lambda key: eg.random.permutation(key, ROWS),
    "choice": lambda key: eg.random.choice(key, ROWS, (2, 2), replace=False),
    "choice_weighted": lambda key: eg.random.choice(key, ROWS, (6,), p=CHANCES),
    "choice_weighted_once": lambda key: eg.random.choice(key, ROWS, (3,), replace=False, p=CHANCES),
}  # fmt: skip


def plain(value: Any) -> Any:
    """A result as lists and numbers."""
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_has_the_bits_of_jax(name: str, seed: int) -> None:
    assert plain(DRAWS[name](eg.random.key(seed))) == EXPECTED[str(seed)][name]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_key_is_the_two_words_of_its_seed(seed: int) -> None:
    assert eg.random.key(seed).tolist() == EXPECTED[str(seed)]["key"]


@pytest.mark.parametrize("seed", SEEDS)
def test_normal_numbers_are_those_of_jax_but_for_rounding(seed: int) -> None:
    drawn = eg.random.normal(eg.random.key(seed), (40,)).tolist()
    assert drawn == pytest.approx(EXPECTED[str(seed)]["normal"], rel=4e-15, abs=1e-16)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_between_bounds_are_those_of_jax_but_for_rounding(seed: int) -> None:
    """JAX compiles the product and the sum into one operation that rounds once."""
    drawn = eg.random.uniform(eg.random.key(seed), (5,), low=-3.0, high=0.5).tolist()
    assert drawn == pytest.approx(EXPECTED[str(seed)]["uniform_between"], rel=4e-16, abs=5e-16)


def test_a_kernel_draws_the_same_with_a_key_that_it_is_given() -> None:
    @eg.fn([eg.Vec(2, eg.Real)])
    def f(key: Any) -> Any:
        first, second = eg.random.split(key)
        return eg.random.uniform(first, (3,)), eg.random.normal(second), eg.random.integers(key, 0, 10, (6,))

    key = eg.random.key(42)
    compiled = eg.compile(f)(key)
    assert compiled == eg.interp(f)(key)
    first, second = eg.random.split(key)
    assert compiled[0] == eg.random.uniform(first, (3,)).tolist()
    assert compiled[1] == eg.random.normal(second)
    assert compiled[2] == EXPECTED["42"]["integers"]


def test_a_loop_splits_its_key_in_each_round() -> None:
    @eg.fn([eg.Vec(2, eg.Real)])
    def walk(key: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            key, place = state
            key, part = eg.random.split(key)
            return key, place + eg.random.normal(part)

        return eg.fori_loop(0, 50, step, (key, 0.0))[1]

    place, key = 0.0, eg.random.key(7)
    for _ in range(50):
        key, part = eg.random.split(key)
        place += eg.random.normal(part)
    assert eg.compile(walk)(eg.random.key(7)) == place


def test_a_sample_has_no_derivative_by_its_key_but_one_by_its_bounds() -> None:
    @eg.fn([eg.Vec(2, eg.Real), eg.Real])
    def f(key: Any, high: Any) -> Any:
        return eg.random.uniform(key, (), 0.0, high)

    by_key, by_high = eg.grad(f, (0, 1))(eg.random.key(3), 4.0)
    assert by_key == [0.0, 0.0]
    assert by_high == eg.random.uniform(eg.random.key(3))


def test_the_moments_of_ten_thousand_normal_numbers_are_right() -> None:
    drawn = eg.random.normal(eg.random.key(5), (10_000,))
    assert abs(float(enp.mean(drawn))) < 0.04
    assert abs(float(enp.var(drawn)) - 1.0) < 0.06


@pytest.mark.parametrize("y", [-0.999999, -0.5, 1e-300, 1e-8, 0.3, 0.97, 0.9999999, 1.0 - 2.0**-53])
def test_the_inverse_of_the_error_function_inverts_it(y: float) -> None:
    x = inverse_error()(y)
    slope = 2.0 / math.sqrt(math.pi) * math.exp(-x * x)
    assert math.erf(x) == pytest.approx(y, rel=1e-15, abs=slope * abs(x) * 1e-14)


def test_the_gradient_of_the_inverse_is_one_over_the_slope() -> None:
    x = inverse_error()(0.6)
    slope = eg.grad(inverse_error())(0.6)
    assert slope == pytest.approx(math.sqrt(math.pi) / 2.0 * math.exp(x * x), rel=1e-12)


def test_what_is_no_key_or_no_range_is_refused_in_a_sentence() -> None:
    with pytest.raises(eg.ShapeError, match="A key is an array of 2 words"):
        eg.random.uniform([1.0, 2.0, 3.0], (2,))
    with pytest.raises(eg.TypeMismatchError, match="two whole numbers with low < high"):
        eg.random.integers(eg.random.key(0), 3, 3)
    with pytest.raises(eg.TypeMismatchError, match="The seed must be a whole number"):
        eg.random.key(-1)
    with pytest.raises(eg.ShapeError, match="cannot draw 5 of 4 rows"):
        eg.random.choice(eg.random.key(0), ROWS, (5,), replace=False)
