"""Choose the values that a forward loop stores in each round for the reverse loop (the *residuals*).

The reverse of a loop always needs the carry of each round. A *dear* value takes long to compute: it is the
result of a library function, a call, a loop or a branch. We also store dear values if memory allows. The
reverse computes all other values again.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import prod

from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import Block, Loop, loop_results, with_results
from eglantine.ir.row_types import BYTES, F64, I64, RowType
from eglantine.ir.rules import LIBRARY
from eglantine.rewrite.effects import impure_rows

from .extension import Extension

UPDATES = ("update", "update_add")

MOST_BYTES = 1 << 22
"""The most bytes that a loop with a carry may use to store values of its inner loops."""

MOST_OF_INDEPENDENT = 1 << 20
"""The most bytes that a loop without a carry may use to store values."""

WORTH = 16
"""The least time that storing a number must save. The unit is the time of one addition."""

_LIBRARY = frozenset(name for name, primitive in PRIMITIVES.items() if primitive.wasm is LIBRARY)

LONGEST = 20
LONGER = {"div": 4, "sqrt": 4, "call": 20, "param": 0, "zero": 0, **dict.fromkeys(_LIBRARY, LONGEST)}
"""The times of operations. The unit is the time of one addition, and operations not listed here take 1.

LONGEST is the time of a library function.
"""

_DEAR = _LIBRARY | {"proj", "acc_read"}
"""The operations of dear rows."""

LONG = 1 << 16
"""The least extent of a long loop. A loop around a long loop does not store the long loop's values in each
round."""

Path = tuple[int, ...]
"""The path to a row. For a row of the body it is (row,), for a row of a loop in it (loop, row), and so on."""

Stored = dict[Path, int]
"""For the path of each stored row, the row with the array of its values."""


def augmented(forward: Loop, loop: Loop, known: AbstractSet[Path]) -> tuple[Loop, Stored]:
    """Extend a forward loop, so that it also returns the carry and the expensive rows of each round.

    Return the new loop, and a dict. For the path of each stored row, the dict contains the position of the
    row's array among the results. A later pass removes arrays that nothing reads.
    forward: the loop to extend. loop: the loop that we differentiate. It has the same rows, and may also have
        effects.
    known: the paths of rows that are stored already.
    """
    body, carry = loop.body, loop.params.carries
    room = (MOST_BYTES if loop.carried else MOST_OF_INDEPENDENT) // max(min(loop.extent, LONG), 1)
    if loop.carried:
        dear = [*_dear_rows(body), *_reads_of_updated(loop)]
    else:  # The rounds are independent. The reverse can compute all values again.
        dear = _dear_rows(body) if loop.extent < LONG else []
        room -= BYTES["f64"] * len(dear)
        dear = list(dict.fromkeys((*impure_rows(body), *(dear if room >= 0 else ()))))
    block = forward.body
    keys: Stored = {(row,): row for row in (*carry, *dear) if (row,) not in known}
    if loop.extent < LONG or loop.carried:
        block, more = _revealed(block, body, room, known)
        keys |= more
    results = list(block.results)
    at = {row: k for k, row in enumerate(results) if k >= loop.carried}
    for row in keys.values():
        if row not in at:
            at[row] = len(results)
            results.append(row)
    if len(results) > len(forward.body.results):
        forward = forward.with_body(with_results(block, results))
    return forward, {path: at[row] for path, row in keys.items()}


def _revealed(body: Block, old: Block, room: int, known: AbstractSet[Path]) -> tuple[Block, Stored]:
    """Let inner loops without a carry also return their expensive rows. Choose small arrays first.

    Return the new body, and a dict. For the path of each expensive row, the dict contains the row that reads
    its array.
    body: the body of the forward loop. old: the body of the loop that we differentiate, with the same rows.
    room: the number of bytes that all arrays of one round may use together.
    known: the paths of rows that are stored already.
    """
    wanted: list[Path] = []
    for size, path in sorted(_dear_in_loops(old)):
        if size <= room and path not in known:
            room -= size
            wanted.append(path)
    return _stacking(body, wanted) if wanted else (body, {})


def _stacking(body: Block, paths: Sequence[Path]) -> tuple[Block, Stored]:
    """Let the loops in a body also return arrays of the rows that `paths` lists.

    Return the new body, and a dict: path → the row with its array. A path contains a loop in the body, the
    loops nested in it, and the row.
    """
    extension = Extension(body)
    stored: Stored = {}
    for i in dict.fromkeys(path[0] for path in paths):
        loop = body.rows[i][2]
        below = [path[1:] for path in paths if path[0] == i]
        block, deeper = _stacking(loop.body, [path for path in below if len(path) > 1])
        keys = {path: path[0] for path in below if len(path) == 1} | deeper
        results = list(block.results)
        results += [row for row in dict.fromkeys(keys.values()) if row not in results]
        loop = loop.with_body(with_results(block, results))
        extension.replace(i, loop)
        for path, row in keys.items():
            k = results.index(row)
            array = extension.read(i, k, loop_results(loop)[k])
            stored[(i, *path) if array >= len(body.rows) else (array,)] = array
    return extension.block() if stored else body, stored


def _dear_in_loops(body: Block) -> list[tuple[int, Path]]:
    """List the expensive rows in a body's loops, as pairs (bytes, path). Skip loops that have a carry."""
    sized = []
    for i, row in enumerate(body.rows):
        if row[0] == "loop" and not row[2].carried and row[2].extent < LONG:
            inner = row[2].body
            rows = [(BYTES["f64"], (j,)) for j in _dear_rows(inner) if not _is_chosen(inner, j)]
            paths = {path for _, path in rows}
            rows += [(_bytes(inner.types[j]), (j,)) for j in dear_results(row[2]) if (j,) not in paths]
            sized += [(row[2].extent * size, (i, *path)) for size, path in [*rows, *_dear_in_loops(inner)]]
    return sized


