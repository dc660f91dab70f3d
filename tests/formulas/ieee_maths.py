"""The functions of `eg.math` for floats. They return NaN or infinity where Python's `math` raises errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _total(function: Callable[..., float]) -> Callable[..., float]:
    def total(*arguments: float) -> float:
        try:
            return float(function(*arguments))
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf if not any(math.isnan(a) or math.isinf(a) for a in arguments) else math.nan

    return total


class IeeeMaths:
    """The functions of Python's `math`, except that they return NaN or infinity instead of raising errors."""

    def __getattr__(self, name: str) -> Callable[..., float]:
        return _total(_OWN[name] if name in _OWN else getattr(math, name))


_OWN: dict[str, Callable[..., float]] = {
    "minimum": min,
    "maximum": max,
    "clip": lambda x, low, high: min(max(x, low), high),
    "where": lambda condition, x, y: x if condition else y,
    "sign": lambda x: (x > 0) - (x < 0),
    "round": round,
    "polygamma": lambda n, x: x if n >= 0 else math.nan,
}
