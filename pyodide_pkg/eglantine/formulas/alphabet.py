"""Find a formula's free letters, which are letters without a definition. Add names to a vocabulary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .grammar import Function
    from .lexer import Vocabulary

GREEK = {
    name: letter
    for entry in """alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ
    nu ν xi ξ omicron ο rho ρ sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ
    Lambda Λ Xi Ξ Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω""".replace("\n", " ").split("  ")
    for name, letter in zip(entry.split()[::2], entry.split()[1::2], strict=True)
}
"""A dict from names of Greek letters to the letters. It lacks pi, because pi is a number and never free."""
GREEK_NAMES = {letter: name for name, letter in GREEK.items()}
NEVER_FREE = frozenset({"i", "inf", "nan", "e", "π"})
LETTER = re.compile(rf"({'|'.join(sorted(GREEK, key=len, reverse=True))}|[A-Za-z]|[{''.join(GREEK_NAMES)}])"
                    r"(?:_?([0-9]+)|_([A-Za-z]))?")  # fmt: skip


def is_letter(word: str) -> bool:
    """True if a word may be a free letter: a letter or the name of a Greek letter, perhaps with an index."""
    return word not in NEVER_FREE and LETTER.fullmatch(word) is not None


def canonical(word: str) -> str:
    """Return the standard spelling of a letter. All spellings of one letter give the same result.

    >>> canonical("θ_1"), canonical("theta1"), canonical("speed")
    ('theta1', 'theta1', 'speed')
    """
    match = LETTER.fullmatch(word)
    return GREEK_NAMES.get(match[1], match[1]) + (match[2] or match[3] or "") if match else word


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a key that sorts names in natural order: b before b1, and b2 before b10."""
    parts = re.findall(r"[0-9]+|[^0-9_]+", name)
    return tuple((part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts)


def extended(
    words: Vocabulary,
    variables: Sequence[str] = (),
    functions: Mapping[str, Function] | None = None,
    bound: Sequence[str] = (),
    free: list[str] | None = None,
) -> Vocabulary:
    """Return a copy of the vocabulary `words` with more names.

    free: the list to which the lexer adds the free letters that it finds. By default, it is `words.free`.
    """
    all_variables = dict.fromkeys((*words.variables, *variables))
    all_functions = {**words.functions, **functions} if functions else words.functions
    collected = words.free if free is None else free
    return type(words)([*all_variables], all_functions, (*words.bound, *bound), collected)
