"""Drag shapes of Penrose's diagrams away and back, and measure how the diagrams change. Runs in Node.

The script tests/diagrams/graph_drags.mjs drags the shapes. tests/diagrams/dragging.mjs defines the measures.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from eglantine.diagrams import penrose_diagram
from eglantine.diagrams.graphs import gzip
from tools.bootstrap import ROOT
from tools.node import find_node

SCRIPT = ROOT / "tests" / "diagrams" / "graph_drags.mjs"
SHAPES = 3
"""The largest number of shapes that are dragged in each diagram."""


@dataclass(frozen=True)
class Stability:
    """The results of a diagram's drags.

    kick: the largest distance that another shape moves from one frame to the next, in steps of the pointer.
        It is the median over the diagram's drags.
    hysteresis: the largest distance of a shape from its first place after a drag there and back, as a
        fraction of the canvas's diagonal. It is the median over the diagram's drags.
    gaps: for each drag, the distance from the shape to the pointer when the diagram rests at the turning
        point.
    broken: the number of relations that hold before a drag, but not at the turning point.
    """

    name: str
    kick: float
    hysteresis: float
    gaps: list[float]
    broken: int


def described(artifact: dict[str, Any], name: str) -> dict[str, Any]:
    """An artifact as the script reads it."""

    def text(wasm: bytes) -> str:
        return base64.b64encode(wasm).decode()

    parts = {key: {**artifact[key], "wasm": text(artifact[key]["wasm"])} for key in ("solver", "numbers")}
    return {**artifact, **parts, "wasm": text(artifact["wasm"]), "id": name}


def dragged(jobs: list[dict[str, Any]], folder: Path, most: int) -> list[dict[str, Any]]:
    """Run the script, which drags at most `most` shapes of each diagram. Return its results."""
    job = folder / "jobs.json"
    job.write_text(json.dumps(jobs), encoding="utf-8")
    done = find_node().run([SCRIPT, job, str(most)])
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


def artifact_of(graphs: Path, file: str) -> dict[str, Any] | None:
    """Compile the modules for dragging a diagram's shapes. Return None if no shape can move."""
    at = graphs / file
    shapes = graphs / "shapes" / at.name.replace(".json.gz", ".shapes.json.gz")
    graph, drawn = (json.loads(gzip.decompress(each.read_bytes())) for each in (at, shapes))
    if not drawn["shapes"]:
        return None
    artifact = penrose_diagram(graph, drawn)
    return artifact if any(shape["moves"] for shape in artifact["shapes"]) else None


def stability(artifact: dict[str, Any], name: str, folder: Path) -> Stability:
    """Drag a few shapes of a diagram, and measure its stability. folder: for a temporary input file."""
    [told] = dragged([described(artifact, name)], folder, SHAPES)
    drags = told["drags"]
    return Stability(
        name,
        kick=median(drag["kick"] for drag in drags),
        hysteresis=median(drag["hysteresis"] for drag in drags),
        gaps=[drag["gap"] for drag in drags],
        broken=sum(drag["broken"] for drag in drags),
    )
