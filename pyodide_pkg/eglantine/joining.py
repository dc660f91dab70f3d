"""Neighbouring loops over the same rounds, joined into one, so that what both compute is computed once.

A value's loop and that of its gradient compute the same distances. Where neither has a carry, nor the second
needs what the first makes, a round of the one followed by a round of the other gives the same bits: each
accumulator still gets its terms in their order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from .build import Builder, Results
from .ir import ACTIONS, NESTING, Array, Block, Loop, Row, is_growing, size_of
from .liveness import acc_root
from .primitives import PRIMITIVES, operands
from .rewrite import PLAIN, Env, begun, copy_rows, new_env

LARGEST_BODY = 300
"""The most rows of a body that is joined with another."""

NONE: frozenset[int] = frozenset()


def joined(block: Block) -> Block:
    """The block with neighbouring loops joined, those of its bodies likewise."""
    if block.operations.isdisjoint(NESTING):
        return block
    plan = _Plan(block)
    if plan.groups:
        block = _with_joined(block, plan)
    rows = list(block.rows)
    for i, row in enumerate(rows):
        if row[0] == "loop":
            body = joined(row[2].body)
            if body is not row[2].body:
                rows[i] = (*row[:2], replace(row[2], body=body))
        elif row[0] == "cond":
            arms = joined(row[2].then), joined(row[2].orelse)
            if arms != row[2].blocks:
                rows[i] = (*row[:2], replace(row[2], then=arms[0], orelse=arms[1]))
    return block if rows == list(block.rows) else replace(block, rows=tuple(rows))


class _Plan:
    """Which loops of a block are to be joined.

    order: the rows, each after what it needs once the loops are joined.
    groups: for the last loop of those that are joined, all of them; it stands for them in `order`.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.order = list(range(1, len(block.rows)))
        self.groups: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}
        self._rows: dict[int, _Known] = {}
        before: dict[Any, int] = {}
        for j, row in enumerate(block.rows):
            if row[0] == "loop" and _is_free(row[2]):
                loop = row[2]
                key = (row[1][: loop.first_init], loop.count, loop.extent, loop.reverse)
                i = before.get(key)
                self._sizes[j] = size_of(loop.body)
                if i is not None and self._sizes[i] <= LARGEST_BODY and _share(block, i, j):
                    self._join(i, j)
                before[key] = j

    def _join(self, i: int, j: int) -> None:
        """Let loop i, with those it stands for, run with loop j, unless that needs i or something acts."""
        order = self.order
        at, to = order.index(i), order.index(j)
        late = {i, *self.groups.get(i, ())}
        accs = set(self._known(i).accumulators)
        kept: list[int] = []
        moved: list[int] = []
        for k in order[at + 1 : to + 1]:
            row = self._known(k)
            depends = not (late.isdisjoint(row.operands) and accs.isdisjoint(row.accumulators))
            if row.acts or (depends and k == j):
                return
            if depends:
                late.update((k, *self.groups.get(k, ())))
                accs |= row.accumulators
            (moved if depends else kept).append(k)
        order[at : to + 1] = [*kept, *moved]
        self.groups[j] = [*self.groups.pop(i, [i]), j]
        self._sizes[j] += self._sizes[i]
        (a, b, _), (c, d, _) = self._known(i), self._known(j)
        self._rows[j] = _Known(frozenset((*a, *c)), b | d, False)

    def _known(self, k: int) -> _Known:
        """What there is to know of a row, or of the loops that it stands for."""
        row = self.block.rows[k]
        if row[0] in PRIMITIVES:
            return _Known(row[1:], NONE, False)
        found = self._rows.get(k)
        if found is None:
            accs = _accumulators(self.block, k)
            found = self._rows[k] = _Known(frozenset(operands(row)), accs, _acts((row,)))
        return found


class _Known(NamedTuple):
    """What decides where a row may stand.

    operands: the rows that it needs.
    accumulators: those that it adds to, reads, or is a part of.
    acts: whether it may trap or acts on the world.
    """

    operands: Collection[int]
    accumulators: frozenset[int]
    acts: bool


def _is_free(loop: Loop) -> bool:
    """Whether a loop's rounds are independent and do nothing but compute and add."""
    if loop.test or loop.carried or any(is_growing(of) for of in loop.body.types):
        return False
    return size_of(loop.body) <= LARGEST_BODY and not _acts(loop.body.rows)


def _acts(rows: Sequence[Row]) -> bool:
    """Whether rows may trap or act on the world."""
    pending = list(rows)
    while pending:
        row = pending.pop()
        if row[0] in ACTIONS or row[0] == "check" or (row[0] == "call" and not row[2].pure):
            return True
        if row[0] in NESTING:
            pending += (inner for block in row[2].blocks for inner in block.rows)
    return False


def _share(block: Block, i: int, j: int) -> bool:
    """Whether both loops read one array."""
    shared = set(block.rows[i][1]).intersection(block.rows[j][1])
    return any(isinstance(block.type_of(a), Array) for a in shared)


def _accumulators(block: Block, i: int) -> frozenset[int]:
    """The accumulators that a row adds to, reads, or is a part of."""
    types = block.types
    return frozenset(
        [acc_root(block, a) for a in operands(block.rows[i]) if a > 0 and types[a].dtype == "acc"]
    )


def _with_joined(block: Block, plan: _Plan) -> Block:
    b, env = begun(block)
    b.rounds = True
    done = 0
    for at, k in enumerate(plan.order):
        if group := plan.groups.get(k):
            copy_rows(block, b, env, PLAIN, None, plan.order[done:at])
            done = at + 1
            b.source = block.sources[k]
            for i, results in zip(group, _joined_loops(block, group, b, env), strict=True):
                env[i] = results
    copy_rows(block, b, env, PLAIN, None, plan.order[done:])
    return b.finish([env[row] for row in block.results])


def _joined_loops(block: Block, group: Sequence[int], b: Builder, env: Env) -> list[Results]:
    """One loop in `b` with the rounds of all in the group; the results of each."""
    loop: Loop = block.rows[group[0]][2]
    body = Builder(b)
    body.rounds = True
    index = body.param(loop.body.types[loop.body.params[0]])
    results: list[list[int]] = []
    for i in group:
        _, args, one = block.rows[i]
        inner = new_env(one.body, body)
        inner[one.body.params[0]] = index
        for param, a in zip(one.body.params[1:], args[loop.first_init :], strict=True):
            inner[param] = body.capture(env[a])
        copy_rows(one.body, body, inner, PLAIN, None)
        results.append([inner[a] for a in one.body.results])
    new = replace(loop, body=body.finish([a for of_one in results for a in of_one]))
    counts = [env[a] for a in block.rows[group[0]][1][: loop.first_init]]
    found = b.loop(new, [*counts, *body.captured])
    ends = list(accumulate(map(len, results), initial=0))
    return [Results(found.row, found[begin:end]) for begin, end in pairwise(ends)]
