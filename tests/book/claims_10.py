"""The numbers that chapter 10 of the book must show: derivatives by hand, and an exported module's size."""

from __future__ import annotations

import math

import eglantine as eg


@eg.fn
def slope(x: eg.Real) -> eg.Real:
    """Compute the derivative of the chapter's polynomial. The operations are in the chapter's order."""

    def f(at: eg.Real) -> eg.Real:
        value = 1.0
        for k in range(12):
            value = value * at + 1.0 / (k + 2)
        return value

    return eg.grad(f)(x)


CLAIMS = {
    "tape": {"value": math.log(2) + 10 - math.sin(5), "across": 5.5, "up": 2 - math.cos(5)},
    "growth": {"rows": 5, "bytes": len(eg.exported(slope, name="slope")["slope.wasm"])},
}
NUMBERS = {"slope": 5.5}
