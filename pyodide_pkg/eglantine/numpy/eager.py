"""`eg.Array`: the arrays that array functions return outside a trace."""

from __future__ import annotations

import operator
import sys
from array import array
from collections.abc import Iterator
from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.typeof import type_of
from eglantine.trace.from_numpy import called_by_numpy, function_of_numpy
from eglantine.types import (
    Real,
    RealType,
    StructType,
    TupleType,
    Type,
    VecType,
    scalar_of,
    shape_of_type,
    vec_type,
)


class Array:
    """An immutable array of float64 numbers in row-major order. It has the operators and methods of a Vec.

    `shape` and `ndim` are as in NumPy, and `tolist()` gives nested lists. `memoryview` reads the array
    without a copy.
    """

    __slots__ = ("_data", "_of", "shape")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = called_by_numpy
    __array_function__ = function_of_numpy
    __eglantine_operand__ = True

    def __init__(self, values: Any, shape: tuple[int, ...] | None = None, of: Type | None = None) -> None:
        """Make an array from nested lists. If `shape` is given, `values` is the flat list of its elements.

        of: the type of the elements. None means the type of the first element, or Real if there is none.
        """
        if shape is None:
            shape, values = _flat(values)
        self.shape = shape
        self._data = values if isinstance(values, array) else _stored(values)
        self._of = of or (Real if isinstance(self._data, array) else type_of(self._data[0]))

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self._data)

    @property
    def type(self) -> Type:
        """The type of the array: a Vec, or nested Vecs if there are several dimensions."""
        return vec_type(self.shape, self._of)

    def tolist(self) -> Any:
        """The elements as nested lists."""
        return _nested(list(self._data), self.shape)

    if TYPE_CHECKING:  # the loops below the class define them

        def _binary(self, other: Any) -> Array: ...
        def _unary(self) -> Array: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _binary
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _binary
        __lt__ = __le__ = __gt__ = __ge__ = _binary
        __neg__ = __pos__ = __abs__ = __invert__ = _unary

        def __matmul__(self, other: Any) -> Any: ...
        def __rmatmul__(self, other: Any) -> Any: ...

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, i: Any) -> Any:
        n = len(self)
        if isinstance(i, int) and not isinstance(i, bool) and -n <= i < n:
            step = prod(self.shape[1:])
            k = i % n * step
            if len(self.shape) == 1:
                return self._data[k]
            return Array(self._data[k : k + step], self.shape[1:], self._of)
        return _methods().subscript(self, i)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        numpy = sys.modules["numpy"]
        return numpy.array(_numbers(self._data), dtype=dtype).reshape(self.shape)

    def __buffer__(self, _: int) -> memoryview:
        return memoryview(self._data).toreadonly()

    def __bool__(self) -> bool:
        raise TypeMismatchError(
            f"An array of shape {self.shape} has no single truth value. Use enp.any(a) or enp.all(a)."
        )

    def __repr__(self) -> str:
        return f"Array({self.tolist()!r})"

    def __getattr__(self, name: str) -> Any:
        return _methods().method(self, name)


def _methods() -> Any:
    """Return the module with the methods of arrays. We import it late, because it imports this module."""
    return import_module("eglantine.numpy.methods")


def _stored(values: Any) -> Any:
    values = list(values)
    return array("d", values) if all(type(value) is float for value in values) else values


def _flat(values: Any) -> tuple[tuple[int, ...], Any]:
    shape: list[int] = []
    level = values.tolist() if hasattr(values, "tolist") else list(values)
    flat = level
    while isinstance(flat, list) and flat and isinstance(flat[0], list):
        shape.append(len(flat[0]))
        flat = [x for row in flat for x in row]
    scalars = [float(x) if isinstance(x, int) and not isinstance(x, bool) else x for x in flat]
    return (len(level), *shape), scalars


def _numbers(values: Any) -> Any:
    """Convert each Complex in a list of values to Python's complex number, for NumPy."""
    return [complex(z) for z in values] if len(values) and hasattr(values[0], "conj") else values


def _nested(values: list[Any], shape: tuple[int, ...]) -> Any:
    for n in reversed(shape[1:]):
        if n == 0:
            return _empty(shape)
        values = [values[k : k + n] for k in range(0, len(values), n)]
    return values


def _empty(shape: tuple[int, ...]) -> Any:
    return [] if not shape or shape[0] == 0 else [_empty(shape[1:]) for _ in range(shape[0])]


def is_numpy(value: Any) -> bool:
    """True if a value is a NumPy array."""
    return hasattr(value, "__array_interface__") and bool(getattr(value, "shape", ()))


def as_result(value: Any, of: Type, of_numpy: bool = False) -> Any:
    """Convert each Vec in a result to an Array, or to a NumPy array if `of_numpy`."""
    if isinstance(of, TupleType):
        return tuple(as_result(part, item, of_numpy) for part, item in zip(value, of.items, strict=True))
    if isinstance(of, StructType):
        parts = zip(of.parts(value), of.items, strict=True)
        return of.pack([as_result(part, item, of_numpy) for part, item in parts])
    if not isinstance(of, VecType):
        return value
    shape = shape_of_type(of)
    if of_numpy and not isinstance(value, list):
        return sys.modules["numpy"].array(value).reshape(shape)
    flat = value
    for _ in shape[1:]:
        flat = [x for row in flat for x in row]
    if of_numpy:
        return sys.modules["numpy"].array(_numbers(flat)).reshape(shape)
    if isinstance(scalar_of(of), RealType):
        return Array(array("d", flat), shape)
    return Array(list(flat), shape, scalar_of(of))


def _operator(name: str, reflected: bool = False) -> Any:
    def operate(self: Array, other: Any) -> Any:
        return _methods().operated(name, *((other, self) if reflected else (self, other)))

    return operate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    setattr(Array, f"__{_name}__", _operator(_name))
    setattr(Array, f"__r{_name}__", _operator(_name, reflected=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Array, f"__{_name}__", _operator(_name))


def _alone(name: str) -> Any:
    def operate(self: Array) -> Any:
        return _methods().operated(name, self)

    return operate


for _name in ("neg", "pos", "abs", "invert"):
    setattr(Array, f"__{_name}__", _alone(_name))
OPERATORS = {
    name: getattr(operator, f"{name}_" if name in ("and", "or") else name)
    for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
        "lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert",
    )
}  # fmt: skip
"""Python's operators by name."""
