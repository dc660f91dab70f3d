"""Loops over sums compute several outputs at once in the lanes of a v128. All engines give the same bits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.wasm.text import disassemble
from tests.emit.node import node
from tests.laws.agreement import engines_agree

pytest.importorskip("wasmtime")

WILD = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -1e308, 0.5, -2.5, 1e16)


def matrix(n: int, m: int, seed: int, wild: bool = False) -> list[list[float]]:
    draw = random.Random(seed)  # noqa: S311 - a test's own
    return [[draw.choice(WILD) if wild else draw.uniform(-3, 3) for _ in range(m)] for _ in range(n)]


def of(n: int, m: int) -> Any:
    return eg.Vec(n, eg.Vec(m, eg.Real))


def code(f: Any) -> str:
    return disassemble(eg.compile_artifact(f).wasm)


SUMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "products": lambda a, b, j: eg.sum(len(b), lambda k: a[k] * b[k][j]),
    "with a bias": lambda a, b, j: 0.5 * a[0] + b[0][j] - eg.sum(len(b), lambda k: a[k] * b[k][j]) / 3.0,
    "distances": lambda a, b, j: eg.math.sqrt(eg.sum(len(b), lambda k: (b[k][j] - a[k] * 0.25) ** 2)),
    "shared factors": lambda a, b, j: eg.sum(len(b), lambda k: (a[k] * a[k] - a[1]) * -b[k][j]),
    "two sums": lambda a, b, j: (
        eg.sum(len(b), lambda k: b[k][j]) / eg.sum(len(b), lambda k: eg.math.maximum(b[k][j], a[k]))
    ),
    "choices": lambda a, b, j: eg.sum(len(b), lambda k: eg.select(b[k][j] > 0.0, a[k], b[k][j])),
    "of the output's own": lambda a, b, j: eg.sum(len(b), lambda k: abs(b[k][j] - b[0][j]) + a[k]),
    "neighbours": lambda a, b, j: eg.sum(len(b) - 1, lambda k: b[k + 1][j] - a[k + 1] * b[k][j]),
    "whole numbers": lambda a, b, j: eg.sum(len(b), lambda k: eg.real(k) * b[k][j] + 2.0 * a[k]),
}


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("m", [5, 8, 19, 131])
def test_outputs_computed_together_equal_outputs_computed_one_by_one(name: str, m: int) -> None:
    @eg.fn([eg.Vec(7, eg.Real), of(7, m)])
    def f(a: Any, b: Any) -> Any:
        return eg.vec(m, lambda j: SUMS[name](a, b, j))

    assert "f64x2.add" in code(f) or "f64x2.sub" in code(f)
    cases = [
        (matrix(1, 7, seed, wild)[0], matrix(7, m, seed + 9, wild)) for seed, wild in ((1, False), (2, True))
    ]
    engines_agree(f, cases, node())


@pytest.mark.parametrize("m", [5, 8, 19])
def test_sums_whose_length_varies_are_computed_together(m: int) -> None:
    """The outer loop's index i sets the length of each sum (0 to 6). The terms also use i as an index."""

    @eg.fn([of(7, 7), of(7, m)])
    def f(a: Any, b: Any) -> Any:
        def below(i: Any) -> Any:
            return eg.vec(m, lambda j: eg.sum(i, lambda k: a[i][k] * b[k][j]))

        def above(i: Any) -> Any:
            return eg.vec(m, lambda j: eg.sum(6 - i, lambda k: a[k][i] * b[eg.Fin(7)(i + 1 + k)][j]))

        return eg.vec(7, below), eg.vec(7, above)

    assert code(f).count("f64x2.mul") >= 2
    cases = [
        (matrix(7, 7, seed, wild), matrix(7, m, seed + 9, wild)) for seed, wild in ((1, False), (2, True))
    ]
    engines_agree(f, cases, node())


def test_an_index_out_of_range_stops_sums_that_are_computed_together() -> None:
    f = eg.fn([of(7, 9)])(lambda b: eg.vec(9, lambda j: eg.sum(6, lambda k: b[eg.Fin(7)(k + 2)][j])))
    with pytest.raises(eg.ShapeError, match="index"):
        eg.compile(f)(matrix(7, 9, 1))


@pytest.mark.parametrize(("n", "inner", "m"), [(3, 7, 9), (1, 6, 6), (5, 8, 16)])
def test_matrix_products_are_tiled_whether_written_as_operator_or_loops(n: int, inner: int, m: int) -> None:
    types = [of(n, inner), of(inner, m)]
    by_name = eg.fn(types)(lambda a, b: a @ b)
    by_hand = eg.fn(types)(
        lambda a, b: eg.vec(n, lambda i: eg.vec(m, lambda j: eg.sum(inner, lambda k: a[i][k] * b[k][j])))
    )
    assert eg.compile_artifact(by_name).wasm == eg.compile_artifact(by_hand).wasm
    assert "f64x2.mul" in code(by_name)
    engines_agree(by_name, [(matrix(n, inner, 1), matrix(inner, m, 2))], node())
    loss = eg.fn(types)(lambda a, b: enp.sum(enp.tanh(a @ b)))
    engines_agree(eg.grad(loss, (0, 1)), [(matrix(n, inner, 3), matrix(inner, m, 4))], node())


