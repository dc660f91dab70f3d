"""Draw functions of two variables: maps, fields, images and surfaces (`solids.js` draws the same)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .frames import Frame, Mark, axes, frame_of, grip, legend
from .numbers import number, pixel
from .paths import path_entries

COLUMNS, ROWS = 48, 36
"""The cells of a map."""
LEVELS: Final = 12
SHADES: Final = 8
ARROWS_ACROSS, ARROWS_DOWN = 13, 9
CELLS: Final = 20
"""The number of cells of a surface along each axis."""
PATCH: Final = 8
"""The number of cells along each axis of the patch that shows the quadratic.

From the point that readers move, the patch reaches in each direction over a fifth of the axis's range."""
DESCENT_STEPS: Final = 300

At = Callable[..., Sequence[float]]
Seen = Callable[[float, float, float], tuple[float, float]]
"""The place on the screen of a point in space."""
Sight = tuple[Seen, bool, bool]
"""A `Seen`, whether the last cell of a row is nearer than the first, and whether the first row is nearest."""
Drawn = tuple[list[Mark], list[Mark], list[Mark], str]


class Corner(NamedTuple):
    """A corner of a surface's cells.

    It has a height `z`, a position on the screen (`across`, `down`), and this position as text.
    """

    z: float
    across: float
    down: float
    text: str


def mix(low: float, high: float, i: int, n: int) -> float:
    """Return low + (high − low) · i / n."""
    return low + (high - low) * i / n


def shade(spec: Mapping[str, Any], value: float) -> int:
    """Return the number of a value's shade, or -1 if the value is NaN."""
    low, high = spec["range"]
    part = (value - low) / (high - low) * SHADES
    return -1 if math.isnan(part) else math.floor(min(max(part, 0.0), SHADES - 1.0))


def names_of(spec: Mapping[str, Any]) -> list[str]:
    """The names of both axes."""
    return [axis["name"] for axis in spec["axes"]]


