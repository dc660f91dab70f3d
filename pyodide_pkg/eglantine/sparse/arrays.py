"""The dependencies of arrays: read an element at an index, or replace an element."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from .dependencies import (
    MOST_MEMBERS,
    NOTHING,
    Depends,
    Parts,
    as_columns,
    either,
    entered,
    gathered,
    members,
    of_sets,
    settled,
)  # fmt: skip
from .streams import (
    ABSENT,
    LARGEST_TABLE,
    Condition,
    Number,
    Sets,
    Stream,
    TooLarge,
    Within,
    as_stream,
    combined,
    inserted,
    tabulated,
)
from .substitution import guarded, substituted


def whole(value: Any, space: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    """Convert `Parts` to one `Depends`. Convert an array of whole numbers to one stream over its dimensions.

    Return None if the whole numbers are unknown.
    """
    if not isinstance(value, Parts):
        return value.column() if isinstance(value, Within) else value
    if not value.elements:
        return NOTHING
    elements = [whole(element, space, dims[1:]) for element in value.elements]
    if not isinstance(elements[0], Depends):
        return _numbers(elements, space, dims)
    try:
        return _together(elements, space, dims)
    except TooLarge:
        total = 0
        for element in elements:
            total |= gathered(element)
        return Depends(total, frozenset())


def _numbers(elements: list[Number], space: tuple[int, ...], dims: tuple[int, ...]) -> Number:
    full = space + dims
    if len(dims) == 1 and all(isinstance(x, int) for x in elements):
        return tabulated(elements, full, [len(space)])  # type: ignore[arg-type]
    if None in elements:
        return None
    inner = space + dims[1:]
    columns = [as_stream(x, inner) for x in elements if x is not None]
    try:
        return _concatenated(columns, len(space), dims[0])
    except TooLarge:
        return None


def _concatenated(columns: Sequence[Stream | None], k: int, n: int) -> Stream:
    """Join n streams over the same loops. The result has a further loop of n rounds at position k."""
    first = next(column for column in columns if column is not None)
    step = _progression(columns)
    if step is not None:
        wide = inserted(first, k, n)
        return wide._replace(strides=(*wide.strides[:k], step, *wide.strides[k + 1 :]))
    over = sorted({d for column in columns if column is not None for d in column.used})
    length = prod(first.dims[d] for d in over)
    if length * n > LARGEST_TABLE:
        raise TooLarge
    entries: list[int] = []
    sets: list[tuple[int, ...]] = []
    starts: dict[int, int] = {}
    with_sets = any(column is not None and column.sets is not None for column in columns)
    for column in columns:
        numbers: Sequence[int] = [ABSENT] * length if column is None else column.column(over)
        entries += _positions(column, numbers, sets, starts) if with_sets and column is not None else numbers
    wide = tabulated(entries, first.dims, over, Sets(sets) if with_sets else None)
    wide = inserted(wide, k, n)
    return wide._replace(strides=(*wide.strides[:k], length, *wide.strides[k + 1 :]))


def _positions(column: Stream, numbers: Sequence[int], sets: list[tuple[int, ...]], starts: dict[int, int]
               ) -> Sequence[int]:  # fmt: skip
    """Append a column's sets to the list `sets`. For each number of the column, return the place of its set.

    If the column has no sets, each number becomes a set of its own.
    starts: maps the id of each `Sets` that was appended before to the place of its first set in the list.
    """
    first = len(sets)
    if column.sets is None:
        sets += [(x,) if x >= 0 else () for x in numbers]
        return range(first, len(sets))
    start = starts.setdefault(id(column.sets), first)
    if start == first:
        sets += column.sets.of
    return [start + x if x >= 0 else ABSENT for x in numbers]


def _progression(columns: Sequence[Stream | None]) -> int | None:
    """Return the fixed step between each stream and the next one, or None if the steps differ."""
    first = columns[0]
    if first is None or first.table is not None or len(columns) < 2 or columns[1] is None:
        return None
    step = columns[1].base - first.base
    for j, column in enumerate(columns):
        if column is None or column != first._replace(base=first.base + j * step):
            return None
    return step


def _together(elements: list[Depends], space: tuple[int, ...], dims: tuple[int, ...]) -> Depends:
    always = elements[0].always
    if all(not element.columns and element.always == always for element in elements):
        return Depends(always, frozenset())
    inner = space + dims[1:]
    if not inner:
        totals = [gathered(element) for element in elements]
        if sum(total.bit_count() for total in totals) > MOST_MEMBERS:
            raise TooLarge
        return of_sets(list(map(members, totals)), dims, [0])
    kinds: dict[tuple[int, ...], list[list[Stream]]] = {}
    for j, element in enumerate(elements):
        for column in sorted(as_columns(element, inner), key=_order):
            extra = column.dims[len(inner) :]
            kinds.setdefault(extra, [[] for _ in elements])[j].append(column)
    columns = []
    for lists in kinds.values():
        for q in range(max(map(len, lists))):
            row = [own[q] if q < len(own) else None for own in lists]
            columns.append(_concatenated(row, len(space), len(elements)))
    return settled(columns)


def _order(column: Stream) -> Any:
    """Return a key for sorting columns, so that neighbours are likely to form a progression."""
    return column.base, column.dims, column.strides, [clip or () for clip in column.clips]


def parts(value: Any, space: tuple[int, ...], dims: tuple[int, ...]) -> list[Any]:
    """Return the elements of an array along its first dimension."""
    if isinstance(value, Parts):
        return list(value.elements)
    return [element_at(value, space, dims, k, (k, k)) for k in range(dims[0])]


def element_at(value: Any, space: tuple[int, ...], dims: tuple[int, ...], index: Number, bounds: Any) -> Any:
    """Return the element of an array at an index. In an array of arrays, the element is an array.

    bounds: the least and the largest value that the index can have.
    """
    if isinstance(value, Parts):
        if isinstance(index, int):
            return value.elements[index] if 0 <= index < len(value.elements) else NOTHING
        value = whole(value, space, dims)
    k = len(space)
    if isinstance(value, Depends):
        if not value.columns:
            return value
        columns: list[Stream] = []
        for column in value.columns:
            try:
                columns += substituted(column, k, index, bounds, k)
            except TooLarge:
                columns += substituted(column, k, None, bounds, k)
        return settled(columns, value.always)
    return _number_at(value, space, index, bounds) if isinstance(value, Stream) else None


def _number_at(value: Stream, space: tuple[int, ...], index: Number, bounds: Any) -> Number:
    """Return the element of an array of whole numbers at an index, or None if the element is unknown."""
    k = len(space)
    if index is None:
        return None
    try:
        columns = substituted(value, k, index, bounds, k)
    except TooLarge:
        return None
    if len(columns) != 1:
        return None
    column = columns[0]
    return column if column.used or column.dims[k:] else column.at([0] * len(column.dims))


def chosen(value: Any, other: Any, condition: Any, space: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    """Return `value` for rounds in which the condition holds, and `other` for all other rounds.

    If the condition is unknown, the result depends on the inputs of both.
    """
    if isinstance(condition, int):
        return value if condition else other
    if isinstance(value, Parts) and isinstance(other, Parts):
        pairs = zip(value.elements, other.elements, strict=True)
        return Parts([chosen(a, b, condition, space, dims[1:]) for a, b in pairs])
    value, other = whole(value, space, dims), whole(other, space, dims)
    if isinstance(value, Depends):
        if condition is None or value == other:
            return either(value, other)
        return either(
            under(value, condition, True, space + dims), under(other, condition, False, space + dims)
        )
    if condition is None or value is None or other is None:
        return value if value == other else None
    if dims:
        return None
    return combined(lambda p, a, b: a if p else b, (condition, value, other), space)


def under(value: Depends, condition: Condition, holds: bool, dims: tuple[int, ...]) -> Depends:
    """Restrict the dependencies of a value to the rounds in which the condition equals `holds`."""
    columns: list[Stream] = []
    for column in as_columns(value, dims):
        try:
            columns += guarded(column, condition, holds)
        except TooLarge:
            columns.append(column)
    return settled(columns)


def replaced(array: Any, index: Number, bounds: Any, x: Any, space: tuple[int, ...], dims: tuple[int, ...],
             keeps: bool) -> Any:  # fmt: skip
    """Return a copy of the array with x as the element at `index`.

    keeps: if true, the new element also depends on all inputs of the old element.
    """
    k = len(space)
    if isinstance(index, int):
        elements = parts(array, space, dims)
        if 0 <= index < len(elements):
            elements[index] = either(elements[index], x) if keeps else x
        return Parts(elements)
    array = whole(array, space, dims)
    if not isinstance(array, Depends):
        return None
    x = entered(whole(x, space, dims[1:]), k, dims[0])
    if index is not None:
        matches = _equality(index, space, dims[0])
        if matches is not None:
            full = space + dims
            x = under(x, matches, True, full)
            return either(array if keeps else under(array, matches, False, full), x)
    lo, hi = bounds
    columns = [
        column._replace(clips=(*column.clips[:k], (lo, hi), *column.clips[k + 1 :]))
        for column in as_columns(x, space + dims)
    ]
    return either(array, settled(columns))


def _equality(index: Stream, space: tuple[int, ...], n: int) -> Stream | None:
    """Return a stream over rounds and n elements: 1 if the round's index is the element's number, else 0."""
    used = index.used
    if prod(space[d] for d in used) * n > LARGEST_TABLE:
        return None
    entries = []
    for i in index.column(used):
        row = [0] * n
        if 0 <= i < n:
            row[i] = 1
        entries += row
    return tabulated(entries, (*space, n), [*used, len(space)])
