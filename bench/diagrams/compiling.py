"""From a diagram's graph to the modules of its stages, pass by pass.

This module runs in Pyodide and on CPython.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import eglantine as eg
from bench.diagrams.energy import Energies
from bench.diagrams.graphs import Graph, Stage
from eglantine.artifact import Artifact
from eglantine.emit import emit
from eglantine.liveness import live_rows
from eglantine.optimise import optimise, ready_library

PASSES = ("import", "differentiate", "optimise", "emit")


@dataclass(frozen=True)
class Compiled:
    """A stage's energy with its gradient.

    rows: that were emitted.
    passes_ms: each pass, in the order of PASSES.
    """

    artifact: Artifact
    rows: int
    passes_ms: tuple[float, ...]


def compile_stages(graph: Graph, stages: Sequence[Stage]) -> list[Compiled]:
    """What each stage compiles to; stages in which the same takes part share it."""
    start = time.perf_counter()
    energies = Energies(graph)
    looked_through = time.perf_counter() - start
    known: dict[tuple[tuple[int, ...], ...], Compiled] = {}
    found = []
    for stage in stages:
        key = stage.inputs, stage.objectives, stage.constraints
        if key not in known:
            known[key] = _compiled(energies, stage, 0.0 if known else looked_through)
        found.append(known[key])
    return found


def _compiled(energies: Energies, stage: Stage, before: float) -> Compiled:
    """What a stage compiles to; `before`: seconds that count as import too."""
    clock = time.perf_counter
    times = [clock() - before]
    f = energies.of(stage)
    times.append(clock())
    function = eg.value_and_grad(f).function
    times.append(clock())
    optimised = optimise(function)
    times.append(clock())
    artifact = emit(optimised, ready_library)
    times.append(clock())
    assert optimised.block is not None
    spans = tuple(1e3 * (end - begin) for begin, end in pairwise(times))
    return Compiled(artifact, sum(live_rows(optimised.block).flags), spans)
