"""Arrays that a loop fills. An element depends only on the last value that was written to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from eglantine.ir.program import Block
from eglantine.ir.row_types import I32

from .accumulators import Sums, View
from .arrays import under, whole
from .carries import keeps_element
from .dependencies import Depends, either
from .streams import LARGEST_TABLE, Condition, Stream, TooLarge, as_stream, tabulated


class Write(NamedTuple):
    """An assignment to one element of an array. Each round of a loop makes it.

    adds: true if the new element also depends on the inputs of the old element.
    bounds: the least and the largest value that the index can have.
    """

    adds: bool
    index: Any
    bounds: tuple[int, int]
    value: Any


def writes_of(body: Block, carry: int, result: int, values: Sequence[Any]) -> list[Write]:
    """Return the writes of one round, in order. They turn the array `carry` into the array `result`."""
    writes = []
    while result != carry:
        adds = keeps_element(body, carry, result)
        _, result, at, x = body.rows[result]
        of = body.type_of(at)
        bounds = (of.lo, of.hi) if isinstance(of, I32) else (0, 0)
        writes.append(Write(adds, values[at], bounds, values[x]))
    return writes[::-1]


def filled(writes: Sequence[Write], init: Depends, inner: tuple[int, ...], dims: tuple[int, ...],
           running: Condition | None, *, reverse: bool) -> Depends | None:  # fmt: skip
    """Return the dependencies of the array after all rounds. Return None if we cannot find all indices.

    inner: the sizes of the loops around the writes. The last of them is the loop that fills the array.
    running: a condition that says which rounds run, or None if all rounds run.
    """
    k = len(inner) - 1
    if any(write.index is None for write in writes):
        return None
    indices = [as_stream(write.index, inner) for write in writes]
    conditions = [] if running is None else [as_stream(running, inner)]
    over = sorted({k, *(d for column in (*indices, *conditions) for d in column.used)})
    try:
        numbers = [index.column(over) for index in indices]
        runs = conditions[0].column(over) if conditions else None
        last, touched = _last_writes(writes, numbers, runs, inner[k], dims[0], reverse=reverse)
    except TooLarge:
        return None
    sums = Sums(inner[:k], dims)
    for write, own in zip(writes, last, strict=True):
        value = under(
            whole(write.value, inner, dims[1:]), tabulated(own, inner, over), True, inner + dims[1:]
        )
        View(sums, ((write.index, write.bounds),)).add(value, inner)
    places = tabulated(touched, (*inner[:k], dims[0]), over)
    return either(under(init, places, False, inner[:k] + dims), sums.total)


def _last_writes(writes: Sequence[Write], numbers: Sequence[Sequence[int]], runs: Sequence[int] | None,
                 rounds: int, elements: int, *, reverse: bool
                 ) -> tuple[list[bytearray], bytearray]:  # fmt: skip
    """Find which written values remain at the end, and which elements lose their initial value.

    Return two lists of flags. The first has, for each write, one flag for each round: 1 if the written value
    remains. The second has one flag for each element: 1 if the initial value is replaced.

    numbers: for each write, its index in each round of all loops. runs: 1 for the rounds that run, or None if
        all rounds run. rounds: the rounds of the innermost loop. elements: the length of the array.
    Raises: TooLarge.
    """
    size = len(numbers[0])
    last = [bytearray(size) for _ in writes]
    if size // rounds * elements > LARGEST_TABLE:
        raise TooLarge
    touched = bytearray(size // rounds * elements)
    backward = list(reversed(list(zip(writes, numbers, last, strict=True))))
    for start in range(0, size, rounds):
        first = start // rounds * elements
        own = range(start, start + rounds)
        for p in own if reverse else reversed(own):
            if runs is not None and not runs[p]:
                continue
            for write, at, survives in backward:
                if 0 <= at[p] < elements and not touched[first + at[p]]:
                    survives[p] = 1
                    touched[first + at[p]] = not write.adds
    return last, touched


def fills_in_order(writes: Sequence[Write], k: int) -> Stream | None:
    """If a single write fills neighbouring elements in order, return its index. Otherwise return None."""
    if len(writes) != 1 or writes[0].adds:
        return None
    index = writes[0].index
    if not isinstance(index, Stream) or index.used != [k] or index.table or abs(index.strides[k]) != 1:
        return None
    return index if index.clips[k] is None else None
