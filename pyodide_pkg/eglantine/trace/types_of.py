"""Find the type of a value while a function is traced."""

from __future__ import annotations

from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.plain.symbolic import current, described
from eglantine.types import (
    Bool,
    FinType,
    Index,
    Real,
    RealType,
    StructType,
    TupleType,
    Type,
    UnitType,
    VecType,
    field_name,
    field_names,
    is_container,
)
from eglantine.words.spelling import began

from .common_types import common_type
from .scalars import BoolValue, IndexValue, RealValue, is_plain_bool, is_plain_number
from .traced import Traced
from .vectors import VecValue, _refs, rows_of


def vec_of(items: Any) -> VecValue:
    """Convert an array or list to a traced Vec."""
    b = current.get()
    of = type_of(items)
    if b is None or not isinstance(of, VecType):
        raise TypeMismatchError(
            f"A traced Vec is needed here, but {items!r} was given outside a function. Call this inside an "
            "eg.fn."
        )
    return VecValue(of, None, [Traced(b, row) for row in rows_of(b, items, of)])


def is_traced(value: Any) -> bool:
    """True if a value is a traced value or contains one."""
    return bool(_refs(value)) or _has_vec(value)


def _has_vec(value: Any) -> bool:
    if isinstance(value, VecValue):
        return True
    if isinstance(value, dict):
        return any(_has_vec(item) for item in value.values())
    return isinstance(value, list | tuple) and any(_has_vec(item) for item in value)


def type_of(value: Any) -> Type:
    """Infer the type of a value, which may contain traced values.

    Raises: TypeMismatchError for a value that has no type of its own, such as an empty list.
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
        f"{began(described(value))} has no type here. {_OF_KINDS.get(type(value).__name__, _VALUES)}."
    )


_VALUES = "Use numbers, tuples, lists or dicts"
_OF_KINDS = {
    "complex": "Use an eg.Complex",
    "coroutine": _VALUES + ". Call functions without `async`",
    "generator": _VALUES + ". Write [… for …] for a list",
    "set": _VALUES + ". Write a list, which has an order",
    "frozenset": _VALUES + ". Write a list, which has an order",
    "function": _VALUES + ". Call it, or check the order of the arguments",
    "builtin_function_or_method": _VALUES + ". Call it, or check the order of the arguments",
    "At": "Write v.at[i].set(x) or v.at[i].add(x), which give a Vec",
}


def _type_of_index(value: Index | IndexValue) -> FinType:
    if isinstance(value, Index):
        return FinType(value.n)
    lo, hi = value.bounds
    if lo < 0:
        raise TypeMismatchError(
            f"An index must never be negative, but this result ranges from {lo} to {hi}. Use "
            "eg.real(i), or eg.Fin(n)(i) to check it."
        )
    return FinType(hi + 1)


def _type_of_list(items: list[Any]) -> VecType:
    if not items:
        raise TypeMismatchError(
            "An empty list does not tell the type of its elements, and no type is declared here. Write "
            "eg.asarray([], type)."
        )
    first = type_of(items[0])
    for item in items[1:]:
        other = type_of(item)
        if isinstance(first, FinType | RealType) and isinstance(other, FinType | RealType):
            first = common_type(first, other, "the elements of a list")
        elif other != first:
            raise TypeMismatchError(
                f"The elements of a list must have one type, but these are {first!r} and {other!r}. Use a "
                "tuple."
            )
    return VecType(len(items), first)
