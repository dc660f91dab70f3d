"""Split nested loops with several accumulators, so that each accumulator gets its own nested loops.

Reverse mode of a matrix product adds to two matrices in three nested loops. Each addition reads and writes an
element in memory, and the loops go over one of the matrices column by column. Instead, we compute the
matrices one after the other. For each element, we first add up all its terms in a local:

    for i, j, k                               for k, j
        dB[k][j] += c[i][j] · A[i][k]             s = 0; for i: s += c[i][j] · A[i][k]; dB[k][j] = s
        dA[i][k] += c[i][j] · B[k][j]         for i, k
                                                  s = 0; for j: s += c[i][j] · B[k][j]; dA[i][k] = s

`emit.tiles` then computes several of these sums at once. No bit of a result changes, because the terms of
each element are still added in the old order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

from eglantine.analysis.liveness import uses_by_rows
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, Loop, acts, with_bodies
from eglantine.ir.row_types import Array, Row
from eglantine.rewrite.copying import rewritten
from eglantine.rewrite.environment import Env

_TERMS: Final = frozenset({"add", "sub", "mul", "neg", "index"})
"""The operations in terms. They take so little time that we may repeat them for each accumulator."""

MOST_ROWS: Final = 12
"""The most rows of a term."""

LEAST_TERMS: Final = 3
LEAST_OUTPUTS: Final = 4
"""The least length of an accumulator's last dimension. LEAST_TERMS is the least number of terms in a sum.

Tiles of smaller sums gain nothing.
"""

MOST_ELEMENTS: Final = 1 << 15
"""The largest number of elements of an array in the terms, if the accumulator has one dimension.

We may read a matrix column by column. If it is larger, its elements are no longer in the cache when we read
their neighbours.
"""


@dataclass(frozen=True)
class _Level:
    """One of several nested loops.

    outer: maps each captured parameter of the loop's body to the captured row, which is outside the loop.
    """

    loop: Loop
    outer: dict[int, int]


@dataclass(frozen=True)
class _Sums:
    """A plan to compute the sums of one accumulator.

    levels: the old nested loops, the outermost first.
    elements: for each dimension of the accumulator, the position in `levels` of the loop over this dimension.
    terms: the position in `levels` of the loop over the terms of a sum.
    term: the row in the innermost body that computes a term.
    """

    levels: Sequence[_Level]
    elements: Sequence[int]
    terms: int
    term: int


def apart(block: Block) -> Block:
    """Compute each accumulator of a block in separate nested loops, if this is possible and worthwhile.

    We also do this in all bodies of the block. If all accumulators of an old loop get separate loops, the old
    loop is removed. Other rows stay, even if they are no longer needed.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    sums, emptied = _sums_of(block) if block.operations >= {"loop", "acc", "acc_read"} else ({}, ())
    if sums:
        reads = {
            i: sums[row[1]] for i, row in enumerate(block.rows) if row[0] == "acc_read" and row[1] in sums
        }
        block = rewritten(block, _computed, reads, emptied)
    return with_bodies(block, apart)


# ---------------------------------------------------------------- find


def _sums_of(block: Block) -> tuple[dict[int, _Sums], set[int]]:
    """Plan separate nested loops for accumulators. Return the plans, and the old loops that can be removed.

    An old loop can be removed if all its accumulators get separate loops.
    """
    uses: list[int] = []
    found: dict[int, _Sums] = {}
    emptied: set[int] = set()
    for i, row in enumerate(block.rows):
        levels = _nest(row) if row[0] == "loop" else None
        if levels is None or len(levels) < 2:
            continue
        uses = uses or uses_by_rows(block)
        body = levels[-1].loop.body
        targets = [(_path(levels, key[1]), key[2]) for key in body.rows if key[0] == "add_to"]
        times = Counter(acc for (acc, _), _ in targets)
        for (acc, elements), term in targets:
            is_whole = times[acc] == 1 == uses[acc] and block.rows[max(acc, 0)][0] == "acc"
            if is_whole and elements is not None:
                sums = _fitting(levels, elements, term, block.types[acc])
                if sums is not None:
                    found[acc] = sums
        if targets and all(acc in found for (acc, _), _ in targets):
            emptied.add(i)
    return found, emptied


def _nest(row: Row) -> list[_Level] | None:
    """List a loop and the loops nested in it, outermost first. Return None if they are not simple enough."""
    levels: list[_Level] = []
    while True:
        _, args, loop = row
        body: Block = loop.body
        if loop.test or loop.carried or loop.reverse or loop.count is None or body.results:
            return None
        if any(acts(key, checks=True) for key in body.rows if key[0] not in NESTING):
            return None
        levels.append(_Level(loop, dict(loop.captured(args))))
        nested = [key for key in body.rows if key[0] in NESTING or key[0] in ("call", "add_to", "acc")]
        if all(key[0] == "add_to" for key in nested):
            return levels
        if len(nested) > 1 or nested[0][0] != "loop":
            return None
        row = nested[0]