def deviation(m: Any, i: Any, mean: Any, n: int) -> Any:
    return eg.sum(n, lambda k: (m[i][k] - mean) ** 2)


ROWS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "products": lambda m, v, i: eg.sum(len(v), lambda k: m[i][k] * v[k]),
    "means": lambda m, v, i: eg.sum(len(v), lambda k: m[i][k]) / 3.0,
    "constants": lambda m, v, i: v[1] - eg.sum(len(v), lambda k: 0.5 * m[i][k] - v[0] * v[0]),
    "distances": lambda m, v, i: eg.math.sqrt(eg.sum(len(v), lambda k: (m[i][k] - v[k]) ** 2)),
    "two sums": lambda m, v, i: (
        eg.sum(len(v), lambda k: -m[i][k]) / eg.sum(len(v), lambda k: eg.math.maximum(m[i][k], v[k]))
    ),
    "deviations": lambda m, v, i: deviation(m, i, eg.sum(len(v), lambda k: m[i][k]), len(v)),
    "shifted columns": lambda m, v, i: eg.sum(len(v) - 1, lambda k: m[i][k + 1] * v[k]),
    "rows and columns": lambda m, v, i: eg.sum(len(v), lambda k: m[i][k] * m[0][k] + v[k] * m[k][0]),
}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize(("n", "inner"), [(5, 7), (8, 6), (19, 7)])
def test_sums_along_the_rows_of_a_matrix_are_computed_together(name: str, n: int, inner: int) -> None:
    @eg.fn([of(max(n, inner), inner), eg.Vec(inner, eg.Real)])
    def f(m: Any, v: Any) -> Any:
        return eg.vec(n, lambda i: ROWS[name](m, v, i))

    assert "f64x2.add" in code(f) or "f64x2.sub" in code(f)
    cases = [
        (matrix(max(n, inner), inner, seed, wild), matrix(1, inner, seed + 9, wild)[0])
        for seed, wild in ((1, False), (2, True))
    ]
    engines_agree(f, cases, node())


def test_sums_along_rows_may_have_lengths_that_vary() -> None:
    @eg.fn([of(9, 9), of(9, 9)])
    def f(a: Any, b: Any) -> Any:
        return eg.vec(9, lambda i: eg.vec(9, lambda j: eg.sum(i, lambda k: a[i][k] * b[j][k])))

    assert "f64x2.add" in code(f)
    engines_agree(f, [(matrix(9, 9, 3), matrix(9, 9, 4))], node())


def test_products_with_a_transpose_shuffle_the_terms_of_two_sums() -> None:
    product = eg.fn([of(6, 8), of(10, 8)])(lambda a, b: a @ b.T)
    assert code(product).count("i8x16.shuffle") == 2 * code(product).count("f64x2.mul") / 2
    engines_agree(product, [(matrix(6, 8, 1), matrix(10, 8, 2))], node())


@pytest.mark.parametrize(
    "f",
    [
        lambda a, b: eg.vec(9, lambda j: eg.scan(lambda c, x: (c + x * b[0][j], c), 0.0, a)[0]),  # a carry
        lambda a, b: eg.vec(9, lambda j: eg.sum(7, lambda k: eg.math.sin(a[k]) * b[k][j])),  # a call
        lambda a, b: eg.vec(7, lambda i: eg.sum(9, lambda k: b[i][2] * b[0][k])),  # a column
    ],
)
def test_engines_agree_on_sums_that_are_not_tiled(f: Any) -> None:
    engines_agree(eg.fn([eg.Vec(7, eg.Real), of(7, 9)])(f), [(matrix(1, 7, 5)[0], matrix(7, 9, 6))], node())


def test_sums_that_print_are_computed_one_after_the_other() -> None:
    """The bug: no value depends on a print, so prints were dropped from sums that are computed together."""

    def term(x: Any, y: Any) -> Any:
        eg.debug_print("{}", y)
        return x * y

    f = eg.fn([of(5, 7), eg.Vec(7, eg.Real)])(
        lambda m, v: eg.vec(5, lambda i: eg.sum(7, lambda j: term(m[i][j], v[j])))
    )
    engines_agree(f, [(matrix(5, 7, 1), matrix(1, 7, 2)[0])], node())


@pytest.mark.parametrize("m", [5, 8])
def test_rows_at_a_constant_index_are_read_at_their_place(m: int) -> None:
    """The bug: the row's address contained the row's offset twice, or was not computed at all."""

    @eg.fn([eg.Vec(6, of(3, m))])
    def f(v: Any) -> Any:
        sums = eg.vec(m, lambda j: eg.sum(6, lambda k: v[k][1][j]))
        products = eg.vec(m, lambda i: eg.vec(m, lambda j: eg.sum(6, lambda k: v[k][2][i] * v[k][2][j])))
        along = eg.vec(6, lambda i: eg.sum(m, lambda k: v[i][1][k] * v[1][0][k]))
        return sums, products, along

    assert "f64x2.mul" in code(f)
    engines_agree(f, [([matrix(3, m, k) for k in range(6)],)], node())
