"""Tests of Python's operators on traced numbers, Bools and indices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg

Engines = Callable[..., Any]

inf, nan = math.inf, math.nan


def unary(f: Callable[[Any], Any]) -> Any:
    return eg.fn([eg.Real])(f)


def binary(f: Callable[[Any, Any], Any]) -> Any:
    return eg.fn([eg.Real, eg.Real])(f)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x, y: x + y, 9.5),
        (lambda x, y: x - y, 5.5),
        (lambda x, y: x * y, 15.0),
        (lambda x, y: x / y, 3.75),
        (lambda x, y: x**y, 56.25),
        (lambda x, y: x // y, 3.0),
        (lambda x, y: x % y, 1.5),
        (lambda x, y: -x, -7.5),
        (lambda x, y: +x, 7.5),
        (lambda x, y: abs(-x), 7.5),
        (lambda x, y: x < y, False),
        (lambda x, y: x <= y, False),
        (lambda x, y: x > y, True),
        (lambda x, y: x >= y, True),
        (lambda x, y: x == y, False),
        (lambda x, y: x != y, True),
    ],
)
def test_operators_on_two_reals_agree_with_python(engines: Engines, f: Any, expected: Any) -> None:
    result = engines(binary(f), 7.5, 2.0)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: 3 + x, 5.0),
        (lambda x: 3 - x, 1.0),
        (lambda x: 3 * x, 6.0),
        (lambda x: 3 / x, 1.5),
        (lambda x: 3**x, 9.0),
        (lambda x: 7 // x, 3.0),
        (lambda x: 7.5 % x, 1.5),
        (lambda x: x > 3, False),
        (lambda x: x >= 2, True),
        (lambda x: x < 3, True),
        (lambda x: x <= 2, True),
        (lambda x: 2 == x, True),  # noqa: SIM300
        (lambda x: 2 != x, False),  # noqa: SIM300
        (lambda x: x + 3, 5.0),
        (lambda x: x - 0.5, 1.5),
        (lambda x: x / 4, 0.5),
        (lambda x: x // 1.5, 1.0),
        (lambda x: x % 1.5, 0.5),
        (lambda x: x == 2, True),
    ],
)
def test_operators_take_a_plain_number_on_either_side(engines: Engines, f: Any, expected: Any) -> None:
    assert engines(unary(f), 2.0) == expected


@pytest.mark.parametrize(
    ("a", "b", "quotient", "remainder"),
    [
        (7.0, 2.0, 3.0, 1.0),
        (-7.0, 2.0, -4.0, 1.0),
        (7.0, -2.0, -4.0, -1.0),
        (-7.0, -2.0, 3.0, -1.0),
        (6.0, 3.0, 2.0, 0.0),
        (0.0, 3.0, 0.0, 0.0),
        (1.0, 0.0, inf, nan),
        (1.0, inf, 0.0, 1.0),
    ],
)
def test_floor_division_and_remainder_round_down(
    engines: Engines, a: float, b: float, quotient: float, remainder: float
) -> None:
    result = engines(binary(lambda x, y: (x // y, x % y)), a, b)
    assert result == pytest.approx((quotient, remainder), nan_ok=True)


def test_division_by_zero_follows_ieee_arithmetic(engines: Engines) -> None:
    f = binary(lambda x, y: x / y)
    assert engines(f, 1.0, 0.0) == inf
    assert engines(f, 1.0, -0.0) == -inf
    assert math.isnan(engines(f, 0.0, 0.0))


def test_operators_on_negative_zero_return_the_right_zero(engines: Engines) -> None:
    f = unary(lambda x: (x + 0.0, x - 0.0, x * 1, -x, 0 * x, x * -1))
    expected = (0.0, -0.0, -0.0, 0.0, -0.0, 0.0)
    assert [math.copysign(1, x) for x in engines(f, -0.0)] == [math.copysign(1, x) for x in expected]


def test_comparisons_with_nan_are_false_except_unequal(engines: Engines) -> None:
    f = binary(lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y))
    assert engines(f, nan, 1.0) == (False, False, False, False, False, True)
    assert engines(f, nan, nan) == (False, False, False, False, False, True)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 10, -1, -2, -3])
def test_an_integer_power_is_repeated_multiplication(engines: Engines, n: int) -> None:
    f = unary(lambda x: x**n)
    assert engines(f, 3.0) == pytest.approx(3.0**n, rel=1e-15)
    assert engines(f, -3.0) == pytest.approx((-3.0) ** n, rel=1e-15)
    slope = n * 3.0 ** (n - 1) if n else 0.0
    assert engines(eg.grad(f), 3.0) == pytest.approx(slope, rel=1e-15)


def test_integer_powers_have_the_right_derivatives_at_zero(engines: Engines) -> None:
    powers = [unary(lambda x, n=n: x**n) for n in range(4)]
    assert [engines(f, 0.0) for f in powers] == [1.0, 0.0, 0.0, 0.0]
    assert [engines(eg.grad(f), 0.0) for f in powers] == [0.0, 1.0, 0.0, 0.0]
    assert [engines(eg.grad(eg.grad(f)), 0.0) for f in powers] == [0.0, 0.0, 2.0, 0.0]


def test_powers_with_other_exponents_equal_pow(engines: Engines) -> None:
    assert engines(unary(lambda x: x**0.5), 2.0) == pytest.approx(math.sqrt(2), rel=1e-15)
    assert engines(unary(lambda x: 2**x), 0.5) == pytest.approx(math.sqrt(2), rel=1e-15)
    f = binary(lambda x, y: x**y)
    assert engines(f, -8.0, 3.0) == -512.0
    assert math.isnan(engines(f, -8.0, 1 / 3))
    assert engines(f, 0.0, 0.0) == 1.0
    assert engines(f, 0.0, -1.0) == inf
    assert engines(eg.grad(f, (0, 1)), 2.0, 3.0) == pytest.approx((12.0, 8 * math.log(2)), rel=1e-15)


# ---------------------------------------------------------------- truth values


def test_logic_of_traced_bools_agrees_with_python(engines: Engines) -> None:
    f = eg.fn([eg.Bool, eg.Bool])(lambda p, q: (p & q, p | q, p ^ q, ~p, p == q, p != q))
    for p in (False, True):
        for q in (False, True):
            assert engines(f, p, q) == (p and q, p or q, p != q, not p, p == q, p != q)


def test_logic_operators_take_a_plain_bool_on_either_side(engines: Engines) -> None:
    f = eg.fn([eg.Bool])(lambda p: (p & True, False | p, p ^ True, True & p, p == True, False != p))  # noqa: E712, SIM300
    for p in (False, True):
        assert engines(f, p) == (p, p, not p, p, p, p)


def test_comparisons_can_be_combined_by_logic_operators(engines: Engines) -> None:
    f = unary(lambda x: (x > 0) & (x < 1) | (x == 5))
    assert [engines(f, x) for x in (-1.0, 0.5, 2.0, 5.0)] == [False, True, False, True]


def test_real_converts_a_bool_or_an_index(engines: Engines) -> None:
    f = eg.fn([eg.Bool, eg.Fin(9)])(lambda p, i: eg.real(p) + 2 * eg.real(i))
    assert engines(f, True, 3) == 7.0
    assert eg.real(True) == 1.0
    assert eg.real(3) == 3.0


# ---------------------------------------------------------------- indices


def test_index_arithmetic_agrees_with_python(engines: Engines) -> None:
    f = eg.fn([eg.Fin(10), eg.Fin(10)])(
        lambda i, j: (i + j, i * j, i // 3, i % 3, 20 - i, 2 * i + 1, (i - j) % 5)
    )
    for i in range(10):
        for j in range(0, 10, 3):
            assert engines(f, i, j) == (i + j, i * j, i // 3, i % 3, 20 - i, 2 * i + 1, (i - j) % 5)


def test_index_division_and_remainder_round_down(engines: Engines) -> None:
    f = eg.fn([eg.Fin(10), eg.Fin(10)])(
        lambda i, j: (
            eg.real((i - j) // 3), eg.real((i - j) % 3), eg.real((i - j) // -3), eg.real((i - j) % -3),
            eg.real(7 // (j + 1)), eg.real(7 % (j + 1)), eg.real((i - j) // (j + 1)),
        )
    )  # fmt: skip
    for i in range(0, 10, 2):
        for j in range(10):
            d = i - j
            assert engines(f, i, j) == (
                d // 3,
                d % 3,
                d // -3,
                d % -3,
                7 // (j + 1),
                7 % (j + 1),
                d // (j + 1),
            )


def test_comparisons_of_indices_agree_with_python(engines: Engines) -> None:
    f = eg.fn([eg.Fin(4), eg.Fin(4)])(
        lambda i, j: (i < j, i <= j, i > j, i >= j, i == j, i != j, i == 2, j > 2)
    )
    for i in range(4):
        for j in range(4):
            assert engines(f, i, j) == (i < j, i <= j, i > j, i >= j, i == j, i != j, i == 2, j > 2)


def test_the_bounds_of_an_index_follow_from_its_operands() -> None:
    seen = {}

    @eg.fn
    def f(i: eg.Fin(10), j: eg.Fin(3)) -> eg.Real:  # type: ignore[valid-type]
        seen.update(
            add=(i + j).bounds, sub=(i - j).bounds, mul=(i * j).bounds, div=(i // 4).bounds,
            mod=(i % 4).bounds, neg=(-i).bounds, small=(j % 4).bounds,
        )  # fmt: skip
        return 0

    assert seen == {
        "add": (0, 11), "sub": (-2, 9), "mul": (0, 18), "div": (0, 2), "mod": (0, 3),
        "neg": (-9, 0), "small": (0, 2),
    }  # fmt: skip


def test_an_index_whose_bounds_fit_the_vec_is_not_checked() -> None:
    @eg.fn
    def f(v: eg.Vec(5, eg.Real), i: eg.Fin(10)) -> eg.Real:  # type: ignore[valid-type]
        return v[i // 2]

    assert not [row for row in f.function.block.rows if row[0] == "check"]


def test_fin_converts_an_integer_to_an_index(engines: Engines) -> None:
    f = eg.fn([eg.Fin(10)], eg.Fin(3))(eg.Fin(3))
    assert engines(f, 2) == 2
    assert eg.Fin(3)(2) == 2
    with pytest.raises(eg.ShapeError):
        eg.Fin(3)(3)
