"""Write the entry's block. Its parameters and results lie in memory. A long block becomes several functions.

Engines compile long functions slowly, so a long block is cut into functions. We call a cut a border. A value
that is computed before a border and read after it has a slot in memory. The function that computes the value
stores it in this slot. A later function that reads the value several times loads it at the function's
beginning. A function that reads the value once loads it where it reads it.
"""

from __future__ import annotations

from bisect import insort
from itertools import accumulate, repeat
from typing import Any, Final

from eglantine.ir.primitives import STRAIGHT
from eglantine.ir.program import Function
from eglantine.ir.row_types import F64, ZERO, Array
from eglantine.wasm import encoding as wasm
from eglantine.wasm.leb128 import uleb

from .body import Body
from .expressions import TREE_STEPS
from .layout import Place
from .linkage import Linkage
from .locals import NO_LIMIT
from .scope import Scope, Structure

CUT_ROWS: Final = 3000
"""An entry with more live rows is cut, because V8's first compiler is quadratic in a function's size."""

PART_INSTRUCTIONS: Final = 2500
"""The number of instructions (about 1,000 rows) after which the entry begins a new part."""

_OPENING: Final = (wasm.LOOP, wasm.IF, *[wasm.IF[:1] + of for of in wasm.VALUE_TYPE.values()])
BLOCKS: Final = {wasm.END: 1, **dict.fromkeys(_OPENING, -1)}
"""For instructions that open or close a block, the change of depth as we read backward."""


class EntryScope(Scope):
    """The scope of the entry's block, which becomes one function or several.

    parts: the bodies of finished functions, the last one first.
    loads: for each row that crosses a border, the instructions that load its value. None for other rows.
    """

    def __init__(self, linkage: Linkage, structure: Structure, body: Body, function: Function) -> None:
        block = function.block
        assert block is not None
        super().__init__(linkage, structure, body, block)
        self.parts: list[bytes] = []
        self.loads: list[bytes | None] = [None] * len(block.rows)
        self.name = function.name
        self._cut_if_long()

    def _cut_if_long(self) -> None:
        if len(self.rows) > CUT_ROWS and sum(map(bool, self.uses)) > CUT_ROWS:
            self.limit = PART_INSTRUCTIONS
            if "acc" in self.block.operations:
                accumulators = (row for row in self.usage.roots if self.rows[row][0] == "acc")
                self.usage.in_memory.update(row for row in accumulators if not self.types[row].dims)

    def take_params(self, params: list[int]) -> None:
        """Record the addresses from which the block reads its parameters."""
        for row, address in zip(self.block.params, params, strict=True):
            if isinstance(self.types[row], Array):
                self.places[row] = Place(address)
            else:
                self.param_places[row] = address
                if self.uses[row] > 1:
                    insort(self.roots, row)
                    if self.types[row] is F64:
                        self.once[row] = ()

    def write(self, results: list[int]) -> list[bytes]:
        """Write the block. It stores its results at these addresses. Return the bodies of its functions."""
        block, n, m = self.block, len(self.rows), len(results)
        short = 3 * (n + m) < len(TREE_STEPS) and self.limit == NO_LIMIT
        if short and block.operations <= STRAIGHT and not self.places:  # all results as one expression
            stores = zip(block.result_types, results, strict=True)
            self.push[n:n] = [wasm.store(of.dtype, at) for of, at in stores]
            stack = [ZERO] * (3 * m)
            stack[1::3], stack[2::3] = block.results, range(n, n + m)
            self.write_expressions(stack, True)
            return [self.body.finish(self.name)]
        for row, address in zip(reversed(block.results), reversed(results), strict=True):
            of: Any = block.type_of(row)
            if isinstance(of, Array):
                self.copy_into(Place(address), row)
            else:
                self.body.out.append(wasm.store(of.dtype, address))
                self.value(row)
                self.body.out.append(wasm.I32_ZERO)
            if len(self.body.out) > self.limit:
                self.border(len(self.rows))
        self.write_rows()
        return [self.body.finish(self.name), *self.parts[::-1]]

    def border(self, bound: int) -> None:
        """Cut the block here: finish a function, and begin the function that runs before it.

        bound: code is written backward, and the rows from this number on have been written.
        """
        body, push, local, rows, once = self.body, self.push, self.local, self.rows, self.once
        loads, since, out = self.loads, self.since, body.out
        several, reads = [], None
        for row in self.seen:
            if row >= bound and (rows[row][0] != "proj" or rows[row][1] >= bound):
                continue  # the finished function computes this row itself
            again, push[row] = push[row], None
            if row < 0:
                continue
            k, local[row] = local[row], -1
            key, at, load = once[row], since[row], loads[row]
            if load is None:
                load = self._crossing(row)
            if key is None or (key and again):
                reads = reads or _reads(out)
                at = _only_read(reads, out, body.gets[k], at)
                again = None if at else load
            if again is None:
                out[at] = load
            else:
                several.append((k, load))
        for k, load in several:
            body.put_set(k)
            out.append(load)
        self.seen.clear()
        self.parts.append(body.finish(self.name))
        body.begin()

    def _crossing(self, row: int) -> bytes:
        """Return the instructions that load a row of an earlier function. Make a slot for it if needed."""
        dtype = self.local_dtype(row)
        if row in self.param_places:
            digits = uleb(self.param_places[row])
        else:
            arena = self.body.arena
            digits = uleb(arena.end)
            arena.end += 8  # never reuse memory here, because an array could overwrite it before the load
            self.slots[row] = wasm.STORE[dtype] + digits
        load = self.loads[row] = wasm.I32_ZERO + wasm.LOAD[dtype] + digits
        return load


def _reads(out: list[bytes]) -> tuple[dict[bytes, int], list[int]]:
    """Return where each instruction of `out` is, and how many blocks are around each position of `out`.

    An instruction that occurs several times is given by its last position in `out`.
    """
    return dict(zip(out, range(len(out)), strict=True)), [*accumulate(map(BLOCKS.get, out, repeat(0)))]


def _only_read(reads: tuple[dict[bytes, int], list[int]], out: list[bytes], get: bytes, at: int) -> int:
    """Return the position of the instruction `get` in `out`, if it occurs once from position `at` on.

    Return 0 if it occurs several times, or inside a block.
    """
    places, depths = reads
    place = places.get(get, 0)
    return place if place >= at and depths[place] == 1 and out.index(get, at) == place else 0
