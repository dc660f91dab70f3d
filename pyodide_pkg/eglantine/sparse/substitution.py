"""Read a stream at one round of a loop, or restrict it to the rounds that satisfy a condition."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from .streams import (
    ABSENT,
    LARGEST_TABLE,
    Clip,
    Condition,
    Number,
    Stream,
    Table,
    TooLarge,
    Within,
    tabulated,
)  # fmt: skip


def substituted(column: Stream, k: int, index: Number, bounds: Iterable[int], own: int) -> list[Stream]:
    """Read a stream in round number `index` of its loop k. Return streams that no longer have loop k.

    If the index is unknown, a new last loop runs over all indices within the bounds (lo, hi).
    own: the number of loops around the index.
    Raises: TooLarge.
    """
    base, dims, strides, clips, table, sets = column
    stride, clip = strides[k], clips[k]
    dims, strides, clips = (
        dims[:k] + dims[k + 1 :],
        strides[:k] + strides[k + 1 :],
        clips[:k] + clips[k + 1 :],
    )
    if not stride and clip is None:
        return [Stream(base, dims, strides, clips, table, sets)]
    if index is None:
        lo, hi = bounds
        if clip is not None:
            lo, hi = max(lo, clip[0]), min(hi, clip[1])
        if lo > hi:
            return []
        base, extent = base + stride * lo, hi - lo + 1
        if not stride or extent == 1:
            return [Stream(base, dims, strides, clips, table, sets)]
        return [Stream(base, (*dims, extent), (*strides, stride), (*clips, None), table, sets)]
    if isinstance(index, int):
        if clip is not None and not clip[0] <= index <= clip[1]:
            return []
        return [Stream(base + stride * index, dims, strides, clips, table, sets)]
    if index.table is None:
        merged = _clipped_by(index, clip, clips)
        if merged is not None:
            read = Stream(base + stride * index.base, dims, strides, merged, table, sets)
            return _nonempty(_affine(read, index, stride))
    elif not any(strides):
        return _nonempty(_read(column, k, index, dims, clips, own))
    return _nonempty(_written_out(column, k, index, dims, own))


def _nonempty(column: Stream) -> list[Stream]:
    return [] if column.is_empty else [column]


def _affine(column: Stream, index: Stream, factor: int) -> Stream:
    n, strides = len(index.strides), column.strides
    own = tuple(s + factor * t for s, t in zip(strides[:n], index.strides, strict=True))
    return column._replace(strides=own + strides[n:])


def _clipped_by(index: Stream, clip: Clip, clips: tuple[Clip, ...]) -> tuple[Clip, ...] | None:
    """Restrict the loops to rounds with an index within `clip`. Return None if clips cannot express this."""
    if clip is None:
        return clips
    used = index.used
    if len(used) != 1 or abs(index.strides[used[0]]) != 1:
        return None
    d = used[0]
    first, last = clip[0] - index.base, clip[1] - index.base
    if index.strides[d] < 0:
        first, last = -last, -first
    before = clips[d] or (0, index.dims[d] - 1)
    return (*clips[:d], (max(first, before[0]), min(last, before[1])), *clips[d + 1 :])


def _read(column: Stream, k: int, index: Stream, dims: tuple[int, ...], clips: tuple[Clip, ...], own: int
          ) -> Stream:  # fmt: skip
    """Read a stream at an index that is stored in a table. The stream may depend only on loop k."""
    assert index.table is not None
    key = (column.base, column.strides[k], column.clips[k], column.table)
    table = index.table.reads.get(key)
    if table is None:
        along = Stream(column.base, (column.dims[k],), (column.strides[k],), (column.clips[k],), column.table)
        table = index.table.reads[key] = Table([along.at((i,)) for i in index.table.entries])
    rest = (0,) * (len(dims) - own)
    return Stream(index.base, dims, (*index.strides, *rest), clips, table, column.sets)


def _written_out(column: Stream, k: int, index: Stream, dims: tuple[int, ...], own: int) -> Stream:
    """Read a stream at an index, and store the result as a table. Only loops that change it have an axis."""
    others = [d if d < k else d - 1 for d in column.used if d != k]
    over = sorted({*others, *index.used})
    if prod(dims[d] for d in over) > LARGEST_TABLE:
        raise TooLarge
    rounds = [0] * len(dims)
    entries = []
    for chosen in product(*(range(dims[d]) for d in over)):
        for d, i in zip(over, chosen, strict=True):
            rounds[d] = i
        at = index.at(rounds[:own])
        entries.append(column.at((*rounds[:k], at, *rounds[k:])))
    return tabulated(entries, dims, over, column.sets)


def guarded(column: Stream, condition: Condition, holds: bool) -> list[Stream]:
    """Restrict a stream to the rounds in which the condition equals `holds`.

    condition: a condition on the first loops of the stream.
    Raises: TooLarge.
    """
    if isinstance(condition, Within):
        k, clips = condition.k, column.clips
        lo, hi = clips[k] or (0, column.dims[k] - 1)
        if condition.holds is holds:
            parts = [(max(lo, condition.first), min(hi, condition.last))]
        else:
            parts = [(lo, min(hi, condition.first - 1)), (max(lo, condition.last + 1), hi)]
        return [
            column._replace(clips=(*clips[:k], part, *clips[k + 1 :])) for part in parts if part[0] <= part[1]
        ]
    missing = len(column.dims) - len(condition.dims)
    wide = Stream(
        condition.base, column.dims, condition.strides + (0,) * missing, condition.clips + (None,) * missing,
        condition.table,
    )  # fmt: skip
    over = sorted({*column.used, *wide.used})
    wanted = int(holds)
    entries = [
        x if p == wanted else ABSENT for x, p in zip(column.column(over), wide.column(over), strict=True)
    ]
    return [tabulated(entries, column.dims, over, column.sets)] if any(x >= 0 for x in entries) else []
