"""Styles are checked where a shape is made. Python's `svg()`, the page and figures draw them alike."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from app.diagrams.compiling import described
from eglantine import diagrams as dg
from eglantine.diagrams.exchange import from_text, to_data
from tools.node import find_node

DRAWN = Path(__file__).with_name("drawn.mjs")
SVG = "{http://www.w3.org/2000/svg}"
Corners = list[tuple[float, float]]


def fixed() -> dg.Diagram:
    return dg.Diagram(200, 100)


def from_python(layout: dg.Layout) -> ET.Element:
    return ET.fromstring(layout.svg())  # noqa: S314


def from_page(layout: dg.Layout) -> ET.Element:
    """Draw a layout with the page's code."""
    shapes = layout.diagram.shapes
    places = {shape.name: k for k, shape in enumerate(shapes)}
    told = [{**described(shape, places, set()), "values": layout.values[shape.name]} for shape in shapes]
    done = find_node().run([DRAWN, json.dumps(told)])
    assert done.returncode == 0, done.stderr
    return ET.fromstring(done.stdout)  # noqa: S314


DRAWERS = pytest.mark.parametrize("drawn", [from_python, from_page])
Drawer = Callable[[dg.Layout], ET.Element]


def element(root: ET.Element, name: str) -> ET.Element:
    """Find the element that shows a shape. It may be inside a group with the shape's name."""
    [found] = [one for one in root if one.get("id") == name]
    inner = [one for one in found if one.tag != f"{SVG}title"]
    return inner[0] if inner else found


def heads(root: ET.Element, name: str) -> list[Corners]:
    """Return the corners of a shape's arrow heads, the tip first."""
    [group] = [one for one in root if one.get("id") == name]
    found = group.findall(f"{SVG}polygon")
    return [
        [(float(x), float(y)) for x, y in (p.split(",") for p in str(one.get("points")).split())]
        for one in found
    ]


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("opacity", 0.0, 1.0), ("fill_r", 0.0, 1.0), ("fill_b", 0.0, 1.0), ("stroke_g", 0.0, 1.0)],
)
def test_an_unknown_opacity_or_colour_is_between_0_and_1(name: str, low: float, high: float) -> None:
    for wish, end in ((dg.minimise, low), (dg.maximise, high)):
        d = fixed()
        colour = (dg.unknown(), 0.5, dg.unknown())
        c = d.circle(0, 0, 10, name="C", opacity=dg.unknown(), fill=colour, stroke=(0, dg.unknown(), 1))
        d.encourage(wish(getattr(c, name)))
        assert d.layout().values["C"][name] == pytest.approx(end, abs=2e-3)


@pytest.mark.parametrize("name", ["stroke_width", "dash"])
def test_an_unknown_length_of_a_style_is_at_least_0(name: str) -> None:
    d = fixed()
    c = d.circle(0, 0, 10, name="C", **{name: dg.unknown()})
    d.encourage((getattr(c, name) + 5) ** 2)
    assert d.layout().values["C"][name] == pytest.approx(0.0, abs=2e-3)


def test_bounds_that_a_user_gives_replace_the_usual_bounds() -> None:
    d = fixed()
    c = d.circle(0, 0, 10, name="C", opacity=dg.unknown(high=0.5), stroke_width=dg.unknown(low=2))
    d.encourage(dg.maximise(c.opacity), (c.stroke_width + 5) ** 2)
    values = d.layout().values["C"]
    assert values["opacity"] == pytest.approx(0.5, abs=2e-3)
    assert values["stroke_width"] == pytest.approx(2.0, abs=2e-3)


