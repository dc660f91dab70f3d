"""`eg.math`: functions of Reals, and of Vecs of Reals element by element.

Each function works on traced Reals, on Vecs of Reals and on plain numbers. For plain numbers, the result has
the same bits as in compiled code. We use these conventions: abs′(x) = copysign(1, x), sign(±0) = ±0, sqrt′(0)
= ∞, and hypot′(0, 0) = 0, like norm′(0). If the operands of maximum or minimum are equal, the derivative is
that of the second operand. The derivatives of floor, ceil, trunc, round and sign are 0.
"""

from __future__ import annotations

import math as _math
from typing import TYPE_CHECKING, Any

from eglantine.errors import TypeMismatchError
from eglantine.interpreter.machine import run as interpret
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.rules import Notation
from eglantine.mathlib.library import library
from eglantine.plain.symbolic import described
from eglantine.unknown import unknown_name

from .choices import select
from .elementwise import elementwise, real
from .scalars import IndexValue, RealValue, binary, unary
from .traced import Traced
from .vectors import VecValue

pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan


def _is_vector(value: Any) -> bool:
    return isinstance(value, VecValue | list) or bool(getattr(value, "shape", ()))


def _plain(op: str, name: str, *values: Any) -> Any:
    """Evaluate the primitive `op` on plain numbers. `name` is its name in `eg.math`, for messages."""
    own = getattr(values[0], op, None)
    if getattr(values[0], "__eglantine_operand__", False) and own is not None:
        return own()
    if any(isinstance(value, IndexValue) for value in values):
        reals = [real(value) if isinstance(value, IndexValue) else value for value in values]
        return unary(op, reals[0]) if len(reals) == 1 else binary(op, *reals)
    for value in values:
        if isinstance(value, Traced | bool | str) or not hasattr(value, "__float__"):
            raise TypeMismatchError(
                f"eg.math.{name} needs a Real, but it was given {described(value)}. Use eg.real to convert "
                "a Bool to a Real."
            )
    floats = [float(value) for value in values]
    evaluate = PRIMITIVES[op].evaluate
    return evaluate(*floats) if evaluate is not None else interpret(library(op), floats, library)[0]


def _of_one(op: str, name: str) -> Any:
    def function(x: Any) -> Any:
        if type(x) is RealValue:
            return unary(op, x)
        return elementwise(function, x) if _is_vector(x) else _plain(op, name, x)

    return function


def _of_two(op: str, name: str) -> Any:
    def function(x: Any, y: Any) -> Any:
        if type(x) is RealValue or type(y) is RealValue:
            if not (_is_vector(x) or _is_vector(y)):
                return binary(op, x, y)
        elif not (_is_vector(x) or _is_vector(y)):
            return _plain(op, name, x, y)
        return elementwise(function, x, y)

    return function


def _function(op: str) -> Any:
    """Make the function of `eg.math` for a primitive. The table of primitives has the name and docstring."""
    primitive = PRIMITIVES[op]
    notation = primitive.notation or Notation(doc="A derivative of the logarithm of Γ.")
    name = notation.name or op
    function = (_of_one if len(primitive.operands) == 1 else _of_two)(op, name)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = notation.doc
    return function


sqrt = _function("sqrt")
cbrt = _function("cbrt")
exp = _function("exp")
exp2 = _function("exp2")
expm1 = _function("expm1")
log = _function("log")
log2 = _function("log2")
log10 = _function("log10")
log1p = _function("log1p")
sin = _function("sin")
cos = _function("cos")
tan = _function("tan")
asin = _function("asin")
acos = _function("acos")
atan = _function("atan")
sinh = _function("sinh")
cosh = _function("cosh")
tanh = _function("tanh")
asinh = _function("asinh")
acosh = _function("acosh")
atanh = _function("atanh")
erf = _function("erf")
lgamma = _function("lgamma")
floor = _function("floor")
ceil = _function("ceil")
trunc = _function("trunc")
round = _function("nearest")
sign = _function("sign")
atan2 = _function("atan2")
hypot = _function("hypot")
pow = _function("pow")
copysign = _function("copysign")
minimum = _function("min")
maximum = _function("max")
where = select


def clip(x: Any, lo: Any, hi: Any) -> Any:
    """Limit x to the range from lo to hi. An x below lo becomes lo, and an x above hi becomes hi."""
    return minimum(maximum(x, lo), hi)


def polygamma(n: int, x: Any) -> Any:
    """The derivative of order n + 1 of log Γ at x, for n from 0 to 100."""
    if type(n) is not int or not 0 <= n <= LARGEST_ORDER:
        raise TypeMismatchError(
            f"The order of polygamma must be a whole number from 0 to {LARGEST_ORDER}, but it is "
            f"{described(n)}. The order comes first: write eg.math.polygamma(0, x)."
        )
    if n >= len(_POLYGAMMA):
        return _polygamma_n(float(n), x)
    return unary(f"polygamma{n}", x) if type(x) is RealValue else _POLYGAMMA[n](x)


LARGEST_ORDER = 100
"""The largest order that a call of `polygamma` may have. The orders in its derivatives may be larger."""

_POLYGAMMA = tuple(_function(f"polygamma{n}") for n in range(4))
_polygamma_n = _function("polygamma_n")


if not TYPE_CHECKING:  # if type checkers saw this, they would accept every name

    def __getattr__(name: str) -> Any:
        raise unknown_name(name, "eg.math", [known for known, value in globals().items() if _is_ours(value)])

    def _is_ours(value: Any) -> bool:
        return isinstance(value, float) or value is where or getattr(value, "__module__", "") == __name__
