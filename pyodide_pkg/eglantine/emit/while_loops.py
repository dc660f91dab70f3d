"""Write a while loop: its test, its body and its carry."""

from __future__ import annotations

from eglantine.ir.row_types import DYNAMIC, TRIPS
from eglantine.ir.traps import TOO_MANY_ROUNDS
from eglantine.wasm import encoding as wasm

from .loops import LoopWriter
from .results import bind, write_fuel


class WhileWriter(LoopWriter):
    """Writes a while loop, from its end to its beginning.

        initial carry; index = 0
        loop; if test
            memory for this round; body; stacked results; the next carry
            step of the index; back edge
        end end

    The loop has an index only if some code reads it. After the loop, the index is the number of rounds.
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
            self.buffers.write_growth(body, body.gets[self.index], keeps=True)
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
        """Choose the index's local. If a later row reads the number of rounds, share that row's local."""
        scope = self.scope
        if trips >= 0 and scope.push[trips] is not None:
            self.index = scope.local[trips]
        else:
            self.index = scope.body.take("i32")
        if trips >= 0:
            scope.keep(trips, self.index)