@DRAWERS
def test_every_renderer_draws_dashes_and_colours_of_numbers(drawn: Drawer) -> None:
    d = fixed()
    grey = d.parameter("grey", 0.2)
    dashed = d.circle(0, 0, 10, name="unknown", dash=dg.unknown(), opacity=dg.unknown())
    d.ensure(dashed.dash == 3, dashed.opacity == 0.25)
    several = d.circle(0, 0, 10, name="several", dash=(4, dg.unknown()), stroke=(grey, grey, 1))
    d.ensure(several.dash2 == 2.5)
    d.circle(0, 0, 10, name="one", dash=5, fill=None, stroke="steelblue")
    d.circle(0, 0, 10, name="text", dash="4, 2 1", fill=(1, 0.5, 0))
    d.circle(0, 0, 10, name="none", dash=None)
    root = drawn(d.layout())
    assert float(str(element(root, "unknown").get("stroke-dasharray"))) == pytest.approx(3, abs=2e-3)
    assert float(str(element(root, "unknown").get("opacity"))) == pytest.approx(0.25, abs=2e-3)
    first, second = map(float, str(element(root, "several").get("stroke-dasharray")).split())
    assert (first, second) == pytest.approx((4, 2.5), abs=2e-3)
    assert element(root, "several").get("stroke") == "#3333ff"
    names = ("stroke-dasharray", "fill", "stroke")
    assert [element(root, "one").get(name) for name in names] == ["5", "none", "steelblue"]
    assert element(root, "text").get("stroke-dasharray") == "4 2 1"
    assert element(root, "text").get("fill") == "#ff8000"
    assert element(root, "none").get("stroke-dasharray") is None


def test_styles_of_numbers_survive_the_way_to_the_page() -> None:
    d = fixed()
    c = d.circle(0, 0, 10, name="C", dash=(4, dg.unknown()), fill=(dg.unknown(), 0, 1))
    d.ensure(c.dash2 == 2, c.fill_r == 0.6)
    values = from_text(json.dumps(to_data(d))).layout().values["C"]
    assert (values["dash1"], values["dash2"]) == pytest.approx((4, 2), abs=2e-3)
    assert (values["fill_r"], values["fill_g"], values["fill_b"]) == pytest.approx((0.6, 0, 1), abs=2e-3)


