"""Partial derivatives that do not fit on one line of the table of primitives."""

from __future__ import annotations

import math
from typing import Any, Final

from .rules import _Rows

LEAST: Final = 5e-324
"""The least positive double. If x ≥ 1, x / LEAST is infinite. If x = 0, x / LEAST is 0."""


def _flat(*_: Any) -> tuple[int, ...]:
    """Return the derivative of floor and similar functions: the symbolic zero, which is row 0."""
    return (0,)


def _reciprocal(b: _Rows, x: int) -> int:
    return b.div(b.const(1.0), x)


def _square(b: _Rows, x: int) -> int:
    return b.mul(x, x)


def _pow_partials(b: _Rows, x: int, y: int, z: int) -> tuple[int, int]:
    """Return ∂(x^y)/∂x = y·x^(y−1) and ∂(x^y)/∂y = x^y·log x. At x = 0, we treat x^y as constant in y.

    The operation `pow_base` returns x, or 1 if x = 0. Its derivative with respect to x is 1. Instead of log x
    we compute log(pow_base), which is 0 at x = 0. But this 0 would make the mixed derivative wrong at x = 0.
    (For x ≠ 0, the mixed derivative is x^(y−1)·(1 + y·log x).) So we define an operation for each of the two
    products, `pow_by_x` and `pow_by_y`. Each operation has its own derivative for x = 0.
    """
    base = b.bi("pow_base", x, b.un("real_i1", b.bi("eq", x, b.const(0.0))))
    return b.bi("pow_by_x", y, b.bi("pow", x, b.sub(y, b.const(1.0)))), b.bi("pow_by_y", z, b.un("log", base))


def _atan2_partials(b: _Rows, y: int, x: int, _: int) -> tuple[int, int]:
    """∂/∂y = x/(x²+y²), ∂/∂x = −y/(x²+y²)."""
    norm = b.add(_square(b, x), _square(b, y))
    return b.div(x, norm), b.neg(b.div(y, norm))


def _arc_slope(b: _Rows, x: int) -> int:
    """1/√((1−x)(1+x))."""
    one = b.const(1.0)
    return _reciprocal(b, b.un("sqrt", b.mul(b.sub(one, x), b.add(one, x))))


def _acosh_slope(b: _Rows, x: int) -> int:
    """1/(√(x−1)·√(x+1))."""
    one = b.const(1.0)
    return _reciprocal(b, b.mul(b.un("sqrt", b.sub(x, one)), b.un("sqrt", b.add(x, one))))


def _erf_slope(b: _Rows, x: int) -> int:
    """2/√π·exp(−x²)."""
    return b.mul(b.const(2.0 / math.sqrt(math.pi)), b.un("exp", b.neg(_square(b, x))))


def _copysign_partials(b: _Rows, x: int, y: int, _: int) -> tuple[int, int]:
    """Return ∂/∂x and ∂/∂y of copysign(x, y). ∂/∂x is 1 for equal signs and −1 otherwise. ∂/∂y is 0."""
    one = b.const(1.0)
    return b.mul(b.bi("copysign", one, x), b.bi("copysign", one, y)), 0


def _pow_by_both(b: _Rows, x: int, power: int, otherwise: int) -> int:
    """Return the mixed derivative ∂²(x^y)/∂x∂y if x = 0, and `otherwise` if x ≠ 0.

    At x = 0, the mixed derivative is −∞ for y ≤ 1 and 0 for y > 1.
    power: x^(y−1). At x = 0, it is 0 for y > 1, and at least 1 for y ≤ 1.
    otherwise: the result for x ≠ 0. The mixed derivative is then a sum, and `otherwise` is one of its terms.
    """
    return b.select(b.bi("eq", x, b.const(0.0)), b.bi("pow_pole", power, b.const(-LEAST)), otherwise)


def _power_at(b: _Rows, row: int) -> tuple[int, ...]:
    """Return the operands (base, exponent) of a `pow` row. Return () for any other row."""
    return b.rows[row][1:] if row > 0 and b.rows[row][0] == "pow" else ()


def _pow_by_x_partials(b: _Rows, y: int, power: int, _: int) -> tuple[int, int]:
    """Return the partial derivatives of y·x^(y−1) with respect to its two factors, y and x^(y−1).

    At x = 0, we set the derivative with respect to y to the mixed derivative ∂²(x^y)/∂x∂y.
    """
    at = _power_at(b, power)
    return (_pow_by_both(b, at[0], power, power) if at else power), y


def _pow_by_y_partials(b: _Rows, power: int, log: int, _: int) -> tuple[int, int]:
    """Return the partial derivatives of x^y·log x with respect to its two factors, x^y and log x.

    At x = 0, the derivative with respect to log x comes from `_pow_by_both`.
    """
    at = _power_at(b, power)
    if not at:
        return log, power
    x, y = at
    return log, _pow_by_both(b, x, b.bi("pow", x, b.sub(y, b.const(1.0))), power)


def _mod_partials(b: _Rows, x: int, y: int, _: int) -> tuple[int, int]:
    """Return ∂(x % y)/∂x = 1 and ∂(x % y)/∂y = −(x // y)."""
    return b.const(1.0), b.neg(b.bi("floordiv", x, y))


def _hypot_partials(b: _Rows, x: int, y: int, z: int) -> tuple[int, int]:
    """Return the partial derivatives x/z and y/z of z = √(x² + y²). Both are 0 at x = y = 0."""
    at_zero = b.bi("eq", z, b.const(0.0))
    length = b.select(at_zero, b.const(1.0), z)
    zero = b.const(0.0)
    return b.select(at_zero, zero, b.div(x, length)), b.select(at_zero, zero, b.div(y, length))


def _powi_partials(b: _Rows, x: int, n: int, _: int) -> tuple[int]:
    """∂(x^n)/∂x = n·x^(n−1)."""
    return (b.mul(b.const(float(n)), b.powi(x, n - 1)),)
