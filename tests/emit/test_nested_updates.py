"""The compiler replaces elements of a matrix in place. A later read of the old matrix gets old elements."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from tests.engines import run

N = 6
MATRIX = eg.Vec(N, eg.Vec(N, eg.Real))
CUBE = eg.Vec(2, MATRIX)
COPY = b"\xfc\x0a\x00\x00"
"""The instruction memory.copy."""
VALUES = [[float(7 * i + j) % 11 + 1.0 for j in range(N)] for i in range(N)]


def eliminated(m: Any) -> Any:
    """LU factorisation without pivots. The factors replace the matrix."""

    def step(k: Any, m: Any) -> Any:
        def eliminate(i: Any, m: Any) -> Any:
            m = m.at[i, k].set(m[i][k] / m[k][k])
            return eg.fori_loop(k + 1, N, lambda j, m: m.at[i, j].set(m[i][j] - m[i][k] * m[k][j]), m)

        return eg.fori_loop(k + 1, N, eliminate, m)

    return eg.fori_loop(0, N, step, m)


def exchanged(m: Any) -> Any:
    """Exchange the rows 1 and 4, element by element.

    Both elements of a pair are read before either changes.
    """

    def step(j: Any, m: Any) -> Any:
        x, y = m[1][j], m[4][j]
        return m.at[1, j].set(y).at[4, j].set(x)

    return eg.fori_loop(0, N, step, m)


def rows_exchanged(m: Any) -> Any:
    """Exchange two rows. The rows' indices are computed from elements of the matrix."""
    p, q = eg.index(m[0][0] - 4.0, N), eg.index(m[1][1], N)

    def step(j: Any, m: Any) -> Any:
        x, y = m[p][j], m[q][j]
        return m.at[p, j].set(y).at[q, j].set(x)

    return eg.fori_loop(0, N, step, m)


def read_later(m: Any) -> Any:
    """Change an element twice. Then read the changed matrix together with the original matrix."""
    changed = m.at[2, 3].set(m[3][2]).at[3, 2].set(m[2][3])
    twice = changed.at[2, 3].set(changed[2][3] + m[2][3])
    return eg.vec(N, lambda i: eg.vec(N, lambda j: twice[i][j] * 100.0 + m[i][j])), changed[2], twice[3]


def row_is_used(m: Any) -> Any:
    """Replace an element of a row. Return a matrix with the new row, and the sum of the new row."""
    row = m[2].at[1].set(-1.0)
    return m.at[2].set(row).at[3].set(row), eg.sum(N, lambda j: row[j])


def at_known_places(m: Any) -> Any:
    """Update elements with a constant row index, a constant column index, or both."""
    return eg.fori_loop(0, N, lambda i, m: m.at[0, i].set(m[i][0]).at[i, 5].add(2.0).at[1, 1].set(9.0), m)


@pytest.mark.parametrize(
    "f", [eliminated, exchanged, rows_exchanged, read_later, row_is_used, at_known_places]
)
def test_all_engines_give_the_same_results_for_replaced_elements(f: Any) -> None:
    run(eg.fn([MATRIX])(f), VALUES)


def test_elements_of_deeper_arrays_are_replaced_in_place() -> None:
    def f(c: Any) -> Any:
        return eg.fori_loop(0, N, lambda i, c: c.at[1, i, 2].set(c[0][2][i]).at[0, i].set(c[1][i]), c)

    run(eg.fn([CUBE])(f), [VALUES, VALUES[::-1]])


def test_elimination_in_place_copies_only_the_argument() -> None:
    wasm = eg.compile(eg.fn([MATRIX])(eliminated)).wasm
    assert wasm.count(COPY) == 1  # of the argument


def test_exchanging_rows_in_place_copies_only_the_argument() -> None:
    assert eg.compile(eg.fn([MATRIX])(rows_exchanged)).wasm.count(COPY) == 1
