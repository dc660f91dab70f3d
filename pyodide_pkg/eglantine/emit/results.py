"""Bind the results of a call, loop or branch to locals or memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eglantine.ir.row_types import Acc, Array, RowType
from eglantine.wasm import encoding as wasm

from .layout import Place
from .scope import Scope
from .usage import bytes_of

FUEL_GLOBAL: Final = 1


def write_fuel(scope: Scope) -> None:
    """Write code that takes one unit of fuel. If no unit is left, the code traps.

    If the module does not count fuel, write nothing.
    """
    if scope.linkage.fuel:
        scope.write_trap(scope.linkage.fuel)
        tank, set_tank = wasm.global_get(FUEL_GLOBAL), wasm.global_set(FUEL_GLOBAL)
        out = scope.body.out
        out += (wasm.I64_LT_S, wasm.i64_const(0), tank, set_tank, wasm.I64_SUB, wasm.i64_const(1), tank)


def is_needed(scope: Scope, row: int) -> bool:
    """True if a later row uses a result of this call, loop or branch. Later rows are already written."""
    return any(
        scope.push[result] is not None or result in scope.places or result in scope.slots
        for result in scope.usage.projections.get(row, {}).values()
    )


class Results:
    """The locals and addresses of the results of a call, loop or branch.

    rows: for each result, the row that reads the result, or -1 if no row reads it.
    """

    def __init__(self, scope: Scope, row: int, types: Sequence[RowType]) -> None:
        readers = scope.usage.projections.get(row, {})
        self.scope = scope
        self.row = row
        self.types = types
        self.rows = [readers.get(k, -1) for k in range(len(types))]

    def is_used(self, k: int) -> bool:
        """True if result k is read."""
        row = self.rows[k]
        scope = self.scope
        return row >= 0 and (scope.push[row] is not None or row in scope.places or row in scope.slots)

    def local(self, k: int) -> int:
        """Return the local of the row that reads scalar result k. If it has none, take a new local."""
        row = self.rows[k]
        if row >= 0 and self.scope.push[row] is not None:
            return self.scope.local[row]
        return self.scope.body.take(self.types[k].dtype)

    def place(self, k: int) -> Place:
        """Return the address of array result k."""
        row = self.rows[k]
        place = self.scope.places.get(row) if row >= 0 else None
        return place or self.scope.buffer(self.row, bytes_of(self.types[k]))

    def keep(self, k: int, local: int) -> None:
        """If result k has a slot in memory, write code that copies the result from its local to the slot."""
        if self.rows[k] >= 0:
            self.scope.keep(self.rows[k], local)


def bind(scope: Scope, inner: Scope, params: Sequence[int], operands: Sequence[int]) -> None:
    """Let a body's parameters use the locals and addresses of the captured values."""
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
    """True if an accumulator lies in memory and not in a local."""
    return acc in scope.places or scope.accumulates_in_memory(acc)
