"""Choose the range of the values, so that the axes do not change while a control moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final

SAMPLES: Final = 60
GRID: Final = 16
MARGIN: Final = 0.06
TAIL: Final = 0.04
"""The largest fraction of the values that may lie below the chosen range, and also above it.

We leave them out only if they are far from the other values (see FAR)."""
FAR: Final = 4.0
"""A value is far from the other values if its distance from them is more than FAR times their range."""


def places(axes: Sequence[tuple[str, float, float]]) -> list[tuple[float, ...]]:
    """List the points where we evaluate the functions to find their range."""
    if len(axes) == 1:
        _, low, high = axes[0]
        return [(low + (high - low) * i / SAMPLES,) for i in range(SAMPLES + 1)]
    (_, left, right), (_, low, high) = axes
    return [
        (left + (right - left) * i / GRID, low + (high - low) * j / GRID)
        for j in range(GRID + 1)
        for i in range(GRID + 1)
    ]


def value_range(values: Iterable[float], *, tight: bool) -> tuple[float, float]:
    """Choose a range for the values. It leaves out extreme values, such as those near poles."""
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite:
        return -1.0, 1.0
    low, high = finite[0], finite[-1]
    tail = int(len(finite) * TAIL)
    inner_low, inner_high = finite[tail], finite[-1 - tail]
    inner = inner_high - inner_low
    if inner > 0:
        low = low if inner_low - low <= FAR * inner else inner_low - inner
        high = high if high - inner_high <= FAR * inner else inner_high + inner
    if low == high:
        size = max(abs(low), 1.0)
        return low - size, high + size
    margin = 0.0 if tight else MARGIN * (high - low)
    return low - margin, high + margin


def gathered(
    at: Callable[..., Sequence[float]], spots: Sequence[tuple[float, ...]], firsts: Sequence[int]
) -> list[float]:
    """Compute the values of all functions at the points `spots`."""
    return [row[k] for row in (at(*spot) for spot in spots) for k in firsts]
