"""Collect the shapes of a diagram, the unknowns, and the relations between shapes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from eglantine.errors import Span, TypeMismatchError, user_span
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import F64
from eglantine.plain.symbolic import described
from eglantine.trace.scalars import BoolValue, RealValue, is_plain_number

from . import relations
from .arguments import MISFIT, NUMBER, PLACE, number, told
from .relations import Relation
from .shapes import Shape, Unknown
from .statements import stated
from .styles import COLOUR_PARTS, styled
from .text_widths import CAP_HEIGHT, text_width

SMALLEST = 2.0
"""The least value of an unknown radius, width, height or length, in the diagram's units."""
SIZES = (0.06, 0.16)
"""The range of the start values of unknown sizes, as fractions of the shorter side of the canvas."""
SPREAD = 0.8
"""The size of the area in which unknown positions start, as a fraction of the canvas's width and height."""
TEXT_SIZE = 16.0


class OpenBuilder(Builder):
    """A builder that is not bound to a function. It collects rows while the user describes a diagram."""

    __slots__ = ()
    stays_open = True


@dataclass(frozen=True)
class Slot:
    """One unknown or parameter of a diagram.

    key: a shape and attribute, such as "A.x", or a parameter's name. sample: the range for a random start.
    stage: the stage that optimises this number, or None for a parameter.
    """

    key: str
    start: float | None
    sample: tuple[float, float]
    stage: int | None


@dataclass(frozen=True)
class Term:
    """A relation of a diagram, and the line of the user's program that states it (`span`).

    weight: the factor of the relation's energy, or None if the relation must hold.
    told: a text that lists show in place of the relation's own text, or "".
    """

    relation: Relation
    weight: Any
    stage: int
    span: Span | None
    told: str = ""

    @property
    def words(self) -> str:
        """The text for the relation in lists."""
        return self.told or (str(self.relation) if self.relation.about else self.relation.name)


