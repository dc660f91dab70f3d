"""The messages of traps, which the interpreter and emitted code share."""

from __future__ import annotations

from typing import Final

from .row_types import DYNAMIC

OUT_OF_FUEL: Final = (
    "The run used up the fuel it was given; expected it to end before; give more or shorten its loops."
)
TOO_MANY_ROUNDS: Final = (
    f"Found {DYNAMIC:,} rounds of a while loop, expected fewer where they are counted; end it earlier."
)
DIVIDED_BY_ZERO: Final = "Found 0 as the divisor of an index; expected another number."


def index_message(n: int, i: int | None = None) -> str:
    """The sentence for an index that is out of range, with the index itself if it is known."""
    found = "an index out of range" if i is None else f"the index {i}, which is out of range"
    expected = f"one from 0 to {n - 1}" if n else "none, since there are no elements"
    return f"Found {found}; expected {expected}."
