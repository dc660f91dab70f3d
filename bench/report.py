"""Write the benches' results from all runs into a file, and make the page that shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measure import OURS, Row, row_from_report, row_to_json
from bench.table import ABSENT, ATTACHED, markdown, number

ORDER = (
    "compile",
    "pairs",
    "chain",
    "regression",
    "billiards",
    "robot",
    "live",
    "page",
    "adbench",
    "arrays",
    "nist",
    "solvers",
    "learn",
    "diagrams",
    "first",
)
"""The names of groups in the order of the page. Groups that are not in this list come last."""
BUSY = "The machine had other work to do: compare minima, and measure again in a quiet hour."
MACHINE = re.compile(r"(?P<cores>\d+) cores(?:, load (?P<load>[\d.]+))?")
MANY = 60
"""The largest number of rows of a group that is shown in full.

If a group is larger, the page shows only its rows with a target or a note.
"""
WHOLE = ("nist", "bril")
"""The names of the groups that are shown in full, however many rows they have."""


@dataclass(frozen=True)
class Group:
    """A group's rows, with the machine and the day of the measurement."""

    machine: str
    date: str
    rows: tuple[Row, ...]

    @property
    def cores(self) -> float:
        """The number of the machine's processors."""
        return self._number("cores")

    @property
    def load(self) -> float:
        """The machine's load at the start. If it exceeds `cores`, other programs kept the machine busy."""
        return self._number("load")

    def _number(self, part: str) -> float:
        match = MACHINE.search(self.machine)
        return float((match and match[part]) or 0)


def write(path: Path, groups: Mapping[str, Group]) -> None:
    """Write the results of `groups` into a file. The file keeps the results of all other groups."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    new = {
        name: {"machine": group.machine, "date": group.date, "rows": list(map(row_to_json, group.rows))}
        for name, group in groups.items()
    }
    parts = (f"{json.dumps(name)}: {one_line_a_row(group)}" for name, group in ordered({**known, **new}))
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def one_line_a_row(group: Mapping[str, Any]) -> str:
    """Write a group as JSON, with one line of text for each row."""
    head = {key: value for key, value in group.items() if key != "rows"}
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in group["rows"])
    return json.dumps(head, ensure_ascii=False)[:-1] + f', "rows": [\n{rows}\n]}}'


def read(path: Path) -> dict[str, Group]:
    """Read the groups from such a file."""
    written = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Group(group["machine"], group["date"], tuple(map(row_from_report, group["rows"])))
        for name, group in ordered(written)
    }


def ordered(groups: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The groups in the page's order."""
    yield from sorted(groups.items(), key=lambda item: (*ORDER, item[0]).index(item[0]))


def shown(group: Group, whole: bool = False) -> list[Row]:
    """Choose the rows of a group that the page shows.

    If the group has more than `MANY` rows, choose only the rows with a target or a note.
    whole: if true, choose all rows, however many there are.
    """
    if whole or len(group.rows) <= MANY:
        return list(group.rows)
    return [row for row in group.rows if row.target is not None or row.note]


def page(groups: Mapping[str, Group], source: str, picture: str) -> str:
    """Write the documentation's page about the benchmarks, in Markdown.

    source: the name of the file with the results.
    picture: the name of the file with the picture.
    """
    sections = "\n\n".join(section(name, group) for name, group in groups.items())
    return f"""# Benchmarks

All figures here are generated. `python3 -m bench GROUP --json docs/{source}` measures a group again, and
`python3 -m bench --from docs/{source} --markdown docs/benchmarks.md --svg docs/{picture}` makes this page.

In every row, all contestants take turns in one run. Before a measurement, the results of all contestants
are compared. A cell shows the median, the quartiles in brackets, then the minimum. The ratio is our median
divided by the best peer's median. If the ratio is below 1, we are faster or smaller. Targets are set for
minima: ✓ means that our median also reaches the target. (✓) means that only our minimum reaches the target.
✗ means that neither reaches the target.

## Targets

{summary(groups)}

![Every contestant's median in every row, on a logarithmic scale]({picture})

{sections}
"""


def summary(groups: Mapping[str, Group]) -> str:
    """The rows with targets, in Markdown."""
    lines = ["| work | ours: median, minimum | best peer | ratio | target | aim | command |"]
    lines.append("|---|---:|---:|---:|---:|---:|---|")
    for name, group in groups.items():
        for title, row in titled(group.rows):
            if row.target is None:
                continue
            ours, peer = row.series.get(OURS), row.best_peer
            cells = (
                title,
                f"{number(ours.median)}, {number(ours.minimum)} {row.unit}" if ours else ABSENT,
                f"{peer}: {number(row.series[peer].median)} {row.unit}" if peer else ABSENT,
                ABSENT if row.ratio is None else number(row.ratio),
                f"≤ {number(row.target)} {row.unit} {row.mark}",
                ABSENT if row.aim is None else f"{number(row.aim)} {row.unit}",
                f"`python3 -m bench {name}`",
            )
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def titled(rows: Sequence[Row]) -> Iterator[tuple[str, Row]]:
    """Yield (full title, row) for each row.

    If a title is indented, the full title begins with the last title before it that is not indented.
    """
    head = ""
    for row in rows:
        if row.title.startswith(ATTACHED):
            yield f"{head}: {row.title.strip()}", row
        else:
            head = row.title
            yield head, row


def section(name: str, group: Group) -> str:
    """A group's table in Markdown."""
    rows = shown(group, name in WHOLE)
    left_out = len(group.rows) - len(rows)
    more = f"\n\nThe JSON file has {left_out} more rows." if left_out else ""
    busy = f" {BUSY}" if group.load > group.cores else ""
    return f"## {name}\n\n{group.date}, {group.machine}.{busy}\n\n{markdown(rows)}{more}"
