"""Write a loop that runs two rounds at a time, in the two lanes of a v128.

The results have the same bits as the results of a plain loop, because each lane computes what a single
operation computes. The order of the terms matters in sums over the rounds, so we add first one lane, then the
other. If the number of rounds is odd, the last round runs alone.

We write a loop like this under three conditions. It has no carry. Round k writes only element k of an array,
and reads only elements k + c with constants c ≥ 0. It has no branches, only selects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from eglantine.ir.program import Block, Loop
from eglantine.ir.row_types import DYNAMIC, F64, I1, I64, Acc, Array, Row, RowType, Scalar, interval
from eglantine.wasm import encoding as wasm
from eglantine.wasm.opcodes import code

from . import structure as emit_structure
from .addresses import times
from .arrays import addend
from .body import Body
from .linkage import Linkage
from .loops import LoopWriter
from .results import bind, is_needed, lies_in_memory
from .scope import Scope, Structure
from .usage import INSTRUCTIONS, SHIFTS, bytes_of, rounds_further, shifts_by_constants

LANES: Final = Scalar("v128")
"""The type of a v128, which holds the f64 values of two rounds, or their truth values (i1) as masks."""

ROUNDS: Final = 2

_IN_LANES: Final = (F64, I64, I1)
"""The types of rows for which one v128 holds the values of two rounds."""

_ON_NUMBERS: Final = "floor ceil trunc nearest abs neg sqrt add sub mul div min max eq ne lt gt le ge"
_LANE_CODES: Final = {code(f"f64.{name}"): code(f"f64x2.{name}") for name in _ON_NUMBERS.split()}
_ALL_BUT_SIGN: Final = wasm.i64_const((1 << 63) - 1) + wasm.I64X2_SPLAT

CODES: Final = {
    **{name: _LANE_CODES[one] for name, one in INSTRUCTIONS.items() if one in _LANE_CODES},
    **{name: code(f"v128.{name}") for name in ("not", "and", "or", "xor")},
    "select": code("v128.bitselect"),
    "raw_copysign": _ALL_BUT_SIGN + code("v128.bitselect"),
}
"""A dict from operations to Wasm instructions that do the operation in both lanes of a v128."""

_ON_BITS: Final[dict[str, bytes]] = {
    "real_i1": wasm.f64_const(1.0) + wasm.F64X2_SPLAT + code("v128.and"),
    **dict.fromkeys(("bits", "from_bits", "wrap_i64"), b""),
    **{f"l{name}": code(f"v128.{name}") for name in ("and", "or", "xor")},
    **{f"l{name}": code(f"i64x2.{name}") for name in ("add", "sub", "shl", "eq", "ne", "shr_u")},
    **{f"l{name}": code(f"i64x2.{name}_s") for name in ("shr", "lt", "gt", "le", "ge")},
}
"""Instructions on two lanes for operations on masks or i64s. Users' loops rarely have these operations."""

ALONE: Final = {"div": 4, "sqrt": 4}
"""The time, in additions, that we save if we do two of these operations at once. Other operations save 1."""

_SAVED: Final = {op: ALONE.get(op, 1) if chunk else 0 for op, chunk in (CODES | _ON_BITS).items()}
"""For each operation on lanes, the time, in additions, that we save if we do it for two rounds at once."""

_FREE: Final = frozenset({"param", "table", "zero"})
"""Operations that need no instructions in a loop's body."""

_IN_ORDER: Final = 2
"""The time, in additions, that it takes to get a sum's two terms out of the lanes and add them in order."""

WORTH: Final = 6
"""The fewest additions that lanes must save in each round, because the body is written a second time."""

LONG: Final = 32
WORTH_IN_LONG: Final = 3
"""The fewest additions that lanes must save in each round, if a loop has at least LONG rounds."""

SHORT: Final = 14
"""The largest number of rows of a body for which one step of a long loop computes two pairs of rounds."""


SUMS: Final = frozenset({"loop", "acc"})
"""The operations that a loop's body contains if it computes sums by inner loops."""


def write_loop(scope: Scope, row: int, key: Row) -> None:
    """Write a loop. Other modules write the loops that have sums or update an array.

    We import each of these modules only when it is first needed.
    """
    body: Block = key[2].body
    if body.operations >= SUMS:
        import_module("eglantine.emit.tiles").write_loop(scope, row, key)
    elif sum([1 for inner in body.rows if inner[0] == "add_to"]) >= 2:
        import_module("eglantine.emit.pairs").write_loop(scope, row, key)
    elif key[2].carried == 1 and "update" in body.operations:
        import_module("eglantine.emit.updating").write_loop(scope, row, key)
    else:
        write_rounds(scope, row, key)


