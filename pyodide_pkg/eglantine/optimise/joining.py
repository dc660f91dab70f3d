"""Join neighbouring loops over the same rounds, so that rows of both loops are computed once.

For example, the loop that computes a value and the loop that computes its gradient often need the same
distances. Two loops are joined if neither has a carry and the second needs no result of the first. All bits
stay the same, because each accumulator still gets its terms in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from eglantine.analysis.liveness import accumulators
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import NESTING, Block, Loop, acts, has_effects, size_of, with_bodies
from eglantine.ir.row_types import Array, Row, is_growing
from eglantine.rewrite.copying import inline
from eglantine.rewrite.environment import identity, renamed

LARGEST_BODY = 300
"""A loop whose body has more rows than this is not joined with another loop."""


def joined(block: Block) -> Block:
    """Join neighbouring loops of a block and of its bodies."""
    if block.operations.isdisjoint(NESTING):
        return block
    plan = _Plan(block)
    if plan.groups:
        block = _with_joined(block, plan)
    return with_bodies(block, joined)


class _Plan:
    """The loops of a block that are to be joined.

    order: all rows, ordered such that each row still comes after its operands when the loops are joined.
    groups: maps the last loop of each group to all loops of the group. In `order` the joined loop stands
        where this last loop stands.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.order = list(range(1, len(block.rows)))
        self.groups: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}
        self._rows: dict[int, _Facts] = {}
        before: dict[Any, int] = {}
        for j, row in enumerate(block.rows):
            if row[0] == "loop" and _is_free(row[2]):
                loop = row[2]
                key = (loop.parts(row[1]).trips, loop.count, loop.extent, loop.reverse)
                i = before.get(key)
                self._sizes[j] = size_of(loop.body)
                if i is not None and self._sizes[i] <= LARGEST_BODY and _share(block, i, j):
                    self._join(i, j)
                before[key] = j

    def _join(self, i: int, j: int) -> None:
        """Try to join loop i, and the loops already joined with it, with loop j.

        The loops are not joined if loop j depends on loop i, or if a row between them acts on the world.
        """
        order, rows = self.order, self.block.rows
        at, to = order.index(i), order.index(j)
        dependent = {i, *self.groups.get(i, ())}
        accs = set(self._facts(i).accumulators)
        independent_rows: list[int] = []
        dependent_rows: list[int] = []
        for k in order[at + 1 : to + 1]:
            row = rows[k]
            if row[0] in _PURE:
                depends = not dependent.isdisjoint(row)
                if depends:
                    dependent.add(k)
            else:
                used, touched, acts = self._facts(k)
                depends = not (dependent.isdisjoint(used) and accs.isdisjoint(touched))
                if acts or (depends and k == j):
                    return
                if depends:
                    dependent.update((k, *self.groups.get(k, ())))
                    accs |= touched
            (dependent_rows if depends else independent_rows).append(k)
        order[at : to + 1] = [*independent_rows, *dependent_rows]
        self.groups[j] = [*self.groups.pop(i, [i]), j]
        self._sizes[j] += self._sizes[i]
        (a, b, _), (c, d, _) = self._facts(i), self._facts(j)
        self._rows[j] = _Facts(a | c, b | d, False)

    def _facts(self, k: int) -> _Facts:
        """The facts about row k. If row k is a joined loop, they are the facts about its whole group."""
        facts = self._rows.get(k)
        if facts is None:
            row, accs = self.block.rows[k], accumulators(self.block, k)
            facts = self._rows[k] = _Facts(frozenset(operands(row)), accs, acts(row, checks=True))
        return facts


class _Facts(NamedTuple):
    """The facts about a row that decide where it may be moved.

    operands: the rows that it uses.
    accumulators: the accumulators that it adds to, reads or views.
    acts: whether it acts on the world or may trap.
    """

    operands: frozenset[int]
    accumulators: frozenset[int]
    acts: bool


def _is_free(loop: Loop) -> bool:
    """True if a loop's rounds are independent and only compute values and add to accumulators."""
    if loop.test or loop.carried or any(map(is_growing, set(loop.body.types))):
        return False
    return size_of(loop.body) <= LARGEST_BODY and not has_effects(loop.body, checks=True)


_PURE = frozenset({*PRIMITIVES, "select", "index"})


def _share(block: Block, i: int, j: int) -> bool:
    """True if both loops read the same array."""
    shared = set(block.rows[i][1]).intersection(block.rows[j][1])
    return any(isinstance(block.type_of(a), Array) for a in shared)


def _with_joined(block: Block, plan: _Plan) -> Block:
    """Reorder the rows of a block as the plan says, and join the loops of each group."""
    b = Builder.resume(block)
    to = identity(block)
    order = [0, *plan.order]
    for place, k in enumerate(order):
        to[k] = place
    loops: dict[int, Row] = {}
    first: dict[int, tuple[int, int]] = {}
    for j, group in plan.groups.items():
        loops[j], starts = _joined_loop(block, group, b)
        first.update((i, (j, n)) for i, n in zip(group, starts, strict=True))
    rows: list[Row] = []
    for k in order:
        row = loops.get(k, block.rows[k])
        if row[0] == "proj" and row[1] in first:
            j, n = first[row[1]]
            row = ("proj", j, n + row[2])
        rows.append(renamed(row, to))
    return replace(
        block,
        rows=tuple(rows),
        types=tuple([block.types[k] for k in order]),
        sources=tuple([block.sources[k] for k in order]),
        params=tuple([to[a] for a in block.params]),
        results=tuple([to[a] for a in block.results]),
    )


def _joined_loop(block: Block, group: Sequence[int], b: Builder) -> tuple[Row, list[int]]:
    """Build one loop that runs the bodies of all loops of a group in each round.

    b: a builder that has the rows of the block.
    Returns the loop's row, and for each loop of the group the position of its first result in this row.
    """
    loop: Loop = block.rows[group[0]][2]
    body = Builder(b)
    body.rounds = True
    index = body.param(loop.body.types[loop.body.params[0]])
    results: list[int] = []
    starts = []
    for i in group:
        _, args, one = block.rows[i]
        captures = [body.capture(a) for a in one.parts(args).captures]
        starts.append(len(results))
        results += inline(one.body, body, [index, *captures])[1]
    new = replace(loop, body=body.finish(results))
    return ("loop", (*loop.parts(block.rows[group[0]][1]).trips, *body.captured), new), starts