def _path(levels: Sequence[_Level], acc: int) -> tuple[int, list[int] | None]:
    """Find the accumulator and the indices of `acc`, an element that the innermost body adds to.

    Return the accumulator's row, or −1 if it is made inside the nested loops. If each index is the index of a
    loop, also return the positions of these loops in `levels`. Otherwise return None for the positions.
    """
    indices: list[int] | None = []
    for k in range(len(levels) - 1, -1, -1):
        rows = levels[k].loop.body.rows
        while rows[acc][0] == "acc_index":
            at = _level_of(levels, k, rows[acc][2])
            indices = None if at < 0 or indices is None else [at, *indices]
            acc = rows[acc][1]
        if acc not in levels[k].outer:
            return -1, None
        acc = levels[k].outer[acc]
    return acc, indices


def _level_of(levels: Sequence[_Level], k: int, index: int) -> int:
    """Return the position in `levels` of the loop whose index is row `index` of body k, else −1."""
    while k >= 0:
        if index == levels[k].loop.body.params[0]:
            return k
        index = levels[k].outer.get(index, -1)
        k -= 1
    return -1


def _fitting(levels: Sequence[_Level], elements: list[int], term: int, of: Any) -> _Sums | None:
    """Plan how to compute an accumulator's sums. Return None if it is not possible or not worthwhile."""
    counts = [level.loop.count for level in levels]
    others = [k for k in range(len(levels)) if k not in elements]
    if (
        len(others) != 1
        or len(set(elements)) < len(elements)
        or tuple(counts[k] for k in elements) != of.dims
    ):
        return None
    if of.dims[-1] < LEAST_OUTPUTS or (counts[others[0]] or 0) < LEAST_TERMS:
        return None
    most = MOST_ELEMENTS if len(of.dims) == 1 else None
    if not _is_cheap(levels, term, most):
        return None
    return _Sums(levels, elements, others[0], term)


def _is_cheap(levels: Sequence[_Level], term: int, most: int | None) -> bool:
    """True if a term has few rows, and each index in it is a constant or the index of a loop.

    most: the largest number of elements that an array in the term may have, or None if any number is allowed.
    """
    seen: set[tuple[int, int]] = set()
    pending = [(len(levels) - 1, term)]
    while pending:
        k, row = pending.pop()
        if row < 0 or (k, row) in seen:
            continue
        if k < 0:
            continue
        body = levels[k].loop.body
        key, of = body.rows[row], body.types[row]
        if key[0] == "param":
            if row in levels[k].outer:
                pending.append((k - 1, levels[k].outer[row]))
            if most is not None and isinstance(of, Array) and prod(of.dims) > most:
                return False
            continue
        seen.add((k, row))
        if key[0] not in _TERMS or len(seen) > MOST_ROWS:
            return False
        if key[0] == "index" and key[2] >= 0 and _level_of(levels, k, key[2]) < 0:
            return False
        pending += [(k, a) for a in operands(key)]
    return True


# ---------------------------------------------------------------- build


def _computed(block: Block, i: int, b: Builder, env: Env, sums: _Sums) -> Any:  # noqa: ARG001
    """Build the nested loops that compute the sums, and return the row with the array of sums."""
    order = [*sums.elements, sums.terms]
    builders = [b]
    indices: dict[int, tuple[int, int]] = {}
    for depth, k in enumerate(order):
        inner = Builder(builders[-1])
        indices[k] = (
            depth + 1,
            inner.param(sums.levels[k].loop.body.type_of(sums.levels[k].loop.body.params[0])),
        )
        builders.append(inner)
    total = builders[-2].acc(())
    term = _Term(sums.levels, builders, indices, env).place(len(order) - 1, sums.term)
    builders[-1].add_to(builders[-1].capture(total), term)
    result: Sequence[int] = ()
    for depth in range(len(order), 0, -1):
        loop = sums.levels[order[depth - 1]].loop.with_body(builders[depth].finish(result))
        rows = builders[depth - 1].loop(loop, builders[depth].captured)
        result = [builders[depth - 1].acc_read(total)] if depth == len(order) else rows
    return result[0]


class _Term:
    """Copies a term into the innermost body of new nested loops.

    builders: first the builder of the block around the loops, then the builders of the bodies, outermost
        first.
    indices: maps the position of each old loop in `levels` to a pair (d, row). The loop's index is this row
        of builders[d].
    env: maps each row of the block around the old loops to the new row.
    """

    def __init__(
        self,
        levels: Sequence[_Level],
        builders: Sequence[Builder],
        indices: dict[int, tuple[int, int]],
        env: Env,
    ) -> None:
        self.levels = levels
        self.builders = builders
        self.indices = indices
        self.env = env

    def place(self, k: int, row: int) -> int:
        """Copy a row of body k into the innermost body. k = −1 stands for the block around the loops."""
        b = self.builders[-1]
        if k < 0:
            return self._captured(0, self.env[row])
        body = self.levels[k].loop.body
        if row < 0:
            return b.constant(body.consts[~row], body.const_types[~row])
        if row == body.params[0]:
            return self._captured(*self.indices[k])
        if row in self.levels[k].outer:
            return self.place(k - 1, self.levels[k].outer[row])
        op, *args = body.rows[row]
        places = [self.place(k, a) for a in args]
        b.source = body.sources[row]
        if op == "index":
            return b.index(*places)
        return b.bi(op, *places) if len(places) == 2 else b.un(op, *places)

    def _captured(self, depth: int, place: int) -> int:
        """Capture a row of the builder at `depth` in all inner builders. Return its row in the last one."""
        for b in self.builders[depth + 1 :]:
            place = b.capture(place)
        return place
