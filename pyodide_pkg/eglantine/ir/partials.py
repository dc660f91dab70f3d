"""Partial derivatives of primitives that take more than one expression."""

from __future__ import annotations

import math
from typing import Any

from eglantine.errors import MissingDerivativeError, span_of

from .rules import _Rows


def _flat(*_: Any) -> tuple[int, ...]:
    """Derivative zero: floor and its like."""
    return (0,)


def _reciprocal(b: _Rows, x: int) -> int:
    return b.div(b.const(1.0), x)


def _square(b: _Rows, x: int) -> int:
    return b.mul(x, x)


def _pow_partials(b: _Rows, x: int, y: int, z: int) -> tuple[int, int]:
    """∂(x^y)/∂x = y·x^(y−1); ∂/∂y = x^y·log x, where 0^y counts as constant in y.

    At x = 0 log x counts as 0, so the product rule does not give the mixed derivative x^(y−1)·(1 + y·log x).
    Both products are therefore operations of their own, and the logarithm's base passes x's tangent on.
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


def _no_slope_of_polygamma3(b: _Rows, *_: int) -> tuple[int, ...]:
    raise MissingDerivativeError(
        "Found the derivative of polygamma(3, x), expected at most polygamma(3, x) itself, where the library "
        "ends; differentiate once less.",
        span_of(b.source),
    )
