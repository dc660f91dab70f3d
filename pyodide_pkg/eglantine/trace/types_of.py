"""The type of a value while a function is being traced."""

from __future__ import annotations

from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import current, described
from eglantine.types import (
    Bool,
    FinType,
    Index,
    Real,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    field_name,
    field_names,
    is_container,
)

from .scalars import BoolValue, IndexValue, RealValue, is_plain_bool, is_plain_number
from .traced import Traced
from .vectors import VecValue, _refs, rows_of


def vec_of(items: Any) -> VecValue:
    """An array or list as a traced Vec."""
    b = current.get()
    of = type_of(items)
    if b is None or not isinstance(of, VecType):
        raise TypeMismatchError(f"Found {items!r} outside a function; expected a traced Vec.")
    return VecValue(of, None, [Traced(b, row) for row in rows_of(b, items, of)])


def is_traced(value: Any) -> bool:
    """Whether a value holds anything traced."""
    return bool(_refs(value)) or _has_vec(value)


def _has_vec(value: Any) -> bool:
    if isinstance(value, VecValue):
        return True
    if isinstance(value, dict):
        return any(_has_vec(item) for item in value.values())
    return isinstance(value, list | tuple) and any(_has_vec(item) for item in value)


def type_of(value: Any) -> Type:
    """The type of a value where nothing declares one.

    Raises: TypeMismatchError for values that have none, such as an empty list.
    """
    if isinstance(value, RealValue):
        return Real  # type: ignore[no-any-return]
    if isinstance(value, BoolValue) or is_plain_bool(value):
        return Bool  # type: ignore[no-any-return]
    if isinstance(value, Index | IndexValue):
        return _type_of_index(value)
    if isinstance(value, VecValue):
        return value.type
    if value is None:
        return UnitType()
    if isinstance(value, dict):
        return StructType(tuple((field_name(name), type_of(part)) for name, part in value.items()))
    if is_container(value):
        names = field_names(type(value))
        return StructType(tuple((name, type_of(getattr(value, name))) for name in names), type(value))
    if isinstance(value, tuple):
        return TupleType(tuple(type_of(part) for part in value))
    if isinstance(value, list) or bool(getattr(value, "shape", ())) or hasattr(value, "typecode"):
        return _type_of_list(list(value))
    if is_plain_number(value):
        return Real  # type: ignore[no-any-return]
    raise TypeMismatchError(
        f"Found {described(value)}, which has no type here; expected "
        f"{_OF_KINDS.get(type(value).__name__, 'numbers, tuples, lists or dicts')}."
    )


_VALUES = "numbers, tuples, lists or dicts; "
_OF_KINDS = {
    "complex": "an eg.Complex",
    "coroutine": _VALUES + "call functions without `async`",
    "generator": _VALUES + "write [… for …] for a list",
    "set": _VALUES + "write a list, which has an order",
    "frozenset": _VALUES + "write a list, which has an order",
    "function": _VALUES + "call it, or check the order of the arguments",
    "builtin_function_or_method": _VALUES + "call it, or check the order of the arguments",
    "At": "a Vec; write v.at[i].set(x) or v.at[i].add(x)",
}


def _type_of_index(value: Index | IndexValue) -> FinType:
    if isinstance(value, Index):
        return FinType(value.n)
    lo, hi = value.bounds
    if lo < 0:
        raise TypeMismatchError(
            f"Found an index from {lo} to {hi} as a result; expected one that is never negative; use "
            "eg.real(i), or eg.Fin(n)(i) to check it."
        )
    return FinType(hi + 1)


def _type_of_list(items: list[Any]) -> VecType:
    if not items:
        raise TypeMismatchError(
            "Found an empty list where its type is not declared; write eg.asarray([], type)."
        )
    first = type_of(items[0])
    for item in items[1:]:
        other = type_of(item)
        if isinstance(first, FinType) and isinstance(other, FinType):
            first = FinType(max(first.n, other.n))
        elif other != first:
            raise TypeMismatchError(
                f"Found a list of {first!r} and {other!r}; expected one type; use a tuple."
            )
    return VecType(len(items), first)
