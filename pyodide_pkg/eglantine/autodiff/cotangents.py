"""Cotangents: the sum of the contributions to each row of a block, while reverse mode visits the rows.

The cotangent of a number is one row, the running sum. Contributions to an array are collected in an
`ArrayCotangent` and added later. So a contribution to one element never copies the array.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from eglantine.ir.builder import Builder
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO, Array, RowType, is_growing
from eglantine.rewrite.environment import Env

from .growing import length
from .ledger import Addition
from .masks import Masks

SPARSE = 16
"""The largest length of an array whose cotangent is kept by element, even if few elements are read.

For a longer array, we do this only if constant indices read at least half of the elements.
"""


@dataclass(slots=True)
class ArrayCotangent:
    """The contributions to the cotangent of one array so far.

    parts: for each constant index, the contributions to the element at this index.
    wholes: the contributions to the whole array.
    acc: the accumulator of all other contributions, or None if there is no such contribution yet.
    """

    parts: dict[int, list[int]] = field(default_factory=dict)
    wholes: list[int] = field(default_factory=list)
    acc: int | None = None


class Cotangents:
    """The cotangents of one block's rows.

    b: the builder in which the cotangents are built.
    env: for each row of the block, the row of `b` that computes the same value.

    active: True for each row that carries a tangent. Contributions to other rows are dropped.
    outer: for each array parameter of a body, a function that returns the accumulator of its contributions.
        The accumulator is outside the body, and the function captures it in `b`.
    additions: the ledger's list of additions, or None if nothing records them.
    numbers: for each row that is a number, its cotangent.
    arrays: for each row that is an array, its contributions.
    results: for each call, loop or branch, the cotangents of its results, by the position of the result.
    sums: for each accumulator, the cotangent of its sum.
    user: the row that is being differentiated. The list of additions mentions it.
    """

    def __init__(
        self, block: Block, b: Builder, env: Env, active: Sequence[bool], masks: Masks,
        outer: Mapping[int, Callable[[], int]], additions: list[Addition] | None,
    ) -> None:  # fmt: skip
        self.block, self.b, self.env, self.active, self.masks = block, b, env, active, masks
        self.outer, self.additions = outer, additions
        self.numbers: list[int] = [ZERO] * (len(block.rows) + len(block.consts))
        self.arrays: defaultdict[int, ArrayCotangent] = defaultdict(ArrayCotangent)
        self.results: dict[int, dict[int, int]] = {}
        self.sums: dict[int, int] = {}
        self.user = ZERO
        self._constant_reads: Counter[int] | None = None
        self._masked_accs: dict[int, int] = {}

    # ------------------------------------------------------------ contributing

    def contribute(self, row: int, ct: int) -> None:
        """Add `ct` to the cotangent of a row, if the row is active."""
        if not ct or not self.active[row]:
            return
        if self.masks.now:
            ct = self.masks.masked(ct, row)
        if isinstance(self.block.types[row], Array):
            self.arrays[row].wholes.append(ct)
        else:
            total = self.numbers[row] = self.b.add(self.numbers[row], ct)
            if self.additions is not None:
                self.additions.append(Addition(self.user, row, ct, total))

    def subtract(self, row: int, ct: int) -> None:
        """Subtract `ct` from the cotangent of a number, if the number is active. Do not mask `ct`."""
        if self.active[row]:
            total = self.numbers[row] = self.b.sub(self.numbers[row], ct)
            if self.additions is not None:
                self.additions.append(Addition(self.user, row, self.b.neg(ct), total))

    def contribute_at(self, array: int, i: int, ct: int) -> None:
        """Add `ct` to the cotangent of an element or part of `array`. `i` is the row of the index."""
        if not ct or not self.active[array]:
            return
        ct = self.masks.masked(ct, array)
        gathered = self.arrays[array]
        alone = i < 0 and gathered.acc is None and array not in self.outer
        if alone and (self.block.types[array].dims[0] <= SPARSE or self._is_dense(array)):
            gathered.parts.setdefault(self.block.consts[~i], []).append(ct)
        elif not self._added_to_whole(array, i, ct):
            self.b.add_to(self.b.acc_index(self.acc_of(array), self.env[i]), ct)

    def _added_to_whole(self, array: int, i: int, ct: int) -> bool:
        """If one row is the array's cotangent, add `ct` to an element of this row. Return whether we did.

        A loop that carries an array also carries the array's cotangent, and can update it in place. An
        accumulator would have to be added to the carry in each round.
        """
        b, path, rows = self.b, [self.env[i]], self.block.rows
        while not (gathered := self.arrays[array]).wholes and rows[array][0] == "index":
            path.append(self.env[rows[array][2]])
            array = rows[array][1]
        if not gathered.wholes or gathered.acc is not None or not b.parent:
            return False
        parts = [gathered.wholes.pop()]
        for at in reversed(path):
            parts.append(b.index(parts[-1], at))
        before, of = parts.pop(), b.type_of(ct)
        if before != b.zeros(of):
            ct = self._sum([before, ct], of)
        for at in path:
            ct = b.update(parts.pop(), at, ct)
        gathered.wholes.append(ct)
        return True

    def _is_dense(self, array: int) -> bool:
        """True if constant indices read at least half of an array's elements."""
        if self._constant_reads is None:
            rows = self.block.rows
            self._constant_reads = Counter(row[1] for row in rows if row[0] == "index" and row[2] < 0)
        of = self.block.types[array]
        return not is_growing(of) and 2 * self._constant_reads[array] >= of.dims[0]

    # ------------------------------------------------------------ accumulators

    def acc_of(self, row: int) -> int:
        """Return the accumulator for contributions to an array row. Make it if there is none yet."""
        views = []
        gathered = self.arrays[row]
        while gathered.acc is None and row not in self.outer and self.block.rows[row][0] == "index":
            views.append((gathered, self.env[self.block.rows[row][2]]))
            row = self.block.rows[row][1]
            gathered = self.arrays[row]
        if gathered.acc is None:
            outer_acc = self.outer.get(row)
            gathered.acc = outer_acc() if outer_acc else self._new_acc(row)
        acc = gathered.acc
        for view, i in reversed(views):
            acc = view.acc = self.b.acc_index(acc, i)
        return acc

    def _new_acc(self, row: int) -> int:
        return self.b.acc(self.block.types[row].dims, length(self.block, self.b, self.env, row))

    def acc_for_body(self, row: int) -> int:
        """Return the accumulator to which a loop or branch adds its contributions to array `row`.

        If the contributions need a mask, return a separate accumulator. `flush_bodies` later masks its sums.
        """
        if self.masks.lets_through(row):
            return self.acc_of(row)
        if row not in self._masked_accs:
            self._masked_accs[row] = self._new_acc(row)
        return self._masked_accs[row]

    def flush_bodies(self) -> None:
        """Mask the sums in the separate accumulators of loops and branches, and contribute them."""
        for row, acc in self._masked_accs.items():
            self.contribute(row, self.b.acc_read(acc))
        self._masked_accs = {}

    def of_accumulator(self, acc: int) -> int:
        """Return the cotangent of an accumulator or of a view: an array, a number or the symbolic zero."""
        views = []
        while acc not in self.sums and self.block.rows[acc][0] == "acc_index":
            views.append(self.env[self.block.rows[acc][2]])
            acc = self.block.rows[acc][1]
        ct = self.sums.get(acc, ZERO)
        for i in reversed(views):
            if not ct:
                return ZERO
            ct = self.b.index(ct, i)
        return ct

    # ------------------------------------------------------------ totals

    def total(self, row: int) -> int:
        """Return the cotangent of a row, or the symbolic zero. It is final when the sweep reaches the row."""
        of = self.block.types[row]
        return self._total_of_array(self.arrays[row], of) if isinstance(of, Array) else self.numbers[row]

    def _total_of_array(self, gathered: ArrayCotangent, of: Array) -> int:
        b = self.b
        element: RowType = Array(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
        if gathered.acc is None and gathered.parts:
            column = [self._sum(gathered.parts.get(k, []), element) for k in range(of.dims[0])]
            gathered.wholes.append(b.stack(column, element))
            gathered.parts = {}
        if gathered.acc is None:
            if len(gathered.wholes) <= 1:
                return gathered.wholes[0] if gathered.wholes else ZERO
            gathered.acc = b.acc(of.dims)
        self.flush(gathered)
        return b.acc_read(gathered.acc)

    def flush(self, gathered: ArrayCotangent) -> None:
        """Move all collected contributions of an array into the array's accumulator."""
        assert gathered.acc is not None
        for ct in gathered.wholes:
            self.b.add_to(gathered.acc, ct)
        for k, cts in gathered.parts.items():
            for ct in cts:
                self.b.add_to(self.b.acc_index(gathered.acc, self.b.int_const(k)), ct)
        gathered.wholes, gathered.parts = [], {}

    def _sum(self, cts: Sequence[int], of: RowType) -> int:
        if isinstance(of, Array):
            return self._total_of_array(ArrayCotangent(wholes=[*cts]), of)
        total = ZERO
        for ct in cts:
            total = self.b.add(total, ct)
        return total
