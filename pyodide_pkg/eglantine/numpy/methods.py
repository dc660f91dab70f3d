"""The operators, subscripts and methods of arrays, inside a trace and outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import current
from eglantine.trace.constants import whole
from eglantine.trace.elementwise import real
from eglantine.trace.vectors import VecValue
from eglantine.trace.views import subscripted
from eglantine.types import BoolType, RealType, scalar_of

from . import creation, elements, ordering, reductions, shaping
from .building import array_of
from .calls import array_function
from .eager import OPERATORS, Array


@array_function("dtype")
def astype(a: Any, dtype: Any) -> Any:
    """Convert the elements to Reals (if dtype is `float`) or to Bools (`bool`: x becomes x ≠ 0).

    `int` is allowed only for Bools and indices, and leaves them unchanged.
    Raises: TypeMismatchError for Reals that should become integers.
    """
    is_real = isinstance(scalar_of(a.type), RealType)
    if dtype is bool:
        return a != 0.0 if is_real else a
    if dtype is int and is_real:
        raise TypeMismatchError(
            "An array of Reals cannot be converted to integers. Write eg.index(x, n) to convert one Real x "
            "to an index below n. To round and keep Reals, use enp.floor or enp.round."
        )
    creation.check_dtype(float if dtype is int else dtype)
    return a if is_real or dtype is int else real(a)


METHODS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(reductions, name)
        for name in (
            "sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax", "any", "all", "cumsum",
            "cumprod", "dot",
        )
    },
    "argsort": ordering.argsort, "astype": astype, "copy": lambda a: a, "clip": elements.clip,
    "diagonal": creation.diagonal,
    "flatten": shaping.ravel,
    "ravel": shaping.ravel, "repeat": shaping.repeat, "reshape": shaping.reshape_method,
    "round": elements.round,
    "squeeze": shaping.squeeze, "swapaxes": shaping.swapaxes, "trace": creation.trace,
    "transpose": shaping.transpose_method,
}  # fmt: skip
"""Maps the name of each method to a function whose first argument is the Vec or array."""


def method(array: Any, name: str) -> Any:
    """Look up an attribute of an array: a method, the transpose `T`, or `at`.

    Raises: AttributeError if there is no method of this name.
    """
    if name == "T":
        return shaping.transpose(array)
    if name == "at":
        return Place(array, ()) if current.get() is None else array_of(array).at
    f = METHODS.get(name)
    if f is None:
        raise AttributeError(f"{_class_of(array)!r} object has no attribute {name!r}", name=name, obj=array)

    def call(*args: Any, dtype: Any = None, out: Any = None, **named: Any) -> Any:
        if dtype is not None or out is not None:
            raise TypeMismatchError(
                f"{name} of an array does not take the arguments `dtype` and `out`. Remove these arguments."
            )
        return f(array, *args, **named)  # np.sum(v) calls v.sum(axis=None, dtype=None, out=None)

    return call


class Place:
    """The place `a.at[i]` of an array outside a trace. Its methods `set` and `add` return a new array."""

    __slots__ = ("_array", "_path")

    def __init__(self, array: Any, path: tuple[Any, ...]) -> None:
        self._array = array
        self._path = path

    def __getitem__(self, i: Any) -> Place:
        return Place(self._array, i if isinstance(i, tuple) else (i,))

    def set(self, x: Any) -> Any:
        """The array with x at this place."""
        return _changed("set", self._path, self._array, x)

    def add(self, x: Any) -> Any:
        """The array with x added at this place."""
        return _changed("add", self._path, self._array, x)


@array_function("how", "path")
def _changed(how: str, path: tuple[Any, ...], a: Any, x: Any) -> Any:
    return getattr(a.at[path], how)(x)


def _class_of(array: Any) -> str:
    """The name of an array's class, for an error message like Python's own."""
    return "VecValue" if isinstance(array, VecValue) else type(array).__name__


@array_function("name")
def _operated(name: str, a: Any, b: Any = None) -> Any:
    return OPERATORS[name](a) if b is None else OPERATORS[name](a, b)


def operated(name: str, a: Any, b: Any = None) -> Any:
    """Apply the operator `name`, such as "add" for a + b, to arrays outside or inside a trace."""
    return _operated(name, a, b)


@array_function("i")
def _subscript(a: Any, i: Any) -> Any:
    return subscripted(a, i)


@array_function()
def _element(a: Any, i: Any) -> Any:
    return a[i]


def subscript(a: Any, i: Any) -> Any:
    """Return `a[i]`. The array a was made outside a trace. Inside a trace, i may be traced."""
    if current.get() is not None:
        return _element(a, i)
    return _subscript(a, tuple(map(_index, i)) if isinstance(i, tuple) else _index(i))


def _index(i: Any) -> Any:
    """Return an array of whole numbers as lists of integers. Return other subscripts unchanged."""
    if not isinstance(i, Array) or isinstance(i._of, BoolType):
        return i
    numbers = whole(i)
    return i if numbers is None else numbers
