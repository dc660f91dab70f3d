"""Write numbers as text. `numbers.js` writes the same text in JavaScript."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

DIGITS: Final = 4
"""The largest number of significant digits that a picture shows of a number."""
FAR: Final = 9999.0
"""The largest coordinate in pixels that we write. No picture reaches so far, so larger ones become FAR."""
_ROUNDING: Final = Context(prec=DIGITS, rounding=ROUND_HALF_UP)


def number(value: float) -> str:
    """Write a number with at most four digits. Ties are rounded away from zero.

    The minus sign is −, not -.
    """
    if value != value:
        return "undefined"
    sign = "\u2212" if value < 0 else ""
    size = abs(value)
    if size == math.inf:
        return f"{sign}∞"
    if size == 0:
        return "0"
    rounded = _ROUNDING.create_decimal(Decimal(size))
    if Decimal("1e-4") <= rounded < Decimal("1e6"):
        return sign + plain(float(rounded))
    exponent = rounded.adjusted()
    power = f"\u2212{-exponent}" if exponent < 0 else str(exponent)
    return f"{sign}{plain(float(rounded.scaleb(-exponent)))}·10^{power}"


def plain(value: float) -> str:
    """Write a number of moderate size in the shortest way, as JavaScript does."""
    return repr(value).removesuffix(".0")


def pixel(value: float) -> str:
    """Write a coordinate, rounded to a tenth of a pixel."""
    near = min(max(value, -FAR), FAR)
    return plain(math.floor(near * 10 + 0.5) / 10)


def exponent_of(value: float) -> int:
    """Return the exponent of a positive number in scientific notation."""
    return int(f"{value:.16e}".partition("e")[2])
