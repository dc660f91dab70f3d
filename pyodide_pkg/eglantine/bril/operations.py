"""Make the closures for operations on scalars, such as add. Format values as `print` writes them."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any, Final

from eglantine import ieee

from .mistakes import BrilError, Place


def wrapped(value: int) -> int:
    """Wrap an integer around to 64 bits, as two's complement does."""
    return ((value + 0x8000000000000000) & 0xFFFFFFFFFFFFFFFF) - 0x8000000000000000


def divided(a: int, b: int, place: Place) -> int:
    """The integer quotient a / b, rounded toward zero."""
    if b == 0:
        raise BrilError("This is a division by zero. Make sure the divisor is not 0.", place)
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) or quotient == 0 else -quotient


def _div(a: int, b: int, place: Place) -> int:
    if a >= 0 and b > 0:
        return a // b
    return wrapped(divided(a, b, place))


def over(a: Any, b: Any) -> Any:
    """Divide floats by the rules of IEEE 754. Division by zero gives an infinity or NaN."""
    try:
        return a / b
    except ZeroDivisionError:
        return ieee.div(a, b)


Maker = Callable[[Any, Any, Place], Callable[[list[Any]], Any]]

_ADD = (
    lambda a, b, _: (
        lambda r: v if -0x8000000000000000 <= (v := r[a] + r[b]) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda a, c, _: (
        lambda r: v if -0x8000000000000000 <= (v := r[a] + c) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda c, b, _: (
        lambda r: v if -0x8000000000000000 <= (v := c + r[b]) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda f, g, _: (
        lambda r: v if -0x8000000000000000 <= (v := f(r) + g(r)) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
)
_SUB = (
    lambda a, b, _: (
        lambda r: v if -0x8000000000000000 <= (v := r[a] - r[b]) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda a, c, _: (
        lambda r: v if -0x8000000000000000 <= (v := r[a] - c) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda c, b, _: (
        lambda r: v if -0x8000000000000000 <= (v := c - r[b]) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda f, g, _: (
        lambda r: v if -0x8000000000000000 <= (v := f(r) - g(r)) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
)
_MUL = (
    lambda a, b, _: (
        lambda r: v if -0x8000000000000000 <= (v := r[a] * r[b]) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda a, c, _: (
        lambda r: v if -0x8000000000000000 <= (v := r[a] * c) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda c, b, _: (
        lambda r: v if -0x8000000000000000 <= (v := c * r[b]) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
    lambda f, g, _: (
        lambda r: v if -0x8000000000000000 <= (v := f(r) * g(r)) <= 0x7FFFFFFFFFFFFFFF else wrapped(v)
    ),
)
_DIV = (
    lambda a, b, p: lambda r: _div(r[a], r[b], p),
    lambda a, c, p: lambda r: _div(r[a], c, p),
    lambda c, b, p: lambda r: _div(c, r[b], p),
    lambda f, g, p: lambda r: _div(f(r), g(r), p),
)
_FADD = (
    lambda a, b, _: lambda r: r[a] + r[b],
    lambda a, c, _: lambda r: r[a] + c,
    lambda c, b, _: lambda r: c + r[b],
    lambda f, g, _: lambda r: f(r) + g(r),
)
_FSUB = (
    lambda a, b, _: lambda r: r[a] - r[b],
    lambda a, c, _: lambda r: r[a] - c,
    lambda c, b, _: lambda r: c - r[b],
    lambda f, g, _: lambda r: f(r) - g(r),
)
_FMUL = (
    lambda a, b, _: lambda r: r[a] * r[b],
    lambda a, c, _: lambda r: r[a] * c,
    lambda c, b, _: lambda r: c * r[b],
    lambda f, g, _: lambda r: f(r) * g(r),
)
_FDIV = (
    lambda a, b, _: lambda r: over(r[a], r[b]),
    lambda a, c, _: (lambda r: r[a] / c) if c else (lambda r: over(r[a], c)),
    lambda c, b, _: lambda r: over(c, r[b]),
    lambda f, g, _: lambda r: over(f(r), g(r)),
)
_EQ = (
    lambda a, b, _: lambda r: r[a] == r[b],
    lambda a, c, _: lambda r: r[a] == c,
    lambda c, b, _: lambda r: c == r[b],
    lambda f, g, _: lambda r: f(r) == g(r),
)
_LT = (
    lambda a, b, _: lambda r: r[a] < r[b],
    lambda a, c, _: lambda r: r[a] < c,
    lambda c, b, _: lambda r: c < r[b],
    lambda f, g, _: lambda r: f(r) < g(r),
)
_LE = (
    lambda a, b, _: lambda r: r[a] <= r[b],
    lambda a, c, _: lambda r: r[a] <= c,
    lambda c, b, _: lambda r: c <= r[b],
    lambda f, g, _: lambda r: f(r) <= g(r),
)
_GT = (
    lambda a, b, _: lambda r: r[a] > r[b],
    lambda a, c, _: lambda r: r[a] > c,
    lambda c, b, _: lambda r: c > r[b],
    lambda f, g, _: lambda r: f(r) > g(r),
)
_GE = (
    lambda a, b, _: lambda r: r[a] >= r[b],
    lambda a, c, _: lambda r: r[a] >= c,
    lambda c, b, _: lambda r: c >= r[b],
    lambda f, g, _: lambda r: f(r) >= g(r),
)
_AND = (
    lambda a, b, _: lambda r: r[a] and r[b],
    lambda a, c, _: lambda r: r[a] and c,
    lambda c, b, _: lambda r: c and r[b],
    lambda f, g, _: lambda r: f(r) and g(r),
)
_OR = (
    lambda a, b, _: lambda r: r[a] or r[b],
    lambda a, c, _: lambda r: r[a] or c,
    lambda c, b, _: lambda r: c or r[b],
    lambda f, g, _: lambda r: f(r) or g(r),
)

BINARIES: Final[dict[str, tuple[Maker, Maker, Maker, Maker]]] = {
    "add": _ADD, "sub": _SUB, "mul": _MUL, "div": _DIV,
    "fadd": _FADD, "fsub": _FSUB, "fmul": _FMUL, "fdiv": _FDIV,
    "and": _AND, "or": _OR,
    **{
        f"{kind}{name}": makers
        for kind in ("", "f", "c")
        for name, makers in (("eq", _EQ), ("lt", _LT), ("le", _LE), ("gt", _GT), ("ge", _GE))
    },
}  # fmt: skip
"""For each operation on two operands, four functions that make a getter.

The first function takes two places in the frame, the second a place and a constant, the third a constant and
a place, and the fourth two getters. Each function also takes the operation's place in the program's text.
"""


def _character(code: int, place: Place) -> str:
    if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
        return chr(code)
    raise BrilError(
        f"No character has the number {code}. Use a number from 0 to 1114111, except surrogates.", place
    )


def bits_of(x: float) -> int:
    """The 64 bits of a float, as an integer."""
    return ieee.bits(x)


def _value_bits(x: Any, place: Place) -> int:
    if not isinstance(x, float):
        raise BrilError("float2bits has no derivative. Compute with the float itself.", place)
    return bits_of(x)


UNARIES: Final[dict[str, Callable[..., Callable[[list[Any]], Any]]]] = {
    "not": lambda f, _: lambda r: not f(r),
    "char2int": lambda f, _: lambda r: ord(f(r)),
    "int2char": lambda f, place: lambda r: _character(f(r), place),
    "float2bits": lambda f, place: lambda r: _value_bits(f(r), place),
    "bits2float": lambda f, _: lambda r: float_of(f(r)),
}
"""For each operation on one operand, a function that makes the getter of the result."""


def float_of(bits: int) -> float:
    """The float with these 64 bits."""
    value: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return value


def written(value: Any) -> str:
    """A value as `print` writes it.

    >>> written(-7), written(True), written(1.5), written(2e10)
    ('-7', 'true', '1.50000000000000000', '2.00000000000000000e+10')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    return written_float(float(value))


def written_float(x: float) -> str:
    """Format a float as `print` writes it, with 17 digits after the point.

    Write an exponent if |x| ≥ 1e10, or if 0 < |x| ≤ 1e-10.
    """
    if x != x:
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x and abs(math.log10(abs(x))) >= 10:
        return f"{x:.17e}"
    return f"{x:.17f}"
