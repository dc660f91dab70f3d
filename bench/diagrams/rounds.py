"""Pieces of one shape as rounds of loops.

A step that depends on few of the values from outside is the same in many rounds: as in the terms of all pairs
(i, j) what depends on i alone. Such steps are rounds of a shorter loop of their own, whose values the longer
one finds through a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from bench.diagrams.operations import operation
from bench.diagrams.pieces import Step
from eglantine.build import Builder
from eglantine.ir import I32, Loop
from eglantine.rolling import index_at

OUTER, EACH = 0, 1
"""Domains: of steps that are the same in all rounds; of those that are others in most."""
LEAST_FEWER = 2
"""A domain of its own has at most one round where EACH has so many."""
LEAST_SAVED = 40
"""How many steps, over all rounds, a domain of its own must save beyond what it costs."""
GATHERED = 4
"""How many steps it takes, with those of its derivative, to pass a value on from one loop to another."""


class Domain(NamedTuple):
    """Which rounds of the pieces are the same.

    round_of: for each piece the number of its round; they are in the order in which they are first needed.
    first: for each round its first piece.
    """

    round_of: tuple[int, ...]
    first: tuple[int, ...]


class Values(Protocol):
    """Where rounds find what comes from outside."""

    b: Builder

    def row(self, value: int) -> int:
        """The row of a value."""

    def operation(self, *key: Any) -> int:
        """The row, outside of the loops, of an operation: its name and operands."""

    def element(self, body: Builder, i: int, column: Sequence[int]) -> int:
        """The row in a loop's body of what is another value in each round."""


