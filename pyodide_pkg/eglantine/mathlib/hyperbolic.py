"""sinh, cosh, tanh and their inverses."""

from __future__ import annotations

from math import nan

from .coefficients import LN2, SINH
from .explog import EXP_SATURATES, clamp, exp_reduced, reduce_by_ln2
from .ops import Ops, Value, estrin, head, scale, small_int

LOG_OF_TWICE = 2.0**28
"""The bound above which asinh x and acosh x are equal to log 2x, to the last bit."""
TANH_SPLIT = 0.55
"""The |x| at which `tanh` changes its formula. It is about (log 3)/2, where tanh x is 1/2."""
TANH_ABOVE = (11486475.0, 810810.0, 12870.0, 44.0)
TANH_BELOW = (34459425.0, 16216200.0, 945945.0, 13860.0, 45.0)
"""The coefficients of two polynomials, the constants first: `above` is TANH_ABOVE, and `below` is TANH_BELOW.

1 - tanh(x)/x = x²·above(x²)/below(x²), from Lambert's continued fraction x/(1 + x²/(3 + x²/(5 + … 17))).
The relative error of the continued fraction is 2^-70 for |x| ≤ TANH_SPLIT.
"""


def half_exp(o: Ops, x: Value) -> Value:
    """e^x / 2, even if e^x itself overflows. `exp` multiplies by 2^k, and here we multiply by 2^(k-1).

    At most 1 ulp (0.74 seen).
    """
    k, high, low = reduce_by_ln2(o, clamp(o, x, EXP_SATURATES))
    return scale(o, exp_reduced(high, low), small_int(o, k) - 1)


def sinh(o: Ops, x: Value) -> Value:
    """Sinh x: an odd polynomial if |x| < 1, else e^|x|/2 - e^-|x|/2 with x's sign.

    At most 2 ulp (1.52 seen).
    """
    size = o.abs(x)

    def large() -> Value:
        half = o.call("half_exp", size)
        return o.copysign(half - 0.25 / half, x)

    square = x * x
    return o.cond(size < 1.0, lambda: x + x * (square * estrin(SINH, square)), large)


def cosh(o: Ops, x: Value) -> Value:
    """Cosh x = e^|x|/2 + e^-|x|/2. At most 2 ulp (1.02 seen)."""
    half = o.call("half_exp", o.abs(x))
    return half + 0.25 / half


def tanh(o: Ops, x: Value) -> Value:
    """Tanh x = x - x³·R(x²) with a quotient R of polynomials, or ±(1 - 2/(e^2|x| + 1)) if |tanh x| > 1/2.

    At most 2 ulp (1.49 seen).
    """
    size = o.abs(x)

    def small() -> Value:
        square = size * size
        return size - size * (square * estrin(TANH_ABOVE, square) / estrin(TANH_BELOW, square))

    def large() -> Value:
        return 1.0 - 2.0 / (o.call("expm1", 2.0 * size) + 2.0)

    return o.copysign(o.cond(size > TANH_SPLIT, large, small), x)


def asinh(o: Ops, x: Value) -> Value:
    """Asinh x = log1p(|x| + x²/(√(x²+1) + 1)) with x's sign. At most 2 ulp (1.39 seen)."""
    size = o.abs(x)

    def ordinary() -> Value:
        square = size * size
        return o.call("log1p", size + square / (o.sqrt(square + 1.0) + 1.0))

    value = o.cond(size < LOG_OF_TWICE, ordinary, lambda: o.call("log", size) + LN2)
    return o.copysign(value, x)


def acosh(o: Ops, x: Value) -> Value:
    """Acosh x = log1p(t + √(2t + t²)) with t = x - 1, or NaN for x < 1. At most 2 ulp (1.18 seen).

    We compute the rounding errors of t², of the root and of the sum, and correct the result by them.
    """

    def ordinary() -> Value:
        t = o.select(x < 1.0, nan, x - 1.0)
        square = t * t
        v = 2.0 * t + square
        root = o.sqrt(v)
        root_head = head(o, root)
        left = (v - root_head * root_head) - (root - root_head) * (root + root_head)
        left = (left + ((2.0 * t - v) + square)) / o.select(root == 0.0, 1.0, 2.0 * root)
        total = t + root
        return o.call("log1p", total) + (((root - total) + t) + left) / (1.0 + total)

    return o.cond(x < LOG_OF_TWICE, ordinary, lambda: o.call("log", x) + LN2)


def atanh(o: Ops, x: Value) -> Value:
    """Atanh x = log1p(2|x|/(1-|x|))/2 with x's sign. It is ±∞ at ±1 and NaN for |x| > 1.

    At most 2 ulp (1.32 seen).
    """
    size = o.abs(x)
    ratio = size / (1.0 - size)
    twice = 2.0 * o.select(size < 0.5, size + size * ratio, ratio)
    return o.copysign(0.5 * o.call("log1p", twice), x)
