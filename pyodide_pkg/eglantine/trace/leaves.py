"""Convert the leaves of a value to rows. Check the fields of structs and the bounds of indices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError, user_span
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import I32, Array
from eglantine.plain.symbolic import described
from eglantine.types import FinType, StructType, Type, field_names, is_complex, is_container
from eglantine.words.spelling import began, indices_below, letters_told, nearest

from .scalars import IndexValue
from .traced import Traced, lift


class Fields(dict[str, Any]):
    """A dict for a traced struct without a class. If a field is missing, the error lists all fields."""

    def __missing__(self, name: str) -> Any:
        raise TypeMismatchError(
            f"This struct has no field {name!r}{_letters(name)}. {fields_told(self)}",
            user_span(),
            nearest(str(name), self),
        )


def _letters(name: Any) -> str:
    """If the first letter of a name only looks like a Latin letter, say so in parentheses. Else return ""."""
    told = letters_told(name) if isinstance(name, str) else ""
    return f" ({told})" if told else ""


def fields_told(names: Iterable[str]) -> str:
    """Return a sentence for error messages that lists a struct's fields."""
    listed_names = ", ".join(names)
    return f"Use one of its fields: {listed_names}." if listed_names else "It has no fields at all."


def struct_parts(value: Any, of: StructType, where: str) -> list[tuple[Any, Type, str]]:
    """Return (value, type, name for error messages) for each field of a struct."""
    names = of.names
    if isinstance(value, dict):
        given = dict(value)
    elif is_container(value):
        given = {name: getattr(value, name) for name in field_names(type(value))}
    elif is_complex(value, of.fields):
        given = {"re": value.real, "im": value.imag}
    else:
        raise _unexpected(value, of, where)
    missing = [name for name in names if name not in given]
    extra = [name for name in given if name not in names]
    if missing or extra:
        what = f"no field {missing[0]!r}" if missing else f"an unknown field {extra[0]!r}"
        advice = "Add the missing fields." if missing else "Leave out the extra fields."
        raise TypeMismatchError(
            f"{_subject(where)} has {what}, but its fields must be {', '.join(names) or 'none at all'}. "
            f"{advice}"
        )
    return [(given[name], item, f"{where}.{name}") for name, item in of.fields]


def _fin_row(b: Builder, value: Any, n: int, where: str) -> int:
    if isinstance(value, IndexValue):
        lo, hi = value.bounds
        if hi < 0 or lo >= n:
            raise ShapeError(
                f"{_subject(where)} must be an index below {n}, but it ranges from {lo} to {hi}. Bound it, "
                "or use a larger Fin."
            )
        return b.check(lift(b, value), n)
    if isinstance(value, Traced | bool | float) or not hasattr(value, "__index__"):
        raise _unexpected(value, FinType(n), where)
    k = value.__index__()
    if not 0 <= k < n:
        raise ShapeError(
            f"{_subject(where)} takes {indices_below(n)}, but it was given the index {k}. Change the "
            "index, or use a larger Fin."
        )
    return b.int_const(k)


TABLE_FROM = 16
"""The least length of an array of constants that becomes data of the module. Code stores shorter arrays."""


def constant_or_stack(b: Builder, column: Sequence[int], of: Any) -> int:
    """Build an array of the rows in `column`. Many constants become one "table" row."""
    if len(column) >= TABLE_FROM and not isinstance(of, Array) and all(row < 0 for row in column):
        values = tuple(b.value(row) for row in column)
        if isinstance(of, I32):
            of = I32(min(values), max(values))
        return b.table(values, of)
    return b.stack(column, of)


def _subject(where: str) -> str:
    """Return a value's name in a form that can begin a sentence."""
    return began(where) if where else "The value here"


_OTHER = "Change the value, or the type that is declared."


def _unexpected(value: Any, of: Type, where: str, advice: str = _OTHER) -> TypeMismatchError:
    told = described(value)
    if len(told) > 80:
        told = f"{told[:77]}…"
    return TypeMismatchError(
        f"{_subject(where)} must have the type {_expected(of)}, but it is {told}. {advice}"
    )


def _expected(of: Type) -> str:
    return {"Unit": "None (Unit)"}.get(repr(of), repr(of))
