"""A figure of the book, and a sentence about it (its claim). Eglantine computes the numbers in the claim."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from eglantine.figures.numbers import number

POWER = re.compile(r"10\^(\u2212?\d+)")
SLOT = re.compile(r"\{(\w+)\}")


class Shown(NamedTuple):
    """A figure with the sentence under it (its claim).

    figure: a figure of `eg.figure`.
    claim: a sentence as HTML. It contains `{name}` at the place of each number.
    numbers: the number for each name in the claim.
    """

    figure: Any
    claim: str
    numbers: Mapping[str, Any]

    def caption(self) -> str:
        """The claim with its numbers."""
        return filled(self.claim, self.numbers)


def shown(figure: Any, claim: str, **numbers: Any) -> Shown:
    """Return a figure with its claim."""
    return Shown(figure, claim, numbers)


def filled(text: str, numbers: Mapping[str, Any]) -> str:
    """Replace each `{name}` in a text by the number with this name. The text must use every number."""
    used = set(SLOT.findall(text))
    if used != numbers.keys():
        raise KeyError(f"The text names {sorted(used)}, but the numbers are {sorted(numbers)}.")
    return SLOT.sub(lambda match: written(numbers[match[1]]), text)


def written(value: Any) -> str:
    """Write a number as HTML. A whole number keeps all its digits, and any other number has four digits."""
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f")
    text = html.escape(value if isinstance(value, str) else number(value))
    return POWER.sub(r"10<sup>\1</sup>", text)


Figures = Mapping[str, Callable[[], Shown]]
"""The figures of a chapter, by the names that the chapter's prose uses."""