def contour(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> Drawn:
    """Draw a function's contour lines. If asked for, add gradients and the path of steepest descent."""
    frame = frame_of(spec)
    plot = levels(spec, frame, at)
    entries = [["level", f"{spec['labels'][0]}"]]
    if "gradient" in spec["show"]:
        plot.append(["path", {"class": "arrows", "d": arrows(frame, at, 1)}])
        entries.append(["arrows", "gradient"])
    if "descent" in spec["show"]:
        plot.append(["path", {"class": "descent", "d": descent(frame, state["place"], at)}])
        entries.append(["descent", "descent"])
    behind = axes(frame, names_of(spec)) + legend(entries + path_entries(spec))
    told = spoken(spec, state, at)
    return behind, plot, held_on(spec, state, frame, told), told


def field(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> Drawn:
    """Arrows of a vector field."""
    frame = frame_of(spec)
    x, y = state["place"]
    here = at(x, y)
    names = names_of(spec)
    told = f"{names[0]} = {number(x)}, {names[1]} = {number(y)}: ({number(here[0])}, {number(here[1])})"
    plot: list[Mark] = [["path", {"class": "arrows", "d": arrows(frame, at, 0)}]]
    behind = axes(frame, names) + legend([["arrows", spec["labels"][0]], *path_entries(spec)])
    return behind, plot, held_on(spec, state, frame, told), told


def image(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> Drawn:
    """Draw an image of cells. The shade of a cell shows the function's value at its centre."""
    frame = frame_of(spec)
    shapes = [""] * SHADES
    wide, high = (frame.across(frame.high_x) - frame.across(frame.low_x)) / COLUMNS, 306.0 / ROWS
    for j in range(ROWS):
        y = mix(frame.low_y, frame.high_y, 2 * j + 1, 2 * ROWS)
        top, run, before = pixel(frame.down(y) - high / 2), 0, -1
        for i in range(COLUMNS + 1):  # join neighbouring cells of the same shade into one shape
            x = mix(frame.low_x, frame.high_x, 2 * i + 1, 2 * COLUMNS)
            k = shade(spec, at(x, y)[0]) if i < COLUMNS else -1
            if k != before:
                if before >= 0:
                    left, across = pixel(frame.across(x) - wide * (run + 0.5)), pixel(wide * run + 0.3)
                    shapes[before] += f"M{left} {top}h{across}v{pixel(high + 0.3)}h-{across}z"
                run, before = 0, k
            run += 1
    plot: list[Mark] = [["path", {"class": f"s{k}", "d": shape}] for k, shape in enumerate(shapes)]
    told = spoken(spec, state, at)
    low, top_value = spec["range"]
    words = [["s1", f"{number(low)}"], ["s7", f"{number(top_value)}"]]
    behind = axes(frame, names_of(spec)) + legend(words + path_entries(spec))
    return behind, plot, held_on(spec, state, frame, told), told


def spoken(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> str:
    """Write a sentence about the held point (the one that the reader moves), its value and its gradient."""
    x, y = state["place"]
    here = at(x, y)
    first, second = spec["axes"][0]["name"], spec["axes"][1]["name"]
    told = f"{first} = {number(x)}, {second} = {number(y)}: {spec['labels'][0]} = {number(here[0])}"
    return f"{told}, gradient ({number(here[1])}, {number(here[2])})"


def held_on(spec: Mapping[str, Any], state: Mapping[str, Any], frame: Frame, told: str) -> list[Mark]:
    """Draw the points that readers can drag on a flat picture: the held point and the controls."""
    x, y = state["place"]
    marks = [grip(f"point on {spec['labels'][0]}", "place", frame.across(x), frame.down(y), told)]
    for control in spec["controls"]:
        if control["kind"] == "point":
            x, y = state["values"][control["name"]]
            said = f"{control['name']} = ({number(x)}, {number(y)})"
            marks.append(
                grip(f"point {control['name']}", control["name"], frame.across(x), frame.down(y), said)
            )
    return marks


def levels(spec: Mapping[str, Any], frame: Frame, at: At) -> list[Mark]:
    """Draw the contour lines, by the method of marching squares."""
    low, high = spec["range"]
    values = [
        [
            at(mix(frame.low_x, frame.high_x, i, COLUMNS), mix(frame.low_y, frame.high_y, j, ROWS))[0]
            for i in range(COLUMNS + 1)
        ]
        for j in range(ROWS + 1)
    ]
    marks: list[Mark] = []
    for k in range(LEVELS):
        level = mix(low, high, 2 * k + 1, 2 * LEVELS)
        path = ""
        for j in range(ROWS):
            for i in range(COLUMNS):
                path += crossing(frame, values, i, j, level)
        opacity = number(0.45 + 0.55 * k / (LEVELS - 1))
        marks.append(["path", {"class": "level", "stroke-opacity": opacity, "d": path}])
    return marks


def crossing(frame: Frame, values: list[list[float]], i: int, j: int, level: float) -> str:
    """Write the SVG path of a contour line inside one cell."""
    corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
    heights = [values[b][a] - level for a, b in corners]
    ends = []
    for k in range(4):
        here, there = heights[k], heights[(k + 1) % 4]
        if not (math.isfinite(here) and math.isfinite(there)):
            return ""
        if (here < 0) != (there < 0):
            part = here / (here - there)
            a, b = corners[k], corners[(k + 1) % 4]
            x = frame.low_x + (frame.high_x - frame.low_x) * (a[0] + (b[0] - a[0]) * part) / COLUMNS
            y = frame.low_y + (frame.high_y - frame.low_y) * (a[1] + (b[1] - a[1]) * part) / ROWS
            ends.append((frame.across(x), frame.down(y)))
    path = ""
    for k in range(0, len(ends), 2):
        (x, y), (to_x, to_y) = ends[k], ends[k + 1]
        path += f"M{pixel(x)} {pixel(y)}l{pixel(to_x - x)} {pixel(to_y - y)}"
    return path


def arrows(frame: Frame, at: At, first: int) -> str:
    """Write the SVG path of arrows on a grid.

    The kernel's outputs `first` and `first + 1` give their direction.
    """
    found = []
    longest = 0.0
    for j in range(ARROWS_DOWN):
        for i in range(ARROWS_ACROSS):
            x = mix(frame.low_x, frame.high_x, 2 * i + 1, 2 * ARROWS_ACROSS)
            y = mix(frame.low_y, frame.high_y, 2 * j + 1, 2 * ARROWS_DOWN)
            row = at(x, y)
            across = row[first] * 488 / (frame.high_x - frame.low_x)
            down = -row[first + 1] * 306 / (frame.high_y - frame.low_y)
            size = math.sqrt(across * across + down * down)
            if 0 < size < math.inf:
                longest = max(longest, size)
                found.append((frame.across(x), frame.down(y), across, down, size))
    path = ""
    for x, y, across, down, size in found:
        length = 4 + 28 * (size / longest)
        u, v = across / size, down / size
        one, other = (-5 * u - 3 * v, 3 * u - 5 * v), (3 * v - 5 * u, -5 * v - 3 * u)
        path += f"M{pixel(x - u * length / 2)} {pixel(y - v * length / 2)}l"
        path += " ".join(map(pixel, (u * length, v * length, *one, -one[0], -one[1], *other)))
    return path


def descent(frame: Frame, place: Sequence[float], at: At) -> str:
    """Write the SVG path of steepest descent from the reader's point, in steps of 1/100 of the picture."""
    x, y = place
    row = at(x, y)
    value, path = row[0], f"M{pixel(frame.across(x))} {pixel(frame.down(y))}"
    wide, high = frame.high_x - frame.low_x, frame.high_y - frame.low_y
    for _ in range(DESCENT_STEPS):
        across, down = row[1] * wide, row[2] * high
        size = math.sqrt(across * across + down * down)
        if not 0 < size < math.inf:
            break
        x, y = x - 0.01 * wide * (across / size), y - 0.01 * high * (down / size)
        row = at(x, y)
        if not row[0] < value:
            break
        value = row[0]
        path += f"L{pixel(frame.across(x))} {pixel(frame.down(y))}"
    return path


def surface(spec: Mapping[str, Any], state: Mapping[str, Any], at: At) -> Drawn:
    """Draw a surface, seen obliquely from above. Add the quadratic approximation at the reader's point."""
    (ax, ay), (low, high) = spec["axes"], spec["range"]
    angle = state["turn"] * math.pi / 180
    cosine, sine = math.cos(angle), math.sin(angle)

    def seen(x: float, y: float, z: float) -> tuple[float, float]:
        u = (x - ax["lo"]) / (ax["hi"] - ax["lo"]) * 2 - 1
        v = 1 - (y - ay["lo"]) / (ay["hi"] - ay["lo"]) * 2
        w = min(max((z - low) / (high - low), -0.2), 1.2) * 2 - 1
        return 300 + 175 * (u * cosine - v * sine), 195 + 76 * (u * sine + v * cosine) - 70 * w

    sight = seen, sine >= 0, cosine >= 0
    plot = cells(
        sight, (ax["lo"], ax["hi"], ay["lo"], ay["hi"]), CELLS, lambda x, y: at(x, y)[0],
        lambda z: f"cell s{shade(spec, z)}",
    )  # fmt: skip
    x0, y0 = state["place"]
    z0, fx, fy, fxx, fxy, fyy = at(x0, y0)
    entries = [["s6", spec["labels"][0]]]
    if "quadratic" in spec["show"]:

        def near(x: float, y: float) -> float:
            dx, dy = x - x0, y - y0
            value: float = z0 + fx * dx + fy * dy + fxx / 2 * dx * dx + fxy * dx * dy + fyy / 2 * dy * dy
            return value

        wide, deep = (ax["hi"] - ax["lo"]) / 5, (ay["hi"] - ay["lo"]) / 5
        square = x0 - wide, x0 + wide, y0 - deep, y0 + deep
        plot += cells(sight, square, PATCH, near, lambda _: "patch")
        entries.append(["quadratic", "quadratic"])
    told = spoken(spec, state, at)
    across, down = seen(x0, y0, z0)
    above = [grip(f"point on {spec['labels'][0]}", "place", across, down, told)]
    behind = legend(entries) + floor(spec, seen)
    return behind, plot, above, told


def cells(
    sight: Sight,
    rectangle: tuple[float, float, float, float],
    n: int,
    height: Callable[[float, float], float],
    kind: Callable[[float], str],
) -> list[Mark]:
    """Draw the cells of a surface over a rectangle, from the farthest to the nearest.

    Neighbouring cells in a row become one polygon if they have the same style, and if the reader sees the
    same side of them. This saves time, because a browser needs about 25 µs for each shape. We use polygons
    because a browser does not compute a polygon's style again if only its points move.
    """
    seen, is_right, is_down = sight
    x0, x1, y0, y1 = rectangle
    grid = []
    for j in range(n + 1):
        y = mix(y0, y1, j, n)
        places = [(mix(x0, x1, i, n), y) for i in range(n + 1)]
        grid.append([_corner(height(*place), place, seen) for place in places])
    marks: list[Mark] = []
    for b in range(n):
        j = n - 1 - b if is_down else b
        one, other = grid[j], grid[j + 1]
        last, there, back = ("", False), "", ""
        for a in range(n):
            i = a if is_right else n - 1 - a
            start, end = (i, i + 1) if is_right else (i + 1, i)
            middle = (one[i].z + one[i + 1].z + other[i + 1].z + other[i].z) / 4
            cell = (kind(middle) if math.isfinite(middle) else "", _is_front(one, other, i))
            if cell == last:
                back = other[start].text + one[start].text + back
            else:
                marks += _strip(last[0], there + back)
                last, there, back = cell, one[start].text, other[start].text
            there, back = there + one[end].text, other[end].text + back
        marks += _strip(last[0], there + back)
    return marks


def _corner(z: float, place: tuple[float, float], seen: Seen) -> Corner:
    """Make the corner of a cell, at a point (x, y) and the height z."""
    across, down = seen(*place, z)
    return Corner(z, across, down, f"{pixel(across)} {pixel(down)} ")


def _strip(shown: str, points: str) -> list[Mark]:
    """Draw neighbouring cells as one polygon. If `shown` is empty, draw nothing."""
    return [["polygon", {"class": shown, "points": points.rstrip()}]] if shown else []


def _is_front(one: Sequence[Corner], other: Sequence[Corner], i: int) -> bool:
    """True if the reader sees the front of cell i. The corners `one` and `other` are two rows of a grid."""
    a, b, c, d = one[i], one[i + 1], other[i + 1], other[i]
    return (c.across - a.across) * (d.down - b.down) < (c.down - a.down) * (d.across - b.across)


def floor(spec: Mapping[str, Any], seen: Seen) -> list[Mark]:
    """Draw the rectangle under a surface. Write the names and ranges of the axes along two of its sides."""
    (ax, ay), low = spec["axes"], spec["range"][0]
    corners = [(ax["lo"], ay["lo"]), (ax["hi"], ay["lo"]), (ax["hi"], ay["hi"]), (ax["lo"], ay["hi"])]
    ends = [seen(x, y, low) for x, y in corners]
    path = "L".join(f"{pixel(across)} {pixel(down)}" for across, down in ends)
    marks: list[Mark] = [["path", {"class": "frame", "d": f"M{path}Z"}]]
    for axis, k in ((ax, 0), (ay, 1)):
        across, down = (ends[k][0] + ends[k + 1][0]) / 2, (ends[k][1] + ends[k + 1][1]) / 2
        word = f"{axis['name']}: {number(axis['lo'])} to {number(axis['hi'])}"
        place = {"class": "name", "x": pixel(across + (across - 300) * 0.35), "y": pixel(down + 26)}
        marks.append(["text", {**place, "text-anchor": "middle"}, word])
    return marks
