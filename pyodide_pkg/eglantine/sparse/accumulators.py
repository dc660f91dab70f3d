"""The dependencies of accumulators. An accumulator is a sum that grows in the rounds of loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, NamedTuple, TypeVar

from .dependencies import MOST_MEMBERS, NOTHING, Depends, as_columns, either, entered, fewer, settled
from .streams import (
    ABSENT,
    LARGEST_TABLE,
    Number,
    Sets,
    Stream,
    TooLarge,
    as_stream,
    counter,
    moved_last,
    numbered,
    tabulated,
)


class Sums:
    """An accumulator. `total` says on which inputs its elements depend after the additions so far.

    space: the number of rounds of each loop around the accumulator. dims: the accumulator's dimensions.
    """

    __slots__ = ("dims", "space", "total")

    def __init__(self, space: tuple[int, ...], dims: tuple[int, ...]) -> None:
        self.space, self.dims = space, dims
        self.total: Depends = NOTHING


class View(NamedTuple):
    """A part of an accumulator. `path` has (index, its least and largest value) for each index."""

    sums: Sums
    path: tuple[tuple[Number, Any], ...]

    def entered(self, k: int, n: int) -> View:
        """The view inside of a further loop."""
        return View(self.sums, tuple((entered(index, k, n), bounds) for index, bounds in self.path))

    def add(self, x: Depends, space: tuple[int, ...]) -> None:
        """Add the dependencies of x to those of the accumulator. x is computed inside the loops `space`."""
        sums = self.sums
        columns: list[Stream] = []
        rest = sums.dims[len(self.path) :]
        for column in as_columns(x, space + rest):
            columns += self._scattered(column, space)
        sums.total = fewer(either(sums.total, settled(columns)), sums.space + sums.dims)

    def _scattered(self, column: Stream, space: tuple[int, ...]) -> Iterable[Stream]:
        outer = len(self.sums.space)
        placed = _placed(column, self.path, len(space), outer, self.sums.dims)
        if placed is not None:
            return placed
        try:
            return _collected(column, self.path, space, outer, self.sums.dims)
        except TooLarge:
            unknown = tuple((None, bounds) for _, bounds in self.path)
            return _placed(column, unknown, len(space), outer, self.sums.dims) or ()


def _placed(column: Stream, path: Sequence[tuple[Number, Any]], inner: int, outer: int, dims: tuple[int, ...]
            ) -> list[Stream] | None:  # fmt: skip
    """Find the elements to which a column of inputs is added. Return streams over the accumulator's elements.

    Return None if only a table can express the result. The caller then calls `_collected`.
    inner: the number of loops around the addition. outer: the number of loops around the accumulator.
    """
    base, loops, strides, clips, table, sets = column
    strides_in, clips_in = list(strides), list(clips)
    own_strides, own_clips = [], []
    gone: set[int] = set()
    for (index, bounds), n in zip(path, dims, strict=False):
        clip: tuple[int, int] | None
        if index is None or isinstance(index, int):
            clip = bounds if index is None else (index, index)
            own_strides.append(0)
        else:
            used = index.used
            d = used[0] if len(used) == 1 else 0
            if len(used) != 1 or d < outer or d in gone or index.table or abs(index.strides[d]) != 1:
                return None
            gone.add(d)
            sign, stride = index.strides[d], strides_in[d]
            first, last = clips_in[d] or (0, loops[d] - 1)
            first, last = max(first, 0), min(last, loops[d] - 1)
            if index.clips[d] is not None:
                return None
            own_strides.append(sign * stride)
            base -= sign * stride * index.base
            ends = sorted((index.base + sign * first, index.base + sign * last))
            clip = (ends[0], ends[1])
        lo, hi = max(clip[0], 0), min(clip[1], n - 1)
        if lo > hi:
            return []
        own_clips.append(None if (lo, hi) == (0, n - 1) else (lo, hi))
    at = len(path)
    placed = Stream(
        base,
        loops[:outer] + dims[:at] + loops[outer:],
        (*strides_in[:outer], *own_strides, *strides_in[outer:]),
        (*clips_in[:outer], *own_clips, *clips_in[outer:]),
        table,
        sets,
    )
    for d in reversed(range(outer, inner)):
        k = d + at
        if d in gone:
            placed = placed._replace(
                dims=_without(placed.dims, k),
                strides=_without(placed.strides, k),
                clips=_without(placed.clips, k),
            )
        else:
            placed = moved_last(placed, k)
    return [placed]


T = TypeVar("T")


def _without(items: tuple[T, ...], k: int) -> tuple[T, ...]:
    return items[:k] + items[k + 1 :]


def _collected(column: Stream, path: Sequence[tuple[Number, Any]], space: tuple[int, ...], outer: int,
               dims: tuple[int, ...]) -> list[Stream]:  # fmt: skip
    """Find the elements that an addition reaches. Return a stream that reads a table of numbers or sets.

    Raises: TooLarge.
    """
    inner, at = len(space), len(path)
    indices = [as_stream(i, space) for i, _ in path if i is not None]
    if len(indices) < at:
        raise TooLarge
    used = sorted({*column.used, *(d for index in indices for d in index.used)})
    outside = [d for d in used if d < outer]
    beyond = [d for d in used if d >= inner]
    full = column.dims[:outer] + dims[:at] + column.dims[inner:]
    over = [*outside, *range(outer, outer + at), *(d - inner + outer + at for d in beyond)]
    if prod(column.dims[d] for d in used) > LARGEST_TABLE or prod(full[d] for d in over) > LARGEST_TABLE:
        raise TooLarge
    rest = len(column.dims) - inner
    digits = [counter(column.dims, d) for d in outside]
    digits += [
        i._replace(dims=column.dims, strides=i.strides + (0,) * rest, clips=i.clips + (None,) * rest)
        for i in indices
    ]
    digits += [counter(column.dims, d) for d in beyond]
    places = [0] * prod(column.dims[d] for d in used)
    for digit, n in zip(digits, (full[d] for d in over), strict=True):
        own = digit.column(used)
        places = [p * n + i if 0 <= i < n and p >= 0 else ABSENT for p, i in zip(places, own, strict=True)]
    return [_at_places(column, places, used, full, over)]


def _at_places(column: Stream, places: Sequence[int], used: Sequence[int], dims: tuple[int, ...],
               over: Sequence[int]) -> Stream:  # fmt: skip
    """Return a stream with all inputs that the column adds to each element.

    dims: the numbers of rounds of all loops of the new stream. Elements are numbered by the loops `over`.
    places: for each round of the column's loops `used`, the number of the element that this round changes.
    Raises: TooLarge.
    """
    entries = [ABSENT] * prod(dims[d] for d in over)
    more: dict[int, set[int]] = {}
    for place, number in zip(places, column.column(used), strict=True):
        if number >= 0 <= place:
            if entries[place] < 0:
                entries[place] = number
            elif entries[place] != number:
                more.setdefault(place, set()).add(number)
    if not more:
        return tabulated(entries, dims, over, column.sets)
    lookup = None if column.sets is None else column.sets.lookup()
    sets: list[tuple[int, ...]]
    sets = [(x,) if x >= 0 else () for x in entries] if lookup is None else [lookup[x] for x in entries]
    left = MOST_MEMBERS - sum(map(len, sets))
    for place, others in more.items():
        own = others if lookup is None else set().union(*map(lookup.__getitem__, others))
        own.update(sets[place])
        left -= len(own)
        if left < 0:
            raise TooLarge
        sets[place] = tuple(sorted(own))
    return numbered(dims, over)._replace(sets=Sets(sets))
