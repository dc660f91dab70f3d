"""IEEE-754 arithmetic on Python numbers, for the interpreter and for folding constants.

Each function returns the same bits as WebAssembly. Python's own operators would raise errors where IEEE
returns an infinity or NaN. A function also works on another numeric type (Fraction, Decimal, intervals and
so on) if the type has the operators that the function uses.
"""

from __future__ import annotations

import math
import operator
import struct
from typing import Any

_MASK = (1 << 64) - 1
_SIGN = 1 << 63

add, sub, mul, neg = operator.add, operator.sub, operator.mul, operator.neg


def div(a: Any, b: Any) -> Any:
    """a / b. For floats, a zero divisor gives an infinity or NaN."""
    try:
        return a / b
    except ZeroDivisionError:
        if not (isinstance(a, float) or isinstance(b, float)):
            raise
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def mod(a: Any, b: Any) -> Any:
    """Python's a % b, or NaN for a zero divisor."""
    if isinstance(a, float) and isinstance(b, float):
        return a % b if b else math.nan
    return a - b * floordiv(a, b)


def floordiv(a: Any, b: Any) -> Any:
    """Python's a // b. For floats with a zero divisor it is a / b, as in NumPy."""
    if isinstance(a, float) and isinstance(b, float) and b:
        return a // b
    return floor(div(a, b))


def sqrt(a: Any) -> Any:
    """The square root, or NaN for a negative float."""
    if not isinstance(a, float | int):
        return a.sqrt()
    return math.sqrt(a) if a >= 0 else math.nan if a < 0 or a != a else a


def absolute(a: Any) -> Any:
    """|a|."""
    return abs(a)


def _whole(a: Any, rounded: Any) -> Any:
    """Round a with the function `rounded`. Keep the type of a, and its sign even if the result is 0."""
    if not isinstance(a, float):
        return rounded(a)
    if a != a or a in (math.inf, -math.inf):
        return a
    return math.copysign(float(rounded(a)), a)


def floor(a: Any) -> Any:
    """The greatest whole number that is at most a."""
    if isinstance(a, float) and not (a != a or a in (math.inf, -math.inf)):
        return float(math.floor(a)) or math.copysign(0.0, a)
    return _whole(a, math.floor)


def ceil(a: Any) -> Any:
    """The least whole number that is at least a."""
    if isinstance(a, float) and not (a != a or a in (math.inf, -math.inf)):
        return float(math.ceil(a)) or math.copysign(0.0, a)
    return _whole(a, math.ceil)


def trunc(a: Any) -> Any:
    """a without its fraction."""
    return _whole(a, math.trunc)


def nearest(a: Any) -> Any:
    """The nearest whole number, ties to even."""
    return _whole(a, round)


def copysign(a: Any, b: Any) -> Any:
    """|a| with the sign of b. A NaN counts as positive."""
    if not isinstance(b, float):
        return abs(a) if b >= 0 else -abs(a)
    magnitude = abs(a)
    return magnitude if b != b or math.copysign(1.0, b) > 0 else -magnitude


def sign(a: Any) -> Any:
    """1 or -1 with the sign of a. A zero or NaN is returned unchanged."""
    if a == 0 or a != a:
        return a
    one = 1.0 if isinstance(a, float) else 1
    return one if a > 0 else -one


def minimum(a: Any, b: Any) -> Any:
    """The lesser of two numbers, or NaN if either is NaN. -0 is less than +0."""
    if a != a or b != b:
        return math.nan
    if a == b:
        return a if isinstance(a, float) and math.copysign(1.0, a) < 0 else b
    return min(b, a)


def maximum(a: Any, b: Any) -> Any:
    """The greater of two numbers, or NaN if either is NaN. +0 is greater than -0."""
    if a != a or b != b:
        return math.nan
    if a == b:
        return b if isinstance(a, float) and math.copysign(1.0, a) < 0 else a
    return max(b, a)


def whole_power(x: Any, n: int) -> Any:
    """Compute x^n for n ≥ 1 by repeated squaring. Compiled code multiplies in the same order."""
    result = None
    while True:
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        if not n:
            return result
        x = x * x


def power(x: Any, n: int) -> Any:
    """Compute x^n for a whole number n. If n is negative, x^n is computed as 1/x^(−n)."""
    return whole_power(x, n) if n > 0 else div(1.0 if isinstance(x, float) else 1, whole_power(x, -n))


def wrap(n: int) -> int:
    """n modulo 2^64 as a signed 64-bit integer."""
    n &= _MASK
    return n - (1 << 64) if n & _SIGN else n


def bits(x: float) -> int:
    """The bits of a float64 as a signed integer. All NaNs give the same bits."""
    if x != x:
        return 0x7FF8000000000000
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def from_bits(n: int) -> float:
    """The float64 with these bits."""
    return float(struct.unpack("<d", struct.pack("<q", n))[0])


def to_int64(x: float) -> int:
    """Truncate x to a 64-bit integer. If x is out of range, return the closest one. For NaN, return 0."""
    if x != x:
        return 0
    if x in (math.inf, -math.inf):
        return (1 << 63) - 1 if x > 0 else -(1 << 63)
    return min(max(int(x), -(1 << 63)), (1 << 63) - 1)


def quotient(a: int, b: int) -> int:
    """The integer a / b, rounded toward zero. The caller makes sure that b is neither 0 nor -1."""
    n = abs(a) // abs(b)
    return n if (a < 0) == (b < 0) else -n


def shift_left(a: int, n: int) -> int:
    """a << n, modulo 2^64."""
    return wrap(a << (n & 63))


def shift_right(a: int, n: int) -> int:
    """a >> n, copying the sign."""
    return a >> (n & 63)


def shift_right_unsigned(a: int, n: int) -> int:
    """a >> n, filling with zeros."""
    return wrap((a & _MASK) >> (n & 63))
