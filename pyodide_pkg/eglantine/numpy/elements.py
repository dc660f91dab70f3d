"""Elementwise functions: choices, tests, and the functions of `eg.math` (also under NumPy's names)."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import elementwise
from eglantine.trace.scalars import BoolValue
from eglantine.trace.shapes import shape_of

from .calls import array_function
from .reductions import all as all_of


def _of(name: str, f: Callable[..., Any], arguments: int) -> Callable[..., Any]:
    """Make a function of arrays from f, which already works on numbers and Vecs."""

    def of_one(x: Any) -> Any:
        return f(x)

    def of_two(x: Any, y: Any) -> Any:
        return f(x, y)

    function = of_one if arguments == 1 else of_two
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f.__doc__
    return array_function()(function)


def _each(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of arrays that applies a function of numbers to each element."""

    def call(*operands: Any) -> Any:
        return elementwise(call, *operands) if any(map(shape_of, operands)) else f(*operands)

    call.__doc__ = f.__doc__
    return call


ONE = (
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "lgamma", "floor", "ceil",
    "trunc", "sign",
)  # fmt: skip
TWO = ("atan2", "hypot", "pow", "copysign", "minimum", "maximum")
OTHER_NAMES = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "arctan2": "atan2", "rint": "round",
}  # fmt: skip


def _logaddexp(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)). If x and y are equal, both partial derivatives are ½."""
    top, below = select(x > y, x, y), select(x > y, y, x)
    gap = below - top
    return select(gap == gap, top + maths.log1p(maths.exp(gap)), x + y)


def _sinc(x: Any) -> Any:
    angle = math.pi * select(x == 0.0, 1e-20, x)
    return maths.sin(angle) / angle


def _heaviside(x: Any, at_zero: Any) -> Any:
    return select(x == x, select(x == 0.0, at_zero, select(x > 0.0, 1.0, 0.0)), x)


def _holds(x: Any) -> Any:
    """Convert a number to a Bool: True if it is not 0. Return a Bool unchanged."""
    return x if isinstance(x, bool | BoolValue) else x != 0.0


OPERATORS: dict[str, tuple[Callable[..., Any], int]] = {
    "abs": (abs, 1), "absolute": (abs, 1), "negative": (operator.neg, 1), "square": (lambda x: x * x, 1),
    "add": (operator.add, 2), "subtract": (operator.sub, 2), "multiply": (operator.mul, 2),
    "divide": (operator.truediv, 2), "mod": (operator.mod, 2), "floor_divide": (operator.floordiv, 2),
    "power": (operator.pow, 2), "isnan": (lambda x: x != x, 1),
    "isfinite": (lambda x: abs(x) < maths.inf, 1), "isinf": (lambda x: abs(x) == maths.inf, 1),
    "true_divide": (operator.truediv, 2), "remainder": (operator.mod, 2), "positive": (lambda x: x * 1.0, 1),
    "fabs": (abs, 1), "reciprocal": (lambda x: 1.0 / x, 1),
    **dict.fromkeys(("degrees", "rad2deg"), (lambda x: x * (180.0 / math.pi), 1)),
    **dict.fromkeys(("radians", "deg2rad"), (lambda x: x * (math.pi / 180.0), 1)),
    "less": (operator.lt, 2), "less_equal": (operator.le, 2), "greater": (operator.gt, 2),
    "greater_equal": (operator.ge, 2), "equal": (operator.eq, 2), "not_equal": (operator.ne, 2),
}  # fmt: skip
OF_NUMBERS: dict[str, tuple[Callable[..., Any], int]] = {
    "logaddexp": (_logaddexp, 2), "sinc": (_sinc, 1), "heaviside": (_heaviside, 2),
    "fmax": (lambda x, y: select(x != x, y, select(y != y, x, maths.maximum(x, y))), 2),
    "fmin": (lambda x, y: select(x != x, y, select(y != y, x, maths.minimum(x, y))), 2),
    "logical_and": (lambda x, y: _holds(x) & _holds(y), 2),
    "logical_or": (lambda x, y: _holds(x) | _holds(y), 2),
    "logical_xor": (lambda x, y: _holds(x) ^ _holds(y), 2), "logical_not": (lambda x: ~_holds(x), 1),
}  # fmt: skip
"""Maps names to (function of numbers, number of arguments). `_each` makes functions of arrays from these."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _of(name, getattr(maths, name), 1) for name in ONE},
    **{name: _of(name, getattr(maths, name), 2) for name in TWO},
    **{name: _of(name, getattr(maths, ours), 2 if ours in TWO else 1) for name, ours in OTHER_NAMES.items()},
    **{name: _of(name, f, arguments) for name, (f, arguments) in OPERATORS.items()},
    **{name: _of(name, _each(f), arguments) for name, (f, arguments) in OF_NUMBERS.items()},
}
"""Maps names to functions of arrays. They compute each element of the result separately."""


@array_function()
def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition holds, else y."""
    return (
        elementwise(select, condition, x, y)
        if any(map(shape_of, (condition, x, y)))
        else select(condition, x, y)
    )


@array_function("n")
def polygamma(n: int, x: Any) -> Any:
    """The derivative of order n + 1 of log Γ at each element, for n from 0 to 3."""
    return maths.polygamma(n, x)


@array_function("decimals")
def round(a: Any, decimals: int = 0) -> Any:
    """Round each element to `decimals` digits after the point. A tie is rounded to the even neighbour."""
    if decimals == 0:
        return maths.round(a)
    scale = 10.0 ** abs(decimals)
    return maths.round(a * scale) / scale if decimals > 0 else maths.round(a / scale) * scale


@array_function()
def nan_to_num(x: Any, *, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace NaN and ±∞ among the elements of x by numbers, by default 0 and ± the largest float."""
    high = sys.float_info.max if posinf is None else posinf
    low = -sys.float_info.max if neginf is None else neginf
    finite = where(x == maths.inf, high, where(x == -maths.inf, low, x))
    return where(x == x, finite, nan)


@array_function()
def clip(a: Any, a_min: Any = None, a_max: Any = None) -> Any:
    """Limit the elements of `a` to the interval from a_min to a_max. None means no bound."""
    if a_min is not None:
        a = maths.maximum(a, a_min)
    return a if a_max is None else maths.minimum(a, a_max)


@array_function("rtol", "atol", "equal_nan")
def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """True if |a − b| ≤ atol + rtol·|b|, or if a and b are the same infinity.

    If `equal_nan` is true, the result is also true for two NaNs.
    """
    near = abs(a - b) <= atol + rtol * abs(b)
    close = (near & (abs(b) < maths.inf)) | (a == b)
    return close | ((a != a) & (b != b)) if equal_nan else close


@array_function("rtol", "atol", "equal_nan")
def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """True if all elements are close (see `isclose`)."""
    close = isclose(a, b, rtol, atol, equal_nan)
    return all_of(close) if shape_of(close) else close
