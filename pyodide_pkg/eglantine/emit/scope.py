"""Rows to instructions, from the last row of a block to its first.

A row used once is written where it is used, as part of an expression on the operand stack; a root is written
in its own place, and its value kept in a local or in memory. Seen from the end, a local or buffer is taken at
the last use of a value and given back where the value is made: lifetimes need no analysis.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Any, Final

from eglantine.ir.primitives import ARITY
from eglantine.ir.program import Block
from eglantine.ir.row_types import F64, ZERO, Acc, Array, Row, element_type, is_growing
from eglantine.ir.traps import index_message
from eglantine.wasm import encoding as wasm

from .body import Body
from .growing import Buffers
from .layout import Place
from .linkage import Linkage
from .usage import INSTRUCTIONS, Usage, bytes_of

TREE_STEPS: Final = range(400)
"""How many rows an expression may hold: it bounds the operand stack's depth and the distance of borders."""

SMALL_COPY: Final = (
    4  # elements; up to here, loads and stores are faster than `memory.copy` and about as short
)
OFTEN: Final = 3  # uses from which a local's instructions are shorter than a constant's 9 bytes each time
NO_LIMIT: Final = 1 << 62

CONSTANT: Final[Row] = ("constant",)
"""What stands for a constant's row, which it has not."""

_VIEWS: Final = frozenset({"index", "acc_index", "acc_read"})
_IN_PLACE: Final = frozenset({"index", "acc_index", "acc_read", "param"})
"""Operations that are more than one instruction, yet may stand inside an expression."""


Structure = dict[str, Callable[["Scope", int, Row], None]]
"""How calls, loops, branches and prints are written."""


