"""What a mathlib function is written in: the operations of the Wasm numeric instruction set.

A function `def exp(o, x)` is traced once into IR. Its values carry Python's operators: f64 values have
`+ - * /`, unary `-` and comparisons; i64 values have wrapping `+ - *`, `& | ^ <<`, the arithmetic `>>` and
signed comparisons; a comparison's result has `& | ~`. Everything else is a method of `o`.

A row that reinterprets a NaN's bits sees a payload that engines leave open. Such rows may differ between
engines; the functions are written so that their result is then NaN whatever those rows hold, and every table
index is masked or saturated into its table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

Value: TypeAlias = Any
"""An f64, i64 or bool value of whatever engine runs the function, or a Python constant."""

Entries: TypeAlias = Sequence[int] | Sequence[float]

EXPONENT_MASK = -(2**52)
"""Sign and exponent of a double."""
HEAD_MASK = -(2**27)
"""Keeps the first 26 bits of a double's significand, so that the product of two such heads is exact."""
EXPONENT_BIAS = 1023
SIGNIFICAND_BITS = 52


class Ops(Protocol):
    """The operations. f64 unless said otherwise."""

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
        """|x| with y's sign; a NaN y counts as positive."""

    def bits(self, x: Value, /) -> Value:
        """The i64 with x's bits."""

    def float(self, n: Value, /) -> Value:
        """The f64 with the bits of the i64 n."""

    def to_real(self, n: Value, /) -> Value:
        """The f64 nearest to the signed i64 n."""

    def to_int(self, x: Value, /) -> Value:
        """x truncated to an i64, saturating; 0 for NaN."""

    def shr_u(self, n: Value, k: Value, /) -> Value:
        """The i64 n shifted right by k with zeros coming in."""

    def select(self, p: Value, a: Value, b: Value, /) -> Value:
        """a if p else b; both are evaluated."""

    def cond(self, p: Value, then: Callable[[], Any], otherwise: Callable[[], Any], /) -> Any:
        """then() if p else otherwise(): a value or a tuple of values; only one side runs."""

    def repeat(
        self, test: Callable[[Value], Value], step: Callable[[Value], Value], start: Value, /
    ) -> Value:
        """The first of start, step(start), step(step(start)), … for which test is false. All are f64."""

    def table(self, entries: Entries, n: Value, /) -> Value:
        """entries[n] for an i64 n that is in range; i64 if the entries are ints, else f64."""

    def call(self, name: str, /, *arguments: Value) -> Any:
        """The result of the function of that name in FUNCTIONS, kept as a call: a value or a tuple."""


def head(o: Ops, x: Value) -> Value:
    """x cut to its first 26 significant bits."""
    return o.float(o.bits(x) & HEAD_MASK)


def power_of_two(o: Ops, k: Value) -> Value:
    """2^k for an i64 k in [-1022, 1023]."""
    return o.float((k + EXPONENT_BIAS) << SIGNIFICAND_BITS)


def scale(o: Ops, x: Value, k: Value) -> Value:
    """x·2^k rounded once, for x in [1/2, 2) and an i64 k in [-2044, 2046]: the first step is always exact."""
    half = k >> 1
    return x * power_of_two(o, half) * power_of_two(o, k - half)


def estrin(coefficients: Sequence[float], v: Value) -> Value:
    """P(v) by halving: a shorter chain of dependent operations than Horner's, for a few more squares."""
    level: list[Value] = list(coefficients)
    while True:
        pairs = [level[i] + level[i + 1] * v for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) // 2 * 2 :]
        if len(level) == 1:
            return level[0]
        v = v * v
