"""Find the part of a program's text that produced an IR row.

Places are offsets from the start of the text. We count UTF-16 code units, as JavaScript does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from eglantine.errors import written

if TYPE_CHECKING:
    from eglantine.errors import Span

FILE: Final = "playground.py"
"""The program's file name in tracebacks."""

NOWHERE: Final = -1
"""The number that stands for the place of a row if the row comes from no part of the program's text."""

Offsets = tuple[int, int]
"""Start and end of a part of the text, in UTF-16 code units."""

Position = tuple[Any, ...]
"""Line, end line, column and end column from a code object. Any of them may be None."""


class Text:
    """A program's text. It converts Python's lines and columns to the offsets that the page uses."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + utf16(line) + 1)

    def offset(self, line: int, column: int) -> int:
        """Convert a line and a column to an offset.

        line: the number of the line. The first line is 1.
        column: the number of UTF-8 bytes before the position in its line. Code objects count in this way.
        """
        line = min(max(line, 1), len(self.lines))
        before = self.lines[line - 1].encode("utf-8", "surrogatepass")[:column]
        return self._starts[line - 1] + utf16(before.decode("utf-8", "ignore"))

    def offset_of_characters(self, line: int, column: int) -> int:
        """Convert a syntax error's line and column to an offset. The column is a number of characters."""
        line = min(max(line, 1), len(self.lines))
        return self._starts[line - 1] + utf16(self.lines[line - 1][: max(column, 0)])

    def whole_line(self, line: int) -> tuple[int, int]:
        """Return the start and end of a line, without its indentation."""
        line = min(max(line, 1), len(self.lines))
        text = self.lines[line - 1]
        first = self._starts[line - 1] + utf16(text[: len(text) - len(text.lstrip())])
        return first, self._starts[line] - 1

    def of_span(self, span: Span) -> tuple[int, int]:
        """The offsets of a span in a program."""
        start = self.offset(span.line, span.column)
        return start, max(start, self.offset(span.end_line, span.end_column))

    def of_position(self, position: Position) -> tuple[int, int] | None:
        """Return the offsets of a bytecode instruction's source text, or None if they are unknown."""
        if None in position:
            return None
        line, end_line, column, end_column = position
        return self.offset(line, column), self.offset(end_line, end_column)


def utf16(text: str) -> int:
    """Count the UTF-16 code units in a text."""
    return len(text) + sum(character > "\uffff" for character in text)


class Places:
    """A numbered list of places in a program's text. Each place is the origin of one or more IR rows.

    spans: the start and end of each place. The places are numbered in the order of their first use.
    """

    def __init__(self, text: Text) -> None:
        self.spans: list[tuple[int, int]] = []
        self._text = text
        self._numbers: dict[tuple[int, int], int] = {}
        self._positions: dict[Any, list[Position]] = {}
        self._known: dict[tuple[int, int], int] = {}

    def of(self, source: Any) -> tuple[int, int]:
        """Return a row's place (or NOWHERE) and its derivative order (0 for a row of the program itself)."""
        origin, operations = written(source)
        if origin is None or origin[0].co_filename != FILE:
            return NOWHERE, len(operations)
        code, lasti = origin
        key = (id(code), lasti)
        if key not in self._known:
            self._known[key] = self._number(code, lasti)
        return self._known[key], len(operations)

    def _number(self, code: Any, lasti: int) -> int:
        if code not in self._positions:
            self._positions[code] = list(code.co_positions())
        positions = self._positions[code]
        span = self._text.of_position(positions[lasti // 2]) if lasti // 2 < len(positions) else None
        return NOWHERE if span is None else self.number(span)

    def number(self, span: tuple[int, int]) -> int:
        """The number of a place in the text."""
        if span not in self._numbers:
            self._numbers[span] = len(self.spans)
            self.spans.append(span)
        return self._numbers[span]
