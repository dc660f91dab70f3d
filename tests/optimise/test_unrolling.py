"""Short loops within loops are unrolled."""

from __future__ import annotations

import eglantine as eg
from eglantine.optimise.pipeline import optimise
from tests.engines import run
from tests.showing import shown, text

PAIRS = eg.Vec(50, eg.Vec(2, eg.Real))


@eg.fn
def lengths(v: PAIRS) -> eg.Vec(50, eg.Real):
    return eg.vec(50, lambda i: eg.dot(v[i], v[i]))


def test_a_sum_of_two_terms_inside_a_loop_is_unrolled() -> None:
    assert shown(optimise(lengths.function)) == text("""
        lengths(%1: f64[50, 2]) -> f64[50]:
          %2: f64[50] = loop %3: i32[0..49] < 50 with (%4: f64[50, 2] = %1):
            %5: f64[2] = index %4 %3
            %6: f64 = index %5 0
            %7: f64 = mul %6 %6
            %8: f64 = add 0.0 %7
            %9: f64 = index %5 1
            %10: f64 = mul %9 %9
            %11: f64 = add %8 %10
            yield %11
          return %2
        """)


def test_unrolling_changes_no_value_and_no_gradient() -> None:
    @eg.fn
    def f(v: eg.Vec(6, eg.Vec(3, eg.Real))) -> eg.Vec(6, eg.Real):
        def row(i: eg.Fin(6)) -> eg.Real:
            last, stacked = eg.scan(lambda c, x: (c * x + 1.0, c - x), v[i][0], v[i])
            return last + eg.sum(3, lambda j: stacked[j] / (1.0 + eg.real(j))) - stacked[i % 3]

        return eg.vec(6, row)

    assert shown(optimise(f.function)).count("loop") == 1
    rows = [[0.1 * i - j / 3.0 for j in range(3)] for i in range(6)]
    run(f, rows)
    run(lambda v: eg.vjp(f, v)[1]([1.0, -2.0, 0.5, 3.0, -0.0, 1e-3]), rows)


def test_outermost_loops_and_longer_inner_loops_are_not_unrolled() -> None:
    alone = eg.fn([eg.Vec(3, eg.Real)])(lambda v: eg.sum(3, lambda i: v[i] * v[i]))
    longer = eg.fn([eg.Vec(50, eg.Vec(5, eg.Real))])(lambda v: eg.vec(50, lambda i: eg.dot(v[i], v[i])))
    assert shown(optimise(alone.function)).count("loop") == 1
    assert shown(optimise(longer.function)).count("loop") == 2
