"""Compile a diagram's graph to Wasm modules, and measure the time of each pass.

A diagram is laid out in stages. Several stages may use the same term of the energy. We group the terms by the
stages that use them, and compile each group to one module. The energy of a stage is the sum of several
modules' energies, so no term is compiled twice. This code runs in Pyodide and on CPython.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from eglantine.emit.artifact import Artifact
from eglantine.emit.module import emit
from eglantine.optimise.pipeline import optimise, ready_library

from .energy import Energies
from .graphs import Graph, Stage

PASSES = ("import", "differentiate", "optimise", "emit")


@dataclass(frozen=True)
class Compiled:
    """A compiled energy with its gradient.

    rows: the number of rows of the compiled function, without the rows inside loops.
    passes_ms: the time of each pass in milliseconds, in the order of PASSES.
    """

    artifact: Artifact
    rows: int
    passes_ms: tuple[float, ...]


@dataclass(frozen=True)
class Program:
    """The energies of all stages.

    inputs: the inputs that at least one stage uses, in ascending order. Every module takes all of them.
    parts: the compiled modules. Each computes a part of the energy of one or more stages.
    of: for each stage, the positions of its modules in `parts`. The sum of these modules' energies is the
        energy of the stage.
    """

    inputs: tuple[int, ...]
    parts: list[Compiled]
    of: list[list[int]]


def compile_stages(graph: Graph, stages: Sequence[Stage]) -> Program:
    """Compile the stages of a diagram."""
    start = time.perf_counter()
    energies = Energies(graph)
    parts, of = divided(stages)
    before = time.perf_counter() - start
    compiled = [_compiled(energies, part, 0.0 if k else before) for k, part in enumerate(parts)]
    return Program(every_input(stages), compiled, of)


def every_input(stages: Sequence[Stage]) -> tuple[int, ...]:
    """Return the inputs that at least one stage uses, in order."""
    return tuple(sorted(set[int]().union(*[stage.inputs for stage in stages])))


def divided(stages: Sequence[Stage]) -> tuple[list[Stage], list[list[int]]]:
    """Divide stages into parts so that each term is in exactly one part.

    Return the parts, and for each stage a list of the positions of its parts.
    """
    terms: dict[tuple[bool, ...], tuple[list[int], list[int]]] = {}
    for kind, of_stages in enumerate(
        ([set(stage.objectives) for stage in stages], [set(stage.constraints) for stage in stages])
    ):
        for term in sorted(set[int]().union(*of_stages)):
            where = tuple([term in of_stage for of_stage in of_stages])
            terms.setdefault(where, ([], []))[kind].append(term)
    inputs = every_input(stages)
    parts = [
        Stage(inputs, tuple(objectives), tuple(constraints)) for objectives, constraints in terms.values()
    ]
    return parts, [[k for k, where in enumerate(terms) if where[stage]] for stage in range(len(stages))]


def _compiled(energies: Energies, part: Stage, before: float) -> Compiled:
    """Compile a part of the stages' energies.

    before: the seconds that earlier work took. They count as time of this part's first pass, "import".
    """
    clock = time.perf_counter
    times = [clock() - before]
    making = energies.of(part)
    times.append(clock())
    function, unfinished = making.energy_and_gradient()
    times.append(clock())
    optimised = optimise(function) if unfinished else function
    times.append(clock())
    artifact = emit(optimised, ready_library)
    times.append(clock())
    assert optimised.block is not None
    spans = tuple(1e3 * (end - begin) for begin, end in pairwise(times))
    return Compiled(artifact, len(optimised.block.rows), spans)
