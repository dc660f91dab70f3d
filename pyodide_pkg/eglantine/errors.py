"""The errors that users can see. Each message says what was found, what was expected and what to do."""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

_PACKAGE = str(Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of the user's text. The range ends just before the end position.

    source: the path of the file, or "" for a formula.
    line, end_line: the lines where the range begins and ends, counted from 1.
    column, end_column: the columns where the range begins and ends, counted from 0. In a formula, they count
        UTF-16 code units, as a browser does.
    """

    source: str
    line: int
    column: int
    end_line: int
    end_column: int


def span_of(source: Any) -> Span | None:
    """Return the span of the user's text that made a row. If the row has no source, return None.

    source: the row's source: a pair of a code object and an offset in its bytecode (see `ir.Block`), or None.
    """
    source, _ = written(source)
    if source is None:
        return None
    code, lasti = source
    place = next(islice(code.co_positions(), lasti // 2, None), (None,) * 4)
    line, end_line, column, end_column = place
    first = line or code.co_firstlineno
    return Span(code.co_filename, first, column or 0, end_line or first, end_column or column or 0)


def settled(source: Any) -> Any:
    """Move a source (a code object and an offset in its bytecode) to the beginning of its instruction.

    Python keeps a cache after each specialised instruction, and a frame may point into the cache. Without
    this function, the same instruction could have two different sources.
    """
    if source is None:
        return None
    inner, place = source
    if isinstance(place, str):
        return settled(inner), place
    code = inner.co_code
    while place > 0 and not code[place]:
        place -= 2
    return inner, place


def written(source: Any) -> tuple[Any, list[str]]:
    """Split a row's source into the place in the user's code and a list of differentiated operations.

    The user wrote the first operation of the list. Its derivative contains the second operation, and so on.
    The derivative of the last operation contains the row.
    """
    operations = []
    while source is not None and isinstance(source[1], str):
        source, operation = source
        operations.append(operation)
    return source, operations[::-1]


def is_written_here(code: Any) -> bool:
    """True if a code object belongs to this package."""
    return bool(code.co_filename.startswith(_PACKAGE))


def user_frame() -> FrameType | None:
    """Return the innermost frame of Python's stack that runs code outside this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def user_span() -> Span | None:
    """Return the line of the user's code that called this package, directly or through NumPy."""
    frame = calling_frame()
    return None if frame is None else span_of((frame.f_code, frame.f_lasti))


def calling_frame() -> FrameType | None:
    """Return the innermost frame of Python's stack that runs neither this package nor NumPy."""
    frame = user_frame()
    while frame is not None and (is_written_here(frame.f_code) or is_of_numpy(frame)):
        frame = frame.f_back
    return frame


def is_of_numpy(frame: FrameType) -> bool:
    """True if a frame belongs to NumPy."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "numpy"


def text_at(span: Span | None) -> str:
    """Return the text of the user's program at a span. Return "" if we cannot read the program's text."""
    if span is None:
        return ""
    lines = [linecache.getline(span.source, number) for number in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1].encode()[: span.end_column].decode(errors="replace")
    lines[0] = lines[0].encode()[span.column :].decode(errors="replace")
    return "".join(lines)


class EglantineError(Exception):
    """The base of every error that Eglantine raises on purpose.

    message: the complete text for the user. If there is a suggestion, the message ends with it.
    span: where the mistake is in the user's text, or None if this is not known.
    suggestion: the text that the user probably meant, or None. It can replace the text of the span.
    """

    others: tuple[EglantineError, ...]  # only a formula with several lines has it
    message: str
    span: Span | None
    suggestion: str | None

    def __init__(self, message: str, span: Span | None = None, suggestion: str | None = None) -> None:
        super().__init__(message, span, suggestion)
        self.message = message if suggestion is None else f"{message} Did you mean `{suggestion}`?"
        self.span = span
        self.suggestion = suggestion

    def __str__(self) -> str:
        if self.span is None or not self.span.source:
            return self.message
        return f"{self.message} ({self.span.source}, line {self.span.line})"


class _CallError(EglantineError):
    """An error about a call. If no span is given, it points to the line of the user's call."""

    def __init__(self, message: str, span: Span | None = None, suggestion: str | None = None) -> None:
        super().__init__(message, span or user_span(), suggestion)


class TypeMismatchError(_CallError, TypeError):
    """A value does not have the type that is required, or a struct lacks a field."""


class ShapeError(_CallError, ValueError):
    """Arrays or nested lists do not match: their lengths or depths of nesting are wrong."""


class UnknownNameError(_CallError, AttributeError):
    """The package, or a traced value, has no attribute of this name."""


class TracerBoolError(EglantineError, TypeError):
    """Python tested whether a traced value is true. The value is known only when the program runs."""


class EscapedTracerError(EglantineError):
    """A traced value was used outside the trace it belongs to."""


class MissingDerivativeError(EglantineError):
    """The function to differentiate has no derivative.

    order: the order of the requested derivative. It is 1 for the first derivative.
    """

    def __init__(self, message: str, span: Span | None = None, order: int = 1) -> None:
        super().__init__(message, span)
        self.asked(order)

    def asked(self, order: int) -> None:
        """Record that a derivative of this order was requested. The message names the highest order."""
        self.order = max(order, getattr(self, "order", 1))
        nth = {1: "first ", 2: "second ", 3: "third "}.get(self.order, "")
        self.message = self.args[0].replace("DERIVATIVE", f"{nth}derivative (order {self.order})")


class FormulaError(EglantineError, ValueError):
    """A formula has a syntax error."""


class LimitError(_CallError):
    """A program, formula or input exceeds a limit."""


class NotFiniteError(_CallError):
    """A value is not finite, but it must be."""


class AssertionFailedError(EglantineError, AssertionError):
    """An `assert` in a converted function failed when the program ran."""


class FuelError(EglantineError):
    """A run used up its fuel."""


class InternalError(EglantineError, AssertionError):
    """A fault in Eglantine itself. No program should be able to cause it."""


def no_derivative_of(operation: str, source: Any) -> EglantineError:
    """Make the error for an operation that has no derivative.

    source: where the operation comes from: a code object and an offset in its bytecode, or None.
    """
    if operation == "bits":
        return MissingDerivativeError(
            "The DERIVATIVE of the bits of a Real was requested, but bits have none. Compute with the Real "
            "itself.",
            span_of(source),
        )
    return InternalError(
        f"A derivative passes through the operation {operation!r}, which has none. This is a fault of "
        "Eglantine. Please report it with the program.",
        span_of(source),
    )


class CompileError(EglantineError):
    """A program cannot be compiled, or its module cannot be instantiated."""
