"""Colour the columns of a pattern. Columns with the same colour share one direction.

For a Jacobian, two columns of one colour have no row in common ("distance 2"). So in the
product of the Jacobian with a colour's direction, each element is one entry of the Jacobian. For a Hessian
we use star colourings, which need fewer colours. By symmetry, an entry (i, j) can be read from the product
for j's colour (row i) or from the product for i's colour (row j).

Source: Gebremedhin, Manne, Pothen, "What Color Is Your Jacobian?", SIAM Review 47 (2005), algorithms 3.1 and
    4.1; Gebremedhin, Tarafdar, Manne, Pothen, "New Acyclic and Star Coloring Algorithms with Application to
    Computing Hessians", SIAM J. Sci. Comput. 29 (2007).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, NamedTuple

from .patterns import Banded, Pattern

MOST_PERIODS: Final = 64
"""The limit for the period of a periodic colouring. We try only periods below this number."""

SMALL: Final = 20_000
"""The largest number of columns for which we try several orders of the columns.

For more columns, we take a periodic colouring, or try only one order if there is no periodic colouring.
"""

FULL: Final = 200
"""The least number of entries of a row or column that we ignore when we order the columns.

If we considered such a row or column, the time would grow with the square of its number of entries.
"""


class Colouring(NamedTuple):
    """A colour for each column.

    of: the colour of each column. A colour below 0 means that the column is empty.
    needed: the number of colours.
    period: p if column j has the colour j mod p for all j. Otherwise 0.
    """

    of: Sequence[int]
    needed: int
    period: int = 0


def column_colouring(pattern: Pattern) -> Colouring:
    """Colour the columns. Two columns of the same colour have no entries in the same row."""
    periodic = _periodic(pattern)
    if periodic is not None and pattern.shape[1] > SMALL:
        return periodic
    greedy = _best(pattern, _distance_two)
    return periodic if periodic is not None and periodic.needed <= greedy.needed else greedy


def star_colouring(pattern: Pattern) -> Colouring:
    """Make a star colouring of a symmetric pattern.

    Neighbours have different colours, and a path of four vertices has at least three colours. A diagonal
    entry counts as an edge to an extra vertex.
    """
    periodic = _periodic(pattern)
    if periodic is not None and pattern.shape[1] > SMALL:
        return periodic
    greedy = _best(pattern, _star)
    return periodic if periodic is not None and periodic.needed <= greedy.needed else greedy


def _best(pattern: Pattern, colour: Callable[[Pattern, Sequence[int]], list[int]]) -> Colouring:
    """Colour the columns in several orders. Return the colouring with the fewest colours."""
    best: Colouring | None = None
    for order in _orders(pattern):
        colours = colour(pattern, order)
        found = max(colours, default=-1) + 1
        if best is None or found < best.needed:
            best = Colouring(colours, found)
    assert best is not None
    return best


def _orders(pattern: Pattern) -> list[Sequence[int]]:
    n = pattern.shape[1]
    natural = range(n)
    if n > SMALL:
        return [natural]
    degrees = list(map(len, pattern.transposed.columns))
    largest_first = sorted(natural, key=lambda j: -degrees[j])
    return [natural, largest_first, _smallest_last(pattern, degrees)]


def _smallest_last(pattern: Pattern, degrees: Sequence[int]) -> list[int]:
    """Order the columns from last to first. Each step picks the column with the fewest neighbours left."""
    columns = pattern.transposed.columns
    rows = pattern.columns
    left = list(degrees)
    buckets: dict[int, set[int]] = {}
    for j, degree in enumerate(left):
        buckets.setdefault(degree, set()).add(j)
    gone = [False] * len(left)
    order = []
    lowest = 0
    for _ in left:
        lowest = max(lowest - 1, 0)
        while not buckets.get(lowest):
            lowest += 1
        j = buckets[lowest].pop()
        gone[j] = True
        order.append(j)
        short = [rows[i] for i in columns[j] if len(rows[i]) < FULL] if len(columns[j]) < FULL else []
        neighbours = {k for row in short for k in row}
        for k in neighbours:
            if not gone[k]:
                buckets[left[k]].discard(k)
                left[k] = max(left[k] - 1, 0)
                buckets.setdefault(left[k], set()).add(k)
                lowest = min(lowest, left[k])
    order.reverse()
    return order


def _periodic(pattern: Pattern) -> Colouring | None:
    """Colour column j of a `Banded` pattern by j mod p, with the least p. None if no small p is possible."""
    if not isinstance(pattern, Banded):
        return None
    n = pattern.shape[1]
    distances = list(pattern.bands)
    apart = {b - a for k, a in enumerate(distances) for b in distances[k + 1 :]}
    for p in range(1, MOST_PERIODS):
        if not any(d % p == 0 for d in apart):
            p = min(p, n)
            return Colouring(range(n), p, p)
    return None


def _distance_two(pattern: Pattern, order: Sequence[int]) -> list[int]:
    rows, columns = pattern.columns, pattern.transposed.columns
    colours = [-1] * pattern.shape[1]
    used_in: list[set[int]] = [set() for _ in rows]
    for j in order:
        own = columns[j]
        if not own:
            continue
        taken = set().union(*(used_in[i] for i in own))
        colour = next(c for c in count() if c not in taken)
        colours[j] = colour
        for i in own:
            used_in[i].add(colour)
    return colours


def _star(pattern: Pattern, order: Sequence[int]) -> list[int]:
    """Make a star colouring. Each vertex in turn takes the least colour that the rules allow.

    alike: for each vertex, its neighbours by colour.
    beyond: for each coloured vertex w, the colours that a new neighbour of w must not take. For each path
        w–x–y on which y has the colour of w, the colour of x is one of them.
    """
    neighbours = [[k for k in own if k != j] for j, own in enumerate(pattern.columns)]
    colours = [-1] * len(neighbours)
    alike: list[dict[int, list[int]]] = [{} for _ in neighbours]
    beyond: list[set[int]] = [set() for _ in neighbours]
    for v in order:
        if not pattern.columns[v]:
            continue
        forbidden = set(alike[v])
        for same in alike[v].values():
            if len(same) == 1:
                forbidden |= beyond[same[0]]
            else:
                for w in same:
                    forbidden.update(alike[w])
        colour = next(c for c in count() if c not in forbidden)
        colours[v] = colour
        for w in neighbours[v]:
            same = alike[w].setdefault(colour, [])
            same.append(v)
            if colours[w] >= 0 and len(same) > 1:
                for y in same if len(same) == 2 else (v,):
                    beyond[y].add(colours[w])
        for same in alike[v].values():
            if len(same) > 1:
                for y in same:
                    beyond[y].add(colour)
    return colours
