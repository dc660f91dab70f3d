"""The 173 diagram energies: compile, then evaluate at moving points as often as Rose's optimiser did.

The browser's half is diagrams.js. Rose's figures were recorded with the graphs, on another day.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from bench.diagrams import registry
from bench.diagrams.optimising import lay_out
from bench.diagrams.references import ENERGY_TOLERANCE, GRADIENT_TOLERANCE, NEARLY_CANCELLED
from bench.lab import Lab
from bench.measure import OURS, Row, Series
from eglantine.diagrams import graphs
from eglantine.diagrams.compiling import PASSES

ROSE = "Rose 0.4.10 (recorded)"
NATIVE = f"{OURS} (CPython, wasmtime)"
ROUNDS = 3
WARM_UPS = 12
"""This many diagrams of middle size come first, because the engine optimises Pyodide's interpreter in use."""
PARTS = ("Python", "hand over", "instantiate", "first calls", "evaluations")
NOTE = (
    "The time runs from the graph in memory, as lists of numbers, to the last evaluation. The graph's JSON "
    "is read before. The evaluations are at points between the first and the last. Rose's figures were "
    "recorded earlier and include the arithmetic of its optimiser."
)

Sample = Mapping[str, Any]


def rows(lab: Lab) -> Iterator[Row]:
    """One row for each diagram, then a summary of all."""
    at = registry.folder()
    if at is None:
        reason = f"their folder is not here; ${registry.VARIABLE} may name it"
        yield Row("diagrams", "ms", missing={"the graphs": reason})
        return
    index = registry.index(at)
    found: dict[str, Sequence[Sample]] = {}
    native: dict[str, float] = {}
    for answer in lab.in_browser_raw("diagrams", work(index)):
        name = answer["title"]
        samples = answer["samples"].get("parts", ())
        row = Row(
            name, "ms", missing=answer["missing"], compared=tuple(answer["compared"]), wrong=answer["wrong"]
        )
        if samples:
            graph = graphs.read(at / index[name]["file"])
            native[name] = lay_out(graph).total
            found[name] = samples
            row = replace(row, series=series(samples, native[name], rose_total(index[name])))
            lab.say(described(samples))
        yield row
    if found:
        yield from summary(found, native, index)


def work(index: Mapping[str, Any]) -> dict[str, Any]:
    """The work for the browser."""
    diagrams = [{"name": name, "file": entry["file"]} for name, entry in index.items()]
    by_size = sorted(diagrams, key=lambda diagram: int(index[diagram["name"]]["n_ops"]))
    middle = len(by_size) // 2
    tolerances = {
        name: {
            "energy": ENERGY_TOLERANCE,
            "gradient": {
                at: NEARLY_CANCELLED.get((name, at), GRADIENT_TOLERANCE) for at in ("x0", "x_final")
            },
        }
        for name in index
    }
    return {
        "diagrams": diagrams,
        "warmUps": by_size[middle - WARM_UPS : middle],
        "rounds": ROUNDS,
        "tolerances": tolerances,
    }


def rose_total(entry: Mapping[str, Any]) -> float:
    """Rose's milliseconds from the graph to the last evaluation."""
    rose = entry["rose_0_4_10"]
    return float(rose["compile_ms"] + rose["optimise_ms"])


def series(samples: Sequence[Sample], native: float, rose: float) -> dict[str, Series]:
    """The times of one diagram, by contestant."""
    totals = Series(tuple(sample["total"] for sample in samples))
    return {OURS: totals, NATIVE: Series((native,)), ROSE: Series((rose,))}


def described(samples: Sequence[Sample]) -> str:
    """The times of a diagram in the browser, as one line of text."""
    sample = min(samples, key=lambda one: float(one["total"]))
    passes = " + ".join(f"{sample['passes'][name]:.1f}" for name in PASSES)
    parts = ", ".join(f"{part} {sample[part]:.1f}" for part in PARTS[1:])
    return (
        f"  {sample['total']:.1f} ms: passes {passes}, {parts}; {sample['passes']['rows']} rows, "
        f"{max(sample['bytes'])} B, {max(sample['firstUs']):.1f} then {max(sample['steadyUs']):.1f} µs"
    )


def summary(
    found: Mapping[str, Sequence[Sample]], native: Mapping[str, float], index: Mapping[str, Any]
) -> Iterator[Row]:
    """Rows with sums, medians, parts of the time, the compiler's passes, and the largest diagrams."""
    rose = [rose_total(index[name]) for name in found]
    totals = per_round(found, lambda sample: float(sample["total"]))
    ahead = sum(
        median(sample["total"] for sample in samples) < theirs
        for samples, theirs in zip(found.values(), rose, strict=True)
    )
    note = f"{NOTE} Ours takes less time for {ahead} of {len(found)}."
    all_of = {
        OURS: Series(tuple(sum(one) / 1e3 for one in totals)),
        NATIVE: Series((sum(native.values()) / 1e3,)),
        ROSE: Series((sum(rose) / 1e3,)),
    }
    yield Row("all diagrams, sum", "s", all_of, target=17, aim=9, note=note)
    middle = {
        OURS: Series(tuple(map(median, totals))),
        NATIVE: Series((median(native.values()),)),
        ROSE: Series((median(rose),)),
    }
    yield Row("all diagrams, median", "ms", middle, target=20)
    behind = 100 * (1 - ahead / len(found))
    yield Row("diagrams that take Rose less time", "%", {OURS: Series((behind,))}, target=10, aim=0)
    yield from parts(found)
    yield from largest(found, index)


def parts(found: Mapping[str, Sequence[Sample]]) -> Iterator[Row]:
    """The parts of the sum."""
    for part in PARTS:
        spent = per_round(found, lambda sample, part=part: float(sample[part]))  # type: ignore[misc]
        yield Row(f"  of it: {part}", "ms", {OURS: Series(tuple(map(sum, spent)))})
    for name in PASSES:
        spent = per_round(found, lambda sample, name=name: float(sample["passes"][name]))  # type: ignore[misc]
        yield Row(f"  of Python: {name}", "ms", {OURS: Series(tuple(map(sum, spent)))})


def largest(found: Mapping[str, Sequence[Sample]], index: Mapping[str, Any]) -> Iterator[Row]:
    """The longest module of all, and the largest diagram's evaluations."""
    name = max(found, key=lambda name: max(found[name][0]["bytes"]))
    size = max(found[name][0]["bytes"])
    known = index[name]["rose_0_4_10"]["wasm_bytes"]
    series = {OURS: Series((size,)), ROSE: Series((known,))}
    yield Row(f"the longest module: {name}", "B", series, target=300_000)
    name = max(found, key=lambda name: index[name]["n_ops"])
    known = index[name]["rose_0_4_10"]["us_per_eval"]
    for title, key, target in (("of the first hundred", "firstUs", 150), ("in the end", "steadyUs", None)):
        times = Series(tuple(max(sample[key]) for sample in found[name]))
        theirs = {ROSE: Series((known,))} if target else {}
        yield Row(f"{name}, an evaluation {title}", "µs", {OURS: times, **theirs}, target=target)


def per_round(found: Mapping[str, Sequence[Sample]], value: Any) -> list[list[float]]:
    """For each round, a value of each diagram."""
    return [[value(samples[k]) for samples in found.values()] for k in range(ROUNDS)]
