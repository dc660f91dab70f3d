"""Read the graph of an energy in the format `penrose-scalar-dag/1`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = "penrose-scalar-dag/1"


@dataclass(frozen=True)
class Stage:
    """A stage of the layout, which moves some of the inputs.

    inputs: the numbers of the inputs that the stage moves.
    objectives, constraints: the positions of the stage's terms in the graph's lists.
    evaluations: how often Penrose's own optimiser evaluated the energy in this stage.
    """

    inputs: tuple[int, ...]
    objectives: tuple[int, ...]
    constraints: tuple[int, ...]
    evaluations: int = 0

    def divide(self, x: Sequence[float]) -> tuple[list[float], list[float]]:
        """Split x into two lists: the inputs that the stage moves, and all other inputs."""
        frozen = sorted(set(range(len(x))).difference(self.inputs))
        return [x[k] for k in self.inputs], [x[k] for k in frozen]


@dataclass(frozen=True)
class Reference:
    """Known values of the energy and its gradient at a point, for tests.

    stage: the stage of the energy, with its inputs, objectives and constraints.
    weight: the weight of the penalties.
    gradient: the gradient with respect to all inputs. It is 0 for inputs that the stage does not use.
    """

    at: str
    stage: Stage
    x: tuple[float, ...]
    weight: float
    phi: float
    gradient: tuple[float, ...]
    objectives: tuple[float, ...]
    constraints: tuple[float, ...]


@dataclass(frozen=True)
class Graph:
    """A diagram's energy as a graph: a list of operations on numbers.

    Each value has a number. The inputs have the first numbers, from 0. The constants follow, and then the
    results of the operations, in order.

    ops: for each operation, the position of its name in `names`.
    a, b, c: for each operation, the numbers of its first, second and third operand. −1 means no operand.
    objectives, constraints: the numbers of the values that are objectives and constraints.
    """

    name: str
    n_inputs: int
    consts: tuple[float, ...]
    names: tuple[str, ...]
    ops: Sequence[int]
    a: Sequence[int]
    b: Sequence[int]
    c: Sequence[int]
    objectives: tuple[int, ...]
    constraints: tuple[int, ...]
    stages: tuple[Stage, ...]
    x0: tuple[float, ...]
    x_final: tuple[float, ...]
    references: tuple[Reference, ...]

    @property
    def first(self) -> int:
        """The number of the first operation's result."""
        return self.n_inputs + len(self.consts)

    @property
    def everything(self) -> Stage:
        """A stage that uses all inputs, objectives and constraints."""
        counts = (self.n_inputs, len(self.objectives), len(self.constraints))
        inputs, objectives, constraints = (tuple(range(count)) for count in counts)
        return Stage(inputs, objectives, constraints)


def read(path: Path) -> Graph:
    """Read the graph in a file."""
    return from_json(json.loads(gzip.decompress(path.read_bytes())))


def from_json(data: Mapping[str, Any]) -> Graph:
    """Make the graph that a file's JSON data describes.

    Raises: ValueError for another format.
    """
    if data["format"] != FORMAT:
        raise ValueError(
            f"This graph has the format {data['format']}, but this version reads only the format {FORMAT}. "
            "Write the graph again with this version."
        )
    stages = tuple(map(_stage, data["stages"], data["optim"]["stages"]))
    graph = Graph(
        data["id"],
        data["n_inputs"],
        _numbers(data["consts"]),
        tuple(data["opnames"]),
        data["op"],
        data["a"],
        data["b"],
        data["c"],
        tuple(data["objectives"]),
        tuple(data["constraints"]),
        stages,
        _numbers(data["x0"]),
        _numbers(data["x_final"]),
        (),
    )
    references = tuple(_reference(reference, graph) for reference in data["ref"])
    return Graph(**{**vars(graph), "references": references})


def _stage(data: Mapping[str, Any], optimised: Mapping[str, Any]) -> Stage:
    inputs, objectives, constraints = (tuple(data[kind]) for kind in ("inputs", "objectives", "constraints"))
    return Stage(inputs, objectives, constraints, optimised["evals"])


def _reference(data: Mapping[str, Any], graph: Graph) -> Reference:
    masks = data["masks"]
    return Reference(
        data["at"],
        graph.everything if masks == "all" else graph.stages[masks],
        graph.x0 if data["at"] == "x0" else graph.x_final,
        float(data["weight"]),
        float(data["phi"]),
        _numbers(data["gradient"]),
        _numbers(data["objectives"]),
        _numbers(data["constraints"]),
    )


def _numbers(values: Sequence[Any]) -> tuple[float, ...]:
    """Convert numbers from JSON to floats.

    The strings "inf", "-inf", "nan" and "-0" stand for values that JSON cannot express.
    """
    return tuple(map(float, values))
