"""Build and sum lists of Reals in a trace. A short list is a tuple of Reals, and a long list is a Vec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.functions.hooks import stop_gradient
from eglantine.trace.sums import sum_, vec

UNROLLED = 8
"""The largest number of Reals that are computed one by one. If there are more, a loop computes them."""


def each(n: int, at: Callable[[Any], Any]) -> Any:
    """Return the Reals at(0), …, at(n − 1). They are a tuple if n is at most UNROLLED, otherwise a Vec."""
    return tuple(at(k) for k in range(n)) if n <= UNROLLED else vec(n, at)


def total(n: int, at: Callable[[Any], Any]) -> Any:
    """at(0) + at(1) + … of n Reals."""
    if n > UNROLLED:
        return sum_(n, at)
    result = 0.0
    for k in range(n):
        result = result + at(k)
    return result


def without_gradient(x: Any) -> Any:
    """Return x with the derivative 0. We use it for step sizes and other Reals that control the method."""
    return stop_gradient(x)
