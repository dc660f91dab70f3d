"""Assign locals to the rows and constants of a block.

We write rows from the last to the first. So we see the last use of a value first, and allocate its local
there. We free the local where the value is computed. No analysis of lifetimes is needed.
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

OFTEN: Final = 3  # the number of uses from which a Real constant gets a local. An f64.const takes 9 bytes
NO_LIMIT: Final = 1 << 62

CONSTANT: Final[Row] = ("constant",)
"""A row that stands for any constant in code that expects a row. Constants have no rows of their own."""

_IN_PLACE: Final = frozenset({"index", "acc_index", "acc_read", "param"})
"""Operations that take several instructions but may stand inside an expression."""


class Locals:
    """The state of one block while its code is written: its rows, and where their values are.

    push: for each row, the instruction that pushes its value, or None if there is none yet. The last entries
        are for constants, in reverse order. Row ZERO pushes the address 0. A Real with several uses gets its
        instruction when the second use is written.
    once: the list `once` of the block's `Usage`, which says how the value of each row is used.
    local: for each row, the number of its local, or -1 if it has none.
    places: the addresses of arrays and accumulators.
    roots: the roots that are not written yet.
    param_places: the addresses of scalar parameters in memory.
    slots: the instructions that store the values that cross a border between functions (see `entry`).
    seen: the rows and constants that have had a local in the current function.
    since: for each row in `seen`, the number of instructions that were written before the row got its local.
    limit: the number of instructions of a function after which we end the function at a border.
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
        """Make a list with the instructions of all constants that need no local.

        Each scope of the block begins with a copy of this list as its list `push`.
        """
        block = self.block
        pushes: list[bytes | None] = [wasm.I32_ZERO, *[None] * (len(block.rows) - 1)]
        for k in range(len(block.consts) - 1, -1, -1):
            of = block.const_types[k]
            often = of is F64 and self.uses[~k] >= OFTEN
            pushes.append(None if often else constant_instruction(block.consts[k], of.dtype))
        self.usage.pushes = pushes  # not before the list is complete, because another thread may read it
        return pushes

    def see(self, row: int) -> bytes:
        """Return the instruction that pushes a row's value from its local. If it has no local, assign one."""
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
        """Return the local of a row. If the row has none, assign one. The row must not be a constant."""
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
        """Try to use local k for an earlier row too. Return whether that worked.

        The local has the row's value until other code sets k. This works only if the row needs a local and
        has none yet.
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
        """If a row crosses a border, write code that copies its value from local k to its slot."""
        slot = self.slots.get(row)
        if slot is not None:
            self.body.out += (slot, self.body.gets[k], wasm.I32_ZERO)

    def accumulates_in_memory(self, acc: int) -> bool:
        """True if an accumulator (not a parameter) is in memory. Most scalar accumulators are in locals."""
        return bool(self.types[acc].dims) or acc in self.usage.in_memory or self.rows[acc][0] == "acc_index"


def constant_instruction(value: Any, dtype: str) -> bytes:
    """Return the instruction that pushes a constant."""
    if dtype == "f64":
        return wasm.f64_const(value)
    return wasm.i64_const(value) if dtype == "i64" else wasm.i32_const(int(value))
