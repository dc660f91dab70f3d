"""Draw a diagram as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from .text_widths import CAP_HEIGHT

if TYPE_CHECKING:
    from .description import Description
    from .shapes import Shape

FONT = "Helvetica, Arial, sans-serif"
ARROW = 9.0
"""The length of an arrow head for a stroke of width 1. It grows as the square root of the width."""
_STYLE = {"fill": "fill", "stroke": "stroke", "stroke_width": "stroke-width", "dash": "stroke-dasharray"}


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
    style = "".join(
        f' {_STYLE[key]}="{escape(_style(value))}"' for key, value in at.items() if key in _STYLE
    ) + (f' opacity="{_n(at["opacity"])}"' if at.get("opacity", 1.0) != 1.0 else "")
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
        case "line":
            return _line(name, title, style, at)
        case _:
            return _drawn_points(shape.kind, name, title, style, at)
    tag = {"rectangle": "rect"}.get(shape.kind, shape.kind)
    return f"<{tag} {name} {where}{style}>{title}</{tag}>"


def _style(value: Any) -> str:
    return value if isinstance(value, str) else _n(value)


def _points(at: Mapping[str, Any]) -> list[str]:
    count = sum(1 for name in at if name[:1] == "x" and name[1:].isdigit())
    return [f"{_n(at[f'x{k}'])},{_n(-at[f'y{k}'])}" for k in range(1, count + 1)]


def _drawn_points(kind: str, name: str, title: str, style: str, at: Mapping[str, Any]) -> str:
    points = _points(at)
    if kind != "path":
        return f'<{kind} {name} points="{" ".join(points)}"{style}>{title}</{kind}>'
    curves = " ".join("C " + " ".join(points[k : k + 3]) for k in range(1, len(points), 3))
    return f'<path {name} d="M {points[0]} {curves}"{style}>{title}</path>'


def _line(name: str, title: str, style: str, at: Mapping[str, Any]) -> str:
    """A line with its arrow heads."""
    start, end = (at["x1"], -at["y1"]), (at["x2"], -at["y2"])
    where = f'x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}"'
    line = f"<line {where}{style}>{title}</line>"
    heads = {"end": [(start, end)], "start": [(end, start)], "both": [(start, end), (end, start)]}
    drawn = [_head(a, b, at) for a, b in heads.get(at.get("arrow", ""), [])]
    return f"<g {name}>{line}{''.join(drawn)}</g>"


def _head(start: tuple[float, float], end: tuple[float, float], at: Mapping[str, Any]) -> str:
    """The arrow head at the end of a line."""
    length = ARROW * math.sqrt(max(at["stroke_width"], 1.0))
    dx, dy = end[0] - start[0], end[1] - start[1]
    scale = length / (math.hypot(dx, dy) or 1.0)
    dx, dy = dx * scale, dy * scale
    left = f"{_n(end[0] - dx - 0.4 * dy)},{_n(end[1] - dy + 0.4 * dx)}"
    right = f"{_n(end[0] - dx + 0.4 * dy)},{_n(end[1] - dy - 0.4 * dx)}"
    points = f"{_n(end[0])},{_n(end[1])} {left} {right}"
    return f'<polygon points="{points}" fill="{escape(_style(at["stroke"]))}"></polygon>'
