"""What `eg.diagnose` reports: a place and a reason."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eglantine.errors import Span, is_written_here, span_of, written

from .reasons import _made, _name, _NotFinite, _reason


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `diagnose` found; `str()` of it reads as a sentence with its line.

    finite: whether the value and all derivatives are.
    where: "primal" or "derivative": what the row belongs to in which it began; None if all is finite.
    order: of which derivative that row is; 0 in the primal.
    operation: what that row computes, or of which operation it is the derivative.
    reason: why its result is not finite, in words.
    span: the user's line.
    values: the row's operands.
    rounds: the rounds, counted from 0, of the loops around it, outermost first.
    message: the whole sentence.
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
    """The innermost place that is the user's, not this package's."""
    for source in sources:
        place, _ = written(source)
        if place is not None and not is_written_here(place[0]):
            return span_of(place)
    return None


def _diagnosis(found: _NotFinite, what: str, definition: Span | None) -> Diagnosis:
    event = found.event
    _, operations = written(event.source)
    if event.row[0] in ("argument", "constant"):
        operations = []
    operation = operations[0] if operations else _name(event.row)
    reason = _reason(event, operations)
    where = "derivative" if operations else "primal"
    began = f"{where} of {operation}" if operations else where
    if event.rounds:
        began += f", in round {' of round '.join(map(str, reversed(event.rounds)))} (counted from 0)"
    then = ""
    if found.nan is not None and found.nan is not event:
        then = f"; from it came nan by {_made(found.nan)}"
    message = (
        f"Found {float(found)!r} in {what}, expected finite numbers. It began in the {began}: {reason}{then}."
        " Keep away from there, or choose another value there with eg.select."
    )
    return Diagnosis(
        False, message, where, len(operations), operation, reason, event.span or definition, event.operands,
        event.rounds,
    )  # fmt: skip
