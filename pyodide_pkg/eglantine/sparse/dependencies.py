"""The inputs that a value depends on, in each round of the loops around it.

A Real, or an array of Reals, has a `Depends`. An array whose elements were computed one by one is a `Parts`
until a row reads it at an index that is not the same in all rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, Final, NamedTuple

from .streams import (
    ABSENT,
    LARGEST_TABLE,
    Number,
    Stream,
    Table,
    TooLarge,
    constant,
    inserted,
    moved_last,
    tabulated,
)

MANY: Final = 16
"""If a value has more columns than this, we list its inputs for each place, and write fewer columns."""

LISTED: Final = 1 << 14
"""We list inputs only for at most this many places. Otherwise each place gets all inputs of the value."""


class Depends(NamedTuple):
    """The inputs that a value depends on.

    always: the inputs on which it depends in all rounds of loops and for all elements, as bits of a number.
    columns: streams of the numbers of other inputs. The loops of a stream are the loops around the value,
        then the dimensions of the array, then loops that list several inputs for the same element.
    """

    always: int
    columns: frozenset[Stream]


NOTHING: Final = Depends(0, frozenset())


class Parts(NamedTuple):
    """An array as a list of its elements, or of its parts along the first of several dimensions."""

    elements: list[Any]


Value = Depends | Parts | Number


def either(a: Depends, b: Depends) -> Depends:
    """The dependency on all inputs of a and all inputs of b."""
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
    """The dependency on the inputs in these streams. A stream without any loop becomes a bit."""
    kept = []
    for column in columns:
        if column.dims:
            kept.append(column)
        else:
            number = column.at(())
            always |= 1 << number if number >= 0 else 0
    return Depends(always, frozenset(kept)) if kept or always else NOTHING


def as_columns(value: Depends, dims: tuple[int, ...]) -> Iterator[Stream]:
    """The inputs of a value as streams, including the inputs that it stores as bits.

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
    """For each round and element, its inputs as bits. None if there are too many rounds and elements.

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
    """The same dependency with few streams. If this takes too much memory, a dependency on more inputs."""
    if len(value.columns) <= MANY:
        return value
    try:
        places = by_place(value, dims)
        if places is not None:
            return of_places(places, dims)
        return Depends(gathered(value), frozenset())
    except TooLarge:
        return value


def of_places(places: list[int], dims: tuple[int, ...]) -> Depends:
    """The dependency whose inputs in each round and for each element are given as bits."""
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
    """A value from outside a loop of n rounds, as it is for the rows inside. The loop is at position k."""
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
    """The dependency on all inputs that a Real depends on in any round of the innermost loop."""
    k = len(space) - 1
    return fewer(settled((moved_last(column, k) for column in value.columns), value.always), space[:k])
