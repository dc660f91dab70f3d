"""cbrt and hypot."""

from __future__ import annotations

from math import inf

from .coefficients import CBRT
from .ops import Ops, Value, estrin

THIRD = 0xAAAAAAAB
"""2^33 / 3: (h·THIRD) >> 33 = h // 3 for 0 ≤ h < 2^32."""
CBRT_BIAS = 715094163
"""(1023 - 1023/3 - 0.03306)·2^20. We add this number to a third of the upper 32 bits of x.

The sum is the upper 32 bits of a guess. The guess differs from the cube root of x by at most 5 %.
"""
CBRT_SUBNORMAL_BIAS = CBRT_BIAS - 18 * 2**20
"""The number that replaces CBRT_BIAS if x is subnormal. Then the upper bits are those of x·2^54."""
SMALLEST_NORMAL = 2.0**-1022
SUBNORMAL_SCALE = 2.0**54
HYPOT_LARGE = 2.0**500
HYPOT_SMALL = 2.0**-500
HYPOT_SCALE = 2.0**600


def cbrt(o: Ops, x: Value) -> Value:
    """The real cube root: a guess from the exponent, improved by a polynomial and then by a Newton step.

    At most 1 ulp (0.67 seen).
    The polynomial is good to 23 bits. Its result t is rounded to 23 bits, so that t² is exact.
    Source: FreeBSD's s_cbrt.c.
    """
    size = o.abs(x)

    def ordinary() -> Value:
        subnormal = size < SMALLEST_NORMAL
        upper = o.bits(o.select(subnormal, size * SUBNORMAL_SCALE, size)) >> 32
        third = ((upper * THIRD) >> 33) + o.select(subnormal, CBRT_SUBNORMAL_BIAS, CBRT_BIAS)
        guess = o.float(third << 32)
        better = guess * estrin(CBRT, guess * guess * (guess / size))
        t = o.float((o.bits(better) + 2**31) & -(2**30))
        quotient = size / (t * t)
        return o.copysign(t + t * ((quotient - t) / (t + t + quotient)), x)

    return o.cond((size > 0.0) & (size < inf), ordinary, lambda: x)


def hypot(o: Ops, x: Value, y: Value) -> Value:
    """√(x²+y²). We scale x and y by 2^±600 if a square could overflow or underflow.

    If x or y is infinite, the result is ∞, even if the other is NaN (as in C99).
    At most 2 ulp (1.14 seen).
    """
    width, height = o.abs(x), o.abs(y)
    larger = o.select(width > height, width, height)
    big, small = larger > HYPOT_LARGE, larger < HYPOT_SMALL
    down = o.select(big, 1.0 / HYPOT_SCALE, o.select(small, HYPOT_SCALE, 1.0))
    up = o.select(big, HYPOT_SCALE, o.select(small, 1.0 / HYPOT_SCALE, 1.0))
    width_scaled, height_scaled = width * down, height * down
    length = o.sqrt(width_scaled * width_scaled + height_scaled * height_scaled) * up
    return o.select((width == inf) | (height == inf), inf, length)
