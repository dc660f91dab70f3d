"""Raise the errors for mistakes in formulas. Each message quotes the mistake and says what to write instead.

This module is loaded only when a formula has a mistake.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from eglantine.errors import FormulaError, LimitError, Span
from eglantine.words.spelling import in_latin, letters_told, nearest

from .alphabet import is_letter
from .grammar import (
    BIGGEST_POLYGAMMA,
    CLOSING,
    FUNCTIONS,
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TERMS,
    WORDS,
    Function,
)
from .parts import Columns, Kind, Token, formula_span, quoted
from .words import CHARACTERS, COMMANDS, HABITS, NO_NUMBERS, NUMBERS, identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lexer import Vocabulary
    from .nodes import Nodes
    from .parser import _Parser

WANTED = "a number, a name or `(` was expected"
NO_CONDITION = "This is a number, but a condition was expected. Write x > 0 or x != 0, for example."
INTEGRALS = "∫∬∭∮"
UNKNOWN_OPERATORS = {"&": "and", "~": "not", "‖": "||"}


LIMITS = {
    "depth": f"The formula nests deeper than {MAX_DEPTH} brackets, signs, powers and functions. "
    "Give the inner part a simpler form.",
    "terms": f"The formula has more than {MAX_TERMS} terms (numbers and names). Shorten it, or "
    "write it as a Python function.",
    "nodes": f"With its sums and definitions written out, the formula has more than {MAX_NODES:,} "
    "operations. Use fewer terms, or write it as a Python function.",
}


def refuse_limit(limit: str, span: Span) -> NoReturn:
    """Raise the error for a formula that exceeds a limit."""
    raise LimitError(LIMITS[limit], span)


def refuse_length(start: int, end: int, length: int) -> NoReturn:
    """Raise the error for a formula whose text is too long."""
    raise LimitError(
        f"The formula has {length:,} characters, but it may have at most {MAX_CHARACTERS:,}. "
        "Shorten it, or write it as a Python function.",
        formula_span(start, end),
    )


def refuse_size(token: Token, value: float) -> NoReturn:
    """Raise the error for a number that is too large or too close to zero for a Real."""
    span = formula_span(token.start, token.end)
    if value:
        raise FormulaError(
            f"The number {quoted(token.text)} is larger than any Real (about 1.8e308). Write a smaller one.",
            span,
        )
    raise FormulaError(
        f"The number {quoted(token.text)} is closer to zero than any Real (about 4.9e-324). Write 0.",
        span,
        "0",
    )


def refuse_character(text: str, at: int, columns: Columns) -> NoReturn:
    """Raise the error for a character that has no meaning in a formula."""
    character = text[at]
    span = formula_span(columns(at), columns(at + 1))
    if character in INTEGRALS:
        raise FormulaError(
            "Formulas have no integrals. Write the antiderivative, or a sum such as sum(k=1..10, k x).", span
        )
    if character in UNKNOWN_OPERATORS:
        word = UNKNOWN_OPERATORS[character]
        raise FormulaError(
            f"A formula has no {quoted(character)}. Write conditions with the words `and`, `or` and `not`.",
            span,
            word,
        )
    advice = CHARACTERS.get(character, "Delete it, or write an operator or a name instead.")
    raise FormulaError(f"The character {quoted(character)} has no meaning in a formula. {advice}", span)


def refuse_word(words: Vocabulary, word: str, span: Span, called: bool) -> NoReturn:
    """Raise the error for a word that is neither a known name nor a sequence of known names."""
    stem = word.rstrip("0123456789")
    if stem in words.variables and stem != word:
        digits = word[len(stem) :]
        raise FormulaError(
            f"{quoted(word)} is no name here. Write `{stem}*{digits}` for a product or "
            f"`{stem}^{digits}` for a power.",
            span,
        )
    what = "function" if called else "name"
    lower = word.lower()
    told = NO_NUMBERS.get(lower) or next((CHARACTERS[c] for c in word if c in CHARACTERS), None)
    if told is not None:
        raise FormulaError(f"There is no {what} {quoted(word)} here. {told}", span)
    if word in words.functions:
        refuse_argument(word, words.functions[word], span)
    if lower in COMMANDS:
        raise FormulaError(
            f"{quoted(word)} is not needed, because every formula is drawn anyway. Delete the word.", span
        )
    meaning = identity(lower, called)
    variables = ", ".join(words.variables) or "none"
    if meaning is not None and (called or lower in NUMBERS or not is_letter(word)):
        told, suggestion = meaning or "Formulas have nothing that computes it", None
    elif is_letter(word) and not called and not _resembles(words, word):
        told = (
            f"The variables are {variables}. Pass {word} as one of them, or give it a value on a line above: "
        )
        told, suggestion = f"{told}{word} = 1", None
    else:
        told = f"The variables are {variables}, and functions are written like sin(x)"
        suggestion = _nearest(words, word, called)
        is_mixed = any(letter.isascii() for letter in word)
        letters = letters_told(word) if suggestion or is_mixed else ""
        told = f"{letters[0].upper()}{letters[1:]}. {told}" if letters else told
    raise FormulaError(f"There is no {what} {quoted(word)} here. {told}.", span, suggestion)


def _resembles(words: Vocabulary, word: str) -> bool:
    """True if `word` has letters of another alphabet but looks like the name of a variable."""
    return not word.isascii() and in_latin(word) in words.variables


def _nearest(words: Vocabulary, word: str, called: bool) -> str | None:
    """Guess which known name a misspelt word was meant to be. Return None if no name is similar."""
    lower = in_latin(word).lower()
    if lower in HABITS:
        return HABITS[lower]
    if lower != word.lower():
        exact = in_latin(word)
        if exact in words.kinds or (words.split(exact) is not None and not exact[0].isdigit()):
            return exact
    names = [name for name, (kind, _) in words.kinds.items() if kind is Kind.FUNCTION or not called]
    names = [name for name in names if name not in WORDS and name[0] != "_"]
    return nearest(
        word, names, lambda name: words.kinds[name][0] is Kind.FUNCTION and words.functions[name].maths
    )


def refuse_number(span: Span) -> NoReturn:
    """Raise the error for a number where a condition is needed."""
    raise FormulaError(NO_CONDITION, span)


def check_arguments(parser: _Parser, token: Token, arguments: Sequence[int], end: int) -> None:
    """Check the number of arguments of a function, and the order (first argument) of `polygamma`."""
    function = parser.words.functions["log" if token.name == "log_" else token.name]
    count = len(arguments)
    if not function.least <= count <= function.most:
        wanted = str(function.least) if function.least == function.most else f"at least {function.least}"
        plural = "" if wanted == "1" else "s"
        too = "Add what is missing" if count < function.least else "Remove the rest"
        if token.name in ("log", "ln") and count == 2:
            too = "For another base, write log_2(x)"
        raise FormulaError(
            f"The function `{token.text}` takes {wanted} argument{plural}, but it has "
            f"{count or 'none'}. {too}.",
            formula_span(token.start, end),
        )
    if function.maths == "polygamma":
        order = parser.literal(arguments[0])
        if order not in range(BIGGEST_POLYGAMMA + 1):
            raise FormulaError(
                f"The order of `polygamma` must be a whole number from 0 to {BIGGEST_POLYGAMMA}. "
                "Write polygamma(0, x), for example.",
                parser.nodes[arguments[0]].span,
            )


def refuse_choice(token: Token, end: int) -> NoReturn:
    """Raise the error for a choice, such as `if(…)`, that has fewer than two arguments."""
    raise FormulaError(
        f"`{token.text}` needs a condition and values. Write {token.text}(x > 0, x, -x), for example.",
        formula_span(token.start, end),
    )


def refuse_bare(parser: _Parser, token: Token, function: Function) -> NoReturn:
    """Raise the error for a function's name that no argument follows."""
    name = "sin" if token.name == "sin" else token.text
    refuse_argument(token.text, function, parser.span(token), name)


