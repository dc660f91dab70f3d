"""A second, independent parser of formulas, written only from the documented grammar.

It shares no code with the compiler's parser. It searches each word for names. Each level of the grammar is a
function that calls the next level. `judged` returns the formula with all its brackets, as in `(+ x (* 2 y))`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.formulas.pieces import (
    ARGUMENTS,
    CLOSING,
    COMPARISONS,
    CONSTANTS,
    HUGE,
    MAX_DEPTH,
    NAME,
    Outside,
    Piece,
    TooLarge,
    _condition_of,
    _head,
    _literal,
    _number_of,
    _pieces,
    _plain,
    _uncommented,
)


class Verdict(NamedTuple):
    """The result of reading a text.

    formula: the formula with all its brackets. None if the text is not a formula or is too large.
    depth: the depth of nesting that the parser reached.
    terms: the number of terms that the parser read.
    is_huge: true if a sum such as `sum(k=1..99, k)` may have too many terms.
    """

    formula: str | None
    depth: int
    terms: int
    is_huge: bool = False


def judged(text: str, names: tuple[str, ...]) -> Verdict:
    """Read a text by the documented grammar. `names` are the formula's variables."""
    reading: _Reading | None = None
    try:
        plain = _plain(text, names)
        bound = tuple(re.findall(rf"[(\[,]\s*({NAME})\s*=(?!=)", plain))
        reading = _Reading(list(_pieces(plain, (*names, *bound))), bound)
        formula = reading.whole()
        is_outside = any(f"\0{name}\0" in formula for name in bound if name not in names)
        found = None if is_outside else re.sub("\0(.*?)\0", r"\1", formula)
        return Verdict(found, reading.deepest, reading.terms, reading.is_huge)
    except Outside:
        if reading is None:
            return Verdict(None, 0, 0)
        return Verdict(None, reading.deepest, reading.terms, reading.is_huge)
    except TooLarge:
        assert reading is not None
        return Verdict(None, reading.deepest, reading.terms, reading.is_huge)


def is_judged(text: str) -> bool:
    """True if `judged` supports a text. It supports neither LaTeX nor several lines with definitions."""
    if "\\" in text or "^{" in text or "_{" in text:
        return False
    lines = [line for line in re.split("[\n;]", _uncommented(text)) if line.strip()]
    return len(lines) < 2 or not any(_head(line) for line in lines)


# ---------------------------------------------------------------- sentences


