"""Write loops that change one element of an array in each round. They run two rounds at a time.

An example is a step of Gaussian elimination. It subtracts a multiple of a row from another row:

    for j                                       for j in steps of 2
        m[i][c + j] -= f · m[k][c + j]              m[i][c+j, c+j+1] −= f · m[k][c+j, c+j+1]

The results have the same bits as the results of a plain loop. All elements that a round reads or changes
have the same last index, here c + j. So no round needs an element that another round changes, even if i = k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from eglantine.ir.primitives import operands
from eglantine.ir.program import ACTIONS, NESTING, Block, Loop
from eglantine.ir.row_types import DYNAMIC, F64, I1, I32, Array, Row, interval

from . import structure as emit_structure
from .arrays import write_check, write_update
from .lanes import CODES, ROUNDS, LaneScope, LaneWriter
from .results import is_needed
from .scope import Scope
from .usage import INSTRUCTIONS

WORTH: Final = 4
"""The fewest loads, stores and operations on Reals in a round that make two rounds at a time worthwhile."""

_ALWAYS_RUN: Final = frozenset({"check", "add_to", "call", *ACTIONS, *NESTING})
"""Operations that may have to run even if no row uses their result."""

_INDICES: Final = frozenset({"iadd", "isub", "imul"})


def write_loop(scope: Scope, row: int, key: Row) -> None:
    """Write a loop. Run two rounds at a time if each round changes one element and this saves time."""
    loop = key[2]
    usage = scope.linkage.program.usage(loop.body)
    if scope.linkage.fuel or not is_in_step(loop, usage.uses):
        emit_structure.write_loop(scope, row, key)
    elif is_needed(scope, row) or usage.effects:
        UpdateWriter(scope, row, key).write()


def is_in_step(loop: Loop, uses: Sequence[int]) -> bool:
    """True if we can run the loop two rounds at a time, and a round has enough work for this.

    All elements of the changed array that a round reads or changes must have the same last index. This index
    must grow by 1 from each round to the next.

    uses: for each row of the body, the number of live rows that use it.
    """
    body = loop.body
    if loop.test or loop.reverse or loop.extent == DYNAMIC or loop.carried != 1 or len(body.results) != 1:
        return False
    if (loop.extent if loop.count is None else loop.count) < ROUNDS:
        return False
    at = _changed_index(body, uses)
    moving, changed = {body.params[0]}, {body.params[1]}
    work = 1
    for i in range(1, len(body.rows)):
        key, of = body.rows[i], body.types[i]
        if key[0] == "update" or not (uses[i] or key[0] in _ALWAYS_RUN):
            continue
        if isinstance(of, Array) and not changed.isdisjoint(operands(key)):
            changed.add(i)
        if not _fits(body, i, at, moving, changed):
            return False
        if key[0] in ("check", "iadd") and not moving.isdisjoint(operands(key)):
            moving.add(i)
        work += of is F64 and key[0] != "param"
    return at in moving and work >= WORTH


def _fits(body: Block, i: int, at: int, moving: set[int], changed: set[int]) -> bool:
    """True if we can write row i for two rounds at a time.

    at: the last index of the element that each round changes.
    moving: the rows of all indices that grow by 1 from each round to the next.
    changed: the row of the array that the loop changes, and all rows that are parts of this array.
    """
    key, of = body.rows[i], body.types[i]
    match key[0]:
        case "param":
            return of is F64 or isinstance(of, I32 | Array)
        case "index" if of is not F64:
            return key[2] not in moving
        case "index":
            return key[2] in moving and (key[2] == at or key[1] not in changed)
        case "check":
            return bool(key[2] > 0)
        case "iadd" | "isub" | "imul":
            steps = [a for a in key[1:] if a in moving]
            return not steps or (key[0] == "iadd" and len(steps) == 1)
        case op if op in CODES and of in (F64, I1):
            return all(body.type_of(a) is F64 or (a >= 0 and body.type_of(a) is I1) for a in key[1:])
    return False


def _changed_index(body: Block, uses: Sequence[int]) -> int:
    """If a round changes exactly one element, return the element's last index. Otherwise return 0."""
    rows, array = body.rows, body.params[1]
    row = body.results[0]
    at = 0
    while row > 0 and rows[row][0] == "update" and rows[row][1] == array and (not at or uses[row] == 1):
        _, whole, at, row = rows[row]
        if body.type_of(row) is F64:
            return int(at)
        part = rows[max(row, 0)]
        if part[0] != "update" or rows[part[1]] != ("index", whole, at):
            return 0
        array = part[1]
    return 0


