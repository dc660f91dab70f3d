"""Addresses of arrays and accumulators: choose them, push them, and copy arrays between them.

We write the code of a block from its last row to its first. So we see the last use of an array first, and
allocate its memory (or a local) there. We free the memory after we have written the row that makes the array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eglantine.ir.program import Block
from eglantine.ir.row_types import is_growing
from eglantine.wasm import encoding as wasm

from .body import Body
from .layout import Place
from .linkage import Linkage
from .locals import Locals
from .usage import bytes_of

SMALL_COPY: Final = 4
"""The largest number of elements of an array that we copy by loads and stores, or add without a loop.

For so few elements, loads and stores are faster than `memory.copy` and take about as many bytes of code."""

_VIEWS: Final = frozenset({"index", "acc_index", "acc_read"})
"""Operations on an array whose result is a part of the array's memory, not a copy."""


class Addresses(Locals):
    """The addresses of a block's arrays.

    owned: for each row, the buffers that we free after we have written the row.
    heirs: the rows whose arrays are built inside a buffer that the current row owns.
    """

    def __init__(self, linkage: Linkage, body: Body, block: Block) -> None:
        super().__init__(linkage, body, block)
        self.owned: dict[int, list[tuple[int, int]]] = {}
        self.heirs: list[int] = []

    def value(self, row: int) -> None:
        """Write the instructions that push a row's value. `Scope` defines this."""
        raise NotImplementedError

    def place_of(self, row: int) -> Place:
        """Return the address of an array or accumulator. If it has none yet, allocate memory for it.

        We free the memory after writing the row that makes the array.
        """
        places, rows = self.places, self.rows
        chain: list[int] = []
        while row not in places and rows[row][0] in _VIEWS:
            chain.append(row)
            row = rows[row][1]
        place = places.get(row) or self._begin_place(row)
        while chain:
            row = chain.pop()
            key = rows[row]
            if key[0] != "acc_read":
                if key[2] < 0:
                    place = place.plus(self.block.consts[~key[2]] * bytes_of(self.types[row]))
                else:
                    place = Place(place.offset, -1, row)
            places[row] = place
        return place

    def _begin_place(self, row: int) -> Place:
        op = self.rows[row][0]
        if op == "table":
            place = Place(self.linkage.tables[self.types[row].leaf.dtype, self.rows[row][1]])
        elif op == "zeros":
            place = Place(self.linkage.zeros)
        elif op == "select":
            place = Place(0, -1, row)
            self.place_of(self.rows[row][2])
            self.place_of(self.rows[row][3])
        else:
            maker = row
            if op == "proj":
                maker, k = self.rows[row][1:]
                first = self.usage.projections[maker][k]
                if first != row:
                    return self.place_of(first)
            if is_growing(self.types[row]):
                place = Place(0, -1, row)
            else:
                place = self.buffer(maker, bytes_of(self.types[row]))
        self.places[row] = place
        return place

    def buffer(self, maker: int, size: int) -> Place:
        """Allocate memory and return its address. We free the memory after writing row `maker`."""
        address = self.body.arena.take(size)
        self.owned.setdefault(maker, []).append((address, size))
        return Place(address)

    def pointer(self, place: Place) -> None:
        """Write the instructions that push a complete address: its base plus its constant offset."""
        append = self.body.out.append
        if place.row < 0 and place.local < 0:
            append(wasm.i32_const(place.offset))
            return
        if place.offset:
            append(wasm.I32_ADD)
            append(wasm.i32_const(place.offset))
        self.base(place)

    def base(self, place: Place) -> None:
        """Write the instruction that pushes an address without its constant offset."""
        if place.row >= 0:
            self.value(place.row)
        else:
            self.body.out.append(wasm.I32_ZERO if place.local < 0 else self.body.gets[place.local])

    def write_base(self, base: Place, stack: list[int]) -> None:
        """Like `base`, but if a row computes the base, only put this row on `stack`."""
        if base.row >= 0:
            stack.append(base.row)
        else:
            self.body.out.append(wasm.I32_ZERO if base.local < 0 else self.body.gets[base.local])

    def write_address(self, base: Place, index: int, stride: int, stack: list[int]) -> None:
        """Write the variable part of an element's address: index · stride, plus the base.

        Put the rows that compute the index and the base on `stack`. The caller writes these rows later.
        """
        append = self.body.out.append
        if base.row >= 0:
            append(wasm.I32_ADD)
            stack.append(base.row)
        elif base.local >= 0:
            append(wasm.I32_ADD)
            append(self.body.gets[base.local])
        for instruction in times(stride):
            append(instruction)
        stack.append(index)

    def copy_into(self, place: Place, row: int) -> None:
        """Write code that builds an array at a given address, or else copies it to this address."""
        of = self.types[row]
        size = bytes_of(of)
        if not size or self.build_in(place, row):
            return
        append = self.body.out.append
        if self.rows[row][0] == "zeros":
            self.fill_zero(place, size)
            return
        source = self.place_of(row)
        if source == place:
            return
        step = bytes_of(of.leaf)
        if size <= SMALL_COPY * step and source.row < 0:
            for distance in range(0, size, step):
                append(wasm.store(of.leaf.dtype, place.offset + distance))
                append(wasm.load(of.leaf.dtype, source.offset + distance))
                self.base(source)
                self.base(place)
            return
        append(wasm.MEMORY_COPY)
        append(wasm.i32_const(size))
        self.pointer(source)
        self.pointer(place)

    def fill_zero(self, place: Place, size: int) -> None:
        """Write the instructions that set bytes to 0."""
        self.body.out += (wasm.MEMORY_FILL, wasm.i32_const(size), wasm.I32_ZERO)
        self.pointer(place)

    def build_in(self, place: Place, row: int) -> bool:
        """Try to let an array be built at the address `place`. Return whether this worked.

        It works if a row of this block makes the array and the array has no address yet.
        """
        if row in self.places:
            return False
        origin, maker = row, row
        key = self.rows[row]
        if key[0] == "acc_read":
            origin = maker = key[1]
            if self.rows[origin][0] != "acc":
                return False
        elif key[0] == "proj":
            maker = key[1]
            origin = self.usage.projections[maker][key[2]]
        elif key[0] not in ("stack", "update"):
            return False
        if origin in self.places:
            return False
        self.places[row] = self.places[origin] = place
        self.heirs.append(maker)
        return True


def times(stride: int) -> Sequence[bytes]:
    """Return the instructions that multiply an index by `stride`. The last instruction comes first."""
    if stride and not stride & (stride - 1):
        return (wasm.I32_SHL, wasm.i32_const(stride.bit_length() - 1))
    return (wasm.I32_MUL, wasm.i32_const(stride))
