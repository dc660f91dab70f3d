"""A graph cut into pieces, one for each term, and the pieces' shapes.

The operations that first make a term stand next to one another, the term last: the graphs are written so.
A piece is what stands between one term and the one before it, except operations that several pieces use (and
what these use). Pieces of one shape differ in what they use from outside alone, so that one loop computes
them. Most have the shape of an earlier one, and stand without a gap: then slices of the graph's columns are
compared with that one's, so that no operation is looked at by itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from operator import lt
from typing import NamedTuple

from bench.diagrams.graphs import Graph

FEW = 3
"""So many pieces of one shape are not worth a loop."""

Step = tuple[str, int, int, int]
"""An operation and its operands: k ≥ 0 is the value of step k of the shape, ~k its value k from outside; an
operand that the operation does not have is the number of steps."""
Columns = Sequence[Sequence[int]]
"""For the operations of a piece the first operand of each, the second and the third."""


class Inside(NamedTuple):
    """Where one of the columns of a piece names operations of the piece.

    at, other: 1 where the operand is one of them; where it is from outside; empty if there is none.
    places: which operation of the piece each is.
    """

    at: bytes
    other: bytes
    places: list[int]


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """What pieces have in common: steps, of which the last one is their term."""

    steps: tuple[Step, ...]


class Piece(NamedTuple):
    """A shape, and the values from outside that it is computed of here."""

    shape: Shape
    outside: tuple[int, ...]


Place = Sequence[int]
"""The numbers of a piece's operations; a range where they stand without a gap."""
Pattern = tuple[Inside, ...]
"""For each column what is inside: with the operations, a piece's shape."""
Found = tuple[Place, tuple[int, ...]]
"""A piece's place, and its values from outside."""


class Pieces:
    """The pieces of a graph whose shapes occur often.

    of: for each term that ends such a piece the piece.
    loose: the values of operations of no piece, in order.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._first = first = graph.first
        self._ops = bytes(graph.ops)
        self._columns = (graph.a, graph.b, graph.c)
        self.of: dict[int, Piece] = {}
        spans = self._spans()
        shared = self._shared(spans)
        loose = [first + k for k in shared]
        for ops, places in self._alike(spans, shared).items():
            for pattern, found in self._by_pattern(places):
                if pattern is None or len(found) <= FEW:
                    loose += [first + k for place, _ in found for k in place]
                    continue
                shape = Shape(tuple(self._steps(ops, pattern)))
                for place, outside in found:
                    self.of[first + place[-1]] = Piece(shape, outside)
        self.loose = sorted(loose)

    def _spans(self) -> list[range]:
        """The operations between one term and the next; operations after the last term are for none."""
        graph = self._graph
        ends = sorted({value - self._first + 1 for value in chain(graph.objectives, graph.constraints)})
        ends = [end for end in ends if end > 0]
        return [range(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]

    def _shared(self, spans: Sequence[range]) -> list[int]:
        """What operations are used beyond the span they stand in, and what these use, in order."""
        first = self._first
        starts: list[int] = []
        for span in spans:
            starts += [first + span.start] * len(span)
        found: set[int] = set()
        for column in self._columns:
            there = self._with_operand(column)
            operands = list(compress(column, there))
            found.update(compress(operands, map(lt, operands, compress(starts, there))))
        waiting = [value - first for value in found if value >= first]
        shared = set(waiting)
        while waiting:
            k = waiting.pop()
            for column in self._columns:
                j = column[k] - first
                if j >= 0 and j not in shared:
                    shared.add(j)
                    waiting.append(j)
        return sorted(shared)

    def _with_operand(self, column: Sequence[int]) -> bytes:
        """For each operation 1 if it has an operand in that column: all of one name do, or none."""
        firsts = [self._ops.find(op) for op in range(len(self._graph.names))]
        return self._ops.translate(bytes([k >= 0 and column[k] >= 0 for k in firsts]).ljust(256, b"\0"))

    def _alike(self, spans: Sequence[range], shared: Sequence[int]) -> dict[bytes, list[Place]]:
        """By their operations, the places of the pieces: of spans what is not shared."""
        ops = self._ops
        alike: dict[bytes, list[Place]] = defaultdict(list)
        for span in spans:
            begin, end = span.start, span.stop
            at, to = bisect_left(shared, begin), bisect_left(shared, end)
            while at < to and shared[at] == begin:
                at, begin = at + 1, begin + 1
            if at == to:
                if begin < end:
                    alike[ops[begin:end]].append(range(begin, end))
            elif shared[to - 1] != end - 1:
                missing = set(shared[at:to])
                place = [k for k in range(begin, end) if k not in missing]
                alike[bytes([ops[k] for k in place])].append(place)
        return alike

    def _by_pattern(self, places: Sequence[Place]) -> list[tuple[Pattern | None, list[Found]]]:
        """Pieces with the same operations, divided by their patterns; where they are few, they have none."""
        if len(places) <= FEW:
            return [(None, [(place, ()) for place in places])]
        found: list[tuple[Pattern | None, list[Found]]] = []
        for place in places:
            parts, outside = self._parts(place), None
            for pattern, members in found:
                if outside is None and (outside := self._matched(place, parts, pattern)) is not None:
                    members.append((place, outside))
            if outside is None:
                numbers = {self._first + k: j for j, k in enumerate(place)}
                pattern = tuple([_inside(part, numbers) for part in parts])
                found.append((pattern, [(place, _outside(parts, pattern))]))
        return found

    def _parts(self, place: Place) -> Columns:
        """The columns of a piece."""
        if isinstance(place, range):
            return [column[place.start : place.stop] for column in self._columns]
        return [[column[k] for k in place] for column in self._columns]

    def _matched(self, place: Place, parts: Columns, pattern: Pattern | None) -> tuple[int, ...] | None:
        """The values from outside of a piece if it has that pattern."""
        assert pattern is not None
        if isinstance(place, range):
            begin = self._first + place.start
            for part, inside in zip(parts, pattern, strict=True):
                if list(compress(part, inside.at)) != list(map(begin.__add__, inside.places)):
                    return None
            outside = _outside(parts, pattern)
            return outside if max(outside, default=0) < begin else None
        numbers = {self._first + k: j for j, k in enumerate(place)}
        same = all(_inside(part, numbers) == inside for part, inside in zip(parts, pattern, strict=True))
        return _outside(parts, pattern) if same else None

    def _steps(self, ops: bytes, pattern: Pattern) -> Iterator[Step]:
        """The steps of pieces with these operations and that pattern."""
        codes = []
        n, outer = len(ops), 0
        for inside in pattern:
            column = []
            places = iter(inside.places)
            for at, other in zip(inside.at or bytes(n), inside.other or bytes(n), strict=True):
                column.append(next(places) if at else ~outer if other else n)
                outer += other
            codes.append(column)
        names = self._graph.names
        for op, x, y, z in zip(ops, *codes, strict=True):
            yield names[op], x, y, z


def _inside(part: Sequence[int], numbers: dict[int, int]) -> Inside:
    """Which of a piece's operands are operations of its own; `numbers` has their places in it."""
    places = [numbers.get(value, -1) for value in part]
    at = bytes([place >= 0 for place in places])
    other = bytes([place < 0 <= value for place, value in zip(places, part, strict=True)])
    return Inside(at if any(at) else b"", other if any(other) else b"", [k for k in places if k >= 0])


def _outside(parts: Columns, pattern: Pattern) -> tuple[int, ...]:
    """The values from outside in a piece's columns."""
    return tuple(chain.from_iterable(map(compress, parts, [inside.other for inside in pattern])))
