"""The 173 diagram energies: compile, then as many evaluations at moving points as Rose's optimiser needed.

Ours on CPython with wasmtime; Rose's figures are those recorded with the graphs, on a machine with 2 cores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from bench.diagrams import graphs
from bench.diagrams.timing import PASSES, StageTiming, time_stage
from bench.lab import Lab
from bench.measure import OURS, Row, Series

ROSE = "Rose 0.4.10 (recorded)"
NOTE = (
    "ours on CPython in wasmtime, each stage of a layout compiled by itself, evaluations at points between "
    "the first and the last; Rose's with its optimiser's own arithmetic, in a browser"
)


def rows(lab: Lab) -> Iterator[Row]:
    """A row a diagram, then what all of them take."""
    at = graphs.folder()
    if at is None:
        reason = f"their folder is not here; ${graphs.VARIABLE} may name it"
        yield Row("diagrams", "ms", missing={"the graphs": reason})
        return
    index = graphs.index(at)
    found: dict[str, list[StageTiming]] = {}
    for name, entry in index.items():
        graph = graphs.read(at / entry["file"])
        wrong = differs(graph)
        if wrong or lab.check:
            yield Row(name, "ms", compared=(OURS, "reference"), wrong=wrong)
            continue
        stages = found[name] = [time_stage(graph, stage) for stage in graph.stages]
        lab.say(f"{name}: {described(stages)}")
        yield compared(name, total(stages), rose_total(entry))
    if found:
        yield from summary(found, index)


def differs(graph: graphs.Graph) -> str:
    """In which way energies are not those that are known, or nothing."""
    import eglantine as eg
    from bench.diagrams.energy import energy

    for reference in graph.references:
        kernel = eg.compile(energy(graph, reference.stage))
        phi = kernel(*reference.stage.divide(reference.x), reference.weight)
        if abs(phi - reference.phi) > 1e-12 * abs(reference.phi):
            return f"the energy at {reference.at} is {phi!r}, not {reference.phi!r}"
    return ""


def total(stages: Sequence[StageTiming]) -> float:
    """Milliseconds from the graph to the last evaluation."""
    return sum(stage.total_ms for stage in stages)


def rose_total(entry: Mapping[str, Any]) -> float:
    """The same of Rose."""
    rose = entry["rose_0_4_10"]
    return float(rose["compile_ms"] + rose["optimise_ms"])


def described(stages: Sequence[StageTiming]) -> str:
    """What the stages of a diagram took, in a line."""
    live = sum(stage.rows for stage in stages)
    parts = [
        f"{name} {1e3 * sum(stage.passes_ms[k] for stage in stages) / max(live, 1):.2f}"
        for k, name in enumerate(PASSES)
    ]
    largest = max(stages, key=lambda stage: stage.rows)
    return (
        f"{total(stages):.1f} ms, {live} rows at {' + '.join(parts)} µs, "
        f"begin {sum(stage.begin_ms for stage in stages):.1f} ms, {largest.bytes} B, "
        f"{largest.first_us:.1f} then {largest.steady_us:.1f} µs an evaluation"
    )


def compared(
    title: str, ours: float, rose: float, unit: str = "ms", note: str = "", target: float | None = None
) -> Row:
    """A row of one number each."""
    return Row(title, unit, {OURS: Series((ours,)), ROSE: Series((rose,))}, note=note, target=target)


def summary(found: Mapping[str, Sequence[StageTiming]], index: Mapping[str, Any]) -> Iterator[Row]:
    """Sums, medians, the largest, and the compiler's passes."""
    ours = [total(stages) for stages in found.values()]
    rose = [rose_total(index[name]) for name in found]
    ahead = sum(a < b for a, b in zip(ours, rose, strict=True))
    note = f"{NOTE}; ours takes less time for {ahead} of {len(found)}"
    yield compared("all diagrams, sum", sum(ours) / 1e3, sum(rose) / 1e3, "s", note, 17)
    yield compared("all diagrams, median", median(ours), median(rose), target=20)
    behind = 100 * (1 - ahead / len(found))
    yield Row("diagrams that take Rose less time", "%", {OURS: Series((behind,))}, target=10)
    compiled = [sum(stage.compile_ms for stage in stages) for stages in found.values()]
    known = [index[name]["rose_0_4_10"] for name in found]
    yield compared("compile, sum", sum(compiled), sum(entry["compile_ms"] for entry in known))
    begun = sum(stage.begin_ms for stages in found.values() for stage in stages)
    yield Row("instantiate and first call, sum", "ms", {OURS: Series((begun,))})
    every = [stage for stages in found.values() for stage in stages]
    live = sum(stage.rows for stage in every)
    for k, name in enumerate(PASSES):
        spent = 1e3 * sum(stage.passes_ms[k] for stage in every) / live
        yield Row(f"{name}, {live} rows", "µs", {OURS: Series((spent,))})
    name = max(found, key=lambda name: index[name]["n_ops"])
    largest = max(found[name], key=lambda stage: stage.rows)
    entry = index[name]["rose_0_4_10"]
    yield compared(f"{name}, bytes", largest.bytes, entry["wasm_bytes"], "B", target=300_000)
    yield compared(
        f"{name}, an evaluation of the first hundred",
        largest.first_us,
        entry["us_per_eval"],
        "µs",
        target=150,
    )
    yield Row(f"{name}, an evaluation in the end", "µs", {OURS: Series((largest.steady_us,))})
