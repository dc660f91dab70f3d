"""Format the results as tables: as text for the terminal, and in Markdown for the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from unicodedata import combining

from bench.measure import Row, Series, contestants

ABSENT = "–"
ATTACHED = "  "
"""The prefix of a row's title if the row belongs to a row above it."""
DIGITS = 3
THOUSAND = 1000


def terminal(rows: Sequence[Row]) -> str:
    """The tables, with remarks below them."""
    return "\n".join([*("\n".join([*aligned(part), ""]) for part in by_host(rows)), *remarks(rows)]).rstrip()


def by_host(rows: Sequence[Row]) -> list[list[Row]]:
    """Group the rows by host, such as CPython. Different hosts have different contestants."""
    return [list(part) for _, part in groupby(rows, key=lambda row: row.host)]


def aligned(rows: Sequence[Row]) -> list[str]:
    """A table's lines with aligned columns."""
    lines = cells(rows)
    widths = [max(width(line[k]) for line in lines) for k in range(len(lines[0]))]
    out = ["  ".join(pad(cell, widths[k], k > 0) for k, cell in enumerate(line)).rstrip() for line in lines]
    out.insert(1, "─" * (sum(widths) + 2 * (len(widths) - 1)))
    return out


def verdicts(rows: Sequence[Row]) -> str:
    """Return a text that says which results were equal or wrong, and which contestants were missing."""
    lines = [
        f"{row.title.strip()}: equal: {', '.join(row.compared)}" for row in rows if len(row.compared) > 1
    ]
    lines += [f"WRONG: {row.title}: {row.wrong}" for row in rows if row.wrong]
    missing = {f"{name} missing: {reason}": None for row in rows for name, reason in row.missing.items()}
    return "\n".join([*lines, *missing])


def markdown(rows: Sequence[Row]) -> str:
    """The tables in Markdown, with the remarks as a list below them."""
    tables = ["\n".join(piped(part)) for part in by_host(rows)]
    notes = "\n".join(f"- {note}" for note in remarks(rows))
    return "\n\n".join([*tables, notes] if notes else tables)


def piped(rows: Sequence[Row]) -> list[str]:
    """A table's lines in Markdown."""
    head, *body = cells(rows)
    rule = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(line)} |" for line in [head, rule, *body]]


def cells(rows: Sequence[Row]) -> list[list[str]]:
    """Write the cells of a table: a header, and a line for each row.

    The columns are the row's title, the contestants, the ratio and the target. If no row has a ratio, the
    table has no column for ratios. The same is true for targets.
    """
    names = contestants(rows)
    has_ratio = any(row.ratio is not None for row in rows)
    has_target = any(row.target is not None for row in rows)
    head = ["median (quartiles), minimum", *names]
    lines = [head + ["ours / best peer"] * has_ratio + ["target"] * has_target]
    for row in rows:
        line = [row.title, *(contestant(row, name) for name in names)]
        if has_ratio:
            line.append(ABSENT if row.ratio is None else f"{number(row.ratio)} × {row.best_peer}")
        if has_target:
            line.append(target(row))
        lines.append(line)
    return lines


def contestant(row: Row, name: str) -> str:
    """Write a contestant's cell: `median (quartiles), minimum`, or a single number for a size.

    Example: `0.61 ms (0.58–0.7), 0.55`.
    """
    if row.wrong:
        return "WRONG"
    if name not in row.series:
        return "missing" if name in row.missing else ABSENT
    series = row.series[name]
    return f"{number(series.median)} {row.unit}{spread(series)}"


def spread(series: Series) -> str:
    """Write the quartiles and the minimum. Return "" if there is only one sample."""
    if len(series.samples) == 1:
        return ""
    low, high = series.quartiles
    return f" ({number(low)}–{number(high)}), {number(series.minimum)}"


def target(row: Row) -> str:
    """Write the target, and a mark that shows whether our time reaches the target."""
    if row.target is None:
        return ABSENT
    return f"≤ {number(row.target)} {row.unit} {row.mark}".rstrip()


def number(value: float) -> str:
    """Write a number: with three significant digits below 1,000, and like 12,345 from 1,000 on."""
    if abs(value) >= THOUSAND:
        return f"{value:,.0f}"
    text = f"{value:.{DIGITS}g}"
    return text if "e" not in text else f"{value:.6f}".rstrip("0").rstrip(".")


def remarks(rows: Sequence[Row]) -> list[str]:
    """List the notes of the rows, and sentences about wrong results and missing contestants."""
    sentences: dict[str, None] = {}
    for row in rows:
        if row.wrong:
            sentences[f"WRONG: {row.title}: {row.wrong}"] = None
        sentences.update({f"{name} missing: {reason}": None for name, reason in row.missing.items()})
    sentences.update({f"{row.title.strip()}: {row.note}": None for row in rows if row.note})
    return list(sentences)


def width(text: str) -> int:
    """The number of columns that a text takes in a terminal."""
    return sum(not combining(letter) for letter in text)


def pad(text: str, columns: int, right: bool) -> str:
    """Pad a cell with spaces to a width of `columns`."""
    blank = " " * (columns - width(text))
    return blank + text if right else text + blank
