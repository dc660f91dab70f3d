"""Find pairs of sums that need the same operations. The module `pairs` computes each pair in two lanes.

We call two rows alike if they have the same operation, and if their operands are alike or the same rows.
Forward mode in several directions makes such rows: the tangents in two directions have the same formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from eglantine.ir.primitives import operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import DYNAMIC, F64, I1, I32, Acc, Array, Row
from eglantine.wasm.opcodes import code

from . import lanes
from .lanes import CODES
from .results import lies_in_memory
from .scope import Scope

COMPARISONS: Final = {
    **{f"i{name}": CODES[name] for name in ("lt", "le", "gt", "ge")},
    **{f"i{name}": code(f"i64x2.{name}") for name in ("eq", "ne")},
}
"""For each comparison of two indices, the instruction that compares them in both lanes as floats.

`ieq` and `ine` compare the bits of the floats, because engines compare bits faster than floats. The floats of
two indices are equal exactly if their bits are equal.
"""

SUMMED: Final = frozenset({"add", "mul"})
"""The operations whose result stays the same if the two operands change places."""


@dataclass
class Group:
    """Pairs of sums. Some rows help to compute several of these pairs.

    sums: for each pair, the `add_to` row of its first sum and the `add_to` row of its second sum.
    second: a dict from each row of the first lane to the row that the second lane computes at the same time.
    """

    sums: list[tuple[int, int]]
    second: dict[int, int]


@dataclass
class Pairs:
    """The sums of a loop that we compute in pairs, one sum in each lane.

    groups: the pairs of sums. Pairs that have rows in common are in the same group.
    shared: the rows and constants that the lanes read and that have the same value in both lanes.
    """

    groups: list[Group] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)


def pairs_of(scope: Scope, key: Row) -> Pairs | None:
    """Find the pairs of sums in a loop. Return None if there are none, or if pairs would be slower."""
    _, args, loop = key
    if loop.test or loop.extent == DYNAMIC or scope.linkage.fuel:
        return None
    body: Block = loop.body
    outer = dict(loop.captured(args))
    adds = _sums_in_locals(scope, body, outer)
    matching = _Matching(body, outer)
    pairs = Pairs()
    saved, k = 0, 0
    while k + 1 < len(adds):
        i, j = adds[k : k + 2]
        second = matching.of(body.rows[i][2], body.rows[j][2])
        k += 1
        if second:
            k += 1
            saved += 1 + sum(_saved(body.rows[a][0]) for a in second)
            _add(pairs.groups, Group([(i, j)], second))
    pairs.shared = sorted({a for group in pairs.groups for a in _shared_by(body, group.second)})
    saved -= sum(a >= 0 and a not in outer for a in pairs.shared)
    others = lanes.saved(scope, key)
    return pairs if saved >= lanes.WORTH and saved > others else None


def _saved(op: str) -> int:
    """Estimate how many additions we save if one operation on two lanes replaces two single operations.

    The number is negative for "index", because extra instructions must put the two elements into two lanes.
    """
    return -1 if op == "index" else 0 if op == "param" else lanes.ALONE.get(op, 1)


def _sums_in_locals(scope: Scope, body: Block, outer: dict[int, int]) -> list[int]:
    """Return the rows that add to a scalar sum in a local. No other row of the body may use this sum."""
    uses = Counter(a for row in body.rows for a in operands(row))
    return [
        i for i, row in enumerate(body.rows)
        if row[0] == "add_to" and row[1] in outer and uses[row[1]] == 1 and body.types[row[1]] == Acc(())
        and not lies_in_memory(scope, outer[row[1]])
    ]  # fmt: skip


def _add(groups: list[Group], new: Group) -> None:
    """Add a group to `groups`. If other groups have some of its rows, merge them with it."""
    for group in [group for group in groups if not group.second.keys().isdisjoint(new.second)]:
        new = Group(group.sums + new.sums, group.second | new.second)
        groups.remove(group)
    groups.append(new)


def _shared_by(body: Block, second: dict[int, int]) -> set[int]:
    """The operands that both lanes share."""
    shared: set[int] = set()
    for a in second:
        key = body.rows[a]
        if key[0] not in ("index", "param"):
            shared.update(x for x in operands(key) if x not in second)
    return shared


class _Matching:
    """Finds pairs of rows that are alike. Each row belongs to at most one pair.

    outer: a dict from each parameter of the body to the row outside the loop that it captures.
    """

    def __init__(self, body: Block, outer: dict[int, int]) -> None:
        self.body = body
        self.outer = outer
        self.second: dict[int, int] = {}
        self.first: dict[int, int] = {}

    def of(self, x: int, y: int) -> dict[int, int] | None:
        """Match the rows that compute x with the rows that compute y. Return None if they differ."""
        found: dict[int, int] = {}
        pending = [(x, y)]
        while pending:
            a, b = pending.pop()
            if a == b:
                if a in found or a in self.second or a in self.first:
                    return None
                continue
            known = found.get(a, self.second.get(a))
            if known is None and b not in self.first and b not in self.second and b not in found:
                operands_of_both = self._alike(a, b)
                if operands_of_both is None or a in self.first:
                    return None
                pending += operands_of_both
            elif known != b:
                return None
            found[a] = b
        if len(set(found.values())) < len(found) or not set(found).isdisjoint(found.values()):
            return None
        self.second |= found
        self.first |= {b: a for a, b in found.items()}
        return found

    def _alike(self, a: int, b: int) -> Sequence[tuple[int, int]] | None:
        """Pair the operands of rows a and b. The caller checks whether these operands are alike.

        Return None if a and b cannot be alike, whatever their operands are.
        """
        rows, types = self.body.rows, self.body.types
        if a < 0 or b < 0 or rows[a][0] != rows[b][0]:
            return None
        op = rows[a][0]
        if op == "param":
            same = a in self.outer and b in self.outer and {types[a] is F64, types[b] is F64}
            return () if same == {True} or (isinstance(types[a], I32) and isinstance(types[b], I32)) else None
        if op == "index":
            is_real = types[a] is F64 is types[b]
            return () if is_real and self._is_outer(rows[a][1]) and self._is_outer(rows[b][1]) else None
        if (op not in CODES and op not in COMPARISONS) or types[a] not in (F64, I1) or types[a] != types[b]:
            return None
        of = {self.body.type_of(x) for x in (*rows[a][1:], *rows[b][1:])}
        if op in COMPARISONS:
            return list(zip(rows[a][1:], rows[b][1:], strict=True))
        if any(x is not F64 and x is not I1 for x in of):
            return None
        if op in SUMMED and self._is_crossed(rows[a], rows[b]):
            return [(rows[a][1], rows[b][2]), (rows[a][2], rows[b][1])]
        return list(zip(rows[a][1:], rows[b][1:], strict=True))

    def _is_crossed(self, x: Row, y: Row) -> bool:
        """True if the first operand of x should form a pair with the second operand of y."""
        if x[1] == y[1] or x[2] == y[2]:
            return False
        if x[1] == y[2] or x[2] == y[1]:
            return True
        rows = self.body.rows
        ops = [rows[max(a, 0)][0] for a in (x[1], y[1], y[2])]
        return bool(ops[0] != ops[1] and ops[0] == ops[2])

    def _is_outer(self, array: int) -> bool:
        """True if an array of the body is a captured array, or an element of a captured array."""
        rows = self.body.rows
        while rows[array][0] == "index":
            array = rows[array][1]
        return array in self.outer and isinstance(self.body.types[array], Array)
