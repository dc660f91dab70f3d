"""The inputs that a value depends on, in each round of the loops around it.

A Real, or an array of Reals, has a `Depends`. An array whose elements were computed one by one is a `Parts`
until somebody reads it at an index that is not the same in all rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from .streams import (
    ABSENT,
    LARGEST_TABLE,
    Condition,
    Number,
    Stream,
    Table,
    TooLarge,
    Within,
    as_stream,
    combined,
    constant,
    guarded,
    inserted,
    moved_last,
    substituted,
    tabulated,
)

MANY: Final = 16
"""If a value depends on more columns than this, we list its inputs place by place and write fewer columns."""

LISTED: Final = 1 << 14
"""The most inputs that we list place by place for that. If there are more, each place gets all of them."""


class Depends(NamedTuple):
    """The inputs that a value depends on.

    always: the inputs on which it depends in all rounds (and all elements), as bits of a number.
    columns: other inputs. The loops of a column are those around the value, then the dimensions of the array,
        then loops over several inputs for the same element.
    """

    always: int
    columns: frozenset[Stream]


NOTHING: Final = Depends(0, frozenset())


class Parts(NamedTuple):
    """An array as a list of its elements (or of its parts along the first dimension)."""

    elements: list[Any]


Value = Depends | Parts | Number


def either(a: Depends, b: Depends) -> Depends:
    """What depends on the inputs of a and of b."""
    if a is b or b is NOTHING:
        return a
    if a is NOTHING:
        return b
    columns = a.columns | b.columns if a.columns and b.columns else a.columns or b.columns
    return Depends(a.always | b.always, columns)


def members(total: int) -> list[int]:
    """The numbers of a set of bits, in order."""
    if not total:
        return []
    return [k for k, digit in enumerate(bin(total)[:1:-1]) if digit == "1"]


def settled(columns: Iterable[Stream], always: int = 0) -> Depends:
    """The dependency on columns, those without any loop as bits."""
    kept = []
    for column in columns:
        if column.dims:
            kept.append(column)
        else:
            number = column.at(())
            always |= 1 << number if number >= 0 else 0
    return Depends(always, frozenset(kept)) if kept or always else NOTHING


def as_columns(value: Depends, dims: tuple[int, ...]) -> Iterator[Stream]:
    """All columns of a value, with columns for its bits.

    dims: the loops around the value, then its dimensions.
    """
    yield from value.columns
    numbers = members(value.always)
    if len(numbers) == 1:
        yield constant(numbers[0], dims)
    elif numbers:
        wide = constant(0, (*dims, len(numbers)))
        contiguous = numbers[-1] - numbers[0] == len(numbers) - 1
        yield wide._replace(
            base=numbers[0] if contiguous else 0, strides=(*wide.strides[:-1], 1),
            table=None if contiguous else Table(numbers),
        )  # fmt: skip


def gathered(value: Depends) -> int:
    """All inputs that a value depends on in any round, as bits.

    Raises: TooLarge.
    """
    total = value.always
    for column in value.columns:
        total |= _all_of(column)
    return total


def _all_of(column: Stream) -> int:
    used = column.used
    numbers = [x for x in column.column(used) if x >= 0]
    if not numbers:
        return 0
    lo, hi = min(numbers), max(numbers)
    if column.table is None and len(used) == 1 and abs(column.strides[used[0]]) == 1:
        return ((1 << (hi - lo + 1)) - 1) << lo
    digits = bytearray(hi + 1)
    for number in numbers:
        digits[number] = 1
    return int(bytes(digits).translate(_DIGITS)[::-1], 2)


_DIGITS: Final = bytes([48, 49]) + bytes(254)


def by_place(value: Depends, dims: tuple[int, ...]) -> list[int] | None:
    """The inputs of each round and element, as bits. None if there are too many.

    dims: the loops around the value, then its dimensions.
    """
    size = prod(dims)
    if size > LISTED or sum(prod(column.dims) for column in value.columns) > 4 * LISTED:
        return None
    places = [value.always] * size
    for column in value.columns:
        each = prod(column.dims[len(dims) :])
        numbers = column.column(range(len(column.dims))) if column.dims else [column.at(())]
        for k, number in enumerate(numbers):
            if number >= 0:
                places[k // each] |= 1 << number
    return places


def fewer(value: Depends, dims: tuple[int, ...]) -> Depends:
    """The same dependency, or a coarser one, with few columns."""
    if len(value.columns) <= MANY:
        return value
    try:
        places = by_place(value, dims)
        if places is not None:
            return _of_places(places, dims)
        return Depends(gathered(value), frozenset())
    except TooLarge:
        return value


def _of_places(places: list[int], dims: tuple[int, ...]) -> Depends:
    """The dependency of each round and element on these inputs."""
    always = places[0]
    if all(place == always for place in places):
        return Depends(always, frozenset()) if always else NOTHING
    listed = list(map(members, places))
    longest = max(map(len, listed))
    if longest * len(listed) > LARGEST_TABLE:
        raise TooLarge
    rows = [[*numbers, *[ABSENT] * (longest - len(numbers))] for numbers in listed]
    over = range(len(dims))
    return Depends(0, frozenset(tabulated(entries, dims, over) for entries in zip(*rows, strict=True)))


# ---------------------------------------------------------------- loops around a value


def entered(value: Any, k: int, n: int) -> Any:
    """A value from outside, inside of a loop of n rounds at position k."""
    if isinstance(value, Depends):
        if not value.columns:
            return value
        return Depends(value.always, frozenset(inserted(column, k, n) for column in value.columns))
    if isinstance(value, Stream):
        return inserted(value, k, n)
    if isinstance(value, Parts):
        return Parts([entered(element, k, n) for element in value.elements])
    return value.entered(k, n) if hasattr(value, "entered") else value


def over_all(value: Depends, space: tuple[int, ...]) -> Depends:
    """What depends on the inputs of all rounds of the last of the loops, if it is a Real."""
    k = len(space) - 1
    return fewer(settled((moved_last(column, k) for column in value.columns), value.always), space[:k])


# ---------------------------------------------------------------- arrays


def whole(value: Any, space: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    """An array as one column over its dimensions. An array of numbers that is not known is None."""
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
    """The column over one more loop, at position k, whose rounds have these columns (of equal loops)."""
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
    for column in columns:
        entries += [ABSENT] * length if column is None else list(column.column(over))
    wide = tabulated(entries, first.dims, over)
    wide = inserted(wide, k, n)
    return wide._replace(strides=(*wide.strides[:k], length, *wide.strides[k + 1 :]))


def _progression(columns: Sequence[Stream | None]) -> int | None:
    """The step by which the columns' numbers grow from one to the next, or None if it differs."""
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
    if not inner:  # numbers for each element, in as many columns as the longest list needs
        return _of_places([gathered(element) for element in elements], dims)
    kinds: dict[tuple[int, ...], list[list[Stream]]] = {}
    for j, element in enumerate(elements):
        for column in sorted(as_columns(element, inner), key=lambda column: column[:4]):
            extra = column.dims[len(inner) :]
            kinds.setdefault(extra, [[] for _ in elements])[j].append(column)
    columns = []
    for lists in kinds.values():
        for q in range(max(map(len, lists))):
            row = [own[q] if q < len(own) else None for own in lists]
            columns.append(_concatenated(row, len(space), len(elements)))
    return settled(columns)


def parts(value: Any, space: tuple[int, ...], dims: tuple[int, ...]) -> list[Any]:
    """The elements of an array along its first dimension."""
    if isinstance(value, Parts):
        return list(value.elements)
    return [element_at(value, space, dims, k, (k, k)) for k in range(dims[0])]


def element_at(value: Any, space: tuple[int, ...], dims: tuple[int, ...], index: Number, bounds: Any) -> Any:
    """The element (or part) of an array at an index.

    bounds: the least and the largest number of the index.
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
    """The whole number (or numbers) of an array at an index."""
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
    """`value` where the condition holds, and `other` elsewhere. Both if it is not known."""
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
    """The dependencies in those rounds in which the condition holds (or does not)."""
    columns: list[Stream] = []
    for column in as_columns(value, dims):
        try:
            columns += guarded(column, condition, holds)
        except TooLarge:
            columns.append(column)
    return settled(columns)


def replaced(array: Any, index: Number, bounds: Any, x: Any, space: tuple[int, ...], dims: tuple[int, ...],
             keeps: bool) -> Any:  # fmt: skip
    """The array with x as its element at an index.

    keeps: whether x joins the element instead of replacing it.
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
    """Whether element j of n is the one at the index, in each round."""
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