WRONG: list[tuple[str, dict[str, Any]]] = [
    *(("fill", {"fill": value}) for value in (5, "bleu", "url(#a)", "#12345", (1, 2, 3), (0, 0), True)),
    ("fill", {"fill": dg.unknown()}),
    *(("stroke", {"stroke": value}) for value in (0.5, "", "rgb(", ("a", "b", "c"), [0, 0, -0.1], b"red")),
    *(("opacity", {"opacity": value}) for value in (-0.1, 1.1, "half", float("nan"), True, [0.5])),
    *(("stroke_width", {"stroke_width": value}) for value in (-1, "thick", float("inf"), (1,))),
    *(("dash", {"dash": value}) for value in (-1, "dotted", [], [4, -2], ["4"], [4, None], "4 -2", "")),
    *(("font", {"font": value}) for value in (3, ["Georgia"])),
    *(("arrow", {"arrow": value}) for value in ("sideways", True, "", 1)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given"), WRONG)
def test_a_wrong_style_is_an_error_at_the_line_that_makes_the_shape(name: str, given: dict[str, Any]) -> None:
    d = fixed()
    with pytest.raises(eg.TypeMismatchError, match=f"The {name} of L must be ") as caught:
        d.line(name="L", **given)
    line = test_a_wrong_style_is_an_error_at_the_line_that_makes_the_shape.__code__.co_firstlineno
    assert caught.value.span is not None
    assert caught.value.span.line == line + 4
    assert d.shapes == []


def test_a_misspelt_colour_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(eg.TypeMismatchError, match="Did you mean `steelblue`"):
        fixed().circle(fill="stealblue")


@pytest.mark.parametrize(
    "colour",
    ["Red", "rebeccapurple", "#abc", "#AABBCC80", "rgb(10 20% 30 / 50%)", "hsl(120, 50%, 50%)", "transparent",
     "currentColor", "none"],
)  # fmt: skip
def test_a_colour_is_written_as_in_css(colour: str) -> None:
    d = fixed()
    d.circle(0, 0, 10, name="C", fill=colour)
    assert element(from_python(d.layout()), "C").get("fill") == colour


def test_a_layer_and_a_name_are_checked() -> None:
    with pytest.raises(eg.TypeMismatchError, match="The layer of C must be a plain number"):
        fixed().circle(name="C", layer="top")
    with pytest.raises(eg.TypeMismatchError, match="The name of a circle must be a text"):
        fixed().circle(name=3)


# ---------------------------------------------------------------- arrow heads


def arrowed() -> dg.Diagram:
    """A diagram of a line, polylines and paths with strokes of width 1, so that heads have the length 9."""
    d = fixed()
    style = {"arrow": "both", "stroke_width": 1, "stroke": "#a33"}
    d.line((0, 0), (20, 0), name="line", **style)
    d.polyline([(0, 0), (10, 0), (10, 20)], name="polyline", **style)
    d.path([(0, 0), (0, 30), (40, 30), (40, 10)], name="path", **style)
    d.path([(0, 0), (0, 0), (30, 40), (30, 40)], name="stiff path", **style)
    d.polyline([(0, 0), (0, 30), (40, 30), (40, 30)], name="stopping", **{**style, "arrow": "end"})
    d.polyline([(0, 0), (10, 0), (10, 20)], name="plain")
    return d


HEADS: dict[str, list[Corners]] = {
    "line": [[(20, 0), (11, -3.6), (11, 3.6)], [(0, 0), (9, -3.6), (9, 3.6)]],
    "polyline": [[(10, -20), (6.4, -11), (13.6, -11)], [(0, 0), (9, -3.6), (9, 3.6)]],
    "path": [[(40, -10), (36.4, -19), (43.6, -19)], [(0, 0), (-3.6, -9), (3.6, -9)]],
    # From (0, 0) to (30, 40), the direction is (0.6, 0.8): the base is at (24.6, 32.8), and its half is 3.6.
    "stiff path": [[(30, -40), (21.72, -34.96), (27.48, -30.64)], [(0, 0), (2.52, -9.36), (8.28, -5.04)]],
    "stopping": [[(40, -30), (31, -33.6), (31, -26.4)]],
    "plain": [],
}
"""The corners of the heads by hand: the tip, and two corners 9 behind it and 3.6 to the sides.

Here, y points down."""


@DRAWERS
def test_arrow_heads_lie_along_the_last_and_the_first_piece_of_a_line(drawn: Drawer) -> None:
    root = drawn(arrowed().layout())
    for name, expected in HEADS.items():
        found = heads(root, name) if name != "plain" or drawn is from_page else []
        assert [corners[0] for corners in found] == [corners[0] for corners in expected], name
        for corners, wanted in zip(found, expected, strict=True):
            for corner, other in zip(sorted(corners[1:]), sorted(wanted[1:]), strict=True):
                assert corner == pytest.approx(other, abs=1e-3), name
    assert element(root, "path").tag == f"{SVG}path"


def test_figures_draw_arrow_heads_along_the_same_directions() -> None:
    d = fixed()
    x = d.parameter("x", 40)
    d.path([(0, 0), (0, 30), (x, 30), (x, 10)], name="path", arrow="end", stroke="#a33", dash=4)
    d.polyline([(0, 0), (x, 0), (x, -20), (x, -20)], name="way", arrow="end", stroke=(x / 100, 0.5, 1))
    html = eg.figure(d, kind="diagram", x=eg.slider(10, 60, 40)).html()
    found = {
        colour: [(float(a), float(b)) for a, b in re.findall(r"([-\d.]+) ([-\d.]+)", way)]
        for way, colour in re.findall(r'<path d="(M[^"C]*L[^"C]*Z)" fill="([^"]*)"', html)
    }
    assert set(found) == {"#a33", "rgb(40%,50%,100%)"}
    for tip, *base in found.values():  # both heads point downwards
        middle = (base[0][0] + base[1][0]) / 2, (base[0][1] + base[1][1]) / 2
        assert middle[0] == pytest.approx(tip[0], abs=0.11)
        assert middle[1] < tip[1] - 5
        assert math.dist(*base) == pytest.approx(0.8 * (tip[1] - middle[1]), abs=0.3)


@pytest.mark.parametrize("kind", ["circle", "ellipse", "rectangle", "polygon", "text", "image"])
def test_other_shapes_refuse_arrow_heads(kind: str) -> None:
    d = fixed()
    first = {"polygon": (3,), "text": ("a",), "image": ("data:,",)}.get(kind, ())
    with pytest.raises(eg.TypeMismatchError, match="only lines, polylines and paths have") as caught:
        getattr(d, kind)(*first, arrow="end")
    assert f"The {kind} {kind}-1 was given an arrow" in caught.value.message
    getattr(d, kind)(*first, arrow=None)
