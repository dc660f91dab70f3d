"""Numbers that are known while a function is traced. For example, the indices in an index array are known."""

from __future__ import annotations

from typing import Any

from .shapes import shape_of
from .traced import Traced
from .vectors import VecValue


def known(value: Any) -> Any:
    """Convert a plain or traced value to plain numbers, in nested lists if it is an array.

    Return None if a number is not known while tracing.
    """
    if isinstance(value, Traced):
        return value.scope.value(value.row) if value.row < 0 else None
    if isinstance(value, VecValue | list | tuple):
        parts = []
        for part in value:
            parts.append(known(part))
            if parts[-1] is None:
                return None
        return parts
    if shape_of(value):
        return value.tolist()
    return value.item() if hasattr(value, "item") else value


def whole(value: Any) -> Any:
    """Do the same as `known`, and convert floats to integers. Return None if a float is not whole."""
    return _integers(known(value))


def _integers(value: Any) -> Any:
    if isinstance(value, list):
        parts = [_integers(part) for part in value]
        return None if any(part is None for part in parts) else parts
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value
