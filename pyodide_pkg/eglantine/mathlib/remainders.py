"""`%` and `//` of floats. The results have the same bits as Python's, or as NumPy's if the divisor is 0.

Let n be the largest whole number ≤ x/y. Then x − n·y is a double, and we compute it without rounding. We
split n·y into two doubles, and subtract both from x. The subtractions are exact.
"""

from __future__ import annotations

from math import inf, nan

from .ops import EXPONENT_MASK, SIGNIFICAND_BITS, Ops, Value, head

FEW = 2.0**26
"""A bound for quotients. The product of a smaller whole quotient and either half of a divisor is exact."""
FEW_BITS = 25
"""The largest difference between the exponents of x and y for which x/y is certainly less than FEW."""
LARGE = 2.0**1000
"""The least dividend that we scale down, because the product of quotient and divisor might overflow."""
LARGE_SCALE = 2.0**-100
SMALLEST_NORMAL = 2.0**-1022
SUBNORMAL_SCALE = 2.0**54


def _rest(o: Ops, x: Value, y: Value, quotient: Value) -> Value:
    """Compute x − n·y exactly. The whole number n is chosen so that the result is in [0, y).

    quotient: x/y, rounded to a double. It must be less than FEW.

    If x/y is slightly less than a whole number, `quotient` may be that whole number. Then n is 1 too large,
    and we add y to the result.
    Source: T. J. Dekker, "A floating-point technique for extending the available precision" (1971).
    """
    n = o.trunc(quotient)
    upper = head(o, y)
    high, low = n * upper, n * (y - upper)
    product = high + low
    rest = (x - product) - (low - (product - high))
    return o.select(rest < 0.0, rest + y, rest)


def remainder_large(o: Ops, x: Value, y: Value) -> Value:
    """Find x − n·y in [0, y) by long division, for a finite x ≥ 0 and a normal y > 0.

    Each round finds FEW_BITS bits of n.
    """

    def divided(rest: Value) -> Value:
        apart = ((o.bits(rest) & EXPONENT_MASK) - (o.bits(y) & EXPONENT_MASK)) >> SIGNIFICAND_BITS
        shift = o.select(apart > FEW_BITS, apart - FEW_BITS, 0)
        divisor = o.float(o.bits(y) + (shift << SIGNIFICAND_BITS))
        large = rest >= LARGE
        down, up = o.select(large, LARGE_SCALE, 1.0), o.select(large, 1.0 / LARGE_SCALE, 1.0)
        scaled = divisor * down
        return _rest(o, rest * down, scaled, rest * down / scaled) * up

    return o.repeat(lambda rest: rest >= y, divided, x)


def remainder_rare(o: Ops, x: Value, y: Value) -> Value:
    """x − n·y in [0, y) for x, y ≥ 0 of any size. It is NaN if x is infinite, y is 0, or either is NaN.

    If y is subnormal, let r be the remainder of x by 2^54·y. The result is the remainder of r by y.
    """

    def ordinary() -> Value:
        small = y < SMALLEST_NORMAL
        divisor = o.select(small, y * SUBNORMAL_SCALE, y)
        rest = o.call("remainder_large", x, divisor)

        def again() -> Value:
            return o.call("remainder_large", rest * SUBNORMAL_SCALE, divisor) / SUBNORMAL_SCALE

        return o.cond(small, again, lambda: rest)

    return o.cond((x < inf) & (y > 0.0), ordinary, lambda: nan)


def _remainder(o: Ops, x: Value, y: Value, quotient: Value) -> Value:
    """C's fmod(x, y), which has the sign of x.

    quotient: x/y, rounded to a double.
    """
    width, size, times = o.abs(x), o.abs(y), o.abs(quotient)

    def few() -> Value:
        return o.select(width < size, width, _rest(o, width, size, times))

    rest = o.cond((times < FEW) & (width < LARGE), few, lambda: o.call("remainder_rare", width, size))
    return o.copysign(rest, x)


def _differ(rest: Value, y: Value) -> Value:
    """True if the signs of a remainder and the divisor differ."""
    return ((rest < 0.0) & (y > 0.0)) | ((rest > 0.0) & (y < 0.0))


def mod(o: Ops, x: Value, y: Value) -> Value:
    """x % y with y's sign, or NaN for y = 0. It is exact, except that adding y to fmod(x, y) may round.

    Source: CPython, Objects/floatobject.c, float_rem.
    """
    rest = _remainder(o, x, y, x / y)
    return o.select(rest == 0.0, o.copysign(0.0, y), o.select(_differ(rest, y), rest + y, rest))


def floordiv(o: Ops, x: Value, y: Value) -> Value:
    """x // y, which is a whole number. For y = 0, we return x / y, which is infinite or NaN.

    Source: CPython, Objects/floatobject.c, float_floor_div; NumPy, npy_floor_divide.
    """
    quotient = x / y
    rest = _remainder(o, x, y, quotient)
    times = (x - rest) / y
    times = o.select(_differ(rest, y), times - 1.0, times)
    whole = o.floor(times)
    whole = o.select(times - whole > 0.5, whole + 1.0, whole)
    whole = o.select(times == 0.0, o.copysign(0.0, quotient), whole)
    return o.select(y == 0.0, quotient, whole)
