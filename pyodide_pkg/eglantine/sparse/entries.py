"""Make the directions for a sparse matrix, and read its entries from the products with the directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any, Final, NamedTuple

from eglantine.ir.row_types import I32
from eglantine.leaves import Leaf, leaves
from eglantine.trace.elementwise import real
from eglantine.trace.sums import vec
from eglantine.trace.traced import Traced, current_builder
from eglantine.trace.vectors import VecValue, rows_of, value_of
from eglantine.types import FinType, RealType, Type, VecType

from .colouring import Colouring
from .patterns import Banded, Pattern
from .plans import Reading, places

MOST_CORRECTED: Final = 64
"""The largest number of entries that we write one by one. They are in the rows that not all diagonals cross.
"""


def seed(of: Type, colours: Colouring, c: Any) -> Any:
    """Make the direction for colour c. Its Reals are 1 for columns of this colour, and 0 for all others."""
    b = current_builder()
    table = None
    if not colours.period:
        table = _table([colour % (colours.needed + 1) for colour in colours.of], colours.needed)
    rows, first = [], 0
    for leaf in leaves(of):

        def at(k: Any) -> Any:
            return real((k % colours.period if table is None else table[k]) == c)

        rows += rows_of(b, _over(leaf.dims, at, first), _vec_type(leaf))
        first += leaf.size
    return value_of(of, b, rows)


def _over(dims: Sequence[int], at: Callable[[Any], Any], first: Any) -> Any:
    """Make an array with the dimensions `dims`. Its elements are at(first), at(first + 1), …, row by row."""
    if not dims:
        return at(first)
    inner = prod(dims[1:])
    return vec(dims[0], lambda i: _over(dims[1:], at, i * inner + first))


def _vec_type(leaf: Leaf) -> Type:
    of: Type = RealType()
    for n in reversed(leaf.dims):
        of = VecType(n, of)
    return of


class Part(NamedTuple):
    """The products of one mode, and the plan for reading entries from them.

    out: the type of one product.
    chunk: the number of directions in a group. groups: the number of groups.
    arrays: for each leaf of a product, an array with this leaf of all products. The indices of the array are
        the group (only if there are several groups), the direction in the group, and the leaf's own indices.
    """

    reading: Reading
    out: Type
    chunk: int
    groups: int
    arrays: Sequence[Traced]

    def products(self, leaf: int, dims: tuple[int, ...]) -> Callable[[Any], Any]:
        """Return a function that takes a colour and returns one leaf of the product for this colour."""
        if self.groups == 1:
            return _array(self.arrays[leaf], (self.chunk, *dims)).__getitem__
        groups = _array(self.arrays[leaf], (self.groups, self.chunk, *dims))
        return lambda c: groups[c // self.chunk][c % self.chunk]


def entries(pattern: Pattern, parts: Sequence[Part]) -> Any:
    """The entries of a matrix, row by row."""
    values = None
    for part in parts:
        if part.reading.places is None:
            assert isinstance(pattern, Banded)
            return _entries_of_bands(pattern, part)
        own = _entries_of(part, part.reading.places)
        if part.reading.entries is None:
            return own
        if values is None:
            values = vec(pattern.nnz, lambda _: 0.0)
        values = _placed(values, own, part.reading.entries)
    return values


def _entries_of(part: Part, places: tuple[Sequence[int], Sequence[int]]) -> Any:
    """Return the entries that the products of one mode contain."""
    colours, positions = places
    kinds = [leaf for leaf in leaves(part.out) if leaf.dtype == "f64"]
    starts = [0, *accumulate(leaf.size for leaf in kinds)]
    if len(kinds) == 1:
        return _gathered(part.products(0, kinds[0].dims), kinds[0].dims, colours, positions)
    own: list[list[int]] = [[] for _ in kinds]
    for k, at in enumerate(positions):
        q = next(q for q in range(len(kinds)) if at < starts[q + 1])
        own[q].append(k)
    values = vec(len(colours), lambda _: 0.0)
    for q, (leaf, entries) in enumerate(zip(kinds, own, strict=True)):
        if entries:
            found = _gathered(
                part.products(q, leaf.dims),
                leaf.dims,
                [colours[k] for k in entries],
                [positions[k] - starts[q] for k in entries],
            )
            values = _placed(values, found, entries)
    return values


def _placed(values: Any, part: Any, entries: Sequence[int]) -> Any:
    from eglantine.trace.loops import fori_loop

    at = _table(entries, len(values) - 1)
    return fori_loop(0, len(entries), lambda k, v: v.at[at[k]].set(part[k]), values)


def _gathered(products: Callable[[Any], Any], dims: Sequence[int], colours: Sequence[int],
              positions: Sequence[int]) -> Any:  # fmt: skip
    """Return a Vec of entries. Entry k is element number positions[k] of the product for colour colours[k].

    dims: the dimensions of a product.
    """
    colour_of, position_of = _table(colours, max(colours)), _table(positions, max(prod(dims) - 1, 0))

    def entry(k: Any) -> Any:
        value: Any = products(colour_of[k])
        position = position_of[k]
        for d, n in enumerate(dims):
            inner = prod(dims[d + 1 :])
            value = value[position // inner % n if d else position // inner]
        return value

    return vec(len(colours), entry)


def _array(array: Traced, dims: tuple[int, ...]) -> VecValue:
    of = _vec_type(Leaf("f64", dims))
    assert isinstance(of, VecType)
    return VecValue(of, None, [array])


def _entries_of_bands(pattern: Banded, part: Part) -> Any:
    m, _ = pattern.shape
    distances = list(pattern.bands)
    width, p = len(distances), part.reading.colours.period
    lo, hi = pattern.inside
    before = sum(len(pattern.row(i)) for i in range(lo))
    after = sum(len(pattern.row(i)) for i in range(hi, m))
    products = part.products(0, (m,))
    shift = lo * width - before
    lift = -(distances[0] // p) * p
    if before + after > MOST_CORRECTED or lo >= hi:
        return _gathered(products, (m,), *places(pattern, lambda i, j: (j % p, i)))
    steps = {b - a for a, b in pairwise(distances)}
    step = steps.pop() if len(steps) == 1 else 1 if not steps else 0
    table = None if step else _table([d + lift for d in distances], distances[-1] + lift)

    def entry(k: Any) -> Any:
        row, q = (k + shift) // width, (k + shift) % width
        distance = table[q] if table is not None else q * step + (distances[0] + lift)
        return products((row + distance) % p)[row]

    values = vec(pattern.nnz, entry)
    ends = [(k, i, j) for k, (i, j) in enumerate((i, j) for i in range(lo) for j in pattern.row(i))]
    first = pattern.nnz - after
    ends += [
        (first + k, i, j) for k, (i, j) in enumerate((i, j) for i in range(hi, m) for j in pattern.row(i))
    ]
    for k, i, j in ends:
        values = values.at[k].set(products(j % p)[i])
    return values


def _table(entries: Sequence[int], largest: int) -> VecValue:
    b = current_builder()
    row = b.table(tuple(entries), I32(0, largest))
    return VecValue(VecType(len(entries), FinType(largest + 1)), None, [Traced(b, row)])
