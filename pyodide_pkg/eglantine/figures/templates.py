"""Draw tapes and diagrams: fill numbers into their SVG elements. (`templates.js` does it in browsers.)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .frames import Mark, spot
from .numbers import number, pixel

PIXEL: Final = "\ufdd0"
"""The placeholder in a template for the next of the kernel's numbers, written as a coordinate.

No text contains it, because Unicode has no letter with this code."""
NUMBER: Final = "\ufdd1"
"""The placeholder in a template for the next of the kernel's numbers, written for readers, such as `0.25`."""


class Template(NamedTuple):
    """A picture and a sentence with placeholders. The kernel's numbers replace the placeholders in order.

    marks: the SVG elements. Each of them is a tuple (tag, attributes, text, first step that shows the text).
    told: the sentence. The kernel returns the sentence's numbers after the numbers of the SVG elements.
    steps: the number of steps if readers can play the picture, otherwise 0.
    """

    marks: list[Mark]
    told: str
    steps: int


def filled(
    spec: Mapping[str, Any], state: Mapping[str, Any], at: Callable[..., Sequence[float]]
) -> tuple[list[Mark], str]:
    """Fill the kernel's numbers into the marks and the sentence of a template."""
    row = iter(at(0.0, 0.0))

    def fill(text: str) -> str:
        pieces = [
            pixel(spot(next(row))) if sign == PIXEL else number(next(row)) if sign == NUMBER else sign
            for sign in text
        ]
        return "".join(pieces)

    marks: list[Mark] = []
    for tag, attributes, text, step in spec["marks"]:
        whole = {name: fill(value) for name, value in attributes.items()}
        shown = fill(text)
        marks.append([tag, whole, shown if state["turn"] >= step else ""])
    return marks, fill(spec["told"])
