"""Calls, prints, loops and branches to instructions, from the end to the beginning like all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from . import wasm
from .emit_rows import Scope, Structure, times
from .emit_usage import bytes_of
from .ir import DYNAMIC, TRIPS, Acc, Array, Loop, Row, RowType
from .layout import Place
from .primitives import operands

FUEL_GLOBAL: Final = 1
TOO_MANY_ROUNDS: Final = (
    f"Found {DYNAMIC:,} rounds of a while loop, expected fewer where they are counted; end it earlier."
)


def write_fuel(scope: Scope) -> None:
    """Take one unit of fuel, and trap if there was none; nothing where fuel is not counted."""
    if scope.linkage.fuel:
        scope.write_trap(scope.linkage.fuel)
        tank, set_tank = wasm.global_get(FUEL_GLOBAL), wasm.global_set(FUEL_GLOBAL)
        out = scope.body.out
        out += (wasm.I64_LT_S, wasm.i64_const(0), tank, set_tank, wasm.I64_SUB, wasm.i64_const(1), tank)


def is_needed(scope: Scope, row: int) -> bool:
    """Whether a result of a structure row has been used, so far as rows are written."""
    return any(
        scope.push[result] is not None or result in scope.places or result in scope.slots
        for result in scope.usage.projections.get(row, {}).values()
    )


class _Results:
    """Where the results of a structure row go.

    rows: for each result, the row that reads it, or -1 if none does.
    """

    def __init__(self, scope: Scope, row: int, types: Sequence[RowType]) -> None:
        readers = scope.usage.projections.get(row, {})
        self.scope = scope
        self.row = row
        self.types = types
        self.rows = [readers.get(k, -1) for k in range(len(types))]

    def is_used(self, k: int) -> bool:
        """Whether result k is read."""
        row = self.rows[k]
        scope = self.scope
        return row >= 0 and (scope.push[row] is not None or row in scope.places or row in scope.slots)

    def local(self, k: int) -> int:
        """The local of scalar result k: that of its reader, or a new one."""
        row = self.rows[k]
        if row >= 0 and self.scope.push[row] is not None:
            return self.scope.local[row]
        return self.scope.body.take(self.types[k].dtype)

    def place(self, k: int) -> Place:
        """The address of array result k."""
        row = self.rows[k]
        found = self.scope.places.get(row) if row >= 0 else None
        return found or self.scope.buffer(self.row, bytes_of(self.types[k]))

    def keep(self, k: int, local: int) -> None:
        """Write that result k, in a local, also goes to its slot."""
        if self.rows[k] >= 0:
            self.scope.keep(self.rows[k], local)


# ---------------------------------------------------------------- calls


def write_call(scope: Scope, row: int, key: Row) -> None:
    """A call: arguments, then addresses for array results; scalar results come back on the stack."""
    _, operands, function = key
    adds = any(isinstance(scope.block.type_of(x), Acc) for x in operands)
    if function.pure and not adds and not is_needed(scope, row):
        return
    types = function.leaf_results if function.block is None else function.block.result_types
    results = _Results(scope, row, types)
    _write_scalar_results(results)
    if function.block is None:
        scope.body.out.append(wasm.call(scope.linkage.hosts[function]))
    else:
        scope.body.out.append(wasm.call(scope.linkage.functions[function]))
    for k in range(len(types) - 1, -1, -1):
        if isinstance(types[k], Array):
            scope.pointer(results.place(k))
    _write_arguments(scope, operands)


def _write_scalar_results(results: _Results) -> None:
    scope = results.scope
    scalars = [k for k, of in enumerate(results.types) if not isinstance(of, Array)]
    crossing = [k for k in scalars if results.rows[k] in scope.slots]
    for k in crossing:
        if scope.push[results.rows[k]] is None:
            scope.see(results.rows[k])
        results.keep(k, results.local(k))
    for k in scalars:  # the last result is on top, so the first is taken last
        reader = results.rows[k]
        if reader >= 0 and scope.push[reader] is not None:
            scope.define(reader)
        else:
            scope.body.out.append(wasm.DROP)


def _write_arguments(scope: Scope, operands: Sequence[int]) -> None:
    for operand in reversed(operands):
        if isinstance(scope.block.type_of(operand), Array | Acc):
            scope.pointer(scope.place_of(operand))
        else:
            scope.value(operand)


def write_print(scope: Scope, row: int, key: Row) -> None:  # noqa: ARG001 - all roots are written alike
    """A print: a call of a host function of its own."""
    types = tuple(scope.block.type_of(x).dtype for x in key[1])
    scope.body.out.append(wasm.call(scope.linkage.hosts[key[2], types]))
    _write_arguments(scope, key[1])


def write_require(scope: Scope, row: int, key: Row) -> None:
    """A trap unless a condition holds."""
    scope.write_trap(scope.linkage.trap(key[2], scope.block.sources[row], "AssertionFailedError"))
    scope.body.out.append(wasm.I32_EQZ)
    scope.value(key[1][0])


# ---------------------------------------------------------------- bodies


def bind(scope: Scope, inner: Scope, params: Sequence[int], operands: Sequence[int]) -> None:
    """Let a body's parameters be the locals and addresses of what it captures."""
    for param, operand in zip(params, operands, strict=True):
        if not inner.uses[param]:
            continue
        of = scope.block.type_of(operand)
        if isinstance(of, Array) or (isinstance(of, Acc) and lies_in_memory(scope, operand)):
            place = scope.place_of(operand)
            if place.row >= 0:
                place = Place(place.offset, scope.local_of(place.row))
            inner.places[param] = place
        elif operand < 0:
            inner.push[param] = scope.see(operand)
        else:
            inner.bind(param, scope.local_of(operand))


