"""Split one line of printed IR into tokens, and read them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from eglantine.errors import CompileError, Span

from .row_types import DYNAMIC, F64, I1, I32, I64, Acc, Array, RowType, Scalar, ScalarType

_TOKEN = re.compile(
    r"""(?P<row>%\d+)|(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<number>-?(?:\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+|inf\b)|nan\b)|(?P<whole>-?\d+)
    |(?P<word>[A-Za-z_][A-Za-z0-9_.]*)|(?P<mark>->|\.\.|[():,=<?\[\]])|(?P<space>[ ]+)|(?P<other>.)""",
    re.VERBOSE,
)
_Typed = tuple[str, RowType]
_SCALARS: dict[str, Scalar] = {"f64": F64, "i1": I1, "i64": I64}


@dataclass(slots=True)
class _Line:
    """Reads a line from left to right.

    at: the position in `tokens` of the next token.
    tokens: for each token, a tuple (kind, text, column).
    """

    number: int
    raw: str
    text: str = ""
    indent: int = 0
    at: int = 0
    tokens: list[tuple[str, str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.text = self.raw.strip(" ")
        self.indent = len(self.raw) - len(self.raw.lstrip(" "))
        self.tokens = [
            (str(m.lastgroup), m[0], m.start()) for m in _TOKEN.finditer(self.raw) if m.lastgroup != "space"
        ]

    def rewind(self) -> None:
        """Go back to the start of the line."""
        self.at = 0

    def kind(self) -> str:
        """Return the kind of the next token, or "" at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def peek(self) -> str:
        """The next token, or "" at the end."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def fail(self, expected: str) -> NoReturn:
        """Raise an error that names the next token and what was expected instead."""
        is_end = self.at >= len(self.tokens)
        column = len(self.raw) if is_end else self.tokens[self.at][2]
        found = f"Line {self.number} ends at" if is_end else f"`{self.peek()}` stands on line {self.number},"
        raise CompileError(
            f"{found} column {column}, but this place needs {expected}.",
            Span("", self.number, column, self.number, column + max(len(self.peek()), 1)),
        )

    def take(self, kind: str, expected: str) -> str:
        """Read the next token. Fail unless it is of this kind."""
        if self.kind() != kind:
            self.fail(expected)
        self.at += 1
        return self.tokens[self.at - 1][1]

    def mark(self, text: str) -> None:
        """Read the mark or word `text`. Fail if the next token is not `text`."""
        if self.peek() != text:
            self.fail(f"`{text}`")
        self.at += 1

    def accept(self, text: str) -> bool:
        """Read the next token if it is the mark or word `text`. Return False for any other token."""
        if self.peek() != text or self.kind() == "string":
            return False
        self.at += 1
        return True

    def whole(self, expected: str) -> int:
        """Read a whole number."""
        return int(self.take("whole", expected))

    def name(self) -> str:
        """Read a function's name."""
        if self.kind() == "string":
            return self.string()
        return self.take("word", "a function's name")

    def string(self) -> str:
        """Read a quoted text."""
        at = self.at
        text = self.take("string", "a quoted text")
        try:
            return str(json.loads(text))
        except ValueError:
            self.at = at
            self.fail("a text as JSON writes it")

    def end(self) -> None:
        """Raise an error unless all tokens have been read."""
        if self.peek():
            self.fail("the end of the line")

    # ------------------------------------------------------------ types and constants

    def type(self) -> RowType:
        """Read a row type."""
        if self.accept("acc"):
            return Acc(self._dims())
        of = self._scalar()
        return Array(of, self._dims()) if self.peek() == "[" else of

    def _scalar(self) -> ScalarType:
        at = self.at
        word = self.take("word", "a type: f64, i1, i64, i32[0..4], or an array or accumulator of them")
        of: ScalarType | None = _SCALARS.get(word)
        if word == "i32":
            self.mark("[")
            lo = self.whole("the least value of the integer")
            self.mark("..")
            of = I32(lo, self.whole("the greatest value of the integer"))
            self.mark("]")
        if of is None:
            self.at = at
            self.fail("a type: f64, i1, i64, i32[0..4], or an array or accumulator of them")
        return of

    def _dims(self) -> tuple[int, ...]:
        self.mark("[")
        dims: list[int] = []
        while not self.accept("]"):
            if dims:
                self.mark(",")
            dims.append(DYNAMIC if self.accept("?") else self.whole("a length"))
        return tuple(dims)

    def value(self) -> Any:
        """Read a float, whole number or truth value."""
        kind, text = self.kind(), self.peek()
        if kind not in ("number", "whole") and text not in ("true", "false"):
            self.fail("a row, as in %1, or a constant")
        self.at += 1
        return float(text) if kind == "number" else int(text) if kind == "whole" else text == "true"

    def constant(self) -> tuple[Any, ScalarType]:
        """Read a constant. Return it and its type."""
        value = self.value()
        if type(value) is int:
            return value, self._scalar() if self.accept(":") else I32(value, value)
        return value, F64 if type(value) is float else I1