def refuse_argument(word: str, function: Function, span: Span, name: str = "") -> NoReturn:
    """Raise the error for a function without an argument. The message shows how to call the function."""
    arguments = ", ".join("abc"[: function.least]) if function.most > 1 else "x"
    if function.maths == "select":
        arguments = "x > 0, x, -x"
    elif function.maths in ("sum", "prod"):
        arguments = "k=1..10, x^k"
    raise FormulaError(f"The function `{word}` has no argument. Write {name or word}({arguments}).", span)


def refuse_inverse(parser: _Parser, token: Token) -> NoReturn:
    """Raise the error for `sin^-1 x`, which could mean the inverse or the reciprocal."""
    name, inverse = token.text, f"a{token.name}"
    has_inverse = inverse in FUNCTIONS
    inverse_or = f"{inverse}(x) for the inverse or " if has_inverse else ""
    raise FormulaError(
        f"`{name}^-1` has two meanings. Write {inverse_or}1/{name}(x) for the reciprocal.",
        formula_span(token.start, parser.tokens[parser.at - 1].end),
        inverse if has_inverse else None,
    )


def refuse_open(parser: _Parser, opening: Token) -> NoReturn:
    """Raise the error for a bracket that is not closed."""
    token, wanted = parser.next, CLOSING[opening.name]
    if token.kind is Kind.CLOSE:
        raise FormulaError(
            f"{quoted(token.text)} does not close the `{opening.text}` before it. That needs `{wanted}`.",
            parser.span(token),
            wanted,
        )
    if opening.kind is Kind.BRACE and token.kind is Kind.COMMA:
        raise FormulaError(
            "A colon was expected here, after the condition. Write {x > 0: x, -x}, for example.",
            parser.span(token),
            ":",
        )
    if token.kind in (Kind.COMMA, Kind.MARK):
        refuse_stray(parser, token)
    raise FormulaError(
        f"The `{opening.text}` here is never closed. Add `{wanted}` where it should end.",
        parser.span(opening),
    )


