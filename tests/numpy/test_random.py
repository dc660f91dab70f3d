"""`eg.random` gives the same bits as `jax.random`, on every engine, for plain and for traced keys."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import mpmath
import pytest

import eglantine as eg
import eglantine.numpy as enp
from tests.engines import bits, run

DATA = json.loads((Path(__file__).parents[1] / "data" / "random.json").read_text())
KEY = eg.Vec(2, eg.Real)


def flat(value: Any) -> list[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def both(f: Any, seed: int) -> list[Any]:
    """Call f(key) in plain Python. Check that all engines give the same numbers, and return the numbers."""
    plain = flat(f(eg.random.key(seed)))
    traced = flat(run(eg.fn([KEY])(f), eg.random.key(seed).tolist()))
    assert bits(plain) == bits(traced)
    return plain


def exactly(numbers: list[str]) -> list[float]:
    return [float.fromhex(x) for x in numbers]


def test_keys_equal_jaxs() -> None:
    for seed, words in DATA["keys"]:
        assert eg.random.key(seed).tolist() == words
    f = eg.fn([eg.Real])(eg.random.key)
    assert f(42.0) == [0.0, 42.0]
    assert f(2.0**32 + 5) == [1.0, 5.0]


def test_split_keys_equal_jaxs() -> None:
    for seed, n, keys in DATA["split"]:
        assert both(lambda k, n=n: eg.random.split(k, n), seed) == flat(keys)
    for seed, data, words in DATA["fold_in"]:
        assert both(lambda k, d=data: eg.random.fold_in(k, d), seed) == words


def test_uniform_numbers_equal_jaxs() -> None:
    for seed, shape, low, high, numbers in DATA["uniform"]:
        seen = both(lambda k, s=tuple(shape), a=low, b=high: eg.random.uniform(k, s, a, b), seed)
        if (low, high) == (0.0, 1.0):
            assert seen == exactly(numbers)
        # JAX's compiler may fuse a product and a sum into one operation, which is rounded once, not twice.
        else:
            assert seen == pytest.approx(exactly(numbers), rel=math.ulp(1.0), abs=0)


def test_normal_numbers_equal_jaxs_except_in_the_last_place() -> None:
    for seed, shape, numbers in DATA["normal"]:
        seen = both(lambda k, s=tuple(shape): eg.random.normal(k, s), seed)
        assert seen == pytest.approx(exactly(numbers), rel=1e-15 * 3, abs=0)


def test_random_integers_equal_jaxs() -> None:
    for seed, shape, low, high, numbers in DATA["integers"]:
        assert both(lambda k, s=tuple(shape), a=low, b=high: eg.random.integers(k, s, a, b), seed) == numbers


def test_permutations_equal_jaxs() -> None:
    for seed, n, order in DATA["permutation"]:
        assert both(lambda k, n=n: eg.random.permutation(k, n), seed) == order
    seed, axis, rows = DATA["permuted_columns"]
    m = enp.reshape(enp.arange(12), (3, 4))
    assert eg.random.permutation(eg.random.key(seed), m, axis).tolist() == rows


def test_choices_equal_jaxs() -> None:
    for seed, n, shape, replace, p, drawn in DATA["choice"]:
        assert (
            both(lambda k, n=n, s=tuple(shape), r=replace, p=p: eg.random.choice(k, n, s, r, p), seed)
            == drawn
        )
        items = [10.0 * x for x in range(n)]
        seen = eg.random.choice(eg.random.key(seed), items, tuple(shape), replace, p)
        assert flat(seen) == [10.0 * x for x in drawn]


def test_a_loop_may_carry_a_key() -> None:
    def walk(k: Any) -> Any:
        def step(_: Any, carry: Any) -> Any:
            k, total = carry
            keys = eg.random.split(k)
            return keys[0], total + eg.random.uniform(keys[1], (), -1.0, 1.0)

        return eg.fori_loop(0, 10, step, (k, 0.0))[1]

    k, total = eg.random.key(3), 0.0
    for _ in range(10):
        k, part = eg.random.split(k)
        total += eg.random.uniform(part, (), -1.0, 1.0)
    assert run(eg.fn([KEY])(walk), eg.random.key(3).tolist()) == total


def test_vmap_over_keys_draws_numbers_for_each_key() -> None:
    keys = eg.random.split(eg.random.key(1), 3)
    rows = eg.vmap(lambda k: eg.random.normal(k, (2,)))(keys)
    assert rows.tolist() == [eg.random.normal(k, (2,)).tolist() for k in keys]


def test_the_derivative_by_a_bound_is_the_uniform_number_in_0_to_1() -> None:
    f = eg.fn([KEY, eg.Real])(lambda k, high: eg.random.uniform(k, (), 0.0, high))
    k = eg.random.key(0).tolist()
    assert eg.grad(f, 1)(k, 5.0) == f(k, 1.0)
    assert eg.grad(f, 0)(k, 5.0) == [0.0, 0.0]


def test_the_inverse_error_function_is_accurate() -> None:
    from eglantine.numpy.inverse_erf import inverse_erf

    worst = 0.0
    for k in range(1, 400):
        for x in (k / 400, 1 - 2.0 ** (-k / 8), -(10.0 ** (-k / 20))):
            if abs(x) < 1:
                right = mpmath.erfinv(mpmath.mpf(x))
                worst = max(worst, abs((mpmath.mpf(inverse_erf()(x)) - right) / right))
    assert worst < 1e-14
    eg.check_grads(inverse_erf(), (0.3,))


def test_sample_moments_agree_with_the_distributions() -> None:
    n = 4000
    u, z = eg.random.uniform(eg.random.key(5), (n,)), eg.random.normal(eg.random.key(6), (n,))
    assert enp.mean(u) == pytest.approx(0.5, abs=4 / math.sqrt(12 * n))
    assert enp.mean(z) == pytest.approx(0.0, abs=4 / math.sqrt(n))
    assert enp.var(z) == pytest.approx(1.0, abs=4 * math.sqrt(2 / n))


@pytest.mark.parametrize(
    "f",
    [
        lambda: eg.random.uniform([1.0, 2.0, 3.0]),
        lambda: eg.random.integers(eg.random.key(0), (2,), 5, 5),
        lambda: eg.random.integers(eg.random.key(0), (2,), -1, 5),
        lambda: eg.random.choice(eg.random.key(0), 3, (4,), False),
        lambda: eg.random.choice(eg.random.key(0), 3, (4,), True, [0.5, 0.5]),
        lambda: eg.random.key(0.5),
    ],
)
def test_wrong_arguments_are_errors(f: Any) -> None:
    with pytest.raises(eg.EglantineError):
        f()
