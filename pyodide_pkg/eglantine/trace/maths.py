"""`eg.math`: functions of Reals, traced or plain, and elementwise of Vecs.

Each works on traced Reals, on Vecs of them (scalars broadcast) and on plain numbers, where it gives the very
bits that compiled code gives. Conventions at kinks: abs′ = copysign(1, x), sign(±0) = ±0, ties of maximum and
minimum go to the second operand, sqrt′(0) = ∞; hypot′(0, 0) = 0, as norm′(0); derivatives of floor, ceil,
trunc, round and sign are 0.
"""

from __future__ import annotations

import math as _math
from typing import TYPE_CHECKING, Any

from eglantine.errors import TypeMismatchError
from eglantine.interpreter.machine import run as interpret
from eglantine.ir.primitives import PRIMITIVES
from eglantine.mathlib.library import library
from eglantine.plain.symbolic import described
from eglantine.unknown import unknown_name

from .choices import select
from .elementwise import elementwise, real
from .scalars import IndexValue, RealValue, binary, unary
from .traced import Traced, promotes
from .vectors import VecValue

pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan


def _is_vector(value: Any) -> bool:
    return isinstance(value, VecValue | list) or bool(getattr(value, "shape", ()))


def _plain(op: str, name: str, *values: Any) -> Any:
    """A primitive of plain numbers, for `eg.math.<name>`."""
    own = getattr(values[0], op, None)
    if getattr(values[0], "__eglantine_operand__", False) and own is not None:
        return own()
    if any(isinstance(value, IndexValue) for value in values) and promotes():
        reals = [real(value) if isinstance(value, IndexValue) else value for value in values]
        return unary(op, reals[0]) if len(reals) == 1 else binary(op, *reals)
    for value in values:
        if isinstance(value, Traced | bool | str) or not hasattr(value, "__float__"):
            raise TypeMismatchError(
                f"Found {described(value)} as an argument of eg.math.{name}, expected a Real; use "
                "eg.real for "
                "an index or Bool."
            )
    floats = [float(value) for value in values]
    evaluate = PRIMITIVES[op].evaluate
    return evaluate(*floats) if evaluate is not None else interpret(library(op), floats, library)[0]


def _unary(op: str, doc: str, name: str | None = None) -> Any:
    def function(x: Any) -> Any:
        if type(x) is RealValue:
            return unary(op, x)
        return elementwise(function, x) if _is_vector(x) else _plain(op, name or op, x)

    function.__name__ = function.__qualname__ = name or op
    function.__doc__ = doc
    return function


def _binary(op: str, doc: str, name: str | None = None) -> Any:
    def function(x: Any, y: Any) -> Any:
        if type(x) is RealValue or type(y) is RealValue:
            if not (_is_vector(x) or _is_vector(y)):
                return binary(op, x, y)
        elif not (_is_vector(x) or _is_vector(y)):
            return _plain(op, name or op, x, y)
        return elementwise(function, x, y)

    function.__name__ = function.__qualname__ = name or op
    function.__doc__ = doc
    return function


sqrt = _unary("sqrt", "The square root, correctly rounded; NaN below 0; derivative ∞ at 0.")
cbrt = _unary("cbrt", "The cube root.")
exp = _unary("exp", "e to the power x.")
exp2 = _unary("exp2", "2 to the power x.")
expm1 = _unary("expm1", "e to the power x, minus 1, accurate near 0.")
log = _unary("log", "The natural logarithm.")
log2 = _unary("log2", "The logarithm to base 2.")
log10 = _unary("log10", "The logarithm to base 10.")
log1p = _unary("log1p", "The natural logarithm of 1 + x, accurate near 0.")
sin = _unary("sin", "The sine of x radians.")
cos = _unary("cos", "The cosine of x radians.")
tan = _unary("tan", "The tangent of x radians.")
asin = _unary("asin", "The arc sine, from −π/2 to π/2.")
acos = _unary("acos", "The arc cosine, from 0 to π.")
atan = _unary("atan", "The arc tangent, from −π/2 to π/2.")
sinh = _unary("sinh", "The hyperbolic sine.")
cosh = _unary("cosh", "The hyperbolic cosine.")
tanh = _unary("tanh", "The hyperbolic tangent.")
asinh = _unary("asinh", "The inverse hyperbolic sine.")
acosh = _unary("acosh", "The inverse hyperbolic cosine.")
atanh = _unary("atanh", "The inverse hyperbolic tangent.")
erf = _unary("erf", "The error function.")
lgamma = _unary("lgamma", "The logarithm of |Γ(x)|.")
floor = _unary("floor", "The greatest whole number that is at most x.")
ceil = _unary("ceil", "The least whole number that is at least x.")
trunc = _unary("trunc", "x without its fraction.")
round = _unary("nearest", "The nearest whole number, ties to even.", "round")
sign = _unary("sign", "1 or −1 by the sign of x; ±0 and NaN as they are.")
atan2 = _binary("atan2", "The angle of the point (y, x = second argument), from −π to π.")
hypot = _binary("hypot", "√(x² + y²) without overflow; its derivatives at (0, 0) are 0.")
pow = _binary(
    "pow",
    "x to the power y, as IEEE 754 and C have it; ∂/∂y counts 0^y as constant; at (0, 1) ∂²/∂x∂y is −∞.",
)
copysign = _binary("copysign", "|x| with the sign of y; a NaN counts as positive.")
minimum = _binary("min", "The lesser of x and y; NaN if either is; a tie's derivative goes to y.", "minimum")
maximum = _binary("max", "The greater of x and y; NaN if either is; a tie's derivative goes to y.", "maximum")
where = select


def clip(x: Any, lo: Any, hi: Any) -> Any:
    """x, or the nearer of the bounds lo and hi."""
    return minimum(maximum(x, lo), hi)


def polygamma(n: int, x: Any) -> Any:
    """Derivative n + 1 of the logarithm of Γ at x, for n from 0 to 3."""
    if type(n) is not int or n not in (0, 1, 2, 3):
        raise TypeMismatchError(
            f"Found {described(n)} as the order of polygamma, expected a whole number from 0 to 3; the order "
            "comes first: write eg.math.polygamma(0, x)."
        )
    return unary(f"polygamma{n}", x) if type(x) is RealValue else _POLYGAMMA[n](x)


_POLYGAMMA = tuple(_unary(f"polygamma{n}", "A derivative of the logarithm of Γ.") for n in range(4))


if not TYPE_CHECKING:  # a type checker would take every name to be known

    def __getattr__(name: str) -> Any:
        raise unknown_name(name, "eg.math", [known for known, value in globals().items() if _is_ours(value)])

    def _is_ours(value: Any) -> bool:
        return isinstance(value, float) or value is where or getattr(value, "__module__", "") == __name__
