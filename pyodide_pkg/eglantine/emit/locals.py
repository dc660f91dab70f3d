"""Assign locals to the rows and constants of a block.

Rows are written from the last to the first. So we allocate a local where we meet the last use of a value,
and free it where the value is computed. No analysis of lifetimes is needed.
"""

from __future__ import annotations

from bisect import insort
from typing import Any, Final

from eglantine.ir.program import Block
from eglantine.ir.row_types import F64, Acc, Row
from eglantine.wasm import encoding as wasm

from .body import Body
from .layout import Place
from .linkage import Linkage
from .usage import Usage

OFTEN: Final = 3  # with so many uses, a constant is shorter in a local: each f64.const takes 9 bytes
NO_LIMIT: Final = 1 << 62

CONSTANT: Final[Row] = ("constant",)
"""Used as the row of a constant, because a constant has no row."""

_IN_PLACE: Final = frozenset({"index", "acc_index", "acc_read", "param"})
"""Operations that take several instructions but may stand inside an expression."""


class Locals:
    """The state of one block while its code is written: its rows, and where their values are.

    push: for each row and, counted from the end, for each constant, the instruction that pushes it, or None
        if there is none yet. Row ZERO, which stands for no value, pushes the address 0. A Real with several
        uses gets its instruction when the second use is written.
    once: see `Usage`.
    local: for each row, the number of its local, or -1.
    places: the addresses of arrays and accumulators.
    roots: the roots that are not written yet.
    param_places: the addresses of scalar parameters that lie in memory.
    slots: for values that cross a border between functions (see `entry`), the instruction that stores them.
    seen: the rows and constants that have had a local.
    since: for each of these rows, the number of instructions that had been written when it got its local.
    limit: the number of instructions after which a function must end at a border.
    """

    def __init__(self, linkage: Linkage, body: Body, block: Block) -> None:
        self.linkage = linkage
        self.body = body
        self.block = block
        self.rows, self.types = block.rows, block.types
        self.usage: Usage = linkage.program.usage(block)
        self.uses, self.once = self.usage.uses, self.usage.once
        n = len(block.rows)
        self.push = (self.usage.pushes or self._first_pushes()).copy()
        self.local = [-1] * n
        self.places: dict[int, Place] = {}
        self.roots = self.usage.roots.copy()
        self.param_places: dict[int, int] = {}
        self.slots: dict[int, bytes] = {}
        self.seen: list[int] = []
        self.since = [0] * n
        self.limit = NO_LIMIT

    def _first_pushes(self) -> list[bytes | None]:
        """Find the first value of `push`, with instructions for those constants that need no local.

        All scopes of the block share it.
        """
        block = self.block
        pushes: list[bytes | None] = [wasm.I32_ZERO, *[None] * (len(block.rows) - 1)]
        for k in range(len(block.consts) - 1, -1, -1):
            of = block.const_types[k]
            often = of is F64 and self.uses[~k] >= OFTEN
            pushes.append(None if often else constant_instruction(block.consts[k], of.dtype))
        self.usage.pushes = pushes  # only now that the list is complete, because another thread may read it
        return pushes

    def see(self, row: int) -> bytes:
        """Return the instruction that pushes a row's value from its local. Assign a local if it has none."""
        if row < 0:
            chunk = self.push[row]
            if chunk is None:
                constant = constant_instruction(self.block.consts[~row], "f64")
                chunk = self.push[row] = self.body.constant(constant)
                self.seen.append(row)
            return chunk
        key = self.rows[row]
        op = key[0]
        if op == "acc_read" and key[1] not in self.places and not self.accumulates_in_memory(key[1]):
            return self.see(key[1])
        if op == "proj":
            row = self.usage.projections[key[1]][key[2]]
        chunk = self.push[row]
        if chunk is None:
            k = self.local[row]
            if k < 0:
                k = self.body.take(self.local_dtype(row))
                self.since[row] = len(self.body.out)
                self.seen.append(row)
            self.bind(row, k)
            chunk = self.body.gets[k]
            if self.uses[row] == 1 and (op in self.linkage.codes or op in _IN_PLACE):
                insort(self.roots, row)
        return chunk

    def local_of(self, row: int) -> int:
        """Return the local of a row, which must not be a constant. Give the row a local if it has none."""
        self.see(row)
        key = self.rows[row]
        if key[0] == "proj":
            row = self.usage.projections[key[1]][key[2]]
        elif key[0] == "acc_read" and self.local[row] < 0:
            row = key[1]
        return self.local[row]

    def local_dtype(self, row: int) -> str:
        """Return the dtype of the local for a row. It holds the value or, for an array, the address."""
        of = self.types[row]
        if of is F64:
            return "f64"
        if isinstance(of, Acc):
            return "f64" if self.rows[row][0] == "acc" and not of.dims else "i32"
        return of.dtype if of.dtype in wasm.VALUE_TYPE else "i32"

    def bind(self, row: int, k: int) -> None:
        """Assign local k to `row`."""
        self.local[row] = k
        self.push[row] = self.body.gets[k]

    def inherit(self, row: int, k: int) -> bool:
        """Try to use local k for the value of an earlier row too. Return whether that worked.

        The row keeps its value in k until k is set to another value. This works if the row must have a local
        and has none yet.
        """
        if row < 0:
            return False
        op = self.rows[row][0]
        if op == "proj":
            row = self.usage.projections[self.rows[row][1]][self.rows[row][2]]
        once = self.uses[row] == 1 and (op in self.linkage.codes or op in _IN_PLACE)
        if self.push[row] is not None or self.local[row] >= 0 or once or op == "acc_read":
            return False
        self.bind(row, k)
        self.since[row] = NO_LIMIT  # so that `EntryScope.border` replaces no read of this local
        self.seen.append(row)
        return True

    def define(self, row: int) -> None:
        """Write the instruction that pops the row's value into its local, and free the local."""
        k = self.local[row]
        out = self.body.out
        if out[-1] is self.body.gets[k] and self.uses[row] == 1 and row not in self.slots:
            out.pop()
        else:
            self.body.put_set(k)
        self.body.give(k)

    def keep(self, row: int, k: int) -> None:
        """Write code that copies a row's value from local k to its slot, if the row crosses a border."""
        slot = self.slots.get(row)
        if slot is not None:
            self.body.out += (slot, self.body.gets[k], wasm.I32_ZERO)

    def accumulates_in_memory(self, acc: int) -> bool:
        """True if an accumulator that is not a parameter is in memory. Most scalar ones are in locals."""
        return bool(self.types[acc].dims) or acc in self.usage.in_memory or self.rows[acc][0] == "acc_index"


def constant_instruction(value: Any, dtype: str) -> bytes:
    """Return the instruction that pushes a constant."""
    if dtype == "f64":
        return wasm.f64_const(value)
    return wasm.i64_const(value) if dtype == "i64" else wasm.i32_const(int(value))
