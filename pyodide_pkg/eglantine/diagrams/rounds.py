"""Pieces of one shape as rounds of loops.

A step that depends on few of the values from outside is the same in many rounds: as in the terms of all pairs
(i, j) what depends on i alone. Such steps are rounds of a shorter loop of their own, whose values the longer
one finds through a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from eglantine.ir.builder import Builder
from eglantine.ir.program import Loop
from eglantine.ir.row_types import I32
from eglantine.optimise.rolling.rebuild import index_at

from .operations import Writing, operation
from .pieces import Step

OUTER, EACH = 0, 1
"""Domains: of steps that are the same in all rounds; of those that are others in most."""
LEAST_FEWER = 2
"""A domain of its own has at most one round where EACH has so many."""
LEAST_SAVED = 40
"""How many steps, over all rounds, a domain of its own must save beyond what it costs."""
GATHERED = 4
"""How many steps it takes, with those of its derivative, to pass a value on from one loop to another."""

Column = tuple[int, ...]
"""A value from outside in each round."""


class Domain(NamedTuple):
    """Which rounds of the pieces are the same.

    round_of: for each piece the number of its round; they are in the order in which they are first needed.
    first: for each round its first piece.
    """

    round_of: Sequence[int]
    first: Sequence[int]


class Values(Protocol):
    """Where rounds find what comes from outside."""

    b: Writing

    def row(self, value: int) -> int:
        """The row of a value."""

    def operation(self, *key: Any) -> int:
        """The row, outside of the loops, of an operation: its name and operands."""

    def element(self, body: Builder, i: int, column: Sequence[int]) -> int:
        """The row in a loop's body of what is another value in each round."""


