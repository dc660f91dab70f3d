"""The lengths of Vecs."""

from __future__ import annotations

from typing import Any, Final

from .errors import LimitError

MAX_LENGTH: Final = 1 << 31


def is_length(n: Any) -> bool:
    """True if `n` may be a length: an integer ≥ 0 of any class except bool."""
    return not isinstance(n, bool) and hasattr(type(n), "__index__") and n.__index__() >= 0


def check_length(n: int) -> None:
    """Raise an error for a length that is too large for 32-bit indices."""
    if n > MAX_LENGTH:
        raise LimitError(
            f"A length can be at most {MAX_LENGTH:,}, because indices have 32 bits, but this one is "
            f"{n:,}. Use a Vec of Vecs."
        )
