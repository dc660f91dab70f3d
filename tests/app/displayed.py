"""Evaluate IR rows in 60-digit arithmetic. Also evaluate the expressions that a page shows for the rows.

The tests of the pages' algebra compare the two values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mpmath
from mpmath import mp, mpf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.algebra.expressions import Expr

    Row = tuple[Any, ...]

mp.dps = 60
NEAR = mpf(10) ** -40


class UndefinedError(Exception):
    """Raised if an expression has no real value at the point."""


def real(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, mpmath.mpc) or not mpmath.isfinite(value) or abs(value) > mpf(10) ** 30:
        raise UndefinedError
    return value


def real_power(base: Any, exponent: Any) -> Any:
    if base < 0 and exponent != int(exponent):
        raise UndefinedError
    if base == 0 and exponent <= 0 and exponent != 0:
        raise UndefinedError
    if abs(exponent) > 1000:
        raise UndefinedError
    return base**exponent


def real_log(x: Any) -> Any:
    if x <= 0:
        raise UndefinedError
    return mpmath.log(x)


def sign(x: Any) -> Any:
    if abs(x) < NEAR:
        raise UndefinedError  # at 0, the page's sgn and the program's derivative of abs (±1) differ
    return mpf(1) if x > 0 else mpf(-1)


def cbrt(x: Any) -> Any:
    return mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x)


def exponential(x: Any) -> Any:
    if x > 60:
        raise UndefinedError
    return mpmath.exp(x)


def quotient(x: Any, y: Any) -> Any:
    if y == 0:
        raise UndefinedError
    return x / y


def rounding(function: Any) -> Any:
    """Wrap a rounding function. The new function raises an error near a jump, but not at the jump."""

    def rounded(x: Any) -> Any:
        if abs(x - mpmath.nint(x)) < NEAR and x != int(x):
            raise UndefinedError
        return function(x)

    return rounded


def comparison(function: Any) -> Any:
    """Wrap a comparison. The new function raises an error if its sides are nearly equal but different."""

    def compared(x: Any, y: Any) -> bool:
        if 0 < abs(x - y) < NEAR:
            raise UndefinedError
        return bool(function(x, y))

    return compared


def equality(elsewhere: bool) -> Any:
    """Make a comparison that returns `elsewhere`, but raises an error if its sides are nearly equal.

    `elsewhere` is False for `eq` and True for `ne`. We do not compare equal sides, because a displayed
    expression may leave out this case.
    """

    def compared(x: Any, y: Any) -> bool:
        if abs(x - y) < NEAR:
            raise UndefinedError
        return elsewhere

    return compared


SHARED = {
    **{
        name: getattr(mpmath, name) for name in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh")
    },
    "asin": mpmath.asin,
    "erf": mpmath.erf,
    "cbrt": cbrt,
    "abs": abs,
    "floor": rounding(mpmath.floor),
    "ceil": rounding(mpmath.ceil),
    "trunc": rounding(lambda x: mpmath.floor(x) if x >= 0 else mpmath.ceil(x)),
    "min": min,
    "max": max,
    "lt": comparison(lambda x, y: x < y),
    "le": comparison(lambda x, y: x <= y),
    "gt": comparison(lambda x, y: x > y),
    "ge": comparison(lambda x, y: x >= y),
    "eq": equality(False),
    "ne": equality(True),
    "and": lambda x, y: x and y,
    "or": lambda x, y: x or y,
    "xor": lambda x, y: x != y,
    "not": lambda x: not x,
    "real": mpf,
    "select": lambda p, x, y: x if p else y,
}
OF_ROWS = {
    **SHARED,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": quotient,
    "neg": lambda x: -x,
    "sqrt": lambda x: real_power(x, mpf(1) / 2),
    "exp": exponential,
    "exp2": lambda x: exponential(x * mpmath.log(2)),
    "expm1": lambda x: exponential(x) - 1,
    "log": real_log,
    "log1p": lambda x: real_log(1 + x),
    "hypot": mpmath.hypot,
    "pow": real_power,
    "powi": real_power,
    "sign": sign,
    "copysign": lambda x, y: abs(x) * sign(y),
}
OF_CALLS = {**SHARED, "ln": real_log, "sgn": sign, "log2": lambda x: real_log(x) / mpmath.log(2)}


def row_values(rows: Sequence[Row], consts: Sequence[Any], values: Mapping[int, float]) -> list[Any]:
    """The value of each row."""
    known: list[Any] = []
    for place, (name, *arguments) in enumerate(rows):
        if name == "param":
            known.append(mpf(values[place]))
            continue
        count = 1 if name == "powi" else len(arguments)
        operands = [known[a] if a >= 0 else mpf(consts[~a]) for a in arguments[:count]]
        known.append(real(OF_ROWS[name](*operands, *arguments[count:])))
    return known


def exact(value: Any) -> Any:
    return mpf(value) if isinstance(value, (int, float)) else mpf(value.numerator) / value.denominator


def expr_value(expr: Expr, values: Mapping[str, float]) -> Any:
    """The value of a displayed expression."""
    args = [expr_value(arg, values) for arg in expr.args]
    if expr.kind == "number":
        return exact(expr.number)
    if expr.kind == "constant":
        return {"pi": mp.pi, "e": mp.e, "true": True, "false": False}[expr.name]
    if expr.kind == "symbol":
        return mpf(values[expr.name])
    if expr.kind == "sum":
        return sum(args, exact(expr.number))
    if expr.kind == "product":
        return mpmath.fprod([exact(expr.number), *args])
    if expr.kind == "power":
        return real_power(*args)
    return OF_CALLS[expr.name](*args)
