"""The optimiser joins neighbouring loops with equal trip counts if no result changes."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.ir.builder import Builder
from eglantine.ir.program import Loop
from eglantine.ir.row_types import F64, I32, Array
from eglantine.optimise.joining import joined
from eglantine.optimise.pipeline import optimise
from tests.emit.node import node
from tests.emit.test_tiles import code, matrix
from tests.engines import run
from tests.laws.agreement import engines_agree
from tests.showing import shown, text

V = eg.Vec(4, eg.Real)
INDEX = I32(0, 3)


def loops(f: Any) -> int:
    """Optimise a function, and count its loops."""
    return shown(optimise(f.function)).count("= loop ") + shown(optimise(f.function)).count("  loop ")


@eg.fn
def norm(v: V) -> eg.Real:
    return eg.sum(4, lambda i: eg.math.sqrt(v[i] * v[i] + 1.0))


def test_a_value_and_its_gradient_compute_square_roots_in_one_loop() -> None:
    f = eg.value_and_grad(norm)
    assert shown(optimise(f.function)) == text("""
        "grad of norm"(%1: f64[4]) -> f64, f64[4]:
          %2: acc[] = acc
          %3: f64[4] = loop %4: i32[0..3] < 4 with (%5: f64[4] = %1, %6: acc[] = %2):
            %7: f64 = index %5 %4
            %8: f64 = mul %7 %7
            %9: f64 = add 1.0 %8
            %10: f64 = sqrt %9
            add_to %6 %10
            %11: f64 = div 0.5 %10
            %12: f64 = mul %7 %11
            %13: f64 = add %12 %12
            %14: f64 = add 0.0 %13
            yield %14
          %15: f64 = acc_read %2
          return %15 %3
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


W = eg.Vec(6, eg.Vec(6, eg.Real))


def elementwise(m: Any) -> Any:
    return eg.math.exp(m * 0.5 - 1.0) / 3.0 + m


def test_a_chain_of_elementwise_operations_is_one_nest_of_loops() -> None:
    f = eg.fn([W])(elementwise)
    assert loops(f) == 2
    engines_agree(f, [(matrix(6, 6, seed, wild),) for seed, wild in ((1, False), (2, True))], node())


def test_a_sum_is_joined_with_the_loop_that_computes_its_terms() -> None:
    f = eg.fn([eg.Vec(6, eg.Real)])(lambda v: enp.sum((v * 2.0 - 1.0) ** 2))
    assert loops(f) == 1
    engines_agree(f, [(matrix(1, 6, 1)[0],)], node())


def test_a_matrix_product_is_joined_with_the_operations_on_its_elements() -> None:
    f = eg.fn([W, W])(lambda a, b: 0.5 * (a @ b) + 1.0)
    assert loops(f) == 3
    assert "f64x2.mul" in code(f)
    engines_agree(f, [(matrix(6, 6, 1), matrix(6, 6, 2))], node())


@pytest.mark.parametrize(
    "f",
    [
        lambda v: (w := v * 2.0, w[::-1] * w)[1],  # Round i of the second loop reads elements i and −1 − i.
        lambda v: (w := v * 2.0, eg.math.cbrt(w) + eg.sum(w))[1],  # The second loop reads a sum of elements.
        lambda v: (w := v * 2.0, s := eg.sum(w), w / s + w[1:] @ v[1:])[2],
        lambda v: (w := v * v, [w * 3.0, (w * 3.0)[2] * w, eg.math.sin(w) + w])[1],
    ],
)
def test_loops_that_read_more_than_their_own_elements_keep_their_order(f: Any) -> None:
    engines_agree(eg.fn([eg.Vec(6, eg.Real)])(f), [(matrix(1, 6, 1)[0],)], node())


def test_a_loop_stays_behind_the_loops_that_it_needs() -> None:
    """Both results need the loop for w. The first result also needs the loops for the columns."""

    def f(x: Any, y: Any) -> Any:
        w = 1.0 / eg.math.maximum(abs(y * 2.0), 0.5)
        columns = [eg.vec(8, lambda i, k=k: x[i][k] * w[i]) for k in range(3)]
        return enp.stack(columns) @ x, (w * y) @ x

    engines_agree(
        eg.fn([eg.Vec(8, eg.Vec(3, eg.Real)), eg.Vec(8, eg.Real)])(f),
        [(matrix(8, 3, 1), matrix(1, 8, 2)[0])],
        node(),
    )


def test_a_loop_that_returns_whole_arrays_is_not_joined_with_their_loop() -> None:
    def nested(x: Any) -> Any:
        inner = eg.vec(5, lambda i: eg.math.exp(x * eg.real(i)))
        return eg.vec(5, lambda _: inner)

    f = eg.fn([eg.Real])(nested)
    assert eg.compile(f)(0.5) == f.interpreted(0.5)
