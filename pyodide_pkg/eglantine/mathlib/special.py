"""erf, lgamma, and the polygamma functions."""

from __future__ import annotations

from math import inf, nan, pi

from .coefficients import (
    BERNOULLI_OVER_FACTORIALS,
    ERF,
    ERFC,
    HALF_LOG_TWO_PI_LESS_HALF,
    LGAMMA,
    POLYGAMMA_0,
    POLYGAMMA_1,
    POLYGAMMA_2,
    POLYGAMMA_3,
    STIRLING,
)
from .ops import Ops, Value, estrin

ERF_IS_ONE = 6.0
ERFC_SHIFT = 2.0
LGAMMA_IS_EVEN = -1e-17
"""The negative number below which we use the reflection formula for log |Γ(x)|.

From LGAMMA_IS_EVEN to 0, log |Γ(x)| and log |Γ(-x)| are equal doubles, and the formula would overflow.
"""
STIRLING_FROM = 7.5
POLYGAMMA_SHIFT = 8
"""The least argument at which we use the asymptotic expansion of ψ_n. We add it to smaller arguments."""
POLYGAMMA_TAILS = (POLYGAMMA_0, POLYGAMMA_1, POLYGAMMA_2, POLYGAMMA_3)
FACTORIALS = (1.0, 1.0, 2.0, 6.0)
FURTHER = 10.0
"""Euler and Maclaurin's formula for ψ_n is used from the argument n + 1 + FURTHER on.

From there on, the last term of the formula is below 2^-55.
"""


def erf(o: Ops, x: Value) -> Value:
    """erf x: an odd polynomial if |x| < 1, else ±(1 - e^(-x²) G(1/(|x|+2))) with a polynomial G.

    At most 2 ulp (1.30 seen).
    """
    size = o.abs(x)

    def far() -> Value:
        reached = o.select(size > ERF_IS_ONE, ERF_IS_ONE, size)
        complement = o.call("exp", -reached * reached) * estrin(ERFC, 1.0 / (reached + ERFC_SHIFT))
        return o.copysign(1.0 - complement, x)

    return o.cond(size < 1.0, lambda: x + x * estrin(ERF, x * x), far)


def lgamma(o: Ops, x: Value) -> Value:
    """log |Γ(x)|, which is ∞ at 0, -1, -2, ….

    The error of the result y is at most 4 ulp of max(1, |y|) for x > 0 (1.52 seen), and 1e-13 of max(1, |y|)
    for x < 0.

    For x < 0, log |Γ(x)| = log(π / (|x sin πx|)) - log Γ(|x|). If LGAMMA_IS_EVEN ≤ x < 0, we use log Γ(|x|).
    """
    size = o.abs(x)
    whole = o.floor(size) == size

    def reflected() -> Value:
        sine = o.abs(o.call("sin", pi * (size - o.nearest(size))))
        return o.call("log", pi / (size * sine)) - o.call("lgamma_positive", size)

    return o.cond(
        x < LGAMMA_IS_EVEN,
        lambda: o.cond(whole, lambda: inf, reflected),
        lambda: o.call("lgamma_positive", size),
    )


def lgamma_positive(o: Ops, x: Value) -> Value:
    """Compute log Γ(x) for x ≥ 0. If x ≥ 7.5, we use Stirling's expansion.

    For smaller x, we apply Γ(x+1) = x Γ(x) until the argument is 2 + t with |t| ≤ ½.
    """

    def stirling() -> Value:
        inverse = 1.0 / x
        tail = inverse * estrin(STIRLING, inverse * inverse)
        return (x - 0.5) * (o.call("log", x) - 1.0) + (HALF_LOG_TWO_PI_LESS_HALF + tail)

    def moved() -> Value:
        nearest = o.floor(x + 0.5)
        t = x - nearest
        upward = nearest < 2.0
        product = o.select(nearest < 1.0, x * (x + 1.0), o.select(upward, x, 1.0))
        for j in range(1, 6):
            product = product * o.select(nearest > j + 1.5, x - float(j), 1.0)
        logarithm = o.call("log", product)
        return t * estrin(LGAMMA, t) + o.select(upward, -logarithm, logarithm)

    return o.cond(x < STIRLING_FROM, moved, stirling)


def polygamma(o: Ops, n: int, x: Value) -> Value:
    """ψ_n(x), the n-th derivative of (log Γ)', for a Python integer n from 0 to 3.

    The error of the result y is at most 4 ulp of max(1, |y|) for x > 0 (3.41, 1.26, 1.54 and 2.21 seen for
    n = 0, 1, 2, 3), and 1e-13 of max(1, |y|) for x < 0 (1e-14 seen).

    For x < 0, ψ_n(x) = (-1)^n ψ_n(1-x) - π dⁿ/dxⁿ cot πx. At a pole: NaN for even n, ∞ for odd n.
    """
    negative = x < 0.0
    mirrored = _polygamma_positive(o, n, o.select(negative, 1.0 - x, x))

    def reflected() -> Value:
        turn = x - o.nearest(x)
        cotangent = 1.0 / o.call("tan", pi * turn)
        if n % 2 == 0:
            cotangent = o.select(turn == 0.0, nan, cotangent)
        square = cotangent * cotangent
        derivative = (
            lambda: -pi * cotangent,
            lambda: pi**2 * (1.0 + square),
            lambda: -2.0 * pi**3 * (cotangent * (1.0 + square)),
            lambda: 2.0 * pi**4 * ((1.0 + square) * (1.0 + 3.0 * square)),
        )[n]()
        return derivative + mirrored if n % 2 == 0 else derivative - mirrored

    return o.cond(negative, reflected, lambda: mirrored)


