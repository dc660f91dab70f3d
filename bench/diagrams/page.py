"""What the bench's page, in Pyodide, asks for: a diagram's stages and references, compiled."""

from __future__ import annotations

import json
from collections.abc import Sequence

from eglantine.diagrams import graphs
from eglantine.diagrams.compiling import PASSES, Compiled, compile_stages
from eglantine.diagrams.graphs import Stage


class Diagram:
    """A diagram whose graph has been read."""

    def __init__(self, text: str) -> None:
        self._graph = graphs.from_json(json.loads(text))
        self._parts: list[Compiled] = []

    def compile(self) -> tuple[str | bytes, ...]:
        """JSON with the numbers `of` each stage's modules and their `abis`; the modules."""
        return self._handed_over(self._graph.stages)

    def compile_everything(self) -> tuple[str | bytes, ...]:
        """The same of the one stage in which all takes part."""
        return self._handed_over([self._graph.everything])

    def _handed_over(self, stages: Sequence[Stage]) -> tuple[str | bytes, ...]:
        found = compile_stages(self._graph, stages)
        self._parts = found.parts
        abis = [part.artifact.abi for part in found.parts]
        return json.dumps({"of": found.of, "abis": abis}), *[part.artifact.wasm for part in found.parts]

    def passes(self) -> dict[str, float]:
        """Milliseconds of each pass in what was compiled last, and how many `rows` there were."""
        spans = {name: sum(part.passes_ms[k] for part in self._parts) for k, name in enumerate(PASSES)}
        return {**spans, "rows": sum(part.rows for part in self._parts)}

    def references(self) -> str:
        """As JSON: where each reference is, its stage's number or −1, weight, φ and gradient by all inputs.

        Numbers that JSON cannot write are strings.
        """
        stages = self._graph.stages
        found = []
        for known in self._graph.references:
            stage = stages.index(known.stage) if known.stage in stages else -1
            values = [[known.weight], [known.phi], known.gradient]
            found.append([known.at, stage, *[[repr(value) for value in part] for part in values]])
        return json.dumps(found).replace("inf", "Infinity")
