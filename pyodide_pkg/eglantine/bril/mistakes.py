"""The errors of Bril programs."""

from __future__ import annotations

from typing import NamedTuple

from eglantine.errors import EglantineError, FuelError, Span


class Place(NamedTuple):
    """A place in the text of a program. Lines count from 1, columns from 0."""

    line: int
    column: int


class BrilError(EglantineError):
    """Raised if a Bril program has a mistake or fails when it runs.

    line, column: the place in the program's text. Lines count from 1 and columns from 0. Both are 0 if the
        error has no place, for example if memory leaks. If the program was read from JSON without
        positions, the place refers to the text that `Program.text` returns.
    output: the text that the program printed before it failed.
    """

    def __init__(self, message: str, place: Place | None = None, suggestion: str | None = None) -> None:
        span = None if place is None else Span("", *place, *place)
        super().__init__(message, span, suggestion)
        self.line, self.column = place or (0, 0)
        self.output = ""

    def __str__(self) -> str:
        return f"{self.message} (line {self.line}, column {self.column})" if self.line else self.message


class BrilFuelError(BrilError, FuelError):
    """A Bril program used up its fuel."""
