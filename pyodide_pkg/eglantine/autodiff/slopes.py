"""Multiply a cotangent by a slope. If both divide by a square root, use one division instead of two."""

from __future__ import annotations

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import ZERO


def times_slope(b: Builder, c: int, slope: int) -> int:
    """Return c · slope. For (a/√x) · (b/√y), compute (a·b)/(√x·√y), which needs only one division.

    The product of the two square roots never overflows. It underflows only if x and y are both subnormal.
    """
    root = _root_below(b, slope)
    return (root and over_root(b, c, b.rows[slope][1], root)) or b.mul(c, slope)


def over_root(b: Builder, c: int, above: int, root: int) -> int:
    """Return c · (above / root), with one division instead of two.

    Return ZERO unless c, or a factor of c, is a constant divided by a square root.
    """
    row = b.rows[max(c, ZERO)]
    factors = row[1:] if row[0] == "mul" else (c,)
    for k, factor in enumerate(factors):
        other = _root_below(b, factor)
        if other:
            quotient = b.div(b.mul(b.rows[factor][1], above), b.mul(other, root))
            return b.mul(factors[1 - k], quotient) if len(factors) == 2 else quotient
    return ZERO


def _root_below(b: Builder, row: int) -> int:
    """If a row divides a constant by a square root, return the row of the root. Otherwise return ZERO."""
    if row <= 0 or b.rows[row][0] != "div" or b.rows[row][1] >= 0 or b.rows[row][2] <= 0:
        return ZERO
    below: int = b.rows[row][2]
    return below if b.rows[below][0] == "sqrt" else ZERO
