"""The benchmark of solvers compares solutions, and names each library that is missing."""

from __future__ import annotations

import sys

import pytest

from bench.groups import solvers
from bench.measure import OURS

pytest.importorskip("wasmtime")


@pytest.fixture(autouse=True)
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scipy", "jax", "jaxopt"):  # as if they were not installed
        monkeypatch.setitem(sys.modules, name, None)


def test_solutions_are_compared_and_missing_peers_are_named() -> None:
    (row,) = solvers.of_rosenbrock(10, True)
    assert (row.compared, row.wrong) == ((OURS,), "")
    assert set(row.missing) == {solvers.WITH_OUR_GRADIENT, solvers.WITH_DIFFERENCES, solvers.JAXOPT}


def test_a_wrong_solution_is_reported() -> None:
    right, wrong = (solvers.Solver(lambda x=x: ([x], 1.0)) for x in (1.0, 2.0))
    row = solvers.an_evaluation("", {OURS: right, "peer": wrong}, {}, "peer", 1.0, True)
    assert "number 0 is 1.0 by ours, 2.0 by peer" in row.wrong


def test_the_bench_fits_the_problems_of_nist() -> None:
    assert solvers.of_fit("Misra1a", True).compared == (OURS,)