class Scope:
    """One block being written into a body.

    push: for each row, and from the end each constant, the instruction that pushes it, or None so far; that
        of the symbolic zero, which no program holds, is the address 0.
        A Real that is used more often has it from its second use on.
    once: see `Usage`.
    local: for each row that has a local, which; else -1.
    places: addresses of arrays and accumulators.
    owned: buffers to give back when a row has been written.
    heirs: rows that the row being written has had built inside its own buffer.
    param_places: scalar parameters that lie in memory.
    slots: of values that cross a border between functions (see `emit_entry`), what stores them.
    seen, since: rows and constants that have been given a local; for each row, how many instructions there
        were then.
    """

    def __init__(self, linkage: Linkage, structure: Structure, body: Body, block: Block) -> None:
        self.linkage = linkage
        self.structure = structure
        self.body = body
        self.block = block
        self.rows, self.types = block.rows, block.types
        self.usage: Usage = linkage.program.usage(block)
        self.uses, self.once = self.usage.uses, self.usage.once
        n = len(block.rows)
        self.push: list[bytes | None] = [None] * n
        self.push[ZERO] = wasm.I32_ZERO
        self.local = [-1] * n
        for k in range(len(block.consts) - 1, -1, -1):
            of = block.const_types[k]
            often = of is F64 and self.uses[~k] >= OFTEN
            self.push.append(None if often else constant_instruction(block.consts[k], of.dtype))
        self.places: dict[int, Place] = {}
        self.owned: dict[int, list[tuple[int, int]]] = {}
        self.heirs: list[int] = []
        self.roots = self.usage.roots.copy()
        self.param_places: dict[int, int] = {}
        self.slots: dict[int, bytes] = {}
        self.seen: list[int] = []
        self.since = [0] * n
        self.limit = NO_LIMIT

    def inner(self, block: Block) -> Scope:
        """The scope of a body within this block."""
        return Scope(self.linkage, self.structure, self.body, block)

    def border(self, bound: int) -> None:
        """End a function here; only the entry's scope does."""
        raise NotImplementedError

    # ---------------------------------------------------------------- the loop over rows

    def write_rows(self) -> None:
        """Write all roots."""
        self.heirs.clear()
        self._write([], True)

    def value(self, row: int) -> None:
        """Write what pushes a row's value; of an array, the part of its address that is not constant."""
        chunk = self.push[row]
        if chunk is not None:
            self.body.out.append(chunk)
        else:
            self._write((row,), False)

    def _write(self, waiting: Sequence[int], whole: bool) -> None:  # noqa: C901, PLR0912, PLR0915 - see below
        """Write the expressions of `waiting`, the last one first, then, if `whole`, of the remaining roots.

        The loop is long because it runs for every row of a program, and does without calls for most of them:
        in Pyodide also one of `len`, or of a list's `pop`, takes as long as ten steps without.
        """
        rows, uses, once, push = self.rows, self.uses, self.once, self.push
        local, slots, body, codes = self.local, self.slots, self.body, self.linkage.codes
        if body.record is not None:
            body.record.write(self, waiting, whole)
            return
        roots, pointers, seen, since = self.roots, self.usage.pointers, self.seen, self.since
        out, gets, sets, tees, pool_of = body.out, body.gets, body.sets, body.tees, body.pool_of
        limit, reals = self.limit, body.pools[wasm.VALUE_TYPE["f64"]]
        stack: Any = ()  # the row to be written next, and the rest
        for row in waiting:
            stack = row, stack
        chunk: Any = out[-1]
        while True:
            if stack:
                row, stack = stack
            elif not whole or not roots:
                return
            else:
                row = roots.pop()
                if len(out) > limit:
                    self.border(row + 1)
                    chunk = out[-1]
                key = rows[row]
                op = key[0]
                if op not in codes or row in pointers:
                    self.write_root(row, key)
                    chunk = out[-1]
                    continue
                k = local[row]
                if row in slots:
                    out.append(slots[row])
                    if k >= 0:
                        out.append(tees[k])
                        pool_of[k].append(k)
                    stack = ZERO, stack
                elif k < 0:
                    continue
                else:
                    if chunk is not gets[k]:
                        out.append(sets[k])
                    elif uses[row] == 1:
                        out.pop()
                    else:
                        out[-1] = tees[k]
                    pool_of[k].append(k)
                out.append(codes[op])
                n = ARITY[op]
                if n == 2:
                    _, left, row = key
                    stack = left, stack
                elif n == 1:
                    row = key[1]
                else:
                    row, stack = key[1], (key[3], (key[2], stack))
            for _ in TREE_STEPS:
                chunk = push[row]
                if chunk is None:
                    key = once[row]
                    if key:
                        op, left, row = key
                        out.append(codes[op])
                        stack = left, stack
                        continue
                    if key is None:
                        key = rows[row] if row >= 0 else CONSTANT
                        op = key[0]
                        more: Any = []
                        if uses[row] != 1:
                            out.append(self.see(row))
                        elif op not in codes:
                            self.write_in_place(row, key, more)
                        else:
                            out.append(codes[op])
                            more = key[1:] if ARITY[op] < 3 else (key[2], key[3], key[1])
                        for row in more:
                            stack = row, stack
                        chunk = out[-1]
                    else:
                        k = local[row]
                        if k >= 0:
                            chunk = push[row] = gets[k]
                        else:
                            k = local[row] = reals.pop() if reals else body.take("f64")
                            chunk = gets[k]
                            seen.append(row)
                            since[row] = len(out)
                        out.append(chunk)
                else:
                    out.append(chunk)
                if not stack:
                    break
                row, stack = stack
            else:
                while True:
                    is_first = once[row] is not None and local[row] < 0
                    chunk = push[row] or self.see(row)
                    out.append(chunk)
                    if is_first:
                        push[row] = None
                    if not stack:
                        break
                    row, stack = stack

    def see(self, row: int) -> bytes:
        """What pushes a row that has its own place: from now on it has a local."""
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
        """The local of a row that is no constant; from now on it has one."""
        self.see(row)
        key = self.rows[row]
        if key[0] == "proj":
            row = self.usage.projections[key[1]][key[2]]
        elif key[0] == "acc_read" and self.local[row] < 0:
            row = key[1]
        return self.local[row]

    def local_dtype(self, row: int) -> str:
        """The dtype of the local that a row's value, or pointer, is kept in."""
        of = self.types[row]
        if of is F64:
            return "f64"
        if isinstance(of, Acc):
            return "f64" if self.rows[row][0] == "acc" and not of.dims else "i32"
        return of.dtype if of.dtype in wasm.VALUE_TYPE else "i32"

    def bind(self, row: int, k: int) -> None:
        """The value of `row` is in local k: a parameter's for as long as the block runs."""
        self.local[row] = k
        self.push[row] = self.body.gets[k]

    def inherit(self, row: int, k: int) -> bool:
        """Let local k hold row's value until its own begins, if nothing else holds it."""
        if row < 0:
            return False
        op = self.rows[row][0]
        if op == "proj":
            row = self.usage.projections[self.rows[row][1]][self.rows[row][2]]
        once = self.uses[row] == 1 and (op in self.linkage.codes or op in _IN_PLACE)
        if self.push[row] is not None or self.local[row] >= 0 or once or op == "acc_read":
            return False
        self.bind(row, k)
        self.since[row] = NO_LIMIT  # no read of it can be the only one
        self.seen.append(row)
        return True

    def define(self, row: int) -> None:
        """Write that the value just computed is that of `row`, which has a local."""
        k = self.local[row]
        out = self.body.out
        if out[-1] is self.body.gets[k] and self.uses[row] == 1 and row not in self.slots:
            out.pop()
        else:
            self.body.put_set(k)
        self.body.give(k)

    # ---------------------------------------------------------------- rows that are not one instruction

    def write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        """Write a row inside an expression, and put the operands that are left to write on `stack`."""
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
                    self.place_of(row)
                    self._write_address(base, key[2], bytes_of(of), stack)
                elif key[2] < 0:
                    offset = base.offset + self.block.consts[~key[2]] * bytes_of(of)
                    append(wasm.load(of.dtype, offset))
                    self._write_base(base, stack)
                else:
                    size = bytes_of(of)
                    index, further = self._apart(key[2])
                    append(wasm.load(of.dtype, base.offset + further * size))
                    self._write_address(base, index, size, stack)
            case "param":
                append(wasm.load(self.types[row].dtype, self.param_places[row]))
                append(wasm.I32_ZERO)
            case "acc_read" if key[1] in self.places or self.accumulates_in_memory(key[1]):
                place = self.place_of(key[1])
                append(wasm.load("f64", place.offset))
                self._write_base(place, stack)
            case _:
                append(self.see(row))

    def _apart(self, index: int) -> tuple[int, int]:
        """An index as another one and a number that is added to it, which a load holds in its offset."""
        further = 0
        while self.push[index] is None and self.uses[index] == 1 and self.rows[index][0] == "iadd":
            c, row = sorted(self.rows[index][1:])
            if c >= 0 or row < 0 or self.block.consts[~c] < 0 or self.types[row].lo < 0:
                break
            index, further = row, further + self.block.consts[~c]
        return index, further

    def _write_base(self, base: Place, stack: list[int]) -> None:
        if base.row >= 0:
            stack.append(base.row)
        else:
            self.body.out.append(wasm.I32_ZERO if base.local < 0 else self.body.gets[base.local])

    def _write_address(self, base: Place, index: int, stride: int, stack: list[int]) -> None:
        """The part of an element's address that is not constant: index · stride, plus the base's."""
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

    def write_root(self, row: int, key: Row) -> None:
        """Write a root that is not one instruction."""
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
        elif op in _ROOTS:
            _ROOTS[op](self, row, key)
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
        """Write an expression whose value is kept in a local, a slot, or both."""
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
            self._write(stack, False)
        if slot is not None:
            append(wasm.I32_ZERO)

    def keep(self, row: int, k: int) -> None:
        """Write that row's value, in local k, also goes to its slot if it crosses a border."""
        slot = self.slots.get(row)
        if slot is not None:
            self.body.out += (slot, self.body.gets[k], wasm.I32_ZERO)

    # ---------------------------------------------------------------- addresses

    def place_of(self, row: int) -> Place:
        """The address of an array or accumulator; its memory is in use from here back to where it is made."""
        places, rows = self.places, self.rows
        chain: list[int] = []
        while row not in places and rows[row][0] in _VIEWS:
            chain.append(row)
            row = rows[row][1]
        found = places.get(row) or self._begin_place(row)
        while chain:
            row = chain.pop()
            key = rows[row]
            if key[0] != "acc_read":
                if key[2] < 0:
                    found = found.plus(self.block.consts[~key[2]] * bytes_of(self.types[row]))
                else:
                    found = Place(found.offset, -1, row)
            places[row] = found
        return found

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
        """New memory until row `maker` has been written."""
        address = self.body.arena.take(size)
        self.owned.setdefault(maker, []).append((address, size))
        return Place(address)

    def pointer(self, place: Place) -> None:
        """Write what pushes a whole address."""
        append = self.body.out.append
        if place.row < 0 and place.local < 0:
            append(wasm.i32_const(place.offset))
            return
        if place.offset:
            append(wasm.I32_ADD)
            append(wasm.i32_const(place.offset))
        self.base(place)

    def base(self, place: Place) -> None:
        """Write what pushes the part of an address that a load or store does not hold as its offset."""
        if place.row >= 0:
            self.value(place.row)
        else:
            self.body.out.append(wasm.I32_ZERO if place.local < 0 else self.body.gets[place.local])

    def accumulates_in_memory(self, acc: int) -> bool:
        """Whether an accumulator that is not a parameter lies in memory; a scalar one mostly is a local."""
        return bool(self.types[acc].dims) or acc in self.usage.in_memory or self.rows[acc][0] == "acc_index"

    # ---------------------------------------------------------------- copies

    def copy_into(self, place: Place, row: int) -> None:
        """Write what brings an array to an address: best, by having it built there."""
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
        """Write what sets bytes to 0."""
        self.body.out += (wasm.MEMORY_FILL, wasm.i32_const(size), wasm.I32_ZERO)
        self.pointer(place)

    def build_in(self, place: Place, row: int) -> bool:
        """Whether an array that nothing has been seen to use can be built at `place`; then it is."""
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

    # ---------------------------------------------------------------- roots that are not structure

    def write_stack(self, row: int, key: Row) -> None:
        """The elements of a new array, one after the other."""
        place = self.places.get(row)
        if place is None:
            return
        of = element_type(self.types[row])
        step = bytes_of(of)
        for k in range(len(key[1]) - 1, -1, -1):
            at = place.plus(k * step)
            if isinstance(of, Array):
                self.copy_into(at, key[1][k])
            else:
                self.body.out.append(wasm.store(of.dtype, at.offset))
                self.value(key[1][k])
                self.base(at)
            if len(self.body.out) > self.limit:
                self.border(row)

    def write_update(self, row: int, key: Row) -> None:
        """An array with another element: written over the array itself where nothing reads that later."""
        whole = self.places.get(row)
        if whole is None:
            return
        _, array, i, x = key
        self.build_in(whole, array)
        of = element_type(self.types[row])
        out, body, size = self.body.out, self.body, bytes_of(of)
        at, k = whole, -1
        if i < 0:
            at = whole.plus(self.block.consts[~i] * size)
        elif isinstance(of, Array):
            k = body.take("i32")
            at = Place(whole.offset, k)
        if isinstance(of, Array):
            self.place_of(x)  # it may be made of parts of this very place, so it is not built there
            self.copy_into(at, x)
        else:
            out.append(wasm.store(of.dtype, at.offset))
            self.value(x)
        if i < 0 and not isinstance(of, Array):
            self.base(at)
        elif i >= 0:
            if k >= 0:
                body.put_set(k)
                body.give(k)
            stack: list[int] = []
            self._write_address(whole, i, size, stack)
            self._write(stack, False)
        self.copy_into(whole, array)

    def write_acc(self, row: int, key: Row) -> None:
        """A new accumulator of zeros."""
        place = self.places.get(row)
        if key[1]:
            self._write_growing_acc(row, key[1][0])
        elif place is not None:
            self.fill_zero(place, bytes_of(self.types[row]))
        elif self.push[row] is not None:
            self.define(row)
            self.body.out.append(constant_instruction(0.0, "f64"))

    def _write_growing_acc(self, row: int, length: int) -> None:
        if self.push[row] is None and row not in self.slots:
            return
        body, rounds = self.body, self.see(length)
        size = bytes_of(element_type(self.types[row]))
        k = self.local[row] if self.push[row] is not None else body.take("i32")
        body.out += (wasm.MEMORY_FILL, *times(size), rounds, wasm.I32_ZERO, body.gets[k])
        self.keep(row, k)
        buffers = self.buffers(row, [(k, size)])
        buffers.write_addresses(body)
        buffers.write_growth(body, rounds)
        body.give(k)

    def buffers(self, row: int, arrays: Sequence[tuple[int, int]]) -> Buffers:
        """Growing buffers for row's arrays: of each, the local of its address and the bytes of a round."""
        linkage, each = self.linkage, max(sum(size for _, size in arrays), 1)
        trap = linkage.trap(
            f"Found more rounds of a loop than memory has room for: the derivative stores {each:,} bytes of "
            f"each, and may use {linkage.limit:,} bytes; expected fewer than {linkage.limit // each:,} "
            "rounds; end the loop earlier, allow more by memory=, or use forward mode.",
            self.block.sources[row],
            "LimitError",
        )
        return Buffers(arrays, linkage.take_globals(1 + len(arrays)), linkage.grow, trap)

    def write_add_to(self, row: int, key: Row) -> None:  # noqa: ARG002 - all roots are written alike
        """acc += x, in a local, in memory, or element by element."""
        _, acc, x = key
        out = self.body.out
        if self.types[acc].dims:
            self._add_arrays(acc, x)
            return
        add, x = self.addend(x)
        if acc in self.places or self.accumulates_in_memory(acc):
            place = self.place_of(acc)
            out += (wasm.store("f64", place.offset), INSTRUCTIONS[add])
            self.value(x)
            out.append(wasm.load("f64", place.offset))
            if place.row >= 0:
                k = self.local_of(place.row)
                place = Place(place.offset, k)
            self.base(place)
            self.base(place)
        else:
            self.see(acc)
            k = self.local[acc]
            self.body.put_set(k)
            out.append(INSTRUCTIONS[add])
            self.value(x)
            out.append(self.body.gets[k])

    def addend(self, x: int) -> tuple[str, int]:
        """How row x is added, and what: a negation that nothing else needs is a subtraction."""
        key = self.rows[x] if x >= 0 else CONSTANT
        if key[0] == "neg" and self.uses[x] == 1 and self.push[x] is None:
            return "sub", key[1]
        return "add", x

    def _add_arrays(self, acc: int, x: int) -> None:
        """A loop over the bytes at which elements begin: of few elements, an addition each."""
        size = bytes_of(self.types[acc])
        if not size or self.rows[x][0] == "zeros":
            return
        target, source = self._settled(self.place_of(acc)), self._settled(self.place_of(x))
        out, body = self.body.out, self.body
        if size <= SMALL_COPY * 8:
            for distance in range(0, size, 8):
                self._add_element(target.plus(distance), source.plus(distance), -1)
        else:
            j = body.take("i32")
            out += (wasm.END, wasm.BR_IF_0, body.gets[j])
            self._add_element(target, source, j)
            body.put_set(j)
            out += (wasm.I32_SUB, wasm.i32_const(8), body.gets[j], wasm.LOOP)
            out += (body.sets[j], wasm.i32_const(size))
            body.give(j)
        for place in (target, source):
            if place.row >= 0:  # computed for this addition alone
                body.put_set(place.local)
                body.give(place.local)
                self.value(place.row)

    def _settled(self, place: Place) -> Place:
        """The address with its pointer in a local: a new one if `row` stays ≥ 0."""
        if place.row < 0:
            return place
        if self.uses[place.row] == 1 and self.push[place.row] is None:
            return Place(place.offset, self.body.take("i32"), place.row)
        return Place(place.offset, self.local_of(place.row))

    def _add_element(self, target: Place, source: Place, j: int) -> None:
        out = self.body.out
        out += (wasm.store("f64", target.offset), wasm.F64_ADD, wasm.load("f64", source.offset))
        self._at(source, j)
        out.append(wasm.load("f64", target.offset))
        self._at(target, j)
        self._at(target, j)

    def _at(self, place: Place, j: int) -> None:
        """Write what pushes an address's local plus local j; either may be missing (-1)."""
        gets = self.body.gets
        pushes = [gets[k] for k in (place.local, j) if k >= 0] or [wasm.I32_ZERO]
        self.body.out += [wasm.I32_ADD] * (len(pushes) - 1) + pushes

    def write_check(self, row: int, key: Row) -> None:
        """An index that traps unless it is below the bound."""
        _, i, n = key
        body, out = self.body, self.body.out
        number = self.linkage.trap(index_message(n), self.block.sources[row])
        kept = self.push[row] is not None or row in self.slots
        k = -1
        if kept:
            k = self.local[row] if self.push[row] is not None else body.take("i32")
            self.keep(row, k)
        self.write_trap(number)
        out += (wasm.I32_GE_U, wasm.i32_const(n))
        if not kept:
            self.value(i)
        elif self.inherit(i, k):
            out.append(body.gets[k])
        else:
            out.append(body.tees[k])
            body.give(k)
            self.value(i)

    def write_trap(self, number: int) -> None:
        """Write: if the condition on the stack holds, trap."""
        self.body.out += (
            wasm.END, wasm.UNREACHABLE, wasm.global_set(0), wasm.i32_const(number), wasm.IF
        )  # fmt: skip


_ROOTS: Final[dict[str, Callable[[Scope, int, Row], None]]] = {
    "stack": Scope.write_stack,
    "update": Scope.write_update,
    "acc": Scope.write_acc,
    "add_to": Scope.write_add_to,
    "check": Scope.write_check,
}


def times(stride: int) -> Sequence[bytes]:
    """Instructions, the last one first, that multiply by a number of bytes."""
    if stride and not stride & (stride - 1):
        return (wasm.I32_SHL, wasm.i32_const(stride.bit_length() - 1))
    return (wasm.I32_MUL, wasm.i32_const(stride))


def constant_instruction(value: Any, dtype: str) -> bytes:
    """The instruction that pushes a constant."""
    if dtype == "f64":
        return wasm.f64_const(value)
    return wasm.i64_const(value) if dtype == "i64" else wasm.i32_const(int(value))
