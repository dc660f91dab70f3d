"""Advice for people who write names of Python, NumPy or JAX that Eglantine does not have.

The values in OF_MATHS and OF_PACKAGE are expressions that use only the names `eg`, `x`, `y` and `v`. A test
evaluates all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAME = (
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "lgamma", "floor", "ceil",
    "trunc", "sign",
)  # fmt: skip
"""Functions of one Real that have the same name in other libraries and in `eg.math`."""

_RENAMED = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "rint": "round", "round": "round", "around": "round", "fix": "trunc",
    "gammaln": "lgamma", "loggamma": "lgamma", "ln": "log", "sgn": "sign", "ceiling": "ceil",
}  # fmt: skip
"""Maps names of functions of one Real in other libraries to their names in `eg.math`."""

_PAIRS = {
    "atan2": "atan2", "arctan2": "atan2", "hypot": "hypot", "pow": "pow", "power": "pow",
    "float_power": "pow", "copysign": "copysign", "maximum": "maximum", "minimum": "minimum",
    "fmax": "maximum", "fmin": "minimum",
}  # fmt: skip
"""Maps names of functions of two Reals in other libraries to their names in `eg.math`."""

_IDENTITIES = {
    "abs": "abs(x)", "fabs": "abs(x)", "absolute": "abs(x)", "square": "x ** 2", "reciprocal": "1 / x",
    "negative": "-x", "fmod": "x - y * eg.math.trunc(x / y)", "mod": "x % y",
    "remainder": "x - y * eg.math.round(x / y)", "divmod": "(x // y, x % y)",
    "modf": "(x - eg.math.trunc(x), eg.math.trunc(x))", "ldexp": "x * 2.0 ** y", "fma": "x * y + x",
    "degrees": "x * (180 / eg.math.pi)", "rad2deg": "x * (180 / eg.math.pi)",
    "radians": "x * (eg.math.pi / 180)", "deg2rad": "x * (eg.math.pi / 180)",
    "gamma": "eg.math.exp(eg.math.lgamma(x)), for x > 0",
    "factorial": "eg.math.exp(eg.math.lgamma(x + 1)), for x > -1",
    "digamma": "eg.math.polygamma(0, x)", "psi": "eg.math.polygamma(0, x)", "erfc": "1 - eg.math.erf(x)",
    "cot": "1 / eg.math.tan(x)", "sec": "1 / eg.math.cos(x)", "csc": "1 / eg.math.sin(x)",
    "coth": "1 / eg.math.tanh(x)", "sech": "1 / eg.math.cosh(x)", "csch": "1 / eg.math.sinh(x)",
    "sinc": "eg.select(x == 0, 1.0, eg.math.sin(eg.math.pi * x) / (eg.math.pi * x))",
    "sigmoid": "1 / (1 + eg.math.exp(-x))", "logistic": "1 / (1 + eg.math.exp(-x))",
    "expit": "1 / (1 + eg.math.exp(-x))", "logit": "eg.math.log(x / (1 - x))",
    "relu": "eg.math.maximum(x, 0.0)", "leaky_relu": "eg.math.maximum(x, 0.01 * x)",
    "softplus": "eg.math.maximum(x, 0.0) + eg.math.log1p(eg.math.exp(-abs(x)))",
    "logaddexp": "eg.math.maximum(x, y) + eg.math.log1p(eg.math.exp(-abs(x - y)))",
    "logaddexp2": "eg.math.log2(eg.math.exp2(x) + eg.math.exp2(y))", "exp10": "10.0 ** x",
    "heaviside": "eg.select(x < 0, 0.0, eg.select(x > 0, 1.0, y))",
    "isnan": "x != x", "isinf": "abs(x) == eg.math.inf", "isfinite": "abs(x) < eg.math.inf",
    "signbit": "eg.math.copysign(1.0, x) < 0", "isclose": "abs(x - y) <= 1e-9 * abs(y)",
    "where": "eg.select(x > 0, x, y)", "clip": "eg.math.clip(x, 0.0, 1.0)",
    "sum": "eg.sum(v)", "fsum": "eg.sum(v)", "nansum": "eg.sum(v)", "mean": "eg.sum(v) / len(v)",
    "average": "eg.sum(v) / len(v)", "prod": "eg.fori_loop(0, len(v), lambda i, p: p * v[i], 1.0)",
    "var": "eg.sum((v - eg.sum(v) / len(v)) ** 2) / len(v)",
    "std": "eg.math.sqrt(eg.sum((v - eg.sum(v) / len(v)) ** 2) / len(v))",
    "max": "eg.math.maximum(x, y)", "min": "eg.math.minimum(x, y)",
    "amax": "eg.fori_loop(0, len(v), lambda i, m: eg.math.maximum(m, v[i]), v[0])",
    "amin": "eg.fori_loop(0, len(v), lambda i, m: eg.math.minimum(m, v[i]), v[0])",
    "dot": "eg.dot(v, v)", "vdot": "eg.dot(v, v)", "inner": "eg.dot(v, v)", "sumprod": "eg.dot(v, v)",
    "norm": "eg.norm(v)", "dist": "eg.norm(v - v)", "tau": "2 * eg.math.pi",
    "cumsum": "eg.scan(lambda total, a: (total + a, total + a), 0.0, v)[1]",
    "take": "eg.asarray([1.0, 2.0])[0]", "array": "eg.asarray([1.0, 2.0])",
    "asarray": "eg.asarray([1.0, 2.0])", "zeros": "eg.asarray([0.0] * 3)", "ones": "eg.asarray([1.0] * 3)",
    "arange": "eg.vec(3, eg.real)", "vmap": "eg.vec(3, lambda i: v[i] ** 2)",
}  # fmt: skip
"""Maps other names of functions to expressions that users can write instead."""

OF_MATHS: Mapping[str, str] = {
    **{
        name: f"eg.math.{ours}(x)"
        for name, ours in {**dict(zip(SAME, SAME, strict=True)), **_RENAMED}.items()
    },
    **{name: f"eg.math.{ours}(x, y)" for name, ours in _PAIRS.items()},
    **_IDENTITIES,
}
"""Maps names of functions in Python, NumPy and JAX to expressions that users can write instead."""

OF_PACKAGE: Mapping[str, str] = {
    "Float": "eg.Real", "Double": "eg.Real", "Number": "eg.Real", "Int": "eg.Fin(3)", "Index": "eg.Fin(3)",
    "Boolean": "eg.Bool", "Vector": "eg.Vec(3, eg.Real)", "Array": "eg.Vec(3, eg.Real)",
    "List": "eg.Vec(3, eg.Real)", "Matrix": "eg.Vec(2, eg.Vec(2, eg.Real))", "Tuple": "(eg.Real, eg.Real)",
    "Struct": "eg.struct", "dataclass": "eg.struct", "function": "eg.fn", "gradient": "eg.grad",
    "derivative": "eg.grad", "diff": "eg.grad", "jacobian": "eg.jacfwd", "if_": "eg.cond",
    "ifelse": "eg.select", "for_loop": "eg.fori_loop", "while_": "eg.while_loop", "print": "eg.debug_print",
    "custom_jvp": "eg.fn",
}  # fmt: skip
"""Maps names of types and transforms in other libraries to expressions that users can write instead."""

_TYPES_MEANT = {
    "int": "eg.Fin(n) for an index below n, or eg.Real", "complex": "eg.Complex", "Vec": "eg.Vec(3, eg.Real)",
    "Fin": "eg.Fin(3)", "list": "eg.Vec(3, eg.Real) for three numbers", "bool_": "eg.Bool",
    "tuple": "(eg.Real, eg.Real) for two numbers", "dict": '{"x": eg.Real} for one named number',
    "ndarray": "eg.Vec(3, eg.Real) for an array of three numbers", "float64": "eg.Real",
    "float32": "eg.Real", "int64": "eg.Fin(n) for an index below n, or eg.Real",
}  # fmt: skip


def type_meant(written: Any) -> str:
    """`written` is not a type. Return a sentence that suggests a type instead, or "" if no type fits."""
    meant = _TYPES_MEANT.get(getattr(written, "__name__", ""), "")
    if isinstance(written, str) and written.isidentifier():
        meant = f"eg.{written} without quotes" if written in _TYPE_NAMES else ""
    elif isinstance(written, list) and written:
        meant = f"eg.Vec({len(written)}, T) for a list of {len(written)} values of one type T, or a tuple"
    elif isinstance(written, type) and not meant:
        return " Decorate the class with @eg.struct to make a struct of it."
    elif isinstance(written, int | float):
        meant = "eg.Real for a number"
    return f" Write {meant}." if meant else ""


_TYPE_NAMES = frozenset({"Real", "Bool", "Unit"})
