"""What only a branch needs the derivative of is differentiated in its arms."""

from __future__ import annotations

import math
from typing import Any

import eglantine as eg
from eglantine.optimise import optimise
from tests.engines import run
from tests.passes.showing import shown, text

V = eg.Vec(4, eg.Real)


def near(a: Any, b: Any) -> Any:
    """(b − a)² where that is less than 1, else 0."""
    d = b - a
    squared = d * d
    return eg.cond(squared < 1.0, lambda: squared * eg.math.exp(d), lambda: 0.0)


@eg.fn
def neighbours(v: V) -> eg.Real:
    return eg.sum(4, lambda i: near(v[i], 0.5))


def test_where_a_branch_is_not_taken_nothing_is_added_to_a_gradient() -> None:
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


def test_a_row_before_a_branch_and_in_its_arm_is_computed_once() -> None:
    f = eg.value_and_grad(neighbours)
    printed = shown(optimise(f.function))
    assert printed.count("= sub 0.5") == 1
    value, gradient = run(f, [0.0, 0.25, 3.0, math.inf])
    assert value == sum(d * d * math.exp(d) for d in (0.5, 0.25))
    assert gradient[2:] == [0.0, 0.0]


def test_an_arm_that_is_not_taken_adds_no_infinite_slope() -> None:
    f = eg.fn([eg.Real])(lambda x: (r := eg.math.sqrt(x), eg.cond(r > 1.0, lambda: r * r, lambda: 3.0))[1])
    assert run(eg.grad(f), 0.0) == 0.0
    assert run(eg.grad(f), 4.0) == 1.0


def test_a_row_that_two_branches_or_something_else_use_stays_before_them() -> None:
    def twice(x: Any) -> Any:
        y = eg.math.exp(x)
        return eg.cond(y > 1.0, lambda: y * y, lambda: 0.0) + eg.cond(y > 2.0, lambda: y, lambda: 0.0)

    f = eg.fn([eg.Real])(twice)
    for x in (-1.0, 0.5, 1.5):
        y = math.exp(x)
        expected = (2.0 * y * y if y > 1.0 else 0.0) + (y if y > 2.0 else 0.0)
        assert math.isclose(run(eg.grad(f), x), expected, rel_tol=1e-15)
