"""Compute intervals of integer results, and build rows for operations that have no Wasm instruction."""

from __future__ import annotations

from .row_types import I32
from .rules import MAX_INDEX, _Rows


def _lower_sign(b: _Rows, x: int) -> int:
    """Return the sign of x as 1 or −1. If x is zero or NaN, return x itself."""
    is_returned = b.bi("or", b.bi("eq", x, b.const(0.0)), b.bi("ne", x, x))
    return b.select(is_returned, x, b.bi("raw_copysign", b.const(1.0), x))


def _lower_copysign(b: _Rows, x: int, y: int) -> int:
    """Compute |x| with the sign of y. If y is NaN, return |x|, because a NaN's sign depends on the engine."""
    if b.is_const(y):
        return b.bi("raw_copysign", x, y)
    return b.bi("raw_copysign", x, b.select(b.bi("eq", y, y), y, b.const(1.0)))


def _hull(*corners: int) -> I32:
    return I32(min(corners), max(corners))


def _floordiv_interval(a: I32, b: I32) -> I32:
    divisors = [d for d in (b.lo, b.hi, -1, 1) if d and b.lo <= d <= b.hi]
    return _hull(*(n // d for n in (a.lo, a.hi) for d in divisors)) if divisors else I32(0, 0)


def _mod_interval(a: I32, b: I32) -> I32:
    if b.lo > 0 and a.lo >= 0 and a.hi < b.lo:
        return a
    return I32(min(b.lo + 1, 0), max(b.hi - 1, 0))


def _quotient_interval(a: I32, b: I32) -> I32:
    divisors = [d for d in (b.lo, b.hi, -1, 1) if d and b.lo <= d <= b.hi]
    return _hull(*(int(n / d) for n in (a.lo, a.hi) for d in divisors)) if divisors else I32(0, 0)


def _remainder_interval(a: I32, b: I32) -> I32:
    if b.lo > 0 and a.lo >= 0 and a.hi < b.lo:
        return a
    bound = max(abs(b.lo), abs(b.hi), 1) - 1
    return I32(max(min(a.lo, 0), -bound), min(max(a.hi, 0), bound))


def _signs_differ(b: _Rows, x: int, y: int) -> int:
    zero = b.int_const(0)
    return b.bi("xor", b.bi("ilt", x, zero), b.bi("ilt", y, zero))


def _periods(b: _Rows, x: int, y: int) -> int | None:
    """Find the smallest k ≥ 0 for which x + k·y is always a valid index. Return None if there is none."""
    a, d = b.interval(x), b.interval(y)
    k = max(-(a.lo // d.lo), 0) if d.lo > 0 else -1
    return k if k >= 0 and a.hi + k * d.hi <= MAX_INDEX else None


def _narrowed(b: _Rows, row: int, of: I32) -> int:
    """Give an integer row the narrower type `of`. The caller knows that its value fits `of`."""
    bounds = b.interval(row)
    if (bounds.lo >= of.lo and bounds.hi <= of.hi) or bounds.hi - of.lo > MAX_INDEX:
        return row
    lo = b.int_const(of.lo)
    return b.bi("iadd", b.check(b.bi("isub", row, lo), of.hi - of.lo + 1), lo)


def _lower_floordiv(b: _Rows, x: int, y: int) -> int:
    """Compute x // y with a division that rounds toward zero.

    If some k makes x + k·y nonnegative, the result is (x + k·y)/y - k. Otherwise, take the quotient of x and
    y, and subtract 1 if the division is inexact and the signs of x and y differ.
    """
    of = _floordiv_interval(b.interval(x), b.interval(y))
    k = _periods(b, x, y)
    if k is not None and (not k or b.is_const(y)):
        shift = b.int_const(k)
        return b.bi("isub", b.bi("iquotient", b.bi("iadd", x, b.bi("imul", shift, y)), y), shift)
    inexact = b.bi("ine", b.bi("iremainder", x, y), b.int_const(0))
    below = b.bi("and", inexact, _signs_differ(b, x, y))
    return _narrowed(b, b.bi("isub", b.bi("iquotient", x, y), b.un("int_i1", below)), of)


def _lower_mod(b: _Rows, x: int, y: int) -> int:
    """Compute x % y with Wasm's remainder of x and y, which has the sign of x.

    If some k makes x + k·y nonnegative, the result is the remainder of x + k·y. Otherwise, take the remainder
    of x, and add y if the remainder is not 0 and the signs of x and y differ.
    """
    k = _periods(b, x, y)
    if k is not None:
        return b.bi("iremainder", b.bi("iadd", x, b.bi("imul", b.int_const(k), y)), y)
    of, remainder = _mod_interval(b.interval(x), b.interval(y)), b.bi("iremainder", x, y)
    inexact = b.bi("ine", remainder, b.int_const(0))
    differs = b.bi("and", inexact, _signs_differ(b, x, y))
    return _narrowed(b, b.select(differs, b.bi("iadd", remainder, y), remainder), of)


def _lower_powi(b: _Rows, x: int, n: int) -> int:
    """Compute x^n by repeated squaring. For example, x⁵ is x · (x²)²."""
    product, digits, square = 0, abs(n), x
    while True:
        if digits & 1:
            product = square if not product else b.mul(product, square)
        digits >>= 1
        if not digits:
            return product if n > 0 else b.div(b.const(1.0), product)
        square = b.mul(square, square)
