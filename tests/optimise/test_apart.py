"""The optimiser splits a nest of loops that adds to several accumulators. Results do not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import F64, I32, Array
from eglantine.optimise.apart import MOST_ELEMENTS, apart
from eglantine.optimise.pipeline import optimise
from tests.emit.node import node
from tests.emit.test_tiles import code, matrix, of
from tests.engines import run
from tests.laws.agreement import engines_agree
from tests.optimise.test_stacking import pruned
from tests.optimise.test_units import operations

pytest.importorskip("wasmtime")


@pytest.mark.parametrize(("n", "inner", "m"), [(5, 7, 6), (6, 5, 9), (9, 5, 8)])
def test_derivatives_of_matrix_products_keep_their_sums_in_locals(n: int, inner: int, m: int) -> None:
    loss = eg.fn([of(n, inner), of(inner, m)])(lambda a, b: enp.sum((a @ b) ** 2))
    slopes = eg.grad(loss, (0, 1))
    assert "acc_index" not in operations(slopes)
    assert "i8x16.shuffle" in code(slopes)
    cases = [
        (matrix(n, inner, seed, wild), matrix(inner, m, seed + 9, wild))
        for seed, wild in ((1, False), (2, True))
    ]
    engines_agree(slopes, cases, node())


def test_a_product_with_a_vec_and_its_derivatives_use_locals_for_sums() -> None:
    loss = eg.fn([of(6, 7), eg.Vec(7, eg.Real)])(lambda m, v: enp.sum(enp.tanh(m @ v)))
    slopes = eg.grad(loss, 1)
    assert "acc_index" not in operations(slopes)
    engines_agree(slopes, [(matrix(6, 7, 1), matrix(1, 7, 2)[0])], node())


def added(
    n: int, m: int, term: Callable[[Builder, int, int, Callable[[int], int]], int], columns: int = 0
) -> Block:
    """Build a block that computes sums from a matrix a with n rows and m columns.

    Nested loops over i and j add `term` to element j of an accumulator.
    """
    b = Builder()
    a = b.param(Array(F64, (n, m)))
    acc = b.acc((columns or m,))
    outer = Builder(b)
    i = outer.param(I32(0, n - 1))
    inner = Builder(outer)
    j = inner.param(I32(0, m - 1))
    row = outer.index(outer.capture(a), i)
    inner.add_to(
        inner.acc_index(inner.capture(outer.capture(acc)), j),
        term(inner, inner.capture(i), j, inner.capture)(row),
    )
    outer.loop(Loop(inner.finish([]), m, m, False, 0), inner.captured)
    b.loop(Loop(outer.finish([]), n, n, False, 0), outer.captured)
    return b.finish([b.acc_read(acc)])


def product(b: Builder, _: int, j: int, capture: Callable[[int], int]) -> Any:
    return lambda row: b.bi("mul", (x := b.index(capture(row), j)), x)


def test_a_sum_over_rows_is_computed_column_by_column() -> None:
    made = pruned(apart(added(5, 6, product)))
    assert "acc" not in made.operations
    assert "acc_index" not in made.operations
    assert apart(made) is made


def quotient(b: Builder, _: int, j: int, capture: Callable[[int], int]) -> Any:
    return lambda row: b.bi("div", (x := b.index(capture(row), j)), x)


def with_the_rounds_number(b: Builder, i: int, j: int, capture: Callable[[int], int]) -> Any:
    return lambda row: b.bi("mul", b.index(capture(row), j), b.un("real_i32", i))


@pytest.mark.parametrize(
    "block",
    [
        added(5, 6, quotient),  # The operation is slow.
        added(5, 6, with_the_rounds_number),
        added(5, 6, product, columns=7),  # No term is added to the last element.
        added(2, 6, product),  # The sums are short.
        added(5, 3, product),  # There are few sums.
        added(MOST_ELEMENTS // 32 + 1, 32, product),  # The matrix is large.
    ],
)
def test_sums_that_gain_nothing_stay_where_they_are(block: Block) -> None:
    assert apart(block) is block


def test_an_accumulator_that_gets_two_terms_in_a_round_stays_where_it_is() -> None:
    loss = eg.fn([of(5, 6), of(6, 7)])(lambda a, b: enp.sum((a @ b) * (a @ (b * b))))
    slopes = eg.grad(loss, (0, 1))
    assert optimise(slopes.function).block is not None
    run(slopes, matrix(5, 6, 1), matrix(6, 7, 2))


def test_sums_of_two_sums_agree_on_all_engines() -> None:
    """In the derivative with respect to b, each sum runs over two nested loops."""

    @eg.fn([eg.Vec(4, of(5, 6)), of(6, 7)])
    def loss(a: Any, b: Any) -> Any:
        return enp.sum(enp.tanh(enp.einsum("tij,jk->tik", a, b)))

    engines_agree(eg.grad(loss, (0, 1)), [([matrix(5, 6, k) for k in range(4)], matrix(6, 7, 9))], node())


def test_a_nest_that_also_adds_to_an_outer_accumulator_keeps_its_terms() -> None:
    """Every round adds to the cotangent of m, and computes a new cotangent of v."""

    @eg.fn([of(6, 6)])
    def loss(m: Any) -> Any:
        v = eg.fori_loop(0, 5, lambda _, v: 0.5 * (m @ v) + 1.0, enp.full((6,), 0.25))
        return enp.sum(v * v)

    slopes = eg.grad(loss)
    engines_agree(slopes, [(matrix(6, 6, 1),)], node())
    exact, step = eg.compile(slopes)(matrix(6, 6, 1)), 1e-6
    for i, j in ((0, 0), (2, 5)):
        moved = [[row[:] for row in matrix(6, 6, 1)] for _ in range(2)]
        moved[0][i][j] -= step
        moved[1][i][j] += step
        assert exact[i][j] == pytest.approx((loss(moved[1]) - loss(moved[0])) / (2 * step), rel=1e-6)


def test_a_nest_that_prints_still_prints_beside_a_product() -> None:
    """The bug: nested loops that only print were removed."""

    def loss(a: Any, b: Any) -> Any:
        eg.vec(5, lambda _: eg.vec(6, lambda _: eg.debug_print("{}", a[0][0]) or 0.0))
        return enp.sum((a @ b) ** 2)

    slopes = eg.grad(eg.fn([of(5, 5)] * 2, eg.Real)(loss), (0, 1))
    engines_agree(slopes, [(matrix(5, 5, 1), matrix(5, 5, 2))], None)


def test_terms_at_a_constant_index_are_kept_beside_a_product() -> None:
    """The bug: terms that are added to the element with index 0 were lost."""

    @eg.fn([eg.Vec(5, of(6, 8))])
    def loss(v: Any) -> Any:
        return enp.sum(enp.sin(enp.transpose(v, (2, 1, 0)) @ v[:, 0]))

    engines_agree(eg.grad(loss), [([matrix(6, 8, k) for k in range(5)],)], node())
