"""Draw a figure as SVG elements, from its description and its controls (`drawing.js` draws the same)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .frames import Frame, Mark, axes, frame_of, grip, legend
from .numbers import number, pixel
from .paths import drawn, joined, path_entries, sentence
from .solids import contour, field, image, surface
from .tables import table
from .templates import filled

STEPS: Final = 200
"""The number of straight pieces of a curve. It is even, because we use Simpson's rule on the same points."""

COLOURS: Final = 6
"""The number of colours of curves. The next curve after them takes the first colour again."""

At = Callable[..., Sequence[float]]
"""The kernel's outputs at a point of the axes."""


class Picture(NamedTuple):
    """A drawn picture, and a sentence that describes it.

    Its SVG elements are in three layers: behind the plot, in the plot and above it.
    """

    behind: list[Mark]
    plot: list[Mark]
    above: list[Mark]
    told: str


def draw(spec: Mapping[str, Any], state: Mapping[str, Any], at: At, beside: Any) -> Picture:
    """Draw a figure for given values of its controls.

    beside: the results of the figure's second kernel: the sentence's numbers, and the points of the paths. It
        is None if the figure has no sentence and no paths.
    """
    picture = plain_picture(spec, state, at)
    if beside is None:
        return picture
    numbers, paths = beside
    plot = picture.plot + drawn(spec, paths)
    return picture._replace(plot=plot, told=joined(picture.told, sentence(spec["aside"], numbers)))


def plain_picture(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> Picture:
    """Draw a figure's functions."""
    if "marks" in spec:
        marks, told = filled(spec, state, at)
        return Picture(marks, [], points(spec, state, frame_of(spec)), told)
    if spec["kind"] == "curve":
        return curve(spec, state, at)
    if spec["kind"] == "scatter":
        return scatter(spec, state)
    if spec["kind"] == "table":
        return Picture(*table(spec, at))
    draws = {"contour": contour, "field": field, "image": image, "surface": surface}
    return Picture(*draws[spec["kind"]](spec, state, at))


def curve(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> Picture:
    """Draw curves. At the point that the reader moves, add the tangent or other things to the first curve."""
    axis, show, place = spec["axes"][0], spec["show"], state["place"]
    frame = frame_of(spec)
    count, single = len(spec["labels"]), len(spec["labels"]) == 1
    xs = [axis["lo"] + (axis["hi"] - axis["lo"]) * i / STEPS for i in range(STEPS + 1)]
    rows = [at(x) for x in xs]
    entries = [] if single else [[f"c{k % COLOURS}", label] for k, label in enumerate(spec["labels"])]
    told, plot, above = "", [], []
    if place is not None:
        here = at(place[0])
        x, y, slope, bend = place[0], here[0], here[1], here[2]
        told = f"{axis['name']} = {number(x)}: {spec['labels'][0]} = {number(y)}"
        if "area" in show:
            shape, size = area(frame, axis["lo"], x, at)
            plot.append(["path", {"class": "area", "d": shape}])
            told += f", area {number(size)}"
            entries.append(["area", "area"])
        if "quadratic" in show:
            near = [y + slope * (one - x) + bend / 2 * (one - x) * (one - x) for one in xs]
            plot.append(["path", {"class": "quadratic", "d": line(frame, xs, near)}])
            told += f", second derivative {number(bend)}"
            entries.append(["quadratic", "quadratic"])
        if "tangent" in show:
            ends = [xs[0], xs[STEPS]]
            straight = [y + slope * (one - x) for one in ends]
            plot.append(["path", {"class": "tangent", "d": line(frame, ends, straight)}])
            told += f", slope {number(slope)}"
            entries.append(["tangent", "tangent"])
        above.append(grip(f"point on {spec['labels'][0]}", "place", frame.across(x), frame.down(y), told))
    for k in range(count):
        name = "ink" if single else f"c{k % COLOURS}"
        plot.append(["path", {"class": f"curve {name}", "d": line(frame, xs, [row[3 * k] for row in rows])}])
    above += points(spec, state, frame)
    behind = axes(frame, [axis["name"], spec["value"]]) + legend(entries + path_entries(spec))
    return Picture(behind, plot, above, told)


def scatter(spec: Mapping[str, Any], state: Mapping[str, Any]) -> Picture:
    """Draw the axes, the legend and the points that readers drag. The paths are added later."""
    names = [axis["name"] for axis in spec["axes"]]
    frame = frame_of(spec)
    behind = axes(frame, names) + legend(path_entries(spec))
    return Picture(behind, [], points(spec, state, frame), "")


def points(spec: Mapping[str, Any], state: Mapping[str, Any], frame: Frame) -> list[Mark]:
    """Draw the points that readers can drag."""
    marks = []
    for control in spec["controls"]:
        if control["kind"] == "point":
            x, y = state["values"][control["name"]]
            said = f"{control['name']} = ({number(x)}, {number(y)})"
            marks.append(
                grip(f"point {control['name']}", control["name"], frame.across(x), frame.down(y), said)
            )
    return marks


def line(frame: Frame, xs: Sequence[float], ys: Sequence[float]) -> str:
    """Write the SVG path through points.

    It has a gap where a value is not finite, and where the curve jumps from above the plot to below it.
    """
    parts, pen, before = [], "M", 0.0
    for x, y in zip(xs, ys, strict=True):
        side = 1.0 if y > frame.high_y else -1.0 if y < frame.low_y else 0.0
        if not math.isfinite(y):
            pen, before = "M", 0.0
            continue
        if side * before < 0:
            pen = "M"
        parts.append(f"{pen}{pixel(frame.across(x))} {pixel(frame.down(y))}")
        pen, before = "L", side
    return "".join(parts)


def area(frame: Frame, low: float, high: float, at: At) -> tuple[str, float]:
    """Draw the area between the first curve and the line y = 0. Compute its size by Simpson's rule."""
    xs = [low + (high - low) * i / STEPS for i in range(STEPS + 1)]
    ys = [at(x)[0] for x in xs]
    total = 0.0
    for i, y in enumerate(ys):
        total += y * (1.0 if i in (0, STEPS) else 4.0 if i % 2 == 1 else 2.0)
    size = total * (high - low) / (3 * STEPS)
    if not math.isfinite(total):
        return "", size
    zero = pixel(frame.down(0.0))
    edge = "".join(f"L{pixel(frame.across(x))} {pixel(frame.down(y))}" for x, y in zip(xs, ys, strict=True))
    return f"M{pixel(frame.across(low))} {zero}{edge}L{pixel(frame.across(high))} {zero}Z", size
