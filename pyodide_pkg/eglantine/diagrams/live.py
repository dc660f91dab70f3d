"""Make a figure of a diagram. The page lays the diagram out again whenever a control moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from eglantine.errors import TypeMismatchError
from eglantine.figures.controls import Choice, Control, Picture, Point, Slider
from eglantine.figures.frames import BOTTOM, LEFT, RIGHT, TOP, Mark
from eglantine.figures.models import Model, leaves_of
from eglantine.figures.numbers import pixel
from eglantine.figures.signatures import traced
from eglantine.figures.templates import PIXEL, Template
from eglantine.functions.fn import Fn
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector
from eglantine.types import Real, Vec
from eglantine.words.spelling import listed

from .description import Description
from .distances import Point as Place
from .drawing import ARROW, FONT, SAME, dashes, paint, ways_of
from .layout import laid_out
from .programs import is_traced, program, stages_of
from .shapes import Shape
from .styles import COLOUR_PARTS
from .text_widths import CAP_HEIGHT

METHOD: Final = "exterior-point"
TRIES: Final = 5


def figure_of(d: Description, named: Mapping[str, Any]) -> tuple[Model, Template]:
    """Make the model of a diagram's figure, and the template with its SVG elements."""
    controls = _controls(d, named)
    starts = {
        leaf: value for name, control in controls.items()
        for leaf, value in zip(leaves_of(name, control), _values(control), strict=True)
    }  # fmt: skip
    layout = laid_out(d, METHOD, None, d.seed, None, starts, TRIES)
    drawing = _Drawing(d)
    kernel = _kernel(d, list(starts), [layout.unknowns[slot.key] for slot in d.slots], drawing.numbers)
    axes = [("_across", -drawing.wide, drawing.wide), ("_up", -drawing.high, drawing.high)]
    model = Model("diagram", axes, controls, None, (0.0, 1.0), [], kernel)
    named_shapes = [shape.name for shape in d.shapes if not shape.name.startswith(f"{shape.kind}-")]
    told = f"Shapes: {', '.join(named_shapes)}" if named_shapes else ""
    return model, Template(drawing.marks, told, 0)


def _controls(d: Description, named: Mapping[str, Any]) -> dict[str, Control]:
    """Check that each control sets a parameter of the diagram. Return the controls.

    A control for a point p sets the two parameters p_x and p_y.
    """
    known = [slot.key for slot in d.slots if slot.stage is None]
    for name, control in named.items():
        if not isinstance(control, Slider | Point | Choice):
            raise TypeMismatchError(
                f"{name} is {control!r}, but a diagram needs a control here, such as eg.slider."
            )
        if missing := [leaf for leaf in leaves_of(name, control) if leaf not in known]:
            raise TypeMismatchError(
                f"The diagram has no parameter {missing[0]}. It has {listed(known) or 'none'}. Make one with "
                f"d.parameter({missing[0]!r}, 0)."
            )
    return dict(named)


def _values(control: Control) -> Sequence[float]:
    if isinstance(control, Point):
        return control.at
    assert not isinstance(control, Picture)  # `_controls` refuses it
    return (control.start,) if isinstance(control, Slider) else (float(control.options[0]),)


def _kernel(d: Description, names: Sequence[str], begin: Sequence[float], numbers: Sequence[Any]) -> Fn:
    """Make the function that computes the numbers in the picture from the diagram's parameters.

    It runs the solver of each stage.
    """
    stages = stages_of(d, METHOD, None)
    drawn = program(d, numbers, "drawn")
    places = {slot.key: k for k, slot in enumerate(d.slots)}

    def figure(_across: Any, _up: Any, *reals: Any) -> Any:
        x: list[Any] = [one * 1.0 for one in begin]
        for name, value in zip(names, reals, strict=True):
            x[places[name]] = value
        for stage in stages:
            found = stage.solver(*(_vector([x[k] for k in some]) for some in (stage.free, stage.fixed))).x
            for k, place in enumerate(stage.free):
                x[place] = select(abs(found[k]) < maths.inf, found[k], x[place])
        return drawn(*x)

    return traced(["_across", "_up", *names], figure, "figure")


def _vector(numbers: Sequence[Any]) -> Any:
    return as_vector(list(numbers), Vec(len(numbers), Real))


