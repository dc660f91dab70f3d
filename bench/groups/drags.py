"""Drag shapes of Penrose's diagrams: how stable the layouts are, and how long each frame takes in Chromium.

A complete measurement takes a long time, so you can divide it into several runs. With `--keep FILE`, we write
each diagram's results to the file at once. The next run with this file measures only the remaining diagrams.
`--minutes N` ends a run after N minutes. Every run measures small and large diagrams.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any

from bench.diagrams import frames, registry
from bench.diagrams.stability import Stability, artifact_of, stability
from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from bench.lab import Lab

MOST_KICK = 2.0
MOST_HYSTERESIS = 0.01
LEAST_BACK, LEAST_QUICK, OF = 140, 150, 157
"""Of OF diagrams, shapes should return in LEAST_BACK, and frames should be quick in LEAST_QUICK."""
NEAR = 2.0
"""The largest distance, in units of the diagram, between the pointer and a shape that has followed it."""
CHECKED = ("animation/center-shrink-circle", "set-theory-domain/tree-venn")
"""The diagrams whose shapes we drag if a run only compares results and times nothing."""
STABLE, FRAMES = "stability", "frames"
NOT_MOVING = "moves nothing"
GOLDEN = (5**0.5 - 1) / 2
"""The golden ratio minus 1. If we drop the whole parts of its multiples, the results are spread evenly
between 0 and 1."""

Told = Mapping[str, Any]


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows about stability, then rows about frames, then one row for each diagram."""
    at = registry.folder()
    if at is None:
        reason = f"their folder is not here; ${registry.VARIABLE} may name it"
        yield Row("drags", "ms", missing={"the graphs": reason})
        return
    index = registry.index(at)
    names = CHECKED if lab.check else spread(index)
    kept = Kept(lab.kept, lab.minutes)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            file = index[name]["file"]
            if kept.measure(STABLE, name, lambda name=name, file=file: stable(at, file, name, Path(folder))):
                lab.say(f"{name}, stability")
    moving = [name for name in names if NOT_MOVING not in kept.of(STABLE, name)]
    with frames.pages(lab.browser) as page:
        for name in moving:
            if kept.measure(FRAMES, name, lambda name=name: framed(page, lab.url, name)):
                lab.say(f"{name}, frames: {kept.of(FRAMES, name).get('p95_cpu_ms', 0):.1f} ms")
    stable_ones = [told for name in moving if (told := kept.of(STABLE, name))]
    yield from of_stability(stable_ones, len(names))
    told = [one for name in moving if (one := kept.of(FRAMES, name)) and NOT_MOVING not in one]
    if told:
        yield from of_frames(told, len(moving))
        yield from each(told)


def spread(index: Mapping[str, Any]) -> list[str]:
    """List all diagrams in a mixed order, so that the first few include small and large diagrams."""
    by_size = sorted(index, key=lambda name: int(index[name]["n_ops"]))
    return sorted(by_size, key=lambda name: by_size.index(name) * GOLDEN % 1.0)


class Kept:
    """A table of measurements by kind and diagram. If a file is given, we save them there, too."""

    def __init__(self, file: Path | None, minutes: float) -> None:
        self.file = file
        self.until = monotonic() + 60 * minutes
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else []
        self.told = {(kind, one["name"]): one for kind, one in map(json.loads, lines)}

    def measure(self, kind: str, name: str, act: Callable[[], Told]) -> bool:
        """Measure a diagram unless the table has it or the time is up. Return True if we measured it."""
        if (kind, name) in self.told or monotonic() > self.until:
            return False
        self.told[kind, name] = told = {**act(), "name": name}
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([kind, told]) + "\n")
        return True

    def of(self, kind: str, name: str) -> Told:
        """The measurements of a diagram, or none."""
        return self.told.get((kind, name), {})


def stable(at: Path, file: str, name: str, folder: Path) -> Told:
    """A diagram's stability, or NOT_MOVING."""
    artifact = artifact_of(at, file)
    return {NOT_MOVING: True} if artifact is None else asdict(stability(artifact, name, folder))


