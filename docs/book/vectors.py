"""Make Vecs for figures from lists of numbers. The numbers may depend on the figure's controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import eglantine as eg


def chosen(values: Sequence[Any], k: Any) -> Any:
    """Return element k of a list. k is known only at run time. If k is too large, return the last element."""
    total: Any = values[-1]
    for i, value in enumerate(values[:-1]):
        total = eg.select(k == float(i), value, total)
    return total * 1.0


def vector(values: Sequence[Any]) -> Any:
    """Make a Vec of a list of numbers. The numbers may depend on the figure's controls."""
    return eg.vec(len(values), lambda i: chosen(values, eg.real(i)))


def points(of: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """A path through a few points."""
    return vector([x for x, _ in of]), vector([y for _, y in of])
