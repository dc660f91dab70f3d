"""Compute the Cholesky factor L of a sparse symmetric matrix A with a known pattern: L·Lᵀ = A.

The pattern alone determines which entries of L are not zero. Python finds their places once, and loops over
tables then compute the numbers. The columns are ordered by minimum degree, so L has few entries.

Sources: Davis, "Direct Methods for Sparse Linear Systems" (2006), chapters 4 and 7; George and Liu, "The
    Evolution of the Minimum Degree Ordering Algorithm", SIAM Review 31 (1989).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import asarray
from eglantine.trace.loops import fori_loop
from eglantine.trace.sums import vec
from eglantine.types import Fin, Vec


@dataclass(frozen=True)
class Factor:
    """The structure of L: its entries, and how to compute them from the entries of A.

    The entries of L are listed column by column. The place of an entry is its position in this list.
    order: the unknowns in the order of elimination. This order also numbers the rows and columns of L.
    starts: the place of each column's first entry, which is on the diagonal. The last element of `starts`
        is the number of all entries.
    rows: the row of each entry. In each column, the rows ascend.
    columns: the column of each entry.
    sources: for each column, a pair (row, position in the list of A's entries) for each entry of A in it.
    before: for each row, the places of the entries of L to the left of the diagonal.
    """

    order: Sequence[int]
    starts: Sequence[int]
    rows: Sequence[int]
    sources: Sequence[Sequence[tuple[int, int]]]
    before: Sequence[Sequence[int]]
    columns: Sequence[int]

    @property
    def nnz(self) -> int:
        """The number of entries of L."""
        return len(self.rows)


def minimum_degree(neighbours: Sequence[set[int]]) -> list[int]:
    """Return an order of elimination. Each step takes the unknown with the fewest remaining neighbours."""
    left = [set(of) for of in neighbours]
    waiting = set(range(len(left)))
    order = []
    while waiting:
        i = min(waiting, key=lambda k: (len(left[k]), k))
        waiting.discard(i)
        order.append(i)
        around = left[i]
        for k in around:
            left[k] |= around
            left[k] -= {i, k}
    return order


def factor_of(rows: Sequence[int], cols: Sequence[int], n: int) -> Factor:
    """Find the entries of L for a symmetric matrix A of n unknowns. Entry k of A is at (rows[k], cols[k])."""
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for i, j in zip(rows, cols, strict=True):
        if i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)
    order = minimum_degree(neighbours)
    place = {i: k for k, i in enumerate(order)}
    below: list[set[int]] = [{place[j] for j in neighbours[i] if place[j] > k} for k, i in enumerate(order)]
    for of in below:  # add each column's rows to its parent column: Davis, chapter 4.1
        if of:
            parent = min(of)
            below[parent] |= of - {parent}
    sources: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for p, (i, j) in enumerate(zip(rows, cols, strict=True)):
        if place[i] >= place[j]:
            sources[place[j]].append((place[i], p))
    starts: list[int] = [0]
    of_row: list[int] = []
    columns: list[int] = []
    before: list[list[int]] = [[] for _ in range(n)]
    for k, of in enumerate(below):
        for row in (k, *sorted(of)):
            if row > k:
                before[row].append(len(of_row))
            of_row.append(row)
            columns.append(k)
        starts.append(len(of_row))
    return Factor(order, starts, of_row, sources, before, columns)


class Spans:
    """The parts of a list, as two tables. They contain the first place and the length of each part."""

    def __init__(self, starts: Sequence[int], size: int) -> None:
        lengths = [end - start for start, end in pairwise(starts)]
        self.size = size
        self.first = _table([min(start, size - 1) for start in starts[:-1]], size)
        self.length = _table(lengths, max(lengths, default=0) + 1)

    def each(self, k: Any, body: Callable[[Any, Any], Any], init: Any) -> Any:
        """Run carry = body(place, carry) for each place in part k. Return the last carry."""
        first = self.first[k]
        return fori_loop(0, self.length[k], lambda t, carry: body(Fin(self.size)(first + t), carry), init)


class Tables:
    """The lists of a `Factor` as Vecs, made for the current trace."""

    def __init__(self, factor: Factor, entries: int) -> None:
        n, nnz = len(factor.order), factor.nnz
        self.n, self.nnz = n, nnz
        self.columns = Spans(factor.starts, nnz)
        self.rows, self.order = _table(factor.rows, n), _table(factor.order, n)
        left = [factor.starts[1 + column] - k for k, column in enumerate(factor.columns)]
        self.left = _table(left, max(left) + 1)
        source_starts, sources = _flat(factor.sources)
        self.sources = Spans(source_starts, len(sources))
        self.into = _table([row for row, _ in sources], n)
        self.out_of = _table([place for _, place in sources], entries)
        before_starts, before = _flat(factor.before)
        before = before or [0]
        self.befores, self.before = Spans(before_starts, len(before)), _table(before, nnz)


def _table(entries: Sequence[int], size: int) -> Any:
    """Return a Vec of whole numbers below `size`."""
    return asarray(list(entries), Vec(len(entries), Fin(size)))


def _flat(lists: Sequence[Sequence[Any]]) -> tuple[list[int], list[Any]]:
    """Join lists. Return the start of each list, followed by the total length, and the joined list."""
    starts: list[int] = [0]
    flat: list[Any] = []
    for of in lists:
        flat.extend(of)
        starts.append(len(flat))
    return starts, flat


def factorised(t: Tables, values: Any, shift: Any) -> tuple[Any, Any]:
    """Compute the factor L of A + shift·I, where I is the identity. Return (definite, L).

    definite: true if A + shift·I is positive definite.

    values: the entries of A, in the same order as the arguments `rows` and `cols` of `factor_of`.
    """

    def column(j: Any, carry: Any) -> Any:
        L, w, definite = carry
        w = t.sources.each(j, lambda p, w: w.at[t.into[p]].set(values[t.out_of[p]]), w)
        w = w.at[j].add(shift)

        def without(q: Any, w: Any) -> Any:
            first = t.before[q]
            scale = L[first]

            def entry(k: Any, w: Any) -> Any:
                p = Fin(t.nnz)(first + k)
                return w.at[t.rows[p]].add(-(L[p] * scale))

            return fori_loop(0, t.left[first], entry, w)

        w = t.befores.each(j, without, w)
        positive = w[j] > 0.0
        pivot = maths.sqrt(select(positive, w[j], 1.0))
        w = w.at[j].set(pivot * pivot)

        def entry(p: Any, carry: Any) -> Any:
            L, w = carry
            row = t.rows[p]
            return L.at[p].set(w[row] / pivot), w.at[row].set(0.0)

        L, w = t.columns.each(j, entry, (L, w))
        return L, w, definite & positive

    zeros = vec(t.n, lambda _: 0.0)
    L, _, definite = fori_loop(0, t.n, column, (vec(t.nnz, lambda _: 0.0), zeros, True))
    return definite, L


def solved(t: Tables, L: Any, b: Any) -> Any:
    """Solve L·Lᵀ·x = b. b and x have the order of the unknowns, not the order of elimination."""

    def forwards(j: Any, y: Any) -> Any:
        value = y[j] / L[t.columns.first[j]]
        y = t.columns.each(j, lambda p, y: y.at[t.rows[p]].add(-(L[p] * value)), y)
        return y.at[j].set(value)

    def back(step: Any, y: Any) -> Any:
        j = (t.n - 1) - step
        pivot = L[t.columns.first[j]]

        def without(p: Any, rest: Any) -> Any:
            return select(t.rows[p] == j, rest, rest - L[p] * y[t.rows[p]])

        return y.at[j].set(t.columns.each(j, without, y[j]) / pivot)

    y = fori_loop(0, t.n, forwards, vec(t.n, lambda k: b[t.order[k]]))
    y = fori_loop(0, t.n, back, y)
    return fori_loop(0, t.n, lambda k, x: x.at[t.order[k]].set(y[k]), vec(t.n, lambda _: 0.0))
