"""The operations that mathlib functions use. Most of them are numeric instructions of Wasm.

A function `def exp(o, x)` is traced once into IR. Its values have Python's operators: f64 values have
`+ - * /`, unary `-` and comparisons. i64 values have wrapping `+ - *`, `& | ^ <<`, the arithmetic `>>` and
signed comparisons. The result of a comparison has `& | ~`. All other operations are methods of `o`.

The bits of a NaN differ between engines, so an integer that a function reads from them may differ too. The
result is still the same: the function returns NaN for a NaN, and keeps every table index in range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

Value: TypeAlias = Any
"""An f64, i64 or bool value of the engine that runs the function, or a Python constant."""

Entries: TypeAlias = Sequence[int] | Sequence[float]

EXPONENT_MASK = -(2**52)
"""Sign and exponent of a double."""
HEAD_MASK = -(2**27)
"""A mask that keeps a double's sign, its exponent, and the first 26 bits of its significand.

The product of two doubles with at most 26 significant bits is exact.
"""
EXPONENT_BIAS = 1023
SIGNIFICAND_BITS = 52
WHOLE_SHIFT = 1.5 * 2.0**52
WHOLE_SHIFT_BITS = 0x4338000000000000
"""The bits of the double WHOLE_SHIFT, as an integer.

If n is whole and |n| < 2^51, the bits of the double n + WHOLE_SHIFT are the integer n + WHOLE_SHIFT_BITS.
"""
SCALE_SHIFT = 4096


class Ops(Protocol):
    """The operations that functions of mathlib use. Values are f64 unless a docstring says otherwise."""

    def sqrt(self, x: Value, /) -> Value:
        """The square root, correctly rounded."""

    def abs(self, x: Value, /) -> Value:
        """|x|."""

    def floor(self, x: Value, /) -> Value:
        """The largest integer ≤ x."""

    def ceil(self, x: Value, /) -> Value:
        """The smallest integer ≥ x."""

    def trunc(self, x: Value, /) -> Value:
        """x without its fraction."""

    def nearest(self, x: Value, /) -> Value:
        """The nearest integer, halves to even."""

    def copysign(self, x: Value, y: Value, /) -> Value:
        """|x| with the sign of y. A NaN counts as positive."""

    def bits(self, x: Value, /) -> Value:
        """The i64 with x's bits."""

    def float(self, n: Value, /) -> Value:
        """The f64 with the bits of the i64 n."""

    def to_real(self, n: Value, /) -> Value:
        """The f64 nearest to the signed i64 n."""

    def to_int(self, x: Value, /) -> Value:
        """x truncated to an i64. If x is out of range, the nearest i64. For NaN, 0."""

    def shr_u(self, n: Value, k: Value, /) -> Value:
        """The i64 n shifted right by k bits and filled up with zeros."""

    def select(self, p: Value, a: Value, b: Value, /) -> Value:
        """a if p else b. Both are evaluated."""

    def cond(self, p: Value, then: Callable[[], Any], otherwise: Callable[[], Any], /) -> Any:
        """then() if p else otherwise(). Only one of them runs. Both return a value or a tuple of values."""

    def repeat(
        self, test: Callable[[Value], Value], step: Callable[[Value], Value], start: Value, /
    ) -> Value:
        """Set x = start. While test(x) is true, set x = step(x). Return x.

        x is an f64, or a tuple of f64s.
        """

    def table(self, entries: Entries, n: Value, /) -> Value:
        """entries[n] for an i64 n that is in range. The result is i64 if the entries are ints, else f64."""

    def call(self, name: str, /, *arguments: Value) -> Any:
        """Call the function of that name in `functions.FUNCTIONS`. The result is a value or a tuple."""


def head(o: Ops, x: Value) -> Value:
    """x cut to its first 26 significant bits."""
    return o.float(o.bits(x) & HEAD_MASK)


def power_of_two(o: Ops, k: Value) -> Value:
    """2^k for an i64 k in [-1022, 1023]."""
    return o.float((k + EXPONENT_BIAS) << SIGNIFICAND_BITS)


def small_int(o: Ops, x: Value) -> Value:
    """Convert a whole f64 between -2^51 and 2^51 to i64. For any other f64, the result is arbitrary.

    The low bits of the f64 x + 1.5·2^52 are the bits of the integer. `to_int` cannot use SIMD, but this can.
    """
    return o.bits(x + WHOLE_SHIFT) - WHOLE_SHIFT_BITS


def small_real(o: Ops, n: Value) -> Value:
    """Convert an i64 between -2^51 and 2^51 to f64. Unlike `to_real`, this can use SIMD instructions."""
    return o.float(n + WHOLE_SHIFT_BITS) - WHOLE_SHIFT


def scale(o: Ops, x: Value, k: Value) -> Value:
    """x·2^k for x in [1/2, 2) and an i64 k in [-2044, 2046].

    We multiply by 2^⌊k/2⌋, and then by the remaining power of 2. Only the second product is rounded. We add
    SCALE_SHIFT to k to make it positive, so that an unsigned shift can halve it.
    """
    half = o.shr_u(k + SCALE_SHIFT, 1)
    rest = k + (SCALE_SHIFT // 2 + EXPONENT_BIAS) - half
    first = o.float((half - (SCALE_SHIFT // 2 - EXPONENT_BIAS)) << SIGNIFICAND_BITS)
    return x * first * o.float(rest << SIGNIFICAND_BITS)


def estrin(coefficients: Sequence[float], v: Value) -> Value:
    """Evaluate a polynomial P at v by Estrin's scheme. Unlike Horner's rule, it can run in parallel.

    coefficients: the coefficients of P. The first one is the constant.
    """
    level: list[Value] = list(coefficients)
    while True:
        pairs = [level[i] + level[i + 1] * v for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) // 2 * 2 :]
        if len(level) == 1:
            return level[0]
        v = v * v
