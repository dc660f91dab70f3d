"""The shapes of a diagram: their attributes, their outlines and their styles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eglantine.errors import Span, UnknownNameError
from eglantine.words.spelling import listed, nearest

from .distances import Box, Chain, Disc, Ellipse, Hull, Outline, Point, largest, support

PLACED_BY = {
    "circle": ("x", "y", "r"),
    "ellipse": ("x", "y", "rx", "ry"),
    "rectangle": ("x", "y", "width", "height"),
    "image": ("x", "y", "width", "height"),
    "line": ("x1", "y1", "x2", "y2"),
    "text": ("x", "y", "size"),
}
"""A dict from the kind of a shape to the attributes that set the shape's position and size.

If the user does not give such an attribute, it is an unknown."""

ARROWED = ("line", "polyline", "path")
"""The kinds of shapes that may have arrow heads."""


@dataclass(frozen=True)
class Unknown:
    """A number that the optimiser chooses. See `unknown` for its fields."""

    start: float | None = None
    low: Any = None
    high: Any = None


def unknown(start: float | None = None, low: Any = None, high: Any = None) -> Unknown:
    """Let the optimiser choose a number. Use the result as an attribute of a shape.

    start: where the search starts. The default is a random number that suits the attribute.
    low, high: the bounds. Each bound is a number, an attribute of another shape, or None.
    """
    return Unknown(start, low, high)


@dataclass(eq=False)
class Shape:
    """One shape. Its attributes are plain numbers or traced Reals. You can read them by name, as in `c.x`.

    kind: "circle", "ellipse" and so on.
    layer: shapes with a higher layer cover shapes with a lower layer.
    values: the attributes by name. Points are numbered: x1, y1, x2, y2, …
    style: fill, stroke, stroke_width, opacity, dash and so on. Its numbers may be traced. A colour of three
        numbers is fill_r, fill_g and fill_b. A dash pattern of several numbers is dash1, dash2 and so on.
    span: the place in the user's program that made the shape, or None.
    canvas: the width and the height of the diagram.
    members: the shapes of a group. You can read them by name, as in g["A"].
    parts: the members by their names. For an included diagram, the copies of all its shapes, by the names
        that the shapes have in that diagram.
    """

    name: str
    kind: str
    values: dict[str, Any]
    style: dict[str, Any]
    layer: float
    span: Span | None
    canvas: tuple[float, float]
    content: str = ""
    members: Sequence[Shape] = ()
    parts: Mapping[str, Shape] = field(default_factory=dict)
    outline: Outline = field(init=False)

    def __post_init__(self) -> None:
        self.parts = self.parts or {member.name: member for member in self.members}
        self.outline = _OUTLINES[self.kind](self)

    def __getattr__(self, name: str) -> Any:
        values: Mapping[str, Any] = self.__dict__.get("values", {})
        if name in values:
            return values[name]
        style: Mapping[str, Any] = self.__dict__.get("style", {})
        if name in style:
            return style[name]
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnknownNameError(
            f"The {self.kind} {self.name} has no attribute {name}. It has {listed([*values, *style])}.",
            None,
            nearest(name, [*values, *style]),
        )

    __iter__ = None  # without this, Python would call __getitem__ with 0, 1, … to iterate

    def __getitem__(self, name: str) -> Shape:
        parts = self.parts
        if name in parts:
            return parts[name]
        raise UnknownNameError(
            f"The {self.kind} {self.name} has no shape {name}. It has {listed(list(parts)) or 'none'}.",
            None,
            nearest(str(name), list(parts)),
        )

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    @property
    def points(self) -> list[Point]:
        """The points of a line, polyline, polygon or path, in order."""
        count = sum(1 for name in self.values if name[:1] == "x" and name[1:].isdigit())
        return [(self.values[f"x{k}"], self.values[f"y{k}"]) for k in range(1, count + 1)]

    @property
    def centre(self) -> Point:
        """The middle of the shape. For a shape with points, it is the mean of the points."""
        points = self.points
        if not points:
            return self.values["x"], self.values["y"]
        return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)

    @property
    def start(self) -> Point:
        """The first point of a line, polyline, polygon or path."""
        return self.points[0]

    @property
    def end(self) -> Point:
        """The last point of a line, polyline, polygon or path."""
        return self.points[-1]


def _of_line(shape: Shape) -> Outline:
    return Hull(tuple(shape.points), shape.style["stroke_width"] / 2)


def _of_chain(shape: Shape) -> Outline:
    return Chain(tuple(shape.points), shape.style["stroke_width"] / 2)


def _of_path(shape: Shape) -> Outline:
    return Chain(tuple(bezier_points(shape.points)), shape.style["stroke_width"] / 2)


def _of_group(shape: Shape) -> Outline:
    """The smallest box around all members."""
    outlines = [member.outline for member in shape.members]

    def reach(x: float, y: float) -> Any:
        return largest([support(outline, (x, y)) for outline in outlines])

    x1, x2, y1, y2 = -reach(-1.0, 0.0), reach(1.0, 0.0), -reach(0.0, -1.0), reach(0.0, 1.0)
    shape.values |= {"x": (x1 + x2) / 2, "y": (y1 + y2) / 2, "width": x2 - x1, "height": y2 - y1}
    return _of_box(shape)


def _of_box(shape: Shape) -> Outline:
    values = shape.values
    return Box((values["x"], values["y"]), values["width"], values["height"])


_OUTLINES: dict[str, Callable[[Shape], Outline]] = {
    "circle": lambda shape: Disc((shape.values["x"], shape.values["y"]), shape.values["r"]),
    "ellipse": lambda shape: Ellipse(
        (shape.values["x"], shape.values["y"]), shape.values["rx"], shape.values["ry"]
    ),
    "rectangle": _of_box,
    "image": _of_box,
    "text": _of_box,
    "group": _of_group,
    "line": _of_line,
    "polygon": lambda shape: Hull(tuple(shape.points)),
    "polyline": _of_chain,
    "path": _of_path,
}

BEZIER_STEPS = 8
"""The number of straight segments that replace each cubic Bézier curve when we compute distances."""


def bezier_points(controls: Sequence[Point]) -> list[Point]:
    """Compute points on a chain of cubic Bézier curves.

    controls: the first point of the chain. Then, for each curve, two control points and the curve's end.
    """
    points = [controls[0]]
    for k in range(0, len(controls) - 1, 3):
        p = controls[k : k + 4]
        for step in range(1, BEZIER_STEPS + 1):
            t = step / BEZIER_STEPS
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            x, y = (sum(w * point[axis] for w, point in zip(weights, p, strict=True)) for axis in (0, 1))
            points.append((x, y))
    return points
