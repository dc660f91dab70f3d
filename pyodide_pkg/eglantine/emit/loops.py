"""Write a counted loop: its index, its carry and its stacked results."""

from __future__ import annotations

from eglantine.ir.primitives import operands
from eglantine.ir.program import Loop
from eglantine.ir.row_types import DYNAMIC, Array, Row, RowType, interval
from eglantine.wasm import encoding as wasm

from .addresses import times
from .arrays import growing_buffers
from .layout import Place
from .results import Results, bind, write_fuel
from .scope import Scope
from .usage import bytes_of


class LoopWriter:
    """Writes a counted loop, from its end to its beginning.

        initial carry; stacked arrays set to zero if the loop may end early
        if count > 0 loop        (the `if` is omitted when the count cannot be 0)
            body
            stacked results; the next carry: push all scalars, copy arrays, set scalars
            step of the index; back edge
        end end

    count: the number of rounds, or None if this number is known only at run time.
    index: the number of the local that holds the index.
    descends: true if the index counts down. This is so if the loop runs in reverse, or if nothing reads the
        index.
    """

    def __init__(self, scope: Scope, row: int, key: Row) -> None:
        _, operands, loop = key
        self.scope = scope
        self.row = row
        self.loop: Loop = loop
        self.count: int | None = loop.count
        self.counter = -1
        trips, self.inits, self.captures = loop.parts(operands)
        if trips:
            self.counter = trips[0]
            if self.counter < 0:
                self.count = scope.block.consts[~self.counter]
        self.params = loop.body.params
        self.inner = scope.inner(loop.body)
        self.inner.outside = scope, dict(zip(self.params[1 + loop.carried :], self.captures, strict=True))
        self.results = Results(scope, row, self._result_types())
        stacked = range(loop.carried, len(loop.body.results))
        self.stacked = [k for k in stacked if self.results.is_used(k)]
        self.grows = loop.extent == DYNAMIC and bool(self.stacked)
        unseen = not self.inner.uses[self.params[0]] and not self.stacked
        self.descends = loop.reverse or unseen

    def _result_types(self) -> list[RowType]:
        """Return the types of the carry, and then the element types of the stacked results."""
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
        """Return the instruction that pushes the count."""
        return wasm.i32_const(self.count) if self.count is not None else self.scope.see(self.counter)

    def _begin_growing(self) -> None:
        """Take a local for the address of each array that grows while the loop stacks results in it."""
        scope, results = self.scope, self.results
        if not self.grows:
            return
        arrays = []
        for k in self.stacked:
            row = results.rows[k]
            local = scope.body.take("i32") if scope.push[row] is None else scope.local[row]
            results.keep(k, local)
            arrays.append((local, bytes_of(results.types[k])))
        self.buffers = growing_buffers(scope, self.row, arrays)

    def _end_growing(self) -> None:
        """Free the locals of growing arrays, so that code before the loop can use them."""
        for local, _ in self.buffers.arrays:
            self.scope.body.give(local)

    def _bind_carry(self) -> dict[int, int]:
        """Assign a local or a buffer to each value in the carry. Return the locals by position."""
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
        """Return the instruction that pushes the count for the test in each round.

        If the index counts down from an unknown count, the test needs no count. Then return b"".
        """
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
        """Write the end of a round: change the index by 1, and jump back unless this was the last round."""
        body, out = self.scope.body, self.scope.body.out
        out.append(wasm.BR_IF_0)
        if self.descends:
            out.append(body.gets[self.index])
        else:
            out += (wasm.I32_NE, limit, body.tees[self.index], wasm.I32_ADD, wasm.i32_const(1))
            out.append(body.gets[self.index])
        write_fuel(self.scope)

    def _write_start(self, limit: bytes) -> None:
        """Write the code between the initial carry and the body."""
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
        if interval(self.scope.block.types[self.counter]).lo < 0:
            out += (wasm.I32_GT_S, wasm.I32_ZERO)
        if self.descends:
            out.append(body.tees[self.index])
        elif self.own_limit >= 0:
            out.append(body.tees[self.own_limit])
            body.give(self.own_limit)
        self.scope.value(self.counter)

    # ---------------------------------------------------------------- the body

    def _begin_elements(self) -> list[tuple[int, int]]:
        """Take a local for each stacked result with arrays as elements. It has the address of an element.

        Try to build each element at this address. Returns pairs (the position of the result, the local).
        """
        elements = []
        for k in self.stacked:
            if isinstance(self.results.types[k], Array):
                pointer = self.scope.body.take("i32")
                elements.append((k, pointer))
                self.inner.build_in(Place(self._whole(k).offset, pointer), self.loop.body.results[k])
        return elements

    def _whole(self, k: int) -> Place:
        """Return the address of the stacked array of result k."""
        if self.grows:
            return Place(0, self.buffers.arrays[self.stacked.index(k)][0])
        return self.scope.places[self.results.rows[k]]

    def _write_body(self, elements: list[tuple[int, int]]) -> None:
        """Write the rows of the body, and the stores of the stacked results."""
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

    def _write_element(self, target: Place, size: int) -> None:
        """Write instructions that push the address of this round's element, without its constant offset."""
        out, gets = self.scope.body.out, self.scope.body.gets
        if target.local >= 0:
            out += (wasm.I32_ADD, gets[target.local])
        out += times(size)
        out.append(gets[self.index])

    def _write_next_carry(self, carry: dict[int, int]) -> None:
        """Write the next carry. All its values are computed before any part of the carry changes."""
        body, inner, results = self.scope.body, self.inner, self.loop.body.results
        changed = [j for j in carry if results[j] != self.params[1 + j]]
        for j in changed:
            body.out.append(body.sets[carry[j]])
        self._write_array_carry()
        for j in reversed(changed):
            inner.value(results[j])

    def _write_array_carry(self) -> None:
        """Copy arrays into the carry's buffers.

        A source array may be inside one of these buffers. Then copy it to a spare buffer first.
        """
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
        """Try to build carry j by updating its previous value in place. Return whether that is possible.

        No row may read the previous value after the first update. If an expression would do so, we read the
        element into a local before the update.
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
                _, uses, loop = rows[first]
                origin = loop.parts(uses).inits[key[2]]
            else:
                break
        if origin != param or param in self.loop.body.results:
            return False
        if rows[first][0] == "loop" and rows[first][1].count(param) > 1:
            return False
        when = _evaluated(inner)
        late = [i for i, key in enumerate(rows) if i != first and when[i] > first and param in operands(key)]
        views = {i for i in late if rows[i][0] == "index" and isinstance(inner.types[i], Array)}
        readers = [i for i, key in enumerate(rows) if when[i] > first and not views.isdisjoint(operands(key))]
        late = [*(i for i in late if i not in views), *readers]
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
        """Write zeros to the stacked arrays if the loop may run too few rounds to fill them."""
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
    """Return, for each row, the last position where the code computes or reads it, or -1 for none.

    A position is the number of a root. A row inside an expression is computed at the expression's root.
    """
    rows, types, roots = scope.rows, scope.types, set(scope.roots)
    when = [-1] * (len(rows) + len(scope.block.consts))
    for a in scope.block.results:
        when[a] = len(rows)
    for i in range(len(rows) - 1, 0, -1):
        if isinstance(types[i], Array) and rows[i][0] in ("index", "select"):
            when[i] = max(when[i], i if i in roots else -1)  # a view's user reads the viewed array
        elif i in roots:
            when[i] = i
        if when[i] >= 0:
            for a in operands(rows[i]):
                when[a] = max(when[a], when[i])
    return when
