"""Small Vecs for figures, made from a list of numbers. Some of the numbers may depend on controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import eglantine as eg


def chosen(values: Sequence[Any], k: Any) -> Any:
    """The element k of a list, for a k that is known only at run time. If k is too large: the last element."""
    total: Any = values[-1]
    for i, value in enumerate(values[:-1]):
        total = eg.select(k == float(i), value, total)
    return total * 1.0


def vector(values: Sequence[Any]) -> Any:
    """A Vec of these numbers. Each may be a constant, or depend on the figure's controls."""
    return eg.vec(len(values), lambda i: chosen(values, eg.real(i)))


def points(of: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """A path through a few points."""
    return vector([x for x, _ in of]), vector([y for _, y in of])
