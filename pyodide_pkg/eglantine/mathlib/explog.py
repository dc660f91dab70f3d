"""exp, exp2, expm1, log, log2, log10, log1p, pow.

All of them use two kernels: `exp_reduced` computes e^r for |r| ≤ (log 2)/2, and `split_mantissa` writes a
positive number as a number in [√½, √2) times a power of two.
"""

from __future__ import annotations

from math import inf, nan

from .coefficients import (
    EXP,
    INV_LN2,
    INV_LN2_HEAD,
    INV_LN2_REST,
    INV_LN10_HEAD,
    INV_LN10_REST,
    LN2_HEAD,
    LN2_HIGH,
    LN2_LOW,
    LN2_REST,
    LOG,
    LOG10_2_HIGH,
    LOG10_2_LOW,
    LOG_CENTRES_HIGH,
    LOG_CENTRES_LOW,
    LOG_TAIL,
)
from .ops import (
    EXPONENT_MASK,
    SIGNIFICAND_BITS,
    Ops,
    Value,
    estrin,
    head,
    power_of_two,
    scale,
    small_int,
    small_real,
)

EXP_SATURATES = 750.0
"""A bound for the argument of exp. As a double, e^x is 0 below -EXP_SATURATES, and ∞ above EXP_SATURATES."""
EXP2_SATURATES = 1100.0
EXPM1_IS_MINUS_ONE = -40.0
SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
SMALLEST_NORMAL = 2.0**-1022
SUBNORMAL_SCALE = 2.0**54
SUBNORMAL_EXPONENT = 54
EXPONENT_SHIFT = 1024
"""A number that we add to an exponent. The sum is not negative, so an unsigned shift extracts it."""
LOG_CENTRE_SPACING = 16.0
LOG_CENTRE_FIRST = 11
POW_EXPONENT_SATURATES = 2.0**66
"""A bound for |y| in x^y. If |y| is larger, y is an even integer, and x^y is 0, 1 or ∞."""


def exp_tail(r: Value) -> Value:
    """e^r - 1 - r for |r| ≤ (log 2)/2."""
    square = r * r
    return square * 0.5 + square * r * estrin(EXP, r)


def exp_reduced(high: Value, low: Value) -> Value:
    """Compute e^(high + low) for |high| ≤ (log 2)/2. |low| must be less than the last bit of high.

    We compute the sum 1 + high and its rounding error. The smaller terms are added to this error first.
    """
    total = 1.0 + high
    rest = high - (total - 1.0)
    return total + (rest + (low + exp_tail(high)))


def clamp(o: Ops, x: Value, limit: float) -> Value:
    """x clamped to [-limit, limit]. NaN stays NaN."""
    return o.select(o.abs(x) > limit, o.copysign(limit, x), x)


def reduce_by_ln2(o: Ops, x: Value) -> tuple[Value, Value, Value]:
    """Return k, high and low as f64, so that x = k·log 2 + high + low and |high| ≤ (log 2)/2."""
    k = o.nearest(x * INV_LN2)
    first = x - k * LN2_HIGH
    second = k * LN2_LOW
    high = first - second
    return k, high, (first - high) - second


def exp(o: Ops, x: Value) -> Value:
    """e^x: Cody–Waite reduction by log 2, then a polynomial of degree 11. It needs no table or division.

    At most 1 ulp (0.74 seen).
    """
    k, high, low = reduce_by_ln2(o, clamp(o, x, EXP_SATURATES))
    return scale(o, exp_reduced(high, low), small_int(o, k))


def exp2(o: Ops, x: Value) -> Value:
    """2^x = 2^k e^(r log 2) for k = nearest(x) and r = x - k, with r log 2 in two doubles.

    At most 1 ulp (0.74 seen).
    """
    x = clamp(o, x, EXP2_SATURATES)
    k = o.nearest(x)
    r = x - k
    r_head = head(o, r)
    product = r_head * LN2_HEAD
    rest = (r - r_head) * LN2_HEAD + r * LN2_REST
    high = product + rest
    return scale(o, exp_reduced(high, rest - (high - product)), small_int(o, k))