def lies_in_memory(scope: Scope, acc: int) -> bool:
    """Whether an accumulator is in memory, rather than in a local."""
    return acc in scope.places or scope.accumulates_in_memory(acc)


# ---------------------------------------------------------------- branches


def write_cond(scope: Scope, row: int, key: Row) -> None:
    """A branch. A single scalar result stays on the stack; several are set in locals by both arms."""
    _, (condition, *operands), cond = key
    effects = any(scope.linkage.program.usage(arm).effects for arm in (cond.then, cond.orelse))
    if not effects and not is_needed(scope, row):
        return
    types = cond.then.result_types
    results = _Results(scope, row, types)
    used = [k for k in range(len(types)) if results.is_used(k)]
    scalars = [k for k in used if not isinstance(types[k], Array)]
    places = {k: results.place(k) for k in used if isinstance(types[k], Array)}
    locals_ = [results.local(k) for k in scalars]
    for k, local in zip(scalars, locals_, strict=True):
        results.keep(k, local)
    body = scope.body
    opening = wasm.IF
    if len(scalars) == 1:
        opening = wasm.IF[:1] + wasm.VALUE_TYPE[types[scalars[0]].dtype]
        if scope.push[results.rows[scalars[0]]] is not None:
            scope.define(results.rows[scalars[0]])
        else:
            body.put_set(locals_[0])
            body.give(locals_[0])
    body.out.append(wasm.END)
    targets = dict(zip(scalars, locals_, strict=True)) if len(scalars) > 1 else dict.fromkeys(scalars, -1)
    end = len(body.out)
    _write_arm(scope, cond.orelse, operands, targets, places)
    if len(body.out) > end:
        body.out.append(wasm.ELSE)
    _write_arm(scope, cond.then, operands, targets, places)
    body.out.append(opening)
    if len(scalars) > 1:
        for local in locals_:
            body.give(local)
    scope.value(condition)


def _write_arm(
    scope: Scope, arm: Any, operands: Sequence[int], targets: dict[int, int], places: dict[int, Place]
) -> None:
    """One arm: its scalar results go to the locals `targets` (the stack if -1), its arrays to `places`."""
    inner = scope.inner(arm)
    bind(scope, inner, arm.params, operands)
    for k, local in targets.items():
        if local >= 0:
            inner.body.put_set(local)
        inner.value(arm.results[k])
    for k, place in places.items():
        inner.copy_into(place, arm.results[k])
    inner.write_rows()


