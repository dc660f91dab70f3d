"""The report of `eg.diagnose`: where and why a number was not finite."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eglantine.errors import Span, is_written_here, span_of, written
from eglantine.words.spelling import began

from .reasons import _made, _name, _NotFinite, _reason


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The report of `diagnose`. Its `str()` is a sentence that names the user's line.

    finite: true if the value and all checked derivatives are finite.
    where: "primal" if the first number that is not finite belongs to the value, "derivative" if it belongs to
        a derivative. None if all numbers are finite.
    order: the order of the derivative, or 0 for the value.
    operation: the operation that computed the first number that is not finite. If this number belongs to a
        derivative, it is the operation that we differentiate.
    reason: why the number is not finite, in words.
    span: the place of the operation in the user's code.
    values: the operands of the operation.
    rounds: the current round of each loop around the operation, counted from 0. The outermost loop comes
        first.
    message: the report as a sentence.
    """

    finite: bool
    message: str
    where: str | None = None
    order: int = 0
    operation: str | None = None
    reason: str | None = None
    span: Span | None = None
    values: tuple[Any, ...] = ()
    rounds: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.span is None:
            return self.message
        text = linecache.getline(self.span.source, self.span.line).strip()
        return f"{self.message} ({self.span.source}, line {self.span.line}{text and f': {text}'})"


_NTH = ("", "", "second ", "third ", "higher ")


def _first_span(sources: Sequence[Any]) -> Span | None:
    """Return the span of the first source that is in the user's code. Skip this package's own code."""
    for source in sources:
        place, _ = written(source)
        if place is not None and not is_written_here(place[0]):
            return span_of(place)
    return None


def _diagnosis(value: _NotFinite, what: str, definition: Span | None) -> Diagnosis:
    event = value.event
    _, operations = written(event.source)
    if event.row[0] in ("argument", "constant"):
        operations = []
    operation = operations[0] if operations else _name(event.row)
    reason = _reason(event, operations)
    where = "derivative" if operations else "primal"
    place = f"{where} of {operation}" if operations else where
    if event.rounds:
        place += f", in round {' of round '.join(map(str, reversed(event.rounds)))} (counted from 0)"
    then = ""
    if value.nan is not None and value.nan is not event:
        then = f" From it came nan by {_made(value.nan)}."
    message = (
        f"{began(what)} is {float(value)!r}, but it must be finite. It began in the {place}: {reason}.{then}"
        " Keep away from there, or choose another value there with eg.select."
    )
    return Diagnosis(
        False, message, where, len(operations), operation, reason, event.span or definition, event.operands,
        event.rounds,
    )  # fmt: skip
