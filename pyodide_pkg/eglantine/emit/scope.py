"""Turn rows into instructions, from the last row of a block to the first.

If a row has one use, its code usually becomes a part of the expression that uses it. Other rows are roots. A
root has its own place in the code, which stores the root's value in a local or in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eglantine.ir.program import Block
from eglantine.ir.row_types import Acc, Array, Row
from eglantine.wasm import encoding as wasm

from .body import Body
from .expressions import Expressions
from .linkage import Linkage
from .usage import bytes_of

Structure = dict[str, Callable[["Scope", int, Row], None]]
"""For each operation that is not one instruction, the function that writes its rows."""


class Scope(Expressions):
    """Writes the rows of one block into a body. `Locals` and `Addresses` describe its state.

    structure: a dict from operations to the functions that write their rows. It has calls, loops, branches,
        prints and operations on arrays.
    real: the dtype of a local for a Real: f64. It is v128 if a local holds the Reals of two rounds.
    outside: for the body of a loop, a pair: the scope around the loop, and a dict from each parameter to the
        row that it captures. For other blocks, None.
    """

    real = "f64"

    def __init__(self, linkage: Linkage, structure: Structure, body: Body, block: Block) -> None:
        super().__init__(linkage, body, block)
        self.structure = structure
        self.outside: tuple[Scope, Mapping[int, int]] | None = None

    def inner(self, block: Block) -> Scope:
        """Return the scope of a body inside this block."""
        return Scope(self.linkage, self.structure, self.body, block)

    def origin(self, row: int) -> tuple[Scope, int]:
        """Find the source of a captured parameter. Return its row, and the scope that computes this row."""
        scope = self
        while (outside := scope.outside) is not None and row in outside[1]:
            scope, row = outside[0], outside[1][row]
        return scope, row

    # ---------------------------------------------------------------- expressions

    def write_rows(self) -> None:
        """Write all roots."""
        self.heirs.clear()
        self.write_expressions((), True)

    def value(self, row: int) -> None:
        """Write instructions that push a number, or an array's address without its constant offset."""
        chunk = self.push[row]
        if chunk is not None:
            self.body.out.append(chunk)
        else:
            self.write_expressions((row,), False)

    def write_operands(self, rows: Sequence[int]) -> None:
        """Write the expressions of these rows, the last one first."""
        self.write_expressions(rows, False)

    # ---------------------------------------------------------------- rows that are not one instruction

    def write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        """Write a row inside an expression. Put its operands on `stack`. The caller writes them."""
        if self.body.record is None:
            self._write_in_place(row, key, stack)
            return
        mark = self.body.record.mark(self.body.out)
        self._write_in_place(row, key, stack)
        self.body.record.claim(mark, self.body.out, (self.block, row))

    def _write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        append = self.body.out.append
        match key[0]:
            case "index" | "acc_index":
                of = self.types[row]
                base = self.place_of(key[1])
                if isinstance(of, Array | Acc):
                    assert key[2] >= 0, "the constant part of the address contains this element's distance"
                    self.place_of(row)
                    self.write_address(base, key[2], bytes_of(of), stack)
                elif key[2] < 0:
                    offset = base.offset + self.block.consts[~key[2]] * bytes_of(of)
                    append(wasm.load(of.dtype, offset))
                    self.write_base(base, stack)
                else:
                    size = bytes_of(of)
                    index, further = self._apart(key[2])
                    append(wasm.load(of.dtype, base.offset + further * size))
                    self.write_address(base, index, size, stack)
            case "param":
                append(wasm.load(self.types[row].dtype, self.param_places[row]))
                append(wasm.I32_ZERO)
            case "acc_read" if key[1] in self.places or self.accumulates_in_memory(key[1]):
                place = self.place_of(key[1])
                append(wasm.load("f64", place.offset))
                self.write_base(place, stack)
            case _:
                append(self.see(row))

    def _apart(self, index: int) -> tuple[int, int]:
        """Split an index into a row plus a constant, so that the constant can go into a load's offset."""
        further = 0
        while self.push[index] is None and self.uses[index] == 1 and self.rows[index][0] == "iadd":
            c, row = sorted(self.rows[index][1:])
            if c >= 0 or row < 0 or self.block.consts[~c] < 0 or self.types[row].lo < 0:
                break
            index, further = row, further + self.block.consts[~c]
        return index, further

    def write_root(self, row: int, key: Row) -> None:
        """Write a root that needs several instructions. A root is a row with its own place in the code."""
        if self.body.record is None:
            self._write_root(row, key)
            return
        mark = self.body.record.mark(self.body.out)
        self._write_root(row, key)
        self.body.record.claim(mark, self.body.out, (self.block, row))

    def _write_root(self, row: int, key: Row) -> None:
        op = key[0]
        if op in self.structure:
            self.structure[op](self, row, key)
        elif self.local[row] >= 0 or row in self.slots:
            self._write_kept(row, key)
        heirs, self.heirs = self.heirs, []
        buffers = self.owned.pop(row, ())
        if heirs and buffers:
            self.owned.setdefault(min(heirs), []).extend(buffers)
        else:
            for address, size in buffers:
                self.body.arena.give(address, size)

    def _write_kept(self, row: int, key: Row) -> None:
        """Write code that computes a root and stores its value in a local, a slot in memory, or both."""
        append = self.body.out.append
        slot = self.slots.get(row)
        if slot is None:
            self.define(row)
        else:
            append(slot)
            if self.local[row] >= 0:
                append(self.body.tees[self.local[row]])
                self.body.give(self.local[row])
        if row in self.usage.pointers:
            append(wasm.SELECT)
            self.value(key[1])
            self.pointer(self.place_of(key[3]))
            self.pointer(self.place_of(key[2]))
        else:
            stack: list[int] = []
            self.write_in_place(row, key, stack)
            self.write_expressions(stack, False)
        if slot is not None:
            append(wasm.I32_ZERO)

    def write_trap(self, number: int) -> None:
        """Write a trap that fires if the condition on the stack holds."""
        self.body.out += (
            wasm.END, wasm.UNREACHABLE, wasm.global_set(0), wasm.i32_const(number), wasm.IF
        )  # fmt: skip
