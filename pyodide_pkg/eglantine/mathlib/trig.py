"""sin, cos, tan. They reduce x by multiples of π/2 to |r| ≤ π/4 and use polynomials for sin r and cos r."""

from __future__ import annotations

from .coefficients import (
    COS,
    INV_PIO2,
    PIO2_1,
    PIO2_2,
    PIO2_3,
    PIO2_HEAD,
    PIO2_HIGH,
    PIO2_REST,
    SIN,
    TWO_OVER_PI_WORDS,
)
from .ops import SIGNIFICAND_BITS, Ops, Value, estrin, head

MEDIUM_LIMIT = 2.0**12
"""The bound of |x| below which π/2 in three parts is precise enough.

If |x| is smaller, n = nearest(2x/π) has at most 12 bits, so n·PIO2_1 and n·PIO2_2 are exact. The sum of the
three parts differs from π/2 by 2^-119, so the remainder has the error n·2^-119. The smallest remainder is
about 2^-54, and the error is smaller than its last place.
"""
LOW_32 = 2**32 - 1
EXPONENT_MAX = 2047
WINDOW_START = 1075 - 62
"""A number that we subtract from the biased exponent of x.

The difference is the position of the first bit of TWO_OVER_PI_WORDS that `remainder_huge` uses.
"""


def reduce_angle(o: Ops, x: Value) -> tuple[Value, Value, Value]:
    """Find n, high, low with x = n·π/2 + high + low and |high| ≤ π/4. For huge x, we return n modulo 4."""
    n, high, low = o.cond(
        o.abs(x) < MEDIUM_LIMIT, lambda: _remainder_medium(o, x), lambda: o.call("remainder_huge", x)
    )
    return n, high, low


def _remainder_medium(o: Ops, x: Value) -> tuple[Value, Value, Value]:
    """Cody–Waite reduction with π/2 in three parts of 33, 33 and 53 bits."""
    n = o.nearest(x * INV_PIO2) + 0.0  # -0.0 + 0.0 is 0.0, so n is never -0
    first = x - n * PIO2_1
    second = n * PIO2_2
    middle = first - second
    third = n * PIO2_3 - ((first - middle) - second)
    high = middle - third
    return n, high, (middle - high) - third


def remainder_huge(o: Ops, x: Value) -> tuple[Value, Value, Value]:
    """Compute the results of `reduce_angle` for |x| ≥ 2^12. For ±∞, all three results are NaN.

    This is Payne–Hanek reduction in integers. Let x = m·2^e with a 53-bit m. We need 2x/π modulo 4. Bits of
    2/π above the weight 2^(1-e) only add multiples of 4, so we leave them out. We multiply m by the next 192
    bits of 2/π, and keep 128 bits of the product. Higher bits are multiples of 4, and wrapping arithmetic
    drops them. The first 2 of the 128 bits are the quadrant, and the other 126 are the fraction. No double is
    closer than 2^-62 to a multiple of π/2, so the fraction has at least 64 significant bits.

    Source: M. Payne, R. Hanek, "Radian reduction for trigonometric functions", SIGNUM 18 (1983).
    """
    bits = o.bits(o.abs(x))
    start = ((bits >> SIGNIFICAND_BITS) & EXPONENT_MAX) - WINDOW_START
    significand = (bits & (2**SIGNIFICAND_BITS - 1)) | 2**SIGNIFICAND_BITS
    word = start >> 6
    shift = start & 63
    words = [o.table(TWO_OVER_PI_WORDS, word + i) for i in range(4)]
    window = [(words[i] << shift) | o.shr_u(o.shr_u(words[i + 1], 1), 63 - shift) for i in range(3)]
    carried, middle_low = _multiply_wide(o, significand, window[1])
    added, _ = _multiply_wide(o, significand, window[2])
    middle = middle_low + added
    carry = o.shr_u((middle_low & added) | ((middle_low | added) & (middle ^ -1)), 63)
    top = significand * window[0] + carried + carry
    quadrant = o.shr_u(top + 2**61, 62)
    fraction = top - (quadrant << 62)
    return _angle_of_fraction(o, x, quadrant, fraction, middle)


def _multiply_wide(o: Ops, m: Value, w: Value) -> tuple[Value, Value]:
    """The upper and lower 64 bits of m·w, for 0 ≤ m < 2^53 and an unsigned w."""
    m_low, m_high = m & LOW_32, m >> 32
    w_low, w_high = w & LOW_32, o.shr_u(w, 32)
    cross = m_high * w_low + o.shr_u(m_low * w_low, 32)
    other = m_low * w_high + (cross & LOW_32)
    return m_high * w_high + (cross >> 32) + o.shr_u(other, 32), m * w


