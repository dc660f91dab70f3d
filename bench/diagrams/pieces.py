"""A graph cut into pieces, one for each term, and the pieces' shapes.

The operations that first make a term stand next to one another, the term last: the graphs are written so.
A piece is what stands between one term and the one before it, except operations that several pieces use (and
what these use), which are shared. Pieces of one shape differ in what they use from outside alone, so that
one loop computes them. Most have the shape of an earlier one, and stand without a gap: then slices of the
graph's columns are compared with that one's, so that no operation is looked at by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress
from operator import lt, sub
from typing import NamedTuple

from bench.diagrams.graphs import Graph

ABSENT = None
"""In the place of an operand that an operation does not have."""

Step = tuple[str, "int | None", "int | None", "int | None"]
"""An operation and its operands: k ≥ 0 is the value of step k of the shape, ~k its value k from outside."""


class Inside(NamedTuple):
    """Where one of the columns of a piece names operations of the piece.

    at, other: 1 where the operand is one of them; where it is from outside.
    distances: how far each is before the operation that uses it.
    """

    at: bytes
    other: bytes
    distances: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """What pieces have in common: steps, of which the last one is their term."""

    steps: tuple[Step, ...]
    inside: tuple[Inside, ...] = field(repr=False)


class Piece(NamedTuple):
    """A shape, and the values from outside that it is computed of here."""

    shape: Shape
    outside: tuple[int, ...]


class Pieces:
    """The pieces of a graph.

    of: for each term that ends a piece the piece; not for terms that are inputs, constants or shared.
    shared: operations of no piece, in order.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._first = graph.first
        self._ops = bytes(graph.ops)
        self._columns = (graph.a, graph.b, graph.c)
        self._known: dict[bytes, list[Shape]] = defaultdict(list)
        spans = self._spans()
        values = range(self._first, self._first + len(self._ops))
        self.shared = self._shared(spans)
        self._distances = [list(map(sub, values, column)) for column in self._columns]
        broken = set(self.shared)
        self.of: dict[int, Piece] = {}
        for begin, end in spans:
            term = self._first + end - 1
            if term in broken:
                continue
            gaps = bool(broken) and not broken.isdisjoint(range(self._first + begin, term))
            self.of[term] = self._with_gaps(begin, end, broken) if gaps else self._whole(begin, end)

    def _spans(self) -> list[tuple[int, int]]:
        """The operations between one term and the next; operations after the last term are for none."""
        graph = self._graph
        ends = sorted({value - self._first + 1 for value in chain(graph.objectives, graph.constraints)})
        ends = [end for end in ends if end > 0]
        return list(zip([0, *ends], ends, strict=False))

    def _shared(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """What operations are used beyond the span they stand in, and what these use, in order."""
        first = self._first
        starts: list[int] = []
        for begin, end in spans:
            starts += [first + begin] * (end - begin)
        found = set()
        for column in self._columns:
            found.update(compress(column, map(lt, column, starts)))
        waiting = [value for value in found if value >= first]
        shared = set(waiting)
        while waiting:
            k = waiting.pop() - first
            for column in self._columns:
                value = column[k]
                if value >= first and value not in shared:
                    shared.add(value)
                    waiting.append(value)
        return sorted(shared)

    def _whole(self, begin: int, end: int) -> Piece:
        """A piece without gaps."""
        ops = self._ops[begin:end]
        parts = [column[begin:end] for column in self._columns]
        distances = [column[begin:end] for column in self._distances]
        least = self._first + begin
        for shape in self._known[ops]:
            if all(
                tuple(compress(column, inside.at)) == inside.distances
                for column, inside in zip(distances, shape.inside, strict=True)
            ):
                outside = _outside(parts, shape)
                if max(outside, default=0) < least:
                    return Piece(shape, outside)
        return self._new(ops, parts, {value: k for k, value in enumerate(range(least, self._first + end))})

    def _with_gaps(self, begin: int, end: int, broken: set[int]) -> Piece:
        """A piece of which some operations are shared."""
        kept = [k for k in range(begin, end) if self._first + k not in broken]
        ops = bytes([self._ops[k] for k in kept])
        parts = [[column[k] for k in kept] for column in self._columns]
        return self._new(ops, parts, {self._first + k: place for place, k in enumerate(kept)})

    def _new(self, ops: bytes, parts: Sequence[Sequence[int]], places: dict[int, int]) -> Piece:
        """A piece whose operations are looked at one by one, and its shape, if no other has had it."""
        inside = tuple(_inside(part, places) for part in parts)
        for shape in self._known[ops]:
            if shape.inside == inside:
                return Piece(shape, _outside(parts, shape))
        shape = Shape(tuple(self._steps(ops, inside)), inside)
        self._known[ops].append(shape)
        return Piece(shape, _outside(parts, shape))

    def _steps(self, ops: bytes, inside: Sequence[Inside]) -> Iterator[Step]:
        names = self._graph.names
        codes = []
        outer = 0
        for part in inside:
            column: list[int | None] = []
            distances = iter(part.distances)
            for k, (at, other) in enumerate(zip(part.at, part.other, strict=True)):
                column.append(k - next(distances) if at else ~outer if other else ABSENT)
                outer += other
            codes.append(column)
        for op, x, y, z in zip(ops, *codes, strict=True):
            yield names[op], x, y, z


def _inside(part: Sequence[int], places: dict[int, int]) -> Inside:
    """Which of a piece's operands are operations of its own."""
    at = [places.get(value, -1) for value in part]
    return Inside(
        bytes([place >= 0 for place in at]),
        bytes([place < 0 <= value for place, value in zip(at, part, strict=True)]),
        tuple([k - place for k, place in enumerate(at) if place >= 0]),
    )


def _outside(parts: Sequence[Sequence[int]], shape: Shape) -> tuple[int, ...]:
    """The values from outside in a piece's columns."""
    (a, b, c), (x, y, z) = parts, shape.inside
    return (*compress(a, x.other), *compress(b, y.other), *compress(c, z.other))
