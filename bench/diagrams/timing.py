"""How long a diagram takes: from its graph to the last of the optimiser's evaluations.

Here on CPython, in wasmtime; bench/groups/diagrams.js does the same in a browser. There are as many
evaluations as the optimiser made, each at another point x0 + t·(x_final − x0) than the one before; the
optimiser's own arithmetic is not part of it.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.diagrams.compiling import Compiled, compile_stages
from bench.diagrams.graphs import Graph, Stage
from eglantine.hosts import Instance
from eglantine.runtime import default_host

POINTS = 64
FIRST = 100
"""The evaluations that count as the first ones: an engine's better compiler may not have come yet."""
WEIGHT = 1e3


@dataclass(frozen=True)
class StageTiming:
    """What one stage took.

    compiled: the module, and what its passes took where no earlier stage shares it, else None.
    begin_ms: instantiating and the first call.
    evaluations_ms: all evaluations but the first.
    """

    compiled: Compiled | None
    begin_ms: float
    evaluations_ms: float

    @property
    def compile_ms(self) -> float:
        """All passes."""
        return sum(self.compiled.passes_ms) if self.compiled else 0.0

    @property
    def total_ms(self) -> float:
        """All there is to wait for."""
        return self.compile_ms + self.begin_ms + self.evaluations_ms


def time_diagram(graph: Graph) -> list[StageTiming]:
    """Compile a diagram's stages and evaluate each as often as its optimiser did."""
    compiled = compile_stages(graph, graph.stages)
    return [
        time_stage(graph, stage, one, shared=one in compiled[:k])
        for k, (stage, one) in enumerate(zip(graph.stages, compiled, strict=True))
    ]


def time_stage(graph: Graph, stage: Stage, compiled: Compiled, *, shared: bool = False) -> StageTiming:
    """Instantiate a stage's module and evaluate it as often as its optimiser did."""
    wasm, abi = compiled.artifact.wasm, compiled.artifact.abi
    points = moving_points(graph, stage)
    frozen = array("d", stage.divide(graph.x0)[1]).tobytes()
    start = time.perf_counter()
    instance = default_host().instantiate(wasm, abi, ())
    at_x, at_frozen, at_weight = (param["leaves"][0]["at"] for param in abi["params"])
    instance.write(at_frozen, frozen)
    instance.write(at_weight, array("d", [WEIGHT]).tobytes())
    evaluate(instance, at_x, points, range(1))
    begin = time.perf_counter() - start
    rest = evaluate(instance, at_x, points, range(1, stage.evaluations))
    return StageTiming(None if shared else compiled, 1e3 * begin, 1e3 * rest)


def moving_points(graph: Graph, stage: Stage) -> list[bytes]:
    """Points between the first and the last one, as bytes of memory."""
    ends = stage.divide(graph.x0)[0], stage.divide(graph.x_final)[0]
    return [
        array("d", [a + (b - a) * j / POINTS for a, b in zip(*ends, strict=True)]).tobytes()
        for j in range(POINTS)
    ]


def evaluate(instance: Instance, at: int, points: Sequence[Any], numbers: range) -> float:
    """The seconds that evaluations with these numbers take."""
    write, call = instance.write, instance.call
    start = time.perf_counter()
    for k in numbers:
        write(at, points[k % POINTS])
        call()
    return time.perf_counter() - start