class UpdateScope(LaneScope):
    """The scope of a body for two rounds at a time. Each round changes an element of an array."""

    real = "v128"

    def __init__(self, writer: UpdateWriter) -> None:
        super().__init__(writer.scope, writer.scope.body, writer.loop.body)
        indices = {op: INSTRUCTIONS[op] for op in _INDICES}
        self.linkage = replace(self.linkage, codes={**self.linkage.codes, **indices})
        moving = {self.block.params[0]}
        for i, key in enumerate(self.rows):
            if key[0] in ("check", "iadd") and not moving.isdisjoint(operands(key)):
                moving.add(i)
        valid = {i for i in moving if self.rows[i][0] == "check" and _is_valid(writer, self.rows[i])}
        check = partial(_write_check, moving=moving, valid=valid)
        self.structure = {"update": write_update, "check": check}


def _is_valid(writer: UpdateWriter, check: Row) -> bool:
    """True if `check` cannot fail: its index is c + j in round j, and the loop has at most n − c rounds.

    Here n is the length that the check uses. Neither c nor j is negative, so the index is from 0 to n − 1.
    """
    body = writer.loop.body
    key = body.rows[max(check[1], 0)]
    if (
        key[0] != "iadd"
        or body.params[0] not in key
        or any(interval(body.type_of(a)).lo < 0 for a in key[1:])
    ):
        return False
    start = key[2] if key[1] == body.params[0] else key[1]
    if start not in body.params or writer.counter < 0:
        return False
    scope, first = writer.inner.origin(start)
    around, counter = writer.scope.origin(writer.counter)
    count = around.rows[max(counter, 0)]
    if scope is not around or count[0] != "isub" or count[1] >= 0:
        return False
    (x, more), (y, less) = _with_constant(scope.block, first), _with_constant(scope.block, count[2])
    return bool(x == y and scope.block.consts[~count[1]] - less + more <= check[2])


def _with_constant(block: Block, row: int) -> tuple[int, int]:
    """Split an index into a row and a constant. Their sum is the index."""
    key = block.rows[max(row, 0)]
    constants = [a for a in key[1:3] if a < 0] if key[0] == "iadd" else []
    if len(constants) != 1:
        return row, 0
    return key[1] + key[2] - constants[0], int(block.consts[~constants[0]])


def _write_check(scope: Scope, row: int, key: Row, moving: set[int], valid: set[int]) -> None:
    """Write code that checks whether an index is in range in both rounds.

    moving: the rows of all indices that grow by 1 from each round to the next.
    valid: the rows of checks that cannot fail. They need no trap.
    """
    if row not in valid:
        write_check(scope, row, key, key[2] - (ROUNDS - 1 if row in moving else 0))
    elif scope.push[row] is not None:
        scope.define(row)
        scope.value(key[1])


class UpdateWriter(LaneWriter):
    """Writes a counted loop that changes elements of an array, two rounds at a time."""

    def lanes(self) -> LaneScope:
        """The scope of two rounds."""
        scope = UpdateScope(self)
        array = self.loop.body.params[1]
        scope.places[array] = scope.places[self.loop.body.results[0]] = self.inner.places[array]
        return scope

    def _write_pair(self, lanes: Any, distance: int) -> None:  # noqa: ARG002 - there is only one pair
        """Write the rows of two rounds."""
        lanes.write_rows()
