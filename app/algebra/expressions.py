"""Expressions over the real numbers, and their basic properties, such as sign, factors and base."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from eglantine.errors import LimitError

Number = Fraction | float
Kind = Literal["number", "constant", "symbol", "sum", "product", "power", "call"]

MAX_SIZE = 4_000
MAX_DEPTH = 64
"""The largest depth of an expression. With more, our recursive functions could overflow Python's stack."""
MAX_BITS = 1_000
"""The largest number of bits of a numerator or denominator. With more, it may be too large for a float."""
MAX_FOLDED_EXPONENT = 64


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """An expression in normal form. Equal expressions have equal keys.

    name: the name of a constant (such as "pi" or "true"), of a symbol or of the function in a call. In all
        other kinds of expressions it is empty.
    number: the value of a number, the coefficient of a product, the constant term of a sum, or the argument
        `use` of an `infinity`. In all other kinds of expressions it is 0.
    args: the terms of a sum, the factors of a product, the base and exponent of a power, or the arguments of
        a call.
    size: the number of nodes in the expression's tree.
    depth: the depth of this tree.
    """

    kind: Kind
    name: str
    number: Number
    args: tuple[Expr, ...]
    key: str
    size: int
    depth: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


def make(kind: Kind, name: str = "", number: Number = Fraction(0), args: tuple[Expr, ...] = ()) -> Expr:
    """Make an expression from parts that the functions of `terms` have put in normal order.

    Raises: LimitError if the expression is too large or too deep.
    """
    size = 1 + sum(arg.size for arg in args)
    depth = 1 + max((arg.depth for arg in args), default=0)
    if size > MAX_SIZE or depth > MAX_DEPTH:
        raise LimitError(
            f"An expression may have at most {MAX_SIZE:,} parts, nested at most {MAX_DEPTH} deep, but this "
            f"one has {size:,} parts, nested {depth} deep. Show its value instead."
        )
    inner = " ".join(arg.key for arg in args)
    return Expr(kind, name, number, args, f"{kind[0]}{kind[-1]}{name}:{number}({inner})", size, depth)


def number(value: Number | int) -> Expr:
    """Make an expression that is a number, either an exact fraction or a float.

    Raises: LimitError if the number is not finite or too large for a float.
    """
    if isinstance(value, int):
        value = Fraction(value)
    if isinstance(value, float):
        is_shown = math.isfinite(value)
    else:
        is_shown = max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS
    if not is_shown:
        raise LimitError(
            "This expression has a number that is too large to show. Show the value of the expression "
            "instead."
        )
    return make("number", number=value)


def infinity(use: int) -> Expr:
    """Return an infinite constant for one place of a formula.

    use: the number of the place. Infinities at different places are unequal, so ∞ - ∞ does not become 0.
    """
    return make("constant", "infinity", number=Fraction(use))


def is_undefined(expr: Expr) -> bool:
    """True if the expression has an undefined part, such as 0/0."""
    return f"{UNDEFINED.kind[0]}{UNDEFINED.kind[-1]}{UNDEFINED.name}:" in expr.key


def symbol(name: str) -> Expr:
    """A variable."""
    return make("symbol", name)


ZERO, ONE, MINUS_ONE, HALF = number(0), number(1), number(-1), number(Fraction(1, 2))
PI, E = make("constant", "pi"), make("constant", "e")
TRUE, FALSE = make("constant", "true"), make("constant", "false")
UNDEFINED = make("constant", "undefined")


def is_whole(expr: Expr) -> bool:
    """True if the expression is an integer."""
    return expr.kind == "number" and isinstance(expr.number, Fraction) and expr.number.denominator == 1


def is_negative(expr: Expr) -> bool:
    """True if the expression begins with a minus sign that can be factored out."""
    if expr.kind in ("number", "product"):
        return expr.number < 0
    return expr.kind == "sum" and expr.number <= 0 and all(is_negative(term) for term in expr.args)


def base_and_exponent(factor: Expr) -> tuple[Expr, Expr]:
    """Return the base and the exponent of a factor. If the factor is not a power, the exponent is 1."""
    return (factor.args[0], factor.args[1]) if factor.kind == "power" else (factor, ONE)


def coefficient_of(term: Expr) -> Number:
    """The numeric coefficient of a term."""
    return term.number if term.kind in ("number", "product") else Fraction(1)


def factors_of(term: Expr) -> tuple[Expr, ...]:
    """Return the factors of a term, without the numeric coefficient."""
    return term.args if term.kind == "product" else (term,)


def folded_power(base: Number, exponent: Number) -> Number | None:
    """Compute base^exponent. Return None if the result should be shown as a power, such as √2."""
    if base == 0:
        return Fraction(0) if exponent > 0 else None
    if isinstance(base, float) or isinstance(exponent, float):
        return _float_power(float(base), float(exponent))
    if exponent.denominator == 2 and base > 0:
        root = Fraction(math.isqrt(base.numerator), math.isqrt(base.denominator))
        return folded_power(root, exponent * 2) if root * root == base else None
    if exponent.denominator != 1 or abs(exponent) > MAX_FOLDED_EXPONENT:
        return None
    longest = max(base.numerator.bit_length(), base.denominator.bit_length())
    return Fraction(base**exponent.numerator) if abs(exponent) * longest < MAX_BITS else None


def _float_power(base: float, exponent: float) -> float | None:
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        return None


def folded_rounding(name: str, value: Number) -> Number | None:
    """Evaluate a rounding function, `abs` or `sgn` at a number. Return None if it should be shown as a call.

    value: the argument. For an odd or even function, the argument must not be negative.
    """
    if name == "abs":
        return value  # the caller has taken the sign out
    if name == "sgn":
        return Fraction(1) if value > 0 else None
    exact = Fraction(value)
    if name in ("floor", "trunc"):
        return Fraction(exact.numerator // exact.denominator)
    if name == "ceil":
        return Fraction(-(-exact.numerator // exact.denominator))
    return Fraction(round(exact)) if name == "round" else None
