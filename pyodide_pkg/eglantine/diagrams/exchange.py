"""Convert a diagram to JSON data and back: its shapes, its relations, and the rows for their numbers.

The page Diagrams runs a visitor's program in a sandbox. The sandbox passes only data to the page, and our
compiler makes the kernel from this data. So the page itself never runs code that a visitor wrote.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from eglantine.errors import CompileError, LimitError, Span, TypeMismatchError
from eglantine.ir.primitives import STRAIGHT
from eglantine.ir.printer import pretty
from eglantine.ir.program import Block
from eglantine.ir.reader import parse
from eglantine.ir.row_types import F64
from eglantine.trace.scalars import RealValue

from .description import OpenBuilder, Slot, Term
from .diagram import Diagram
from .programs import about, is_traced, program
from .relations import Relation
from .shapes import Shape

FORMAT = "eglantine-diagram/1"
LONGEST_TEXT = 4_000_000
MOST_SHAPES = 2_000
MOST_TERMS = 20_000
LONGEST_WORDS = 500
LARGEST_SIDE = 1e5
_STYLE = re.compile(r"(?!.*url)[\w #.,%()/'\"-]*", re.IGNORECASE)
"""Colours, dash patterns and fonts. An address needs `url(`. Without line breaks, `.*` finds it anywhere."""
_IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp)[;,]")
"""The beginning of the address of an allowed image. The image must consist of pixels.