def framed(page: Any, address: str, name: str) -> Told:
    """A diagram's frames, or NOT_MOVING."""
    told = frames.measured(page, address, name)
    return {NOT_MOVING: True} if told is None else asdict(told)


def of_stability(told: Sequence[Told], every: int) -> Iterator[Row]:
    """Yield rows that say how stable the layouts are while a shape is dragged away and back."""
    every_one = [Stability(**one) for one in told]
    yield row(
        "kick: the largest jump of another shape in a frame, median of the diagrams", "steps",
        median(one.kick for one in every_one), MOST_KICK,
        f"{len(every_one)} of {every} diagrams have a shape whose position depends on an unknown. In Node, "
        "about three shapes of each go 20 % of the canvas to the right and back. The unit is the pointer's "
        "step from one frame to the next.",
    )  # fmt: skip
    away = [one.name for one in every_one if not one.hysteresis < MOST_HYSTERESIS]
    yield row(
        "hysteresis: diagrams whose shapes do not return to within 1 % of the canvas", "%",
        share(away, every_one), 100 * (1 - LEAST_BACK / OF), listed(away),
    )  # fmt: skip
    broken = [one.name for one in every_one if one.broken]
    count = sum(one.broken for one in every_one)
    yield row(
        "relations that held before a drag and do not hold at its end", "relations", count, 0, listed(broken)
    )
    gaps = [gap for one in every_one for gap in one.gaps]
    far = sum(not gap <= NEAR for gap in gaps)
    yield row(
        f"drags that end further than {NEAR:g} from the pointer", "%", 100 * far / len(gaps), None,
        f"{far} of {len(gaps)}. There, a pull 100 times as strong did not bring the shape to the pointer "
        "while all relations held.",
    )  # fmt: skip


def of_frames(told: Sequence[Told], every: int) -> Iterator[Row]:
    """The rows about frames in Chromium."""
    quick, bearable = frames.FRAME_MS
    yield row(
        "frame: processor time of our work, page and workers, 95 % of the frames, median of the diagrams",
        "ms", median(one["p95_cpu_ms"] for one in told), quick,
        "Input, solve and draw calls while a shape is dragged. "
        f"{sum(one['frames'] for one in told)} frames in {len(told)} of {every} diagrams.",
    )  # fmt: skip
    yield row("  half of the frames", "ms", median(one["median_cpu_ms"] for one in told), None)
    for bound, target in ((quick, 100 * (1 - LEAST_QUICK / OF)), (bearable, 0.0)):
        slow = [one for one in told if one["p95_cpu_ms"] > bound]
        names = [f"{one['name']} {one['p95_cpu_ms']:.1f} ms" for one in slow]
        yield row(f"  diagrams with more than {bound} ms", "%", share(slow, told), target, listed(names))
    long = [one for one in told if one["most_cpu_ms"] > frames.TASK_MS]
    names = [f"{one['name']} {one['most_cpu_ms']:.0f} ms" for one in long]
    yield row(
        f"  diagrams in which a frame took more than {frames.TASK_MS} ms", "%", share(long, told), 0,
        listed(names),
    )  # fmt: skip


def each(told: Sequence[Told]) -> Iterator[Row]:
    """Yield a row for each diagram. The slowest diagram comes first."""
    for one in sorted(told, key=lambda one: -float(one["p95_cpu_ms"])):
        parts = {
            OURS: Series((one["p95_cpu_ms"],)),
            f"{OURS}: half of the frames": Series((one["median_cpu_ms"],)),
            f"{OURS}: longest": Series((one["most_cpu_ms"],)),
        }
        yield Row(f"{one['name']}, 95 % of the frames", "ms", parts)


def row(title: str, unit: str, value: float, target: float | None, note: str = "") -> Row:
    """A row with one number of ours."""
    return Row(title, unit, {OURS: Series((value,))}, target=target, note=note)


def share(some: Sequence[Any], every: Sequence[Any]) -> float:
    """The part of the diagrams, in per cent."""
    return 100 * len(some) / len(every)


def listed(names: Sequence[str]) -> str:
    """Write a note that lists diagrams, or "" if there are none."""
    return f"Diagrams: {'; '.join(names)}." if names else ""
