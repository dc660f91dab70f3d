"""The benchmark of NIST's problems counts correct digits, and names each library that is missing."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from bench.groups import nist
from bench.measure import OURS
from tests.solvers.nist import PROBLEMS

pytest.importorskip("wasmtime")


def test_the_bench_of_nist_has_summaries_and_three_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)  # as if it were not installed
    monkeypatch.setattr(nist, "PROBLEMS", {"BoxBOD": PROBLEMS["BoxBOD"]})
    monkeypatch.setattr(nist, "FEWEST_GOOD", 2)
    lab: Any = SimpleNamespace(say=lambda _: None, check=False)
    rows = list(nist.rows(lab))
    assert [row.title for row in rows if row.host == "digits"] == ["BoxBOD, start 1", "BoxBOD, start 2"]
    assert {row.host for row in rows} == {"", "digits", "evaluations", "times"}
    assert all(row.mark == "✓" for row in rows if row.target is not None)
    assert "scipy" in rows[0].missing["SciPy"]
    assert all(row.series[OURS].median >= 10 for row in rows if row.host == "digits")


def test_a_contestant_that_gives_up_has_no_digits() -> None:
    assert nist.correct("BoxBOD, start 1", None) == 0.0
    wrong = nist.Fit([1.0, 1.0], None, 3)
    assert nist.correct("BoxBOD, start 1", wrong) == pytest.approx(0.0, abs=0.1)


def test_the_models_in_numpy_have_the_certified_values() -> None:
    for name, problem in PROBLEMS.items():
        residuals, _, _ = nist.numpy_model(problem)
        total = float((residuals(problem.parameters) ** 2).sum())
        if name != "Lanczos1":
            assert total == pytest.approx(problem.residual_sum, rel=1e-9)