class Rounds:
    """The loops of pieces of one shape.

    steps: of the shape, none like an earlier one; ~k is the value from outside in column k, `absent` none.
    columns: no two of them equal.
    """

    def __init__(self, steps: Sequence[Step], outsides: Sequence[Sequence[int]]) -> None:
        numbers: dict[Column, int] = {}
        codes = [~numbers.setdefault(column, len(numbers)) for column in zip(*outsides, strict=True)]
        self.columns = list(numbers)
        self._absent = len(steps)
        self.steps, self._last = merged(steps, codes)
        n = len(outsides)
        self._domains = [Domain((0,) * n, (0,)), Domain(range(n), range(n))]
        self._numbers: dict[Column, int] = {}
        self._joined: dict[tuple[int, int], int] = {}
        self._domain = self._domains_of_steps()
        self._rows: dict[int, int] = {}
        """For a step of OUTER its row; for a step of another domain that other loops use the array."""

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self._domains[EACH].first)

    def terms(self, values: Values, is_penalty: bool) -> tuple[Writing, int]:
        """The body of a loop over all pieces, and in it the row of their terms, or of the penalties."""
        alone = self._worthwhile() if len(self._domains) > EACH + 1 else []
        wanted: dict[int, set[int]] = {domain: set() for domain in (EACH, *alone, OUTER)}
        wanted[EACH].add(self._last)
        bodies = {domain: self._body(domain, wanted) for domain in wanted}
        for k in bodies[OUTER]:
            op, *operands = self.steps[k]
            x, y, z = (None if a == self._absent else self._outer(values, a) for a in operands)
            self._rows[k] = values.operation(op, x, y, z)
        for domain in reversed(alone):
            if wanted[domain]:
                body, rows = self._made(values, domain, bodies[domain])
                results = sorted(wanted[domain])
                made = self._looped(values, body, domain, [rows[k] for k in results])
                self._rows.update(zip(results, made, strict=True))
        body, rows = self._made(values, EACH, bodies[EACH])
        return body, penalty(body, rows[self._last]) if is_penalty else rows[self._last]

    # ------------------------------------------------------------ domains

    def _domains_of_steps(self) -> list[int]:
        """For each step its domain, and, counted from the end, for each column."""
        domain = [OUTER] * (self._absent + 1)
        domain += [self._of_column(column) for column in reversed(self.columns)]
        if len(self._domains) == EACH + 1:
            for k, (_, x, y, z) in enumerate(self.steps):
                domain[k] = domain[x] | domain[y] | domain[z]
        else:
            for k, (_, x, y, z) in enumerate(self.steps):
                found = domain[x]
                if (other := domain[y]) != found:
                    found = self._join(found, other)
                if (other := domain[z]) != found:
                    found = self._join(found, other)
                domain[k] = found
        domain[self._last] = EACH
        return domain

    def _of_column(self, column: Column) -> int:
        """The domain of a value from outside."""
        return OUTER if column.count(column[0]) == len(column) else self._numbered(column)

    def _numbered(self, keys: Sequence[Any]) -> int:
        """The domain in which pieces with the same key share a round."""
        different = dict.fromkeys(keys)
        if len(different) * LEAST_FEWER > len(keys):
            return EACH
        numbers = dict(zip(different, range(len(different)), strict=True))
        round_of = tuple([numbers[key] for key in keys])
        found = self._numbers.get(round_of)
        if found is None:
            found = self._numbers[round_of] = len(self._domains)
            first = dict(zip(reversed(round_of), range(len(keys) - 1, -1, -1), strict=True))
            self._domains.append(Domain(round_of, tuple([first[k] for k in range(len(numbers))])))
        return found

    def _join(self, x: int, y: int) -> int:
        """The domain of what depends on steps of two, which differ."""
        if EACH in (x, y):
            return EACH
        if OUTER in (x, y):
            return x or y
        found = self._joined.get((x, y))
        if found is None:
            keys = zip(self._domains[x].round_of, self._domains[y].round_of, strict=True)
            found = self._joined[x, y] = self._joined[y, x] = self._numbered(list(keys))
        return found

    def _worthwhile(self) -> list[int]:
        """The domains between OUTER and EACH that become loops, those of most rounds first."""
        domains, domain = self._domains, self._domain
        counts = Counter(domain[: len(self.steps)])
        passed = {
            a
            for k, (_, *operands) in enumerate(self.steps)
            for a in operands
            if 0 <= a < self._absent and domain[a] != domain[k]
        }
        passed_on = Counter([domain[k] for k in passed])
        n = len(domains[EACH].first)
        found = [
            k
            for k, one in enumerate(domains)
            if k > EACH and counts[k] * (n - len(one.first)) > GATHERED * n * passed_on[k] + LEAST_SAVED
        ]
        return sorted(found, key=lambda k: -len(domains[k].first))

    # ------------------------------------------------------------ loops

    def _body(self, domain: int, wanted: dict[int, set[int]]) -> list[int]:
        """The steps that a domain's loop has to make; what it uses of other loops becomes wanted of these.

        Steps of domains that are not worth a loop are made wherever they are used.
        """
        steps, domains = self.steps, self._domain
        needed = bytearray(self._absent + 1 + len(self.columns))
        for k in wanted[domain]:
            needed[k] = 1
        found = []
        for k in range(len(steps) - 1, -1, -1):
            if not needed[k]:
                continue
            of = domains[k]
            if of != domain and of in wanted:
                wanted[of].add(k)
                continue
            found.append(k)
            _, x, y, z = steps[k]
            needed[x] = needed[y] = needed[z] = 1
        found.reverse()
        return found

    def _outer(self, values: Values, a: int) -> int:
        """The row of an operand that is the same in all rounds."""
        return self._rows[a] if a >= 0 else values.row(self.columns[~a][0])

    def _made(self, values: Values, domain: int, steps: Sequence[int]) -> tuple[Writing, list[Any]]:
        """A loop's body with its steps, and their rows."""
        body = Writing(values.b)
        i = body.param(I32(0, len(self._domains[domain].first) - 1))
        rows: list[Any] = [None] * (self._absent + 1 + len(self.columns))
        absent = self._absent
        for k in steps:
            op, x, y, z = self.steps[k]
            for a in (x, y, z):
                if rows[a] is None and a != absent:
                    rows[a] = self._operand(values, body, i, a, domain)
            rows[k] = operation(body, op, rows[x], rows[y], rows[z])
        return body, rows

    def _operand(self, values: Values, body: Builder, i: int, a: int, domain: int) -> int:
        """An operand that comes from outside of a loop's body."""
        first = self._domains[domain].first
        of = self._domain[a]
        if a < 0:
            column = self.columns[~a]
            if of == OUTER:
                return body.capture(values.row(column[0]))
            return values.element(body, i, column if domain == EACH else [column[k] for k in first])
        row = body.capture(self._rows[a])
        if of == OUTER:
            return row
        round_of = self._domains[of].round_of
        return body.index(
            row, index_at(body, i, round_of if domain == EACH else [round_of[k] for k in first])
        )

    def _looped(self, values: Values, body: Builder, domain: int, results: Sequence[int]) -> list[int]:
        """The arrays that a loop with that body stacks."""
        n = len(self._domains[domain].first)
        return values.b.loop(Loop(body.finish(results), n, n, False, 0), body.captured)


def merged(steps: Iterable[Step], outside: Sequence[int]) -> tuple[list[Step], int]:
    """The steps without those that are like an earlier one, and the number of what was the last one.

    outside: the number ~k of each value from outside. Absent operands keep their number.
    """
    steps = list(steps)
    absent = len(steps)
    codes = [absent] * (absent + 1)
    codes += reversed(outside)
    known: dict[Step, int] = {}
    for k, (op, x, y, z) in enumerate(steps):
        codes[k] = known.setdefault((op, codes[x], codes[y], codes[z]), len(known))
    return list(known), codes[absent - 1]


def penalty(b: Builder, row: int) -> int:
    """max(constraint, 0)²."""
    violation = b.bi("max", row, b.const(0.0))
    return b.mul(violation, violation)
