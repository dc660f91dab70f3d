"""The transcendental functions, each written once in the operations of `Ops` and compiled like any function.

In the docstrings "seen" is the largest error against mpmath on about 20,000 points (tests/mathlib, nightly).
`FUNCTIONS` names them. A function's parameters after `o` are its f64 arguments, and its result is an f64; the
shared bodies at the table's end are reached only through `o.call`, and `remainder_huge` returns three f64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .explog import exp, exp2, expm1, log, log1p, log2, log10, pow
from .hyperbolic import acosh, asinh, atanh, cosh, half_exp, sinh, tanh
from .inverse_trig import acos, asin, atan, atan2
from .ops import Ops
from .remainders import floordiv, mod, remainder_large, remainder_rare
from .roots import cbrt, hypot
from .special import erf, lgamma, lgamma_positive, polygamma0, polygamma1, polygamma2, polygamma3
from .trig import cos, remainder_huge, sin, sin_quadrant, tan

__all__ = ["FUNCTIONS", "Ops", "arity"]

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log2": log2,
    "log10": log10,
    "log1p": log1p,
    "pow": pow,
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "atan2": atan2,
    "hypot": hypot,
    "cbrt": cbrt,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "erf": erf,
    "lgamma": lgamma,
    "polygamma0": polygamma0,
    "polygamma1": polygamma1,
    "polygamma2": polygamma2,
    "polygamma3": polygamma3,
    "half_exp": half_exp,
    "lgamma_positive": lgamma_positive,
    "sin_quadrant": sin_quadrant,
    "remainder_huge": remainder_huge,
    "mod": mod,
    "floordiv": floordiv,
    "remainder_rare": remainder_rare,
    "remainder_large": remainder_large,
}


def arity(name: str) -> int:
    """The number of f64 arguments of the named function."""
    return FUNCTIONS[name].__code__.co_argcount - 1
