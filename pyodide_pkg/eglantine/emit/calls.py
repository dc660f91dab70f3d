"""Write calls, prints and requirements."""

from __future__ import annotations

from collections.abc import Sequence

from eglantine.ir.row_types import Acc, Array, Row
from eglantine.wasm import encoding as wasm

from .results import Results, is_needed
from .scope import Scope


def write_call(scope: Scope, row: int, key: Row) -> None:
    """Write a call. Its arguments are the operands, and an address for each array result.

    The call leaves scalar results on the stack.
    """
    _, operands, function = key
    adds = any(isinstance(scope.block.type_of(x), Acc) for x in operands)
    if function.pure and not adds and not is_needed(scope, row):
        return
    types = function.leaf_results if function.block is None else function.block.result_types
    results = Results(scope, row, types)
    _write_scalar_results(results)
    if function.block is None:
        scope.body.out.append(wasm.call(scope.linkage.hosts[function]))
    else:
        scope.body.out.append(wasm.call(scope.linkage.functions[function]))
    for k in range(len(types) - 1, -1, -1):
        if isinstance(types[k], Array):
            scope.pointer(results.place(k))
    _write_arguments(scope, operands)


def _write_scalar_results(results: Results) -> None:
    scope = results.scope
    scalars = [k for k, of in enumerate(results.types) if not isinstance(of, Array)]
    crossing = [k for k in scalars if results.rows[k] in scope.slots]
    for k in crossing:
        if scope.push[results.rows[k]] is None:
            scope.see(results.rows[k])
        results.keep(k, results.local(k))
    for k in scalars:  # the first result is popped last. We write backward, so its pop comes first here
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
    """Write a print. It becomes a call of the host function for its format and operand types."""
    types = tuple(scope.block.type_of(x).dtype for x in key[1])
    scope.body.out.append(wasm.call(scope.linkage.hosts[key[2], types]))
    _write_arguments(scope, key[1])


def write_require(scope: Scope, row: int, key: Row) -> None:
    """Write a trap that fires unless a condition holds."""
    scope.write_trap(scope.linkage.trap(key[2], scope.block.sources[row], "AssertionFailedError"))
    scope.body.out.append(wasm.I32_EQZ)
    scope.value(key[1][0])
