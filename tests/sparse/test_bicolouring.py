"""Tests of sparse Jacobians. Reverse mode computes the full rows, and forward mode the other entries.

An arrow matrix has a full first row and column, and a diagonal. The expected numbers of directions for arrow
matrices come from Coleman and Verma, "The Efficient Computation of Sparse Jacobian Matrices Using Automatic
Differentiation", SIAM J. Sci. Comput. 19 (1998).
"""

from __future__ import annotations

import math
import random
from array import array
from typing import Any

import pytest

import eglantine as eg
from eglantine.sparse.bicolouring import REVERSE_COST, Bicolouring, bicolouring
from eglantine.sparse.colouring import column_colouring
from eglantine.sparse.patterns import Pattern
from tests.laws.comparing import bits
from tests.sparse.test_matrices import points, reals, rounds


def arrow(n: int, width: int = 1) -> Pattern:
    """Make the pattern of an arrow matrix with `width` full rows and columns."""
    rows = [list(range(n)) if i < width else [*range(width), i] for i in range(n)]
    return Pattern((n, n), rows)


def random_pattern(r: random.Random) -> Pattern:
    """Make a random sparse pattern with a few nearly full rows and columns."""
    m, n = r.randrange(1, 30), r.randrange(1, 30)
    rows = [{r.randrange(n) for _ in range(r.randrange(3))} for _ in range(m)]
    for _ in range(r.randrange(4)):
        rows[r.randrange(m)] |= {j for j in range(n) if r.random() < 0.8}
    for _ in range(r.randrange(4)):
        j = r.randrange(n)
        for row in rows:
            if r.random() < 0.8:
                row.add(j)
    return Pattern((m, n), [sorted(row) for row in rows])


def check(found: Bicolouring, pattern: Pattern) -> None:
    """Check each entry: no other row in its column (or no other column in its row) has its colour."""
    by_columns = pattern.transposed.columns
    for i, own in enumerate(pattern.columns):
        for j in own:
            if found.is_read_by_row(i, j):
                colour, colours, beside = found.rows.of[i], found.rows, by_columns[j]
            else:
                colour, colours, beside = found.columns.of[j], found.columns, own
            assert 0 <= colour < colours.needed
            assert [colours.of[k] for k in beside].count(colour) == 1


@pytest.mark.parametrize("n", [3, 5, 10, 300])
def test_an_arrow_matrix_needs_three_directions(n: int) -> None:
    found = bicolouring(arrow(n))
    assert found.columns.needed + found.rows.needed <= 3
    check(found, arrow(n))


@pytest.mark.parametrize("width", [2, 3, 7])
def test_an_arrow_of_blocks_needs_two_directions_for_each_full_row(width: int) -> None:
    found = bicolouring(arrow(100, width))
    assert (found.columns.needed, found.rows.needed) == (width + 1, width)
    check(found, arrow(100, width))


@pytest.mark.parametrize("seed", range(60))
def test_random_patterns_are_read_without_overlap_at_no_higher_cost(seed: int) -> None:
    pattern = random_pattern(random.Random(seed))  # noqa: S311 - it must repeat
    found = bicolouring(pattern)
    check(found, pattern)
    by_columns, by_rows = column_colouring(pattern).needed, column_colouring(pattern.transposed).needed
    assert found.cost == found.columns.needed + REVERSE_COST * found.rows.needed
    assert found.cost <= min(by_columns, REVERSE_COST * by_rows)


def test_full_rows_without_common_entries_share_a_direction() -> None:
    n, width = 60, 20
    rows = [[0, *range(1 + k * width, 1 + min((k + 1) * width, n - 1))] for k in range(3)]
    pattern = Pattern((n, n), [*rows, *[[0, i] for i in range(3, n)]])
    found = bicolouring(pattern)
    assert (found.columns.needed, found.rows.needed) == (2, 1)
    check(found, pattern)


