"""All mathematical primitives, computed by mpmath with many digits."""

from __future__ import annotations

from typing import Any

import mpmath
from mpmath import mpf

from eglantine.ir.functions import FUNCTIONS

LARGEST_ODD = 2.0**53
"""All larger floats are even."""
MORE_DIGITS = 500


def _where(name: str, is_inside: Any) -> Any:
    """Return a version of an mpmath function that returns None where mpmath's value is complex."""
    return lambda x: getattr(mpmath, name)(x) if is_inside(x) else None


def _power(x: Any, y: Any) -> Any:
    if x < 0 and y != mpmath.floor(y):
        return None
    if x and abs(y) > LARGEST_ODD:  # mpmath would multiply hundreds of times
        with mpmath.workdps(MORE_DIGITS):
            return mpmath.exp(y * mpmath.log(abs(x)))
    return mpmath.power(x, y) if x or y else mpf(1)


def _lgamma(x: Any) -> Any:
    return mpmath.log(abs(mpmath.gamma(x)))


PRECISE: dict[str, Any] = {
    **{name: getattr(mpmath, name, None) for name in FUNCTIONS},
    "abs": abs,
    "sqrt": _where("sqrt", lambda x: x >= 0),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "exp2": lambda x: mpmath.power(2, x),
    "log": _where("log", lambda x: x > 0),
    "log1p": _where("log1p", lambda x: x > -1),
    "log2": lambda x: mpmath.log(x, 2) if x > 0 else None,
    "log10": _where("log10", lambda x: x > 0),
    "asin": _where("asin", lambda x: abs(x) <= 1),
    "acos": _where("acos", lambda x: abs(x) <= 1),
    "acosh": _where("acosh", lambda x: x >= 1),
    "atanh": _where("atanh", lambda x: abs(x) < 1),
    "lgamma": _lgamma,
    "copysign": lambda x, y: abs(x) if y >= 0 else -abs(x),
    "min": min,
    "max": max,
    "trunc": lambda x: mpmath.floor(x) if x > 0 else mpmath.ceil(x),
    "nearest": lambda x: mpf(round(x)) if abs(x) < 2.0**60 else x,
    "pow": _power,
    "mod": lambda x, y: x - y * mpmath.floor(x / y),
    "floordiv": lambda x, y: mpmath.floor(x / y),
    **{f"polygamma{n}": (lambda x, n=n: mpmath.polygamma(n, x)) for n in range(4)},
    "polygamma_n": lambda n, x: mpmath.polygamma(int(n), x),
}
"""Name of a function → the same function with mpmath. Outside its domain it returns None."""
