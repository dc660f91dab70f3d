"""Small Vecs in figures: numbers that are known beforehand, and values chosen by a traced index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import eglantine as eg


def chosen(values: Sequence[Any], k: Any) -> Any:
    """The value at a traced index k, counted from 0. If k is too large, the last value."""
    total: Any = values[-1]
    for i, value in enumerate(values[:-1]):
        total = eg.select(k == float(i), value, total)
    return total * 1.0


def vector(values: Sequence[Any]) -> Any:
    """A Vec of numbers. Each number is traced, or known when the figure is made."""
    return eg.vec(len(values), lambda i: chosen(values, eg.real(i)))


def points(of: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """A path through a few points."""
    return vector([x for x, _ in of]), vector([y for _, y in of])
