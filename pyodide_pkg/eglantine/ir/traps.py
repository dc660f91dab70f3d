"""The messages of traps, which the interpreter and emitted code share."""

from __future__ import annotations

from typing import Final

from .row_types import DYNAMIC

OUT_OF_FUEL: Final = "The run used up its fuel before it ended. Give it more fuel, or shorten its loops."
TOO_MANY_ROUNDS: Final = (
    f"A while loop can run at most {DYNAMIC:,} rounds where they are counted, but it ran more. "
    "End it earlier."
)
DIVIDED_BY_ZERO: Final = "The divisor of an index must not be 0, but it is 0. Use another number."


def index_message(n: int, i: int | None = None) -> str:
    """Return the error message for an index that is out of range in an array of n elements.

    i: the index, or None if it is not known.
    """
    found = "An index" if i is None else f"The index {i}"
    choice = "Choose 0" if n == 1 else f"Choose one from 0 to {n - 1}"
    return f"{found} is out of range. {choice if n else 'There are no elements to choose from'}."
