"""The page's own code lays out diagrams that are imported as graphs, and drags their shapes."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bench.diagrams import registry
from bench.diagrams.stability import artifact_of, described, dragged, stability
from eglantine.diagrams import penrose_diagram
from eglantine.diagrams.graphs import FORMAT
from tests.seeds import NIGHTLY

from .small_graphs import LOOK

SLICE = 3
"""The number of evaluations in a slice of a solve in graph_drags.mjs."""
LINE_SEARCH = 13
"""The largest number of evaluations by which a slice may exceed SLICE: a line search, and the first
evaluation of the next solve."""

MOVABLE = 122
"""The number of diagrams in the registry in which the position of some shape depends on an unknown."""

GRAPH: dict[str, Any] = {
    "format": FORMAT, "id": "small", "n_inputs": 3, "consts": [10.0, 50.0], "opnames": ["add", "sub", "mul"],
    # 5: x + 10, 6: x − 50, 7: y²
    "op": [0, 1, 2], "a": [0, 0, 1], "b": [3, 4, 1], "c": [-1, -1, -1],
    "objectives": [7], "constraints": [6],
    "stages": [{"inputs": [0, 1], "objectives": [0], "constraints": [0]}],
    "optim": {"stages": [{"evals": 1}]}, "ref": [], "x0": [0.0, 8.0, 5.0], "x_final": [20.0, 0.0, 5.0],
}  # fmt: skip
"""The graph of a circle at (x, y) with the fixed radius r. The circle's label is at (x + 10, y). The
objective is y², and the constraint is x ≤ 50."""
SHAPES: dict[str, Any] = {
    "canvas": [200, 100], "base": 8, "consts": [2.0], "op": ["mul"], "a": [2], "b": [8], "c": [-1],
    "shapes": [
        {"name": "`A`.icon", "shapeType": "Circle", "center": [{"id": 0}, {"id": 1}], "r": {"id": 9}, **LOOK},
        {"name": "`A`.text", "shapeType": "Equation", "center": [{"id": 5}, {"id": 1}], "width": 9.0,
         "height": 6.0, "rotation": 0, "string": "\\vec{a}", "fontSize": "10px", **LOOK},
        {"name": "wall", "shapeType": "Line", "start": [50, -40], "end": [50, 40], **LOOK},
    ],
}  # fmt: skip


def test_dragging_a_computed_label_moves_its_circle(tmp_path: Path) -> None:
    artifact = penrose_diagram(GRAPH, SHAPES)
    assert [shape["name"] for shape in artifact["shapes"]] == ["A.icon", "A.text", "wall"]
    assert [shape["moves"] for shape in artifact["shapes"]] == [True, True, False]
    assert [term["must"] for term in artifact["terms"]] == [False, True]
    assert artifact["shapes"][1]["content"] == "a"
    [told] = dragged([described(artifact, "small")], tmp_path, 9)
    assert told["shown"]["0.x"] == pytest.approx(20, abs=1e-3)
    assert told["shown"]["0.r"] == pytest.approx(10)
    for drag in told["drags"]:
        assert drag["broken"] == 0
        assert drag["hysteresis"] < 0.01
        assert drag["kick"] < 2
    label = next(drag for drag in told["drags"] if drag["shape"] == 1)
    assert label["gap"] < 1.0  # the pointer goes 20 units right, and the circle does not reach the wall yet
    assert label["others"][0] == pytest.approx([40, 0], abs=1.0)


def test_a_solve_in_slices_ends_as_the_whole_solve_does(tmp_path: Path) -> None:
    [told] = dragged([described(penrose_diagram(GRAPH, SHAPES), "small")], tmp_path, 9)
    assert told["sliced"]["x"] == told["whole"]
    assert told["sliced"]["slices"] > 1
    assert told["sliced"]["most"] <= SLICE + LINE_SEARCH


@pytest.mark.nightly
@pytest.mark.skipif(registry.folder() is None, reason="the graphs are not on this machine")
def test_dragging_in_any_diagram_of_the_registry_moves_others_smoothly(tmp_path: Path) -> None:
    folder = registry.folder()
    assert folder is not None
    entries = registry.index(folder).items()
    artifacts = ((name, artifact_of(folder, entry["file"])) for name, entry in entries)
    told = [stability(artifact, name, tmp_path) for name, artifact in artifacts if artifact is not None]
    assert NIGHTLY
    assert len(told) == MOVABLE
    assert {one.name: one.broken for one in told if one.broken} == {}
    assert median(one.kick for one in told) < 2
    assert sum(one.hysteresis < 0.01 for one in told) >= 0.89 * len(told)