The page draws an image in its own document, and a small SVG can take for ever to draw.
"""


def to_data(diagram: Diagram) -> dict[str, Any]:
    """Convert a diagram to JSON data.

    Raises: TypeMismatchError if the diagram's numbers need more than straight-line operations on Reals.
    """
    numbers: list[Any] = []
    places = {shape.name: k for k, shape in enumerate(diagram.shapes)}

    def put(value: Any) -> Any:
        """Return a plain number or text unchanged.

        For a traced number, return [k], where k is its position among the function's results.
        """
        if not is_traced(value):
            return value
        numbers.append(value)
        return [len(numbers) - 1]

    shapes = [
        {
            "name": shape.name, "kind": shape.kind, "content": shape.content, "layer": shape.layer,
            "members": [places[member.name] for member in shape.members],
            "values": {key: put(value) for key, value in shape.values.items()},
            "style": {key: put(value) for key, value in shape.style.items()},
            "line": _line(shape.span),
        }
        for shape in diagram.shapes
    ]  # fmt: skip
    terms = [
        {
            "name": term.relation.name, "words": term.words, "stage": term.stage, "line": _line(term.span),
            "about": [places[name] for name in about(diagram, term)],
            "equal": [put(value) for value in term.relation.equal],
            "least": [put(value) for value in term.relation.least],
            "energy": put(term.relation.energy), "weight": put(term.weight),
        }
        for term in diagram.terms
    ]  # fmt: skip
    function = program(diagram, numbers, "numbers").function
    assert function.block is not None
    _refuse_others(function.block)
    return {
        "format": FORMAT, "size": [diagram.width, diagram.height], "seed": diagram.seed,
        "stages": diagram.stages,
        "slots": [[slot.key, slot.start, *slot.sample, slot.stage] for slot in diagram.slots],
        "numbers": pretty(function), "shapes": shapes, "terms": terms,
    }  # fmt: skip


def from_text(text: str) -> Diagram:
    """Make the diagram that JSON text describes. The text may come from anybody.

    Raises: CompileError if the text is not a diagram, LimitError if it is too large.
    """
    if len(text) > LONGEST_TEXT:
        raise LimitError(
            f"The data of the diagram have {len(text):,} characters, but may have at most {LONGEST_TEXT:,}. "
            "Use fewer shapes."
        )
    try:
        return _Reading(json.loads(text)).diagram()
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise CompileError(
            f"The data describe no valid diagram: {error!r}. Run the program again."
        ) from error


class _Reading:
    """Reads a diagram's data. Malformed data raises a Python error such as KeyError."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        if data["format"] != FORMAT:
            raise ValueError(f"the format is {data['format']!r}")
        if len(data["shapes"]) > MOST_SHAPES or len(data["terms"]) > MOST_TERMS:
            raise LimitError(
                f"The diagram has {len(data['shapes'])} shapes and {len(data['terms'])} relations, but may "
                f"have at most {MOST_SHAPES} shapes and {MOST_TERMS} relations. Use fewer."
            )
        self._data = data
        width, height = (_finite(side, LARGEST_SIDE) for side in data["size"])
        self._diagram = Diagram(width, height, seed=int(data["seed"]))
        block = parse(data["numbers"]).block
        if block is None or any(of is not F64 for of in (*block.param_types, *block.result_types)):
            raise ValueError("its numbers are no Reals")
        _refuse_others(block)
        self._builder = OpenBuilder.resume(block)
        self._rows = block.results

    def diagram(self) -> Diagram:
        data, d = self._data, self._diagram
        d.builder = self._builder
        d.stages = [_words(name) for name in data["stages"]]
        d.slots = [
            Slot(
                _words(key),
                None if start is None else _finite(start),
                (_finite(low), _finite(high)),
                None if stage is None else range(len(d.stages))[_place(stage)],
            )
            for key, start, low, high, stage in data["slots"]
        ]
        if len(d.slots) != len(self._builder.params):
            raise ValueError("its unknowns do not fit its numbers")
        for one in data["shapes"]:
            d.shapes.append(self._shape(one))
        d.terms = [self._term(one) for one in data["terms"]]
        return d

    def _shape(self, one: Mapping[str, Any]) -> Shape:
        d = self._diagram
        members = [d.shapes[k] for k in one["members"]]
        content = str(one["content"])
        if one["kind"] == "image" and not _IMAGE.match(content):
            raise TypeMismatchError(
                f"The image {one['name']} has the address {content[:40]!r}, but here an image must be a data "
                "URL of a PNG, JPEG, GIF or WebP file"
            )
        values = {str(key): self._number(value) for key, value in one["values"].items()}
        style = {str(key): self._styled(value) for key, value in one["style"].items()}
        span = Span("", int(one["line"]), 0, int(one["line"]), 0) if one["line"] else None
        return Shape(
            _words(one["name"]), one["kind"], values, style, _finite(one["layer"]), span,
            (d.width, d.height), content[:LONGEST_WORDS] if one["kind"] != "image" else content, members,
        )  # fmt: skip

    def _term(self, one: Mapping[str, Any]) -> Term:
        shapes = tuple(self._diagram.shapes[k] for k in one["about"])
        energy, weight = one["energy"], one["weight"]
        relation = Relation(
            _words(one["name"]), shapes, tuple(map(self._number, one["equal"])),
            tuple(map(self._number, one["least"])), None if energy is None else self._number(energy),
        )  # fmt: skip
        span = Span("", int(one["line"]), 0, int(one["line"]), 0) if one["line"] else None
        stage = int(one["stage"])
        told = _words(one["words"])
        return Term(relation, None if weight is None else self._number(weight), stage, span, told)

    def _number(self, value: Any) -> Any:
        if isinstance(value, list):
            return RealValue(self._builder, self._rows[_place(value[0])])
        return _finite(value)

    def _styled(self, value: Any) -> Any:
        if value is None or not isinstance(value, str):
            return None if value is None else self._number(value)
        if len(value) > LONGEST_WORDS or not _STYLE.fullmatch(value):
            raise TypeMismatchError(
                f"The style {value[:40]!r} is not a plain colour, dash pattern or font. Change it."
            )
        return value


def _refuse_others(block: Block) -> None:
    """Refuse loops and calls, so that the computation of the diagram's numbers surely ends."""
    for op in block.operations:
        if op not in STRAIGHT:
            raise TypeMismatchError(
                f"A relation of this diagram uses {op!r}, which the page cannot show. Write the relation "
                "with Python's own sum, max and loops, and without eg.sum or calls of compiled functions."
            )


def _line(span: Span | None) -> int:
    return span.line if span else 0


def _words(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value[:LONGEST_WORDS]


def _place(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no place")
    return value


def _finite(value: Any, most: float = math.inf) -> float:
    number = float(value)
    if not math.isfinite(number) or abs(number) > most:
        raise ValueError(f"{value!r} is no usable number")
    return number
