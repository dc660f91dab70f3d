"""Decide which loops over outputs compute several outputs at a time, and which values their outputs share.

`tiles` writes these loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from eglantine.ir.primitives import operands
from eglantine.ir.program import Block, Loop, acts
from eglantine.ir.row_types import DYNAMIC, F64, I1, I32, ZERO, Acc, Array, Row

from .lanes import CODES, ROUNDS
from .scope import Scope
from .usage import bytes_of

MOST_SUMS: Final = 4
"""The largest number of v128 locals that hold sums at the same time.

Engines have 16 registers for v128 values, and the factors of the terms also need registers."""

WIDE: Final = 128
MOST_WIDE_SUMS: Final = 6
"""The largest number of v128 locals that hold sums at the same time, in a loop over at least WIDE outputs.

The arrays of such a loop do not fit into the processor's fastest cache. With more sums, we use more of each
cache line that is fetched. A product of 256×256 matrices then takes half of the time."""

LEAST_TERMS: Final = 3
"""The smallest number of terms of a sum for which a second copy of the loop is worthwhile."""

MOST_ROWS: Final = 40
"""The largest number of rows of an inner loop that we write for several outputs.

We write its body once for each v128 local, so a long body would make the module large."""

_TERMS: Final = frozenset({"index", "iadd", "isub", "imul", "real_i32", "check"})
"""Operations that have no instruction on two lanes, but are allowed in a sum's body.

