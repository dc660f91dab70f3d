"""For reverse mode, a loop stores some residuals and recomputes others. The tests compare optimised IR.

We compare the IR before the last pass. The last pass inlines library functions in loops that run two rounds
at a time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import eglantine as eg
from eglantine.ir.program import Block, Function
from eglantine.optimise.pipeline import optimise
from tests.autodiff.test_differentiating import vjp_of
from tests.showing import shown, text


@eg.fn
def layers(v: eg.Vec(5, eg.Real)) -> eg.Real:
    def layer(_: Any, v: Any) -> Any:
        return eg.vec(5, lambda j: eg.math.exp(v[j]) * v[j])

    return eg.fori_loop(0, 3, layer, v)[0]


@eg.fn
def squares(v: eg.Vec(4, eg.Real)) -> eg.Real:
    w = eg.vec(4, lambda j: eg.math.exp(v[j]))
    return eg.sum(4, lambda j: w[j] * w[j])


@eg.fn
def rows_of_exponentials(v: eg.Vec(4, eg.Real)) -> eg.Real:
    def run(x: Any) -> Any:
        return eg.fori_loop(0, 3, lambda _, c: eg.math.exp(c) * c, x)

    return eg.sum(4, lambda j: run(v[j]))


def before_lanes(function: Function) -> str:
    stages: list[tuple[str, Block]] = []
    optimised = optimise(function, stages)
    blocks = [block for name, block in stages if name != "functions in lanes"]
    return shown(replace(optimised, block=blocks[-1]))


def backward(f: Any) -> str:
    """The function (x…, ct_y) → ct_x…."""
    return before_lanes(vjp_of(f).function).replace('"<lambda>"', "vjp")


def test_a_loop_stores_the_costly_values_of_its_inner_loops() -> None:
    assert backward(layers) == text("""
        vjp(%1: f64[5], %2: f64) -> f64[5]:
          %3: f64[5], %4: f64[3, 5], %5: f64[3, 5] = loop %6: i32[0..2] < 3 carry (%7: f64[5] = %1):
            %8: f64[5], %9: f64[5] = loop %10: i32[0..4] < 5 with (%11: f64[5] = %7):
              %12: f64 = index %11 %10
              %13: f64 = exp %12
              %14: f64 = mul %12 %13
              yield %14 %13
            yield %8 %7 %9
          %15: f64[5] = stack %2 0.0 0.0 0.0 0.0
          %16: f64[5] = loop %17: i32[0..2] < 3 backward carry (%18: f64[5] = %15) with (%19: f64[3, 5] = %4, %20: f64[3, 5] = %5):
            %21: f64[5] = index %19 %17
            %22: f64[5] = index %20 %17
            %23: f64[5] = loop %24: i32[0..4] < 5 with (%25: f64[5] = %22, %26: f64[5] = %21, %27: f64[5] = %18):
              %28: f64 = index %25 %24
              %29: f64 = index %26 %24
              %30: f64 = index %27 %24
              %31: f64 = mul %28 %30
              %32: f64 = mul %29 %30
              %33: f64 = mul %28 %32
              %34: f64 = add %31 %33
              %35: f64 = add 0.0 %34
              yield %35
            yield %23
          return %16
        """)  # noqa: E501 - as it is printed


def test_reverse_mode_reads_a_stored_array_of_costly_values() -> None:
    assert backward(squares).count("exp") == 1


def test_a_loop_inside_a_recomputed_body_stores_its_costly_values() -> None:
    assert backward(rows_of_exponentials).count("exp") == 1


def test_costly_values_that_would_need_much_memory_are_recomputed() -> None:
    rounds = 1 << 14

    @eg.fn
    def long(x: eg.Real) -> eg.Real:
        def step(_: Any, c: Any) -> Any:
            return eg.sum(64, lambda j: eg.math.exp(-c * eg.real(j)))

        return eg.fori_loop(0, rounds, step, x)

    assert eg.compile(eg.grad(long)).memory_bytes < 2 * 8 * rounds


def test_value_and_gradient_of_a_sum_share_costly_values() -> None:
    @eg.fn
    def sum_of_exponentials(v: eg.Vec(4, eg.Real)) -> eg.Real:
        return eg.sum(4, lambda j: v[j] * eg.math.exp(v[j]))

    assert before_lanes(eg.value_and_grad(sum_of_exponentials).function).count("= exp") == 1


def test_a_long_sum_recomputes_its_costly_values_to_save_memory() -> None:
    @eg.fn
    def long(x: eg.Real) -> eg.Real:
        return eg.sum(1 << 18, lambda j: eg.math.exp(-x * eg.real(j)))

    assert eg.compile(eg.value_and_grad(long)).memory_bytes < 1000
