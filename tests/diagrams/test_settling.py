"""After a drag, relations hold and the shape is at the pointer, even if a graph is hard to solve.

graph_drags.mjs drags each shape of the small graphs by 20 units to the right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.diagrams.stability import described, dragged
from eglantine.diagrams import penrose_diagram
from tools.node import find_node

from .small_graphs import circles, small_graph

STIFF = small_graph(
    [20.0, 20.0, 20.0], [20.0, 1000.0, 30.0, 0.0],
    # The values by number are 7: x − y, 8: 1000 (x − y), 9: minus value 8, 10: y − z, 11: (y − z)²,
    # 12: z − 20, 13: (z − 20)², 14: 30 (z − 20)².
    [("sub", 0, 1), ("mul", 4, 7), ("neg", 8), ("sub", 1, 2), ("mul", 10, 10), ("sub", 2, 3), ("mul", 12, 12),
     ("mul", 5, 13)],
    objectives=[14], constraints=[8, 9, 11],
)  # fmt: skip
"""A graph with two equations in very different units, 1000 (x − y) = 0 and (y − z)² = 0. An objective pulls z
to 20."""
SPLIT = small_graph(
    [20.0, 1.0], [1.0, 21.0, 0.0],
    # The values by number are 5: |u|, 6: 1 − |u|, 7: −u, 8: x + u, 9: x + u − 21.
    [("abs", 1), ("sub", 2, 5), ("neg", 1), ("add", 0, 1), ("sub", 8, 3)],
    constraints=[6, 7, 9],
)  # fmt: skip
"""A graph with the constraints |u| ≥ 1, u ≥ 0 and x + u ≤ 21. If a solver lets u fall below 0, it may end in
the minimum at u = −0.5, and no weight of the constraints leads out of this minimum."""
HEAVY = small_graph(
    [0.0, 8.0], [80.0, 8.0, 1e5, 0.0, 1e4],
    # Value 7 is y − 80, value 8 is (y − 80)², 9 is 1e5 (y − 80)², 10 is y − 8, 11 is x², and 12 is 1e4 x².
    [("sub", 1, 2), ("mul", 7, 7), ("mul", 4, 8), ("sub", 1, 3), ("mul", 0, 0), ("mul", 6, 11)],
    objectives=[9, 12], constraints=[10],
)  # fmt: skip
"""A graph with objectives that weigh at least 10,000 times as much as usual. One pulls x to 0, and one pulls
y to 80, but a constraint keeps y at most 8."""
WISH = small_graph(
    [20.0, 0.0], [20.0, 50.0],
    # The values by number are 4: x − 20, 5: (x − 20)², 6: 50 (x − 20)², 7: y².
    [("sub", 0, 2), ("mul", 4, 4), ("mul", 3, 5), ("mul", 1, 1)],
    objectives=[6, 7],
)  # fmt: skip
"""x goes to 20."""
GRAPHS = {
    "stiff": (STIFF, [(0, 6), (1, 6), (2, 6)]),
    "split": (SPLIT, [(0, 4)]),
    "heavy": (HEAVY, [(0, 5), (0, 1)]),
    "wish": (WISH, [(0, 1)]),
}
"""Name → a graph, and the centres of its circles. A centre is given by the numbers of two values."""
COMING_BACK = Path(__file__).with_name("coming_back.mjs")
FRAME_TIME = Path(__file__).with_name("frame_time.mjs")


@pytest.fixture(scope="module")
def drags(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Name → the drags of a graph's shapes."""
    jobs = [
        described(penrose_diagram(graph, circles(graph, centres)), name)
        for name, (graph, centres) in GRAPHS.items()
    ]
    told = dragged(jobs, tmp_path_factory.mktemp("settling"), 9)
    return {one["id"]: one["drags"] for one in told}


def test_relations_in_very_different_units_hold_at_the_end_of_a_drag(
    drags: dict[str, list[dict[str, Any]]],
) -> None:
    assert [drag["broken"] for drag in drags["stiff"]] == [0, 0, 0]
    assert max(drag["gap"] for drag in drags["stiff"]) < 1.0


def test_a_drag_does_not_end_in_a_minimum_in_which_relations_do_not_hold(
    drags: dict[str, list[dict[str, Any]]],
) -> None:
    [drag] = drags["split"]
    assert drag["broken"] == 0
    assert drag["gap"] == pytest.approx(20.0, abs=0.1)  # u = 1, so x cannot be greater than 20


def test_a_shape_follows_the_pointer_although_objectives_are_heavy(
    drags: dict[str, list[dict[str, Any]]],
) -> None:
    for drag in drags["heavy"]:
        assert drag["gap"] < 0.5
        assert drag["ahead"] < 0.5
        assert drag["broken"] == 0
        assert drag["hysteresis"] < 0.01


def test_a_shape_ends_at_the_pointer_although_an_objective_pulls_it_back(
    drags: dict[str, list[dict[str, Any]]],
) -> None:
    [drag] = drags["wish"]
    assert drag["gap"] < 1.0


def test_shapes_return_although_a_solve_would_leave_the_beginning() -> None:
    done = find_node().run([COMING_BACK])
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["away"] > 5.0
    assert told["back"] == pytest.approx(0.0, abs=1e-9)


def test_the_solver_gets_the_time_that_drawing_leaves_within_two_limits() -> None:
    """One interrupted drawing has no effect, and drawings with texts have a median of their own."""
    done = find_node().run([FRAME_TIME])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"first": 4, "plain": 3.5, "unknown": 4, "slow": 1.5}