They are allowed only if their operands are the same for all outputs."""


@dataclass(frozen=True)
class Sums:
    """An inner loop that adds terms to sums.

    trips: a list with the row of the outer body that gives the number of terms. The list is empty if
        `loop.count` is this number.
    captures: the rows of the outer body that the inner loop captures.
    varying: the inner loop's rows with values that differ from output to output.
    strides: some parameters are rows of a matrix, and each output reads a different row. For each of these
        parameters, the number of bytes from one output's row to the next output's row.
    shared: the rows that have the same value for all outputs and that rows in `varying` read, in row order.
    runs_along: true if successive terms are adjacent in memory. Then two lanes can compute two terms of the
        same sum.
    """

    loop: Loop
    trips: Sequence[int]
    captures: Sequence[int]
    varying: frozenset[int]
    strides: dict[int, int]
    shared: tuple[int, ...]
    runs_along: bool


@dataclass(frozen=True)
class Plan:
    """A plan that says how to write the outer loop.

    vectors: the number of v128 locals for each sum. Each local holds the sum for two outputs.
    sums: a dict from the row of each inner loop to its description.
    """

    vectors: int
    sums: dict[int, Sums] = field(default_factory=dict)


def plan_of(scope: Scope, key: Row) -> Plan | None:
    """Return the plan for a loop. Return None if the loop cannot compute several outputs at a time."""
    _, args, loop = key
    body: Block = loop.body
    if scope.linkage.fuel:
        return None
    trips, count = loop.parts(args).trips, loop.count
    if trips and trips[0] < 0:
        count = scope.block.consts[~trips[0]]
    if count is None or count < ROUNDS or loop.carried or loop.test or loop.reverse or loop.extent == DYNAMIC:
        return None
    if not body.results or any(body.type_of(a) is not F64 for a in body.results):
        return None
    uses = scope.linkage.program.usage(body).uses
    if any(uses[p] and not _is_input(body.types[p]) for p in body.params[1:]):
        return None
    sums: dict[int, Sums] = {}
    for i in range(1, len(body.rows)):
        row = body.rows[i]
        if row[0] == "loop":
            inner = _sums(scope, body, row)
            if inner is None:
                return None
            sums[i] = inner
        elif not _is_plain(body, i, row):
            return None
    accs = sum(row[0] == "acc" for row in body.rows)
    vectors = _vectors(count, accs, any(inner.runs_along for inner in sums.values()))
    return Plan(vectors, sums) if sums else None


def _vectors(count: int, accs: int, runs_along: bool) -> int:
    """Choose the number of v128 locals for each sum of a loop over `count` outputs."""
    vectors = max(1, (MOST_SUMS if count < WIDE else MOST_WIDE_SUMS) // max(accs, 1))
    if (
        accs == 1
        and not runs_along
        and count % (ROUNDS * (vectors + 1)) < min(count % (ROUNDS * vectors), ROUNDS)
    ):
        return vectors + 1  # no output is left
    while vectors > 1 and count < ROUNDS * vectors:
        vectors //= 2
    return vectors


def _is_input(of: Any) -> bool:
    """True for types that a body may capture: Reals, indices, and arrays of Reals."""
    if isinstance(of, Array):
        return bool(of.leaf is F64)
    return of is F64 or isinstance(of, I32)


def _is_plain(body: Block, i: int, row: Row) -> bool:
    """True if lanes can compute a row of the outer loop."""
    op, index = row[0], body.params[0]
    if op in ("param", "zero"):
        return True
    if op == "acc":
        return not row[1] and body.types[i] == Acc(())
    if op == "acc_read":
        return bool(body.rows[row[1]][0] == "acc")
    if op == "index":
        return body.rows[row[1]][0] == "param" and row[2] == index and _is_element(body.types[i])
    return _is_on_lanes(body, i, row) and index not in operands(row)


def _is_element(of: Any) -> bool:
    """True for the types of values that may depend on the output: Reals, and rows of a matrix."""
    return of is F64 or (isinstance(of, Array) and of.leaf is F64 and len(of.dims) == 1)


def _is_on_lanes(body: Block, i: int, row: Row) -> bool:
    if row[0] not in CODES or body.types[i] not in (F64, I1):
        return False
    return all(a >= 0 or body.type_of(a) is F64 for a in row[1:])


def _sums(scope: Scope, outer: Block, key: Row) -> Sums | None:
    """Describe an inner loop that computes sums. Return None if it cannot compute several outputs at once."""
    _, args, loop = key
    body: Block = loop.body
    if loop.test or loop.carried or loop.reverse or body.results:
        return None
    if loop.extent == DYNAMIC or loop.extent < LEAST_TERMS or len(body.rows) > MOST_ROWS:
        return None
    trips, _, captures = loop.parts(args)
    if any(a >= 0 and (outer.rows[a][0] != "param" or a == outer.params[0]) for a in trips):
        return None
    uses = scope.linkage.program.usage(body).uses
    varying: set[int] = set()
    strides: dict[int, int] = {}
    for param, a in zip(body.params[1:], captures, strict=True):
        of = body.types[param]
        if not uses[param]:
            continue
        is_own = a >= 0 and outer.rows[a][0] != "param"
        if isinstance(of, Acc):
            if of.dims or outer.rows[a][0] != "acc":
                return None
        elif not _is_input(of) or (is_own and not _is_element(of)):
            return None
        elif is_own and isinstance(of, Array):
            strides[param] = bytes_of(of)
        if a == outer.params[0] or (is_own and _is_element(of)):
            varying.add(param)
    index = next((p for p, a in zip(body.params[1:], captures, strict=True) if a == outer.params[0]), ZERO)
    shared = _shared(body, varying, index, uses)
    if shared is None:
        return None
    along = bool(strides) and _runs_along(body, varying, uses)
    return Sums(loop, trips, captures, frozenset(varying), strides, shared, along)


def _runs_along(body: Block, varying: set[int], uses: Sequence[int]) -> bool:
    """True if successive terms of a sum read adjacent elements in memory."""
    own = body.params[0]
    for i, key in enumerate(body.rows):
        op, of = key[0], body.types[i]
        if op == "add_to" or i == own or not (uses[i] or acts(key, checks=True)):
            continue
        if op == "param":
            fits = isinstance(of, Acc) or (i not in varying if of is F64 else isinstance(of, Array))
        elif op == "index":
            fits = body.rows[key[1]][0] == "param" and key[2] == own and of is F64
        else:
            fits = _is_on_lanes(body, i, key) and own not in operands(key)
        if not fits:
            return False
    return True


def _shared(body: Block, varying: set[int], index: int, uses: Sequence[int]) -> tuple[int, ...] | None:
    """Find the rows with values that differ from output to output, and add them to `varying`.

    Returns all other rows that these rows read, except parameters. Returns None if there is a row that we
    cannot write for several outputs.

    index: the parameter of the inner loop that is the number of the output, or ZERO if there is none.
    """
    shared: set[int] = set()
    rows, types = body.rows, body.types
    for i in range(1, len(rows)):
        key = rows[i]
        if key[0] == "param" or not (uses[i] or key[0] == "add_to" or acts(key, checks=True)):
            continue
        if key[0] != "add_to" and varying.isdisjoint(operands(key)):
            if key[0] not in _TERMS and not _is_on_lanes(body, i, key):
                return None
            continue
        reads = _read_by_varying(body, i, varying, index)
        if reads is None:
            return None
        if key[0] != "add_to":
            varying.add(i)
        for a in reads:
            if a >= 0 and a not in varying and rows[a][0] != "param":
                if types[a] is not F64 and not isinstance(types[a], Array | I32):
                    return None
                shared.add(a)
    return tuple(sorted(shared))


def _read_by_varying(body: Block, i: int, varying: set[int], index: int) -> Sequence[int] | None:
    """Return the rows that row i reads for each output. Return None if lanes cannot compute row i."""
    key = body.rows[i]
    if key[0] == "add_to":
        return key[2:] if body.rows[key[1]][0] == "param" else None
    if key[0] == "index":
        if body.types[i] is not F64:
            return None
        if key[1] in varying:
            return key[2:] if key[2] not in varying else None
        return key[1:2] if key[2] == index else None
    return operands(key) if _is_on_lanes(body, i, key) and index not in operands(key) else None