def refuse_two_numbers(before: Token, token: Token) -> NoReturn:
    """Raise the error for two numbers without an operator between them."""
    raise FormulaError(
        f"The number {quoted(token.text)} stands right after {quoted(before.text)}. Put an operator "
        "between them.",
        formula_span(token.start, token.end),
    )


def refuse_operand(parser: _Parser, token: Token) -> NoReturn:
    """Raise the error for a token where an operand (a number, a name or a bracket) should begin."""
    tokens = parser.tokens
    before = tokens[parser.at - 2] if token.kind is not Kind.END and parser.at > 1 else None
    if token.kind is Kind.END:
        message = f"The formula ends after {quoted(tokens[-2].text)}, where {WANTED}. Complete it."
    elif token.name == "if":
        message = "`if` needs brackets, or a number before it. Write {x > 0: x, -x} or if(x > 0, x, -x)."
    elif token.kind is Kind.CLOSE and before is not None and before.kind is Kind.OPEN:
        message = f"There is nothing between the brackets, where {WANTED}. Fill or delete them."
    elif token.kind is Kind.CLOSE and not parser.open:
        refuse_stray(parser, token)
    elif token.kind is Kind.SUPERSCRIPT:
        message = f"The exponent {quoted(token.text)} has no base, where {WANTED}. Write what it raises."
    elif token.name == "/" and before is not None and before.name == "/":
        message = "`//` has no meaning in a formula. Write floor(x/y) for a whole quotient."
    else:
        message = f"{quoted(token.text)} stands where {WANTED}. Write one before it or delete it."
    raise FormulaError(message, parser.span(token))


def refuse_missing(parser: Nodes, name: str, after: Token) -> NoReturn:
    """Raise the error for a choice or sum in which `else`, `:` or `..` is missing."""
    shapes = {"else": "x if x > 0 else -x", ":": "x > 0 ? x : -x", "..": "sum(k=1..10, x^k)"}
    found = "the formula ends" if parser.next.kind is Kind.END else f"there is {quoted(parser.next.text)}"
    raise FormulaError(
        f"After {quoted(after.text)}, `{name}` was expected, but {found}. Write {shapes[name]}, for example.",
        parser.span(parser.next),
    )


def refuse_stray(parser: _Parser, token: Token) -> NoReturn:
    """Raise the error for a token that cannot follow a complete expression."""
    before = parser.tokens[parser.at - 1] if parser.at else None
    after = parser.tokens[parser.at + 1] if parser.next.kind is not Kind.END else None
    if token.kind is Kind.COMMA:
        message = "A comma only separates the arguments of a function. Write decimals with a point, like 1.5."
        is_decimal = before and after and before.text.isdecimal() and after.text.isdecimal()
        if before and after and is_decimal and (before.end, token.end) == (token.start, after.start):
            span = formula_span(before.start, after.end)
            raise FormulaError(message, span, f"{before.text}.{after.text}")
    elif token.kind is Kind.MARK and token.name == "=":
        message = "A formula has no `=` here. Write == in a condition, or define names on lines of their own."
    elif token.kind is Kind.MARK and token.name == ":":
        message = "A colon only stands in pieces, as in {x > 0: x, -x}. Write them in braces."
    elif token.kind in (Kind.MARK, Kind.NOT) or token.kind is Kind.OPERATOR:
        message = f"{quoted(token.text)} cannot stand here. Delete it, or write an operator before it."
    else:
        message = f"The {quoted(token.text)} closes no bracket. Delete it, or open one before."
    raise FormulaError(message, parser.span(token))


def refuse_equation(left: str, right: str, span: Span) -> NoReturn:
    """Raise the error for an equation such as `x^2 + y^2 = 1`, which is an implicit curve, not a value."""
    if not left.strip() or not right.strip():
        raise FormulaError("One side of this equation is missing. Write it, or delete the `=`.", span)
    simple = re.fullmatch(r"\s*[\w.]+\s*", right)
    difference = f"{left.strip()} - {right.strip()}" if simple else f"{left.strip()} - ({right.strip()})"
    raise FormulaError(
        f"This equation is an implicit curve, the contour at height 0 of {quoted(difference)}. Draw that "
        "formula, and look at its contours.",
        span,
        difference if difference.isprintable() else None,
    )
