"""Neighbouring loops with the same trip count are joined if all results keep their bits."""

from __future__ import annotations

from typing import Any

import eglantine as eg
from eglantine.ir.builder import Builder
from eglantine.ir.program import Loop
from eglantine.ir.row_types import F64, I32, Array
from eglantine.optimise.joining import joined
from eglantine.optimise.pipeline import optimise
from tests.engines import run
from tests.showing import shown, text

V = eg.Vec(4, eg.Real)
INDEX = I32(0, 3)


def loops(f: Any) -> int:
    """The number of loops in a function's optimised rows."""
    return shown(optimise(f.function)).count("= loop ") + shown(optimise(f.function)).count("  loop ")


@eg.fn
def norm(v: V) -> eg.Real:
    return eg.sum(4, lambda i: eg.math.sqrt(v[i] * v[i] + 1.0))


def test_a_value_and_its_gradient_compute_square_roots_in_one_loop() -> None:
    f = eg.value_and_grad(norm)
    assert shown(optimise(f.function)) == text("""
        "grad of norm"(%1: f64[4]) -> f64, f64[4]:
          %2: acc[] = acc
          %3: acc[4] = acc
          loop %4: i32[0..3] < 4 with (%5: f64[4] = %1, %6: acc[] = %2, %7: acc[4] = %3):
            %8: f64 = index %5 %4
            %9: f64 = mul %8 %8
            %10: f64 = add 1.0 %9
            %11: f64 = sqrt %10
            add_to %6 %11
            %12: f64 = div 0.5 %11
            %13: f64 = mul %8 %12
            %14: f64 = add %13 %13
            %15: acc[] = acc_index %7 %4
            add_to %15 %14
            yield
          %16: f64 = acc_read %2
          %17: f64[4] = acc_read %3
          return %16 %17
        """)
    run(f, [1.5, -0.0, 1e16, 3.0])


def test_a_loop_that_needs_another_loops_result_is_not_joined_with_it() -> None:
    f = eg.fn([V])(lambda v: (s := norm(v), eg.vec(4, lambda i: v[i] / s)))
    assert loops(f) == 2
    run(f, [1.5, 2.0, -3.0, 0.5])


def test_loops_of_different_lengths_or_on_different_arrays_are_not_joined() -> None:
    shorter = eg.fn([V])(lambda v: (norm(v), eg.sum(3, lambda i: v[i])))
    other = eg.fn([V, V])(lambda v, w: (norm(v), eg.sum(4, lambda i: w[i])))
    assert loops(shorter) == loops(other) == 2


def test_two_loops_that_add_to_one_accumulator_add_in_the_same_order() -> None:
    b = Builder()
    v = b.param(Array(F64, (4,)))
    total = b.acc(())
    for factor in (2.0, 3.0):
        body = Builder(b)
        index = body.param(INDEX)
        term = body.mul(body.index(body.capture(v), index), body.const(factor))
        body.add_to(body.capture(total), term)
        b.loop(Loop(body.finish([]), 4, 4, False, 0), body.captured)
    block = b.finish([b.acc_read(total)])
    assert joined(block) is block


def test_loops_that_print_still_print_in_the_same_order() -> None:
    def told(v: Any, i: Any, what: str) -> Any:
        eg.debug_print(what + " {}", v[i])
        return v[i] * 2.0

    f = eg.fn([V])(lambda v: (eg.vec(4, lambda i: told(v, i, "a")), eg.vec(4, lambda i: told(v, i, "b"))))
    assert loops(f) == 2


def test_a_row_that_needs_the_first_of_two_joined_loops_follows_both() -> None:
    f = eg.fn([V])(lambda v: (norm(v) * 2.0, eg.sum(4, lambda i: v[i] * 3.0)))
    assert loops(f) == 1
    assert run(f, [0.0, 0.0, 0.0, 0.0]) == (8.0, 0.0)
