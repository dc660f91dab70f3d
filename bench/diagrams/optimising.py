"""Lay out a diagram from its graph: compile the energies, and minimise the stages one after the other.

This module runs on CPython with wasmtime. bench/page/diagram-stages.js does the same in a browser.
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
from eglantine.diagrams.stages import Evaluate, Host, capacity_for, compiled_solver
from eglantine.inside import default_host

SLACK = 1e-6
"""The allowed excess of an energy over the known energy e, as a fraction of max(1, |e|)."""


@dataclass(frozen=True)
class Solved:
    """The solver's report on a finished stage.

    energy: the final energy, computed with the final `weight` of the penalty.
    """

    energy: float
    iterations: int
    evaluations: int
    status: float
    weight: float


@dataclass(frozen=True)
class LaidOut:
    """A finished layout.

    x: the final values of all inputs.
    energy: the energy of the last stage at `x`. The weight of the penalty is the weight for which the graph
        has a known energy.
    compiling: the time of all compiler passes in milliseconds.
    solving: the time in milliseconds after the compiler passes: for instantiating the modules and solving.
    """

    program: Program
    x: list[float]
    energy: float
    stages: list[Solved]
    compiling: float
    solving: float

    @property
    def total(self) -> float:
        """The milliseconds that a person waits."""
        return self.compiling + self.solving

    @property
    def evaluations(self) -> int:
        """The number of evaluations of the energy."""
        return sum(stage.evaluations for stage in self.stages)


class Part:
    """An instance of a module that computes a part of the energy.

    No stage changes the frozen inputs, so we write them into the instance's memory once.
    """

    def __init__(self, graph: Graph, program: Program, part: Compiled) -> None:
        abi = part.artifact.abi
        self._instance = default_host().instantiate(part.artifact.wasm, abi, ())
        self._at_x, at_frozen, self._at_weight = (param["leaves"][0]["at"] for param in abi["params"])
        self._at_energy, self._at_gradient = (leaf["at"] for leaf in abi["result"]["leaves"])
        self._size = 8 * len(program.inputs)
        frozen = Stage(program.inputs, (), ()).divide(graph.x0)[1]
        self._instance.write(at_frozen, array("d", frozen).tobytes())

    def at(self, x: bytes, weight: float) -> tuple[float, Any]:
        """Return the energy and the gradient at x. The gradient is valid until the next call."""
        instance = self._instance
        instance.write(self._at_x, x)
        instance.write(self._at_weight, array("d", [weight]).tobytes())
        instance.call()
        phi = memoryview(instance.read(self._at_energy, 8)).cast("d")[0]
        return phi, np.frombuffer(instance.read(self._at_gradient, self._size))


def lay_out(graph: Graph) -> LaidOut:
    """Compile a diagram's stages and minimise each. A stage starts at the previous stage's final point."""
    program = compile_stages(graph, graph.stages)
    start = time.perf_counter()
    parts = [Part(graph, program, part) for part in program.parts]
    x = np.array(graph.x0)
    inputs = np.array(program.inputs, dtype=int)
    stages = []
    for stage, numbers in zip(graph.stages, program.of, strict=True):
        moving = x[inputs]
        places = np.searchsorted(inputs, stage.inputs)
        if len(places) and numbers:
            energy = energy_of([parts[k] for k in numbers], moving, places)
            end, solved = minimised(energy, moving[places])
            x[list(stage.inputs)] = end
            stages.append(solved)
    passed = 1e3 * (time.perf_counter() - start)
    compiling = sum(sum(part.passes_ms) for part in program.parts)
    reference = graph.references[-1]
    last = [parts[k] for k in program.of[-1]]
    energy = sum(part.at(x[inputs].tobytes(), reference.weight)[0] for part in last)
    return LaidOut(program, x.tolist(), energy, stages, compiling, passed)


def energy_of(parts: Sequence[Part], moving: Any, places: Any) -> Evaluate:
    """Make the function (x, weight) → (energy, gradient) of a stage. It adds up the parts' results.

    moving: the values of the modules' inputs when the stage starts.
    places: the positions in `moving` of the inputs that the stage changes.
    """
    at = moving.copy()

    def evaluate(x: Sequence[float], weight: float) -> tuple[float, array[float]]:
        at[places] = x
        point = at.tobytes()
        phi, gradient = parts[0].at(point, weight)
        for part in parts[1:]:
            more, slopes = part.at(point, weight)
            phi, gradient = phi + more, gradient + slopes
        return phi, array("d", gradient[places].tobytes())

    return evaluate


def minimised(energy: Evaluate, x: Sequence[float]) -> tuple[Any, Solved]:
    """The end of a stage that begins at x."""
    n = len(x)
    artifact = compiled_solver(capacity_for(n))
    host = Host(energy, n, capacity_for(n))
    instance = host.instance = default_host().instantiate(artifact.wasm, artifact.abi, (host.at_addresses,))
    instance.write(artifact.abi["params"][0]["leaves"][0]["at"], array("d", x).tobytes())
    instance.call()
    at_x, *others = (leaf["at"] for leaf in artifact.abi["result"]["leaves"])
    fun, nit, nfev, status, weight = (memoryview(instance.read(at, 8)).cast("d")[0] for at in others)
    end = np.frombuffer(bytes(instance.read(at_x, 8 * n)))
    return end, Solved(fun, int(nit), int(nfev), status, weight)


def is_as_good(found: float, known: float) -> bool:
    """True if the energy that we found is at most SLACK above the known energy."""
    return found <= known + SLACK * max(1.0, abs(known))
