"""Include a diagram in another diagram: copy its shapes, unknowns, parameters and relations as a group.

The relations of the included diagram are measured in its own coordinates, which its shapes have before they
are moved and scaled. So relations that hold in the included diagram also hold in the outer one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eglantine.errors import TypeMismatchError, user_span
from eglantine.plain.symbolic import described
from eglantine.rewrite.copying import inline
from eglantine.trace.scalars import RealValue, is_plain_number, real_row
from eglantine.words.spelling import listed, nearest

from . import relations
from .description import Description, Term
from .shapes import Shape, Unknown

SMALLEST_SCALE = 0.1
"""The least value of an unknown scale, unless the user gives another bound."""


class Including(Description):
    """The description of a diagram that can include other diagrams."""

    def include(
        self, other: Description, name: str, x: Any = None, y: Any = None, scale: Any = 1.0, *,
        parameters: Mapping[str, Any] | None = None, in_canvas: bool = True,
    ) -> Shape:  # fmt: skip
        """Copy another diagram into this one. Returns a group of the copies.

            face = dg.Diagram(200, 200)
            left, right = face.include(eye, "left"), face.include(eye, "right", scale=1.2)
            face.ensure(dg.disjoint(left, right), left["pupil"].y == right["pupil"].y)

        The shape A of the other diagram becomes the shape name/A, and group["A"] returns it. A parameter p
        becomes the parameter name_p. The relations of the other diagram hold for the copies, in its own
        canvas. Later changes of the other diagram do not change the copies.

        x, y: where the origin of the other diagram is. If you do not give them, the optimiser chooses them.
            They are the attributes x_origin and y_origin of the group.
        scale: a factor for all lengths of the copies. It may be an unknown: `scale=dg.unknown()`.
        parameters: a dict with numbers or attributes of this diagram, by the names of parameters of the other
            diagram. These parameters do not become parameters of this diagram.
        in_canvas: whether the group stays in the canvas of this diagram.
        """
        given = parameters or {}
        _check(self, other, name, given)
        span = user_span()
        origin = {
            "x_origin": self._number(name, "x_origin", x), "y_origin": self._number(name, "y_origin", y),
            "scale": self._number(name, "scale", _scale(name, scale)),
        }  # fmt: skip
        copy = _Copy(self, name, origin, self._copied_numbers(other, name, given))
        for shape in other.shapes:
            self.shapes.append(copy.shape(shape))
        self.terms += [copy.term(term) for term in other.terms]
        members = [one for one in copy.shapes.values() if one.kind != "group"]
        parts = {shape.name: one for shape, one in copy.shapes.items()}
        canvas = (self.width, self.height)
        group = Shape(name, "group", origin, {}, 0.0, span, canvas, members=members, parts=parts)
        self.shapes.append(group)
        if in_canvas and any(isinstance(value, RealValue) for value in group.values.values()):
            self.terms.append(Term(relations.in_canvas(group), None, self._stage, span))
        return group

    def _copied_numbers(self, other: Description, name: str, given: Mapping[str, Any]) -> _Numbers:
        """Copy the unknowns and parameters of another diagram, and the rows that use them."""
        stages = self._copied_stages(other, name)
        arguments = []
        for slot in other.slots:
            if slot.stage is None and slot.key in given:
                value = self._number(name, slot.key, given[slot.key])
                arguments.append(real_row(self.builder, value))
            else:
                stage = None if slot.stage is None else stages[slot.stage]
                key = f"{name}_{slot.key}" if stage is None else f"{name}/{slot.key}"
                arguments.append(self._new_slot(replace(slot, key=key, stage=stage)).row)
        copies, _ = inline(other.builder.finish([]), self.builder, arguments)
        return _Numbers(self, copies, stages)

    def _copied_stages(self, other: Description, name: str) -> list[int]:
        """Find a stage of this diagram for each stage of another one, in the same order.

        The first stage of the other diagram becomes the present stage. A later one becomes the stage of the
        same name if that stage comes late enough, and otherwise a new stage.
        """
        stages = [self._stage]
        for own in other.stages[1:]:
            place = self.stages.index(own) if own in self.stages else -1
            if place <= stages[-1]:
                place = len(self.stages)
                self.stages.append(f"{name}/{own}" if own in self.stages else own)
            stages.append(place)
        return stages


class _Numbers:
    """Finds the copies of numbers and stages of an included diagram.

    stages: for each stage of the included diagram, the stage of the outer diagram.
    """

    def __init__(self, outer: Description, copies: Any, stages: Sequence[int]) -> None:
        self._builder, self._copies, self.stages = outer.builder, copies, stages

    def of(self, value: Any) -> Any:
        """Return the copy of a traced number. Return any other value unchanged."""
        return RealValue(self._builder, self._copies[value.row]) if isinstance(value, RealValue) else value


class _Copy:
    """Copies the shapes and relations of one diagram into another.

    shapes: a dict from the shapes of the included diagram to their copies.
    """

    def __init__(self, outer: Description, name: str, origin: Mapping[str, Any], numbers: _Numbers) -> None:
        self.shapes: dict[Shape, Shape] = {}
        self._canvas = (outer.width, outer.height)
        self._name, self._origin, self._numbers = name, origin, numbers

    def shape(self, shape: Shape) -> Shape:
        """Copy a shape. The members of a group must have been copied before."""
        style = {key: self._numbers.of(value) for key, value in shape.style.items()}
        if "stroke_width" in style:
            style["stroke_width"] = self._scaled(style["stroke_width"])
        copied = Shape(
            f"{self._name}/{shape.name}", shape.kind,
            {key: self._placed(key, self._numbers.of(value)) for key, value in shape.values.items()}, style,
            shape.layer, shape.span, self._canvas, shape.content,
            [self.shapes[one] for one in shape.members],
            {key: self.shapes[one] for key, one in shape.parts.items()},
        )  # fmt: skip
        self.shapes[shape] = copied
        return copied

    def term(self, term: Term) -> Term:
        """Copy a relation with its line."""
        relation, of = term.relation, self._numbers.of
        copied = replace(
            relation, about=tuple(map(self._about, relation.about)), equal=tuple(map(of, relation.equal)),
            least=tuple(map(of, relation.least)), energy=of(relation.energy),
        )  # fmt: skip
        told = f"{self._name}: {term.words}"
        return Term(copied, of(term.weight), self._numbers.stages[term.stage], term.span, told)

    def _about(self, one: Any) -> Any:
        """Copy a shape, a number, a point, or a pair of them."""
        if isinstance(one, Shape):
            return self.shapes[one]
        return tuple(map(self._about, one)) if isinstance(one, tuple | list) else self._numbers.of(one)

    def _placed(self, key: str, value: Any) -> Any:
        """Move and scale an attribute. All attributes whose names begin with x or y are coordinates."""
        scaled = self._scaled(value)
        if key[0] not in "xy":
            return scaled
        start = self._origin[f"{key[0]}_origin"]
        return scaled if isinstance(start, float) and start == 0 else start + scaled

    def _scaled(self, value: Any) -> Any:
        scale = self._origin["scale"]
        return value if isinstance(scale, float) and scale == 1 else scale * value


def _check(outer: Description, other: Any, name: Any, given: Mapping[str, Any]) -> None:
    """Refuse what cannot be included, before anything is copied."""
    if not isinstance(other, Description):
        raise TypeMismatchError(
            f"d.include takes a diagram, but it was given {described(other)}. Make one with dg.Diagram."
        )
    if other is outer:
        raise TypeMismatchError(
            "A diagram cannot include itself, because the copy would have no end. Include another diagram."
        )
    if not isinstance(name, str) or not name:
        raise TypeMismatchError(
            "The name of an included diagram must be a str that is not empty, but it is "
            f'{described(name)}. Write d.include(other, "left").'
        )
    if not other.shapes:
        raise TypeMismatchError(f"The diagram {name} has no shapes yet. Make them before you include it.")
    known = {shape.name for shape in outer.shapes}
    for new in (name, *(f"{name}/{shape.name}" for shape in other.shapes)):
        if new in known:
            raise TypeMismatchError(
                f"Two shapes have the name {new}, but the names of shapes must differ. Include the diagram "
                "under another name."
            )
    own = [slot.key for slot in other.slots if slot.stage is None]
    for key in given:
        if key not in own:
            raise TypeMismatchError(
                f"The diagram {name} has no parameter {key}. It has {listed(own) or 'none'}.",
                None,
                nearest(key, own),
            )
        if isinstance(given[key], Unknown):
            raise TypeMismatchError(
                f"The parameter {key} of {name} cannot be an unknown. Give a number or an attribute of a "
                "shape."
            )


def _scale(name: str, scale: Any) -> Any:
    """Check a scale. Give an unknown scale a start and a bound, so that it is positive."""
    if isinstance(scale, Unknown):
        low = SMALLEST_SCALE if scale.low is None else scale.low
        start = 1.0 if scale.start is None else scale.start
        least = low if isinstance(low, int | float) else start
        most = scale.high if isinstance(scale.high, int | float) else start
        return Unknown(min(max(start, least), max(most, least)), low, scale.high)
    if isinstance(scale, RealValue) or (is_plain_number(scale) and float(scale) > 0):
        return scale
    raise TypeMismatchError(f"The scale of {name} must be a positive number, but it is {described(scale)}.")
