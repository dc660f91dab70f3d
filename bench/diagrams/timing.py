"""Measures the time that a diagram takes, from its graph to the last of the optimiser's evaluations.

This module measures on CPython with wasmtime, and bench/groups/diagrams.js does the same in a browser. There
are as many evaluations as the optimiser made. The point x0 + t·(x_final − x0) changes from each to the next.
The optimiser's own arithmetic is not included.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eglantine.diagrams.compiling import Compiled, Program, compile_stages
from eglantine.diagrams.graphs import Graph, Stage
from eglantine.inside import default_host

POINTS = 64
WEIGHT = 1e3


@dataclass(frozen=True)
class Timing:
    """The times of a diagram in milliseconds.

    begin: instantiating and the first call of each stage.
    evaluations: all evaluations except the first of each stage.
    """

    program: Program
    begin: float
    evaluations: float

    @property
    def compiling(self) -> float:
        """The time of all passes."""
        return sum(sum(part.passes_ms) for part in self.program.parts)

    @property
    def total(self) -> float:
        """The whole time that a person waits."""
        return self.compiling + self.begin + self.evaluations


def time_diagram(graph: Graph) -> Timing:
    """Compile a diagram's stages and evaluate each as often as its optimiser did."""
    program = compile_stages(graph, graph.stages)
    points = [moving_points(graph, stage, program.inputs) for stage in graph.stages]
    start = time.perf_counter()
    parts = [Part(graph, program, part) for part in program.parts]
    stages = [[parts[k] for k in numbers] for numbers in program.of]
    for of_stage, places in zip(stages, points, strict=True):
        evaluate(of_stage, places[0])
    begun = time.perf_counter()
    for stage, of_stage, places in zip(graph.stages, stages, points, strict=True):
        for k in range(1, stage.evaluations):
            evaluate(of_stage, places[k % POINTS])
    return Timing(program, 1e3 * (begun - start), 1e3 * (time.perf_counter() - begun))


class Part:
    """An instance of a module, with its frozen inputs and weight in memory."""

    def __init__(self, graph: Graph, program: Program, part: Compiled) -> None:
        abi = part.artifact.abi
        self._instance = default_host().instantiate(part.artifact.wasm, abi, ())
        at = [param["leaves"][0]["at"] for param in abi["params"]]
        self._at_x = at[0]
        self._at_gradient = abi["result"]["leaves"][1]["at"]
        self._size = 8 * len(program.inputs)
        frozen = Stage(program.inputs, (), ()).divide(graph.x0)[1]
        self._instance.write(at[1], array("d", frozen).tobytes())
        self._instance.write(at[2], array("d", [WEIGHT]).tobytes())

    def gradient(self, x: bytes) -> Any:
        """The gradient at x, which is valid until the next call."""
        self._instance.write(self._at_x, x)
        self._instance.call()
        return np.frombuffer(self._instance.read(self._at_gradient, self._size))


def moving_points(graph: Graph, stage: Stage, inputs: Sequence[int]) -> list[bytes]:
    """Points between a stage's first and last point, as bytes of memory, for the modules' inputs."""
    free = set(stage.inputs)
    ends = [(graph.x0[k], graph.x_final[k] if k in free else graph.x0[k]) for k in inputs]
    return [array("d", [a + (b - a) * j / POINTS for a, b in ends]).tobytes() for j in range(POINTS)]


def evaluate(parts: Sequence[Part], x: bytes) -> Any:
    """The gradient of a stage, which is the sum of its parts' gradients."""
    total = parts[0].gradient(x) if parts else None
    for part in parts[1:]:
        total = total + part.gradient(x)
    return total
