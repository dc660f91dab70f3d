"""Write the same instructions as `write_expressions`, and record the row of each instruction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from eglantine.ir.primitives import ARITY
from eglantine.ir.row_types import ZERO

from . import expressions
from .locals import CONSTANT
from .scope import Scope


def write_watched(scope: Scope, waiting: Iterable[int], all_roots: bool) -> None:
    """Write the rows in `waiting` and their operands, from the last to the first.

    If `all_roots`, then also write the remaining roots. `write_expressions` does the same without a witness.
    """
    stack = list(waiting)
    while stack or (all_roots and scope.roots):
        if stack or _write_next_root(scope, stack):
            _write_expression(scope, stack)


def _write_next_root(scope: Scope, stack: list[int]) -> bool:
    """Write the last remaining root. Return true if its operands are now on the stack."""
    row = scope.roots.pop()
    body = scope.body
    if len(body.out) > scope.limit:
        scope.border(row + 1)
    key = scope.rows[row]
    if key[0] not in scope.linkage.codes or row in scope.usage.pointers:
        scope.write_root(row, key)
        return False
    if not _keep_value(scope, row, stack):
        return False
    _write_operation(scope, row)
    stack += _operands(key)
    return True


def _write_expression(scope: Scope, stack: list[int]) -> None:
    """Write the rows on the stack and their operands, until the stack is empty."""
    row = stack.pop()
    for _ in expressions.TREE_STEPS:
        chunk = scope.push[row]
        key = scope.once[row] if chunk is None else None  # the entry's stores are not in `once`
        if chunk is not None:
            scope.body.out.append(chunk)
        elif key:
            _write_operation(scope, row)
            stack += key[1:]
        elif key is None:
            stack += _write_shared(scope, row)
        else:
            scope.body.out.append(_take_real(scope, row))
        if not stack:
            return
        row = stack.pop()
    stack.append(row)
    while stack:
        _write_leaf(scope, stack.pop())


def _write_operation(scope: Scope, row: int) -> None:
    """Write the instruction of a row, and record that it belongs to the row."""
    body = scope.body
    assert body.record is not None
    body.record.note(len(body.out), (scope.block, row))
    body.out.append(scope.linkage.codes[scope.rows[row][0]])


def _keep_value(scope: Scope, row: int, stack: list[int]) -> bool:
    """Write code that stores a root's value in its slot or local. Return whether the value has readers."""
    out, k = scope.body.out, scope.local[row]
    if row in scope.slots:
        out.append(scope.slots[row])
        if k >= 0:
            out.append(scope.body.tees[k])
        stack.append(ZERO)
    elif k < 0:
        return False
    elif out[-1] is not scope.body.gets[k]:
        out.append(scope.body.sets[k])
    elif scope.uses[row] == 1:
        out.pop()
    else:
        out[-1] = scope.body.tees[k]
    if k >= 0:
        scope.body.give(k)
    return True


def _operands(key: Any) -> tuple[int, ...]:
    """Return the operands of an instruction in the order in which we write them to the stack."""
    operands: tuple[int, ...] = key[1:] if ARITY[key[0]] < 3 else (key[2], key[3], key[1])
    return operands


def _write_shared(scope: Scope, row: int) -> Sequence[int]:
    """Write a row or a constant. If the row has one use, return the operands that are still to be written."""
    if scope.uses[row] != 1:
        scope.body.out.append(scope.see(row))
        return ()
    key = scope.rows[row] if row >= 0 else CONSTANT
    if key[0] not in scope.linkage.codes:
        operands: list[int] = []
        scope.write_in_place(row, key, operands)
        return operands
    _write_operation(scope, row)
    return _operands(key)


def _take_real(scope: Scope, row: int) -> bytes:
    """Take a local for a Real if it has none yet. Return the instruction that pushes it."""
    k = scope.local[row]
    if k >= 0:
        chunk = scope.push[row] = scope.body.gets[k]
        return chunk
    k = scope.local[row] = scope.body.take("f64")
    scope.seen.append(row)
    scope.since[row] = len(scope.body.out)
    return scope.body.gets[k]


def _write_leaf(scope: Scope, row: int) -> None:
    """End an expression that is too long: it reads row `row` from a local.

    So this row becomes the root of an expression of its own.
    """
    is_first = scope.once[row] is not None and scope.local[row] < 0
    scope.body.out.append(scope.push[row] or scope.see(row))
    if is_first:
        scope.push[row] = None
