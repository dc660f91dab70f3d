"""The contestants of `python3 -m bench derivatives` compute the same numbers."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bench import derivatives_chunks, derivatives_edges, derivatives_sparse, dragging
from bench.derivatives_peers import Peer, contest
from bench.measure import OURS, Row


def agree(row: Row) -> bool:
    """True if all contestants agree. A contestant may be missing if the row gives a reason."""
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


def test_the_work_for_a_move_is_read_from_a_trace() -> None:
    def frame(start: float, wall: float, processor: float) -> dict[str, Any]:
        return {"name": "FireAnimationFrame", "ts": start, "dur": wall, "tdur": processor}

    events = [frame(0.0, 50.0, 40.0)]
    for k in range(8):
        begins = 1000.0 * k + 100.0
        events += [
            {"name": dragging.MOVE, "ts": begins + 1.0},
            frame(begins, 300.0, 200.0 + k),
            frame(begins + 600.0, 200.0, 150.0),
            {"name": "FireAnimationFrame", "ts": begins + 850.0},
        ]
    work = dragging.work_in(json.dumps({"traceEvents": events}).encode())
    assert work == pytest.approx([0.355, 0.356])


@pytest.mark.nightly
def test_all_sparse_matrices_and_groups_of_directions_agree() -> None:
    rows = [*derivatives_edges.rows(check=True), *derivatives_sparse.rows(check=True)]
    rows += derivatives_chunks.rows(check=True)
    assert all(map(agree, rows))
