"""The inputs that a value depends on, in each round of the loops around it.

A `Depends` describes a Real or an array of Reals. A `Parts` describes an array with elements that were
computed one by one. It becomes a `Depends` when a row reads it at an index that differs between rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import prod
from typing import Any, Final, NamedTuple

from .streams import (
    ABSENT,
    LARGEST_TABLE,
    Number,
    Sets,
    Stream,
    TooLarge,
    constant,
    inserted,
    moved_last,
    numbered,
    tabulated,
)

MANY: Final = 16
"""The largest number of columns that a value keeps. If it has more, we unite them into one column of sets."""

MANY_DIAGONALS: Final = 64
"""The largest number of columns that a long value keeps if all its columns have neither tables nor sets."""

LONG: Final = 1 << 14
"""The number of places above which a value is long. Each element in each round of the loops is a place."""

MOST_MEMBERS: Final = 1 << 22
"""The largest number of members that all sets of one column have together.

If there would be more members, the value counts as depending on all of these inputs in all rounds.
"""


class Depends(NamedTuple):
    """The inputs that a value depends on.

    always: the set of the inputs that all elements depend on in all rounds of loops, as a number. Its bit k
        is 1 if input k is in the set.
    columns: streams with the numbers of all other inputs. The first loops of a stream are the loops around
        the value, and the next loops are the dimensions of the value. If a stream has further loops, each
        element depends on one input for each of their rounds.
    """

    always: int
    columns: frozenset[Stream]


NOTHING: Final = Depends(0, frozenset())


class Parts(NamedTuple):
    """An array as a list of its elements. If it has several dimensions, the elements are arrays."""

    elements: list[Any]


Value = Depends | Parts | Number


def either(a: Depends, b: Depends) -> Depends:
    """Return the union of two dependencies."""
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
    """Make a dependency on the inputs in these streams. Inputs of streams without loops go to `always`."""
    kept = []
    for column in columns:
        if column.dims:
            kept.append(column)
        else:
            always |= _bits(_inputs(column, [column.at(())]))
    return Depends(always, frozenset(kept)) if kept or always else NOTHING


def as_columns(value: Depends, dims: tuple[int, ...]) -> Iterator[Stream]:
    """Yield the columns of a value, and one more column for the inputs in `always`.

    dims: the sizes of the loops around the value, then the value's dimensions.
    """
    yield from value.columns
    numbers = members(value.always)
    if len(numbers) == 1:
        yield constant(numbers[0], dims)
    elif numbers:
        yield constant(0, dims)._replace(sets=Sets([tuple(numbers)]))


def gathered(value: Depends) -> int:
    """Return all inputs that a value depends on in at least one round, as bits.

    Raises: TooLarge.
    """
    total = value.always
    for column in value.columns:
        total |= _all_of(column)
    return total


def _all_of(column: Stream) -> int:
    used = column.used
    numbers = column.column(used)
    if column.table is None and column.sets is None and len(used) == 1 and abs(column.strides[used[0]]) == 1:
        known = [x for x in numbers if x >= 0]
        return ((1 << len(known)) - 1) << min(known) if known else 0
    return _bits(_inputs(column, numbers))


def _inputs(column: Stream, numbers: Iterable[int]) -> Iterable[int]:
    """Convert numbers of a column to inputs. If the column has sets, a number is the position of a set."""
    if column.sets is None:
        return [x for x in numbers if x >= 0]
    of = column.sets.of
    return set().union(*(of[x] for x in set(numbers) if x >= 0))


def _bits(inputs: Iterable[int]) -> int:
    digits = bytearray(max(inputs, default=-1) + 1)
    for number in inputs:
        digits[number] = 1
    return int(bytes(digits).translate(_DIGITS)[::-1], 2) if digits else 0


_DIGITS: Final = bytes([48, 49]) + bytes(254)


def fewer(value: Depends, dims: tuple[int, ...]) -> Depends:
    """If a value has too many columns, replace them by fewer. The result may contain additional inputs.

    dims: the sizes of the loops around the value, then the value's dimensions.
    """
    columns = value.columns
    if len(columns) <= MANY:
        return value
    if len(columns) <= MANY_DIAGONALS and prod(dims) > LONG and all(map(_is_affine, columns)):
        return value
    rank = len(dims)
    over = sorted({k for column in columns for k in column.used if k < rank})
    try:
        try:
            return either(
                Depends(value.always, frozenset()), of_sets(united(columns, dims, over), dims, over)
            )
        except TooLarge:
            return Depends(gathered(value), frozenset())
    except TooLarge:
        return value


def _is_affine(column: Stream) -> bool:
    return column.table is None and column.sets is None


def united(columns: Iterable[Stream], dims: tuple[int, ...], over: Sequence[int]) -> list[set[int]]:
    """Return a list with one set for each round of the loops `over`: all inputs of the columns in this round.

    dims: the numbers of rounds of a column's first loops. If a column has further loops, it has one input for
        each of their rounds.
    Raises: TooLarge.
    """
    size = prod(dims[k] for k in over)
    if size > LARGEST_TABLE:
        raise TooLarge
    sets: list[set[int]] = [set() for _ in range(size)]
    total = 0
    for column in columns:
        beyond = [k for k in column.used if k >= len(dims)]
        numbers = column.column([*over, *beyond])
        each = prod(column.dims[k] for k in beyond)
        lookup = None if column.sets is None else column.sets.lookup()
        total += len(numbers) if lookup is None else sum(len(lookup[number]) for number in numbers)
        if total > 4 * MOST_MEMBERS:
            raise TooLarge
        for k, own in enumerate(sets):
            if each == 1 and lookup is None:
                own.add(numbers[k])
            elif lookup is None:
                own.update(numbers[k * each : (k + 1) * each])
            else:
                for number in {*numbers[k * each : (k + 1) * each]}:
                    own.update(lookup[number])
    for own in sets:
        own.discard(ABSENT)
    return sets


def of_sets(sets: Sequence[Collection[int]], dims: tuple[int, ...], over: Sequence[int]) -> Depends:
    """Make a dependency from sets of inputs. There is one set for each round of the loops `over`.

    Raises: TooLarge.
    """
    if not any(sets):
        return NOTHING
    if all(own == sets[0] for own in sets):
        return Depends(_bits(sets[0]), frozenset())
    if all(len(own) <= 1 for own in sets):
        return Depends(0, frozenset({tabulated([next(iter(own), ABSENT) for own in sets], dims, over)}))
    if sum(map(len, sets)) > MOST_MEMBERS:
        raise TooLarge
    kept: dict[tuple[int, ...], tuple[int, ...]] = {}  # equal sets share their memory
    shared = [kept.setdefault(own, own) for own in (tuple(sorted(each)) for each in sets)]
    return Depends(0, frozenset({numbered(dims, over)._replace(sets=Sets(shared))}))


# ---------------------------------------------------------------- loops around a value


def entered(value: Any, k: int, n: int) -> Any:
    """Add a loop of n rounds at position k to the loops of a value. The value is the same in each round."""
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
    """Return the union of a Real's dependencies in all rounds of the innermost loop."""
    k = len(space) - 1
    return fewer(settled((moved_last(column, k) for column in value.columns), value.always), space[:k])
