"""Cut a graph into pieces, one for each term, and find the pieces that have the same shape.

In a graph, the operations that compute a term come directly one after the other. The last of them gives the
term. So the piece of a term consists of the operations after the previous term, up to and including the term
itself. If several pieces use an operation, it belongs to none of them. The same is true for all operations
that it depends on. Pieces of one shape differ only in the values that they use from outside, so one loop can
compute them all.

All pieces of a shape have the same `key`. Its bytes contain the code of each operation. They also contain the
positions of the operands that the piece itself computes. If no operation was left out of a piece, its key
consists of slices of columns that `lanes` computes for the whole graph. This is fast, because we do not look
at single operations.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from .graphs import Graph
from .lanes import LANE, TOP, above, runs

FEW = 3
"""The largest number of pieces of the same shape for which a loop is not worthwhile."""

Step = tuple[str, int, int, int]
"""An operation and its operands: k ≥ 0 is the value of step k of the shape, and ~k is outside value k. An
operand that the operation does not have is the number of steps."""

Place = Sequence[int]
"""The numbers of a piece's operations. They are a range if there is no gap between them."""


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """The operations that are the same in several pieces. The last one computes the term."""

    steps: tuple[Step, ...]


class Piece(NamedTuple):
    """The operations of one term: a shape, and the numbers of the values from outside the piece."""

    shape: Shape
    outside: tuple[int, ...]


class Pieces:
    """Finds the pieces of a graph that have frequent shapes.

    A shape is frequent if more than FEW pieces have it.

    of: a dict from the value of a term to the term's piece. It has only pieces with frequent shapes.
    loose: the values of all operations that are in none of these pieces, in order.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._first = first = graph.first
        self._ops = bytes(graph.ops)
        self._columns = [column for column in (graph.a, graph.b, graph.c) if self._has_operands(column)]
        spans = self._spans()
        starts = self._starts(spans)
        inside, beyond = above(self._columns, starts, first)
        shared = self._shared(beyond)
        loose = [first + k for k in shared]
        self._numbers = [0] * (first + len(self._ops) + 1)
        """TOP plus the position of each operation in its piece, for `_key`. The last entry belongs to operand
        −1."""
        self.of: dict[int, Piece] = {}
        for key, places in self._alike(spans, shared, inside).items():
            if len(places) > FEW:
                self._add(key, places)
            else:
                loose += [first + k for place in places for k in place]
        self.loose = sorted(loose)

    def _has_operands(self, column: Sequence[int]) -> bool:
        """True if any operation of the graph has an operand in this column.

        All operations with the same name have the same number of operands. So we check only the first
        operation of each name.
        """
        firsts = [self._ops.find(op) for op in range(len(self._graph.names))]
        return any(k >= 0 and column[k] >= 0 for k in firsts)

    def _spans(self) -> list[range]:
        """Find the span of each term: the operations after the previous term, up to the term itself."""
        graph = self._graph
        ends = sorted({value - self._first + 1 for value in chain(graph.objectives, graph.constraints)})
        ends = [end for end in ends if end > 0]
        return [range(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]

    def _starts(self, spans: Sequence[range]) -> bytes:
        """Return, for each operation, the number of the first value in the operation's span.

        The entries for operations after the last span have no meaning.
        """
        rest = len(self._ops) - sum(map(len, spans))
        values = [self._first + span.start for span in spans]
        return runs([*values, self._first], [*map(len, spans), rest])

    def _shared(self, used: Iterable[int]) -> list[int]:
        """List the operations with values that another span uses, and all operations on which they depend.

        used: the values that at least one span uses without computing them.
        """
        first = self._first
        shared = {value - first for value in used}
        waiting = list(shared)
        while waiting:
            k = waiting.pop()
            for column in self._columns:
                j = column[k] - first
                if j >= 0 and j not in shared:
                    shared.add(j)
                    waiting.append(j)
        return sorted(shared)

    def _alike(
        self, spans: Sequence[range], shared: Sequence[int], inside: Sequence[bytes]
    ) -> dict[bytes, list[Place]]:
        """Group the pieces by their keys. A piece is a span without the operations in `shared`.

        inside: the lanes that `lanes.above` returned for the columns of operands. The lower bound for each
            operation was the first value of the operation's span.
        """
        ops = self._ops
        alike: dict[bytes, list[Place]] = defaultdict(list)
        to = 0
        for span in spans:
            begin, end = span.start, span.stop
            at, to = to, bisect_left(shared, end, to)
            if at == to:
                columns = [column[LANE * begin : LANE * end] for column in inside]
                alike[b"".join([ops[begin:end], *columns])].append(span)
            elif shared[to - 1] != end - 1:
                place = self._without(span, shared[at:to])
                alike[self._key(place)].append(place)
        return alike

    def _without(self, span: range, shared: Sequence[int]) -> Place:
        """A span without some of its operations."""
        begin = span.start + len(shared)
        if shared[-1] < begin:
            return range(begin, span.stop)
        missing = set(shared)
        return [k for k in span if k not in missing]

    def _operands(self, place: Place) -> list[int]:
        """The operands of a piece, column after column."""
        operands: list[int] = []
        for column in self._columns:
            operands += (
                column[place.start : place.stop] if isinstance(place, range) else [column[k] for k in place]
            )
        return operands

    def _key(self, place: Place) -> bytes:
        """Compute the key of a piece that does not contain all operations of its span."""
        numbers = self._numbers
        for j, k in enumerate(place, TOP):
            numbers[self._first + k] = j
        inside = [numbers[value] for value in self._operands(place)]
        return bytes([self._ops[k] for k in place]) + struct.pack(f"<{len(inside)}I", *inside)

    def _add(self, key: bytes, places: Sequence[Place]) -> None:
        """Add pieces to `of`. All of them have the key `key`."""
        n = len(places[0])
        inside = struct.unpack(f"<{(len(key) - n) // LANE}I", key[n:])
        codes: list[int] = []
        outside: list[int] = []
        for at, (place, value) in enumerate(zip(inside, self._operands(places[0]), strict=True)):
            if place:
                codes.append(place - TOP)
            elif value < 0:
                codes.append(n)
            else:
                codes.append(~len(outside))
                outside.append(at)
        codes += [n] * (3 * n - len(codes))
        names = [self._graph.names[op] for op in key[:n]]
        shape = Shape(tuple(zip(names, codes[:n], codes[n : 2 * n], codes[2 * n :], strict=True)))
        chosen = chooser(outside)
        for place in places:
            self.of[self._first + place[-1]] = Piece(shape, chosen(self._operands(place)))


def chooser(positions: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """Make a function that returns the elements of a sequence at these positions, as a tuple."""
    if len(positions) > 1:
        return itemgetter(*positions)
    return lambda values: tuple([values[k] for k in positions])