def write_rounds(scope: Scope, row: int, key: Row) -> None:
    """Write a loop that runs two rounds at a time if that saves enough time, otherwise a plain loop."""
    if fits(scope, key):
        if is_needed(scope, row) or scope.linkage.program.usage(key[2].body).effects:
            LaneWriter(scope, row, key).write()
    else:
        emit_structure.write_loop(scope, row, key)


STRUCTURE: Final[Structure] = {**emit_structure.STRUCTURE, "loop": write_loop}


def fits(scope: Scope, key: Row) -> bool:
    """True if a loop can run two rounds at a time, and this saves enough time."""
    loop: Loop = key[2]
    count = loop.extent if loop.count is None else loop.count
    return saved(scope, key) >= (WORTH if count < LONG else WORTH_IN_LONG)


def saved(scope: Scope, key: Row) -> int:
    """Estimate the time that lanes save in each round, in additions. Return −1 if lanes are impossible."""
    _, args, loop = key
    if not is_independent(loop) or scope.linkage.fuel:
        return -1
    trips, _, captures = loop.parts(args)
    if trips and interval(scope.block.type_of(trips[0])).lo < 0:
        return -1
    body = loop.body
    uses = scope.linkage.program.usage(body).uses
    for param, a in zip(body.params[1:], captures, strict=True):
        if uses[param] and body.types[param] == Acc(()) and lies_in_memory(scope, a):
            return -1
    return saved_by_rows(body, uses)


def is_independent(loop: Loop) -> bool:
    """True if a loop has no carry and can have at least two rounds."""
    if loop.test or loop.carried or loop.reverse or loop.extent == DYNAMIC:
        return False
    return (loop.extent if loop.count is None else loop.count) >= ROUNDS


def saved_by_rows(body: Block, uses: Sequence[int] | Mapping[int, int]) -> int:
    """Estimate the time that lanes save in a round, in additions. Return −1 if lanes cannot compute some row.

    uses: for each parameter of the body, the number of live rows that use the parameter.
    """
    types = body.types
    inputs = [types[p] for p in body.params[1:] if uses[p] and types[p] is not F64]
    if not all(isinstance(of, Array | Acc) for of in inputs):
        return -1
    if [of for of in body.result_types if of is not F64] or not shifts_by_constants(body):
        return -1
    saved = 0
    for i, key in enumerate(body.rows):
        if key[0] not in _FREE:
            time = saved_by_row(body, i, key)
            if time is None:
                return -1
            saved += time
    return saved


def saved_by_row(body: Block, i: int, key: Row) -> int | None:
    """Estimate the time that lanes save for row i, in additions. Return None if they cannot compute it."""
    op = key[0]
    if op in _FREE:
        return 0
    if op in ("index", "acc_index"):
        return _saved_by_element(body, body.types[i], key)
    if op == "iadd":
        return None if rounds_further(body, i) is None else 0
    if op not in _SAVED:
        if op != "add_to" or body.types[key[1]].dims or key[2] == body.params[0]:
            return None
        return 1 if body.rows[key[1]][0] == "acc_index" else -_IN_ORDER
    if body.params[0] in key or not (body.types[i] in _IN_LANES or op == "wrap_i64"):
        return None
    if I1 in body.const_types and [a for a in key[1:] if a < 0 and body.type_of(a) is I1]:
        return None
    return _SAVED[op]


def _saved_by_element(body: Block, of: RowType, key: Row) -> int | None:
    """Do what `saved_by_row` does, for a row with the operation `index` or `acc_index`."""
    op, array, at = key
    if op == "index" and of is not F64:
        return None
    if body.rows[array][0] == "table":
        return 0 if at > 0 and body.rows[at][0] == "wrap_i64" else None
    is_vector = body.rows[array][0] == "param" and len(body.types[array].dims) == 1
    is_beside = at == body.params[0] or (op == "index" and rounds_further(body, at) is not None)
    return 1 if is_vector and is_beside else None


