"""Read formulas, and record Python's audit events during the reading."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from eglantine.errors import FormulaError, LimitError, Span
from eglantine.formulas.algebra import evaluate
from eglantine.formulas.parser import parse

HARMLESS = {"sys._getframe", "builtins.id"}
"""Audit events (PEP 578) that are harmless. The compiler causes them when it finds a row's source line or
identifies an object."""
READ = {"f_code", "__code__"}
"""Attributes that the tracer reads to find the source lines of frames and functions. Python reports each
reading as an audit event."""


class InFull:
    """Operations that return a formula as a text with all its brackets, such as `(+ x (* 2 y))`."""

    def number(self, value: float) -> str:
        assert type(value) in (int, float)
        return repr(value)

    def constant(self, name: str) -> str:
        return name

    def negate(self, x: str) -> str:
        return f"(- {x})"

    def add(self, x: str, y: str) -> str:
        return f"(+ {x} {y})"

    def sub(self, x: str, y: str) -> str:
        return f"(- {x} {y})"

    def mul(self, x: str, y: str) -> str:
        return f"(* {x} {y})"

    def div(self, x: str, y: str) -> str:
        return f"(/ {x} {y})"

    def power(self, base: str, exponent: str) -> str:
        return f"(^ {base} {exponent})"

    def remainder(self, x: str, y: str) -> str:
        return f"(% {x} {y})"

    def compare(self, operator: str, x: str, y: str) -> str:
        return f"({operator} {x} {y})"

    def both(self, c: str, d: str) -> str:
        return f"(and {c} {d})"

    def either(self, c: str, d: str) -> str:
        return f"(or {c} {d})"

    def invert(self, c: str) -> str:
        return f"(not {c})"

    def select(self, c: str, x: str, y: str) -> str:
        return f"(if {c} {x} {y})"

    def real(self, c: str) -> str:
        return f"(real {c})"

    def call(self, function: str, arguments: Sequence[str]) -> str:
        return f"({function} {' '.join(arguments)})"


def read(text: str, names: tuple[str, ...]) -> str | FormulaError | LimitError:
    """Read a formula. Return the formula with all its brackets, or the error that its text causes."""
    try:
        return evaluate(parse(text, names), InFull(), names)
    except (FormulaError, LimitError) as mistake:
        return mistake


def explains(mistake: FormulaError | LimitError, text: str) -> bool:
    """True if an error's message contains a full stop and its span is inside the text."""
    assert mistake.span is not None
    str(mistake).encode()  # raises if the message contains a lone surrogate
    return "." in str(mistake) and lies_in(mistake.span, text)


def lies_in(span: Span, text: str) -> bool:
    """True if a span is inside a text and its start is not after its end."""
    widths = [len(line.encode("utf-16-le", "surrogatepass")) // 2 for line in text.split("\n")]
    start, end = (span.line, span.column), (span.end_line, span.end_column)
    return start <= end and all(
        1 <= line <= len(widths) and 0 <= at <= widths[line - 1] for line, at in (start, end)
    )


_doors: list[str] | None = None


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if _doors is None or event in HARMLESS:
        return
    if event != "object.__getattr__" or arguments[1] not in READ:
        _doors.append(event)


sys.addaudithook(_audit)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Record the audit events of a `with` block: running code, imports, files, processes and sockets."""
    global _doors  # noqa: PLW0603  hooks cannot be removed, so this switches ours on and off
    _doors = []
    try:
        yield _doors
    finally:
        _doors = None
