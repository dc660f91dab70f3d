"""Let NumPy's functions accept traced values and `eg.Array`s, by calling our functions instead.

NumPy calls methods of these values: `np.sin(v)` calls `v.__array_ufunc__`, and `np.dot(v, w)` calls
    `v.__array_function__`. So this module does not import NumPy.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import current

from .traced import not_a_number
from .types_of import vec_of

_OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv",
    "floor_divide": "floordiv", "remainder": "mod", "mod": "mod", "power": "pow", "float_power": "pow",
    "negative": "neg", "positive": "pos", "absolute": "abs", "fabs": "abs", "matmul": "matmul",
    "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
    "equal": "eq", "not_equal": "ne", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
    "logical_and": "and", "logical_or": "or", "logical_xor": "xor", "logical_not": "invert",
    "invert": "invert",
}  # fmt: skip
"""For each NumPy function that implements an operator of Python for arrays, the name of the operator."""

_FORMULAS: dict[str, Callable[[Any], Any]] = {
    "reciprocal": lambda x: 1.0 / x,
    "radians": lambda x: x * (math.pi / 180.0),
    "deg2rad": lambda x: x * (math.pi / 180.0),
    "degrees": lambda x: x * (180.0 / math.pi),
    "rad2deg": lambda x: x * (180.0 / math.pi),
}
"""For some NumPy functions that we do not have, a function that computes the same value."""

_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any",
}  # fmt: skip
"""Maps NumPy's ufuncs to our reductions. For example, `np.add.reduce` becomes our `sum`."""

_SAME = {"amax": "max", "amin": "min", "fmax": "maximum", "fmin": "minimum", "around": "round"}
"""For each NumPy function that has another name in our module, our name."""

_PROPERTIES = {"shape": (), "ndim": 0, "size": 1}
"""For each NumPy function that reads a property of an array, the value of the property for a plain number."""

_HOMES = {"numpy": "eglantine.numpy", "numpy.linalg": "eglantine.numpy.linalg"}


def called_by_numpy(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """The method `__array_ufunc__`. NumPy calls it if `self` is an argument of a ufunc.

    Raises: TypeMismatchError if we have no function for this ufunc.
    """
    name = ufunc.__name__
    given = {option: value for option, value in options.items() if value is not None}
    if method == "reduce" and name in _REDUCTIONS and given.keys() <= {"axis", "keepdims"}:
        reduce = getattr(import_module("eglantine.numpy"), _REDUCTIONS[name])
        return reduce(*inputs, **{"axis": 0} | options)
    if method != "__call__":
        raise not_a_number(self, f"Write a loop with eg.vec or eg.scan instead of np.{name}.{method}")
    if given:
        raise TypeMismatchError(
            f"np.{name} of a traced value or an array takes no {' and no '.join(given)}. Leave them out."
        )
    if name in _OPERATORS:
        return _operated(_OPERATORS[name], inputs)
    if name in _FORMULAS:
        return _FORMULAS[name](*inputs)
    function = _ours(name, "eglantine.numpy")
    if function is None:
        raise not_a_number(self)
    return function(*map(_operand, inputs))


def function_of_numpy(self: Any, function: Any, _: Any, args: Any, named: Any) -> Any:
    """The method `__array_function__`. NumPy calls it if `self` is an argument of a NumPy function.

    Raises: TypeMismatchError if we have no such function.
    """
    name = function.__name__
    if name in _PROPERTIES and len(args) == 1:
        return getattr(args[0], name, _PROPERTIES[name])
    ours = _ours(name, _HOMES.get(function.__module__, ""))
    if ours is None:
        raise not_a_number(self)
    return ours(*args, **named)


def _ours(name: str, home: str) -> Any:
    """Return the function of our module `home` that corresponds to the NumPy function `name`, or None."""
    if not home:
        return None
    module, name = import_module(home), _SAME.get(name, name)
    function = getattr(module, name, None)
    return function if name in getattr(module, "__all__", ()) or hasattr(function, "__wrapped__") else None


def _operated(name: str, inputs: Any) -> Any:
    if current.get() is None:
        return import_module("eglantine.numpy.methods").operated(name, *inputs)
    operate: Callable[..., Any] = getattr(operator, f"{name}_" if name in ("and", "or") else name)
    return operate(*map(_operand, inputs))


def _operand(value: Any) -> Any:
    """While tracing, convert a NumPy number to a Python number, and a NumPy array to a Vec."""
    if current.get() is None or not hasattr(value, "__array_interface__"):
        return value
    if not value.shape:
        return value.item()
    return vec_of(value)
