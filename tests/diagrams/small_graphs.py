"""Small graphs of energies, in the format of Penrose's diagrams. Their shapes are circles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.diagrams.graphs import FORMAT

LOOK = {"strokeWidth": 1, "strokeColor": [0, 0, 0, 1], "fillColor": [1, 0.5, 0, 1]}


def small_graph(
    x: Sequence[float], consts: Sequence[float], ops: Sequence[tuple[Any, ...]], *,
    objectives: Sequence[int] = (), constraints: Sequence[int] = (),
) -> dict[str, Any]:  # fmt: skip
    """Make a graph with the initial inputs `x`. All inputs are unknowns.

    ops: a tuple (name, operand, …) for each operation. An operand is the number of a value. The inputs have
        the first numbers. The constants follow, and then the results of the operations.
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
    """Make a circle for each centre. A centre gives the numbers of two values of the graph, for x and y."""
    base = graph["n_inputs"] + len(graph["consts"]) + len(graph["op"])
    shapes = [
        {"name": f"`{k}`.icon", "shapeType": "Circle", "center": [{"id": x}, {"id": y}], "r": 4, **LOOK}
        for k, (x, y) in enumerate(centres)
    ]
    return {"canvas": [200, 100], "base": base, "consts": [], "op": [], "a": [], "b": [], "c": [],
            "shapes": shapes}  # fmt: skip
