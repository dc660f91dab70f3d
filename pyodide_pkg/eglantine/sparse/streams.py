"""Streams. A stream has one number for each round of a nest of loops.

The number in the rounds (i, j, …) is `base + i·strides[0] + j·strides[1] + …`, or the entry of a table at
that position. So arithmetic on the indices of a loop costs the same for ten rounds and for a million.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, prod
from typing import Any, Final, NamedTuple

ABSENT: Final = -1
"""A special number. In a table, it stands for rounds that have no number."""

LARGEST_TABLE: Final = 1 << 21
"""The largest number of entries in a table. If a longer table is needed, the analysis becomes less exact."""


class TooLarge(Exception):  # noqa: N818 - it is no error: the caller takes a coarser answer
    """Raised when a table would be longer than LARGEST_TABLE."""


class Sets:
    """A list of sorted sets of numbers. Objects of this class are compared by identity."""

    __slots__ = ("of",)

    def __init__(self, of: Sequence[tuple[int, ...]]) -> None:
        self.of = of

    def lookup(self) -> list[tuple[int, ...]]:
        """Return the sets, with an empty set added at the end. The index ABSENT (−1) selects this set."""
        return [*self.of, ()]


class Table:
    """A list of numbers. Objects of this class are compared by identity."""

    __slots__ = ("entries", "reads")

    def __init__(self, entries: Sequence[int]) -> None:
        self.entries = entries
        self.reads: dict[Any, Any] = {}

    def at(self, position: int) -> int:
        """The entry at a position, or ABSENT outside the table."""
        return self.entries[position] if 0 <= position < len(self.entries) else ABSENT


Clip = tuple[int, int] | None
"""A column has numbers in these rounds of a loop: (first, last), or None for all rounds."""


class Stream(NamedTuple):
    """A number for each round of a nest of loops. Variables for streams are named `column`.

    dims: the number of rounds of each loop, the outermost first.
    strides: for each loop, how much the number grows from one round to the next.
    clips: for each loop, the range of rounds that have a number, or None for all rounds.
    table: if given, the number is the entry of this table at the position `base + Σ stride · round`. If None,
        the number is this sum itself.
    sets: if given, the number is the position of a set in this list, so a round can have several inputs. If
        None, the number is an input.
    """

    base: int
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    clips: tuple[Clip, ...]
    table: Table | None = None
    sets: Sets | None = None

    @property
    def used(self) -> list[int]:
        """The positions of the loops that change the number."""
        clips = self.clips
        return [k for k, stride in enumerate(self.strides) if stride or clips[k]]

    @property
    def is_empty(self) -> bool:
        """True if no round has a number."""
        return any(clip is not None and clip[0] > clip[1] for clip in self.clips)

    def at(self, rounds: Sequence[int]) -> int:
        """The number in one round, or ABSENT."""
        for i, n, clip in zip(rounds, self.dims, self.clips, strict=True):
            if not 0 <= i < n or (clip is not None and not clip[0] <= i <= clip[1]):
                return ABSENT
        position = self.base + sum(i * stride for i, stride in zip(rounds, self.strides, strict=True))
        return position if self.table is None else self.table.at(position)

    def column(self, over: Sequence[int]) -> Sequence[int]:
        """Return the numbers in all rounds of the loops `over`. No other loop may change the numbers.

        Raises: TooLarge.
        """
        if len(over) == 1:
            return self._along(over[0])
        if prod(self.dims[k] for k in over) > LARGEST_TABLE:
            raise TooLarge
        positions = [self.base]
        absent = [False]
        for k in over:
            rounds, stride, clip = range(self.dims[k]), self.strides[k], self.clips[k]
            positions = [position + i * stride for position in positions for i in rounds]
            if clip is not None:
                lo, hi = clip
                absent = [gone or not lo <= i <= hi for gone in absent for i in rounds]
            else:
                absent = [gone for gone in absent for _ in rounds]
        if self.table is not None:
            at = self.table.at
            positions = [at(position) for position in positions]
        if True in absent:
            positions = [ABSENT if gone else x for x, gone in zip(positions, absent, strict=True)]
        return positions

    def _along(self, k: int) -> Sequence[int]:
        n, stride, clip = self.dims[k], self.strides[k], self.clips[k]
        if n > LARGEST_TABLE:
            raise TooLarge
        numbers: Sequence[int] = (
            range(self.base, self.base + n * stride, stride) if stride else [self.base] * n
        )
        if self.table is not None:
            at = self.table.at
            numbers = [at(position) for position in numbers]
        if clip is not None:
            lo, hi = max(clip[0], 0), min(clip[1], n - 1)
            if hi < lo:
                return [ABSENT] * n
            numbers = [ABSENT] * lo + list(numbers[lo : hi + 1]) + [ABSENT] * (n - 1 - hi)
        return numbers


class Within(NamedTuple):
    """The condition that loop k is in a round from `first` to `last`. If `holds` is False, the opposite.

    dims: the number of rounds of each loop.
    """

    dims: tuple[int, ...]
    k: int
    first: int
    last: int
    holds: bool

    def entered(self, k: int, n: int) -> Within:
        """Return this condition after we add a loop of n rounds at position k of the nest."""
        dims = (*self.dims[:k], n, *self.dims[k:])
        return Within(dims, self.k + (k <= self.k), self.first, self.last, self.holds)

    def column(self) -> Stream:
        """The condition as a column of 0 and 1."""
        entries = [int((self.first <= i <= self.last) is self.holds) for i in range(self.dims[self.k])]
        return tabulated(entries, self.dims, [self.k])


Number = int | Stream | None
"""A whole number: the same in all rounds, a column, or unknown."""

Condition = Stream | Within
"""A condition that differs between the rounds: a column of 0 and 1, or a range of rounds."""


def constant(value: int, dims: tuple[int, ...]) -> Stream:
    """Return a stream with the same number in all rounds."""
    return Stream(value, dims, (0,) * len(dims), (None,) * len(dims))


def counter(dims: tuple[int, ...], k: int, base: int = 0, stride: int = 1) -> Stream:
    """Return the stream of the numbers base + stride · (round of loop k)."""
    strides = [0] * len(dims)
    strides[k] = stride
    return Stream(base, dims, tuple(strides), (None,) * len(dims))


def tabulated(
    entries: Sequence[int], dims: tuple[int, ...], over: Sequence[int], sets: Sets | None = None
) -> Stream:
    """Return a stream with an entry for each round of the loops `over`. It is constant in other loops."""
    return numbered(dims, over)._replace(table=Table(entries), sets=sets)


def numbered(dims: tuple[int, ...], over: Sequence[int]) -> Stream:
    """Return the stream that numbers the rounds of the loops `over`. The last loop varies fastest."""
    strides = [0] * len(dims)
    step = 1
    for k in reversed(over):
        strides[k] = step
        step *= dims[k]
    return Stream(0, dims, tuple(strides), (None,) * len(dims))


def inserted(column: Stream, k: int, n: int) -> Stream:
    """Add a loop of n rounds at position k to a column. The numbers are the same in all these rounds."""
    base, dims, strides, clips, table, sets = column
    return Stream(
        base,
        (*dims[:k], n, *dims[k:]),
        (*strides[:k], 0, *strides[k:]),
        (*clips[:k], None, *clips[k:]),
        table,
        sets,
    )


def moved_last(column: Stream, k: int) -> Stream:
    """Make loop k the last loop of a column. If the column is constant in loop k, remove this loop."""
    base, dims, strides, clips, table, sets = column
    rest = (dims[:k] + dims[k + 1 :], strides[:k] + strides[k + 1 :], clips[:k] + clips[k + 1 :])
    if not strides[k] and clips[k] is None:
        return Stream(base, *rest, table, sets)
    return Stream(base, (*rest[0], dims[k]), (*rest[1], strides[k]), (*rest[2], clips[k]), table, sets)


def combined(f: Callable[..., Any], numbers: Sequence[Number | Within], dims: tuple[int, ...]) -> Number:
    """Apply f to the numbers in each round. Return None if a number is unknown or the result is too long."""
    known = [x for x in numbers if x is not None]
    if len(known) < len(numbers):
        return None
    if all(isinstance(x, int) for x in numbers):
        return int(f(*numbers))
    columns = [as_stream(x, dims) for x in known]
    over = sorted({k for column in columns for k in column.used})
    try:
        entries = list(map(f, *(column.column(over) for column in columns)))
    except (TooLarge, ZeroDivisionError):
        return None
    return tabulated(entries, dims, over)


def as_stream(x: int | Stream | Within, dims: tuple[int, ...]) -> Stream:
    """A known number as a column."""
    if isinstance(x, int):
        return constant(x, dims)
    return x.column() if isinstance(x, Within) else x


COMPARISONS: Final[dict[str, Callable[[int], tuple[float, float]]]] = {
    "ilt": lambda b: (-inf, b - 1),
    "ile": lambda b: (-inf, b),
    "igt": lambda b: (b + 1, inf),
    "ige": lambda b: (b, inf),
    "ieq": lambda b: (b, b),
    "ine": lambda b: (b, b),
}
"""For each comparison, such as x < b for `ilt`, a function of b.

