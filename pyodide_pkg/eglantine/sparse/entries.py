"""The directions of a sparse matrix, and its entries from the products with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any, Final

from eglantine.ir.row_types import I32
from eglantine.leaves import Leaf, leaves
from eglantine.trace.elementwise import real
from eglantine.trace.sums import vec
from eglantine.trace.traced import Traced, current_builder
from eglantine.trace.vectors import VecValue, rows_of, value_of
from eglantine.types import FinType, RealType, Type, VecType

from .colouring import Colouring
from .patterns import Banded
from .plans import Plan, places

MOST_CORRECTED: Final = 64
"""At most this many entries at both ends of a band are written one by one."""


def seed(of: Type, colours: Colouring, c: Any) -> Any:
    """The value of type `of` whose Reals are 1 where the colour is c, and 0 elsewhere."""
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
    """The array in which the element with flat position k is at(first + k)."""
    if not dims:
        return at(first)
    inner = prod(dims[1:])
    return vec(dims[0], lambda i: _over(dims[1:], at, i * inner + first))


def _vec_type(leaf: Leaf) -> Type:
    of: Type = RealType()
    for n in reversed(leaf.dims):
        of = VecType(n, of)
    return of


def entries(plan: Plan, out: Type, products: Any) -> Any:
    """The entries of a matrix, row by row, from the products with the directions of all colours.

    out: the type of one product.
    """
    if plan.reading.places is None:
        assert isinstance(plan.pattern, Banded)
        return _entries_of_bands(plan.pattern, plan.reading.colours, products.arrays()[0])
    colours, positions = plan.reading.places
    kinds = [leaf for leaf in leaves(out) if leaf.dtype == "f64"]
    starts = [0, *accumulate(leaf.size for leaf in kinds)]
    if len(kinds) == 1:
        return _gathered(kinds[0], products.arrays()[0], colours, positions)
    own: list[list[int]] = [[] for _ in kinds]
    for k, at in enumerate(positions):
        q = next(q for q in range(len(kinds)) if at < starts[q + 1])
        own[q].append(k)
    values = vec(len(colours), lambda _: 0.0)
    for q, (leaf, entries) in enumerate(zip(kinds, own, strict=True)):
        if entries:
            part = _gathered(
                leaf,
                products.arrays()[q],
                [colours[k] for k in entries],
                [positions[k] - starts[q] for k in entries],
            )
            values = _placed(values, part, entries)
    return values


def _placed(values: Any, part: Any, entries: Sequence[int]) -> Any:
    from eglantine.trace.loops import fori_loop

    at = _table(entries, len(values) - 1)
    return fori_loop(0, len(entries), lambda k, v: v.at[at[k]].set(part[k]), values)


def _gathered(leaf: Leaf, array: Traced, colours: Sequence[int], positions: Sequence[int]) -> Any:
    products = VecValue(VecType(_length(array), _vec_type(leaf)), None, [array])
    colour_of, position_of = _table(colours, max(colours)), _table(positions, max(leaf.size - 1, 0))

    def entry(k: Any) -> Any:
        value: Any = products[colour_of[k]]
        position = position_of[k]
        for d, n in enumerate(leaf.dims):
            inner = prod(leaf.dims[d + 1 :])
            value = value[position // inner % n if d else position // inner]
        return value

    return vec(len(colours), entry)


def _length(array: Traced) -> int:
    n: int = array.scope.types[array.row].dims[0]
    return n


def _entries_of_bands(pattern: Banded, colours: Colouring, array: Traced) -> Any:
    m, _ = pattern.shape
    distances = list(pattern.bands)
    width, p = len(distances), colours.period
    lo, hi = pattern.inside
    before = sum(len(pattern.row(i)) for i in range(lo))
    after = sum(len(pattern.row(i)) for i in range(hi, m))
    products = VecValue(VecType(p, VecType(m, RealType())), None, [array])
    shift = lo * width - before
    lift = -(distances[0] // p) * p
    if before + after > MOST_CORRECTED or lo >= hi:
        return _gathered(Leaf("f64", (m,)), array, *places(pattern, lambda i, j: (j % p, i)))
    steps = {b - a for a, b in pairwise(distances)}
    step = steps.pop() if len(steps) == 1 else 1 if not steps else 0
    table = None if step else _table([d + lift for d in distances], distances[-1] + lift)

    def entry(k: Any) -> Any:
        row, q = (k + shift) // width, (k + shift) % width
        distance = table[q] if table is not None else q * step + (distances[0] + lift)
        return products[(row + distance) % p][row]

    values = vec(pattern.nnz, entry)
    ends = [(k, i, j) for k, (i, j) in enumerate((i, j) for i in range(lo) for j in pattern.row(i))]
    first = pattern.nnz - after
    ends += [
        (first + k, i, j) for k, (i, j) in enumerate((i, j) for i in range(hi, m) for j in pattern.row(i))
    ]
    for k, i, j in ends:
        values = values.at[k].set(products[j % p][i])
    return values


def _table(entries: Sequence[int], largest: int) -> VecValue:
    b = current_builder()
    row = b.table(tuple(entries), I32(0, largest))
    return VecValue(VecType(len(entries), FinType(largest + 1)), None, [Traced(b, row)])
