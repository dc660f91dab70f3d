"""The lexer of formulas. It turns characters into numbers, known names, operators and brackets."""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import Enum
from functools import lru_cache
from math import isinf
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from eglantine.errors import FormulaError, LimitError, Span
from eglantine.ir.primitives import PRIMITIVES
from eglantine.words.spelling import in_latin, letters_told, nearest

from .words import HABITS, identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAX_CHARACTERS = 2_000
SHOWN_CHARACTERS = 24  # an error quotes at most this many characters of a word
BIGGEST_EXACT = 2**53  # up to this number, every integer is a Real


class Function(NamedTuple):
    """A function that formulas may call.

    maths: its name in `eg.math`.
    least, most: how many arguments it takes.
    """

    maths: str
    least: int = 1
    most: int = 1


ANY_NUMBER = 100


def _functions() -> Iterator[tuple[str, Function]]:
    """Yield the names and aliases of all primitives with a notation, then of other functions."""
    for op, primitive in PRIMITIVES.items():
        notation = primitive.notation
        if notation is not None:
            arity = len(primitive.operands)
            function = Function(notation.name or op, arity, ANY_NUMBER if notation.variadic else arity)
            for name in (function.maths, *notation.aliases):
                yield name, function
    yield "polygamma", Function("polygamma", 2, 2)
    yield "clip", Function("clip", 3, 3)


FUNCTIONS: Mapping[str, Function] = dict(_functions())
CONSTANTS: Mapping[str, str] = {"pi": "pi", "π": "pi", "e": "e"}


class Kind(Enum):
    """The kind of a token."""

    NUMBER = "number"
    VARIABLE = "variable"
    CONSTANT = "constant"
    FUNCTION = "function"
    OPERATOR = "operator"
    SUPERSCRIPT = "superscript"
    OPEN = "opening bracket"
    CLOSE = "closing bracket"
    BAR = "bar"
    COMMA = "comma"
    END = "end"


class Token(NamedTuple):
    """One token of a formula.

    name: the token in its normal spelling, such as `^` for `**`.
    text: the token as it was typed, which errors quote.
    start, end: columns in UTF-16 code units.
    """

    kind: Kind
    name: str
    text: str
    start: int
    end: int


SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
FROM_SUPERSCRIPT = str.maketrans(SUPERSCRIPTS, "0123456789-")
# `\w` matches superscript digits too, but a name cannot contain them.
WORD = re.compile(f"[^\\W\\d{SUPERSCRIPTS}][^\\W{SUPERSCRIPTS}]*")
TOKEN = re.compile(
    rf"\s*(?:(?P<word>{WORD.pattern})"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<operator>\*\*|[-+*/^·×∙⋅÷−–])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<bar>\|)|(?P<comma>,)"
    r"|(?P<superscript>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<root>√)|(?P<end>\Z))"
)
NORMAL_OPERATOR = {"**": "^", "·": "*", "×": "*", "∙": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-"}
KIND_OF_GROUP = {
    "open": Kind.OPEN,
    "close": Kind.CLOSE,
    "bar": Kind.BAR,
    "comma": Kind.COMMA,
    "end": Kind.END,
}


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
    """The span of a formula from column `start` up to, but not including, column `end`."""
    return Span("", 1, start, 1, end)


def quoted(text: str) -> str:
    """Quote a text in backticks. Shorten it, and replace unprintable characters by their code points."""
    shown = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
    return f"`{''.join(c if c.isprintable() else f'U+{ord(c):04X}' for c in shown)}`"


def lex(text: str, names: Sequence[str]) -> list[Token]:
    """The tokens of a formula. The last of them is an END token.

    names: the variables. They take precedence over functions and constants of the same name.
    Raises: LimitError for a text that is too long. FormulaError for an unknown character or name, or for a
        number that no Real can hold.
    """
    words, columns = vocabulary(tuple(names)), Columns(text)
    if len(text) > MAX_CHARACTERS:
        raise LimitError(
            f"The formula has {len(text):,} characters, but it may have at most {MAX_CHARACTERS:,}. "
            "Shorten it, or write it as a Python function.",
            formula_span(columns(MAX_CHARACTERS), columns(len(text))),
        )
    if "=" in text:
        _refuse_character(text, text.index("="), columns)
    tokens = _tokens(text, words, columns)
    if columns.differ:
        return [token._replace(start=columns(token.start), end=columns(token.end)) for token in tokens]
    return tokens


def _tokens(text: str, words: Vocabulary, columns: Columns) -> list[Token]:
    """The tokens, with positions in code points."""
    tokens: list[Token] = []
    kinds, at = words.kinds, 0
    for match in TOKEN.finditer(text):
        if match.start() != at:
            _refuse_character(text, at + len(text[at:]) - len(text[at:].lstrip()), columns)
        group = match.lastgroup or ""
        written = match[group]
        at = match.end()
        start = at - len(written)
        if group == "word" and written not in kinds:
            tokens += words.pieces(text, start, at, columns)
        elif group == "word":
            tokens.append(Token(*kinds[written], written, start, at))
        else:
            tokens.append(_symbol(group, written, start, at))
            if group == "end":
                break
    return tokens


def _symbol(group: str, written: str, start: int, end: int) -> Token:
    """The token of a number, operator, bracket or other symbol."""
    if group == "number":
        return Token(Kind.NUMBER, written, written, start, end)
    if group == "operator":
        return Token(Kind.OPERATOR, NORMAL_OPERATOR.get(written, written), written, start, end)
    if group == "superscript":
        return Token(Kind.SUPERSCRIPT, written.translate(FROM_SUPERSCRIPT), written, start, end)
    if group == "root":
        return Token(Kind.FUNCTION, "sqrt", written, start, end)
    return Token(KIND_OF_GROUP[group], written, written, start, end)


def _refuse_character(text: str, at: int, columns: Columns) -> NoReturn:
    character = text[at]
    span = formula_span(columns(at), columns(at + 1))
    if character == "=":
        raise FormulaError("A formula has no `=`. Write only what stands to the right of it.", span)
    if character in "<>!&~":
        raise FormulaError(
            f"A formula has no {quoted(character)}. Build it from + - * / ^ and functions.", span
        )
    if character in "{}":
        raise FormulaError(
            f"A formula has no {quoted(character)}. Group with round or square brackets.",
            span,
            "(" if character == "{" else ")",
        )
    raise FormulaError(
        f"The character {quoted(character)} has no meaning in a formula. Delete it, or write an "
        "operator or a name instead.",
        span,
    )


def number_value(token: Token) -> float:
    """The value of a NUMBER or SUPERSCRIPT token. It is an int if the token is written as one, else a float.

    Raises: FormulaError if the number is too large or too small for a Real.
    """
    value = float(token.name)
    digits = token.name.lower().partition("e")[0]
    if isinf(value):
        raise FormulaError(
            f"The number {quoted(token.text)} is larger than any Real (about 1.8e308). Write a smaller one.",
            formula_span(token.start, token.end),
        )
    if value == 0 and any(digit in "123456789" for digit in digits):
        raise FormulaError(
            f"The number {quoted(token.text)} is closer to zero than any Real (about 4.9e-324). Write 0.",
            formula_span(token.start, token.end),
            "0",
        )
    is_integer = digits == token.name and "." not in digits
    return int(value) if is_integer and abs(value) <= BIGGEST_EXACT else value


KNOWN_NAMES: Mapping[str, tuple[Kind, str]] = {
    **{name: (Kind.FUNCTION, name) for name in FUNCTIONS},
    **{name: (Kind.CONSTANT, meaning) for name, meaning in CONSTANTS.items()},
}


@lru_cache(maxsize=16)
def vocabulary(names: tuple[str, ...]) -> Vocabulary:
    """The vocabulary for variables with these names.

    Raises: FormulaError if a name is not a word, or if two names are equal.
    """
    for i, name in enumerate(names):
        if not WORD.fullmatch(name):
            raise FormulaError(f"A variable cannot be called {quoted(name)}. Use letters, then digits.")
        if name in names[:i]:
            raise FormulaError(f"Two variables are called {quoted(name)}. Rename one.")
    return Vocabulary(names)


class Vocabulary:
    """The names that a formula may use: variables, functions and constants."""

    def __init__(self, names: Sequence[str]) -> None:
        self.kinds = {**KNOWN_NAMES, **{name: (Kind.VARIABLE, name) for name in names}}
        self._variables = tuple(names)

    def pieces(self, text: str, at: int, end: int, columns: Columns) -> Iterator[Token]:
        """Split an unknown word into known names. Yield their tokens, with positions in code points."""
        word = text[at:end]
        pieces = self._split(word)
        if pieces is None:  # a misspelt function if a bracket follows, otherwise a misspelt name
            called = text[end:].lstrip()[:1] in ("(", "[")
            self._refuse_word(word, formula_span(columns(at), columns(end)), called)
        for piece in pieces:
            kind, name = self.kinds.get(piece, (Kind.NUMBER, piece))
            yield Token(kind, name, piece, at, at + len(piece))
            at += len(piece)

    def _split(self, word: str) -> list[str] | None:
        """Split `xy` into x, y and `sin2x` into sin, 2, x. Return None if a word is not made of names.

        We prefer longer names. Digits may only follow a function, because `x2` could mean 2x or x².
        """
        longest = max(map(len, self.kinds))
        step: list[str | None] = [None] * len(word) + [""]
        for start in range(len(word) - 1, -1, -1):
            for end in range(min(len(word), start + longest), start, -1):
                piece = word[start:end]
                if step[end] is not None and piece in self.kinds:
                    step[start] = piece
                    break
                digits = _leading_digits(word, end)
                is_argument = digits and step[end + len(digits)] is not None
                if is_argument and self.kinds.get(piece, (None,))[0] is Kind.FUNCTION:
                    step[start], step[end] = piece, digits
                    break
        return _walk(step)

    def _refuse_word(self, word: str, span: Span, called: bool) -> NoReturn:
        stem = word.rstrip("0123456789")
        if stem in self._variables:
            digits = word[len(stem) :]
            raise FormulaError(
                f"{quoted(word)} is no name here. Write `{stem}*{digits}` for a product or "
                f"`{stem}^{digits}` for a power.",
                span,
            )
        what = "function" if called else "name"
        lower = word.lower()
        meaning = identity(lower, called)
        if meaning is not None:
            told, suggestion = meaning or "Formulas have nothing that computes it", None
        else:
            variables = ", ".join(self._variables) or "none"
            told = f"The variables are {variables}, and functions are written like sin(x)"
            suggestion = self._nearest(word, called)
            is_mixed = any(letter.isascii() for letter in word)
            letters = letters_told(word) if suggestion or is_mixed else ""
            told = f"{letters[0].upper()}{letters[1:]}. {told}" if letters else told
        raise FormulaError(f"There is no {what} {quoted(word)} here. {told}.", span, suggestion)

    def _nearest(self, word: str, called: bool) -> str | None:
        """The known name that the word misspells, or None if there is no such name."""
        lower = in_latin(word).lower()
        if lower in HABITS:
            return HABITS[lower]
        if lower != word.lower():
            exact = in_latin(word)
            if exact in self.kinds or (self._split(exact) is not None and not exact[0].isdigit()):
                return exact
        names = [*FUNCTIONS] if called else [*self._variables, *FUNCTIONS, *CONSTANTS]
        return nearest(
            word, names, lambda name: self.kinds[name][0] is Kind.FUNCTION and FUNCTIONS[name].maths
        )


def _leading_digits(word: str, at: int) -> str:
    end = at
    while end < len(word) and word[end] in "0123456789":
        end += 1
    return word[at:end]


def _walk(step: Sequence[str | None]) -> list[str] | None:
    """Collect the pieces of a word by following `step` from its start to its end."""
    pieces: list[str] = []
    at = 0
    while at < len(step) - 1:
        piece = step[at]
        if piece is None:
            return None
        pieces.append(piece)
        at += len(piece)
    return pieces
