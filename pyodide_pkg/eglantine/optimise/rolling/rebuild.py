"""Write a new block with loops in place of repeated regions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import I32
from eglantine.rewrite.copying import copy_row
from eglantine.rewrite.environment import PLAIN, Env, new_env

from .plan import Group, _Plan
from .regions import CONSTANT, Region

NO_TERM = (0, 0, False)
"""The value for a row in `_Rebuilding.sums` if the row is no term of a chain, or a term more than once."""


def _rebuilt(block: Block, plan: _Plan) -> Block:
    rebuilding = _Rebuilding(block, plan)
    for groups, flat in plan.levels:
        for group in groups:
            rebuilding.loop(group)
        for region in flat:
            rebuilding.rows(region)
    return rebuilding.b.finish([rebuilding.row(a) for a in block.results])


class _Rebuilding:
    """The new block while it is built.

    env: maps old rows to new rows. Reads of array elements are added when they are first needed.
    stacked: for each loop, the array that it returns. Element k is the value of region k's root.
    accs: maps each chain of additions to an accumulator. Each element of the accumulator gets one term. Then
        a loop adds up the elements. The last row of a chain stands for the chain.
    sums: maps each row that is a term of a chain to (chain, position in the chain, True if subtracted). A row
        that is a term more than once is mapped to NO_TERM.
    added: the terms that a loop has already put into their chain's accumulator.
    """

    def __init__(self, old: Block, plan: _Plan) -> None:
        self.old, self.plan = old, plan
        b = self.b = Builder()
        self.env: Env = new_env(old, b)
        self.stacked: list[int] = []
        for param in old.params:
            b.source = old.sources[param]
            self.env[param] = b.param(old.types[param])
        self.accs = {head: b.acc((len(terms),)) for head, terms in plan.terms.items()}
        self.sums: dict[int, tuple[int, int, bool]] = {}
        for head, terms in plan.terms.items():
            for k, (a, negated) in enumerate(terms):
                self.sums[a] = NO_TERM if a in self.sums else (head, k, negated)
        self.added: set[int] = set()

    def row(self, a: int) -> int:
        """Return the new row for an old row or constant. Build the read of an array's element if needed."""
        row: int | None = self.env[a]
        if row is None:
            b, place = self.b, self.plan.place.get(a)
            if place:
                array, k = self.stacked[place[0]], place[1]
            else:
                _, param, at = self.old.rows[a]
                array, k = self.env[param], self.old.consts[~at]
            row = self.env[a] = b.index(array, b.int_const(k))
        return row

    def rows(self, region: Region) -> None:
        """Copy a region that does not become a round. If it is a chain of additions, build a loop for it."""
        head = region.rows[-1]
        if head in self.accs:
            self.env[head] = self._sum(head)
            return
        for a in region.operands:
            self.row(a)
        for i in region.rows:
            copy_row(self.old, i, self.b, self.env, PLAIN, None)

    def loop(self, group: Group) -> None:
        """Build the loop of a group of regions."""
        old, n = self.old, len(group.regions)
        columns = zip(*(region.operands for region in group.regions), strict=True)
        body = Builder(self.b)
        i = body.param(I32(0, n - 1))
        env: Any = {
            column[0]: self._operand(body, i, column, kind)
            for column, kind in zip(columns, group.kinds, strict=True)
        }
        for j in group.regions[0].rows:
            copy_row(old, j, body, env, PLAIN, None)
        value = env[group.regions[0].rows[-1]]
        roots = [region.rows[-1] for region in group.regions]
        terms = [self.sums.get(root, NO_TERM) for root in roots]
        head, _, negated = terms[0]
        if head and all(of == head and sign == negated for of, _, sign in terms):
            at = index_at(body, i, [k for _, k, _ in terms])
            term = body.neg(value) if negated else value
            body.add_to(body.acc_index(body.capture(self.accs[head]), at), term)
            self.added.update(roots)
        loop = Loop(body.finish([value]), n, n, False, 0)
        self.stacked.append(self.b.loop(loop, body.captured)[0])

    def _operand(self, body: Builder, i: int, column: Sequence[int], kind: int) -> int:
        """Build an operand of the loop's body. In round i, it has the value of the old row `column[i]`.

        kind: where the loop finds the operand (see `regions.CONSTANT` and `regions.FLAT`).
        """
        b, old, a = self.b, self.old, column[0]
        if column.count(a) == len(column):
            return body.capture(self.row(a))
        if kind == CONSTANT:
            array = b.table(tuple([old.consts[~k] for k in column]), old.const_types[~a])
            return body.index(body.capture(array), i)
        if kind < 0:
            distinct = list(dict.fromkeys(column))
            array = b.stack([self.row(k) for k in distinct], old.type_of(a))
            places = {k: j for j, k in enumerate(distinct)}
            at = [places[k] for k in column]
        elif kind < len(old.rows):
            array = self.env[kind]
            at = [old.consts[~old.rows[k][2]] for k in column]
        else:
            array = self.stacked[kind - len(old.rows)]
            at = [self.plan.place[k][1] for k in column]
        return body.index(body.capture(array), index_at(body, i, at))

    def _sum(self, head: int) -> int:
        """Build the sum of a chain's terms in their order."""
        b, acc, terms = self.b, self.accs[head], self.plan.terms[head]
        stacked: dict[tuple[int, bool], list[tuple[int, int]]] = defaultdict(list)
        for k, (a, negated) in enumerate(terms):
            if a in self.plan.place and a not in self.added:
                loop, position = self.plan.place[a]
                stacked[loop, negated].append((k, position))
            elif a not in self.added:
                b.add_to(b.acc_index(acc, b.int_const(k)), b.neg(self.row(a)) if negated else self.row(a))
        for (loop, negated), places in stacked.items():
            self._add_stacked(acc, self.stacked[loop], negated, places)
        ordered, total = b.acc_read(acc), b.acc(())
        body = Builder(b)
        i = body.param(I32(0, len(terms) - 1))
        body.add_to(body.capture(total), body.index(body.capture(ordered), i))
        b.loop(Loop(body.finish([]), len(terms), len(terms), False, 0), body.captured)
        return b.acc_read(total)

    def _add_stacked(self, acc: int, array: int, negated: bool, places: Sequence[tuple[int, int]]) -> None:
        """Build a loop that adds elements of an array to elements of an accumulator.

        places: pairs of a position in the accumulator and a position in the array.
        """
        n = len(places)
        body = Builder(self.b)
        i = body.param(I32(0, n - 1))
        to, at = (index_at(body, i, column) for column in zip(*places, strict=True))
        value = body.index(body.capture(array), at)
        body.add_to(body.acc_index(body.capture(acc), to), body.neg(value) if negated else value)
        self.b.loop(Loop(body.finish([]), n, n, False, 0), body.captured)


def index_at(body: Builder, i: int, at: Sequence[int]) -> int:
    """Build the index at[i] in a loop's body: i·step + at[0] if all steps are equal, else a table lookup."""
    if len(at) == 1:
        return body.int_const(at[0])
    step, n = at[1] - at[0], len(at)
    if step > 0 and at[-1] == at[0] + (n - 1) * step and list(at) == list(range(at[0], at[-1] + 1, step)):
        return body.bi("iadd", body.bi("imul", i, body.int_const(step)), body.int_const(at[0]))
    assert body.parent is not None
    table = body.parent.table(tuple(at), I32(min(at), max(at)))
    return body.index(body.capture(table), i)
