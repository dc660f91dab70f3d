"""Spelling: find misspelt names and look-alike letters, and form the plurals of nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

LONGEST_WORD = 24
"""The largest number of characters of a word that we correct."""
SHORTEST_WORD = 3
"""The least number of characters of a word in which we correct wrong letters."""

_CYRILLIC = """
а a a, в ve b, е ie e, к ka k, м em m, о o o, р er p, с es c, т te t, у u y, х ha x, і i i, ј je j, ѕ dze s,
һ shha h, ԁ komi de d, ԛ qa q, ԝ we w, п pe n, г ghe r
"""
_GREEK = """
α alpha a, γ gamma y, ε epsilon e, ι iota i, κ kappa k, ν nu v, ο omicron o, ρ rho p, τ tau t, υ upsilon u,
χ chi x, ω omega w, η eta n
"""


def _alphabet(name: str, table: str) -> dict[str, tuple[str, str]]:
    """Map each letter of an alphabet to its name and the Latin letter that it looks like."""
    letters: dict[str, tuple[str, str]] = {}
    for entry in table.replace("\n", " ").split(","):
        letter, *words, latin = entry.split()
        letters[letter] = f"the {name} letter {' '.join(words)}", latin
        letters[letter.upper()] = f"the capital {name} letter {' '.join(words)}", latin.upper()
    return letters


LOOK_ALIKES: Mapping[str, tuple[str, str]] = {
    **_alphabet("Greek", _GREEK),
    **_alphabet("Cyrillic", _CYRILLIC),
}
"""Maps each letter of another alphabet to a pair: its name, and the Latin letter that looks like it."""


def look_alike(letter: str) -> tuple[str, str] | None:
    """Return a letter's name and the Latin letter that it looks like. None for all other letters.

    >>> look_alike("х")
    ('the Cyrillic letter ha', 'x')
    """
    if letter.isascii():
        return None
    if letter in LOOK_ALIKES:
        return LOOK_ALIKES[letter]
    code = ord(letter)
    if 0xFF21 <= code <= 0xFF5A:
        return "a letter of full width", chr(code - 0xFEE0)
    if 0x1D400 <= code <= 0x1D6A3:
        place = (code - 0x1D400) % 52
        return "a mathematical letter", chr((ord("A") if place < 26 else ord("a") - 26) + place)
    return None


def in_latin(word: str) -> str:
    """Replace letters of a word that look like Latin letters by these Latin letters."""
    return "".join(alike[1] if (alike := look_alike(letter)) else letter for letter in word)


def letters_told(word: str) -> str:
    """Return a clause about the first letter in `word` that looks like a Latin letter, or "".

    >>> letters_told("х")
    'this is the Cyrillic letter ha, which looks like x'
    """
    for letter in word:
        alike = look_alike(letter)
        if alike:
            name, latin = alike
            begin = "this is" if len(word) == 1 else f"its {letter} is"
            return f"{begin} {name}, which looks like {latin}"
    return ""


def nearest(word: str, names: Iterable[str], meaning: Callable[[str], Any] = str) -> str | None:
    """Find the name that is most similar to `word`. At most a third of the letters may be wrong.

    A letter is not wrong if it differs only in case, or if it looks like the right letter. Return None if no
    name is similar, or if the most similar names mean different things.
    meaning: a function that maps synonyms to the same value. It returns False for a name without synonyms.
    """
    if len(word) > LONGEST_WORD:
        return None
    lower = in_latin(word).lower()
    allowed = len(lower) // 3 if len(lower) >= SHORTEST_WORD else 0
    scored = sorted(
        (distance, name[0].lower() != lower[0], name)
        for name in names
        if name and (distance := edit_distance(lower, name.lower())) <= allowed
    )
    best = [name for *rank, name in scored if rank == [*scored[0][:2]]]
    meanings = {meaning(name) or name for name in best}
    return best[0] if len(meanings) == 1 else None


def edit_distance(one: str, other: str) -> int:
    """Return the least number of edits that turn one word into the other.

    An edit inserts, deletes or replaces a letter, or swaps two neighbours.

    >>> edit_distance("sen", "sin"), edit_distance("sqtr", "sqrt")
    (1, 1)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, wanted in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                best = min(best, last[j - 2] + 1)
            row.append(best)
    return row[-1]


def count(n: int, noun: str) -> str:
    """Write a number and a noun in the singular or plural.

    >>> count(1, "argument"), count(2, "argument")
    ('1 argument', '2 arguments')
    """
    return f"{n} {noun}" + ("s" if n != 1 else "")


_CAPITALISED = frozenset({"a", "an", "argument", "column", "element", "field", "item", "no", "the", "this"})
"""The words that get a capital letter at the beginning of a sentence. All other words may be code."""


def began(phrase: str) -> str:
    """Prepare a phrase for the beginning of a sentence: capitalise its first word unless the word is code.

    >>> began("the result of f"), began("eg.sum"), began("a")
    ('The result of f', 'eg.sum', 'a')
    """
    first, _, rest = phrase.partition(" ")
    return f"{first.capitalize()} {rest}" if rest and first in _CAPITALISED else phrase


def indices_below(n: int) -> str:
    """Describe the indices below `n`, for the error message about an index outside this range.

    >>> indices_below(3), indices_below(1), indices_below(0)
    ('an index from 0 to 2', 'the index 0', 'no index at all, because there are no elements')
    """
    if n <= 0:
        return "no index at all, because there are no elements"
    return "the index 0" if n == 1 else f"an index from 0 to {n - 1}"


def listed(names: Sequence[Any]) -> str:
    """Quote names and join them with commas."""
    return ", ".join(repr(name) for name in names)
