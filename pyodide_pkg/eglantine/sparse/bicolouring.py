"""Choose which entries of a Jacobian are computed by columns (forward mode) and which by rows (reverse mode).

If we read all entries by columns, a row with k entries needs at least k directions, because these entries are
in columns of different colours. If we read all entries by rows, a column with k entries needs at least k
directions. An arrow matrix has a full row and a full column:

    # # # #
    # # . .
    # . # .
    # . . #

Forward mode alone needs n directions, and so does reverse mode alone. But reverse mode computes the full row
from one direction, and forward mode computes the rest from two. So we treat full rows and columns separately:

* entries of full rows are read by rows, except those in full columns,
* full columns are read by columns, from separate directions,
* all other entries are read by columns.

Source: Coleman, Verma, "The Efficient Computation of Sparse Jacobian Matrices Using Automatic
    Differentiation", SIAM J. Sci. Comput. 19 (1998). They call such a choice a direct cover.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, NamedTuple

from .colouring import Colouring, column_colouring
from .patterns import Pattern

REVERSE_COST: Final = 2
"""The cost of one direction of reverse mode, if one direction of forward mode costs 1."""
HALVINGS: Final = 5
"""The number of limits that we try: n / 2, n / 4, …, n / 2**HALVINGS, if the fullest row has n entries.

Rows with more entries than the limit count as full. We choose full columns in the same way.
"""
MOST_COLOURED: Final = 8
"""The largest number of splits for which we compute a colouring."""


class Split(NamedTuple):
    """A choice of the rows and the columns that we treat as full.

    bound: a lower bound for the cost of a colouring with this choice.
    """

    bound: int
    rows: frozenset[int]
    columns: frozenset[int]


class Bicolouring(NamedTuple):
    """Colours of the columns and of the rows. A column or row with a colour below 0 has no direction.

    cost: the cost of all directions, if one direction of forward mode costs 1.
    """

    columns: Colouring
    rows: Colouring
    split: Split
    cost: int

    def is_read_by_row(self, i: int, j: int) -> bool:
        """Return True if reverse mode computes entry (i, j), with the direction for the colour of row i."""
        return i in self.split.rows and j not in self.split.columns


def bicolouring(pattern: Pattern) -> Bicolouring:
    """Return the cheapest colouring that we find. Among equally cheap ones, prefer those with one mode."""
    best: Bicolouring | None = None
    for split in sorted(_splits(pattern), key=lambda split: (split.bound, _kinds(pattern, split)))[
        :MOST_COLOURED
    ]:
        if best is not None and split.bound > best.cost:
            break
        found = _coloured(pattern, split)
        if best is None or (found.cost, _kinds(pattern, split)) < (best.cost, _kinds(pattern, best.split)):
            best = found
    assert best is not None
    return best


def _kinds(pattern: Pattern, split: Split) -> int:
    """Return 0 if forward mode computes all entries, 1 if reverse mode does, and 2 if both modes are used."""
    return 2 if split.columns else 0 if not split.rows else 1 if len(split.rows) == pattern.shape[0] else 2


def _splits(pattern: Pattern) -> Iterator[Split]:
    """Yield splits that may reduce the cost."""
    m, n = pattern.shape
    nothing: frozenset[int] = frozenset()
    in_rows, in_columns = list(map(len, pattern.columns)), _counts(pattern, range(m))
    yield Split(max(in_rows, default=0), nothing, nothing)
    yield Split(REVERSE_COST * max(in_columns, default=0), frozenset(range(m)), nothing)
    sets_of_rows = _fullest(in_rows)
    in_full_rows = [_counts(pattern, rows) for rows in sets_of_rows]
    for columns in (nothing, *_fullest(in_columns)) if sets_of_rows else ():
        inside = [sum(j in columns for j in own) for own in pattern.columns] if columns else [0] * m
        apart = max(inside)
        for rows, counts in zip(sets_of_rows, in_full_rows, strict=True):
            by_columns = max((in_rows[i] - inside[i] for i in range(m) if i not in rows), default=0)
            by_rows = max((counts[j] for j in range(n) if j not in columns), default=0)
            yield Split(by_columns + apart + REVERSE_COST * by_rows, rows, columns)


def _counts(pattern: Pattern, rows: Iterable[int]) -> list[int]:
    """Count the entries of each column that are in the given rows."""
    counts = [0] * pattern.shape[1]
    for i in rows:
        for j in pattern.columns[i]:
            counts[j] += 1
    return counts


def _fullest(counts: list[int]) -> list[frozenset[int]]:
    """Return sets of indices i with a large counts[i]. Each set contains the sets before it.

    A set never contains all the indices with a count above 0.
    """
    most = max(counts, default=0)
    found: list[frozenset[int]] = []
    for k in range(1, HALVINGS + 1):
        chosen = frozenset(i for i, n in enumerate(counts) if n << k > most)
        if len(chosen) == sum(map(bool, counts)):
            break
        if not found or len(chosen) > len(found[-1]):
            found.append(chosen)
    return found


def _coloured(pattern: Pattern, split: Split) -> Bicolouring:
    _, full_rows, full_columns = split
    by_columns = column_colouring(_part(pattern, lambda i: i not in full_rows, full_columns, inside=False))
    apart = column_colouring(_part(pattern, lambda _: True, full_columns, inside=True))
    shared = by_columns.needed
    columns = Colouring(
        [a if b < 0 else shared + b for a, b in zip(by_columns.of, apart.of, strict=True)],
        shared + apart.needed,
    )
    rows = column_colouring(_part(pattern, full_rows.__contains__, full_columns, inside=False).transposed)
    return Bicolouring(columns, rows, split, columns.needed + REVERSE_COST * rows.needed)


def _part(
    pattern: Pattern, has_row: Callable[[int], bool], columns: Collection[int], *, inside: bool
) -> Pattern:
    """Return a copy of a pattern that keeps only some places, in rows that `has_row` accepts.

    inside: if true, keep only places in `columns`. If false, keep only places in all other columns.
    """
    if not columns:
        kept = [[] if inside or not has_row(i) else own for i, own in enumerate(pattern.columns)]
    else:
        kept = [
            [j for j in own if (j in columns) is inside] if has_row(i) else []
            for i, own in enumerate(pattern.columns)
        ]
    return Pattern(pattern.shape, kept)
