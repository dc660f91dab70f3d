"""Draw the results of a figure's second kernel: paths and a sentence (`paths.js` does the same)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .frames import Frame, Mark, frame_of
from .numbers import number, pixel

GREYS = 32
"""Cells have this many greys."""
COLOURS = 6
"""The number of colours of paths. The next path after them takes the first colour again."""


def sentence(aside: Mapping[str, Any], numbers: Sequence[float]) -> str:
    """Fill numbers into the sentence. If a number has a list of words, write the word at its position."""
    text: str = aside["sentence"][0]
    for k, value in enumerate(numbers):
        words = aside["words"][k]
        text += (words[int(value)] if 0 <= value < len(words) else "?") if words else number(value)
        text += aside["sentence"][k + 1]
    return text


def joined(told: str, said: str) -> str:
    """Join two sentences. If one is empty, return the other."""
    return f"{told}. {said}" if told and said else told or said


def drawn(spec: Mapping[str, Any], paths: Sequence[Any]) -> list[Mark]:
    """Draw the paths: lines through their points, dots at them, or grey squares."""
    marks: list[Mark] = []
    frame, first = frame_of(spec), first_colour(spec)
    for k, (xs, ys, *greys) in enumerate(paths):
        if greys:
            marks += cells(frame, xs, ys, greys[0])
            continue
        colour, look = f"c{(first + k) % COLOURS}", spec["aside"]["paths"][k]["look"]
        if look != "dots":
            marks.append(["path", {"class": f"run {colour}", "d": way(frame, xs, ys)}])
        if look != "line":
            marks.append(["path", {"class": f"dots {colour}", "d": dots(frame, xs, ys)}])
    return marks


def path_entries(spec: Mapping[str, Any]) -> list[list[str]]:
    """The legend's entries for the paths."""
    first = first_colour(spec)
    paths = spec["aside"]["paths"] if "aside" in spec else []
    lines = [(k, path["label"]) for k, path in enumerate(paths) if path["look"] != "grey"]
    return [[f"c{(first + k) % COLOURS}", label] for k, label in lines]


def first_colour(spec: Mapping[str, Any]) -> int:
    """Return the number of the first path's colour. Several curves, or contour lines, use lower numbers."""
    count = len(spec["labels"])
    return count if spec["kind"] == "contour" or count > 1 else 0


def way(frame: Frame, xs: Sequence[float], ys: Sequence[float]) -> str:
    """Write the SVG path of a line through points. It has a gap where a point is not finite."""
    text, pen = "", "M"
    for x, y in zip(xs, ys, strict=True):
        if not (math.isfinite(x) and math.isfinite(y)):
            pen = "M"
            continue
        text += f"{pen}{pixel(frame.across(x))} {pixel(frame.down(y))}"
        pen = "L"
    return text


def dots(frame: Frame, xs: Sequence[float], ys: Sequence[float]) -> str:
    """Write the SVG path of dots at the finite points. A dot is a line of length 0 with round ends."""
    return "".join(
        f"M{pixel(frame.across(x))} {pixel(frame.down(y))}h0"
        for x, y in zip(xs, ys, strict=True)
        if math.isfinite(x) and math.isfinite(y)
    )


def cells(frame: Frame, xs: Sequence[float], ys: Sequence[float], greys: Sequence[float]) -> list[Mark]:
    """Draw a grey square of side 1 around each point. Join neighbouring squares of the same grey."""
    shapes = [""] * GREYS
    high = pixel(frame.down(0.0) - frame.down(1.0) + 0.3)
    begin = 0
    for i in range(1, len(xs) + 1):
        grey = shade_of(greys[begin])
        joins = i < len(xs) and ys[i] == ys[begin] and xs[i] == xs[i - 1] + 1
        if joins and shade_of(greys[i]) == grey:
            continue
        left = frame.across(xs[begin] - 0.5)
        wide = pixel(frame.across(xs[i - 1] + 0.5) - left + 0.3)
        shapes[grey] += f"M{pixel(left)} {pixel(frame.down(ys[begin] + 0.5))}h{wide}v{high}h-{wide}z"
        begin = i
    return [
        ["path", {"class": "grey", "fill": f"hsl(0 0% {number(100 * k / (GREYS - 1))}%)", "d": shape}]
        for k, shape in enumerate(shapes)
    ]


def shade_of(grey: float) -> int:
    """The number of a grey. NaN is black."""
    return math.floor(min(max(grey, 0.0), 1.0) * (GREYS - 1) + 0.5) if math.isfinite(grey) else 0
