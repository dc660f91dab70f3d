"""What arrays can do, inside a trace and outside: operators, subscripts and methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import current
from eglantine.trace.vectors import VecValue
from eglantine.trace.views import subscripted

from . import creation, elements, ordering, reductions, shaping
from .calls import array_function
from .eager import OPERATORS

METHODS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(reductions, name)
        for name in (
            "sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax", "any", "all", "cumsum",
            "cumprod", "dot",
        )
    },
    "argsort": ordering.argsort, "clip": elements.clip, "diagonal": creation.diagonal,
    "flatten": shaping.ravel,
    "ravel": shaping.ravel, "repeat": shaping.repeat, "reshape": shaping.reshape_method,
    "round": elements.round,
    "squeeze": shaping.squeeze, "swapaxes": shaping.swapaxes, "trace": creation.trace,
    "transpose": shaping.transpose_method,
}  # fmt: skip
"""The methods of Vecs and arrays."""


def method(array: Any, name: str) -> Any:
    """The method of an array, or its transpose `T`.

    Raises: AttributeError if there is none of this name.
    """
    if name == "T":
        return shaping.transpose(array)
    f = METHODS.get(name)
    if f is None:
        raise AttributeError(f"{_class_of(array)!r} object has no attribute {name!r}", name=name, obj=array)

    def call(*args: Any, dtype: Any = None, out: Any = None, **named: Any) -> Any:
        if dtype is not None or out is not None:
            raise TypeMismatchError(f"{name} of an array takes no dtype and no out. Leave them out.")
        return f(array, *args, **named)  # np.sum(v) calls v.sum(axis=None, dtype=None, out=None)

    return call


def _class_of(array: Any) -> str:
    """The name of an array's class, as Python's own errors say it."""
    return "VecValue" if isinstance(array, VecValue) else type(array).__name__


@array_function("name")
def _operated(name: str, a: Any, b: Any = None) -> Any:
    return OPERATORS[name](a) if b is None else OPERATORS[name](a, b)


def operated(name: str, a: Any, b: Any = None) -> Any:
    """`a + b` and its like."""
    return _operated(name, a, b)


@array_function("i")
def _subscript(a: Any, i: Any) -> Any:
    return subscripted(a, i)


@array_function()
def _element(a: Any, i: Any) -> Any:
    return a[i]


def subscript(a: Any, i: Any) -> Any:
    """`a[i]` of an array outside a trace, or of one that a traced index meets."""
    return _element(a, i) if current.get() is not None else _subscript(a, i)
