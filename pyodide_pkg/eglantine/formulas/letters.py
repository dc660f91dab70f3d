"""Read words of a formula that are not known names: free letters, and other spellings of known names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .advice import refuse_word
from .alphabet import GREEK, LETTER, canonical, is_letter, natural
from .grammar import WITH_BRACKET
from .parts import Kind, Token, formula_span
from .words import FORMULAS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .lexer import Vocabulary
    from .parts import Columns

LOGARITHM = re.compile(r"(?:log|ln)_([0-9]+|[A-Za-z])", re.IGNORECASE)
LOGARITHMS = {"2": "log2", "10": "log10", "e": "log"}


def other_word(words: Vocabulary, text: str, at: int, end: int, columns: Columns) -> Iterator[Token]:
    """Yield the tokens of a word that is neither a known name nor a product of known names.

    Raises: FormulaError if the word has no meaning here.
    """
    word = text[at:end]
    called = text[end:].lstrip()[:1] in ("(", "[")
    logarithm = LOGARITHM.fullmatch(word)
    if logarithm:
        yield from _logarithm(words, logarithm, text, at, columns)
        return
    known = _known(words, word, called)
    if known:
        yield Token(*words.kinds[known], word, at, end)
        return
    pieces = _pieces(words, word, called)
    if not pieces:
        refuse_word(words, word, formula_span(columns(at), columns(end)), called)
    for piece, name in pieces:
        kind, normal = words.kinds.get(name, (Kind.NUMBER if name[0].isdecimal() else Kind.VARIABLE, name))
        yield Token(kind, normal, piece, at, at + len(piece))
        at += len(piece)


def _logarithm(
    words: Vocabulary, match: re.Match[str], text: str, at: int, columns: Columns
) -> Iterator[Token]:
    """Yield the tokens of a logarithm with a base, such as `log_2` or `log_b`."""
    base, place = match[1], at + match.start(1)
    end = at + match.end()
    if base in LOGARITHMS:
        yield Token(Kind.FUNCTION, LOGARITHMS[base], match[0], at, end)
        return
    yield Token(Kind.FUNCTION, "log_", match[0], at, end)
    if base.isdecimal():
        yield Token(Kind.NUMBER, base, base, place, end)
    else:
        yield from words.pieces(text, place, end, columns)


def _known(words: Vocabulary, word: str, called: bool) -> str | None:
    """Find a known name despite another spelling: x1 for `x_1`, x for `X`, sin for `Sin`."""
    if word in words.kinds and called:
        return word
    for name in (*words.variables, *words.bound):
        if canonical(name) == canonical(word):
            return name
    lower = word.lower()
    if word in ("X", "Y") and lower in words.variables:
        return lower
    if (
        lower != word
        and len(word) > 1
        and lower in words.kinds
        and words.kinds[lower][1] not in words.variables
    ):
        return None if (word in GREEK or lower in WITH_BRACKET) and not called else lower
    return None


def _pieces(words: Vocabulary, word: str, called: bool) -> list[tuple[str, str]]:
    """Split a word into parts. Return each part with its name, or [] if the word cannot be split.

    The parts are known names, and at most one free letter. If a bracket follows a word of more than two
    letters, the last part must be a function. If it is not, the word is probably a misspelt function, so we
    do not split it.
    """
    plain = "".join(
        c.lower() if c in "XY" and c.lower() in words.variables and c not in words.variables else c
        for c in word
    )
    pieces = words.split(plain)
    if pieces is not None:
        return [*zip(_cut(word, pieces), pieces, strict=True)]
    for name in words.variables:
        letter = GREEK.get(name, "")
        pieces = words.split(plain, letter) if letter and letter in word else None
        if pieces is not None:
            return [(piece, name if piece == letter else piece) for piece in pieces]
    if words.free is None:
        return []
    if is_letter(word):
        return [(word, _collected(words.free, word))]
    if word.lower() in FORMULAS:  # acot is no product of a and cot
        return []
    letters = {match.group() for match in LETTER.finditer(word)} | {
        word[i] for i in range(len(word)) if is_letter(word[i])
    }
    for letter in sorted(letters, key=natural):
        pieces = words.split(plain, letter) if is_letter(letter) and letter not in words.kinds else None
        if pieces and not (
            called and len(word) > 2 and words.kinds.get(pieces[-1], "?")[0] is not Kind.FUNCTION
        ):
            name = _collected(words.free, letter)
            return [(piece, name if piece == letter else piece) for piece in pieces]
    return []


def _cut(word: str, pieces: Sequence[str]) -> Iterator[str]:
    at = 0
    for piece in pieces:
        yield word[at : at + len(piece)]
        at += len(piece)


def _collected(free: list[str], letter: str) -> str:
    """Return a letter as it is spelt in the list `free`. If the list lacks the letter, add it."""
    for known in free:
        if canonical(known) == canonical(letter):
            return known
    free.append(letter)
    return letter