# ---------------------------------------------------------------- loops


def write_loop(scope: Scope, row: int, key: Row) -> None:
    """A counted loop or a while loop; see `LoopWriter` and `_WhileWriter`."""
    loop = key[2]
    if is_needed(scope, row) or any(scope.linkage.program.usage(block).effects for block in loop.blocks):
        (_WhileWriter if loop.test else LoopWriter)(scope, row, key).write()


class LoopWriter:
    """A counted loop, written from its end.

        initial carry; what is stacked set to zero if the loop may end early
        count if loop            (`if` only where the count may be 0)
            body
            stacked results; the next carry: all scalars pushed, arrays copied, scalars set
            step of the index; back edge
        end end

    count: how often, if that is known.
    index: the local of the index.
    descends: whether it runs down, as it also may where nobody looks at it.
    """

    def __init__(self, scope: Scope, row: int, key: Row) -> None:
        _, operands, loop = key
        self.scope = scope
        self.row = row
        self.loop: Loop = loop
        self.count: int | None = loop.count
        self.counter = -1
        if loop.first_init:
            self.counter = operands[0]
            if self.counter < 0:
                self.count = scope.block.consts[~self.counter]
        first = loop.first_init
        self.inits = operands[first : first + loop.carried]
        self.captures = operands[first + loop.carried :]
        self.params = loop.body.params
        self.inner = scope.inner(loop.body)
        self.results = _Results(scope, row, self._result_types())
        stacked = range(loop.carried, len(loop.body.results))
        self.stacked = [k for k in stacked if self.results.is_used(k)]
        self.grows = loop.extent == DYNAMIC and bool(self.stacked)
        unseen = not self.inner.uses[self.params[0]] and not self.stacked
        self.descends = loop.reverse or unseen

    def _result_types(self) -> list[RowType]:
        """The carry's types, then the type of each element that is stacked."""
        body = self.loop.body
        carry = self.params[1 : 1 + self.loop.carried]
        return [body.types[row] for row in carry] + list(body.result_types[self.loop.carried :])

    def write(self) -> None:
        """Write the whole loop."""
        scope, body, inner = self.scope, self.scope.body, self.inner
        carry = self._bind_carry()
        bind(scope, inner, self.params[1 + self.loop.carried :], self.captures)
        self._begin_growing()
        rounds = self._count() if self.grows else b""
        if self.count is None or self.count > 0:
            self.index = body.take("i32")
            inner.bind(self.params[0], self.index)
            limit = self._limit()
            body.out += [wasm.END] * (2 if self.count is None else 1)
            self._write_back_edge(limit)
            elements = self._begin_elements()
            self._write_next_carry(carry)
            self._write_body(elements)
            self._write_start(limit)
            body.give(self.index)
        if self.grows:
            self.buffers.write_addresses(body)
            self.buffers.write_growth(body, rounds)
            self._end_growing()
        else:
            self._write_zeros()
        self._write_inits(carry)

    def _count(self) -> bytes:
        """What pushes the count."""
        return wasm.i32_const(self.count) if self.count is not None else self.scope.see(self.counter)

    def _begin_growing(self) -> None:
        """Give each growing array that is stacked a local for its address."""
        scope, results = self.scope, self.results
        if not self.grows:
            return
        arrays = []
        for k in self.stacked:
            row = results.rows[k]
            local = scope.body.take("i32") if scope.push[row] is None else scope.local[row]
            results.keep(k, local)
            arrays.append((local, bytes_of(results.types[k])))
        self.buffers = scope.buffers(self.row, arrays)

    def _end_growing(self) -> None:
        """The locals of growing arrays are free before this place."""
        for local, _ in self.buffers.arrays:
            self.scope.body.give(local)

    def _bind_carry(self) -> dict[int, int]:
        """Give each part of the carry its local or buffer; the locals by position."""
        locals_: dict[int, int] = {}
        for j in range(self.loop.carried):
            param = self.params[1 + j]
            if isinstance(self.results.types[j], Array):
                self.inner.places[param] = self.results.place(j)
            else:
                k = locals_[j] = self.results.local(j)
                self.inner.bind(param, k)
                self.results.keep(j, k)
        return locals_

    # ---------------------------------------------------------------- the index

    def _limit(self) -> bytes:
        """What pushes the count while the loop runs; b"" if only its start needs it."""
        if self.count is not None:
            return wasm.i32_const(self.count)
        if self.descends:
            return b""
        if self.scope.push[self.counter] is None and self.scope.uses[self.counter] == 1:
            self.own_limit = self.scope.body.take("i32")
            return self.scope.body.gets[self.own_limit]
        self.own_limit = -1
        return self.scope.see(self.counter)

    def _write_back_edge(self, limit: bytes) -> None:
        """Go round again unless the index has reached its end. Every round of every loop passes here."""
        body, out = self.scope.body, self.scope.body.out
        out.append(wasm.BR_IF_0)
        if self.descends:
            out.append(body.gets[self.index])
        else:
            out += (wasm.I32_NE, limit, body.tees[self.index], wasm.I32_ADD, wasm.i32_const(1))
            out.append(body.gets[self.index])
        write_fuel(self.scope)

    def _write_start(self, limit: bytes) -> None:
        """Everything between the initial carry and the body."""
        body, out = self.scope.body, self.scope.body.out
        if self.descends:
            body.put_set(self.index)
            out += (wasm.I32_SUB, wasm.i32_const(1), body.gets[self.index])
        out.append(wasm.LOOP)
        if self.count is not None:
            out += (body.sets[self.index], limit if self.descends else wasm.I32_ZERO)
            return
        if not self.descends:
            out += (body.sets[self.index], wasm.I32_ZERO)
        out.append(wasm.IF)
        if self.scope.block.types[self.counter].lo < 0:
            out += (wasm.I32_GT_S, wasm.I32_ZERO)
        if self.descends:
            out.append(body.tees[self.index])
        elif self.own_limit >= 0:
            out.append(body.tees[self.own_limit])
            body.give(self.own_limit)
        self.scope.value(self.counter)

    # ---------------------------------------------------------------- the body

    def _begin_elements(self) -> list[tuple[int, int]]:
        """Pointers to this round's elements that are arrays; what can be built in such a place will be."""
        elements = []
        for k in self.stacked:
            if isinstance(self.results.types[k], Array):
                pointer = self.scope.body.take("i32")
                elements.append((k, pointer))
                self.inner.build_in(Place(self._whole(k).offset, pointer), self.loop.body.results[k])
        return elements

    def _whole(self, k: int) -> Place:
        """The address of all that result k stacks."""
        if self.grows:
            return Place(0, self.buffers.arrays[self.stacked.index(k)][0])
        return self.scope.places[self.results.rows[k]]

    def _write_body(self, elements: list[tuple[int, int]]) -> None:
        """The rows of the body, and the stores of what is stacked."""
        body, inner = self.scope.body, self.inner
        for k, pointer in elements:
            place = Place(self._whole(k).offset, pointer)
            if inner.places.get(self.loop.body.results[k]) != place:
                inner.copy_into(place, self.loop.body.results[k])
        for k in self.stacked:
            of = self.results.types[k]
            if not isinstance(of, Array):
                body.out.append(wasm.store(of.dtype, self._whole(k).offset))
                inner.value(self.loop.body.results[k])
                self._write_element(self._whole(k), bytes_of(of))
        inner.write_rows()
        for k, pointer in elements:
            body.put_set(pointer)
            self._write_element(self._whole(k), bytes_of(self.results.types[k]))
            body.give(pointer)

    def _write_element(self, whole: Place, size: int) -> None:
        """Write what pushes the part that is not constant of the address of this round's element."""
        out, gets = self.scope.body.out, self.scope.body.gets
        if whole.local >= 0:
            out += (wasm.I32_ADD, gets[whole.local])
        out += times(size)
        out.append(gets[self.index])

    def _write_next_carry(self, carry: dict[int, int]) -> None:
        """Set the next carry in parallel: all values are computed before any part of it changes."""
        body, inner, results = self.scope.body, self.inner, self.loop.body.results
        changed = [j for j in carry if results[j] != self.params[1 + j]]
        for j in changed:
            body.out.append(body.sets[carry[j]])
        self._write_array_carry()
        for j in reversed(changed):
            inner.value(results[j])

    def _write_array_carry(self) -> None:
        """Copy arrays into the carry's buffers; by way of another, those that may lie in such a buffer."""
        inner, results = self.inner, self.loop.body.results
        arrays = [j for j in range(self.loop.carried) if isinstance(self.results.types[j], Array)]
        moves = [
            (inner.places[self.params[1 + j]], results[j])
            for j in arrays if results[j] != self.params[1 + j] and not self._built_in_place(j)
        ]  # fmt: skip
        aliased = [(place, row, bytes_of(inner.types[row])) for place, row in moves if self._may_alias(row)]
        for _, row in moves:
            inner.place_of(row)
        spare = [(self.scope.body.arena.take(size), size) for *_, size in aliased]
        for (place, _, size), (address, _) in zip(aliased, spare, strict=True):
            self._copy(place, Place(address), size)
        for place, row in moves:
            if not self._may_alias(row):
                inner.copy_into(place, row)
        for (_, row, size), (address, _) in zip(aliased, spare, strict=True):
            self._copy(Place(address), inner.place_of(row), size)
        for address, size in spare:
            self.scope.body.arena.give(address, size)

    def _built_in_place(self, j: int) -> bool:
        """Whether the next carry j, made of the last by updates, can be written over it; then it will be.

        Everything else has to read the last carry before the first update; an element that would be read
        later inside an expression is read early instead.
        """
        inner, rows = self.inner, self.inner.rows
        param, row = self.params[1 + j], self.loop.body.results[j]
        first, origin = row, row
        while origin > 0 and origin not in inner.places:
            key = rows[origin]
            if key[0] == "update":
                first, origin = origin, key[1]
            elif key[0] == "proj" and rows[key[1]][0] == "loop" and key[2] < rows[key[1]][2].carried:
                first = key[1]
                origin = rows[first][1][rows[first][2].first_init + key[2]]
            else:
                break
        if origin != param or param in self.loop.body.results:
            return False
        if rows[first][0] == "loop" and rows[first][1].count(param) > 1:
            return False
        when = _evaluated(inner)
        late = [i for i, key in enumerate(rows) if i != first and when[i] > first and param in operands(key)]
        if any(i > first or rows[i][0] != "index" or isinstance(inner.types[i], Array) for i in late):
            return False
        for i in late:
            inner.see(i)
        return inner.build_in(inner.places[param], row)

    def _may_alias(self, row: int) -> bool:
        rows = self.inner.rows
        while rows[row][0] == "index":
            row = rows[row][1]
        return rows[row][0] == "select" or row in self.params[1 : 1 + self.loop.carried]

    def _copy(self, target: Place, source: Place, size: int) -> None:
        if size:
            self.scope.body.out += (wasm.MEMORY_COPY, wasm.i32_const(size))
            self.inner.pointer(source)
            self.inner.pointer(target)

    # ---------------------------------------------------------------- before the loop

    def _write_zeros(self) -> None:
        """Elements that no round will reach are 0."""
        if self.count is not None and self.count >= self.loop.extent:
            return
        for k in self.stacked:
            size = self.loop.extent * bytes_of(self.results.types[k])
            if size:
                self.scope.fill_zero(self.scope.places[self.results.rows[k]], size)

    def _write_inits(self, carry: dict[int, int]) -> None:
        scope, body = self.scope, self.scope.body
        for j in range(self.loop.carried - 1, -1, -1):
            init = self.inits[j]
            if j not in carry:
                scope.copy_into(self.inner.places[self.params[1 + j]], init)
            elif not scope.inherit(init, carry[j]):
                body.put_set(carry[j])
                body.give(carry[j])
                scope.value(init)


