"""If only one arm of a branch uses a row, the arm's derivative contains the row's derivative.

So the program computes the row and its derivative only if this arm runs.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import eglantine as eg
from eglantine.optimise.pipeline import optimise
from eglantine.optimise.sums_in_arms import added_in_arms
from eglantine.reader import parse
from tests.engines import bits, run
from tests.showing import shown, text

V = eg.Vec(4, eg.Real)


def near(a: Any, b: Any) -> Any:
    """Let d = b − a. Return d²·exp(d) if d² < 1, and 0 otherwise."""
    d = b - a
    squared = d * d
    return eg.cond(squared < 1.0, lambda: squared * eg.math.exp(d), lambda: 0.0)


@eg.fn
def neighbours(v: V) -> eg.Real:
    return eg.sum(4, lambda i: near(v[i], 0.5))


def test_a_branch_that_is_not_taken_adds_nothing_to_a_gradient() -> None:
    assert shown(optimise(eg.grad(neighbours).function)) == text("""
        "grad of neighbours"(%1: f64[4]) -> f64[4]:
          %2: acc[4] = acc
          loop %3: i32[0..3] < 4 with (%4: f64[4] = %1, %5: acc[4] = %2):
            %6: f64 = index %4 %3
            %7: f64 = sub 0.5 %6
            %8: f64 = mul %7 %7
            %9: i1 = lt %8 1.0
            cond %9:
              then (%10: i32[0..3] = %3, %11: acc[4] = %5, %12: f64 = %7, %13: f64 = %8):
                %14: f64 = exp %12
                %15: f64 = mul %13 %14
                %16: f64 = mul %12 %14
                %17: f64 = add %15 %16
                %18: f64 = add %16 %17
                %19: f64 = neg %18
                %20: acc[] = acc_index %11 %10
                add_to %20 %19
                yield
              else (%21: i32[0..3] = %3, %22: acc[4] = %5, %23: f64 = %7, %24: f64 = %8):
                yield
            yield
          %25: f64[4] = acc_read %2
          return %25
        """)


def test_a_row_needed_before_a_branch_and_in_an_arm_is_computed_once() -> None:
    f = eg.value_and_grad(neighbours)
    printed = shown(optimise(f.function))
    assert printed.count("= sub 0.5") == 1
    value, gradient = run(f, [0.0, 0.25, 3.0, math.inf])
    assert value == sum(d * d * math.exp(d) for d in (0.5, 0.25))
    assert gradient[2:] == [0.0, 0.0]


def test_an_infinite_slope_in_an_arm_not_taken_contributes_nothing() -> None:
    f = eg.fn([eg.Real])(lambda x: (r := eg.math.sqrt(x), eg.cond(r > 1.0, lambda: r * r, lambda: 3.0))[1])
    assert run(eg.grad(f), 0.0) == 0.0
    assert run(eg.grad(f), 4.0) == 1.0


def test_a_row_that_two_branches_use_is_computed_before_both() -> None:
    def twice(x: Any) -> Any:
        y = eg.math.exp(x)
        return eg.cond(y > 1.0, lambda: y * y, lambda: 0.0) + eg.cond(y > 2.0, lambda: y, lambda: 0.0)

    f = eg.fn([eg.Real])(twice)
    for x in (-1.0, 0.5, 1.5):
        y = math.exp(x)
        expected = (2.0 * y * y if y > 1.0 else 0.0) + (y if y > 2.0 else 0.0)
        assert math.isclose(run(eg.grad(f), x), expected, rel_tol=1e-15)


# ---------------------------------------------------------------- sums in arms


def touch(a: Any, b: Any) -> Any:
    """Let d = b − a. Return (1 − d, b·d) if d < 1, and (0, d) otherwise."""
    d = b - a
    return eg.cond(d < 1.0, lambda: (1.0 - d, b * d), lambda: (0.0, d))


@eg.fn
def overlaps(v: V) -> (eg.Real, eg.Real):
    return eg.sum(4, lambda i: touch(v[i], 0.5))


def test_a_term_of_a_sum_is_added_inside_the_arm_that_computes_it() -> None:
    stages: list[tuple[str, Any]] = []
    optimise(overlaps.function, stages)
    before, after = (
        shown(replace(overlaps.function, block=block))
        for name, block in stages if name in ("lowered and pruned", "sums in arms")
    )  # fmt: skip
    assert before == text("""
        overlaps(%1: f64[4]) -> f64, f64:
          %2: acc[] = acc
          %3: acc[] = acc
          loop %4: i32[0..3] < 4 with (%5: f64[4] = %1, %6: acc[] = %2, %7: acc[] = %3):
            %8: f64 = index %5 %4
            %9: f64 = sub 0.5 %8
            %10: i1 = lt %9 1.0
            %11: f64, %12: f64 = cond %10:
              then (%13: f64 = %9):
                %14: f64 = sub 1.0 %13
                %15: f64 = mul 0.5 %13
                yield %14 %15
              else (%16: f64 = %9):
                yield 0.0 %16
            add_to %6 %11
            add_to %7 %12
            yield
          %17: f64 = acc_read %2
          %18: f64 = acc_read %3
          return %17 %18
        """)
    assert after == text("""
        overlaps(%1: f64[4]) -> f64, f64:
          %2: acc[] = acc
          %3: acc[] = acc
          loop %4: i32[0..3] < 4 with (%5: f64[4] = %1, %6: acc[] = %2, %7: acc[] = %3):
            %8: f64 = index %5 %4
            %9: f64 = sub 0.5 %8
            %10: i1 = lt %9 1.0
            %11: f64 = cond %10:
              then (%12: f64 = %9, %13: acc[] = %6):
                %14: f64 = sub 1.0 %12
                %15: f64 = mul 0.5 %12
                add_to %13 %14
                yield %15
              else (%16: f64 = %9, %17: acc[] = %6):
                yield %16
            add_to %7 %11
            yield
          %18: f64 = acc_read %2
          %19: f64 = acc_read %3
          return %18 %19
        """)


def test_a_sum_whose_order_would_change_or_a_value_read_twice_is_not_moved() -> None:
    program = text("""
        sums(%1: f64[3], %2: i1) -> f64, f64:
          %3: acc[] = acc
          %4: f64 = cond %2:
            then (%5: f64[3] = %1):
              %6: f64 = index %5 0
              yield %6
            else (%7: f64[3] = %1):
              yield 0.0
          %8: f64, %9: f64 = cond %2:
            then (%10: f64[3] = %1):
              %11: f64 = index %10 1
              %12: f64 = index %10 2
              yield %11 %12
            else (%13: f64[3] = %1):
              yield 0.0 0.0
          add_to %3 %9
          add_to %3 %4
          %14: acc[] = acc
          add_to %14 %8
          %15: f64 = acc_read %3
          %16: f64 = acc_read %14
          %17: f64 = add %8 %16
          return %15 %17
        """)
    moved = text("""
        sums(%1: f64[3], %2: i1) -> f64, f64:
          %3: acc[] = acc
          %4: f64 = cond %2:
            then (%5: f64[3] = %1):
              %6: f64 = index %5 0
              yield %6
            else (%7: f64[3] = %1):
              yield 0.0
          %8: f64 = cond %2:
            then (%9: f64[3] = %1, %10: acc[] = %3):
              %11: f64 = index %9 1
              %12: f64 = index %9 2
              add_to %10 %12
              yield %11
            else (%13: f64[3] = %1, %14: acc[] = %3):
              yield 0.0
          add_to %3 %4
          %15: acc[] = acc
          add_to %15 %8
          %16: f64 = acc_read %3
          %17: f64 = acc_read %15
          %18: f64 = add %8 %17
          return %16 %18
        """)
    function = parse(program)
    assert function.block is not None
    assert shown(replace(function, block=added_in_arms(function.block))) == moved


def test_sums_of_branches_equal_the_interpreters_even_in_signs_of_zeros() -> None:
    f = eg.fn([V])(lambda v: eg.sum(4, lambda i: eg.cond(v[i] < 1.0, lambda: v[i], lambda: 0.0)))
    for v in ([-0.0] * 4, [-0.0, 2.0, -0.0, 2.0], [1e16, 2.0, 1.0, -1e16], [math.nan, 0.5, -math.inf, 0.0]):
        for g in (f, eg.value_and_grad(f)):
            assert bits(run(g, v)) == bits(eg.interp(g)(v))
