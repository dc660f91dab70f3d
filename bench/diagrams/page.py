"""What the bench's page, in Pyodide, asks for: a diagram's stages and references, compiled."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bench.diagrams import graphs
from bench.diagrams.compiling import PASSES, Compiled, compile_stages
from bench.diagrams.graphs import Stage


class Diagram:
    """A diagram whose graph has been read."""

    def __init__(self, text: str) -> None:
        self._graph = graphs.from_json(json.loads(text))
        self._modules: list[Compiled] = []

    def compile(self) -> tuple[str | bytes, ...]:
        """JSON with the number of the module of each of the `stages`, and the modules' `abis`; the modules."""
        return self._handed_over(self._graph.stages)

    def compile_references(self) -> tuple[str | bytes, ...]:
        """The same, the references in the place of the stages."""
        return self._handed_over([known.stage for known in self._graph.references])

    def _handed_over(self, stages: Sequence[Stage]) -> tuple[str | bytes, ...]:
        found = compile_stages(self._graph, stages)
        self._modules = list({id(one): one for one in found}.values())
        numbers = {id(one): k for k, one in enumerate(self._modules)}
        abis = [one.artifact.abi for one in self._modules]
        contract = json.dumps({"stages": [numbers[id(one)] for one in found], "abis": abis})
        return contract, *[one.artifact.wasm for one in self._modules]

    def passes(self) -> dict[str, float]:
        """Milliseconds of each pass in what was compiled last, and how many `rows` were emitted."""
        spans = {name: sum(one.passes_ms[k] for one in self._modules) for k, name in enumerate(PASSES)}
        return {**spans, "rows": sum(one.rows for one in self._modules)}

    def references(self) -> str:
        """As JSON: where each reference is, its inputs, those that are frozen, weight, φ and gradient.

        Numbers that JSON cannot write are strings.
        """
        found = []
        for known in self._graph.references:
            free, frozen = known.stage.divide(known.x)
            gradient = [known.gradient[k] for k in known.stage.inputs]
            values = [free, frozen, [known.weight], [known.phi], gradient]
            found.append(
                [known.at, *[[repr(value).replace("inf", "Infinity") for value in part] for part in values]]
            )
        return json.dumps(found)