class LaneScope(Scope):
    """The scope of a loop body that runs two rounds at a time. A v128 contains a value for each round.

    outer: the scope of the block around the loop.
    splats: pairs (local, source). The local has the same value in both lanes. The source is where the value
        comes from: a row outside the loop, or instructions that push a constant in both lanes.
    """

    def __init__(self, outer: Scope, body: Body, block: Block) -> None:
        super().__init__(_linkage(outer.linkage), {"add_to": _write_add_to}, body, block)
        self.outer = outer
        self.splats: list[tuple[int, int | bytes]] = []
        if self.usage.lanes is None:
            types = [
                LANES if of in _IN_LANES or key[0] == "wrap_i64" else of
                for of, key in zip(block.types, block.rows, strict=True)
            ]
            self.usage.lanes = tuple(types), [key or None for key in self.once]
        self.types, self.once = self.usage.lanes

    def bind_captures(self, params: Sequence[int], captures: Sequence[int]) -> None:
        """Bind the body's captures. Put each captured Real, and each constant, into both lanes of a local."""
        types = self.block.types
        others = [(param, a) for param, a in zip(params, captures, strict=True) if types[param] is not F64]
        bind(self.outer, self, [param for param, _ in others], [a for _, a in others])
        for param, a in zip(params, captures, strict=True):
            if types[param] is F64 and self.uses[param]:
                self.splat(param, a)
        amounts = {key[2] for key in self.rows if key[0] in SHIFTS}
        for k, (of, value) in enumerate(zip(self.block.const_types, self.block.consts, strict=True)):
            if ~k in amounts:
                self.push[~k] = wasm.i32_const(value)
            elif of is F64 and self.uses[~k]:
                self.splat(~k, wasm.f64_const(value) + wasm.F64X2_SPLAT)
            elif of is I64 and self.uses[~k]:
                self.splat(~k, wasm.i64_const(value) + wasm.I64X2_SPLAT)

    def moved(self, distance: int) -> LaneScope:
        """Return a scope for two later rounds. Their elements are `distance` bytes further in memory."""
        other = type(self)(self.outer, self.body, self.block)
        other.push, other.local = self.push.copy(), self.local.copy()
        other.places = {row: place.plus(distance) for row, place in self.places.items()}
        return other

    def splat(self, row: int, source: int | bytes) -> None:
        """Take a v128 local for a row. Code before the loop will put `source` into both of its lanes."""
        k = self.body.take("v128")
        self.push[row] = self.body.gets[k]
        self.splats.append((k, source))

    def _write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        """Write a row inside an expression. If it reads a table, load the element of each lane separately."""
        further = rounds_further(self.block, key[2]) if key[0] == "index" else None
        if further is not None:
            place = self.place_of(key[1])
            self.body.out.append(wasm.load("v128", place.offset + further * bytes_of(F64)))
            self.write_address(place, self.block.params[0], bytes_of(F64), stack)
            return
        if key[0] != "index" or self.rows[key[1]][0] != "table":
            super()._write_in_place(row, key, stack)
            return
        out, table = self.body.out, self.place_of(key[1])
        k = self.body.take("v128")
        for lane, instruction, get in (
            (1, wasm.F64X2_REPLACE[1], self.body.gets[k]), (0, wasm.F64X2_SPLAT, self.body.tees[k])
        ):  # fmt: skip
            out += (instruction, wasm.load("f64", table.offset), *times(bytes_of(F64)))
            out += (wasm.I32_WRAP, wasm.I64X2_LANES[lane], get)
        self.body.give(k)
        stack.append(key[2])


def _linkage(single: Linkage) -> Linkage:
    """Return a copy of a linkage with the instructions for two lanes. Make the copy only once."""
    if single.lanes is None:
        single.lanes = replace(single, codes=CODES | _ON_BITS)
        single.lanes.lanes = single.lanes
    return single.lanes


def write_splats(scope: Scope, splats: Sequence[tuple[int, int | bytes]]) -> None:
    """Before a loop, write the instructions that set the locals in `splats` (see `LaneScope`).

    scope: the scope that contains the loop.
    """
    body, out = scope.body, scope.body.out
    for k, source in splats:
        body.put_set(k)
        body.give(k)
        if isinstance(source, bytes):
            out.append(source)
        else:
            out.append(wasm.F64X2_SPLAT)
            scope.value(source)


