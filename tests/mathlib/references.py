"""A fast polygamma function with many digits. mpmath's function is too slow for our tests."""

from __future__ import annotations

import math
from functools import cache

from mpmath import bernfrac, mp, mpf

BITS = 140
"""The smallest number of bits that a result has after its leading bit. The results are fixed-point
numbers."""
FAR = 24
"""The argument from which on the asymptotic series below has more than BITS correct bits."""
TERMS = 40


def polygamma(n: int, x: mpf) -> mpf:
    """Compute the n-th derivative of digamma, for n ≥ 1.

    For x ≤ 0 we use mpmath. For x > 0, the recurrence increases the argument to at least FAR, and then we use
    the asymptotic series. The variable `at` is an integer in units of 2^-s. Sums are integers in units of
    2^-p. Source: NIST's Digital Library of Mathematical Functions, 5.15.1 and 5.15.8.
    """
    if x <= 0:
        return mp.psi(n, x)
    _, mantissa, exponent, bits = x._mpf_
    p, s = BITS + (n + 2) * max(exponent + bits, 5), max(-exponent, 0)
    at, one = mantissa << exponent + s, 1 << s
    total, factorial = 0, math.factorial(n)
    while at < FAR * one:
        total += (factorial << p + (n + 1) * s) // at ** (n + 1)
        at += one
    inverse = (one << p) // at
    square = inverse * inverse >> p
    power = _power(inverse, n, p)
    total += math.factorial(n - 1) * power + (factorial * (power * inverse >> p) >> 1)
    for j in range(1, TERMS):
        power = power * square >> p
        numerator, denominator = _coefficient(n, j)
        term = power * numerator // denominator
        total += term
        if not term:
            break
    return mp.ldexp(mpf(total if n % 2 else -total), -p)


def _power(x: int, n: int, p: int) -> int:
    found = x
    for _ in range(n - 1):
        found = found * x >> p
    return found


@cache
def _coefficient(n: int, j: int) -> tuple[int, int]:
    """B(2j)·(2j + n − 1)!/(2j)!."""
    p, q = bernfrac(2 * j)
    return int(p) * math.factorial(2 * j + n - 1), int(q) * math.factorial(2 * j)