def _dear_rows(body: Block) -> list[int]:
    """List the rows of a body for which `is_dear` is true."""
    types = body.types
    return [i for i, row in enumerate(body.rows) if row[0] in _DEAR and types[i] is F64]


def _is_chosen(body: Block, i: int) -> bool:
    """True if row i is a result of a branch."""
    row = body.rows[i]
    return bool(row[0] == "proj" and body.rows[row[1]][0] == "cond")


def dear_results(loop: Loop) -> list[int]:
    """Among the rows that a loop returns as arrays, list those that are expensive for their size."""
    body = loop.body
    of_real = [row for row in dict.fromkeys(body.results) if row > 0 and body.types[row].leaf is F64]
    cost = _cost(body) if of_real else 0
    return [
        row for row in of_real
        if is_dear(body, row) or cost * BYTES["f64"] >= WORTH * _bytes(body.types[row])
    ]  # fmt: skip


def _bytes(of: RowType) -> int:
    return BYTES["f64"] * prod(of.dims)


def _cost(body: Block) -> int:
    """Estimate the work of a body. The unit is one addition."""
    cost = 0
    pending = [(1, body)]
    while pending:
        times, block = pending.pop()
        for row in block.rows:
            cost += times * LONGER.get(row[0], 1)
            if row[0] in ("loop", "cond"):
                pending += [
                    (times * min(getattr(row[2], "extent", 1), LONG), inner) for inner in row[2].blocks
                ]
    return cost


def is_dear(body: Block, i: int) -> bool:
    """True if row i is a Real that is the result of a library function, a call, a loop or a branch."""
    op = body.rows[i][0]
    return body.types[i] is F64 and op in _DEAR


def _reads_of_updated(loop: Loop) -> list[int]:
    """Find the rows that read an element of a carried array, if the loop updates this array in each round.

    Storing these elements takes less memory than storing the arrays. If the loop uses an array in any other
    way, omit the rows that read it.
    """
    body, params = loop.body, loop.params.carries
    arrays = {
        param: param for param, new in zip(params, body.results, strict=False)
        if new > 0 and body.rows[new][0] in UPDATES
    }  # fmt: skip
    reads: dict[int, int] = {}
    kept: set[int] = set()
    for i, row in enumerate(body.rows):
        if row[0] == "index" and row[1] in arrays and body.types[i] in (F64, I64):
            reads[i] = arrays[row[1]]
            continue
        others = operands(row)
        if row[0] in ("index", *UPDATES) and row[1] in arrays:
            arrays[i] = array = arrays[row[1]]
            # The loop may update a row of a matrix and write the row back into the same matrix. This
            # does not count as a use of the whole row.
            others = tuple([a for a in others if arrays.get(a) != array])
        kept.update(arrays[a] for a in others if a in arrays)
    return [i for i, array in reads.items() if array not in kept]
