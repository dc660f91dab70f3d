"""Convert between nested lists and flat buffers, one level at a time.

One Python operation on a long list is much faster than one operation for each element. So `flat_columns`
joins all lists of a level, and checks the types of all elements at once. If it finds an unusual type, it
returns None. Then the caller checks each element, and says which element is wrong.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Any

from eglantine.leaves import leaves
from eglantine.types import BoolType, FinType, RealType, StructType, TupleType, Type, UnitType, VecType

_LISTS = {list, tuple}


def flat_columns(items: Sequence[Any], of: Type) -> list[memoryview] | None:
    """Flatten many values of type `of`. For each leaf, return a buffer of the values it has in the items.

    Returns None if a value has an unusual class or does not fit the type.
    """
    columns: list[memoryview] = []
    return columns if _collect(items, of, columns) else None


def _collect(items: Sequence[Any], of: Type, columns: list[memoryview]) -> bool:
    """Append the buffers of the items' leaves to `columns`. Return False if an item is not of type `of`."""
    kinds = set(map(type, items))
    match of:
        case RealType():
            return kinds <= {float, int} and _append("d", items, columns)
        case BoolType():
            return kinds <= {bool} and _append("i", items, columns)
        case FinType(n):
            in_range = not items or (kinds == {int} and min(items) >= 0 and max(items) < n)
            return in_range and _append("i", items, columns)
        case UnitType():
            return kinds <= {NoneType}
        case VecType(n, element):
            if not kinds <= _LISTS:
                if not all(hasattr(kind, "tolist") for kind in kinds):
                    return False
                items = [item.tolist() for item in items]
                if not set(map(type, items)) <= {list}:
                    return False
            return set(map(len, items)) <= {n} and _collect([*chain.from_iterable(items)], element, columns)
        case TupleType(parts):
            return kinds <= _LISTS and set(map(len, items)) <= {len(parts)} and all(
                _collect([*map(itemgetter(k), items)], part, columns) for k, part in enumerate(parts)
            )  # fmt: skip
        case StructType(fields, container):
            return _collect_fields(items, fields, container, kinds, columns)
    return False


def _collect_fields(
    items: Sequence[Any],
    fields: tuple[tuple[str, Type], ...],
    container: type,
    kinds: set[type],
    columns: list[memoryview],
) -> bool:
    getter: Any = attrgetter
    if kinds <= {dict}:
        getter = itemgetter
        if not set(map(len, items)) <= {len(fields)}:
            return False
    elif kinds != {container}:
        return False
    try:
        return all(_collect([*map(getter(name), items)], part, columns) for name, part in fields)
    except KeyError:
        return False


def _append(code: str, items: Sequence[Any], columns: list[memoryview]) -> bool:
    try:
        columns.append(memoryview(array(code, items)))
    except OverflowError:
        return False
    return True


def nested_lists(values: memoryview, is_bool: bool) -> list[Any]:
    """Convert a buffer to nested lists of its elements.

    is_bool: if true, convert the elements from integers to truth values.
    """
    if not is_bool:
        return values.tolist()
    dims = values.shape or ()
    flat: list[Any] = [*map(bool, values.cast("B").cast(values.format).tolist())]  # type: ignore[call-overload]
    for n in reversed(dims[1:]):
        flat = grouped(flat, n)
    return flat


def grouped(items: list[Any], n: int) -> list[list[Any]]:
    """The items in lists of n, which is not 0."""
    return [items[k : k + n] for k in range(0, len(items), n)]


def joined(columns: Sequence[Any], of: Type) -> list[memoryview] | None:
    """In each column, replace the Vecs by their elements, one after the other. Return the new columns.

    Returns None if a column is not a buffer.
    """
    both = zip(columns, leaves(of), strict=True)
    if not all(isinstance(column, memoryview) for column in columns):
        return None
    return [
        column.cast("B").cast(column.format, (len(column) * leaf.dims[0], *leaf.dims[1:]))
        for column, leaf in both
    ]