The function returns the least and the largest x for which the comparison is true. For `ine`, which means
x ≠ b, it returns the least and the largest x for which the comparison is false.
"""

_MIRRORED: Final = {"ilt": "igt", "ile": "ige", "igt": "ilt", "ige": "ile", "ieq": "ieq", "ine": "ine"}


def compared(op: str, a: Number, b: Number) -> Within | None:
    """Convert a comparison between a stream and a number to a `Within`. Return None if this is impossible."""
    if isinstance(a, int) and isinstance(b, Stream):
        op, a, b = _MIRRORED[op], b, a
    if not isinstance(a, Stream) or not isinstance(b, int) or a.table is not None:
        return None
    used = a.used
    if len(used) != 1 or a.clips[used[0]] is not None:
        return None
    (k,) = used
    lo, hi = COMPARISONS[op](b)
    stride = a.strides[k]
    lo, hi = (lo - a.base, hi - a.base) if stride > 0 else (a.base - hi, a.base - lo)
    last = a.dims[k] - 1
    lo, hi = max(lo, -1.0), min(hi, float(abs(stride) * (last + 1)))
    first, final = -(-int(lo) // abs(stride)), int(hi // abs(stride))
    return Within(a.dims, k, max(first, 0), min(final, last), op != "ine")


def both(a: Within, b: Within) -> Within | None:
    """Return the condition that a and b both hold, or None if no `Within` can express it."""
    if a.k != b.k or not (a.holds and b.holds):
        return None
    return a._replace(first=max(a.first, b.first), last=min(a.last, b.last))


def added(a: Number, b: Number, dims: tuple[int, ...], sign: int = 1) -> Number:
    """a + sign · b in each round."""
    if isinstance(a, int) and isinstance(b, int):
        return a + sign * b
    if a is None or b is None:
        return None
    x, y = as_stream(a, dims), as_stream(b, dims)
    if x.table is None and y.table is None:
        strides = tuple(s + sign * t for s, t in zip(x.strides, y.strides, strict=True))
        return _number(Stream(x.base + sign * y.base, dims, strides, x.clips))
    return combined(lambda p, q: p + sign * q, (x, y), dims)


def multiplied(a: Number, b: Number, dims: tuple[int, ...]) -> Number:
    """a · b in each round."""
    if isinstance(a, Stream) and isinstance(b, int):
        a, b = b, a
    if isinstance(a, int) and isinstance(b, Stream) and b.table is None:
        return _number(Stream(a * b.base, dims, tuple(a * stride for stride in b.strides), b.clips))
    return combined(lambda p, q: p * q, (a, b), dims)


def _number(column: Stream) -> Number:
    return column if column.used else column.base
