"""Turn pieces of one shape into rounds of loops.

Often a step depends on only a few of a piece's outside values, so it has the same result in many rounds. For
example, there may be a piece for each pair (i, j), but a step may depend only on i. We move such steps to a
separate loop with fewer rounds. The longer loop reads their results from an array. A table lists the position
that each round reads.
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
"""Two domains: OUTER for steps that are the same in all rounds, EACH for steps that differ in most rounds."""
LEAST_FEWER = 2
"""A step gets its own, shorter loop only if the longer loop has at least LEAST_FEWER times as many rounds."""
LEAST_SAVED = 40
"""The number of steps by which the savings of a separate, shorter loop must exceed the cost of this loop.

We count the steps of all rounds."""
GATHERED = 4
"""The cost of passing a value from one loop to another, in steps for each round that reads the value.

It includes the cost of the derivative."""

Column = tuple[int, ...]
"""For each round of a loop, the number of the row from outside that the round uses."""


class Domain(NamedTuple):
    """Assigns each piece to a round of a loop. The round computes values that the piece needs.

    Several pieces may share a round.
    round_of: for each piece, the number of its round. Rounds are numbered from 0, in the order of their first
        pieces.
    first: for each round, the first piece that is assigned to it.
    """

    round_of: Sequence[int]
    first: Sequence[int]


class Values(Protocol):
    """Gives `Rounds` the rows of values that are computed outside the loops."""

    b: Writing

    def row(self, value: int) -> int:
        """The row of a value."""

    def operation(self, *key: Any) -> int:
        """Return the row of an operation outside the loops. `key` has its name and operands."""

    def element(self, body: Builder, i: int, column: Sequence[int]) -> int:
        """Add a row to a loop's body, and return it.

        In round i, this row has the value with the number `column[i]` in the graph.
        """


class Rounds:
    """Builds the loops that compute the pieces of one shape.

    steps: the steps of the shape, without duplicates. The operand ~k is the value from outside in column k.
        The operand `_absent` means that the operation does not have this operand.
    columns: the values from outside the pieces, without duplicate columns. A column has a value for each
        piece.
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
        """The row of each step of OUTER, and the array of each other step that several loops use."""

    def __len__(self) -> int:
        """The number of pieces."""
        return len(self._domains[EACH].first)

    def terms(self, values: Values, is_penalty: bool) -> tuple[Writing, int]:
        """Build the body of the loop over all pieces.

        Return the body, and the row that computes a piece's term or penalty.
        """
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
                arrays = self._looped(values, body, domain, [rows[k] for k in results])
                self._rows.update(zip(results, arrays, strict=True))
        body, rows = self._made(values, EACH, bodies[EACH])
        return body, penalty(body, rows[self._last]) if is_penalty else rows[self._last]

    # ------------------------------------------------------------ domains

    def _domains_of_steps(self) -> list[int]:
        """Find the domain (see `Domain`) of each step and column.

        Return the numbers of the domains in a list. Entry k is for step k. The entries for the columns are at
        the end of the list: entry ~k is for column k.
        """
        domain = [OUTER] * (self._absent + 1)
        domain += [self._of_column(column) for column in reversed(self.columns)]
        if len(self._domains) == EACH + 1:
            for k, (_, x, y, z) in enumerate(self.steps):
                domain[k] = domain[x] | domain[y] | domain[z]
        else:
            for k, (_, x, y, z) in enumerate(self.steps):
                joined = domain[x]
                if (other := domain[y]) != joined:
                    joined = self._join(joined, other)
                if (other := domain[z]) != joined:
                    joined = self._join(joined, other)
                domain[k] = joined
        domain[self._last] = EACH
        return domain

    def _of_column(self, column: Column) -> int:
        """The domain of an outside value."""
        return OUTER if column.count(column[0]) == len(column) else self._numbered(column)

    def _numbered(self, keys: Sequence[Any]) -> int:
        """Return the domain in which pieces with equal keys share a round.

        If few keys are equal, return the domain EACH, in which each piece has its own round.
        """
        different = dict.fromkeys(keys)
        if len(different) * LEAST_FEWER > len(keys):
            return EACH
        numbers = dict(zip(different, range(len(different)), strict=True))
        round_of = tuple([numbers[key] for key in keys])
        domain = self._numbers.get(round_of)
        if domain is None:
            domain = self._numbers[round_of] = len(self._domains)
            first = dict(zip(reversed(round_of), range(len(keys) - 1, -1, -1), strict=True))
            self._domains.append(Domain(round_of, tuple([first[k] for k in range(len(numbers))])))
        return domain

    def _join(self, x: int, y: int) -> int:
        """Return the domain of a step that has operands of two different domains."""
        if EACH in (x, y):
            return EACH
        if OUTER in (x, y):
            return x or y
        joined = self._joined.get((x, y))
        if joined is None:
            keys = zip(self._domains[x].round_of, self._domains[y].round_of, strict=True)
            joined = self._joined[x, y] = self._joined[y, x] = self._numbered(list(keys))
        return joined

    def _worthwhile(self) -> list[int]:
        """Find the domains that are worth a loop of their own. Ignore OUTER and EACH.

        Domains with more rounds come first.
        """
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
        worthwhile = [
            k
            for k, one in enumerate(domains)
            if k > EACH and counts[k] * (n - len(one.first)) > GATHERED * n * passed_on[k] + LEAST_SAVED
        ]
        return sorted(worthwhile, key=lambda k: -len(domains[k].first))

    # ------------------------------------------------------------ loops

    def _body(self, domain: int, wanted: dict[int, set[int]]) -> list[int]:
        """List the steps that a domain's loop must compute.

        If another domain's loop computes an operand, add the operand to that domain's entry in `wanted`. A
        step may belong to a domain without a loop. Then each loop that uses the step computes it.
        """
        steps, domains = self.steps, self._domain
        needed = bytearray(self._absent + 1 + len(self.columns))
        for k in wanted[domain]:
            needed[k] = 1
        body_steps = []
        for k in range(len(steps) - 1, -1, -1):
            if not needed[k]:
                continue
            of = domains[k]
            if of != domain and of in wanted:
                wanted[of].add(k)
                continue
            body_steps.append(k)
            _, x, y, z = steps[k]
            needed[x] = needed[y] = needed[z] = 1
        body_steps.reverse()
        return body_steps

    def _outer(self, values: Values, a: int) -> int:
        """Return the row of an operand that has the same value in all rounds. No loop computes it."""
        return self._rows[a] if a >= 0 else values.row(self.columns[~a][0])

    def _made(self, values: Values, domain: int, steps: Sequence[int]) -> tuple[Writing, list[Any]]:
        """Build a loop's body from its steps. Return the body and the steps' rows."""
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
        """In a loop's body, add a row that reads an operand from outside. Return the row."""
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
        """Add a loop with the given body. Return the arrays of its results."""
        n = len(self._domains[domain].first)
        return values.b.loop(Loop(body.finish(results), n, n, False, 0), body.captured)


def merged(steps: Iterable[Step], outside: Sequence[int]) -> tuple[list[Step], int]:
    """Remove duplicate steps. Return the remaining steps, and the new number of the last step.

    outside: for each value from outside, its new number ~k. An absent operand keeps its number.
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
