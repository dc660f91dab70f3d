"""The leaves of a value as rows: struct fields, Fin elements, stacked arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError, user_span
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import I32, Array
from eglantine.plain.symbolic import described
from eglantine.types import FinType, StructType, Type, field_names, is_complex, is_container
from eglantine.words.spelling import indices_below, letters_told, nearest

from .scalars import IndexValue
from .traced import Traced, lift


class Fields(dict[str, Any]):
    """A traced struct without a class: a dict whose errors list its fields."""

    def __missing__(self, name: str) -> Any:
        raise TypeMismatchError(
            f"Found the field {name!r} asked of a struct{_letters(name)}; expected one of "
            f"{', '.join(self) or 'none at all'}.",
            user_span(),
            nearest(str(name), self),
        )


def _letters(name: Any) -> str:
    """A clause about a letter of a name that looks like another one."""
    told = letters_told(name) if isinstance(name, str) else ""
    return f" ({told})" if told else ""


def struct_parts(value: Any, of: StructType, where: str) -> list[tuple[Any, Type, str]]:
    """The fields of a struct's value with their types and places."""
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
        raise TypeMismatchError(
            f"Found a struct with {what}{_at(where)}; expected the fields {', '.join(names)}."
        )
    return [(given[name], item, f"{where}.{name}") for name, item in of.fields]


def _fin_row(b: Builder, value: Any, n: int, where: str) -> int:
    if isinstance(value, IndexValue):
        lo, hi = value.bounds
        if hi < 0 or lo >= n:
            raise ShapeError(f"Found an index from {lo} to {hi}{_at(where)}, expected one below {n}.")
        return b.check(lift(b, value), n)
    if isinstance(value, Traced | bool | float) or not hasattr(value, "__index__"):
        raise _unexpected(value, FinType(n), where)
    k = value.__index__()
    if not 0 <= k < n:
        raise ShapeError(f"Found the index {k}{_at(where)}, expected {indices_below(n)}.")
    return b.int_const(k)


TABLE_FROM = 16
"""An array of at least this many constants becomes data of the module; shorter ones are stored by code."""


def constant_or_stack(b: Builder, column: Sequence[int], of: Any) -> int:
    """The array of `column`: a table if it is long and constant."""
    if len(column) >= TABLE_FROM and not isinstance(of, Array) and all(row < 0 for row in column):
        values = tuple(b.value(row) for row in column)
        if isinstance(of, I32):
            of = I32(min(values), max(values))
        return b.table(values, of)
    return b.stack(column, of)


def _at(where: str) -> str:
    return f" for {where}" if where else ""


def _unexpected(value: Any, of: Type, where: str, advice: str = "") -> TypeMismatchError:
    told = described(value)
    if len(told) > 80:
        told = f"{told[:77]}…"
    return TypeMismatchError(f"Found {told}{_at(where)}, expected {_expected(of)}{advice}.")


def _expected(of: Type) -> str:
    return {"Unit": "None (Unit)"}.get(repr(of), repr(of))
