"""Write rows that make or change arrays and accumulators. Also write index checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eglantine.ir.row_types import F64, Array, Row, RowType, element_type
from eglantine.ir.traps import index_message
from eglantine.wasm import encoding as wasm

from .addresses import SMALL_COPY, times
from .growing import Buffers
from .layout import Place
from .locals import CONSTANT, constant_instruction
from .scope import Scope, Structure
from .usage import INSTRUCTIONS, bytes_of


def write_stack(scope: Scope, row: int, key: Row) -> None:
    """Write the elements of a new array, one after the other."""
    place = scope.places.get(row)
    if place is None:
        return
    of = element_type(scope.types[row])
    step = bytes_of(of)
    for k in range(len(key[1]) - 1, -1, -1):
        at = place.plus(k * step)
        if isinstance(of, Array):
            scope.copy_into(at, key[1][k])
        else:
            scope.body.out.append(wasm.store(of.dtype, at.offset))
            scope.value(key[1][k])
            scope.base(at)
        if len(scope.body.out) > scope.limit:
            scope.border(row)


def write_update(scope: Scope, row: int, key: Row) -> None:
    """Replace an element of an array. If a later row reads the old array, change a copy of it.

    To replace an element of a matrix, write only this element, not the matrix's row.
    """
    target = scope.places.get(row)
    if target is None:
        return
    array = key[1]
    scope.build_in(target, array)
    path, x, of = _path_of_update(scope, row, key)
    out, body, consts = scope.body.out, scope.body, scope.block.consts
    at = target.plus(sum(consts[~i] * size for i, size in path if i < 0))
    moving = [(i, size) for i, size in path if i >= 0]
    k = body.take("i32") if moving and isinstance(of, Array) else -1
    if isinstance(of, Array):
        scope.place_of(x)  # x needs its own memory, because its rows may read the old array
        scope.copy_into(Place(at.offset, k) if moving else at, x)
    else:
        out.append(wasm.store(scope.real if of is F64 else of.dtype, at.offset))
        scope.value(x)
    if k >= 0:
        body.put_set(k)
        body.give(k)
    if moving:
        _write_path(scope, target, moving)
    elif not isinstance(of, Array):
        scope.base(at)
    scope.copy_into(target, array)


def _path_of_update(scope: Scope, row: int, key: Row) -> tuple[list[tuple[int, int]], int, RowType]:
    """Return the path to the element that an update replaces, the new element, and its type.

    The path is a list of pairs: an index, and the number of bytes that one step of the index takes.

    In  m' = update m i (update (index m i) j x)  the element m[i][j] is replaced by x. The inner array has no
    other use, so it gets no memory.
    """
    rows, types, uses = scope.rows, scope.types, scope.uses
    _, array, i, x = key
    of = element_type(types[row])
    path = [(i, bytes_of(of))]
    while isinstance(of, Array) and rows[x][0] == "update" and uses[x] == 1 and x not in scope.places:
        part = rows[x][1]
        if rows[part] != ("index", array, i):
            break
        _, array, i, x = rows[x]
        of = element_type(of)
        path.append((i, bytes_of(of)))
    return path, x, of


def _write_path(scope: Scope, target: Place, path: Sequence[tuple[int, int]]) -> None:
    """Write an element's address without its constant offset. It is the array's base plus Σ index · step."""
    out = scope.body.out
    for i, size in path[:0:-1]:
        out += (wasm.I32_ADD, *times(size))
        scope.value(i)
    stack: list[int] = []
    scope.write_address(target, *path[0], stack)
    scope.write_operands(stack)


def write_acc(scope: Scope, row: int, key: Row) -> None:
    """Write a new accumulator of zeros."""
    place = scope.places.get(row)
    if key[1]:
        _write_growing_acc(scope, row, key[1][0])
    elif place is not None:
        scope.fill_zero(place, bytes_of(scope.types[row]))
    elif scope.push[row] is not None:
        scope.define(row)
        scope.body.out.append(constant_instruction(0.0, "f64"))


def _write_growing_acc(scope: Scope, row: int, length: int) -> None:
    if scope.push[row] is None and row not in scope.slots:
        return
    body, rounds = scope.body, scope.see(length)
    size = bytes_of(element_type(scope.types[row]))
    k = scope.local[row] if scope.push[row] is not None else body.take("i32")
    body.out += (wasm.MEMORY_FILL, *times(size), rounds, wasm.I32_ZERO, body.gets[k])
    scope.keep(row, k)
    buffers = growing_buffers(scope, row, [(k, size)])
    buffers.write_addresses(body)
    buffers.write_growth(body, rounds)
    body.give(k)


def growing_buffers(scope: Scope, row: int, arrays: Sequence[tuple[int, int]]) -> Buffers:
    """Make the growing buffer for the arrays of one row.

    arrays: a pair for each array: the local with the array's address, and the number of bytes that each round
        adds to the array.
    """
    linkage, each = scope.linkage, max(sum(size for _, size in arrays), 1)
    trap = linkage.trap(
        f"This loop may run at most {linkage.limit // each:,} rounds, but it has more: the derivative "
        f"stores {each:,} bytes for each round, and may use {linkage.limit:,} bytes. End the loop earlier, "
        "allow more by memory=, or use forward mode.",
        scope.block.sources[row],
        "LimitError",
    )
    return Buffers(arrays, linkage.take_globals(1 + len(arrays)), linkage.grow, trap)


def write_add_to(scope: Scope, row: int, key: Row) -> None:  # noqa: ARG001 - all roots are written alike
    """Write acc += x. A sum is in a local or in memory. Arrays are added element by element."""
    _, acc, x = key
    out = scope.body.out
    if scope.types[acc].dims:
        _add_arrays(scope, acc, x)
        return
    add, x = addend(scope, x)
    if acc in scope.places or scope.accumulates_in_memory(acc):
        place = scope.place_of(acc)
        out += (wasm.store("f64", place.offset), INSTRUCTIONS[add])
        scope.value(x)
        out.append(wasm.load("f64", place.offset))
        if place.row >= 0:
            k = scope.local_of(place.row)
            place = Place(place.offset, k)
        scope.base(place)
        scope.base(place)
    else:
        scope.see(acc)
        k = scope.local[acc]
        scope.body.put_set(k)
        out.append(INSTRUCTIONS[add])
        scope.value(x)
        out.append(scope.body.gets[k])


def addend(scope: Scope, x: int) -> tuple[str, int]:
    """Return how a sum adds row x: the operation ("add" or "sub") and its operand.

    If x is −y and has no other use, the sum subtracts y.
    """
    key = scope.rows[x] if x >= 0 else CONSTANT
    if key[0] == "neg" and scope.uses[x] == 1 and scope.push[x] is None:
        return "sub", key[1]
    return "add", x


def _add_arrays(scope: Scope, acc: int, x: int) -> None:
    """Write the addition of two arrays. Use a loop, except if there are only a few elements."""
    size = bytes_of(scope.types[acc])
    if not size or scope.rows[x][0] == "zeros":
        return
    target, source = _settled(scope, scope.place_of(acc)), _settled(scope, scope.place_of(x))
    out, body = scope.body.out, scope.body
    if size <= SMALL_COPY * 8:
        for distance in range(0, size, 8):
            _add_element(scope, target.plus(distance), source.plus(distance), -1)
    else:
        j = body.take("i32")
        out += (wasm.END, wasm.BR_IF_0, body.gets[j])
        _add_element(scope, target, source, j)
        body.put_set(j)
        out += (wasm.I32_SUB, wasm.i32_const(8), body.gets[j], wasm.LOOP)
        out += (body.sets[j], wasm.i32_const(size))
        body.give(j)
    for place in (target, source):
        if place.row >= 0:  # only this addition uses the address
            body.put_set(place.local)
            body.give(place.local)
            scope.value(place.row)


def _settled(scope: Scope, place: Place) -> Place:
    """Return the address `place`, but with its variable part in a local.

    If the result's `row` is ≥ 0, the caller must write code that sets the local to the value of this row.
    """
    if place.row < 0:
        return place
    if scope.uses[place.row] == 1 and scope.push[place.row] is None:
        return Place(place.offset, scope.body.take("i32"), place.row)
    return Place(place.offset, scope.local_of(place.row))


def _add_element(scope: Scope, target: Place, source: Place, j: int) -> None:
    out = scope.body.out
    out += (wasm.store("f64", target.offset), wasm.F64_ADD, wasm.load("f64", source.offset))
    _at(scope, source, j)
    out.append(wasm.load("f64", target.offset))
    _at(scope, target, j)
    _at(scope, target, j)


def _at(scope: Scope, place: Place, j: int) -> None:
    """Push the sum of two locals: the local of an address, and local j. The number -1 means no local."""
    gets = scope.body.gets
    pushes = [gets[k] for k in (place.local, j) if k >= 0] or [wasm.I32_ZERO]
    scope.body.out += [wasm.I32_ADD] * (len(pushes) - 1) + pushes


def write_check(scope: Scope, row: int, key: Row, bound: int | None = None) -> None:
    """Write code that pushes an index, and a trap that fires if the index is not less than a bound.

    bound: the bound. By default it is the bound in the row. The trap's message always names the row's bound.
    """
    _, i, n = key
    bound = n if bound is None else bound
    body, out = scope.body, scope.body.out
    number = scope.linkage.trap(index_message(n), scope.block.sources[row])
    is_kept = scope.push[row] is not None or row in scope.slots
    k = -1
    if is_kept:
        k = scope.local[row] if scope.push[row] is not None else body.take("i32")
        scope.keep(row, k)
    scope.write_trap(number)
    out += (wasm.I32_GE_U, wasm.i32_const(bound))
    if not is_kept:
        scope.value(i)
    elif scope.inherit(i, k):
        out.append(body.gets[k])
    else:
        out.append(body.tees[k])
        body.give(k)
        scope.value(i)


ARRAYS: Final[Structure] = {
    "stack": write_stack,
    "update": write_update,
    "acc": write_acc,
    "add_to": write_add_to,
    "check": write_check,
}
"""A dict from each operation on arrays to the function that writes the rows with this operation."""
