"""Write the entry's block. Its parameters and results are in memory. A long block becomes several functions.

Engines compile long functions slowly, so we cut a long block into functions. We call a cut a border. If a
value is computed before a border and read after it, we reserve a slot for the value in memory. The function
that computes the value stores it in the slot. A function that reads the value loads it only once, at the
function's beginning, even if it reads the value several times.
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
"""The largest number of live rows of an entry that stays a single function.

We cut a longer entry into several functions. V8's first compiler takes a time that is proportional to the
square of a function's size."""

PART_INSTRUCTIONS: Final = 2500
"""The number of instructions (about 1,000 rows) after which the entry begins a new part."""

_OPENING: Final = (wasm.LOOP, wasm.IF, *[wasm.IF[:1] + of for of in wasm.VALUE_TYPE.values()])
BLOCKS: Final = {wasm.END: 1, **dict.fromkeys(_OPENING, -1)}
"""For each instruction that opens or closes a block, the change of the nesting depth.

We read the instructions from the last to the first. So `end` adds 1, and the instruction that opens a block
subtracts 1."""


class EntryScope(Scope):
    """The scope of the entry's block, which becomes one function or several functions.

    parts: the bodies of the finished functions. The function that runs last comes first.
    loads: for each row with a value that a later function reads, the instructions that load the value. It is
        None for all other rows.
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
        """Record the addresses of the block's parameters."""
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
        """Write code that stores the results at the addresses `results`. Return the function bodies."""
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

        bound: the rows from this number on are already written. We write the last rows first.
        """
        body, push, local, rows, once = self.body, self.push, self.local, self.rows, self.once
        loads, since, out = self.loads, self.since, body.out
        several, reads = [], None
        for row in self.seen:
            if row >= bound and (rows[row][0] != "proj" or rows[row][1] >= bound):
                continue  # the finished function computes this row, so it needs no load
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
        """Return the instructions that load a row from its slot. Make a slot if there is none."""
        dtype = self.local_dtype(row)
        if row in self.param_places:
            digits = uleb(self.param_places[row])
        else:
            arena = self.body.arena
            digits = uleb(arena.end)
            arena.end += 8  # take new memory, because an array could overwrite reused memory before the load
            self.slots[row] = wasm.STORE[dtype] + digits
        load = self.loads[row] = wasm.I32_ZERO + wasm.LOAD[dtype] + digits
        return load


def _reads(out: list[bytes]) -> tuple[dict[bytes, int], list[int]]:
    """Return two things: the position of each instruction in `out`, and the block depth at each position.

    If an instruction occurs several times, its last position counts.
    """
    return dict(zip(out, range(len(out)), strict=True)), [*accumulate(map(BLOCKS.get, out, repeat(0)))]


def _only_read(reads: tuple[dict[bytes, int], list[int]], out: list[bytes], get: bytes, at: int) -> int:
    """Return the position of the instruction `get` in `out`, from position `at` on.

    Return 0 if the instruction occurs several times, or if it is inside a block.
    """
    places, depths = reads
    place = places.get(get, 0)
    return place if place >= at and depths[place] == 1 and out.index(get, at) == place else 0
