"""Compute the rows that are not primitives: updates, accumulators, checks, prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from eglantine.errors import AssertionFailedError, ShapeError, span_of
from eglantine.ir.program import Block
from eglantine.ir.row_types import DYNAMIC, I32, Acc, Array, Row, RowType, element_type
from eglantine.ir.traps import index_message

from .arithmetic import Arithmetic

Act: TypeAlias = Callable[[list[Any]], Any]
"""Computes a row's value from the values of its frame."""


def _act(block: Block, number: int, arithmetic: Arithmetic) -> Act:
    row = block.rows[number]
    match row:
        case ("select", p, a, b):
            of = block.types[number]
            # An arithmetic of intervals has `choice`, because a comparison p of intervals may be undecided.
            choice = getattr(arithmetic, "choice", None)
            if choice is not None and not isinstance(of.leaf if isinstance(of, Array) else of, I32):
                return lambda values: choice(values[p], values[a], values[b])
            return lambda values: values[a] if values[p] else values[b]
        case ("proj", a, k):
            return lambda values: values[a][k]
        case ("powi", a, n):
            return lambda values: arithmetic.power(values[a], n)
        case ("check", a, n):
            return lambda values: _checked(values[a], n, block.sources[number])
        case ("index", a, i):
            return lambda values: values[a][values[i]]
        case ("update" | "update_add" as op, a, i, x):
            updated = _updated if op == "update" else _updated_by
            return lambda values: updated(values[a], values[i], values[x])
        case ("stack", elements):
            return lambda values: [values[x] for x in elements]
        case ("zeros", of):
            return lambda values: _zero_of(of, arithmetic.zero)
        case ("table", entries):
            table = [arithmetic.constant(x) if type(x) is float else x for x in entries]
            return lambda values: table
        case ("require", (p,), text):
            return lambda values: _required(values[p], text, block.sources[number])
    return _acting(row, block.types[number], arithmetic)


def _acting(row: Row, of: RowType, arithmetic: Arithmetic) -> Act:
    match row:
        case ("acc", sizes, _) if sizes:
            part = element_type(of)
            return lambda values: ([[_zero_of(part, arithmetic.zero) for _ in range(values[sizes[0]])]], 0)
        case ("acc", *_):
            return lambda values: ([_zero_of(of, arithmetic.zero)], 0)
        case ("print", operands, text):
            return lambda values: print(text.format(*(values[x] for x in operands)))
        case ("acc_index", a, i):
            return lambda values: (_content(values[a]), values[i])
        case ("acc_read", a):
            return lambda values: _content(values[a])
        case ("add_to", a, x):
            return lambda values: _add_to(values[a], values[x])
    raise NotImplementedError(f"The interpreter does not know the operation {row[0]!r}.")


def _updated(array: list[Any], i: int, x: Any) -> list[Any]:
    array = array.copy()
    array[i] = x
    return array


def _updated_by(array: list[Any], i: int, x: Any) -> list[Any]:
    return _updated(array, i, array[i] + x)


def _content(place: tuple[list[Any], int]) -> Any:
    holder, key = place
    return holder[key]


def _add_to(place: tuple[list[Any], int], x: Any) -> None:
    """Add x in place to an accumulator, or to a part of an accumulator. Add arrays element by element.

    We change the lists instead of replacing them, because other rows may refer to the lists.
    """
    holder, key = place
    if isinstance(x, list):
        for i, element in enumerate(x):
            _add_to((holder[key], i), element)
    else:
        holder[key] = holder[key] + x


def _zero_of(of: RowType, zero: Any) -> Any:
    """Return 0 for a scalar type, and new nested lists of zeros for an array type."""
    if not isinstance(of, Array | Acc):
        return {"f64": zero, "i1": False}.get(of.dtype, 0)
    scalar = _zero_of(of.leaf, zero) if isinstance(of, Array) else zero

    def nested(dims: tuple[int, ...]) -> Any:
        return [nested(dims[1:]) for _ in range(dims[0] % DYNAMIC)] if dims else scalar

    return nested(of.dims)


def _required(p: bool, text: str, source: Any) -> None:
    if not p:
        raise AssertionFailedError(text, span_of(source))


def _checked(i: int, n: int, source: Any) -> int:
    if 0 <= i < n:
        return i
    raise ShapeError(index_message(n, i), span_of(source))
