"""Compiled derivatives contain no unnecessary divisions, array copies, checks or additions of zero."""

from __future__ import annotations

import eglantine as eg
from eglantine.optimise.pipeline import optimise
from tests.autodiff.test_differentiating import backward
from tests.showing import shown, text


@eg.fn
def quarter_power(x: eg.Real) -> eg.Real:
    return eg.math.sqrt(eg.math.sqrt(x))


@eg.fn
def twice_the_same(v: eg.Vec(3, eg.Real)) -> eg.Vec(3, eg.Real):
    w = eg.vec(3, lambda i: v[i])
    return eg.vec(3, lambda i: w[i] * 2.0)


@eg.fn
def looked_up(v: eg.Vec(3, eg.Real), k: eg.Fin(5)) -> eg.Real:
    return v[k] * v[k]


@eg.fn
def second_of_each(v: eg.Vec(3, eg.Vec(2, eg.Real))) -> eg.Real:
    return eg.sum(3, lambda i: v[i][1])


def test_the_derivative_of_a_root_of_a_root_divides_once() -> None:
    assert backward(quarter_power) == text("""
        vjp(%1: f64, %2: f64) -> f64:
          %3: f64 = sqrt %1
          %4: f64 = sqrt %3
          %5: f64 = div 0.5 %4
          %6: f64 = mul %2 %5
          %7: f64 = mul %3 %4
          %8: f64 = div 0.25 %7
          %9: f64 = mul %2 %8
          return %9
        """)


def test_a_loop_that_only_copies_an_array_is_removed() -> None:
    assert shown(optimise(twice_the_same.function)) == text("""
        twice_the_same(%1: f64[3]) -> f64[3]:
          %2: f64[3] = loop %3: i32[0..2] < 3 with (%4: f64[3] = %1):
            %5: f64 = index %4 %3
            %6: f64 = mul 2.0 %5
            yield %6
          return %2
        """)


def test_an_index_that_is_used_twice_is_checked_once() -> None:
    assert shown(optimise(looked_up.function)) == text("""
        looked_up(%1: f64[3], %2: i32[0..4]) -> f64:
          %3: i32[0..2] = check %2 3
          %4: f64 = index %1 %3
          %5: f64 = mul %4 %4
          return %5
        """)


def test_only_the_nonzero_elements_of_a_mostly_zero_array_are_added() -> None:
    assert backward(second_of_each) == text("""
        vjp(%1: f64[3, 2], %2: f64) -> f64[3, 2]:
          %3: acc[3, 2] = acc
          loop %4: i32[0..2] < 3 with (%5: f64 = %2, %6: acc[3, 2] = %3):
            %7: acc[2] = acc_index %6 %4
            %8: acc[] = acc_index %7 1
            add_to %8 %5
            yield
          %9: f64[3, 2] = acc_read %3
          return %9
        """)