def expm1(o: Ops, x: Value) -> Value:
    """e^x - 1 = 2^k ((1 - 2^-k) + high + (low + tail)) for x = k log 2 + high + low.

    Here tail is e^high - 1 - high. We add the rounding errors of the large terms to the small terms.
    At most 1 ulp (0.90 seen).
    """
    reduced = o.select(
        x < EXPM1_IS_MINUS_ONE, EXPM1_IS_MINUS_ONE, o.select(x > EXP_SATURATES, EXP_SATURATES, x)
    )
    k_real, high, low = reduce_by_ln2(o, reduced)
    k = small_int(o, k_real)
    inverse = o.select(k_real > 60.0, 0.0, power_of_two(o, -k))
    base = 1.0 - inverse
    base_rest = (1.0 - base) - inverse
    total = base + high
    rest = high - (total - base)
    value = total + (rest + (base_rest + (low + exp_tail(high))))
    return o.copysign(scale(o, value, k), x)


def split_mantissa(o: Ops, x: Value) -> tuple[Value, Value]:
    """Split x with 0 < x < ∞ into 2^k z. Return k as f64, and z in [√½, √2). x may be subnormal."""
    subnormal = x < SMALLEST_NORMAL
    bits = o.bits(o.select(subnormal, x * SUBNORMAL_SCALE, x))
    above = (bits - SQRT_HALF_BITS) & EXPONENT_MASK
    shifted = o.shr_u(above + (EXPONENT_SHIFT << SIGNIFICAND_BITS), SIGNIFICAND_BITS)
    k = small_real(o, shifted - o.select(subnormal, EXPONENT_SHIFT + SUBNORMAL_EXPONENT, EXPONENT_SHIFT))
    return k, o.float(bits - above)


def log_quotient_tail(s: Value) -> Value:
    """log((1+s)/(1-s))/s - 2 for |s| ≤ 3 - 2√2."""
    square = s * s
    return square * estrin(LOG, square)


def _outside_log(o: Ops, x: Value) -> Value:
    """log x, in any base, for the special cases: x is 0, negative, infinite or NaN."""
    return o.select(x == 0.0, -inf, o.sqrt(x))


def log(o: Ops, x: Value) -> Value:
    """The natural logarithm, by a polynomial R in s², where x = 2^k (1+f) and s = f/(2+f).

    At most 1 ulp (0.79 seen).
    log x = k log 2 + (f - (f²/2 - s(f²/2 + R(s²)))).
    Source: fdlibm's e_log.c.
    """

    def ordinary() -> Value:
        k, z = split_mantissa(o, x)
        f = z - 1.0
        s = f / (2.0 + f)
        half_square = 0.5 * f * f
        correction = s * (half_square + log_quotient_tail(s)) + k * LN2_LOW
        return k * LN2_HIGH - ((half_square - correction) - f)

    return o.cond((x > 0.0) & (x < inf), ordinary, lambda: _outside_log(o, x))


def _log1p_in_two(o: Ops, f: Value) -> tuple[Value, Value]:
    """log(1+f) for f in [√½ - 1, √2 - 1] as two doubles: a head of 21 bits and the rest.

    Source: FreeBSD's k_log.h and e_log2.c.
    """
    s = f / (2.0 + f)
    half_square = 0.5 * f * f
    high = o.float(o.bits(f - half_square) & -(2**32))
    low = ((f - high) - half_square) + s * (half_square + log_quotient_tail(s))
    return high, low


def log2(o: Ops, x: Value) -> Value:
    """log2 x = k + log(1+f)/log 2 for x = 2^k (1+f). The quotient is computed in two doubles.

    At most 1 ulp (0.76 seen). Source: FreeBSD's e_log2.c.
    """

    def ordinary() -> Value:
        k, z = split_mantissa(o, x)
        high, low = _log1p_in_two(o, z - 1.0)
        product = high * INV_LN2_HEAD
        rest = (low + high) * INV_LN2_REST + low * INV_LN2_HEAD
        total = k + product
        return total + (rest + ((k - total) + product))

    return o.cond((x > 0.0) & (x < inf), ordinary, lambda: _outside_log(o, x))


def log10(o: Ops, x: Value) -> Value:
    """log10 x = k log10 2 + log(1+f)/log 10 for x = 2^k (1+f). The large terms are in two doubles.

    At most 1 ulp (0.65 seen). Source: FreeBSD's e_log10.c.
    """

    def ordinary() -> Value:
        k, z = split_mantissa(o, x)
        high, low = _log1p_in_two(o, z - 1.0)
        product = high * INV_LN10_HEAD
        rest = (low + high) * INV_LN10_REST + low * INV_LN10_HEAD + k * LOG10_2_LOW
        base = k * LOG10_2_HIGH
        total = base + product
        return total + (rest + ((base - total) + product))

    return o.cond((x > 0.0) & (x < inf), ordinary, lambda: _outside_log(o, x))


