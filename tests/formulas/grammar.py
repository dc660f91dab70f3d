"""A second, independent parser of formulas, written only from the documented grammar.

It has no code in common with the compiler's parser and works differently. It splits words by a search, and
each level of the grammar is a function that calls the next level. `judged` returns the formula with all its
brackets, as in `(+ x (* 2 y))`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_CHARACTERS, MAX_TERMS, MAX_DEPTH = 2_000, 400, 64

ONE_ARGUMENT = """
    sqrt cbrt exp exp2 expm1 log log2 log10 log1p erf lgamma sin cos tan asin acos atan sinh cosh tanh asinh
    acosh atanh floor ceil trunc round sign abs
""".split()  # noqa: SIM905  easier to read than a list
ARGUMENTS: dict[str, tuple[str, int, int]] = {
    **{name: (name, 1, 1) for name in ONE_ARGUMENT},
    **{f"arc{name}": (f"a{name}", 1, 1) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"ar{name}": (f"a{name}", 1, 1) for name in ("sinh", "cosh", "tanh")},
    **{name: (name, 2, 2) for name in ("atan2", "hypot", "pow", "copysign", "polygamma")},
    "ln": ("log", 1, 1),
    "sgn": ("sign", 1, 1),
    "√": ("sqrt", 1, 1),
    "arctan2": ("atan2", 2, 2),
    **dict.fromkeys(("min", "minimum"), ("minimum", 2, 100)),
    **dict.fromkeys(("max", "maximum"), ("maximum", 2, 100)),
    "clip": ("clip", 3, 3),
}
"""For each name of a function: the function, and the least and greatest number of its arguments."""
CONSTANTS = {"pi": "pi", "π": "pi", "e": "e"}
MEANINGS = str.maketrans("·×∙⋅÷−–", "****/--")
CLOSING = {"(": ")", "[": "]", "|": "|"}
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
PLAIN_DIGITS = str.maketrans(SUPERSCRIPTS, "0123456789-")

NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
RAISED = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


class Outside(Exception):  # noqa: N818
    """The text is outside the grammar."""


class TooLarge(Exception):  # noqa: N818
    """The text has more characters, terms or depth than a formula may have."""


class Piece(NamedTuple):
    """A token.

    kind: number, raised (a superscript number), variable, constant, function, or the symbol itself.
    text: a number as Python prints it, or "" if no Real has its value; for other kinds, the token's text.
    """

    kind: str
    text: str


class Verdict(NamedTuple):
    """The verdict on a text.

    formula: the formula with all its brackets, or None if the text is outside the grammar or too large.
    depth, terms: the depth of nesting and the number of terms in the part that was read.
    """

    formula: str | None
    depth: int
    terms: int


def judged(text: str, names: tuple[str, ...]) -> Verdict:
    """The documented grammar's verdict on a text whose variables are `names`."""
    reading: _Reading | None = None
    try:
        reading = _Reading(list(_pieces(text, names)))
        return Verdict(reading.whole(), reading.deepest, reading.terms)
    except Outside:
        return Verdict(None, reading.deepest if reading else 0, reading.terms if reading else 0)
    except TooLarge:
        assert reading is not None
        return Verdict(None, reading.deepest, reading.terms)


# ---------------------------------------------------------------- words


def _pieces(text: str, names: tuple[str, ...]) -> list[Piece]:
    if "=" in text:
        raise Outside
    pieces: list[Piece] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character.isspace():
            at += 1
        elif match := NUMBER.match(text, at):
            pieces.append(_number(match.group()))
            at = match.end()
        elif match := RAISED.match(text, at):
            pieces.append(Piece("raised", _number(match.group().translate(PLAIN_DIGITS)).text))
            at = match.end()
        elif character.isalpha() or character == "_" or character in names:
            end = at
            while end < len(text) and _continues_word(text[end]):
                end += 1
            pieces += _split(text[at:end], names)
            at = end
        else:
            width = 2 if text.startswith("**", at) else 1
            symbol = "^" if width == 2 else character.translate(MEANINGS)
            if symbol not in "+-*/^()[]|,√":
                raise Outside
            pieces.append(Piece("function" if symbol == "√" else symbol, symbol))
            at += width
    return pieces


def _continues_word(character: str) -> bool:
    return character == "_" or (character.isalnum() and character not in SUPERSCRIPTS)


def _number(text: str) -> Piece:
    """A number's token. Its text is an int if the number is written as one and exact as a Real."""
    value = float(text)
    is_zero_as_written = not re.search("[1-9]", re.split("[eE]", text)[0])
    if abs(value) == float("inf") or (value == 0) != is_zero_as_written:
        return Piece("number", "")
    whole = re.fullmatch("-?[0-9]+", text) and abs(value) <= 2**53
    return Piece("number", repr(int(value)) if whole else repr(value))


def _split(word: str, names: tuple[str, ...]) -> list[Piece]:
    """Split a word into known names, trying longer names first. Digits may only follow a function's name."""
    known = dict.fromkeys(CONSTANTS, "constant") | dict.fromkeys(ARGUMENTS, "function")
    known |= dict.fromkeys(names, "variable")
    if word in known:
        return [Piece(known[word], word)]
    longest_first = sorted(known, key=len, reverse=True)
    dead: set[int] = set()
    way: list[tuple[int, list[Piece]]] = [(0, [])]
    while way:
        at, pieces = way.pop()
        if at == len(word):
            return pieces
        if at in dead:
            continue
        dead.add(at)  # all ways to go on from here are on the stack
        further = []
        for name in longest_first:
            if not word.startswith(name, at):
                continue
            end = at + len(name)
            further.append((end, [*pieces, Piece(known[name], name)]))
            digits = re.compile("[0-9]+").match(word, end)
            if digits and known[name] == "function":
                number = _number(digits.group())
                further.append((digits.end(), [*pieces, Piece("function", name), number]))
        way += reversed(further)
    raise Outside


