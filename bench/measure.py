"""The results of a bench: for each piece of work, the samples of each contestant, and their statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

OURS = "ours"
"""The name of our contestant. All contestants whose names begin with it are ours. For example, such a
contestant is our program on another host."""
COUNTED = ("digits", "evaluations", "runs")
"""The units of rows for which we compute no ratio between contestants."""
TIMES = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
"""Unit → seconds."""


@dataclass(frozen=True)
class Series:
    """The samples of one contestant, in the unit of the row. A size in bytes has only one sample."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the samples, a typical time."""
        return median(self.samples)

    @property
    def minimum(self) -> float:
        """The smallest sample. If it is a time, other work on the machine hardly disturbed it."""
        return min(self.samples)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and the third quartile: 25 % and 75 % of the samples are smaller."""
        if len(self.samples) == 1:
            return self.samples[0], self.samples[0]
        low, _, high = quantiles(self.samples, n=4, method="inclusive")
        return low, high


@dataclass(frozen=True)
class Row:
    """One piece of work, with the time or size that each contestant needed for it.

    target: the largest value, in `unit`, that our own result should have. None if there is no target.
    aim: a smaller value that we would like to reach later.
    missing: for each contestant that did not take part, the reason.
    compared: the contestants that gave equal results.
    wrong: a text that describes how two results differ, or "". If results differ, nothing was timed.
    host: where the work ran (such as CPython), or "" for the group's usual host. Each host has its own table.
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
        """Our median divided by the best peer's median. If it is below 1, we are faster or smaller."""
        peer = self.best_peer
        if peer is None or OURS not in self.series or not self.series[peer].median or self.unit in COUNTED:
            return None
        return self.series[OURS].median / self.series[peer].median

    @property
    def reached(self) -> bool | None:
        """True if our median reaches the target, or None if there is nothing to compare."""
        if self.target is None or OURS not in self.series:
            return None
        return self.series[OURS].median <= self.target

    @property
    def mark(self) -> str:
        """Return ✓ if our median reaches the target, (✓) if only our minimum reaches it, else ✗.

        Return "" if there is no target.
        """
        if self.target is None or self.reached is None:
            return ""
        return "✓" if self.reached else "(✓)" if self.series[OURS].minimum <= self.target else "✗"

    @property
    def failed(self) -> bool:
        """True if a result was wrong, or if our own contestant did not take part."""
        return bool(self.wrong) or any(name.startswith(OURS) for name in self.missing)


def row_from_json(data: Mapping[str, Any]) -> Row:
    """Make a row from a browser's report, which has a list of samples for each contestant."""
    return Row(
        title=data["title"],
        unit=data["unit"],
        series={
            name: Series(tuple(map(float, samples))) for name, samples in data["samples"].items() if samples
        },
        target=data.get("target"),
        aim=data.get("aim"),
        note=data.get("note", ""),
        missing=data.get("missing", {}),
        compared=tuple(data.get("compared", ())),
        wrong=data.get("wrong", ""),
        host=data.get("host", ""),
    )


def row_to_json(row: Row) -> dict[str, Any]:
    """Convert a row to JSON values, with its statistics and all its samples."""
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
    """Divide a derivative's smallest time by the value's smallest time.

    Other work on the machine affects the smallest times least.
    """
    return Series((derivative.minimum / value.minimum,))


def row_from_report(data: Mapping[str, Any]) -> Row:
    """The row that `row_to_json` wrote."""
    samples = {name: one["samples"] for name, one in data["contestants"].items()}
    return row_from_json({**data, "samples": samples})


def _statistics(series: Series) -> dict[str, Any]:
    return {
        "median": series.median,
        "minimum": series.minimum,
        "quartiles": list(series.quartiles),
        "samples": [x if float(x).is_integer() else float(f"{x:.5g}") for x in series.samples],
    }


def contestants(rows: Sequence[Row]) -> list[str]:
    """List the names of the rows' contestants: ours first, then the peers in the order of the rows."""
    names = dict.fromkeys(name for row in rows for name in [*row.series, *row.missing])
    return sorted(names, key=lambda name: not name.startswith(OURS))
