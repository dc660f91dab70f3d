"""The builder simplifies rows and merges equal rows, but never changes results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from tests.showing import shown, text


def body(f: Any) -> str:
    """Print the rows of a function on one line."""
    return "; ".join(line.strip() for line in shown(f).splitlines()[1:] if line)


REALS: dict[str, tuple[Callable[..., Any], str]] = {
    # The builder omits an operation if its result is x (or 1) for every x, including NaN and -0.
    "x * 1": (lambda x, y: x * 1.0, "return %1"),
    "1 * x": (lambda x, y: 1.0 * x, "return %1"),
    "x / 1": (lambda x, y: x / 1.0, "return %1"),
    "x - 0": (lambda x, y: x - 0.0, "return %1"),
    "x + -0": (lambda x, y: x + -0.0, "return %1"),
    "-(-x)": (lambda x, y: -(-x), "%3: f64 = neg %1; return %1"),  # noqa: B002
    "x ** 1": (lambda x, y: x**1, "return %1"),
    "x ** 0": (lambda x, y: x**0, "return 1.0"),
    "select(p, x, x)": (lambda x, y: eg.select(x < y, x, x), "%3: i1 = lt %1 %2; return %1"),
    # The builder replaces the operation by a simpler operation that gives equal results.
    "x * -1": (lambda x, y: x * -1.0, "%3: f64 = neg %1; return %3"),
    "x / -1": (lambda x, y: x / -1.0, "%3: f64 = neg %1; return %3"),
    "x / 4": (lambda x, y: x / 4.0, "%3: f64 = mul 0.25 %1; return %3"),
    "x + -y": (lambda x, y: x + -y, "%3: f64 = neg %2; %4: f64 = sub %1 %2; return %4"),
    "x - -y": (lambda x, y: x - -y, "%3: f64 = neg %2; %4: f64 = add %1 %2; return %4"),
    "-(2 * x)": (lambda x, y: -(2.0 * x), "%3: f64 = mul 2.0 %1; %4: f64 = mul -2.0 %1; return %4"),
    "select(~p, x, y)": (
        lambda x, y: eg.select(~(x < y), x, y),
        "%3: i1 = lt %1 %2; %4: i1 = not %3; %5: f64 = select %3 %2 %1; return %5",
    ),
    # The builder merges the rows `x * y` and `y * x`.
    "x * y + y * x": (lambda x, y: x * y + y * x, "%3: f64 = mul %1 %2; %4: f64 = add %3 %3; return %4"),
    # The builder keeps the operation, because a simpler form would differ for -0, for NaN or by rounding.
    "x + 0": (lambda x, y: x + 0.0, "%3: f64 = add 0.0 %1; return %3"),
    "x - -0": (lambda x, y: x - -0.0, "%3: f64 = sub %1 -0.0; return %3"),
    "0 - x": (lambda x, y: 0.0 - x, "%3: f64 = sub 0.0 %1; return %3"),
    "x * 0": (lambda x, y: x * 0.0, "%3: f64 = mul 0.0 %1; return %3"),
    "x - x": (lambda x, y: x - x, "%3: f64 = sub %1 %1; return %3"),
    "x / x": (lambda x, y: x / x, "%3: f64 = div %1 %1; return %3"),
    "x / 3": (lambda x, y: x / 3.0, "%3: f64 = div %1 3.0; return %3"),
    "(x + 1) + 1": (lambda x, y: x + 1.0 + 1.0, "%3: f64 = add 1.0 %1; %4: f64 = add 1.0 %3; return %4"),
    "minimum(x, x)": (lambda x, y: eg.math.minimum(x, x), "%3: f64 = min %1 %1; return %3"),
    "x == x": (lambda x, y: eg.real(x == x), "%3: i1 = eq %1 %1; %4: f64 = real_i1 %3; return %4"),
}


@pytest.mark.parametrize("name", REALS)
def test_arithmetic_of_reals_is_simplified_if_all_bits_stay_equal(name: str) -> None:
    f, expected = REALS[name]
    assert body(eg.fn([eg.Real, eg.Real])(f)) == expected


LOGIC: dict[str, tuple[Callable[..., Any], str]] = {
    "~~p": (lambda p: ~~p, "%2: i1 = not %1; return %1"),
    "p & True": (lambda p: p & True, "return %1"),
    "p & False": (lambda p: p & False, "return false"),
    "p | True": (lambda p: p | True, "return true"),
    "p | False": (lambda p: p | False, "return %1"),
    "p ^ True": (lambda p: p ^ True, "%2: i1 = not %1; return %2"),
    "p ^ False": (lambda p: p ^ False, "return %1"),
}


@pytest.mark.parametrize("name", LOGIC)
def test_select_and_the_logic_of_bools_are_simplified(name: str) -> None:
    f, expected = LOGIC[name]
    assert body(eg.fn([eg.Bool])(f)) == expected


INDICES: dict[str, tuple[Callable[..., Any], str]] = {
    "i + 0": (lambda i: i + 0, "return %1"),
    "i * 1": (lambda i: i * 1, "return %1"),
    "i * 0": (lambda i: i * 0, "return 0"),
    "i + 2": (lambda i: i + 2, "%2: i32[2..6] = iadd %1 2; return %2"),
    "4 - i": (lambda i: 4 - i, "%2: i32[0..4] = isub 4 %1; return %2"),
    "i * 3": (lambda i: i * 3, "%2: i32[0..12] = imul %1 3; return %2"),
    "i // 2": (lambda i: i // 2, "%2: i32[0..2] = ifloordiv %1 2; return %2"),
    "i % 3": (lambda i: i % 3, "%2: i32[0..2] = imod %1 3; return %2"),
    "Fin(9)(i)": (eg.Fin(9), "return %1"),
    "Fin(3)(i)": (eg.Fin(3), "%2: i32[0..2] = check %1 3; return %2"),
}


@pytest.mark.parametrize("name", INDICES)
def test_the_bounds_of_index_arithmetic_are_computed(name: str) -> None:
    f, expected = INDICES[name]
    assert body(eg.fn([eg.Fin(5)])(f)) == expected


VECTORS: dict[str, tuple[Callable[..., Any], str]] = {
    "[a, b][1]": (
        lambda v: eg.asarray([v[0], v[1]])[1],
        "%2: f64 = index %1 0; %3: f64 = index %1 1; return %3",
    ),
    "all elements in order": (
        lambda v: eg.asarray([v[0], v[1], v[2]]),
        "%2: f64 = index %1 0; %3: f64 = index %1 1; %4: f64 = index %1 2; return %1",
    ),
    "elements out of order": (
        lambda v: eg.asarray([v[1], v[0]]),
        "%2: f64 = index %1 1; %3: f64 = index %1 0; %4: f64[2] = stack %2 %3; return %4",
    ),
    "constants": (
        lambda v: eg.asarray([1.0, -0.0], eg.Vec(2, eg.Real)),
        "%2: f64[2] = stack 1.0 -0.0; return %2",
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_indexing_a_stacked_array_gives_the_element(name: str) -> None:
    f, expected = VECTORS[name]
    assert body(eg.fn([eg.Vec(3, eg.Real)])(f)) == expected


def test_a_row_of_values_from_outside_a_loop_is_built_outside() -> None:
    @eg.fn
    def f(x: eg.Real, v: eg.Vec(3, eg.Real)) -> eg.Real:
        return eg.sum(3, lambda i: v[i] * (x * x))

    assert shown(f) == text("""
        f(%1: f64, %2: f64[3]) -> f64:
          %3: f64 = mul %1 %1
          %4: acc[] = acc
          loop %5: i32[0..2] < 3 with (%6: f64[3] = %2, %7: f64 = %3, %8: acc[] = %4):
            %9: f64 = index %6 %5
            %10: f64 = mul %9 %7
            add_to %8 %10
            yield
          %11: f64 = acc_read %4
          return %11
        """)


def test_a_row_built_in_an_arm_is_not_moved_out() -> None:
    @eg.fn
    def f(p: eg.Bool, x: eg.Real) -> eg.Real:
        return eg.cond(p, lambda: x / 3.0, lambda: x)

    assert shown(f) == text("""
        f(%1: i1, %2: f64) -> f64:
          %3: f64 = cond %1:
            then (%4: f64 = %2):
              %5: f64 = div %4 3.0
              yield %5
            else (%6: f64 = %2):
              yield %6
          return %3
        """)


def test_a_function_that_is_called_twice_is_printed_once() -> None:
    @eg.fn
    def square(x: eg.Real) -> eg.Real:
        return x * x

    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return square(x) + square(square(x))

    assert shown(f) == text("""
        f(%1: f64) -> f64:
          %2: f64 = call square %1
          %3: f64 = call square %2
          %4: f64 = add %2 %3
          return %4

        square(%1: f64) -> f64:
          %2: f64 = mul %1 %1
          return %2
        """)


def test_a_block_with_replaced_rows_lists_the_operations_of_the_new_rows() -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return eg.math.sqrt(x) * 2.0

    block = f.function.block
    assert block is not None
    assert block.operations == {"zero", "param", "sqrt", "mul"}
    rows = tuple(("exp", *row[1:]) if row[0] == "sqrt" else row for row in block.rows)
    assert replace(block, rows=rows).operations == {"zero", "param", "exp", "mul"}