def _polygamma_positive(o: Ops, n: int, x: Value) -> Value:
    """ψ_n(x) for x ≥ 0 by the asymptotic expansion. If x < 8, we first use a recurrence to increase x."""

    def moved() -> tuple[Value, Value, Value]:
        rest: Value = 0.0
        for k in reversed(range(1, POLYGAMMA_SHIFT)):
            rest = rest + FACTORIALS[n] / _power(x + float(k), n + 1)
        return FACTORIALS[n] / _power(x, n + 1), rest, x + float(POLYGAMMA_SHIFT)

    first, rest, z = o.cond(x < float(POLYGAMMA_SHIFT), moved, lambda: (0.0, 0.0, x))
    inverse = 1.0 / z
    square = inverse * inverse
    tail = 0.5 * FACTORIALS[n] * inverse + square * estrin(POLYGAMMA_TAILS[n], square)
    if n == 0:
        return (o.call("log", z) - (rest + tail)) - first
    size = first + (rest + _power(inverse, n) * (FACTORIALS[n - 1] + tail))
    return size if n % 2 == 1 else -size


def _power(x: Value, n: int) -> Value:
    """x^n for n in 1 … 4."""
    if n == 1:
        return x
    square = x * x
    if n == 2:
        return square
    return square * (x if n == 3 else square)


def polygamma0(o: Ops, x: Value) -> Value:
    """Digamma: see polygamma."""
    return polygamma(o, 0, x)


def polygamma1(o: Ops, x: Value) -> Value:
    """Trigamma: see polygamma."""
    return polygamma(o, 1, x)


def polygamma2(o: Ops, x: Value) -> Value:
    """See polygamma."""
    return polygamma(o, 2, x)


def polygamma3(o: Ops, x: Value) -> Value:
    """See polygamma."""
    return polygamma(o, 3, x)


def polygamma_n(o: Ops, n: Value, x: Value) -> Value:
    """ψ_n(x) for a whole n ≥ 1, where n is an f64. For n ≤ 3, `polygamma` is faster and more accurate.

    For n ≤ 100, the error is at most 8 ulp for x > 0 (5.2 seen). For x < 0, the result is a sum of terms
    ±n!/(x+k)^(n+1), and the error is at most 8 + n/2 ulp of the largest term.

    ψ_n(x) = (-1)^(n+1) n! ζ(n+1, x). For x < 0, ζ is the sum of 1/(x+k)^(n+1) over all whole k ≥ 0. The terms
    with x + k > 0 add up to ζ(n+1, f), where f is the fractional part of x. The other terms are (up to the
    sign) the first terms of ζ(n+1, 1-f). So their sum (up to the sign) is ζ(n+1, 1-f) - ζ(n+1, 1-x).
    """
    odd = n - 2.0 * o.floor(0.5 * n)
    sign = 2.0 * odd - 1.0

    def reflected() -> Value:
        turn = x - o.nearest(x)
        above = o.select(turn < 0.0, 1.0 + turn, turn)
        below = o.select(turn < 0.0, -turn, 1.0 - turn)
        near = sign * o.call("polygamma_size", n, above) + o.call("polygamma_size", n, below)
        at_pole = o.select(odd == 1.0, inf, nan)
        return o.select(turn == 0.0, at_pole, near - o.call("polygamma_size", n, 1.0 - x))

    return o.cond(x < 0.0, reflected, lambda: sign * o.call("polygamma_size", n, x))


def polygamma_size(o: Ops, n: Value, x: Value) -> Value:
    """n! ζ(n+1, x) for x ≥ 0 and a whole n ≥ 1: the sum of n!/(x+k)^(n+1) over all whole k ≥ 0.

    The first terms are added one by one. Euler and Maclaurin's formula gives the sum of all later terms.
    Source: NIST's Digital Library of Mathematical Functions, 25.11.5.
    """
    s = n + 1.0
    half = o.floor(0.5 * s)
    factorial, _ = o.repeat(lambda c: c[1] <= n, lambda c: (c[0] * c[1], c[1] + 1.0), (1.0, 2.0))

    def power(z: Value, exponent: Value) -> Value:
        """n! / z^exponent. The power is split into two factors, because it could overflow by itself."""
        return (factorial * o.call("pow", z, -half)) * o.call("pow", z, half - exponent)

    total, z = o.repeat(lambda c: c[1] < s + FURTHER, lambda c: (c[0] + power(c[1], s), c[1] + 1.0), (0.0, x))
    inverse = 1.0 / z
    product, tail = s * inverse, 0.5
    for j, coefficient in enumerate(BERNOULLI_OVER_FACTORIALS):
        tail = tail + coefficient * product
        product = product * ((s + (2.0 * j + 1.0)) * inverse) * ((s + (2.0 * j + 2.0)) * inverse)
    return total + (power(z, n) / n + power(z, s) * tail)
