"""The heap of a compiled program: two arrays of cells, one for floats and one for everything else.

A pointer is a 64-bit integer. The upper 32 bits are the number of its allocation, and the lower 32 are the
offset. Two tables contain the first cell and the size of each allocation. When an allocation is freed, its
size becomes 0, and its cells are not used again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import F64, I64, Array, RowType

from .syntax import BOOL, FLOAT, Instruction, Pointer, Type

_LOW: Final = (1 << 32) - 1
_PARTS: Final = ("cells", "starts", "sizes", "used", "count")


class HeapRows:
    """Writes the rows of memory operations such as load and store.

    cells: the largest number of cells of each kind. allocations: the largest number of allocations.
    """

    def __init__(self, cells: int = 64, allocations: int = 16) -> None:
        self.cells, self.allocations = cells, allocations

    @staticmethod
    def kind(of: Type) -> str:
        """The kind of cells that a pointer type points to: "float" or "int"."""
        return "float" if isinstance(of, Pointer) and of.to == FLOAT else "int"

    @staticmethod
    def effects(item: Instruction, types: dict[str, Type]) -> frozenset[str]:
        """The names of the parts of the heap that an instruction reads or changes."""
        if item.op == "alloc":
            assert item.dest is not None
            kind = HeapRows.kind(types[item.dest])
        elif item.op in ("free", "load", "store"):
            kind = HeapRows.kind(types[item.args[0]])
        else:
            return frozenset()
        return frozenset(f"${part} {kind}" for part in _PARTS)

    @staticmethod
    def names(env: Iterable[str]) -> list[str]:
        """The names in `env` that belong to parts of the heap."""
        return [name for name in env if name[0] == "$" and " " in name]

    def type_of(self, name: str) -> RowType:
        """The row type of a part of the heap."""
        part, kind = name[1:].split(" ")
        match part:
            case "cells":
                return Array(F64 if kind == "float" else I64, (self.cells,))
            case "starts" | "sizes":
                return Array(I64, (self.allocations,))
        return I64

    def initial(self, b: Builder, name: str) -> int:
        """Write the initial value of a part of the heap. Return its row."""
        return b.zeros(self.type_of(name))

    def write(
        self, b: Builder, item: Instruction, rows: Sequence[int], heap: dict[str, int], types: dict[str, Type]
    ) -> tuple[dict[str, int], int]:
        """Write a memory operation. Return the changed parts of the heap, and the result."""
        where = f"(Bril, line {item.place.line})"
        if item.op == "ptradd":
            return {}, self._moved(b, *rows)
        if item.op == "alloc":
            return self._allocated(b, item, rows[0], heap, types, where)
        of = types[item.args[0]]
        kind = self.kind(of)
        part = {name: heap[f"${name} {kind}"] for name in _PARTS}
        number = b.check(b.un("wrap_i64", b.bi("lshr", rows[0], b.constant(32, I64))), self.allocations)
        size = b.index(part["sizes"], number)
        offset = self._offset(b, rows[0])
        if item.op == "free":
            b.require(
                b.bi("and", b.bi("leq", offset, b.constant(0, I64)), b.bi("lgt", size, b.constant(0, I64))),
                f"free needs a pointer that alloc returned, and only once. {where}",
            )
            return {f"$sizes {kind}": b.update(part["sizes"], number, b.constant(0, I64))}, 0
        inside = b.bi("and", b.bi("lge", offset, b.constant(0, I64)), b.bi("llt", offset, size))
        b.require(inside, f"{item.op} is out of bounds, or uses memory after it was freed. {where}")
        cell = b.un("wrap_i64", b.bi("ladd", b.index(part["starts"], number), offset))
        place = b.check(cell, self.cells)
        assert isinstance(of, Pointer)
        if item.op == "load":
            value = b.index(part["cells"], place)
            return {}, b.bi("lne", value, b.constant(0, I64)) if of.to == BOOL else value
        value = rows[1]
        if of.to == BOOL:
            value = b.select(value, b.constant(1, I64), b.constant(0, I64))
        return {f"$cells {kind}": b.update(part["cells"], place, value)}, 0

    def _allocated(
        self, b: Builder, item: Instruction, n: int, heap: dict[str, int], types: dict[str, Type], where: str
    ) -> tuple[dict[str, int], int]:
        assert item.dest is not None
        kind = self.kind(types[item.dest])
        part = {name: heap[f"${name} {kind}"] for name in _PARTS}
        zero, one = b.constant(0, I64), b.constant(1, I64)
        b.require(b.bi("lgt", n, zero), f"alloc makes at least one cell. Allocate 1 or more. {where}")
        used = b.bi("ladd", part["used"], n)
        count = b.bi("ladd", part["count"], one)
        fits = b.bi(
            "and", b.bi("lle", n, b.constant(self.cells, I64)), b.bi("lle", used, b.constant(self.cells, I64))
        )
        fits = b.bi("and", fits, b.bi("lle", count, b.constant(self.allocations, I64)))
        b.require(
            fits,
            f"The compiled program has {self.cells} cells and {self.allocations} allocations of each kind, "
            f"but it needs more. Give p.function arguments with which it needs as many. {where}",
        )
        number = b.check(b.un("wrap_i64", part["count"]), self.allocations)
        changed = {
            "starts": b.update(part["starts"], number, part["used"]),
            "sizes": b.update(part["sizes"], number, n),
            "used": used,
            "count": count,
        }
        return {f"${name} {kind}": row for name, row in changed.items()}, b.bi(
            "lshl", part["count"], b.constant(32, I64)
        )

    def _offset(self, b: Builder, pointer: int) -> int:
        """Write the offset of a pointer, as a signed integer."""
        bits = b.constant(32, I64)
        return b.bi("lshr", b.bi("lshl", pointer, bits), bits)

    def _moved(self, b: Builder, pointer: int, n: int) -> int:
        """Write a pointer that points n cells further."""
        low, high = b.constant(_LOW, I64), b.constant(~_LOW, I64)
        return b.bi("lor", b.bi("land", pointer, high), b.bi("land", b.bi("ladd", pointer, n), low))
