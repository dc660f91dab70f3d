"""Draw the results as an SVG picture. Each measurement has a line with a mark for each contestant's time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from html import escape

from bench.measure import OURS, TIMES, Row, contestants
from bench.report import Group, shown, titled
from bench.table import number

LEFT_PX, WIDTH_PX, ROW_PX, HEAD_PX, LEGEND_PX = 470, 1040, 19, 26, 22
RIGHT_PX = 24
COLOURS = (
    "#c2255c",
    "#1971c2",
    "#2f9e44",
    "#e8590c",
    "#6741d9",
    "#0c8599",
    "#868e96",
    "#f08c00",
    "#5c940d",
    "#a61e4d",
)
"""The colours of the contestants. The first colour is ours."""
LEGEND_COLUMNS = 4


def svg(groups: Mapping[str, Group]) -> str:
    """Draw the rows that contain our time and the time of another contestant. Return the SVG text."""
    lines = [(name, list(timed(group))) for name, group in groups.items()]
    lines = [(name, rows) for name, rows in lines if rows]
    rows = [row for _, part in lines for _, row in part]
    names = [name for name in contestants(rows) if any(name in row.series for row in rows)]
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    legend_lines = -(-len(names) // LEGEND_COLUMNS)
    top = LEGEND_PX * legend_lines + 2 * HEAD_PX
    height = top + sum(HEAD_PX + ROW_PX * len(part) for _, part in lines) + HEAD_PX
    low, high = decades(rows)
    parts = [*legend(colours), *axis(low, high, top, height)]
    y = float(top)
    for name, part in lines:
        parts.append(text(8, y + 17, name, "bold"))
        y += HEAD_PX
        for title, row in part:
            parts.append(text(20, y + 12, title))
            parts += marks(row, colours, y + 8, low, high)
            y += ROW_PX
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH_PX} {height:.0f}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="11">\n'
        f"<title>Medians of all contestants</title>\n"
        f'<rect width="{WIDTH_PX}" height="{height:.0f}" fill="#fff"/>\n{body}\n</svg>\n'
    )


def timed(group: Group) -> Iterator[tuple[str, Row]]:
    """Yield (title, row) for each row that contains our time and the time of another contestant."""
    shown_rows = {id(row) for row in shown(group)}
    for title, row in titled(group.rows):
        if id(row) in shown_rows and row.unit in TIMES and row.best_peer and OURS in row.series:
            yield title, row


def decades(rows: list[Row]) -> tuple[int, int]:
    """Return two integers a and b such that all medians are between 10ᵃ and 10ᵇ seconds."""
    logs = [math.log10(x) for row in rows for x in seconds(row).values() if x > 0] or [0.0]
    return math.floor(min(logs)), math.ceil(max(logs)) or 1


def seconds(row: Row) -> dict[str, float]:
    """The medians in seconds, by contestant."""
    return {name: series.median * TIMES[row.unit] for name, series in row.series.items()}


def place(value: float, low: int, high: int) -> float:
    """Return the x coordinate (in pixels) at which a time (in seconds) is drawn."""
    return LEFT_PX + (math.log10(value) - low) / max(high - low, 1) * (WIDTH_PX - LEFT_PX - RIGHT_PX)


def legend(colours: Mapping[str, str]) -> Iterator[str]:
    """The legend of the contestants' colours."""
    column = (WIDTH_PX - 20) / LEGEND_COLUMNS
    for k, (name, colour) in enumerate(colours.items()):
        x, y = 16 + column * (k % LEGEND_COLUMNS), 18 + LEGEND_PX * (k // LEGEND_COLUMNS)
        yield mark(name, colour, x, y - 4, name)
        yield text(x + 10, y, name)


def axis(low: int, high: int, top: float, height: float) -> Iterator[str]:
    """One line for each power of ten."""
    for power in range(low, high + 1):
        x = place(10.0**power, low, high)
        yield f'<path d="M{x:.1f} {top - 6:.0f}V{height - 8:.0f}" stroke="#dee2e6"/>'
        yield text(x, top - 12, in_words(power), anchor="middle")


def in_words(power: int) -> str:
    """Write 10^power seconds as a text, such as "10 µs"."""
    unit, size = next(item for item in TIMES.items() if 10.0**power >= 0.999 * item[1] or item[0] == "ns")
    return f"{number(round(10.0**power / size, 6))} {unit}"


def marks(row: Row, colours: Mapping[str, str], y: float, low: int, high: int) -> Iterator[str]:
    """Draw the marks of a row's contestants. Our mark comes last, so that no other mark hides it."""
    medians = seconds(row)
    xs = [place(value, low, high) for value in medians.values() if value > 0]
    yield f'<path d="M{min(xs):.1f} {y:.1f}H{max(xs):.1f}" stroke="#adb5bd"/>'
    for name in sorted(medians, key=lambda name: name == OURS):
        label = f"{name}: {number(row.series[name].median)} {row.unit}"
        if medians[name] > 0:
            yield mark(name, colours[name], place(medians[name], low, high), y, label)


def mark(name: str, colour: str, x: float, y: float, label: str) -> str:
    """Draw one mark: a diamond for Eglantine, a disc for any other contestant."""
    title = f"<title>{escape(label)}</title>"
    if name.startswith(OURS):
        corners = f"M{x:.1f} {y - 5:.1f}l5 5-5 5-5-5z"
        return f'<path d="{corners}" fill="{colour}">{title}</path>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}" fill-opacity=".85">{title}</circle>'


def text(x: float, y: float, words: str, weight: str = "normal", anchor: str = "start") -> str:
    """A line of text."""
    style = f'font-weight="{weight}" text-anchor="{anchor}" fill="#212529"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'
