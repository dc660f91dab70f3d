"""Draw a table: values and slopes of functions at evenly spaced points. (`tables.js` does it in browsers.)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .frames import LEFT, RIGHT, Mark
from .numbers import number, pixel

ROWS: Final = 9
LINE: Final = 34
"""The height of a row of the table, in pixels."""
HEAD: Final = 20.0
PER_FUNCTION: Final = 3
"""The number of results of the kernel for each function: its value, its slope and its second derivative."""


def table(
    spec: Mapping[str, Any], at: Callable[..., Sequence[float]]
) -> tuple[list[Mark], list[Mark], list[Mark], str]:
    """Draw the table. Each row has a point x, and the value and slope of each function at x."""
    axis, labels = spec["axes"][0], spec["labels"]
    heads = [axis["name"], *(word for label in labels for word in (label, "slope"))]
    marks = _line("name", HEAD, heads)
    for i in range(ROWS):
        x = axis["lo"] + (axis["hi"] - axis["lo"]) * i / (ROWS - 1)
        row = at(x)
        values = [x, *(row[PER_FUNCTION * k + j] for k in range(len(labels)) for j in (0, 1))]
        marks += _line("tick", LINE * (i + 1) + HEAD, list(map(number, values)))
    return marks, [], [], ""


def _line(kind: str, y: float, texts: Sequence[str]) -> list[Mark]:
    """One line of the table."""
    ends = [LINE + (RIGHT - LEFT) * (k + 1) / len(texts) for k in range(len(texts))]
    return [
        ["text", {"class": kind, "x": pixel(end), "y": pixel(y), "text-anchor": "end"}, text]
        for end, text in zip(ends, texts, strict=True)
    ]
