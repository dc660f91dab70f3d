"""Tests of the sparse Cholesky factorisation: right solutions, few entries, and indefinite matrices."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from eglantine.sparse.cholesky import Tables, factor_of, factorised, minimum_degree, solved


def solver(rows: list[int], cols: list[int], n: int) -> Any:
    factor = factor_of(rows, cols, n)

    @eg.fn([eg.Vec(len(rows), eg.Real), eg.Vec(n, eg.Real), eg.Real])
    def solve(values: Any, b: Any, shift: Any) -> Any:
        tables = Tables(factor, len(rows))
        definite, L = factorised(tables, values, shift)
        return {"definite": definite, "x": solved(tables, L, b)}

    return eg.compile(solve)


def test_an_arrow_matrix_has_no_fill_if_its_tip_is_eliminated_last() -> None:
    n = 12
    rows = [*range(n), *[0] * (n - 1), *range(1, n)]
    cols = [*range(n), *range(1, n), *[0] * (n - 1)]
    factor = factor_of(rows, cols, n)
    assert factor.nnz == 2 * n - 1
    assert minimum_degree([{1}, {0, 2}, {1}]) == [0, 1, 2]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_solutions_of_the_sparse_factor_agree_with_numpy(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - test data
    n = 30
    matrix = np.zeros((n, n))
    for _ in range(60):
        i, j = draw.randrange(n), draw.randrange(n)
        matrix[i, j] = matrix[j, i] = draw.uniform(-1, 1)
    matrix += np.diag(np.abs(matrix).sum(axis=1) + 0.5)
    rows, cols = (list(map(int, part)) for part in np.nonzero(matrix))
    kernel = solver(rows, cols, n)
    b = [draw.gauss(0, 1) for _ in range(n)]
    values = [float(matrix[i, j]) for i, j in zip(rows, cols, strict=True)]
    found = kernel(values, b, 0.0)
    assert found["definite"]
    assert list(found["x"]) == pytest.approx(np.linalg.solve(matrix, b), rel=1e-12, abs=1e-13)
    shifted = kernel(values, b, 2.0)
    assert list(shifted["x"]) == pytest.approx(
        np.linalg.solve(matrix + 2 * np.eye(n), b), rel=1e-12, abs=1e-13
    )
    least = float(np.linalg.eigvalsh(matrix)[0])
    assert not kernel(values, b, -1.001 * least)["definite"]
    assert kernel(values, b, -0.999 * least)["definite"]
