"""Tests of inlining, lowering, hoisting and pruning, which compare the IR before and after."""

from __future__ import annotations

from dataclasses import replace

import eglantine as eg
from eglantine.analysis.liveness import live_rows
from eglantine.optimise.pipeline import SMALL, optimise
from eglantine.reader import parse
from eglantine.rewrite.copying import copied
from tests.showing import shown, text


def optimised(written: str) -> str:
    """Read printed IR, optimise it and print it again."""
    return shown(optimise(parse(text(written))))


def pruned(written: str) -> str:
    """Read printed IR, remove its unneeded rows, and print it again."""
    function = parse(text(written))
    assert function.block is not None
    return shown(replace(function, block=copied(function.block, live=live_rows(function.block))))


def test_small_functions_are_inlined() -> None:
    assert optimised("""
        f(%1: f64) -> f64:
          %2: f64, %3: f64 = call g %1
          %4: f64 = mul %2 %3
          return %4

        g(%1: f64) -> f64, f64:
          %2: f64 = add 1.0 %1
          return %2 %1
        """) == text("""
        f(%1: f64) -> f64:
          %2: f64 = add 1.0 %1
          %3: f64 = mul %1 %2
          return %3
        """)


def test_a_call_with_constant_arguments_is_folded() -> None:
    assert optimised("""
        f(%1: f64) -> f64:
          %2: f64 = call g 3.0
          %3: f64 = mul %1 %2
          return %3

        g(%1: f64) -> f64:
          %2: f64 = mul %1 %1
          return %2
        """) == text("""
        f(%1: f64) -> f64:
          %2: f64 = mul 9.0 %1
          return %2
        """)


def test_a_loop_in_a_function_runs_once_for_equal_arguments() -> None:
    @eg.fn
    def power(x: eg.Real) -> eg.Real:
        return eg.fori_loop(0, 9, lambda _, y: y * x, 1.0)

    @eg.fn
    def f(x: eg.Real, y: eg.Real) -> eg.Real:
        return power(x) + power(y) * power(x)

    assert shown(optimise(f.function)).count("loop") == 2


def test_a_large_function_called_twice_is_not_inlined() -> None:
    @eg.fn
    def large(x: eg.Real) -> eg.Real:
        for k in range(SMALL):
            x = x * x + float(k)
        return x

    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return large(x) + large(x + 1.0)

    printed = shown(optimise(f.function))
    assert printed.startswith(
        text("""
        f(%1: f64) -> f64:
          %2: f64 = call large %1
          %3: f64 = add 1.0 %1
          %4: f64 = call large %3
          %5: f64 = add %2 %4
          return %5

        large(%1: f64) -> f64:
        """)
    )


def test_powers_signs_and_divisions_of_indices_are_lowered() -> None:
    assert optimised("""
        f(%1: f64, %2: f64, %3: i32[0..6]) -> f64, f64, f64, i32[0..3]:
          %4: f64 = powi %1 5
          %5: f64 = powi %1 -2
          %6: f64 = copysign %1 %2
          %7: i32[0..3] = ifloordiv %3 2
          return %4 %5 %6 %7
        """) == text("""
        f(%1: f64, %2: f64, %3: i32[0..6]) -> f64, f64, f64, i32[0..3]:
          %4: f64 = mul %1 %1
          %5: f64 = mul %4 %4
          %6: f64 = mul %1 %5
          %7: f64 = div 1.0 %4
          %8: i1 = eq %2 %2
          %9: f64 = select %8 %2 1.0
          %10: f64 = raw_copysign %1 %9
          %11: i32[0..3] = iquotient %3 2
          return %6 %7 %10 %11
        """)