def log1p(o: Ops, x: Value) -> Value:
    """log(1+x) = log u + c/u, where u is 1 + x rounded, and c = (1 + x) - u is the rounding error.

    At most 1 ulp (0.79 seen).
    log u = k log 2 + log(1+f). If k = 0, f is x itself, so no correction is needed.
    Source: fdlibm's s_log1p.c.
    """

    def ordinary() -> Value:
        u = 1.0 + x
        k, z = split_mantissa(o, u)
        unscaled = k == 0.0
        f = o.select(unscaled, x, z - 1.0)
        lost = o.select(x > 1.0, 1.0 - (u - x), x - (u - 1.0))
        correction = o.select(unscaled, 0.0, lost / u) + k * LN2_LOW
        s = f / (2.0 + f)
        half_square = 0.5 * f * f
        small = s * (half_square + log_quotient_tail(s)) + correction
        return o.copysign(k * LN2_HIGH - ((half_square - small) - f), x)

    return o.cond((x > -1.0) & (x < inf), ordinary, lambda: _outside_log(o, 1.0 + x))


def log_in_two(o: Ops, x: Value) -> tuple[Value, Value]:
    """log x for 0 < x < ∞ as a head of 26 bits and a rest. The relative error of their sum is about 2^-65.

    Let x = 2^k z, let c be the multiple of 1/16 nearest to z, and let r = 2(z-c)/(z+c), so that |r| < 0.043.
    Then log x = k log 2 + log c + r + r³ T(r²). We store r, log c and log 2 as sums of two doubles each. This
    is exact enough for r, because z - c and the products of heads do not round.
    """
    k, z = split_mantissa(o, x)
    sixteenths = o.nearest(z * LOG_CENTRE_SPACING)
    c = sixteenths * (1.0 / LOG_CENTRE_SPACING)
    index = small_int(o, sixteenths) - LOG_CENTRE_FIRST
    f = z - c
    reciprocal = 2.0 / (z + c)
    r = f * reciprocal
    r_head = head(o, r)
    z_head = head(o, z)
    half = 0.5 * r_head
    r_rest = ((f - half * (z_head + c)) - half * (z - z_head)) * reciprocal
    square = r * r
    tail = square * r * estrin(LOG_TAIL, square)
    base = k * LN2_HIGH + o.table(LOG_CENTRES_HIGH, index)
    total = base + r_head
    rest = ((base - total) + r_head) + (r_rest + (tail + (k * LN2_LOW + o.table(LOG_CENTRES_LOW, index))))
    high = head(o, total + rest)
    return high, rest - (high - total)


def pow(o: Ops, x: Value, y: Value) -> Value:
    """x^y = e^(y log x). log x and y log x are sums of two doubles. Special cases are as in C99.

    At most 1 ulp (0.75 seen). A branch that rarely runs computes the special cases. Selects would be slower:
    engines compile a select of Reals as a jump. If the jump depends on the sign of y, the processor often
    mispredicts it.
    """
    size = o.abs(x)
    y_finite = clamp(o, y, POW_EXPONENT_SATURATES)
    log_head, log_rest = log_in_two(o, size)
    y_head = head(o, y_finite)
    product = y_head * log_head
    product_rest = (y_finite - y_head) * log_head + y_finite * log_rest
    exponent = product + product_rest

    def power() -> Value:
        k = o.nearest(exponent * INV_LN2)
        first = product - k * LN2_HIGH
        second = product_rest - k * LN2_LOW
        high = first + second
        return scale(o, exp_reduced(high, second - (high - first)), small_int(o, k))

    value = o.cond(o.abs(exponent) <= EXP_SATURATES, power, lambda: o.select(exponent > 0.0, inf, 0.0))
    ordinary = (x > 0.0) & (x < inf) & (y == y)
    return o.cond(ordinary, lambda: value, lambda: _pow_special(o, x, size, y_finite, value))


def _pow_special(o: Ops, x: Value, size: Value, y: Value, value: Value) -> Value:
    """Compute x^y in the special cases. `value` is |x|^y if 0 < |x| < ∞.

    In the special cases, x is zero, infinite or negative, or x or y is NaN. x^0 and 1^y are always 1.
    """
    unbounded = (size == 0.0) | (size == inf)
    value = o.select(unbounded, o.select(y < 0.0, 1.0 / size, size), value)
    whole = o.trunc(y) == y
    half = y * 0.5
    odd = whole & (o.trunc(half) != half)
    value = o.select(odd, o.copysign(value, x), value)
    undefined = (x != x) | (y != y) | ((x < 0.0) & ~(whole | unbounded))
    return o.select((y == 0.0) | (x == 1.0), 1.0, o.select(undefined, nan, value))
