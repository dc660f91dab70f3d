"""Time Penrose's 173 diagrams: compile each diagram's energy, and lay the diagram out by our solver.

The part that runs in the browser is diagrams.js. The graphs' files contain Rose's times, which were measured
on another day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from bench.diagrams import registry
from bench.diagrams.optimising import is_as_good, lay_out
from bench.diagrams.references import ENERGY_TOLERANCE, GRADIENT_TOLERANCE, NEARLY_CANCELLED
from bench.lab import Lab
from bench.measure import OURS, Row, Series
from eglantine.diagrams import graphs
from eglantine.diagrams.compiling import PASSES

ROSE = "Rose 0.4.10 (recorded)"
ROSE_AGAIN = "Rose 0.4.10"
ROSE_SCALED = "Rose 0.4.10 (recorded, scaled)"
AGAIN = 24
MOST_AGAIN = 8000
"""The largest number of operations of a diagram on which this run may measure Rose again. It chooses AGAIN
such diagrams."""
NATIVE = f"{OURS} (CPython, wasmtime)"
ROUNDS = 3
WARM_UPS = 12
"""The number of diagrams of middle size that are laid out before we measure. During this time, the engine
optimises Pyodide's interpreter."""
PARTS = ("Python", "hand over", "instantiate", "solvers", "optimise")
SUM_OF_ROSE, MEDIAN_OF_ROSE, LARGEST_OF_ROSE = 1 / 14, 1 / 5, 1 / 28
"""The targets, as parts of Rose's times."""
LEAST_AS_GOOD = 90.0
NOTE = (
    "The time begins with the graph as lists of numbers in memory, and ends with the last stage. "
    "The solver's modules are already compiled, as on a page after a few diagrams. "
    "Rose's times were recorded earlier. This run measured Rose again for some of the diagrams, and all of "
    "Rose's times are multiplied by the median of new time / recorded time."
)

Sample = Mapping[str, Any]


def rows(lab: Lab) -> Iterator[Row]:
    """Yield a row with the times of each diagram, then rows that summarise all diagrams."""
    at = registry.folder()
    if at is None:
        reason = f"their folder is not here; ${registry.VARIABLE} may name it"
        yield Row("diagrams", "ms", missing={"the graphs": reason})
        return
    index = registry.index(at)
    found: dict[str, Mapping[str, Any]] = {}
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
            found[name] = answer["samples"]
            times = series(samples, native[name], rose_total(index[name]))
            if answer["samples"].get("rose"):
                times[ROSE_AGAIN] = Series(tuple(map(again_total, answer["samples"]["rose"])))
            row = replace(row, series=times)
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
        "largest": by_size[-1]["name"],
        "again": run_again([one["name"] for one in by_size if index[one["name"]]["n_ops"] <= MOST_AGAIN]),
        "warmUps": by_size[middle - WARM_UPS : middle],
        "rounds": ROUNDS,
        "tolerances": tolerances,
    }


def rose_total(entry: Mapping[str, Any]) -> float:
    """Return Rose's recorded milliseconds for a layout: compiling and all stages."""
    rose = entry["rose_0_4_10"]
    return float(rose["compile_ms"] + rose["optimise_ms"])


