"""Convert between a user's plain values and leaves.

A leaf value is a float, bool or int, or nested lists of them with one level for each dimension. `flatten`
checks every value, so later code does not have to. NumPy arrays are recognised by their array interface, so
NumPy is not imported.
"""

from __future__ import annotations

import operator
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Number
from typing import Any, Final

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.leaves import Leaf, leaves
from eglantine.types import (
    BoolType,
    FinType,
    RealType,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    field_names,
    is_complex,
    is_container,
)
from eglantine.words.spelling import began, count, indices_below, listed

from .nested import flat_columns, grouped, joined, nested_lists
from .typeof import is_number, mismatch, plain_scalar

_FLOATS = {float}
_SCALARS: Final = {"i1": bool, "i32": int}


def flatten(
    value: Any, of: Type, where: str = "argument x", *, any_number: bool = False, buffers: bool = False
) -> list[Any]:
    """Check that `value` has the type `of`, and return its leaf values.

    where: the value's name in error messages.
    any_number: if true, a Real may be a number of any class, such as a Fraction. It is not converted.
    buffers: if true, return a `memoryview` for a Vec of Reals that is already a buffer of doubles.

    Raises: TypeMismatchError, ShapeError.
    """
    if type(value) is list and buffers and isinstance(of, VecType) and isinstance(of.of, RealType):
        if len(value) == of.n and set(map(type, value)) <= _FLOATS:  # by far the most usual argument
            return [memoryview(array("d", value))]
    elif type(value) is float and isinstance(of, RealType):
        return [value]
    return _Flattening(any_number, buffers).leaves(value, of, where)


class _Flattening:
    """One run of `flatten`, with its options."""

    __slots__ = ("any_number", "buffers")

    def __init__(self, any_number: bool, buffers: bool) -> None:
        self.any_number = any_number
        self.buffers = buffers

    def leaves(self, value: Any, of: Type, where: str) -> list[Any]:
        match of:
            case RealType():
                return [value if type(value) is float else self.real(value, where)]
            case BoolType():
                return [_bool(value, where)]
            case FinType(n):
                return [_index(value, n, where)]
            case UnitType():
                if value is not None:
                    raise mismatch(value, "None", where)
                return []
            case VecType():
                return self.vec(value, of, where)
            case TupleType(items):
                return self.by_position(value, items, where)
            case StructType(fields):
                return self.by_name(value, fields, where)
        raise TypeMismatchError(
            f"The type of {where} must be a type of eglantine, but it is {of!r}. Use a type such as eg.Real."
        )

    def real(self, value: Any, where: str) -> Any:
        value = plain_scalar(value)
        kind = type(value)
        if kind is float:
            return value
        if kind is not bool:
            if isinstance(value, float):
                return float(value)
            if isinstance(value, int):
                return int(value) if self.any_number else _float_of_int(value, where)
            if self.any_number and is_number(value):
                return value
            if isinstance(value, Number):
                raise mismatch(value, "a float", where, "Convert it, or use eg.interp.")
        raise mismatch(value, "a float", where, "Use eg.real to convert a Bool." if kind is bool else "")

    def vec(self, value: Any, of: VecType, where: str) -> list[Any]:
        n, element = of.n, of.of
        if self.buffers and hasattr(value, "__len__"):
            view = double_buffer(value, of)
            if view is not None:
                return [view]
        items = _items(value, of, where)
        if len(items) != n:
            raise ShapeError(
                f"{began(where)} must have {count(n, 'element')}, because its type is {of!r}, but it "
                f"has {len(items)}. Add or remove elements."
            )
        if self.buffers:
            buffers = flat_columns(items, element)
            if buffers is not None:
                return buffers
        match element:
            case RealType() if set(map(type, items)) <= _FLOATS:
                return [items]
            case RealType():
                return [[self.real(x, f"element {i} of {where}") for i, x in enumerate(items)]]
            case BoolType():
                return [[_bool(x, f"element {i} of {where}") for i, x in enumerate(items)]]
            case FinType(bound):
                return [[_index(x, bound, f"element {i} of {where}") for i, x in enumerate(items)]]
        return self.columns(items, element, where)

    def columns(self, items: list[Any], element: Type, where: str) -> list[Any]:
        """Flatten the items of a Vec. For each leaf of `element`, list the values it has in the items."""
        columns: list[list[Any]] = [[] for _ in leaves(element)]
        inner = _Flattening(self.any_number, buffers=False)
        for i, item in enumerate(items):
            values = inner.leaves(item, element, f"element {i} of {where}")
            for column, leaf in zip(columns, values, strict=True):
                column.append(leaf)
        return columns

    def by_position(self, value: Any, items: tuple[Type, ...], where: str) -> list[Any]:
        if not isinstance(value, tuple | list):
            raise mismatch(value, f"a tuple of {len(items)}", where)
        if len(value) != len(items):
            raise ShapeError(
                f"{began(where)} must be a tuple of {len(items)}, but it is a tuple of "
                f"{len(value)}. Add or remove items."
            )
        return [
            leaf
            for k, (x, item) in enumerate(zip(value, items, strict=True))
            for leaf in self.leaves(x, item, f"item {k} of {where}")
        ]

    def by_name(self, value: Any, fields: tuple[tuple[str, Type], ...], where: str) -> list[Any]:
        given = fields_of(value, fields, where)
        return [
            leaf for name, of in fields for leaf in self.leaves(given[name], of, f"field {name!r} of {where}")
        ]


