"""Write a loop with pairs of sums that need the same operations. The two lanes of a v128 hold a pair.

Forward mode in several directions is an example. The directions share the values, and the same formula gives
the tangents of all directions:

    for i
        x = v[i]                                     once for all directions
        s0 += 2 · x · dv0[i];  s1 += 2 · x · dv1[i]     two lanes: s += 2 · x · (dv0[i], dv1[i])

The results have the same bits as the results of a plain loop, because each lane computes what the single
operations compute.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from eglantine.ir.row_types import F64, I1, Row
from eglantine.wasm import encoding as wasm
from eglantine.wasm.opcodes import code

from . import lanes
from .arrays import addend
from .lanes import CODES, LANES
from .locals import constant_instruction
from .loops import LoopWriter
from .pairing import COMPARISONS, Group, Pairs, pairs_of
from .scope import Scope

_CONVERT: Final = code("f64.convert_i32_s")
_ZERO: Final = wasm.f64_const(0.0)
_OPPOSITE: Final = {"add": "sub", "sub": "add"}

Source = int | bytes
"""The source of a value: a row outside the loop, or the instruction that pushes a constant."""


def write_loop(scope: Scope, row: int, key: Row) -> None:
    """Write a loop. Put pairs of sums into lanes if that saves enough time."""
    pairs = pairs_of(scope, key)
    if pairs is None:
        lanes.write_rounds(scope, row, key)
    else:
        PairWriter(scope, row, key, pairs).write()


class PairScope(Scope):
    """Writes the rows for a group of pairs. One instruction computes both lanes of a pair.

    The scope writes only the rows of the first lane. Their instructions also compute the second lane.
    single: the scope that writes the rows that are not in lanes.
    """

    def __init__(self, single: Scope, group: Group) -> None:
        linkage = replace(single.linkage, codes={**CODES, **COMPARISONS})
        super().__init__(linkage, {"add_to": _write_add_to}, single.body, single.block)
        self.single = single
        self.second = group.second
        self.types = tuple(LANES if of in (F64, I1) else of for of in self.types)
        self.once = [key or None for key in self.once]
        self.rows = tuple(self._shorter_rows())
        adds = {i for i, _ in group.sums}
        self.roots = [i for i in self.roots if i in adds or i in self.second]

    def _shorter_rows(self) -> list[Row]:
        """Rewrite rows so that they need fewer instructions. This changes no bit of the results.

        A choice between x and 0.0 becomes the `and` of x and a bit mask. The sum t + (−x)·y becomes t − x·y.
        """
        rows, consts = list(self.rows), self.block.consts
        for i in self.second:
            key = rows[i]
            if key[0] == "select" and key[3] < 0 and constant_instruction(consts[~key[3]], "f64") == _ZERO:
                rows[i] = "and", key[2], key[1]
            elif key[0] in _OPPOSITE:
                term = rows[max(key[2], 0)]
                negated = [k for k in (1, 2) if term[0] == "mul" and rows[max(term[k], 0)][0] == "neg"]
                if negated and self.uses[key[2]] == 1 and key[1] != key[2]:
                    x = rows[term[negated[0]]][1]
                    if self.uses[term[negated[0]]] == 1 and term[negated[0]] in self.second:
                        rows[key[2]] = ("mul", x, term[2]) if negated[0] == 1 else ("mul", term[1], x)
                        rows[i] = _OPPOSITE[key[0]], key[1], key[2]
                        for k in (i, key[2]):
                            self.once[k] = self.once[k] and rows[k]
        return rows

    def _write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        if key[0] != "index":
            super()._write_in_place(row, key, stack)
            return
        for read, instruction in ((self.second[row], wasm.F64X2_REPLACE[1]), (row, wasm.F64X2_SPLAT)):
            self.body.out.append(instruction)
            rest: list[int] = []
            self.single.write_in_place(read, self.block.rows[read], rest)
            self.single.write_operands(rest)


def _write_add_to(scope: Scope, row: int, key: Row) -> None:  # noqa: ARG001 - all roots are written alike
    _, acc, x = key
    add, x = addend(scope, x)
    k = scope.local[acc]
    scope.body.put_set(k)
    scope.body.out.append(CODES[add])
    scope.value(x)
    scope.body.out.append(scope.body.gets[k])


class PairWriter(LoopWriter):
    """Writes a counted loop with pairs of sums in lanes.

    sums: for each pair, three locals: a v128 that holds both sums in the loop, and for each of the two sums a
        local outside the loop.
    outside: pairs (local, sources) for the v128 locals that are set before the loop. There is one source if
        both lanes have the same value, otherwise a source for each lane.
    """

    def __init__(self, scope: Scope, row: int, key: Row, pairs: Pairs) -> None:
        super().__init__(scope, row, key)
        self.pairs = pairs
        self.outer = dict(zip(self.params[1 + self.loop.carried :], self.captures, strict=True))
        paired = {i for group in pairs.groups for both in group.sums for i in both}
        self.inner.roots = [i for i in self.inner.roots if i not in paired]
        self.scopes = [PairScope(self.inner, group) for group in pairs.groups]
        self.sums: list[tuple[int, int, int]] = []
        self.outside: list[tuple[int, tuple[Source, ...]]] = []

    def _bind_carry(self) -> dict[int, int]:
        """Bind the carry. Also write the code that copies the sums from lanes to locals after the loop."""
        carry = super()._bind_carry()
        body, rows = self.scope.body, self.loop.body.rows
        for scope, group in zip(self.scopes, self.pairs.groups, strict=True):
            for i, j in group.sums:
                first, last = (self.scope.local_of(self.outer[rows[i][1]]) for i in (i, j))
                k = body.take("v128")
                scope.bind(rows[i][1], k)
                self.sums.append((k, first, last))
        for k, *both in self.sums:
            for lane, total in enumerate(both):
                body.put_set(total)
                body.out += (wasm.F64X2_LANES[lane], body.gets[k])
        self._bind_outside()
        return carry

    def _bind_outside(self) -> None:
        """Take a v128 local for each pair of values that is the same in all rounds."""
        for scope in self.scopes:
            for a, b in scope.second.items():
                if scope.rows[a][0] == "param":
                    self._keep_outside([scope], a, (self.outer[a], self.outer[b]))
        for a in self.pairs.shared:
            if a < 0:
                self._keep_outside(self.scopes, a, (wasm.f64_const(float(self.loop.body.consts[~a])),))
            elif a in self.outer and self.inner.types[a] is not I1:
                self._keep_outside(self.scopes, a, (self.outer[a],))

    def _keep_outside(self, scopes: list[PairScope], a: int, sources: tuple[Source, ...]) -> None:
        k = self.scope.body.take("v128")
        self.outside.append((k, sources))
        for scope in scopes:
            scope.push[a] = self.scope.body.gets[k]

    def _write_next_carry(self, carry: dict[int, int]) -> None:
        """Write the lanes, then the next carry."""
        super()._write_next_carry(carry)
        body = self.scope.body
        kept = [a for a in self.pairs.shared if self.scopes[0].push[a] is None]
        locals_ = [body.take("v128") for _ in kept]
        for a, k in zip(kept, locals_, strict=True):
            for scope in self.scopes:
                scope.push[a] = body.gets[k]
        for scope in reversed(self.scopes):
            scope.write_rows()
        for a, k in zip(kept, locals_, strict=True):
            body.put_set(k)
            body.give(k)
            self._write_both(a)

    def _write_both(self, a: int) -> None:
        """Write code that pushes row a's value in both lanes. For a truth value, push a bit mask."""
        of, out = self.inner.types[a], self.scope.body.out
        if of is I1:
            out += (CODES["ne"], wasm.F64X2_SPLAT, _ZERO)
        out.append(wasm.F64X2_SPLAT)
        if of is not F64:
            out.append(_CONVERT)
        self.inner.value(a)

    def _write_inits(self, carry: dict[int, int]) -> None:
        """Write the code before the loop."""
        body, out = self.scope.body, self.scope.body.out
        for k, sources in self.outside:
            body.put_set(k)
            body.give(k)
            for lane in reversed(range(len(sources))):
                out.append(wasm.F64X2_REPLACE[1] if lane else wasm.F64X2_SPLAT)
                self._write_real(sources[lane])
        for k, first, last in self.sums:
            body.put_set(k)
            body.give(k)
            out += (wasm.F64X2_REPLACE[1], body.gets[last], wasm.F64X2_SPLAT, body.gets[first])
        super()._write_inits(carry)

    def _write_real(self, source: Source) -> None:
        """Write the code that pushes a value from outside the loop as a float."""
        if isinstance(source, bytes):
            self.scope.body.out.append(source)
            return
        if self.scope.block.type_of(source) is not F64:
            self.scope.body.out.append(_CONVERT)
        self.scope.value(source)
