"""The lexer of formulas. It divides a text into tokens: numbers, known names, operators and brackets."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isinf
from typing import TYPE_CHECKING

from eglantine.errors import FormulaError

from .grammar import CONSTANTS, FUNCTIONS, MAX_CHARACTERS, SPELLINGS, STRENGTH, WITH_BRACKET, WORDS, Function
from .parts import Columns, Kind, Token, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BIGGEST_EXACT = 2**53  # a Real can represent every integer up to this number exactly


SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
FROM_SUPERSCRIPT = str.maketrans(SUPERSCRIPTS, "0123456789-")
# A name cannot contain superscript digits. `\w` matches such digits, so the pattern excludes them.
WORD = re.compile(f"[^\\W\\d{SUPERSCRIPTS}][^\\W{SUPERSCRIPTS}]*")
TOKEN = re.compile(
    rf"\s*(?:(?P<word>{WORD.pattern})"
    r"|(?P<number>(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<operator>\*\*|[<>=!]=|&&|\.\.\.?|[-+*/^%<>?=:·×∙⋅÷−–≤≥≠∧∨¬…])"
    r"|(?P<open>[(\[])|(?P<brace>\{)|(?P<close>[)\]}])|(?P<bar>\|)|(?P<comma>,)"
    r"|(?P<superscript>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<root>√)|(?P<factorial>!)|(?P<end>\Z))"
)
KIND_OF_GROUP = {
    "open": Kind.OPEN,
    "brace": Kind.BRACE,
    "close": Kind.CLOSE,
    "bar": Kind.BAR,
    "comma": Kind.COMMA,
    "factorial": Kind.FACTORIAL,
    "end": Kind.END,
}


def check_length(text: str, columns: Columns) -> None:
    """Raise a LimitError if the text is too long for a formula."""
    if len(text) > MAX_CHARACTERS:
        from .advice import refuse_length

        refuse_length(columns(MAX_CHARACTERS), columns(len(text)), len(text))


def lex(text: str, words: Vocabulary, columns: Columns | None = None) -> list[Token]:
    """Divide a formula into tokens. The last token is an END token.

    columns: a function from a position in the text to a column. By default, columns count UTF-16 code units.
    Raises: LimitError if the text is too long. FormulaError for an unknown character or name, or for a number
        that is too large or too small for a Real.
    """
    if columns is None:
        columns = Columns(text)
    check_length(text, columns)
    tokens = _tokens(text, words, columns)
    if columns.differ:
        return [token._replace(start=columns(token.start), end=columns(token.end)) for token in tokens]
    return tokens


def _tokens(text: str, words: Vocabulary, columns: Columns) -> list[Token]:
    """Divide a formula into tokens. Their positions count code points, as Python does."""
    tokens: list[Token] = []
    kinds, at = words.kinds, 0
    for match in TOKEN.finditer(text):
        if match.start() != at:
            from .advice import refuse_character

            refuse_character(text, at + len(text[at:]) - len(text[at:].lstrip()), columns)
        group = match.lastgroup or ""
        written = match[group]
        at = match.end()
        start = at - len(written)
        if group == "word" and (written not in kinds or written in WITH_BRACKET):
            tokens += words.pieces(text, start, at, columns)
        elif group == "word":
            tokens.append(Token(*kinds[written], written, start, at))
        else:
            tokens.append(_symbol(group, written, start, at))
            if group == "end":
                break
    return tokens


def _symbol(group: str, written: str, start: int, end: int) -> Token:
    """Make the token of a number, operator, bracket or other symbol."""
    if group == "number":
        return Token(Kind.NUMBER, written, written, start, end)
    if group == "operator":
        return Token(*operator(written), written, start, end)
    if group == "superscript":
        return Token(Kind.SUPERSCRIPT, written.translate(FROM_SUPERSCRIPT), written, start, end)
    if group == "root":
        return Token(Kind.FUNCTION, "sqrt", written, start, end)
    return Token(KIND_OF_GROUP[group], written, written, start, end)


def operator(written: str) -> tuple[Kind, str]:
    """Return the kind and the normal spelling of an operator or mark."""
    name = SPELLINGS.get(written, written)
    return Kind.OPERATOR if name in STRENGTH else Kind.NOT if name == "not" else Kind.MARK, name


def number_value(token: Token) -> float:
    """Return the value of a NUMBER or SUPERSCRIPT token. `2` gives an int, `2.0` and `2e3` give floats.

    Raises: FormulaError if the number is too large or too small for a Real.
    """
    value = float(token.name)
    digits = token.name.lower().partition("e")[0]
    if isinf(value) or (value == 0 and any(digit in "123456789" for digit in digits)):
        from .advice import refuse_size

        refuse_size(token, value)
    is_integer = digits == token.name and "." not in digits
    return int(value) if is_integer and abs(value) <= BIGGEST_EXACT else value


KNOWN_NAMES: Mapping[str, tuple[Kind, str]] = {
    **{name: (Kind.FUNCTION, name) for name in FUNCTIONS},
    **{name: (Kind.CONSTANT, meaning) for name, meaning in CONSTANTS.items()},
}


@lru_cache(maxsize=16)
def vocabulary(names: tuple[str, ...]) -> Vocabulary:
    """Make the vocabulary of formulas with the variables `names`.

    Raises: FormulaError if a name is not a word, or if two names are equal.
    """
    for i, name in enumerate(names):
        if not WORD.fullmatch(name):
            raise FormulaError(f"A variable cannot be called {quoted(name)}. Use letters, then digits.")
        if name in names[:i]:
            raise FormulaError(f"Two variables are called {quoted(name)}. Rename one.")
    return Vocabulary(names)


class Vocabulary:
    """The names that a formula may use.

    variables: the names of the formula's variables. If a name has several meanings, it means the variable.
    functions: a dict from names to functions.
    kinds: for each name, a pair: the kind of its token, and its normal spelling.
    bound: the letters that have a value only inside a sum or product.
    free: the list to which the lexer adds free letters, or None if free letters are errors.
    """

    def __init__(
        self,
        variables: Sequence[str],
        functions: Mapping[str, Function] = FUNCTIONS,
        bound: Sequence[str] = (),
        free: list[str] | None = None,
    ) -> None:
        self.variables, self.functions, self.bound, self.free = tuple(variables), functions, bound, free
        self.kinds = {word: operator(word) for word in WORDS}
        self.kinds |= KNOWN_NAMES
        self.kinds |= {name: (Kind.FUNCTION, name) for name in functions if name not in FUNCTIONS}
        self.kinds |= {name: (Kind.VARIABLE, name) for name in (*bound, *self.variables)}

    def pieces(self, text: str, at: int, end: int, columns: Columns) -> Iterator[Token]:
        """Split an unknown word into known names. Yield a token for each. Positions count code points."""
        word = text[at:end]
        called = text[end:].lstrip()[:1] in ("(", "[")
        pieces: Sequence[str] | None = None
        if word in self.kinds and (called or self.kinds[word][0] is not Kind.FUNCTION):
            pieces = [word]
        elif word not in self.kinds:
            pieces = self.split(word)
        if pieces is None:
            from .letters import other_word

            yield from other_word(self, text, at, end, columns)
            return
        for piece in pieces:
            kind, name = self.kinds.get(piece, (Kind.NUMBER, piece))
            yield Token(kind, name, piece, at, at + len(piece))
            at += len(piece)

    def split(self, word: str, letter: str = "") -> list[str] | None:
        """Split a word into names. For example, split `xy` into x, y, and `sin2x` into sin, 2, x.

        Return None if a part of the word is unknown. Longer names are preferred. Digits may come only after a
        function, because `x2` could mean 2x or x².
        letter: one more name that may be a part of the word.
        """
        longest = max(map(len, self.kinds))
        step: list[str | None] = [None] * len(word) + [""]
        for start in range(len(word) - 1, -1, -1):
            for end in range(min(len(word), start + longest), start, -1):
                piece = word[start:end]
                kind = self.kinds.get(piece, (None,))[0]
                if piece == letter:
                    kind = Kind.VARIABLE
                elif piece in WORDS or (piece in WITH_BRACKET and kind is Kind.FUNCTION):
                    continue
                if step[end] is not None and kind is not None:
                    step[start] = piece
                    break
                digits = _leading_digits(word, end)
                is_argument = digits and step[end + len(digits)] is not None
                if is_argument and kind is Kind.FUNCTION:
                    step[start], step[end] = piece, digits
                    break
        return _walk(step)


def _leading_digits(word: str, at: int) -> str:
    end = at
    while end < len(word) and word[end] in "0123456789":
        end += 1
    return word[at:end]


def _walk(step: Sequence[str | None]) -> list[str] | None:
    """List the pieces of a word. `step[i]` is the piece that begins at i. None if a piece is missing."""
    pieces: list[str] = []
    at = 0
    while at < len(step) - 1:
        piece = step[at]
        if piece is None:
            return None
        pieces.append(piece)
        at += len(piece)
    return pieces
