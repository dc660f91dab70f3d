"""Read formulas such as "sin(x y)": parse their text, evaluate them, and turn them into functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .traced import to_fn

if TYPE_CHECKING:
    from .free import free_names

__all__ = ["free_names", "to_fn"]


def __getattr__(name: str) -> object:
    if name == "free_names":  # imported when it is first used
        from .free import free_names

        return free_names
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