class Rounds:
    """The loops of pieces of one shape.

    outsides: for each piece the values from outside.
    """

    def __init__(self, values: Values, steps: Sequence[Step], outsides: Sequence[Sequence[int]]) -> None:
        self._values = values
        self._steps = steps
        self._columns = list(zip(*outsides, strict=True))
        n = len(outsides)
        each = tuple(range(n))
        self._domains = [Domain((0,) * n, (0,)), Domain(each, each)]
        self._numbers = {domain.round_of: k for k, domain in enumerate(self._domains)}
        self._joined: dict[tuple[int, int], int] = {}
        self._domain = self._domains_of_steps()
        self._rows: dict[int, int] = {}
        """For a step of OUTER its row; for a step of another domain that other loops use the array."""

    def add(self, acc: int, is_penalty: bool) -> None:
        """Add the pieces' terms, or their penalties, to an accumulator."""
        alone = self._worthwhile()
        absent = len(self._steps)
        last = absent - 1
        wanted: dict[int, set[int]] = {domain: set() for domain in (EACH, *alone, OUTER)}
        wanted[EACH].add(last)
        bodies = {domain: self._body(domain, wanted) for domain in wanted}
        for k in bodies[OUTER]:
            op, *operands = self._steps[k]
            x, y, z = (None if a == absent else self._outer(a) for a in operands)
            self._rows[k] = self._values.operation(op, x, y, z)
        for domain in reversed(alone):
            if wanted[domain]:
                body, rows = self._made(domain, bodies[domain])
                results = sorted(wanted[domain])
                self._rows.update(
                    zip(results, self._looped(body, domain, [rows[k] for k in results]), strict=True)
                )
        body, rows = self._made(EACH, bodies[EACH])
        term = penalty(body, rows[last]) if is_penalty else rows[last]
        body.add_to(body.capture(acc), term)
        self._looped(body, EACH, [])

    # ------------------------------------------------------------ domains

    def _domains_of_steps(self) -> list[int]:
        """For each step its domain."""
        absent = len(self._steps)
        column_domain = [self._numbered(column) for column in self._columns]
        domain: list[int] = []
        for _, *operands in self._steps:
            found = OUTER
            for a in operands:
                if a < absent:
                    found = self._join(found, domain[a] if a >= 0 else column_domain[~a])
            domain.append(found)
        domain[-1] = EACH
        return domain

    def _numbered(self, keys: Sequence[Any]) -> int:
        """The domain in which pieces with the same key share a round."""
        numbers: dict[Any, int] = {}
        round_of = tuple([numbers.setdefault(key, len(numbers)) for key in keys])
        if len(numbers) * LEAST_FEWER > len(keys):
            return EACH
        found = self._numbers.get(round_of)
        if found is None:
            found = self._numbers[round_of] = len(self._domains)
            first = dict(zip(reversed(round_of), range(len(keys) - 1, -1, -1), strict=True))
            self._domains.append(Domain(round_of, tuple([first[k] for k in range(len(numbers))])))
        return found

    def _join(self, x: int, y: int) -> int:
        """The domain of what depends on steps of two."""
        if y in (x, OUTER):
            return x
        if x == OUTER:
            return y
        if EACH in (x, y):
            return EACH
        found = self._joined.get((x, y))
        if found is None:
            keys = zip(self._domains[x].round_of, self._domains[y].round_of, strict=True)
            found = self._joined[x, y] = self._joined[y, x] = self._numbered(list(keys))
        return found

    def _worthwhile(self) -> list[int]:
        """The domains between OUTER and EACH that become loops, those of most rounds first."""
        domains = self._domains
        counts = Counter(self._domain)
        passed = {
            a
            for (_, *operands), domain in zip(self._steps, self._domain, strict=True)
            for a in operands
            if 0 <= a < len(self._steps) and self._domain[a] != domain
        }
        passed_on = Counter([self._domain[k] for k in passed])
        n = len(domains[EACH].first)
        found = [
            k
            for k, domain in enumerate(domains)
            if k > EACH and counts[k] * (n - len(domain.first)) > GATHERED * n * passed_on[k] + LEAST_SAVED
        ]
        return sorted(found, key=lambda k: -len(domains[k].first))

    # ------------------------------------------------------------ loops

    def _body(self, domain: int, wanted: dict[int, set[int]]) -> list[int]:
        """The steps that a domain's loop has to make; what it uses of other loops becomes wanted of these.

        Steps of domains that are not worth a loop are made wherever they are used.
        """
        needed = set(wanted[domain])
        found = []
        for k in range(len(self._steps) - 1, -1, -1):
            if k not in needed:
                continue
            of = self._domain[k]
            if of != domain and of in wanted:
                wanted[of].add(k)
                continue
            found.append(k)
            needed.update(self._steps[k][1:])
        return found[::-1]

    def _outer(self, a: int) -> int:
        """The row of an operand that is the same in all rounds."""
        return self._rows[a] if a >= 0 else self._values.row(self._columns[~a][0])

    def _made(self, domain: int, steps: Sequence[int]) -> tuple[Builder, dict[int, int]]:
        """A loop's body with its steps, and their rows."""
        first = self._domains[domain].first
        body = Builder(self._values.b)
        i = body.param(I32(0, len(first) - 1))
        rows: dict[int, Any] = {len(self._steps): None}
        known: dict[Any, int] = {}
        for k in steps:
            op, x, y, z = self._steps[k]
            for a in (x, y, z):
                if a not in rows:
                    rows[a] = self._operand(body, i, a, first)
            key = op, rows[x], rows[y], rows[z]
            found = known.get(key)
            if found is None:
                found = known[key] = operation(body, *key)
            rows[k] = found
        return body, rows

    def _operand(self, body: Builder, i: int, a: int, first: Sequence[int]) -> int:
        """An operand that comes from outside of a loop's body."""
        if a < 0:
            column = self._columns[~a]
            return self._values.element(body, i, [column[k] for k in first])
        domain = self._domain[a]
        row = body.capture(self._rows[a])
        if domain == OUTER:
            return row
        round_of = self._domains[domain].round_of
        return body.index(row, index_at(body, i, [round_of[k] for k in first]))

    def _looped(self, body: Builder, domain: int, results: Sequence[int]) -> list[int]:
        """The arrays that a loop with that body stacks."""
        n = len(self._domains[domain].first)
        return self._values.b.loop(Loop(body.finish(results), n, n, False, 0), body.captured)


def penalty(b: Builder, row: int) -> int:
    """max(constraint, 0)²."""
    violation = b.bi("max", row, b.const(0.0))
    return b.mul(violation, violation)
