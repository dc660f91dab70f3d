"""The bench page's Python, which runs in Pyodide. It compiles a diagram's stages and the solvers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from eglantine.diagrams import graphs
from eglantine.diagrams.compiling import PASSES, Compiled, compile_stages
from eglantine.diagrams.graphs import Stage
from eglantine.diagrams.stages import compiled_solver


class Diagram:
    """A diagram whose graph has been read."""

    def __init__(self, text: str) -> None:
        self._graph = graphs.from_json(json.loads(text))
        self._parts: list[Compiled] = []

    def compile(self) -> tuple[str | bytes, ...]:
        """Compile all stages. Return JSON and the modules.

        The JSON has two entries. `of` lists, for each stage, the positions of its modules among all modules.
        `abis` lists the modules' ABIs.
        """
        return self._handed_over(self._graph.stages)

    def compile_everything(self) -> tuple[str | bytes, ...]:
        """Compile a single stage with every part of the energy. Return JSON and modules as `compile` does."""
        return self._handed_over([self._graph.everything])

    def _handed_over(self, stages: Sequence[Stage]) -> tuple[str | bytes, ...]:
        compiled = compile_stages(self._graph, stages)
        self._parts = compiled.parts
        abis = [part.artifact.abi for part in compiled.parts]
        return json.dumps({"of": compiled.of, "abis": abis}), *[part.artifact.wasm for part in compiled.parts]

    def passes(self) -> dict[str, float]:
        """Describe the last compilation: the milliseconds of each pass, and "rows", the number of IR rows."""
        spans = {name: sum(part.passes_ms[k] for part in self._parts) for k, name in enumerate(PASSES)}
        return {**spans, "rows": sum(part.rows for part in self._parts)}

    def references(self) -> str:
        """Return the known values as JSON, for comparison with our values.

        Each entry is a list: the name of the point, the stage, the weight, the energy φ and the gradient.
        The stage is its number in the graph, or −1 for the stage with every part of the energy. The weight,
        φ and the gradient are lists of strings, because JSON has no infinite numbers.
        """
        stages = self._graph.stages
        references = []
        for known in self._graph.references:
            stage = stages.index(known.stage) if known.stage in stages else -1
            values = [[known.weight], [known.phi], known.gradient]
            references.append([known.at, stage, *[[repr(value) for value in part] for part in values]])
        return json.dumps(references).replace("inf", "Infinity")


def solver(capacity: int) -> tuple[str, bytes]:
    """Compile the solver of a stage. Return its ABI as JSON, and its module."""
    compiled_solver.cache_clear()
    artifact = compiled_solver(capacity)
    return artifact.json, artifact.wasm