# ---------------------------------------------------------------- sentences


class _Reading:
    """A recursive-descent parser. Its levels, weakest first, are sum, product, signed, power, operand."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = [*pieces, Piece("end", "")]
        self.at = 0
        self.inside: list[str] = []  # the enclosing brackets, innermost last
        self.depth = self.deepest = self.terms = 0

    def whole(self) -> str:
        formula = self.sum()
        if self.next.kind != "end":
            raise Outside
        return formula

    @property
    def next(self) -> Piece:
        return self.pieces[self.at]

    def take(self) -> Piece:
        self.at += 1
        return self.pieces[self.at - 1]

    def deeper(self, level: int = 1) -> None:
        self.depth += level
        self.deepest = max(self.deepest, self.depth)
        if self.depth > MAX_DEPTH + 1:
            raise TooLarge

    def term(self, text: str) -> str:
        if not text:
            raise Outside
        self.terms += 1
        return text

    def sum(self) -> str:
        left = self.product()
        while self.next.kind in ("+", "-"):
            sign = self.take().kind
            left = f"({sign} {left} {self.product()})"
        return left

    def product(self) -> str:
        left = self.signed()
        while True:
            if self.next.kind in ("*", "/"):
                left = f"({self.take().kind} {left} {self.signed()})"
            elif self.begins_operand():
                left = f"(* {left} {self.factor()})"
            else:
                return left

    def factor(self) -> str:
        """The next factor of a product that is written without `*`. `2 3` is not such a product."""
        if self.next.kind == "number" and self.pieces[self.at - 1].kind in ("number", "raised"):
            raise Outside
        return self.power()

    def begins_operand(self) -> bool:
        opens_bar = self.next.kind == "|" and self.inside[-1:] != ["|"]
        return opens_bar or self.next.kind in ("number", "variable", "constant", "function", "(", "[")

    def signed(self) -> str:
        if self.next.kind not in ("+", "-"):
            return self.power()
        sign = self.take().kind
        self.deeper()
        inner = self.signed()
        self.deeper(-1)
        return f"(- {inner})" if sign == "-" else inner

    def power(self) -> str:
        """A power. Superscripts bind to the left, `^` to the right. The exponent of `^` may have signs."""
        base = self.operand()
        while True:
            if self.next.kind == "raised":
                base = f"(^ {base} {self.term(self.take().text)})"
            elif self.next.kind == "^":
                self.take()
                base = f"(^ {base} {self.exponent()})"
            else:
                return base

    def exponent(self) -> str:
        self.deeper()
        exponent = self.signed()
        self.deeper(-1)
        return exponent

    def operand(self) -> str:
        piece = self.take()
        if piece.kind in ("number", "variable"):
            return self.term(piece.text)
        if piece.kind == "constant":
            return self.term(CONSTANTS[piece.text])
        if piece.kind == "function":
            return self.function(piece.text)
        if piece.kind in CLOSING:
            parts = self.bracketed(piece.kind)
            if len(parts) > 1:
                raise Outside
            return f"(abs {parts[0]})" if piece.kind == "|" else parts[0]
        raise Outside

    def bracketed(self, opening: str) -> list[str]:
        """The comma-separated sums up to the closing bracket. The opening bracket has already been read."""
        parts = []
        while True:
            self.inside.append(opening)
            self.deeper()
            parts.append(self.sum())
            self.deeper(-1)
            self.inside.pop()
            following = self.take().kind
            if following == CLOSING[opening]:
                return parts
            if following != ",":
                raise Outside

    def function(self, name: str) -> str:
        meaning, least, most = ARGUMENTS[name]
        exponent = None
        if self.next.kind == "raised":
            exponent = self.term(self.take().text)
        elif self.next.kind == "^":
            self.take()
            exponent = self.exponent()
        if exponent is not None and _literal(exponent) == -1:
            raise Outside
        if self.next.kind in ("(", "["):
            arguments = self.bracketed(self.take().kind)
        elif most == 1 and (self.next.kind in ("+", "-") or self.begins_operand()):
            arguments = [self.bare_argument()]
        else:
            raise Outside
        if not least <= len(arguments) <= most:
            raise Outside
        if meaning == "polygamma" and _literal(arguments[0]) not in (0, 1, 2, 3):
            raise Outside
        call = f"({meaning} {' '.join(arguments)})"
        return call if exponent is None else f"(^ {call} {exponent})"

    def bare_argument(self) -> str:
        """A function's argument without brackets: a product without `*`, up to the next function.

        Its first factor may have a sign.
        """
        self.deeper()
        left = self.signed()
        while self.next.kind != "function" and self.begins_operand():
            left = f"(* {left} {self.factor()})"
        self.deeper(-1)
        return left


def _literal(formula: str) -> float | None:
    """The value of a formula that is only a number with signs, or None for any other formula."""
    signs = formula.count("(- ")
    try:
        return float(formula.replace("(- ", "").rstrip(")")) * (-1) ** signs
    except ValueError:
        return None