def _write_add_to(scope: Scope, row: int, key: Row) -> None:  # noqa: ARG001 - all roots are written alike
    """Write acc += x for both rounds.

    If each round adds to its own element of an array, one instruction adds both lanes. Otherwise we add first
    one lane, then the other.
    """
    _, acc, x = key
    body, out = scope.body, scope.body.out
    add, x = addend(scope, x)
    if scope.rows[acc][0] == "acc_index":
        place = scope.place_of(acc)
        k = scope.local_of(place.row)
        out += (wasm.store("v128", place.offset), CODES[add])
        scope.value(x)
        out += (wasm.load("v128", place.offset), body.gets[k], body.gets[k])
        return
    total = scope.see(acc)
    body.put_set(scope.local[acc])
    k = body.take("v128")
    code = INSTRUCTIONS[add]
    out += (code, wasm.F64X2_LANES[1], body.gets[k], code, wasm.F64X2_LANES[0], body.tees[k])
    body.give(k)
    scope.value(x)
    out.append(total)


class LaneWriter(LoopWriter):
    """Writes a counted loop that runs two rounds at a time.

    set the locals with captures and constants in both lanes
    pairs = count without its last bit
    if pairs > 0             (this `if` is omitted when the count is a constant)
        loop
            body of two rounds; stacked results
            step of the index by 2; back edge
    end end
    if the count is odd      (this part is omitted when the count is a constant even number)
        index = pairs; body; stacked results
    end
    """

    def write(self) -> None:
        """Write the whole loop."""
        body, out = self.scope.body, self.scope.body.out
        captured = self.params[1 + self.loop.carried :]
        carry = self._bind_carry()
        self.index = body.take("i32")
        is_known = self.count is not None
        count = wasm.i32_const(self.count) if self.count is not None else self.scope.see(self.counter)
        pairs = -1 if is_known else body.take("i32")
        limit = wasm.i32_const(self.count & -ROUNDS) if self.count is not None else body.gets[pairs]
        if not is_known or self.count & 1:  # type: ignore[operator]
            self._write_last(captured, carry, count, limit)
        lanes = self.lanes()
        lanes.bind_captures(captured, self.captures)
        lanes.bind(self.params[0], self.index)
        pairs_at_once = self._pairs_at_once()
        out += [wasm.END] * (1 if is_known else 2)
        out += (wasm.BR_IF_0, wasm.I32_NE, limit, body.tees[self.index], wasm.I32_ADD)
        out += (wasm.i32_const(ROUNDS * pairs_at_once), body.gets[self.index])
        for u in reversed(range(1, pairs_at_once)):
            self._write_pair(lanes.moved(ROUNDS * bytes_of(F64) * u), ROUNDS * bytes_of(F64) * u)
        self._write_pair(lanes, 0)
        out += (wasm.LOOP, body.sets[self.index], wasm.I32_ZERO)
        if not is_known:
            out += (wasm.IF, body.tees[pairs], wasm.I32_AND, wasm.i32_const(-ROUNDS), count)
            body.give(pairs)
        body.give(self.index)
        write_splats(self.scope, lanes.splats)
        self._write_zeros()
        self._write_inits(carry)

    def lanes(self) -> LaneScope:
        """The scope of two rounds."""
        return LaneScope(self.scope, self.scope.body, self.loop.body)

    def _pairs_at_once(self) -> int:
        """Return the number of pairs of rounds in each step: 2 for a long loop with a short body, else 1."""
        is_short = len(self.loop.body.rows) <= SHORT and self.loop.carried == 0
        return 2 if self.count and self.count >= LONG and self.count % (2 * ROUNDS) == 0 and is_short else 1

    def _write_pair(self, lanes: LaneScope, distance: int) -> None:
        """Write the rows of two rounds, and the stores of their stacked results.

        distance: the number of bytes from the first two rounds' elements in memory to these rounds' elements.
        """
        for k in self.stacked:
            target = self._whole(k)
            self.scope.body.out.append(wasm.store("v128", target.offset + distance))
            lanes.value(self.loop.body.results[k])
            self._write_element(target, bytes_of(F64))
        lanes.write_rows()

    def _write_last(self, captured: Any, carry: dict[int, int], count: bytes, limit: bytes) -> None:
        """Write the last round, for an odd number of rounds."""
        body, out = self.scope.body, self.scope.body.out
        bind(self.scope, self.inner, captured, self.captures)
        self.inner.bind(self.params[0], self.index)
        if self.count is None:
            out.append(wasm.END)
        self._write_next_carry(carry)
        self._write_body([])
        if self.count is None:
            body.put_set(self.index)
            out += (limit, wasm.IF, wasm.I32_AND, wasm.i32_const(1), count)
