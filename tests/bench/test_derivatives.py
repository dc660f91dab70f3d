"""The contestants of `python3 -m bench derivatives` compute the same numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench import derivatives_chunks, derivatives_edges, derivatives_sparse
from bench.derivatives_peers import Peer, contest
from bench.measure import OURS, Row


def agree(row: Row) -> bool:
    """Whether all contestants that took part agree, and each that did not has a reason."""
    return not row.wrong and OURS in row.compared and all(row.missing.values())


def test_edge_pushing_gives_the_hessian_of_the_star_colouring() -> None:
    arrow = next(problem for problem in derivatives_edges.problems() if "arrow" in problem.title)
    (row,) = derivatives_edges.rows_of(replace(arrow, unknowns=9, places=arrow.places[:8]), check=True)
    assert agree(row)
    assert row.compared == (OURS, derivatives_edges.PUSHED, derivatives_edges.BY_TERM)


def test_a_library_that_is_not_installed_is_missing_with_a_reason() -> None:
    def make() -> None:
        raise ModuleNotFoundError("No module named 'casadi'")

    row = contest("a", "ms", {}, [Peer("CasADi", make)], check=True)  # type: ignore[arg-type]
    assert row.missing == {"CasADi": "No module named 'casadi' (pip install eglantine[bench])"}


@pytest.mark.nightly
def test_all_sparse_matrices_and_groups_of_directions_agree() -> None:
    rows = [*derivatives_edges.rows(check=True), *derivatives_sparse.rows(check=True)]
    rows += derivatives_chunks.rows(check=True)
    assert all(map(agree, rows))
