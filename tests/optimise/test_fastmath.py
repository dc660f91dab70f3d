"""Inexact optimisations run only if the user requests them. Their errors are within the documented bounds."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest

import eglantine as eg

R = eg.Real
ULP = 2.0**-52


def code(f: Any, **options: Any) -> str:
    return eg.compile_artifact(f, **options).wat


@eg.fn
def ratio(x: R, y: R) -> R:
    return x / 3.0 / y / (y + 2.0)


def test_fastmath_is_off_by_default() -> None:
    assert code(ratio) == code(ratio, fastmath=False)
    assert code(ratio).count("f64.div") == 3
    assert eg.compile(ratio)(1.0, 7.0) == 1.0 / 3.0 / 7.0 / 9.0


def test_fastmath_turns_divisions_into_products_and_merges_quotients() -> None:
    assert code(ratio, fastmath=True).count("f64.div") == 1
    fast = eg.compile(ratio, fastmath=True)
    draw = random.Random(3)  # noqa: S311 - a test's own
    worst = 0.0
    for _ in range(2000):
        x, y = draw.uniform(-9.0, 9.0), draw.uniform(0.1, 9.0)
        exact = Fraction(x) / 3 / Fraction(y) / Fraction(y + 2.0)
        worst = max(worst, abs(float(Fraction(fast(x, y)) / exact - 1)))
    assert 0.0 < worst <= 4 * ULP / 2


@pytest.mark.parametrize("c", [0.0, math.inf, 1e-310, -1e309, math.nan, 1e308])
def test_division_by_a_constant_without_a_good_reciprocal_is_kept(c: float) -> None:
    f = eg.fn([R])(lambda x: x / c)
    for x in (0.0, 1.0, -3.5, math.inf):
        exact, fast = eg.compile(f)(x), eg.compile(f, fastmath=True)(x)
        assert repr(exact) == repr(fast)


@pytest.mark.parametrize("n", [4, 5, 7, 64, 1000])
def test_with_fastmath_a_long_sum_is_added_in_pairs(n: int) -> None:
    f = eg.fn([eg.Vec(n, R)])(lambda v: sum(list(v)[1:], v[0]))
    fast = eg.compile(f, fastmath=True)
    assert fast.wat.count("f64.add") == n - 1
    draw = random.Random(n)  # noqa: S311 - a test's own
    for _ in range(20):
        xs = [draw.uniform(-1.0, 1.0) for _ in range(n)]
        exact, scale = float(sum(map(Fraction, xs))), math.fsum(map(abs, xs))
        assert abs(fast(xs) - exact) <= math.ceil(math.log2(n)) * ULP / 2 * scale
    ones = [1.0] + [ULP / 2] * (n - 1)
    assert eg.compile(f)(ones) == 1.0  # each small term is lost when it is added to 1.0
    assert (fast(ones) > 1.0) == (n > 4)


def test_a_partial_sum_that_is_also_used_elsewhere_is_still_computed() -> None:
    def program(v: Any) -> Any:
        a = v[0] + v[1] + v[2] + v[3] + v[4] + v[5]
        return a * v[6], a + v[6] + v[7] + v[0] * v[1] + v[2] + v[3]

    f = eg.fn([eg.Vec(8, R)])(program)
    xs = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]  # sums of these are exact in any order
    assert (
        eg.compile(f, fastmath=True)(xs)
        == eg.compile(f)(xs)
        == (63.0 * 64.0, 63.0 + 64.0 + 128.0 + 2.0 + 12.0)
    )


def test_fastmath_changes_loops_branches_and_calls_but_not_floor_division() -> None:
    third = eg.fn([R], R)(lambda x: x / 3.0)

    def program(x: Any) -> Any:
        y = eg.fori_loop(0, 4, lambda i, c: third(c) + eg.cond(c > 1.0, lambda: c / 7.0, lambda: third(x)), x)
        return y, x // 49.0, x % 49.0

    f = eg.fn([R])(program)
    fast = eg.compile(f, fastmath=True)
    (y, quotient, rest), (expected, *exact) = fast(49.0), eg.compile(f)(49.0)
    assert fast.wat.count("f64.div") < eg.compile(f).wat.count("f64.div")
    assert y == pytest.approx(expected, rel=20 * ULP)
    assert (quotient, rest) == tuple(exact) == (1.0, 0.0)