class _Drawing:
    """Collects a diagram's SVG elements, and the numbers in them that the kernel computes.

    wide: half of the picture's width, in the diagram's units.
    high: half of the picture's height, in the diagram's units.
    """

    def __init__(self, d: Description) -> None:
        self.scale = min((RIGHT - LEFT) / d.width, (BOTTOM - TOP) / d.height)
        self.wide, self.high = (RIGHT - LEFT) / 2 / self.scale, (BOTTOM - TOP) / 2 / self.scale
        self.numbers: list[Any] = []
        paper = {"class": "paper", "fill": "#fff", **self._box(0.0, 0.0, d.width, d.height)}
        self.marks: list[Mark] = [["rect", paper, "", 0]]
        for shape in sorted(d.shapes, key=lambda one: one.layer):
            if shape.kind != "group":
                self._shape(shape)

    def _shape(self, shape: Shape) -> None:
        v, style = shape.values, shape.style
        match shape.kind:
            case "circle":
                place = {"cx": self._x(v["x"]), "cy": self._y(v["y"]), "r": self._size(v["r"])}
                self._mark("circle", place, style)
            case "ellipse":
                place = {"cx": self._x(v["x"]), "cy": self._y(v["y"])}
                place |= {"rx": self._size(v["rx"]), "ry": self._size(v["ry"])}
                self._mark("ellipse", place, style)
            case "rectangle":
                self._mark("rect", self._box(v["x"], v["y"], v["width"], v["height"]), style)
            case "image":
                box = self._box(v["x"], v["y"], v["width"], v["height"])
                self._mark("image", {"href": shape.content, **box}, style)
            case "text":
                low = v["y"] - CAP_HEIGHT * v["size"] / 2
                place = {"x": self._x(v["x"]), "y": self._y(low), "font-size": self._size(v["size"])}
                place |= {"font-family": str(style.get("font", FONT)), "text-anchor": "middle"}
                place |= {"textLength": self._size(v["width"]), "lengthAdjust": "spacingAndGlyphs"}
                self._mark("text", place, style, shape.content)
            case _:
                self._points(shape)

    def _points(self, shape: Shape) -> None:
        """Draw a line with its arrow heads, a polyline, a polygon or a path."""
        points = [f"{self._x(x)} {self._y(y)}" for x, y in shape.points]
        if shape.kind == "path":
            curves = "".join(f"C{' '.join(points[k : k + 3])}" for k in range(1, len(points), 3))
            drawn = f"M{points[0]}{curves}"
        else:
            drawn = f"M{'L'.join(points)}{'Z' if shape.kind == 'polygon' else ''}"
        self._mark("path", {"d": drawn}, {"fill": "none", **shape.style})
        for way in ways_of(shape.points, shape.style.get("arrow", "")):
            self._head(way, shape.style)

    def _head(self, way: Sequence[Place], style: Mapping[str, Any]) -> None:
        """The arrow head at the end of a line. It points along the last piece of the line."""
        start, end = way[0], way[-1]
        for x, y in way[1:-1]:
            is_apart = maths.hypot(x - end[0], y - end[1]) > SAME
            start = select(is_apart, x, start[0]), select(is_apart, y, start[1])
        dx, dy = end[0] - start[0], end[1] - start[1]
        far = maths.maximum(maths.hypot(dx, dy), 1e-9)
        size = ARROW * maths.sqrt(maths.maximum(style["stroke_width"], 1.0)) / far
        dx, dy = dx * size, dy * size
        corners = (end, (end[0] - dx - 0.4 * dy, end[1] - dy + 0.4 * dx),
                   (end[0] - dx + 0.4 * dy, end[1] - dy - 0.4 * dx))  # fmt: skip
        outline = "L".join(f"{self._x(x)} {self._y(y)}" for x, y in corners)
        self._mark("path", {"d": f"M{outline}Z"}, {"fill": self._paint(style, "stroke")})

    def _mark(self, tag: str, place: dict[str, str], style: Mapping[str, Any], text: str = "") -> None:
        """Add a mark with its style."""
        looks = {}
        for name in ("fill", "stroke"):
            if (colour := self._paint(style, name)) is not None:
                looks[name] = colour
        if lengths := dashes(style):
            looks["stroke-dasharray"] = " ".join(self._size(maths.maximum(one, 0.0)) for one in lengths)
        if "stroke_width" in style:
            looks["stroke-width"] = self._size(maths.maximum(style["stroke_width"], 0.0))
        opacity = style.get("opacity", 1.0)
        if opacity != 1.0:
            looks["opacity"] = self._number(opacity)
        self.marks.append([tag, {**place, **looks}, text, 0])

    def _paint(self, style: Mapping[str, Any], name: str) -> str | None:
        """Return the colour "fill" or "stroke" as CSS writes it, or None if the style has none."""
        parts = [style.get(name + end) for end in COLOUR_PARTS]
        if not any(map(is_traced, parts)):
            return paint(style, name)
        return f"rgb({','.join(f'{self._number(100.0 * maths.clip(part, 0.0, 1.0))}%' for part in parts)})"

    def _box(self, x: Any, y: Any, width: Any, height: Any) -> dict[str, str]:
        return {
            "x": self._x(x - width / 2), "y": self._y(y + height / 2),
            "width": self._size(width), "height": self._size(height),
        }  # fmt: skip

    def _x(self, x: Any) -> str:
        return self._number((LEFT + RIGHT) / 2 + self.scale * x)

    def _y(self, y: Any) -> str:
        return self._number((TOP + BOTTOM) / 2 - self.scale * y)

    def _size(self, size: Any) -> str:
        return self._number(self.scale * size)

    def _number(self, value: Any) -> str:
        """Write a plain number as text.

        For a traced number, write a placeholder. The page replaces it by a number from the kernel.
        """
        if isinstance(value, float | int):
            return pixel(float(value))
        self.numbers.append(value)
        return PIXEL
