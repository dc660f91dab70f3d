"""The free letters of a formula: the names that it uses and that nobody has defined."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexer import KNOWN_NAMES, WORD, Vocabulary
from .parser import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

GREEK = frozenset(
    """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron rho sigma tau upsilon
    phi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega varepsilon vartheta varphi
    """.split()  # noqa: SIM905  easier to read than a list
)
"""The names of Greek letters that may be free. Pi is a number."""
NEVER_FREE = frozenset({"i", "inf", "nan", "e", "π"})
LETTER = re.compile(
    rf"(?:[A-Za-z]|[αβγδεζηθικλμνξορσςτυφχψωΓΔΘΛΞΣΥΦΨΩ]|{'|'.join(sorted(GREEK))})(?:_?[0-9]+|_[A-Za-z])?"
)


def is_letter(word: str) -> bool:
    """Whether a word may be a free letter: a single one or the name of a Greek one, maybe with an index."""
    return word not in NEVER_FREE and LETTER.fullmatch(word) is not None


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """A key that sorts names in natural order: b2 before b10, and b before b1."""
    parts = re.findall(r"[0-9]+|[^0-9_]+", name)
    return tuple((part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts)


def free_names(text: str, names: Sequence[str] = ("x", "y")) -> list[str]:
    """The free letters of a formula, in natural order: its names other than `names`, functions and constants.

    Free letters are single letters, with or without an index, and the names of Greek letters.
    Raises: FormulaError or LimitError if the text is no formula even when these letters are defined.

    >>> free_names("a sin(b10 x) + b2", ("x",))
    ['a', 'b2', 'b10']
    """
    known = {*KNOWN_NAMES, *names}
    free = {letter for word in WORD.findall(text) for letter in _letters(word, known)}
    ordered = sorted(free, key=natural)
    parse(text, (*names, *ordered))
    return ordered


def _letters(word: str, known: set[str]) -> list[str]:
    """The free letters in a word. A word such as `ax` is one free letter beside names that are known."""
    if word in known or Vocabulary([*known])._split(word) is not None:
        return []
    if is_letter(word):
        return [word]
    for candidate in sorted({m.group() for m in LETTER.finditer(word) if is_letter(m.group())}, key=natural):
        if candidate not in known and Vocabulary([*known, candidate])._split(word) is not None:
            return [candidate]
    return []