def _angle_of_fraction(
    o: Ops, x: Value, quadrant: Value, fraction: Value, rest: Value
) -> tuple[Value, Value, Value]:
    """Return the quadrant, and the angle (fraction·2^-62 + rest·2^-126)·π/2 as two doubles.

    All three results have the sign of x.
    """
    leading = o.to_real(fraction >> 32) * 2.0**-30
    second = o.to_real(fraction & LOW_32) * 2.0**-62
    small = o.to_real(o.shr_u(rest, 32)) * 2.0**-94 + o.to_real(rest & LOW_32) * 2.0**-126
    turn = leading + second
    turn_rest = ((leading - turn) + second) + small
    turn_head = head(o, turn)
    product = turn_head * PIO2_HEAD
    product_rest = turn_head * PIO2_REST + ((turn - turn_head) + turn_rest) * PIO2_HIGH
    sign = o.copysign(1.0, x) + (x - x)
    high = product + product_rest
    return o.to_real(quadrant) * sign, high * sign, (product_rest - (high - product)) * sign


def _sin_kernel(high: Value, low: Value, square: Value) -> Value:
    """sin(high + low). Source: fdlibm's k_sin.c."""
    cube = square * high
    tail = estrin(SIN[1:], square)
    return high - ((square * (0.5 * low - cube * tail) - low) - cube * SIN[0])


def _cos_kernel(high: Value, low: Value, square: Value) -> Value:
    """cos(high + low). Source: FreeBSD's k_cos.c."""
    half_square = 0.5 * square
    tail = square * square * estrin(COS, square)
    total = 1.0 - half_square
    return total + (((1.0 - total) - half_square) + (tail - high * low))


def sin_quadrant(o: Ops, x: Value, quarter_turns: Value) -> Value:
    """Compute sin(x + quarter_turns·π/2). `sin` and `cos` call it. quarter_turns is a whole f64."""
    n, high, low = reduce_angle(o, x)
    quadrant = o.to_int(n + quarter_turns)
    square = high * high
    odd = (quadrant & 1) == 1
    value = o.select(odd, _cos_kernel(high, low, square), _sin_kernel(high, low, square))
    return o.select((quadrant & 2) == 2, -value, value)


def sin(o: Ops, x: Value) -> Value:
    """sin x for every finite x. At most 1 ulp (0.75 seen)."""
    return o.call("sin_quadrant", x, 0.0)


def cos(o: Ops, x: Value) -> Value:
    """cos x for every finite x. At most 1 ulp (0.72 seen)."""
    return o.call("sin_quadrant", x, 1.0)


def tan(o: Ops, x: Value) -> Value:
    """tan x = sin r / cos r, or -cos r / sin r in odd quadrants. sin r and cos r are sums of two doubles.

    At most 1 ulp (0.94 seen).
    """
    n, r, r_rest = reduce_angle(o, x)
    square = r * r
    r_head = head(o, r)
    square_rest = (r - r_head) * (r + r_head) - (square - r_head * r_head)

    sin_tail = square * r * estrin(SIN, square) + r_rest * (1.0 - 0.5 * square)
    sin_high = r - (0.0 - sin_tail)
    sin_low = sin_tail - (sin_high - r)

    half_square = 0.5 * square
    total = 1.0 - half_square
    cos_tail = square * square * estrin(COS, square) - (r * r_rest + 0.5 * square_rest)
    cos_tail = ((1.0 - total) - half_square) + cos_tail
    cos_high = total + cos_tail
    cos_low = cos_tail - (cos_high - total)

    odd = (o.to_int(n) & 1) == 1
    above, above_low = o.select(odd, cos_high, sin_high), o.select(odd, cos_low, sin_low)
    below, below_low = o.select(odd, sin_high, cos_high), o.select(odd, sin_low, cos_low)
    reciprocal = 1.0 / below
    quotient = above * reciprocal
    quotient_head, below_head = head(o, quotient), head(o, below)
    excess = (quotient_head * below_head - above) + quotient_head * (below - below_head)
    excess = (excess + (quotient - quotient_head) * below) + (quotient * below_low - above_low)
    value = quotient - excess * reciprocal
    return o.select(odd, -value, value)