def _float_of_int(value: int, where: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise TypeMismatchError(
            f"{began(where)} is an integer of {value.bit_length()} bits, which is too large for a "
            "float. Use a smaller number."
        ) from None


def _bool(value: Any, where: str) -> bool:
    if type(value) is bool:
        return value
    value = plain_scalar(value)
    if not isinstance(value, bool):
        raise mismatch(
            value, "a bool", where, "Compare it to make one." if isinstance(value, int | float) else ""
        )
    return value


def _index(value: Any, n: int, where: str) -> int:
    if type(value) is not int:
        value = plain_scalar(value)
        if isinstance(value, bool) or not hasattr(type(value), "__index__"):
            raise mismatch(value, indices_below(n), where)
        value = operator.index(value)
    if not 0 <= value < n:
        raise TypeMismatchError(
            f"{began(where)} takes {indices_below(n)}, but it is {value}. Change the index."
        )
    return value  # type: ignore[no-any-return]


def _items(value: Any, of: VecType, where: str) -> list[Any]:
    """The elements of a sequence, array or buffer, in a new list."""
    if isinstance(value, list | tuple):
        return list(value)
    as_list = getattr(value, "tolist", None)
    if as_list is not None and getattr(value, "shape", None) != ():
        return as_list()  # type: ignore[no-any-return]
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return list(value)
    raise mismatch(value, f"a list of {of.n} elements", where)


def fields_of(value: Any, fields: tuple[tuple[str, Type], ...], where: str) -> Mapping[str, Any]:
    """Return the fields of a dict, dataclass or NamedTuple by name. Check that the names fit `fields`."""
    wanted = [name for name, _ in fields]
    if isinstance(value, Mapping):
        given = value
    elif is_container(value):
        given = {name: getattr(value, name) for name in field_names(type(value))}
    elif is_complex(value, fields):
        given = {"re": value.real, "im": value.imag}
    else:
        raise mismatch(value, "a struct with the fields " + listed(wanted), where)
    missing = [name for name in wanted if name not in given]
    if missing:
        raise TypeMismatchError(
            f"{began(where)} needs the fields {listed(missing)} too, but it has "
            f"{listed(list(given)) or 'no fields'}. Add the missing fields."
        )
    if len(given) > len(wanted):
        extra = [name for name in given if name not in wanted]
        raise TypeMismatchError(
            f"{began(where)} must have only {listed(wanted) or 'the fields of an empty struct'}, but "
            f"it also has {listed(extra)}. Leave out the extra fields."
        )
    return given


def double_buffer(value: Any, of: VecType) -> memoryview | None:
    """Return a `memoryview` of a value if it is a row-major array of doubles of type `of`, else None.

    A NumPy array with another kind of number or another order is converted first.
    """
    if getattr(getattr(value, "dtype", None), "kind", "") in {"f", "i", "u"} and "numpy" in sys.modules:
        value = sys.modules["numpy"].ascontiguousarray(value, "float64")
    try:
        view = memoryview(value)
    except TypeError:
        return None
    (leaf, *more) = leaves(of) or (None,)
    if leaf is None or more or leaf.dtype != "f64" or not _is_plain(of):
        return None
    if view.format not in {"d", "<d", "=d"} or view.shape != leaf.dims or not view.c_contiguous:
        return None
    return view


def _is_plain(of: Type) -> bool:
    """True for a scalar type, and for a Vec or nested Vecs whose elements are scalars."""
    while isinstance(of, VecType):
        of = of.of
    return isinstance(of, RealType | BoolType | FinType)


def unflatten(of: Type, leaf_values: Sequence[Any], numpy: bool = False) -> Any:
    """Make the plain value of type `of` from its leaves.

    A Vec becomes a list, a Fin an int, a Unit None, and a struct an object of its class.

    numpy: if true, and NumPy is installed, a Vec of scalars becomes a NumPy array instead of a list. If a
        leaf is a buffer of doubles, the NumPy array uses this buffer without a copy.
    """
    return _unflatten(of, iter(leaf_values), _array_maker() if numpy else None)


def builder(of: Type) -> Callable[[Iterator[Any]], Any]:
    """Make a fast `unflatten` for one type. It takes an iterator of leaves, and returns the value."""
    match of:
        case RealType():
            return next
        case TupleType(items):
            parts = [*map(builder, items)]
            return lambda rest: tuple([part(rest) for part in parts])
        case StructType() if of.container is dict:
            fields = [(name, builder(item)) for name, item in of.fields]
            return lambda rest: {name: part(rest) for name, part in fields}
        case VecType() if _is_plain(of):
            (leaf,) = leaves(of)
            return lambda rest: _nested(next(rest), leaf)
    return lambda rest: _unflatten(of, rest, None)


def _unflatten(of: Type, rest: Iterator[Any], array: Callable[..., Any] | None) -> Any:
    match of:
        case RealType():
            return next(rest)
        case BoolType():
            return bool(next(rest))
        case FinType():
            return int(next(rest))
        case UnitType():
            return None
        case TupleType() | StructType():
            return of.pack(_unflatten(item, rest, array) for item in of.items)
        case VecType(n, element):
            if _is_plain(of):
                leaf = leaves(of)[0]
                return _nested(next(rest), leaf) if array is None else array(next(rest), leaf)
            return _elements(element, rest, n, array)
    raise TypeMismatchError(
        f"The type of a result must be a type of eglantine, but it is {of!r}. Use a type such as eg.Real."
    )


def _elements(of: Type, rest: Iterator[Any], n: int, array: Callable[..., Any] | None) -> list[Any]:
    """Make a list of n values of type `of`, from leaves whose first dimension has length n."""
    match of:
        case RealType() | FinType():
            return list(_lists(next(rest)))
        case BoolType():
            return list(map(bool, _lists(next(rest))))
        case VecType() if array is None and _is_plain(of):
            values = next(rest)
            leaf = leaves(of)[0]
            if isinstance(values, memoryview):
                return nested_lists(values, leaf.dtype == "i1")
            return [_nested(item, leaf) for item in values]
        case TupleType(items) if items:
            return list(zip(*[_elements(item, rest, n, array) for item in items], strict=True))
        case StructType(fields, container) if fields:
            names = [name for name, _ in fields]
            columns = [_elements(item, rest, n, array) for _, item in fields]
            return [container(zip(names, row, strict=True)) if container is dict
                    else container(**dict(zip(names, row, strict=True)))
                    for row in zip(*columns, strict=True)]  # fmt: skip
    buffers = [next(rest) for _ in leaves(of)]
    if isinstance(of, VecType) and array is None and (inner := joined(buffers, of)):
        return grouped(_elements(of.of, iter(inner), n * of.n, array), of.n)
    columns = [*map(_lists, buffers)]
    return [_unflatten(of, iter([column[i] for column in columns]), array) for i in range(n)]


def _nested(values: Any, leaf: Leaf) -> list[Any]:
    """Copy a leaf value, which may be a buffer, into new nested lists."""
    if isinstance(values, memoryview):
        return nested_lists(values, leaf.dtype == "i1")
    scalar = _SCALARS.get(leaf.dtype)

    def copied(items: list[Any], depth: int) -> list[Any]:
        if depth:
            return [copied(item, depth - 1) for item in items]
        return list(map(scalar, items)) if scalar else list(items)

    return copied(values, len(leaf.dims) - 1)


def _lists(values: Any) -> Any:
    """Convert a buffer to nested lists. Return anything else unchanged."""
    return values.tolist() if hasattr(values, "tolist") else values


def _array_maker() -> Callable[..., Any] | None:
    """A function that makes a NumPy array from a leaf value, or None if NumPy is not installed."""
    try:
        import numpy as np
    except ImportError:
        return None
    dtypes = {"f64": np.float64, "i1": np.bool_, "i32": np.int64}
    return lambda values, leaf: np.asarray(values, dtypes[leaf.dtype]).reshape(leaf.dims)


def has_array(value: Any) -> bool:
    """True if a value is a NumPy array or contains one. We check only the first element of a list."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, int | float) or value is None:
        return False
    if isinstance(value, tuple):
        return any(map(has_array, value))
    if isinstance(value, Mapping):
        return any(map(has_array, value.values()))
    if is_container(value):
        return any(has_array(getattr(value, name)) for name in field_names(type(value)))
    return hasattr(value, "__array_interface__") and bool(value.shape)


def on_leaves(
    host: Callable[..., Any], params: Sequence[Type], result: Type, name: str
) -> Callable[..., list[Any]]:
    """Wrap a host function of plain values. The wrapper takes and returns leaf values."""
    if all(isinstance(of, RealType) for of in params):
        return lambda *arguments: flatten(host(*arguments), result, f"the result of {name}")
    counts = [len(leaves(of)) for of in params]

    def called(*arguments: Any) -> list[Any]:
        rest = iter(arguments)
        values = [unflatten(of, [next(rest) for _ in range(n)]) for of, n in zip(params, counts, strict=True)]
        return flatten(host(*values), result, f"the result of {name}")

    return called
