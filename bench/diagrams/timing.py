"""How long a diagram takes: from its graph to the last of the optimiser's evaluations.

This module runs in Pyodide and on CPython: it drives a compiled module through the host's protocol. There are
as many evaluations as the optimiser made, each at another point x0 + t·(x_final − x0) than the one before;
the optimiser's own arithmetic is not part of it.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import eglantine as eg
from bench.diagrams.energy import energy
from bench.diagrams.graphs import Graph, Stage
from eglantine.artifact import Artifact
from eglantine.emit import emit
from eglantine.hosts import Instance
from eglantine.liveness import live_rows
from eglantine.optimise import optimise, ready_library
from eglantine.runtime import default_host

PASSES = ("import", "differentiate", "optimise", "emit")
POINTS = 64
FIRST = 100
"""The evaluations that count as the first ones: an engine's better compiler may not have come yet."""
STEADY = 5
"""How many batches of as many evaluations say what one takes in the end."""
WEIGHT = 1e3


@dataclass(frozen=True)
class StageTiming:
    """What one stage took.

    rows, bytes: that were emitted.
    passes_ms: each pass, in the order of PASSES.
    begin_ms: instantiating and the first call.
    first_us, steady_us: an evaluation, among the first hundred and in the end.
    evaluations_ms: all evaluations but the first.
    """

    rows: int
    bytes: int
    passes_ms: tuple[float, ...]
    begin_ms: float
    first_us: float
    steady_us: float
    evaluations_ms: float

    @property
    def compile_ms(self) -> float:
        """All passes."""
        return sum(self.passes_ms)

    @property
    def total_ms(self) -> float:
        """All there is to wait for."""
        return self.compile_ms + self.begin_ms + self.evaluations_ms


def time_stage(graph: Graph, stage: Stage) -> StageTiming:
    """Compile a stage's energy with its gradient and evaluate it as often as its optimiser did."""
    artifact, rows, passes = compile_stage(graph, stage)
    points = moving_points(graph, stage)
    frozen = array("d", stage.divide(graph.x0)[1]).tobytes()
    start = time.perf_counter()
    instance = default_host().instantiate(artifact.wasm, artifact.abi, ())
    at_x, at_frozen, at_weight = (param["leaves"][0]["at"] for param in artifact.abi["params"])
    instance.write(at_frozen, frozen)
    instance.write(at_weight, array("d", [WEIGHT]).tobytes())
    evaluate(instance, at_x, points, range(1))
    begin = time.perf_counter() - start
    count = max(stage.evaluations - 1, 0)
    first = evaluate(instance, at_x, points, range(min(count, FIRST)))
    rest = evaluate(instance, at_x, points, range(FIRST, count))
    head = first if count >= FIRST else evaluate(instance, at_x, points, range(FIRST))
    batches = [evaluate(instance, at_x, points, range(FIRST)) for _ in range(STEADY)]
    per_call = 1e6 / FIRST
    return StageTiming(
        rows,
        len(artifact.wasm),
        passes,
        1e3 * begin,
        per_call * head,
        per_call * median(batches),
        1e3 * (first + rest),
    )


def compile_stage(graph: Graph, stage: Stage) -> tuple[Artifact, int, tuple[float, ...]]:
    """The compiled energy and gradient, how many rows were emitted, and the passes' milliseconds."""
    clock = time.perf_counter
    times = [clock()]
    f = energy(graph, stage)
    times.append(clock())
    function = eg.value_and_grad(f).function
    times.append(clock())
    optimised = optimise(function)
    times.append(clock())
    artifact = emit(optimised, ready_library)
    times.append(clock())
    assert optimised.block is not None
    spans = tuple(1e3 * (end - begin) for begin, end in pairwise(times))
    return artifact, sum(live_rows(optimised.block).flags), spans


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