def arrow_function(n: int) -> Any:
    """Make a function whose Jacobian is an arrow matrix."""

    @eg.fn([reals(n)])
    def f(x: Any) -> Any:
        first = eg.sum(n, lambda i: eg.math.sin(x[i]) * x[i])
        return first, eg.vec(n - 1, lambda i: x[i + 1] ** 3 * x[0] + eg.math.exp(x[0]))

    return f


def test_an_arrow_jacobian_has_the_bits_of_forward_or_reverse_mode() -> None:
    n = 12
    f = arrow_function(n)
    J = eg.sparse_jacobian(f)
    found, x = J(points(n)), points(n)
    assert (found.directions, found.nnz) == (3, 3 * n - 2)
    first, rest = eg.jacrev(f)(x)[0], eg.jacfwd(f)(x)[1]
    assert bits(found.dense()) == bits([first, *rest])
    assert bits(eg.compile(J)(x).values) == bits(found.values) == bits(J.interpreted(x).values)


def test_an_arrow_jacobian_takes_linear_work() -> None:
    work = {}
    for n in (100, 400):
        kernel = eg.compile(eg.sparse_jacobian(arrow_function(n)), fuel=1)
        work[n] = rounds(kernel, array("d", points(n)))
    assert work[400] < 4.2 * work[100]


@pytest.mark.parametrize("seed", range(12))
def test_a_jacobian_of_a_random_pattern_equals_the_dense_one(seed: int) -> None:
    pattern = random_pattern(random.Random(seed))  # noqa: S311 - it must repeat
    m, n = pattern.shape
    rows, cols = pattern.rows, pattern.cols
    if not rows:
        return
    row_of, col_of = eg.Vec(len(rows), eg.Fin(m)), eg.Vec(len(cols), eg.Fin(n))

    @eg.fn([reals(n)], reals(m))
    def f(x: Any) -> Any:
        i, j = eg.asarray(list(rows), row_of), eg.asarray(list(cols), col_of)
        zero = eg.vec(m, lambda _: 0.0)
        return eg.fori_loop(
            0, len(rows), lambda k, y: y.at[i[k]].set(y[i[k]] + eg.math.sin(x[j[k]] * (k + 1.0))), zero
        )

    x = points(n)
    J = eg.compile(eg.sparse_jacobian(f))(x)
    expected = {place: math.cos(x[place[1]] * (k + 1.0)) * (k + 1.0)
                for k, place in enumerate(zip(rows, cols, strict=True))}  # fmt: skip
    found = dict(zip(zip(J.rows, J.cols, strict=True), J.values, strict=True))
    for place, entry in expected.items():
        assert math.isclose(found[place], entry, rel_tol=1e-12, abs_tol=1e-14)
    assert all(entry == 0.0 for place, entry in found.items() if place not in expected)


def test_a_jacobian_of_both_modes_takes_structures() -> None:
    n = 9
    pair = {"a": eg.Real, "b": eg.Real}

    @eg.fn
    def f(x: eg.Vec(n, pair)):
        total = eg.sum(n, lambda i: x[i]["a"] * x[i]["b"])
        return eg.vec(n, lambda i: {"u": x[i]["a"] ** 2 * x[0]["b"], "v": x[i]["b"] ** 3}), total

    x = [{"a": math.sin(k), "b": math.cos(k)} for k in range(n)]
    J = eg.sparse_jacobian(f)(x)
    assert J.shape == (2 * n + 1, 2 * n)
    assert J.directions == 3
    expected = [[0.0] * (2 * n) for _ in range(2 * n + 1)]
    for i in range(n):
        expected[2 * i][2 * i] = 2.0 * x[i]["a"] * x[0]["b"]
        expected[2 * i][1] = x[i]["a"] ** 2
        expected[2 * i + 1][2 * i + 1] += 3.0 * x[i]["b"] ** 2
        expected[2 * n][2 * i], expected[2 * n][2 * i + 1] = x[i]["b"], x[i]["a"]
    for row, other in zip(J.dense(), expected, strict=True):
        assert row == pytest.approx(other, rel=1e-13)