class Description:
    """The shapes and relations of a diagram, and a builder for the rows that compute their numbers."""

    def __init__(self, width: float, height: float, seed: int = 0) -> None:
        for name, value in (("width", width), ("height", height)):
            if not is_plain_number(value) or not float(value) > 0:
                raise TypeMismatchError(
                    f"The {name} of a diagram must be a positive number, but it is {described(value)}."
                )
        self.width, self.height, self.seed = float(width), float(height), seed
        self.shapes: list[Shape] = []
        self.slots: list[Slot] = []
        self.terms: list[Term] = []
        self.stages = [""]
        self.builder = OpenBuilder()
        self._stage = 0

    # ---------------------------------------------------------------- shapes

    def circle(self, x: Any = None, y: Any = None, r: Any = None, **more: Any) -> Shape:
        """A circle around (x, y) with radius r."""
        return self._shape("circle", {"x": x, "y": y, "r": r}, more)

    def ellipse(self, x: Any = None, y: Any = None, rx: Any = None, ry: Any = None, **more: Any) -> Shape:
        """An ellipse around (x, y) with half-axes rx and ry."""
        return self._shape("ellipse", {"x": x, "y": y, "rx": rx, "ry": ry}, more)

    def rectangle(
        self, x: Any = None, y: Any = None, width: Any = None, height: Any = None, **more: Any
    ) -> Shape:
        """A rectangle with the middle (x, y)."""
        return self._shape("rectangle", {"x": x, "y": y, "width": width, "height": height}, more)

    def image(
        self, href: str, x: Any = None, y: Any = None, width: Any = None, height: Any = None, **more: Any
    ) -> Shape:
        """An image with the middle (x, y). `href` is the address of its file."""
        return self._shape("image", {"x": x, "y": y, "width": width, "height": height}, more, href)

    def text(self, text: str, x: Any = None, y: Any = None, size: Any = TEXT_SIZE, **more: Any) -> Shape:
        """A text with the middle (x, y). Its width and height follow from its size."""
        if not isinstance(text, str):
            raise TypeMismatchError(f"d.text shows a str, but it was given {described(text)}.")
        return self._shape("text", {"x": x, "y": y, "size": size}, more, text)

    def line(
        self, start: Any = None, end: Any = None, *, x1: Any = None, y1: Any = None, x2: Any = None,
        y2: Any = None, **more: Any,
    ) -> Shape:  # fmt: skip
        """A line from (x1, y1) to (x2, y2).

        start, end: points or shapes to use instead of the coordinates. A shape stands for its middle.
        arrow: "end", "start" or "both", to draw arrow heads.
        """
        if start is not None:
            x1, y1 = _pair(start, "d.line", "start")
        if end is not None:
            x2, y2 = _pair(end, "d.line", "end")
        return self._shape("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}, more)

    def polyline(self, points: int | Iterable[Any], **more: Any) -> Shape:
        """A line from each point to the next.

        points: a list of points, or a number n for n unknown points. Each entry of a list is a point (x, y),
            a shape (for its middle), or None (for an unknown point).
        arrow: "end", "start" or "both", to draw arrow heads.
        """
        return self._shape("polyline", self._points("polyline", points, 2), more)

    def polygon(self, points: int | Iterable[Any], **more: Any) -> Shape:
        """A polygon. Give `points` as for polyline. Most relations treat a polygon as its convex hull."""
        return self._shape("polygon", self._points("polygon", points, 3), more)

    def path(self, points: int | Iterable[Any], **more: Any) -> Shape:
        """A chain of cubic Bézier curves.

        points: the first point, and then for each curve two control points and the curve's end. As for
            polyline, each entry is a point (x, y), a shape or None, and a number n means n unknown points.
        arrow: "end", "start" or "both", to draw arrow heads.
        """
        values = self._points("path", points, 4)
        if (len(values) // 2 - 1) % 3:
            raise TypeMismatchError(
                f"A path has 4, 7, 10, … points, but here it has {len(values) // 2}. Give the first point, "
                "and for each curve two control points and its end."
            )
        return self._shape("path", values, more)

    def group(self, *members: Shape, name: str | None = None) -> Shape:
        """A shape that consists of other shapes. Its outline is the smallest box around them."""
        if not members:
            raise TypeMismatchError("A group needs at least one shape, but it was given none.")
        self._refuse_foreign(members)
        shape = Shape(
            self._new_name("group", name), "group", {}, {}, 0.0, user_span(), (self.width, self.height),
            members=members,
        )  # fmt: skip
        self.shapes.append(shape)
        return shape

    def parameter(self, name: str, value: float) -> Any:
        """Make a number that the optimiser does not change. You can set it by `layout(parameters=…)`."""
        return self._new_slot(Slot(name, float(value), (0.0, 0.0), None))

    # ---------------------------------------------------------------- relations

    def ensure(self, *wanted: Any) -> None:
        """Demand that relations and comparisons such as `a.x < b.x` hold, and that given numbers are ≥ 0."""
        for one, (text, span) in zip(wanted, stated(user_span(), len(wanted)), strict=True):
            relation = self._relation(one, text, "ensure")
            if relation.energy is not None:
                raise TypeMismatchError(
                    f"{relation} cannot be ensured, because it sets no limit. Write d.encourage(…)."
                )
            self.terms.append(Term(relation, None, self._stage, span))

    def encourage(self, *wanted: Any, weight: Any = 1.0) -> None:
        """Ask for relations to hold as far as possible, or for numbers to be small."""
        weight = NUMBER.of(weight, "d.encourage", "weight")
        for one, (text, span) in zip(wanted, stated(user_span(), len(wanted)), strict=True):
            plain = isinstance(one, RealValue)
            relation = relations.minimise(one) if plain else self._relation(one, text, "encourage")
            self.terms.append(Term(relation, weight, self._stage, span))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Lay out the shapes and relations of this `with` block later, in the stage `name`."""
        before = self._stage
        if name not in self.stages:
            self.stages.append(name)
        self._stage = self.stages.index(name)
        try:
            yield
        finally:
            self._stage = before

    # ---------------------------------------------------------------- making shapes and relations

    def _points(self, kind: str, points: int | Iterable[Any], least: int) -> dict[str, Any]:
        """Return the attributes of points: x1, y1, x2, y2, …"""
        given: Any = points
        if not isinstance(given, Iterable | int) or isinstance(given, str | bool):
            raise TypeMismatchError(
                f"d.{kind} needs a list of points, or the number of unknown points, but it was given "
                f"{told(points)}. Write a list such as [(0, 0), None, (5, 5)]."
            )
        each = [None] * points if isinstance(points, int) else list(points)
        if len(each) < least:
            raise TypeMismatchError(f"At least {least} points are needed here, but there are {len(each)}.")
        values: dict[str, Any] = {}
        for k, one in enumerate(each, 1):
            x, y = (None, None) if one is None else _pair(one, f"d.{kind}", "points")
            values |= {f"x{k}": x, f"y{k}": y}
        return values

    def _new_name(self, kind: str, name: str | None) -> str:
        if name is None:
            count = sum(1 for shape in self.shapes if shape.kind == kind) + 1
            return f"{kind}-{count}"
        if not isinstance(name, str):
            raise TypeMismatchError(f"The name of a {kind} must be a text, but it is {told(name)}.")
        if any(shape.name == name for shape in self.shapes):
            raise TypeMismatchError(
                f"Two shapes have the name {name}, but the names of shapes must differ. Choose another name."
            )
        return name

    def _shape(self, kind: str, values: dict[str, Any], more: dict[str, Any], content: str = "") -> Shape:
        """Make a shape and its unknowns."""
        name = self._new_name(kind, more.pop("name", None))
        stays = more.pop("in_canvas", True)
        layer = number(more.pop("layer", 0.0))
        if not isinstance(layer, float):
            raise TypeMismatchError(
                f"The layer of {name} must be a plain number. Shapes with a higher layer cover other shapes."
            )
        style = styled(kind, name, more)
        before = len(self.slots)
        whole = {key: self._number(name, key, value) for key, value in values.items()}
        for key, value in style.items():
            if isinstance(value, Unknown):
                style[key] = self._number(name, key, value)
        if kind == "text":
            whole["width"] = text_width(content) * whole["size"]
            whole["height"] = CAP_HEIGHT * whole["size"]
        shape = Shape(name, kind, whole, style, layer, user_span(), (self.width, self.height), content)
        self.shapes.append(shape)
        if stays and (len(self.slots) > before or any(isinstance(v, RealValue) for v in values.values())):
            self.terms.append(Term(relations.in_canvas(shape), None, self._stage, shape.span))
        return shape

    def _number(self, shape: str, name: str, value: Any) -> Any:
        """Convert an attribute's value to a plain float, a traced Real, or a new unknown."""
        if value is None:
            value = Unknown()
        if not isinstance(value, Unknown):
            plain = number(value)
            if plain is MISFIT:
                raise TypeMismatchError(
                    f"The attribute {name} of {shape} must be a number, an attribute of another shape, or "
                    f"None for an unknown, but it is {told(value)}."
                )
            return plain
        size = name in ("r", "rx", "ry", "width", "height", "size")
        slot = Slot(f"{shape}.{name}", value.start, self._sample(name, value), self._stage)
        chosen = self._new_slot(slot)
        low = SMALLEST if size and value.low is None else value.low
        bounds = [bound for bound in ((chosen - low) if low is not None else None,
                                      (value.high - chosen) if value.high is not None else None)
                  if bound is not None]  # fmt: skip
        if bounds:
            relation = Relation(f"bounds of {slot.key}", (), least=tuple(bounds))
            self.terms.append(Term(relation, None, self._stage, user_span()))
        return chosen

    def _sample(self, name: str, value: Unknown) -> tuple[float, float]:
        """Choose the range for the random start of an unknown."""
        low = value.low if is_plain_number(value.low) else None
        high = value.high if is_plain_number(value.high) else None
        if low is not None and high is not None:
            return float(low), float(high)
        if name[0] in "xy":
            side = SPREAD / 2 * (self.width if name[0] == "x" else self.height)
            return -side, side
        if name == "opacity" or name.endswith(COLOUR_PARTS):
            return 0.0, 1.0
        shorter = min(self.width, self.height)
        least, most = (part * shorter for part in SIZES)
        return (least if low is None else float(low)), (most if high is None else float(high))

    def _new_slot(self, slot: Slot) -> RealValue:
        if any(other.key == slot.key for other in self.slots):
            raise TypeMismatchError(f"Two numbers have the name {slot.key}. Choose another name.")
        self.slots.append(slot)
        return RealValue(self.builder, self.builder.param(F64))

    def starts(self, seed: int) -> list[float]:
        """Choose a start value for each number of the search.

        Each random number depends only on the seed and on the attribute's name.
        """
        return [
            slot.start if slot.start is not None
            else random.Random(f"{seed}/{slot.key}").uniform(*slot.sample)  # noqa: S311
            for slot in self.slots
        ]  # fmt: skip

    def _relation(self, one: Any, text: str, verb: str) -> Relation:
        """Convert a comparison or an expression to a relation. Return a relation unchanged."""
        if isinstance(one, Relation):
            self._refuse_foreign(one.about)
            return one
        if isinstance(one, BoolValue) and one.scope is self.builder:
            equal, least = self._compared(one.row)
            return Relation(text, (), tuple(equal), tuple(least))
        if isinstance(one, RealValue) and one.scope is self.builder:
            return relations.expression(one, text)
        raise TypeMismatchError(
            f"d.{verb} takes a relation, a comparison, or a number that depends on unknowns, but "
            f"it was given {described(one)}. Write a relation such as dg.disjoint(a, b), or use "
            "attributes of shapes."
        )

    def _refuse_foreign(self, about: Iterable[Any]) -> None:
        """Raise an error if a relation or a group uses a shape of another diagram."""
        for one in relations.shapes_in(about):
            if one not in self.shapes:
                raise TypeMismatchError(
                    f"The shape {one.name} belongs to another diagram. Copy that diagram into this one with "
                    f'group = d.include(other, "name"), and use group["{one.name}"].'
                )

    def _compared(self, row: int) -> tuple[list[Any], list[Any]]:
        """For a comparison, return the numbers that must be 0, and the numbers that must be at least 0."""
        key = self.builder.rows[row] if row > 0 else ("constant",)
        if key[0] == "and":
            parts = [self._compared(part) for part in key[1:]]
            return [x for part in parts for x in part[0]], [x for part in parts for x in part[1]]
        if key[0] in ("lt", "le", "gt", "ge", "eq"):
            a, b = (RealValue(self.builder, operand) for operand in key[1:])
            if key[0] == "eq":
                return [a - b], []
            return [], [b - a if key[0] in ("lt", "le") else a - b]
        raise TypeMismatchError(
            "This condition cannot be ensured, because it does not measure how far it is violated. Use "
            "comparisons with <, <=, >, >= or ==, joined by &, or write a number that must be at least 0."
        )


def _pair(point: Any, call: str, argument: str) -> tuple[Any, Any]:
    """Return the two coordinates of a point of a shape. A coordinate may be unknown."""
    if isinstance(point, tuple | list) and len(point) == 2:
        return point[0], point[1]
    return relations.point_of(PLACE.of(point, call, argument))