def test_a_row_that_does_not_depend_on_the_round_is_moved_out_of_its_loop() -> None:
    assert optimised("""
        f(%1: f64, %2: f64) -> f64:
          %3: f64 = loop %4: i32[0..8] < 9 carry (%5: f64 = %1) with (%6: f64 = %2):
            %7: f64 = mul %6 %6
            %8: f64 = sin %7
            %9: f64 = mul %5 %8
            yield %9
          return %3
        """) == text("""
        f(%1: f64, %2: f64) -> f64:
          %3: f64 = mul %2 %2
          %4: f64 = sin %3
          %5: f64 = loop %6: i32[0..8] < 9 carry (%7: f64 = %1) with (%8: f64 = %4):
            %9: f64 = mul %7 %8
            yield %9
          return %5
        """)


def test_an_unneeded_carry_is_pruned_with_all_rows_that_only_it_needs() -> None:
    assert pruned("""
        f(%1: f64, %2: f64, %3: f64[4]) -> f64:
          %4: f64, _, _ = loop %5: i32[0..3] < 4 carry (%6: f64 = %1, %7: f64 = %2) with (%8: f64[4] = %3):
            %9: f64 = mul %6 %6
            %10: f64 = index %8 %5
            %11: f64 = add %7 %10
            yield %9 %11 %6
          return %4
        """) == text("""
        f(%1: f64, %2: f64, %3: f64[4]) -> f64:
          %4: f64 = loop %5: i32[0..3] < 4 carry (%6: f64 = %1):
            %7: f64 = mul %6 %6
            yield %7
          return %4
        """)


def test_a_carry_that_a_needed_carry_reads_is_kept() -> None:
    written = text("""
        f(%1: f64, %2: f64) -> f64:
          %3: f64, %4: f64 = loop %5: i32[0..3] < 4 carry (%6: f64 = %1, %7: f64 = %2):
            %8: f64 = add %6 %7
            %9: f64 = mul %7 %7
            yield %8 %9
          return %3
        """)
    assert pruned(written) == written


def test_unused_sums_are_pruned() -> None:
    assert pruned("""
        f(%1: f64[4]) -> f64:
          %2: acc[] = acc
          %3: acc[] = acc
          loop %4: i32[0..3] < 4 with (%5: f64[4] = %1, %6: acc[] = %2, %7: acc[] = %3):
            %8: f64 = index %5 %4
            add_to %6 %8
            %9: f64 = exp %8
            add_to %7 %9
            yield
          %10: f64 = acc_read %2
          return %10
        """) == text("""
        f(%1: f64[4]) -> f64:
          %2: acc[] = acc
          loop %3: i32[0..3] < 4 with (%4: f64[4] = %1, %5: acc[] = %2):
            %6: f64 = index %4 %3
            add_to %5 %6
            yield
          %7: f64 = acc_read %2
          return %7
        """)


def test_a_branch_keeps_only_the_results_that_are_needed() -> None:
    assert pruned("""
        f(%1: i1, %2: f64, %3: f64) -> f64:
          %4: f64, %5: f64 = cond %1:
            then (%6: f64 = %2, %7: f64 = %3):
              %8: f64 = exp %7
              yield %6 %8
            else (%9: f64 = %2, %10: f64 = %3):
              yield 0.0 %10
          return %4
        """) == text("""
        f(%1: i1, %2: f64, %3: f64) -> f64:
          %4: f64 = cond %1:
            then (%5: f64 = %2):
              yield %5
            else (%6: f64 = %2):
              yield 0.0
          return %4
        """)


def test_a_branch_on_a_constant_is_replaced_by_one_arm() -> None:
    assert optimised("""
        f(%1: f64) -> f64:
          %2: f64 = cond true:
            then (%3: f64 = %1):
              %4: f64 = exp %3
              yield %4
            else (%5: f64 = %1):
              yield %5
          return %2
        """) == text("""
        f(%1: f64) -> f64:
          %2: f64 = exp %1
          return %2
        """)


def test_a_loop_that_never_runs_is_replaced_by_its_initial_carry() -> None:
    assert optimised("""
        f(%1: f64) -> f64:
          %2: f64 = loop %3: i32[0..0] < 0 carry (%4: f64 = %1):
            %5: f64 = exp %4
            yield %5
          return %2
        """) == text("""
        f(%1: f64) -> f64:
          return %1
        """)