def _evaluated(scope: Scope) -> list[int]:
    """For each row of a body, the row in whose place it is last evaluated or read; -1 if never."""
    rows, types, roots = scope.rows, scope.types, set(scope.roots)
    when = [-1] * (len(rows) + len(scope.block.consts))
    for a in scope.block.results:
        when[a] = len(rows)
    for i in range(len(rows) - 1, 0, -1):
        if isinstance(types[i], Array) and rows[i][0] in ("index", "select"):
            when[i] = max(when[i], i if i in roots else -1)  # a view: read whenever its user is
        elif i in roots:
            when[i] = i
        if when[i] >= 0:
            for a in operands(rows[i]):
                when[a] = max(when[a], when[i])
    return when


class _WhileWriter(LoopWriter):
    """A while loop, written from its end.

        initial carry; index = 0
        loop test if
            room for this round; body; stacked results; the next carry
            step of the index; back edge
        end end

    The index is there only if somebody looks at it; in the end it is how often the body ran.
    """

    def write(self) -> None:
        """Write the whole loop."""
        scope, body, inner, loop = self.scope, self.scope.body, self.inner, self.loop
        assert loop.test is not None
        test = scope.inner(loop.test)
        carry = self._bind_carry()
        for mine, theirs in zip(self.params[1 : 1 + loop.carried], loop.test.params[1:], strict=False):
            if mine in inner.places:
                test.places[theirs] = inner.places[mine]
            else:
                test.bind(theirs, inner.local[mine])
        for within, block in ((inner, loop.body), (test, loop.test)):
            bind(scope, within, block.params[1 + loop.carried :], self.captures)
        trips = scope.usage.projections.get(self.row, {}).get(TRIPS, -1)
        seen = inner.uses[self.params[0]] or test.uses[loop.test.params[0]]
        counts = bool(trips >= 0 or seen or self.stacked)
        if counts:
            self._begin_index(trips)
            inner.bind(self.params[0], self.index)
            test.bind(loop.test.params[0], self.index)
        self._begin_growing()
        body.out += (wasm.END, wasm.END, wasm.BR_1)
        write_fuel(scope)
        if counts:
            body.put_set(self.index)
            body.out += (wasm.I32_ADD, wasm.i32_const(1), body.gets[self.index])
        elements = self._begin_elements()
        self._write_next_carry(carry)
        self._write_body(elements)
        if self.grows:
            self.buffers.write_growth(body, body.gets[self.index], kept=True)
        elif counts:
            scope.write_trap(scope.linkage.trap(TOO_MANY_ROUNDS, scope.block.sources[self.row]))
            body.out += (wasm.I32_EQ, wasm.i32_const(DYNAMIC), body.gets[self.index])
        body.out.append(wasm.IF)
        test.value(loop.test.results[0])
        test.write_rows()
        body.out.append(wasm.LOOP)
        if self.grows:
            self.buffers.write_addresses(body)
            self._end_growing()
        if counts:
            body.put_set(self.index)
            body.give(self.index)
            body.out.append(wasm.I32_ZERO)
        self._write_inits(carry)

    def _begin_index(self, trips: int) -> None:
        """Give the index its local: that of the row `trips`, if there is one, as it ends as their number."""
        scope = self.scope
        if trips >= 0 and scope.push[trips] is not None:
            self.index = scope.local[trips]
        else:
            self.index = scope.body.take("i32")
        if trips >= 0:
            scope.keep(trips, self.index)


STRUCTURE: Final[Structure] = {
    "call": write_call,
    "print": write_print,
    "require": write_require,
    "loop": write_loop,
    "cond": write_cond,
}
