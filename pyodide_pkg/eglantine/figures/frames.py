"""Scales, ticks and axes of a flat picture (`frames.js` draws the same)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .numbers import exponent_of, number, pixel

WIDTH: Final = 560.0
HEIGHT: Final = 380.0
LEFT: Final = 56.0
RIGHT: Final = 544.0
TOP: Final = 34.0
BOTTOM: Final = 340.0
TICKS: Final = 5.0
"""The approximate number of ticks of an axis."""
LETTER: Final = 9.5
"""The width of a letter in the legend, in pixels."""

Mark = list[Any]
"""An element of SVG: its tag, its attributes, and its text if it has one."""


class Frame(NamedTuple):
    """The ranges of both axes of a picture."""

    low_x: float
    high_x: float
    low_y: float
    high_y: float

    def across(self, x: float) -> float:
        """Return the horizontal position of x in the picture, in pixels."""
        return LEFT + (x - self.low_x) / (self.high_x - self.low_x) * (RIGHT - LEFT)

    def down(self, y: float) -> float:
        """Return the vertical position of y in the picture, in pixels."""
        return BOTTOM - (y - self.low_y) / (self.high_y - self.low_y) * (BOTTOM - TOP)


def frame_of(spec: Mapping[str, Any]) -> Frame:
    """The frame of a flat picture."""
    x, *others = spec["axes"]
    low, high = (others[0]["lo"], others[0]["hi"]) if others else spec["range"]
    return Frame(x["lo"], x["hi"], low, high)


def ticks(low: float, high: float) -> list[float]:
    """List evenly spaced round numbers within a range, such as 0, 5 and 10."""
    rough = (high - low) / TICKS
    power = float(f"1e{exponent_of(rough)}")
    ratio = rough / power
    step = power * (1.0 if ratio < 1.5 else 2.0 if ratio < 3.5 else 5.0 if ratio < 7.5 else 10.0)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [i * step for i in range(first, last + 1)]


def axes(frame: Frame, names: list[str]) -> list[Mark]:
    """Draw the ticks, their numbers and the names of the axes."""
    marks: list[Mark] = []
    for x in ticks(frame.low_x, frame.high_x):
        at = pixel(frame.across(x))
        marks.append(["line", {"class": "grid", "x1": at, "x2": at, "y1": "34", "y2": "340"}])
        marks.append(["text", {"class": "tick", "x": at, "y": "357", "text-anchor": "middle"}, number(x)])
    for y in ticks(frame.low_y, frame.high_y):
        at = pixel(frame.down(y))
        marks.append(["line", {"class": "grid", "x1": "56", "x2": "544", "y1": at, "y2": at}])
        low = pixel(frame.down(y) + 4)
        marks.append(["text", {"class": "tick", "x": "50", "y": low, "text-anchor": "end"}, number(y)])
    marks.append(["rect", {"class": "frame", "x": "56", "y": "34", "width": "488", "height": "306"}])
    marks.append(["text", {"class": "name", "x": "300", "y": "375", "text-anchor": "middle"}, names[0]])
    marks.append(["text", {"class": "name", "x": "8", "y": "20"}, names[1]])
    return marks


def legend(entries: list[list[str]]) -> list[Mark]:
    """Draw the legend: a row above the picture with a word for each colour.

    entries: pairs (CSS class, word). The class sets the colour.
    """
    marks: list[Mark] = []
    right = RIGHT
    for kind, word in reversed(entries):
        right = right - len(word) * LETTER
        marks.append(["text", {"class": f"key {kind}", "x": pixel(right), "y": "20"}, word])
        right = right - 8
        marks.append(
            ["line", {"class": kind, "x1": pixel(right - 14), "x2": pixel(right), "y1": "16", "y2": "16"}]
        )
        right = right - 26
    return marks


def grip(label: str, name: str, x: float, y: float, told: str) -> Mark:
    """Draw a point that readers can drag, or move with keys."""
    return ["circle", {
        "class": "held", "data-name": name, "cx": pixel(spot(x)), "cy": pixel(spot(y)), "r": "8",
        "tabindex": "0", "role": "slider", "aria-label": label, "aria-valuenow": "0", "aria-valuetext": told,
    }]  # fmt: skip


def spot(value: float) -> float:
    """Return a coordinate in pixels. If it is not finite, return a position far outside the picture."""
    return value if math.isfinite(value) else -999.0
