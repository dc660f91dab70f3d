"""Compare the optimised IR of jvp and vjp as text, for small functions of each kind."""

from __future__ import annotations

from typing import Any

import eglantine as eg
from eglantine.optimise.pipeline import optimise
from tests.laws.comparing import jvp_of, vjp_of
from tests.showing import shown, text


@eg.fn
def line(x: eg.Real) -> eg.Real:
    return x * eg.math.sin(x) + 2.0


@eg.fn
def product(x: eg.Real, v: eg.Vec(3, eg.Real)) -> eg.Real:
    return eg.fori_loop(0, 3, lambda i, c: c * v[i], x)


@eg.fn
def branch(p: eg.Bool, x: eg.Real) -> eg.Real:
    return eg.cond(p, lambda: x * x, lambda: 3.0 * x)


@eg.fn
def squaring(x: eg.Real) -> eg.Real:
    return eg.while_loop(lambda y: y < 10.0, lambda y: y * y, x)


def forward(f: Any) -> str:
    """The function (x…, dx…) → (y, dy)."""
    return shown(optimise(jvp_of(f).function)).replace('"<lambda>"', "jvp")


def backward(f: Any) -> str:
    """The function (x…, ct_y) → ct_x…."""
    return shown(optimise(vjp_of(f).function)).replace('"<lambda>"', "vjp")


def test_jvp_of_straight_line_code_adds_tangent_rows() -> None:
    assert forward(line) == text("""
        jvp(%1: f64, %2: f64) -> f64, f64:
          %3: f64 = sin %1
          %4: f64 = cos %1
          %5: f64 = mul %2 %4
          %6: f64 = mul %1 %3
          %7: f64 = mul %2 %3
          %8: f64 = mul %1 %5
          %9: f64 = add %7 %8
          %10: f64 = add 2.0 %6
          return %10 %9
        """)


def test_vjp_of_straight_line_code_adds_cotangent_rows() -> None:
    assert backward(line) == text("""
        vjp(%1: f64, %2: f64) -> f64:
          %3: f64 = sin %1
          %4: f64 = mul %1 %3
          %5: f64 = add 2.0 %4
          %6: f64 = mul %2 %3
          %7: f64 = mul %1 %2
          %8: f64 = cos %1
          %9: f64 = mul %7 %8
          %10: f64 = add %6 %9
          return %10
        """)


def test_jvp_of_a_loop_is_one_loop() -> None:
    assert forward(product) == text("""
        jvp(%1: f64, %2: f64[3], %3: f64, %4: f64[3]) -> f64, f64:
          %5: f64, %6: f64 = loop %7: i32[0..2] < 3 carry (%8: f64 = %1, %9: f64 = %3) with (%10: f64[3] = %2, %11: f64[3] = %4):
            %12: f64 = index %10 %7
            %13: f64 = index %11 %7
            %14: f64 = mul %8 %12
            %15: f64 = mul %9 %12
            %16: f64 = mul %8 %13
            %17: f64 = add %15 %16
            yield %14 %17
          return %5 %6
        """)  # noqa: E501 - as it is printed


def test_vjp_of_a_loop_stores_carries_and_runs_a_second_loop_backward() -> None:
    assert backward(product) == text("""
        vjp(%1: f64, %2: f64[3], %3: f64) -> f64, f64[3]:
          %4: f64, %5: f64[3] = loop %6: i32[0..2] < 3 carry (%7: f64 = %1) with (%8: f64[3] = %2):
            %9: f64 = index %8 %6
            %10: f64 = mul %7 %9
            yield %10 %7
          %11: acc[3] = acc
          %12: f64 = loop %13: i32[0..2] < 3 backward carry (%14: f64 = %3) with (%15: f64[3] = %5, %16: f64[3] = %2, %17: acc[3] = %11):
            %18: f64 = index %15 %13
            %19: f64 = index %16 %13
            %20: f64 = mul %14 %19
            %21: f64 = mul %14 %18
            %22: acc[] = acc_index %17 %13
            add_to %22 %21
            yield %20
          %23: f64[3] = acc_read %11
          return %12 %23
        """)  # noqa: E501 - as it is printed


def test_jvp_of_a_branch_is_one_branch() -> None:
    assert forward(branch) == text("""
        jvp(%1: i1, %2: f64, %3: f64) -> f64, f64:
          %4: f64, %5: f64 = cond %1:
            then (%6: f64 = %2, %7: f64 = %3):
              %8: f64 = mul %6 %6
              %9: f64 = mul %6 %7
              %10: f64 = add %9 %9
              yield %8 %10
            else (%11: f64 = %2, %12: f64 = %3):
              %13: f64 = mul 3.0 %11
              %14: f64 = mul 3.0 %12
              yield %13 %14
          return %4 %5
        """)


def test_vjp_of_a_branch_is_a_branch() -> None:
    assert backward(branch) == text("""
        vjp(%1: i1, %2: f64, %3: f64) -> f64:
          %4: f64 = cond %1:
            then (%5: f64 = %2, %6: f64 = %3):
              %7: f64 = mul %5 %6
              %8: f64 = add %7 %7
              yield %8
            else (%9: f64 = %2, %10: f64 = %3):
              %11: f64 = mul 3.0 %10
              yield %11
          return %4
        """)


def test_jvp_of_a_while_loop_is_one_while_loop_with_the_same_test() -> None:
    assert forward(squaring) == text("""
        jvp(%1: f64, %2: f64) -> f64, f64:
          %3: f64, %4: f64 trips %5: i32[0..2147483647] = loop %6: i32[0..2147483646] while carry (%7: f64 = %1, %8: f64 = %2):
            test (%9: i32[0..2147483646], %10: f64, %11: f64):
              %12: i1 = lt %10 10.0
              yield %12
            do:
              %13: f64 = mul %7 %7
              %14: f64 = mul %7 %8
              %15: f64 = add %14 %14
              yield %13 %15
          return %3 %4
        """)  # noqa: E501 - a row is a line


def test_vjp_of_a_while_loop_stores_its_carries_and_counts_back() -> None:
    assert backward(squaring) == text("""
        vjp(%1: f64, %2: f64) -> f64:
          %3: f64, %4: f64[?] trips %5: i32[0..2147483647] = loop %6: i32[0..2147483646] while carry (%7: f64 = %1):
            test (%8: i32[0..2147483646], %9: f64):
              %10: i1 = lt %9 10.0
              yield %10
            do:
              %11: f64 = mul %7 %7
              yield %11 %7
          %12: f64 = loop %13: i32[0..2147483646] < %5 of 2147483647 backward carry (%14: f64 = %2) with (%15: f64[?] = %4):
            %16: f64 = index %15 %13
            %17: f64 = mul %14 %16
            %18: f64 = add %17 %17
            yield %18
          return %12
        """)  # noqa: E501 - a row is a line
