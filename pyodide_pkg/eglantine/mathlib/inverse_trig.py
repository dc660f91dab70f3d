"""asin, acos, atan, atan2."""

from __future__ import annotations

from .coefficients import ASIN, ATAN, ATAN_CENTRES_HIGH, ATAN_CENTRES_LOW, PIO2_HIGH, PIO2_LOW
from .ops import Ops, Value, estrin

ATAN_BORDERS = (7 / 16, 11 / 16, 19 / 16, 39 / 16)
"""The four values of |x| at which `atan` changes its centre: from 0 to 1/2, to 1, to 3/2, and to ∞."""
ATAN_IS_PIO2 = 2.0**66
NEVER_ZERO = 2.0**-300
"""A number that we add to a divisor, which is 0 or at least 2^-27. So 0/0 cannot arise."""


def _asin_ratio(square: Value) -> Value:
    """asin(t)/t - 1 from t² ≤ 1/4."""
    return square * estrin(ASIN, square)


def _root_in_two(o: Ops, square: Value) -> tuple[Value, Value, Value]:
    """Return √square as a double, the first 21 bits of this double, and √square minus these bits."""
    root = o.sqrt(square)
    high = o.float(o.bits(root) & -(2**32))
    return root, high, (square - high * high) / (root + high + NEVER_ZERO)


def asin(o: Ops, x: Value) -> Value:
    """asin x: x + x³P(x²) for |x| < 1/2, else ±(π/2 - 2 asin √((1-|x|)/2)). At most 1 ulp (0.93 seen).

    Source: fdlibm's e_asin.c.
    """
    size = o.abs(x)

    def near_one() -> Value:
        square = (1.0 - size) * 0.5
        root, high, low = _root_in_two(o, square)
        small = 2.0 * root * _asin_ratio(square) - (PIO2_LOW - 2.0 * low)
        return o.copysign(PIO2_HIGH * 0.5 - (small - (PIO2_HIGH * 0.5 - 2.0 * high)), x)

    return o.cond(size < 0.5, lambda: x + x * _asin_ratio(x * x), near_one)


def acos(o: Ops, x: Value) -> Value:
    """acos x = π/2 - asin x for |x| < 1/2, else 2 asin √((1-x)/2), or π - 2 asin √((1+x)/2) for x < 0.

    At most 1 ulp (0.88 seen).
    Source: fdlibm's e_acos.c.
    """
    size = o.abs(x)

    def middle() -> Value:
        return PIO2_HIGH - (x - (PIO2_LOW - x * _asin_ratio(x * x)))

    def near_one() -> Value:
        square = (1.0 - size) * 0.5
        root, high, low = _root_in_two(o, square)
        rest = root * _asin_ratio(square)
        return 2.0 * o.select(x < 0.0, PIO2_HIGH - (root + (rest - PIO2_LOW)), high + (rest + low))

    return o.cond(size < 0.5, middle, near_one)


def atan(o: Ops, x: Value) -> Value:
    """atan |x| = atan c + atan t with t = (|x|-c)/(1+c|x|), where c is 0, 1/2, 1, 3/2 or ∞.

    At most 1 ulp (0.81 seen).
    t is computed as (u|x|-v)/(u+v|x|) with c = v/u for small integers u and v. This works for c = ∞ too.
    Source: fdlibm's s_atan.c.
    """
    size = o.abs(x)
    size = o.select(size > ATAN_IS_PIO2, ATAN_IS_PIO2, size)
    index = 4
    for border in reversed(range(4)):
        index = o.select(size < ATAN_BORDERS[border], border, index)
    u = o.table((1.0, 2.0, 1.0, 2.0, 0.0), index)
    v = o.table((0.0, 1.0, 1.0, 3.0, 1.0), index)
    t = (u * size - v) / (u + v * size)
    square = t * t
    small = t * square * estrin(ATAN, square) - o.table(ATAN_CENTRES_LOW, index)
    return o.copysign(o.table(ATAN_CENTRES_HIGH, index) - (small - t), x)


def atan2(o: Ops, y: Value, x: Value) -> Value:
    """The angle of (x, y): atan |y/x|, moved into the quadrant of (x, y). Special cases are as in C99.

    At most 2 ulp (1.26 seen).
    If |y/x| is so large that the angle rounds to π/2, the sign of x does not matter. If |y| = |x|, the
    quotient is set to 1, or to 0 at the origin, because 0/0 and ∞/∞ would be NaN.
    """
    height, width = o.abs(y), o.abs(x)
    ratio = o.select(height == width, o.select(height == 0.0, 0.0, 1.0), height / width)
    angle = o.call("atan", ratio)
    leftward = (o.copysign(1.0, x) < 0.0) & (ratio < ATAN_IS_PIO2)
    angle = o.select(leftward, 2.0 * PIO2_HIGH - (angle - 2.0 * PIO2_LOW), angle)
    return o.copysign(angle, y)
