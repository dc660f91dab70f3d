"""Draw a diagram as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from .shapes import ARROWED
from .styles import COLOUR_PARTS
from .text_widths import CAP_HEIGHT

if TYPE_CHECKING:
    from .description import Description
    from .distances import Point
    from .shapes import Shape

FONT = "Helvetica, Arial, sans-serif"
ARROW = 9.0
"""The length of an arrow head for a stroke of width 1. It grows as the square root of the width."""
SAME: Final = 1e-6
"""Two points of a line count as one point if their distance is at most this length."""


def svg_of(diagram: Description, values: Mapping[str, Mapping[str, Any]]) -> str:
    """Draw a diagram as SVG. `values` has the attributes of each shape.

    Shapes with a higher layer cover shapes with a lower layer.
    """
    w, h = diagram.width, diagram.height
    shapes = sorted(diagram.shapes, key=lambda shape: shape.layer)
    drawn = [_element(shape, values[shape.name]) for shape in shapes if shape.kind != "group"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(-w / 2)} {_n(-h / 2)} {_n(w)} {_n(h)}" '
        f'width="{_n(w)}" height="{_n(h)}" role="img">\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def _n(value: Any) -> str:
    """A number with at most three decimals."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _element(shape: Shape, at: Mapping[str, Any]) -> str:
    """Draw a shape as an SVG element. Its id and title are the shape's name. In SVG, y points down."""
    name = f'id="{escape(shape.name)}"'
    title = f"<title>{escape(shape.name)}</title>"
    style = _style(at)
    match shape.kind:
        case "circle":
            where = f'cx="{_n(at["x"])}" cy="{_n(-at["y"])}" r="{_n(at["r"])}"'
        case "ellipse":
            where = f'cx="{_n(at["x"])}" cy="{_n(-at["y"])}" rx="{_n(at["rx"])}" ry="{_n(at["ry"])}"'
        case "rectangle" | "image":
            href = f' href="{escape(shape.content)}"' if shape.kind == "image" else ""
            where = (
                f'x="{_n(at["x"] - at["width"] / 2)}" y="{_n(-at["y"] - at["height"] / 2)}" '
                f'width="{_n(at["width"])}" height="{_n(at["height"])}"{href}'
            )
        case "text":
            return (
                f'<text {name} x="{_n(at["x"])}" y="{_n(-at["y"] + CAP_HEIGHT * at["size"] / 2)}" '
                f'font-family="{escape(at.get("font", FONT))}" font-size="{_n(at["size"])}" '
                f'text-anchor="middle" textLength="{_n(at["width"])}" lengthAdjust="spacingAndGlyphs"{style}>'
                f"{title}{escape(shape.content)}</text>"
            )
        case _:
            return _drawn_points(shape.kind, name, title, style, at)
    tag = {"rectangle": "rect"}.get(shape.kind, shape.kind)
    return f"<{tag} {name} {where}{style}>{title}</{tag}>"


def _style(at: Mapping[str, Any]) -> str:
    """Write the SVG attributes for a shape's style."""
    looks = {name: paint(at, name) for name in ("fill", "stroke")}
    if "stroke_width" in at:
        looks["stroke-width"] = _n(max(0.0, at["stroke_width"]))
    if lengths := dashes(at):
        looks["stroke-dasharray"] = " ".join(_n(max(0.0, length)) for length in lengths)
    if at.get("opacity", 1.0) != 1.0:
        looks["opacity"] = _n(at["opacity"])
    return "".join(f' {name}="{escape(value)}"' for name, value in looks.items() if value is not None)


def paint(at: Mapping[str, Any], name: str) -> str | None:
    """Return the colour `name` of a shape ("fill" or "stroke") as CSS writes it, or None if it has none."""
    if f"{name}_r" not in at:
        return at.get(name)
    parts = [min(1.0, max(0.0, at[name + end])) for end in COLOUR_PARTS]
    return "#" + "".join(f"{math.floor(255 * part + 0.5):02x}" for part in parts)


def dashes(at: Mapping[str, Any]) -> list[Any]:
    """Return the lengths of a shape's dash pattern: a dash, a gap, and so on."""
    if "dash" in at:
        return [at["dash"]]
    count = sum(1 for name in at if name.startswith("dash"))
    return [at[f"dash{k}"] for k in range(1, count + 1)]


def _drawn_points(kind: str, name: str, title: str, style: str, at: Mapping[str, Any]) -> str:
    """Draw a line, polyline, polygon or path, with its arrow heads."""
    count = sum(1 for key in at if key[:1] == "x" and key[1:].isdigit())
    points = [(at[f"x{k}"], -at[f"y{k}"]) for k in range(1, count + 1)]
    written = [f"{_n(x)},{_n(y)}" for x, y in points]
    match kind:
        case "line":
            (x1, y1), (x2, y2) = points
            where = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
        case "path":
            curves = " ".join("C " + " ".join(written[k : k + 3]) for k in range(1, count, 3))
            where = f'd="M {written[0]} {curves}"'
        case _:
            where = f'points="{" ".join(written)}"'
    heads = [_head(way, at) for way in ways_of(points, at.get("arrow", ""))] if kind in ARROWED else []
    if kind != "line" and not heads:
        return f"<{kind} {name} {where}{style}>{title}</{kind}>"
    return f"<g {name}><{kind} {where}{style}>{title}</{kind}>{''.join(heads)}</g>"


def ways_of(points: Sequence[Point], arrow: str) -> list[Sequence[Point]]:
    """For each arrow head, return the points in the order that ends at the tip of the head."""
    ways = [points] if arrow in ("end", "both") else []
    return [*ways, points[::-1]] if arrow in ("start", "both") else ways


def _head(way: Sequence[Point], at: Mapping[str, Any]) -> str:
    """The arrow head at the end of a line. It points away from the last point that is not at the tip.

    For a Bézier curve, this is the direction of the curve's end.
    """
    length = ARROW * math.sqrt(max(at["stroke_width"], 1.0))
    end = way[-1]
    start = next((p for p in reversed(way) if math.dist(p, end) > SAME), end)
    dx, dy = end[0] - start[0], end[1] - start[1]
    scale = length / (math.hypot(dx, dy) or 1.0)
    dx, dy = dx * scale, dy * scale
    left = f"{_n(end[0] - dx - 0.4 * dy)},{_n(end[1] - dy + 0.4 * dx)}"
    right = f"{_n(end[0] - dx + 0.4 * dy)},{_n(end[1] - dy - 0.4 * dx)}"
    colour = escape(paint(at, "stroke") or "none")
    return f'<polygon points="{_n(end[0])},{_n(end[1])} {left} {right}" fill="{colour}"></polygon>'
