"""The data types of formulas: tokens, nodes and parsed formulas."""

from __future__ import annotations

from bisect import bisect_left
from enum import Enum
from typing import NamedTuple

from eglantine.errors import Span

SHOWN_CHARACTERS = 24  # the largest number of characters of a word that an error message quotes
CONDITIONS = frozenset(("<", "<=", ">", ">=", "==", "!=", "and", "or", "not"))
"""The kinds of nodes that are conditions."""


class Kind(Enum):
    """The kind of a token. A MARK is a symbol such as `:` that is used only in a few constructs."""

    NUMBER = "number"
    VARIABLE = "variable"
    CONSTANT = "constant"
    FUNCTION = "function"
    OPERATOR = "operator"
    NOT = "not"
    FACTORIAL = "factorial"
    SUPERSCRIPT = "superscript"
    OPEN = "opening bracket"
    BRACE = "opening brace"
    CLOSE = "closing bracket"
    BAR = "bar"
    COMMA = "comma"
    MARK = "mark"
    END = "end"


class Token(NamedTuple):
    """One token of a formula.

    name: the normal spelling of the token, such as `^` for `**`.
    text: the token as the user typed it. Error messages quote this text.
    start, end: the columns where the token begins and ends in the text. They count UTF-16 code units.
    """

    kind: Kind
    name: str
    text: str
    start: int
    end: int


class Columns:
    """Converts positions from code points (as Python counts) to UTF-16 code units (as browsers count)."""

    def __init__(self, text: str) -> None:
        only_basic = text.isascii() or max(text) <= "\uffff"
        self._astral = [] if only_basic else [i for i, character in enumerate(text) if character > "\uffff"]
        self.differ = not only_basic

    def __call__(self, index: int) -> int:
        """The column of the code point at `index`."""
        return index + bisect_left(self._astral, index) if self._astral else index


def formula_span(start: int, end: int) -> Span:
    """Return the span of a formula that begins at column `start` and ends before column `end`."""
    return Span("", 1, start, 1, end)


def quoted(text: str) -> str:
    """Quote a text in backticks. Shorten it, and replace unprintable characters by their code points."""
    shown = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
    return f"`{''.join(c if c.isprintable() else f'U+{ord(c):04X}' for c in shown)}`"


class Node(NamedTuple):
    """One operation of a formula.

    kind: "number", "variable", "constant", "call", "negate", "select" (choose one of two numbers by a
        condition), "real" (convert a condition to 1 or 0), one of CONDITIONS, or an operator on numbers: + -
        * / % ^.
    name: the name of a variable, constant or function. A function's name is `abs`, or a name in `eg.math` or
        `grammar.DERIVED`. For other nodes, the name is empty.
    number: the value of a "number" node. It is an int if the formula has a whole number. Other nodes have 0.
    operands: the positions of the node's operands in `Formula.nodes`. Operands come before the node.
    start, end: the columns where the node begins and ends in the text. They count UTF-16 code units.
    """

    kind: str
    name: str
    number: float
    operands: tuple[int, ...]
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The position of the node in the formula."""
        return formula_span(self.start, self.end)


class Formula(NamedTuple):
    """A parsed formula: its text, the names of its variables, and its nodes in order of evaluation.

    The last node is the root. The nodes are stored in a list, so code can visit them in a loop and needs no
    recursion.
    """

    text: str
    names: tuple[str, ...]
    nodes: tuple[Node, ...]


class Definition(NamedTuple):
    """The definition of a name: the names of its parameters, if any, and the nodes of its value."""

    parameters: tuple[str, ...]
    nodes: tuple[Node, ...]
