"""Replace an accumulator by an array that a loop stacks, if only one term is added to each element.

Reverse mode adds the cotangents of an array's elements to an accumulator. In most programs it adds only one
term to each element. A loop that stacks these terms needs no zeros in memory, and `joining` can join it with
the loop that reads the array:

    a = acc                                a = loop i: yield 0.0 + x
    loop i: add_to (acc_index a i) x

A loop also replaces an addition of a whole array to an accumulator. No bit of a result changes: after its
first term x, an accumulator also holds 0.0 + x. If x is −0.0, both are 0.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from eglantine.analysis.liveness import uses_by_rows
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, Loop, with_bodies, with_rows
from eglantine.ir.row_types import DYNAMIC, F64, I32, Array, Row
from eglantine.rewrite.copying import rewritten
from eglantine.rewrite.environment import Env


def stacked(block: Block) -> Block:
    """Replace accumulators of a block, and of all bodies in it, by stacked arrays.

    Rows that are no longer needed are not removed.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    if block.operations >= {"acc", "acc_read"}:
        block = _with_sums_of_arrays(_with_stacks(block))
    return with_bodies(block, stacked)


# ---------------------------------------------------------------- elements


def _with_stacks(block: Block) -> Block:
    """Make the loops of a block return arrays of terms, and no longer add to accumulators."""
    uses = uses_by_rows(block)
    rows = list(block.rows)
    for i, row in enumerate(block.rows):
        if row[0] != "loop" or row[2].test or row[2].carried:
            continue
        loop: Loop = row[2]
        for param, acc in loop.captured(row[1]):
            if acc > 0 and block.rows[acc][0] == "acc" and uses[acc] == 1 and block.types[acc].dims:
                made = _stacking(loop, param, block.types[acc].dims)
                if made is not None:
                    read, place = ("acc_read", acc), ("proj", i, len(loop.body.results))
                    rows = [place if key == read else key for key in rows]
                    loop = made
        rows[i] = (row[0], row[1], loop)
    return with_rows(block, rows) if rows != list(block.rows) else block


def _stacking(loop: Loop, param: int, dims: Sequence[int]) -> Loop | None:
    """Make a loop return an array of terms, and no longer add them to the accumulator `param`.

    Returns None unless the loop adds exactly one term to each element.
    """
    body = loop.body
    if loop.test or loop.carried or loop.count != dims[0] or loop.extent == DYNAMIC:
        return None
    wanted = ("acc_index", param, body.params[0])
    if wanted not in body.rows:
        return None
    view, uses = body.rows.index(wanted), uses_by_rows(body)
    if uses[param] != 1 or uses[view] != 1:
        return None
    i = next(i for i in range(view + 1, len(body.rows)) if view in operands(body.rows[i]))
    user = body.rows[i]
    rows, types = list(body.rows), list(body.types)
    if len(dims) == 1 and user[0] == "add_to":
        rows[i] = ("add", ~len(body.consts), user[2])
        types[i] = F64
        new = replace(body, consts=(*body.consts, 0.0), const_types=(*body.const_types, F64))
        return _yielding(loop, new, rows, types, i)
    if len(dims) > 1 and user[0] == "loop":
        inner: Loop = user[2]
        params = [p for p, a in inner.captured(user[1]) if a == view]
        made = _stacking(inner, params[0], dims[1:]) if len(params) == 1 else None
        if made is not None:
            rows[i] = (user[0], user[1], made)
            rows.append(("proj", i, len(inner.body.results)))
            types.append(Array(F64, tuple(dims[1:])))
            new = replace(body, sources=(*body.sources, body.sources[i]))
            return _yielding(loop, new, rows, types, len(rows) - 1)
    return None


def _yielding(loop: Loop, body: Block, rows: list[Row], types: list[Any], result: int) -> Loop:
    """Replace the rows of a loop's body, and add the row `result` to the results of the loop."""
    results = *body.results, result
    new = Block(tuple(rows), tuple(types), body.sources, body.consts, body.const_types, body.params, results)
    return loop.with_body(new)


# ---------------------------------------------------------------- whole arrays


def _with_sums_of_arrays(block: Block) -> Block:
    """Replace additions of whole arrays to an accumulator by nested loops that add element by element."""
    added: dict[int, list[int]] = {}
    for i, row in enumerate(block.rows):
        if row[0] == "add_to" and isinstance(block.type_of(row[2]), Array):
            added.setdefault(row[1], []).append(i)
    uses = uses_by_rows(block) if added else []
    whole = {
        acc: places
        for acc, places in added.items()
        if block.rows[acc][0] == "acc" and uses[acc] == len(places)
    }
    if not whole:
        return block
    reads = {
        i: [block.rows[k][2] for k in whole[row[1]]]
        for i, row in enumerate(block.rows) if row[0] == "acc_read" and row[1] in whole
    }  # fmt: skip
    return rewritten(block, _sum_of_arrays, reads, {i for places in whole.values() for i in places})


def _sum_of_arrays(block: Block, i: int, b: Builder, env: Env, arrays: Sequence[int]) -> Any:
    """Build the loops that add arrays."""
    return _nest(b, [env[a] for a in arrays], block.types[i].dims)


def _nest(b: Builder, terms: Sequence[int], dims: Sequence[int]) -> int:
    if not dims:
        total = b.const(0.0)
        for x in terms:
            total = b.add(total, x)
        return total
    body = Builder(b)
    index = body.param(I32(0, dims[0] - 1))
    element = _nest(body, [body.index(body.capture(a), index) for a in terms], dims[1:])
    loop = Loop(body.finish([element]), dims[0], dims[0], False, 0)
    made: int = b.loop(loop, body.captured)[0]
    return made