class _Reading:
    """A recursive-descent parser.

    It has a method for each level of precedence, from the lowest: choice, either, both, invert, comparison,
    sum, product, signed, power and operand.
    """

    def __init__(self, pieces: list[Piece], bound: tuple[str, ...] = ()) -> None:
        self.pieces = [*pieces, Piece("end", "")]
        self.bound = bound
        self.is_huge = False
        self.at = 0
        self.inside: list[str] = []  # the enclosing brackets, innermost last
        self.depth = self.deepest = self.terms = 0

    def whole(self) -> str:
        formula = _number_of(self.choice())
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

    def want(self, kind: str) -> None:
        if self.take().kind != kind:
            raise Outside

    def choice(self) -> str:
        left = self.either()
        if self.next.kind == "if":
            self.take()
            self.deeper()
            condition = _condition_of(self.either())
            self.deeper(-1)
            self.want("else")
            self.deeper()
            other = self.choice()
            self.deeper(-1)
            return f"(if {condition} {_number_of(left)} {_number_of(other)})"
        if self.next.kind == "?":
            self.take()
            condition = _condition_of(left)
            self.deeper()
            first = self.choice()
            self.deeper(-1)
            self.want(":")
            self.deeper()
            other = self.choice()
            self.deeper(-1)
            return f"(if {condition} {_number_of(first)} {_number_of(other)})"
        return left

    def either(self) -> str:
        left = self.both()
        while self.next.kind == "or":
            self.take()
            right = _condition_of(self.both())
            left = f"(or {_condition_of(left)} {right})"
        return left

    def both(self) -> str:
        left = self.invert()
        while self.next.kind == "and":
            self.take()
            right = _condition_of(self.invert())
            left = f"(and {_condition_of(left)} {right})"
        return left

    def invert(self) -> str:
        if self.next.kind != "not":
            return self.comparison()
        self.take()
        self.deeper()
        inner = _condition_of(self.invert())
        self.deeper(-1)
        return f"(not {inner})"

    def comparison(self) -> str:
        left, compared = self.sum(), ""
        while self.next.kind in COMPARISONS:
            sign = self.take().kind
            left = _number_of(left)
            right = _number_of(self.sum())
            one = f"({sign} {left} {right})"
            compared, left = f"(and {compared} {one})" if compared else one, right
        return compared or left

    def sum(self) -> str:
        left = self.product()
        while self.next.kind in ("+", "-"):
            sign = self.take().kind
            left = f"({sign} {_number_of(left)} {_number_of(self.product())})"
        return left

    def product(self) -> str:
        left = self.signed()
        while True:
            if self.next.kind in ("*", "/", "%"):
                sign = self.take().kind
                left = f"({sign} {_number_of(left)} {_number_of(self.signed())})"
            elif self.begins_operand():
                left = f"(* {_number_of(left)} {_number_of(self.factor())})"
            else:
                return left

    def factor(self) -> str:
        """Read the second factor of a product without `*`, such as `2 x`. `2 3` is an error."""
        if self.next.kind == "number" and self.pieces[self.at - 1].kind in ("number", "raised"):
            raise Outside
        return self.power()

    def begins_operand(self) -> bool:
        opens_bar = self.next.kind == "|" and self.inside[-1:] != ["|"]
        return opens_bar or self.next.kind in ("number", "variable", "constant", "function", "(", "[", "{")

    def signed(self) -> str:
        if self.next.kind not in ("+", "-"):
            return self.power()
        sign = self.take().kind
        self.deeper()
        inner = self.signed()
        self.deeper(-1)
        return f"(- {_number_of(inner)})" if sign == "-" else inner

    def power(self) -> str:
        """Read a power.

        Superscripts associate to the left, and `^` to the right. The exponent after `^` may have a sign.
        """
        base = self.operand()
        while True:
            if self.next.kind == "raised":
                base = f"(^ {_number_of(base)} {self.term(self.take().text)})"
            elif self.next.kind == "!":
                self.take()
                base = f"(factorial {_number_of(base)})"
            elif self.next.kind == "^":
                self.take()
                base = f"(^ {_number_of(base)} {_number_of(self.exponent())})"
            else:
                return base

    def exponent(self) -> str:
        self.deeper()
        exponent = self.signed()
        self.deeper(-1)
        return exponent

    def operand(self) -> str:
        piece = self.take()
        if piece.kind == "variable" and piece.text in self.bound:
            return self.term(f"\0{piece.text}\0")
        if piece.kind in ("number", "variable"):
            return self.term(piece.text)
        if piece.kind == "constant":
            return self.term(CONSTANTS[piece.text])
        if piece.kind == "function":
            return self.function(piece.text)
        if piece.kind == "if" and self.next.kind in ("(", "["):
            return self.chosen(self.bracketed(self.take().kind))
        if piece.kind == "{":
            return self.braces()
        if piece.kind in CLOSING:
            parts = self.bracketed(piece.kind)
            if len(parts) > 1:
                raise Outside
            return f"(abs {_number_of(parts[0])})" if piece.kind == "|" else parts[0]
        raise Outside

    def inside_of(self, opening: str) -> str:
        self.inside.append(opening)
        self.deeper()
        part = self.choice()
        self.deeper(-1)
        self.inside.pop()
        return part

    def braces(self) -> str:
        parts = [self.inside_of("{")]
        if self.next.kind != ":":
            self.want("}")
            return self.chosen([_condition_of(parts[0]), "1"])
        while True:
            self.want(":")
            _condition_of(parts[-1])
            parts.append(self.inside_of("{"))
            following = self.take().kind
            if following == "}":
                return self.chosen(parts)
            if following != ",":
                raise Outside
            parts.append(self.inside_of("{"))
            if self.next.kind != ":":
                self.want("}")
                return self.chosen(parts)

    def chosen(self, parts: list[str]) -> str:
        """Write nested `if`s. `parts` is [condition, number, …, default]. The default may be missing."""
        if len(parts) < 2:
            raise Outside
        rest = _number_of(parts[-1]) if len(parts) % 2 else "nan"
        for condition, number in [*zip(parts[::2], parts[1::2], strict=False)][::-1]:
            rest = f"(if {_condition_of(condition)} {_number_of(number)} {rest})"
        return rest

    def series(self, sign: str) -> str:
        """Read `(k=1..3, a)` or `(a, k=1..3)`. Write the sum or product of the terms a for all k."""
        opening = self.take().kind
        if [piece.kind for piece in self.pieces[self.at : self.at + 2]] == ["variable", "="]:
            letter, low, high = self.range(opening)
            self.want(",")
            body = self.inside_of(opening)
        else:
            body = self.inside_of(opening)
            self.want(",")
            letter, low, high = self.range(opening)
        self.want(CLOSING[opening])
        body = _number_of(body)
        count = max(high - low + 1, 0)
        if count * len(body) > 200_000:
            self.is_huge = True
            raise TooLarge
        total = ""
        for k in range(low, high + 1):
            one = body.replace(f"\0{letter}\0", str(k))
            total = f"({sign} {total} {one})" if total else one
        self.is_huge |= total.count(" ") > HUGE
        return total or ("0" if sign == "+" else "1")

    def range(self, opening: str) -> tuple[str, int, int]:
        letter = self.take()
        if letter.kind != "variable":
            raise Outside
        self.want("=")
        low = _literal(self.inside_of(opening))
        self.want("..")
        high = _literal(self.inside_of(opening))
        for bound in (low, high):
            if bound is None or bound != bound // 1 or abs(bound) > 10_000:
                raise Outside
        assert low is not None
        assert high is not None
        return letter.text, int(low), int(high)

    def bracketed(self, opening: str) -> list[str]:
        """Read comma-separated expressions up to the closing bracket. The opening bracket is already read."""
        parts = []
        while True:
            self.inside.append(opening)
            self.deeper()
            parts.append(self.choice())
            self.deeper(-1)
            self.inside.pop()
            following = self.take().kind
            if following == CLOSING[opening]:
                return parts
            if following != ",":
                raise Outside

    def function(self, name: str) -> str:
        base = _number_of(self.operand()) if name == "log_" else None
        meaning, least, most = ARGUMENTS["log" if base else name]
        exponent = None
        if self.next.kind == "raised":
            exponent = self.term(self.take().text)
        elif self.next.kind == "^":
            self.take()
            exponent = self.exponent()
        if exponent is not None and _literal(exponent) == -1:
            raise Outside
        if self.next.kind in ("(", "[") and meaning in ("sum", "prod"):
            call = self.series("+" if meaning == "sum" else "*")
            return call if exponent is None else f"(^ {call} {_number_of(exponent)})"
        if self.next.kind in ("(", "["):
            arguments = self.bracketed(self.take().kind)
        elif most == 1 and (self.next.kind in ("+", "-") or self.begins_operand()):
            arguments = [self.bare_argument()]
        else:
            raise Outside
        if not least <= len(arguments) <= most:
            raise Outside
        if meaning == "polygamma" and _literal(arguments[0]) not in range(101):
            raise Outside
        if meaning == "if":
            call = self.chosen(arguments)
        else:
            call = f"({meaning} {' '.join(map(_number_of, arguments))})"
        if base is not None:
            call = f"(/ {call} (log {base}))"
        return call if exponent is None else f"(^ {call} {_number_of(exponent)})"

    def bare_argument(self) -> str:
        """Read an argument without brackets, such as `-2 x` in `sin -2 x cos y`."""
        self.deeper()
        left = self.signed()
        while self.next.kind != "function" and self.begins_operand():
            left = f"(* {_number_of(left)} {_number_of(self.factor())})"
        self.deeper(-1)
        return left
