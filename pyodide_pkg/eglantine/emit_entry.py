"""The entry's block: parameters come from memory, results go there, and it may be cut into several functions.

Engines compile long functions slowly, so a long block is cut at borders. What is alive at a border lies in a
slot of memory: the function before stores it where it is made, and each function after that needs it loads
it when it begins, or where it is read if that is once.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from typing import Any, Final

from . import wasm
from .emit_body import Body
from .emit_rows import NO_LIMIT, TREE_STEPS, Linkage, Scope, Structure
from .ir import ZERO, Array, Function
from .layout import Place
from .primitives import STRAIGHT

CUT_ROWS: Final = 3000
"""The live rows from which an entry is cut: V8's first compilation is quadratic in a function's size."""

PART_INSTRUCTIONS: Final = 2500
"""How many instructions begin no new part: about 1,000 rows."""

MANY: Final = 1 << 20
"""More than there are locals."""
BLOCKS: Final = {
    wasm.END: MANY - 1, wasm.LOOP: MANY + 1, wasm.IF: MANY + 1,
    **{wasm.IF[:1] + of: MANY + 1 for of in wasm.VALUE_TYPE.values()},
}  # fmt: skip
"""Instructions by how many blocks more are open after them, counted from MANY."""


class EntryScope(Scope):
    """The block of the entry.

    parts: the bodies of finished functions, the last one first.
    loads: of values that cross a border, what loads them.
    """

    def __init__(self, linkage: Linkage, structure: Structure, body: Body, function: Function) -> None:
        block = function.block
        assert block is not None
        super().__init__(linkage, structure, body, block)
        self.parts: list[bytes] = []
        self.loads: dict[int, bytes] = {}
        self.name = function.name
        self._cut_if_long()

    def _cut_if_long(self) -> None:
        if len(self.rows) > CUT_ROWS and sum(map(bool, self.uses)) > CUT_ROWS:
            self.limit = PART_INSTRUCTIONS
            if "acc" in self.block.operations:
                made = (row for row in self.usage.roots if self.rows[row][0] == "acc")
                self.usage.in_memory.update(row for row in made if not self.types[row].dims)

    def take_params(self, params: list[int]) -> None:
        """Read the parameters from these addresses."""
        for row, address in zip(self.block.params, params, strict=True):
            if isinstance(self.types[row], Array):
                self.places[row] = Place(address)
            else:
                self.param_places[row] = address
                if self.uses[row] > 1:
                    insort(self.roots, row)

    def write(self, results: list[int]) -> list[bytes]:
        """Write the block, its results going to the addresses `results`; the bodies in order."""
        block, n, m = self.block, len(self.rows), len(results)
        short = 3 * (n + m) < len(TREE_STEPS) and self.limit == NO_LIMIT
        if short and block.operations <= STRAIGHT and not self.places:  # all results as one expression
            stores = zip(block.result_types, results, strict=True)
            self.push[n:n] = [wasm.store(of.dtype, at) for of, at in stores]
            stack = [ZERO] * (3 * m)
            stack[1::3], stack[2::3] = block.results, range(n, n + m)
            self._write(stack, True)
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
        """Begin a new function, which runs before the last one; the rows from `bound` on are done."""
        body, push, local, rows = self.body, self.push, self.local, self.rows
        loads: dict[int, bytes] = {}
        for row in self.seen:
            push[row] = None
            k = local[row] if row >= 0 else -1
            if k < 0:
                continue
            local[row] = -1
            if row < bound or (rows[row][0] == "proj" and rows[row][1] < bound):
                loads[k] = self.loads.get(row) or self._crossing(row)
        for k, places in self._reads(loads).items():
            if len(places) == 1:
                body.out[places[0]] = wasm.I32_ZERO + loads[k]
            else:
                body.put_set(k)
                body.out += (loads[k], wasm.I32_ZERO)
        self.seen.clear()
        self.parts.append(body.finish(self.name))
        body.begin()

    def _reads(self, starting: Iterable[int]) -> dict[int, list[int]]:
        """Where locals with a value when the function begins are read; places in blocks more than once."""
        out, gets, sets, tees = self.body.out, self.body.gets, self.body.sets, self.body.tees
        found: dict[int, list[int]] = {k: [] for k in starting}
        known = {**BLOCKS, **{gets[k]: k for k in found}}
        for k in found:
            known[sets[k]] = known[tees[k]] = ~k
        inside = 0
        for at in range(len(out) - 1, 0, -1):
            k = known.get(out[at], -MANY)
            if k >= MANY - 1:
                inside += k - MANY
            elif k >= 0:
                found[k] += [at] * (1 + inside)
            elif k > -MANY:
                known.pop(gets[~k], None)  # from here on it has another value
        return found

    def _crossing(self, row: int) -> bytes:
        """What loads a row that crosses a border: from now on it has a slot, unless it is a parameter."""
        dtype, address = self.local_dtype(row), self.param_places.get(row)
        if address is None:
            arena = self.body.arena
            address, arena.end = arena.end, arena.end + 8  # not of an array that is made before it is read
            self.slots[row] = wasm.store(dtype, address)
        load = self.loads[row] = wasm.load(dtype, address)
        return load
