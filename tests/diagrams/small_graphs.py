"""Small graphs of energies with circles, as Penrose's compiler writes them, and what the page's own code does with them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eglantine.diagrams.graphs import FORMAT
from tools.node import find_node

SCRIPT = Path(__file__).with_name("graph_drags.mjs")
LOOK = {"strokeWidth": 1, "strokeColor": [0, 0, 0, 1], "fillColor": [1, 0.5, 0, 1]}


def small_graph(
    x: Sequence[float], consts: Sequence[float], ops: Sequence[tuple[Any, ...]], *,
    objectives: Sequence[int] = (), constraints: Sequence[int] = (),
) -> dict[str, Any]:  # fmt: skip
    """A graph with the inputs x, all of which are unknowns.

    ops: (name, operand, …). Operands are numbers of values: first the inputs, then the constants, then ops.
    """
    names = sorted({name for name, *_ in ops})
    columns = [[(*operands, -1, -1, -1)[k] for _, *operands in ops] for k in range(3)]
    stage = {
        "inputs": [*range(len(x))], "objectives": [*range(len(objectives))],
        "constraints": [*range(len(constraints))],
    }  # fmt: skip
    return {
        "format": FORMAT, "id": "small", "n_inputs": len(x), "consts": [*consts], "opnames": names,
        "op": [names.index(name) for name, *_ in ops], "a": columns[0], "b": columns[1], "c": columns[2],
        "objectives": [*objectives], "constraints": [*constraints], "stages": [stage],
        "optim": {"stages": [{"evals": 1}]}, "ref": [], "x0": [*x], "x_final": [*x],
    }  # fmt: skip


def circles(graph: dict[str, Any], centres: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The shapes file with circles around points. A point consists of the numbers of two values."""
    base = graph["n_inputs"] + len(graph["consts"]) + len(graph["op"])
    shapes = [
        {"name": f"`{k}`.icon", "shapeType": "Circle", "center": [{"id": x}, {"id": y}], "r": 4, **LOOK}
        for k, (x, y) in enumerate(centres)
    ]
    return {"canvas": [200, 100], "base": base, "consts": [], "op": [], "a": [], "b": [], "c": [],
            "shapes": shapes}  # fmt: skip


def described(artifact: dict[str, Any], name: str) -> dict[str, Any]:
    """An artifact as graph_drags.mjs reads it."""

    def text(wasm: bytes) -> str:
        return base64.b64encode(wasm).decode()

    parts = {key: {**artifact[key], "wasm": text(artifact[key]["wasm"])} for key in ("solver", "numbers")}
    return {**artifact, **parts, "wasm": text(artifact["wasm"]), "id": name}


def dragged(jobs: list[dict[str, Any]], folder: Path, most: int) -> list[dict[str, Any]]:
    """The answer of graph_drags.mjs about the diagrams."""
    job = folder / "jobs.json"
    job.write_text(json.dumps(jobs), encoding="utf-8")
    done = find_node().run([SCRIPT, job, str(most)])
    assert done.returncode == 0, done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told
