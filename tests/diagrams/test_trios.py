"""Penrose compiles a trio of programs to a graph. Our importer reads the graph and lays it out."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bench.diagrams.stability import described, dragged
from eglantine.diagrams import graphs, penrose_diagram
from eglantine.diagrams.dragging import evaluated, joined
from tools.node import find_node

WRITTEN = Path(__file__).with_name("written_graph.mjs")
RECORDED = Path(__file__).parents[1] / "data" / "penrose_trio.json.gz"
X, Y = 0.5, 2.5
EXPECTED = {
    "neg": -X, "squared": X * X, "inverse": 1 / X, "sqrt": math.sqrt(X), "round": 3.0, "cbrt": -math.cbrt(X),
    "acosh": math.acosh(Y), "asinh": math.asinh(X), "atanh": math.atanh(X), "floor": 2.0,
    "log1p": math.log1p(X), "sum": X + Y, "sub": X - Y, "quotient": X / Y, "max": Y, "min": X,
    "pow": X**Y, "atan2": math.atan2(X, Y),
    "both": 1.0, "not": 0.0, "other": 0.0, "addN": X + Y + 3, "maxN": Y, "minN": X, "none": -math.inf,
    "again": X + Y,
}  # fmt: skip


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """What written_graph.mjs prints."""
    done = find_node().run([WRITTEN])
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_every_operation_of_penrose_is_translated(written: dict[str, Any]) -> None:
    graph = graphs.from_json(written["graph"])
    values = evaluated(graph, graph.x0)
    found = dict(zip(written["names"], (values[k] for k in graph.objectives), strict=True))
    assert found == pytest.approx(EXPECTED, rel=1e-15)
    names = dict(zip(written["names"], graph.objectives, strict=True))
    assert names["again"] == names["sum"]  # an operation is written once
    assert written["graph"]["x0"][2] == "-0"
    assert written["graph"]["stages"] == [
        {"name": "", "inputs": [0, 1], "objectives": [*range(len(names))], "constraints": [0]}
    ]


def test_long_chains_are_translated_and_roots_of_polynomials_are_an_error(written: dict[str, Any]) -> None:
    assert written["chain"] == 100_000
    assert "roots of polynomials" in written["refused"]


def test_shapes_have_their_numbers_and_all_of_penroses_inputs_are_listed(
    written: dict[str, Any],
) -> None:
    artifact = penrose_diagram(written["graph"], written["shapes"])
    assert [shape["name"] for shape in artifact["shapes"]] == ["A.icon", "t"]
    assert artifact["starts"][0] == [X, Y]
    assert [term["words"] for term in artifact["terms"][-2:]] == ["line 0", "line 7"]
    assert artifact["terms"][-1]["line"] == 7
    assert (written["inputs"], written["positioned"]) == (1, 2)  # the text's place is computed
    assert written["last"] == [*range(len(EXPECTED) + 1)]


def test_an_image_of_a_trio_is_an_empty_box(written: dict[str, Any]) -> None:
    image = {
        "shapeType": "Image", "name": "A.image", "center": [1.0, 2.0], "width": 30.0, "height": 20.0,
        "href": "data:image/svg+xml,<svg/>", "rotation": 0,
    }  # fmt: skip
    artifact = penrose_diagram(written["graph"], {**written["shapes"], "shapes": [image]})
    [shape] = artifact["shapes"]
    assert (shape["name"], shape["kind"], shape["content"]) == ("A.image", "rectangle", "")
    assert "svg" not in json.dumps(shape)


def test_a_recorded_trio_has_penroses_energy_and_can_be_dragged(tmp_path: Path) -> None:
    recorded = json.loads(gzip.decompress(RECORDED.read_bytes()))
    graph = graphs.from_json(recorded["graph"])
    [reference] = graph.references
    whole = joined(graph, recorded["shapes"], 0)
    values = evaluated(whole.graph, graph.x_final)
    assert [values[whole.number(k)] for k in graph.objectives] == pytest.approx(
        reference.objectives, rel=1e-12
    )
    missed = [values[whole.number(k)] for k in graph.constraints]
    assert missed == pytest.approx(reference.constraints, rel=1e-12)
    energy = sum(reference.objectives) + reference.weight * sum(max(by, 0.0) ** 2 for by in missed)
    assert energy == pytest.approx(reference.phi, rel=1e-12)

    artifact = penrose_diagram(recorded["graph"], recorded["shapes"])
    moving = [shape["name"] for shape in artifact["shapes"] if shape["moves"]]
    assert len(moving) == len(artifact["shapes"]) == recorded["theirs"]["positioned"]
    assert recorded["theirs"]["inputs"] == len(moving) // 2  # the circles, and no label
    [told] = dragged([described(artifact, "trio")], tmp_path, len(moving))
    assert [drag["broken"] for drag in told["drags"]] == [0] * len(moving)
    assert median(drag["hysteresis"] for drag in told["drags"]) < 0.01
    assert median(drag["kick"] for drag in told["drags"]) < 2