def run_again(names: Sequence[str]) -> list[str]:
    """Some of these diagrams, spread evenly."""
    return [names[(2 * k + 1) * len(names) // (2 * AGAIN)] for k in range(AGAIN)]


def again_total(sample: Sample) -> float:
    """Return Rose's milliseconds for a layout in this run."""
    return float(sample["compile"] + sample["optimise"])


def scale_of(found: Mapping[str, Mapping[str, Any]], index: Mapping[str, Any]) -> float:
    """Return the median of (Rose's time in this run / its recorded time), or 1 if Rose did not run."""
    ratios = [
        median(map(again_total, one["rose"])) / rose_total(index[name])
        for name, one in found.items() if one.get("rose")
    ]  # fmt: skip
    return median(ratios) if ratios else 1.0


def series(samples: Sequence[Sample], native: float, rose: float) -> dict[str, Series]:
    """The times of one diagram, by contestant."""
    totals = Series(tuple(sample["total"] for sample in samples))
    return {OURS: totals, NATIVE: Series((native,)), ROSE: Series((rose,))}


def described(samples: Sequence[Sample]) -> str:
    """Write the times of a diagram in the browser as one line of text."""
    sample = min(samples, key=lambda one: float(one["total"]))
    passes = " + ".join(f"{sample['passes'][name]:.1f}" for name in PASSES)
    parts = ", ".join(f"{part} {sample[part]:.1f}" for part in PARTS[1:])
    return (
        f"  {sample['total']:.1f} ms: passes {passes}, {parts}; {sample['passes']['rows']} rows, "
        f"{max(sample['bytes'], default=0)} B, {sample['evaluations']} evaluations"
    )


def summary(
    found: Mapping[str, Mapping[str, Any]], native: Mapping[str, float], index: Mapping[str, Any]
) -> Iterator[Row]:
    """Yield the summary: total and median times, parts of the times, final energies, largest diagrams."""
    scale = scale_of(found, index)
    peer = ROSE if scale == 1.0 else ROSE_SCALED
    rose = {name: scale * rose_total(index[name]) for name in found}
    warm = {name: one["parts"] for name, one in found.items()}
    totals = per_round(warm, lambda sample: float(sample["total"]))
    slower = [
        name for name, samples in warm.items() if median(sample["total"] for sample in samples) > rose[name]
    ]
    note = f"{NOTE} Ours takes less time for {len(found) - len(slower)} of {len(found)}."
    all_of = {
        OURS: Series(tuple(sum(one) / 1e3 for one in totals)),
        NATIVE: Series((sum(native.values()) / 1e3,)),
        peer: Series((sum(rose.values()) / 1e3,)),
    }
    target = SUM_OF_ROSE * sum(rose.values()) / 1e3
    yield Row("all diagrams, sum", "s", all_of, target=target, note=note)
    middle = {
        OURS: Series(tuple(map(median, totals))),
        NATIVE: Series((median(native.values()),)),
        peer: Series((median(rose.values()),)),
    }
    yield Row("all diagrams, median", "ms", middle, target=MEDIAN_OF_ROSE * median(rose.values()))
    if peer == ROSE_SCALED:
        yield Row("Rose: this run's times over the recorded ones", "×", {ROSE_AGAIN: Series((scale,))})
    part = 100 * len(slower) / len(found)
    yield Row(
        "diagrams that take Rose less time", "%", {OURS: Series((part,))}, target=0, note=listed(slower)
    )
    yield from whole(found, rose, peer)
    yield from ends(warm, index)
    yield from parts(warm)
    yield from largest(found, index, rose, peer)


def whole(found: Mapping[str, Mapping[str, Any]], rose: Mapping[str, float], peer: str) -> Iterator[Row]:
    """Yield rows with the total time of reading a graph's JSON file and computing the layout.

    rose: for each diagram, Rose's milliseconds for a layout, without reading the file.
    """
    theirs = [rose[name] + min(one["parse"] for one in found[name]["parts"]) for name in found]
    warm = per_round({name: one["parts"] for name, one in found.items()}, from_file)
    cold = [from_file(one["cold"]) for one in found.values()]
    title = "all diagrams, from the file's bytes"
    both = {OURS: Series(tuple(sum(one) / 1e3 for one in warm)), peer: Series((sum(theirs) / 1e3,))}
    note = "Rose's times include reading the JSON in JavaScript, as measured in this run."
    yield Row(f"{title}, sum", "s", both, target=SUM_OF_ROSE * sum(theirs) / 1e3, note=note)
    both = {OURS: Series(tuple(map(median, warm))), peer: Series((median(theirs),))}
    yield Row(f"{title}, median", "ms", both, target=MEDIAN_OF_ROSE * median(theirs))
    note = "Cold means that Python and the engine compile the solvers again for each diagram."
    yield Row(f"{title}, cold, sum", "s", {OURS: Series((sum(cold) / 1e3,))}, note=note)
    yield Row(f"{title}, cold, median", "ms", {OURS: Series((median(cold),))})


def from_file(sample: Sample) -> float:
    """Return the milliseconds of a layout, including the time to read the graph from a file's bytes."""
    return float(sample["read"] + sample["total"])


def ends(warm: Mapping[str, Sequence[Sample]], index: Mapping[str, Any]) -> Iterator[Row]:
    """Count layouts with infinite or NaN inputs, and layouts with a higher energy than the known energy."""
    first = {name: samples[0] for name, samples in warm.items()}
    infinite = [name for name, sample in first.items() if not sample["finite"]]
    yield Row(
        "ends that are not finite",
        "diagrams",
        {OURS: Series((len(infinite),))},
        target=0,
        note=listed(infinite),
    )
    worse = [
        f"{name} {sample['energy']:.6g}, not {sample['known']:.6g}"
        for name, sample in first.items() if not is_as_good(sample["energy"], sample["known"])
    ]  # fmt: skip
    part = 100 * len(worse) / len(first)
    yield Row(
        "ends above the reference's energy", "%", {OURS: Series((part,))}, target=100 - LEAST_AS_GOOD,
        note=listed(worse),
    )  # fmt: skip
    evaluations = sum(sample["evaluations"] for sample in first.values())
    known = sum(index[name]["evaluations"] for name in first)
    counts = {OURS: Series((evaluations,)), "Penrose's optimiser (recorded)": Series((known,))}
    yield Row("evaluations of all diagrams", "evaluations", counts)


def listed(names: Sequence[str]) -> str:
    """Write a note that lists diagrams, or "" if there are none."""
    return f"Diagrams: {'; '.join(names)}." if names else ""


def parts(warm: Mapping[str, Sequence[Sample]]) -> Iterator[Row]:
    """The parts of the sum."""
    values: list[tuple[str, Callable[[Sample], float]]] = [
        *((f"of it: {part}", lambda sample, part=part: float(sample[part])) for part in PARTS),
        *((f"of Python: {name}", lambda sample, name=name: float(sample["passes"][name])) for name in PASSES),
    ]  # fmt: skip
    for title, value in values:
        spent = per_round(warm, value)
        yield Row(f"  {title}", "ms", {OURS: Series(tuple(map(sum, spent)))})
        yield Row(f"  {title}, median", "ms", {OURS: Series(tuple(map(median, spent)))})


def largest(
    found: Mapping[str, Mapping[str, Any]], index: Mapping[str, Any], rose: Mapping[str, float], peer: str
) -> Iterator[Row]:
    """Yield rows about the largest diagram: its module's size, and the times of layout and evaluation."""

    def size(name: str) -> int:
        return int(max(found[name]["parts"][0]["bytes"], default=0))

    name = max(found, key=size)
    known = index[name]["rose_0_4_10"]["wasm_bytes"]
    both = {OURS: Series((size(name),)), ROSE: Series((known,))}
    yield Row(f"the longest module: {name}", "B", both, target=300_000)
    name = max(found, key=lambda name: int(index[name]["n_ops"]))
    totals = Series(tuple(sample["total"] for sample in found[name]["parts"]))
    both = {OURS: totals, peer: Series((rose[name],))}
    yield Row(f"{name}, the largest", "ms", both, target=LARGEST_OF_ROSE * rose[name])
    known = index[name]["rose_0_4_10"]["us_per_eval"]
    for title, key, target in (("of the first hundred", "first", 150), ("in the end", "steady", None)):
        measured = found[name]["evaluations"][key]
        times = Series(tuple(measured) if isinstance(measured, list) else (measured,))
        theirs = {ROSE: Series((known,))} if target else {}
        yield Row(f"{name}, an evaluation {title}", "µs", {OURS: times, **theirs}, target=target)


def per_round(found: Mapping[str, Sequence[Sample]], value: Callable[[Sample], float]) -> list[list[float]]:
    """For each round, a value of each diagram."""
    return [[value(samples[k]) for samples in found.values()] for k in range(ROUNDS)]
