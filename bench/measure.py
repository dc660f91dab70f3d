"""What a bench finds: samples of each contestant for one piece of work, and what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

OURS = "ours"
"""Contestant. Names that begin with it are ours too (another host, a part of the work): never peers."""
TIMES = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
"""Unit → seconds."""


@dataclass(frozen=True)
class Series:
    """The samples of one contestant, in its row's unit; a size has one sample."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle sample: what a person meets."""
        return median(self.samples)

    @property
    def minimum(self) -> float:
        """The best sample: what the machine can do when nothing disturbs it."""
        return min(self.samples)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The spread: a quarter of the samples lies below the first, a quarter above the second."""
        if len(self.samples) == 1:
            return self.samples[0], self.samples[0]
        low, _, high = quantiles(self.samples, n=4, method="inclusive")
        return low, high


@dataclass(frozen=True)
class Row:
    """One piece of work and what each contestant needed for it.

    target: what ours is to reach, in `unit`, or None.
    aim: what we would like to reach.
    missing: contestant → why it did not take part.
    compared: the contestants whose results are equal.
    wrong: why they are not; then nothing was timed.
    host: where it ran, if that is not where most of the group did: such rows have a table of their own.
    """

    title: str
    unit: str
    series: Mapping[str, Series] = field(default_factory=dict)
    target: float | None = None
    aim: float | None = None
    note: str = ""
    missing: Mapping[str, str] = field(default_factory=dict)
    compared: tuple[str, ...] = ()
    wrong: str = ""
    host: str = ""

    @property
    def best_peer(self) -> str | None:
        """The peer with the smallest median, or None."""
        peers = [name for name in self.series if not name.startswith(OURS)]
        return min(peers, key=lambda name: self.series[name].median, default=None)

    @property
    def ratio(self) -> float | None:
        """Our median over that of the best peer: below 1 we are ahead."""
        peer = self.best_peer
        if peer is None or OURS not in self.series or not self.series[peer].median:
            return None
        return self.series[OURS].median / self.series[peer].median

    @property
    def reached(self) -> bool | None:
        """Whether our median is within the target; None where there is nothing to compare."""
        if self.target is None or OURS not in self.series:
            return None
        return self.series[OURS].median <= self.target

    @property
    def mark(self) -> str:
        """✓ where our median is within the target, (✓) where our minimum is, ✗ where neither is; or ""."""
        if self.target is None or self.reached is None:
            return ""
        return "✓" if self.reached else "(✓)" if self.series[OURS].minimum <= self.target else "✗"

    @property
    def failed(self) -> bool:
        """Whether a result was wrong, or ours did not take part."""
        return bool(self.wrong) or any(name.startswith(OURS) for name in self.missing)


def row_from_json(found: Mapping[str, Any]) -> Row:
    """The row that the browser's side reports; its samples are lists by contestant."""
    return Row(
        title=found["title"],
        unit=found["unit"],
        series={
            name: Series(tuple(map(float, samples))) for name, samples in found["samples"].items() if samples
        },
        target=found.get("target"),
        aim=found.get("aim"),
        note=found.get("note", ""),
        missing=found.get("missing", {}),
        compared=tuple(found.get("compared", ())),
        wrong=found.get("wrong", ""),
        host=found.get("host", ""),
    )


def row_to_json(row: Row) -> dict[str, Any]:
    """A row with its statistics and all its samples."""
    return {
        "title": row.title,
        "unit": row.unit,
        "target": row.target,
        "aim": row.aim,
        "reached": row.reached,
        "ratio": row.ratio,
        "best_peer": row.best_peer,
        "note": row.note,
        "missing": dict(row.missing),
        "compared": list(row.compared),
        "wrong": row.wrong,
        "host": row.host,
        "contestants": {name: _statistics(series) for name, series in row.series.items()},
    }


def times_the_value(derivative: Series, value: Series) -> Series:
    """How many times the value's time a derivative takes, by their minima, which nothing disturbed."""
    return Series((derivative.minimum / value.minimum,))


def row_from_report(found: Mapping[str, Any]) -> Row:
    """The row that `row_to_json` wrote."""
    samples = {name: one["samples"] for name, one in found["contestants"].items()}
    return row_from_json({**found, "samples": samples})


def _statistics(series: Series) -> dict[str, Any]:
    return {
        "median": series.median,
        "minimum": series.minimum,
        "quartiles": list(series.quartiles),
        "samples": [x if float(x).is_integer() else float(f"{x:.5g}") for x in series.samples],
    }


def contestants(rows: Sequence[Row]) -> list[str]:
    """All that take part in any of the rows, ours first, then in order of appearance."""
    names = dict.fromkeys(name for row in rows for name in [*row.series, *row.missing])
    return sorted(names, key=lambda name: not name.startswith(OURS))
