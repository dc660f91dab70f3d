"""Columns of values. A column has the values of one leaf at many points. `Kernel.batch` uses columns."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from eglantine.emit.layout import FORMATS, SIZES, byte_count, bytes_of
from eglantine.errors import ShapeError
from eglantine.leaves import leaves
from eglantine.plain.marshal import fields_of, flatten
from eglantine.plain.typeof import mismatch
from eglantine.types import (
    BoolType,
    FinType,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    is_complex,
    is_container,
    scalar_of,
    shape_of_type,
    vec_type,
)
from eglantine.words.spelling import began, count

ZEROS = 1 << 10
"""The length of the block of zeros that we repeat. CPython 3.11 repeats a single zero ten times as slowly."""


class Shared(NamedTuple):
    """An argument that has the same value at all points, such as a parameter's default."""

    value: Any


class Part(NamedTuple):
    """A part of an argument: one column, or one value for all points. A struct of columns has several parts.

    of: the type of the value at one point.
    where: the value's name in error messages.
    """

    value: Any
    of: Type
    where: str
    is_shared: bool


class Input(NamedTuple):
    """The bytes of one leaf of an argument.

    at: the address in memory at which the leaf's column begins.
    size: the number of bytes of the leaf at one point.
    data: the bytes for all points. If all points share one value, `data` has one copy of it for each point of
        a chunk.
    """

    at: int
    size: int
    data: Any
    is_shared: bool

    def chunk(self, start: int, m: int) -> Any:
        """Return the bytes for m points. The first of them is point `start`."""
        if self.is_shared:
            start = 0
        return self.data[start * self.size : (start + m) * self.size]


def parts_of(value: Any, of: Type, where: str) -> Iterator[Part]:
    """Split an argument into columns and scalars, in the order of the parameter's leaves.

    A dict or struct is split into its fields. For a tuple parameter, a tuple of lists or tuples is one column
    of points. Any other tuple is split into its items.
    """
    inner, shape = scalar_of(of), shape_of_type(of)
    if isinstance(value, Shared):
        yield Part(value.value, of, where, is_shared=True)
    elif isinstance(inner, StructType) and _is_struct(value) and not is_complex(value, inner.fields):
        given = fields_of(value, inner.fields, where)
        for name, item in inner.fields:
            yield from parts_of(given[name], vec_type(shape, item), f"field {name!r} of {where}")
    elif isinstance(of, TupleType) and _is_tuple_of_columns(value, len(of.items)):
        for k, (part, item) in enumerate(zip(value, of.items, strict=True)):
            yield from parts_of(part, item, f"item {k} of {where}")
    else:
        yield Part(value, of, where, _is_scalar(value) and not isinstance(of, VecType))


def _is_scalar(value: Any) -> bool:
    return not hasattr(value, "__len__") or getattr(value, "shape", None) == ()


def _is_struct(value: Any) -> bool:
    return isinstance(value, Mapping) or is_container(value)


def _is_tuple_of_columns(value: Any, n: int) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == n
        and not is_container(value)
        and not all(isinstance(part, tuple | list) for part in value)
    )


def points_of(parts: Sequence[Part]) -> int:
    """Return the number of points. Check that all columns have this length.

    Raises: TypeMismatchError, ShapeError.
    """
    columns = [part for part in parts if not part.is_shared]
    for part in parts:
        if not columns or not (part.is_shared or hasattr(part.value, "__len__")):
            raise mismatch(part.value, "a sequence of values", part.where)
    n = len(columns[0].value)
    for part in columns:
        if len(part.value) != n:
            raise ShapeError(
                f"{began(part.where)} must have {count(n, 'value')} like {columns[0].where}, but it has "
                f"{len(part.value)}. Give each column a value for each point."
            )
    return n


def inputs_of(part: Part, places: Iterator[dict[str, Any]], n: int, chunk: int) -> list[Input]:
    """Make an `Input` for each leaf of a part.

    places: an iterator over the descriptions of the leaves in the ABI.
    n: the number of points.
    chunk: the largest number of points in a chunk.
    """
    value, of, where, is_shared = part
    if is_shared:
        value, n = [value], 1
    values = flatten(value, VecType(n, of), where, buffers=True)
    inputs = []
    for leaf, place in zip(values, places, strict=False):
        dims = place["dims"][1:]
        size = byte_count(place["dtype"], dims)
        data = bytes_of(leaf, place["dtype"], (n, *dims)) if size * n else b""
        if is_shared:
            data = bytes(data) * chunk
        inputs.append(Input(place["at"], size, data, is_shared))
    return inputs


def empty_column(place: dict[str, Any], n: int, numpy: bool) -> Any:
    """Make an array for the values of a leaf at n points.

    numpy: if true, make a NumPy array whose elements are not initialised. This makes a batch of a short
        function a third faster.
    """
    code = FORMATS[place["dtype"]]
    length = n * byte_count(place["dtype"], place["dims"][1:]) // SIZES[place["dtype"]]
    if numpy:
        return sys.modules["numpy"].empty(length, code)
    column = array(code, [0]) * min(length, ZEROS)
    zeros, rest = column[:], length % ZEROS
    if length > ZEROS:
        column = zeros * (length // ZEROS)
        column.extend(zeros[:rest])
    return column


def columns_as(of: Type, columns: Iterator[Any], n: int, numpy: bool) -> Any:
    """Put n values of type `of` into a struct of arrays.

    columns: an iterator over the leaves of `of`. It gives the n values of each leaf.
    numpy: if true, return NumPy arrays. Otherwise, Reals and indices become an `array`, Bools become a list,
        and Vecs become an `eg.Array` with one more dimension.
    """
    inner, shape = scalar_of(of), shape_of_type(of)
    if isinstance(inner, UnitType):
        return None
    if isinstance(inner, TupleType | StructType):
        return inner.pack(columns_as(vec_type(shape, item), columns, n, numpy) for item in inner.items)
    column: Any = next(columns)
    if numpy:
        return _numpy_array(column, inner).reshape((n, *shape))
    if isinstance(inner, BoolType):
        column = list(map(bool, column))
    if shape:
        column = column.tolist() if isinstance(inner, FinType) else column
        column = import_module("eglantine.numpy.eager").Array(column, (n, *shape))
    return column


def _numpy_array(column: Any, of: Type) -> Any:
    """Convert the values of a leaf to a NumPy array. An array of doubles is not copied."""
    dtype = {"f64": "float64", "i1": "bool", "i32": "int64"}[leaves(of)[0].dtype]
    return sys.modules["numpy"].asarray(column, dtype)
