"""Replace arrays that have only one element other than 0 by comparisons of indices.

Forward mode often differentiates with respect to one element of an array. Then the array's tangent is 1 in
this element and 0 in all others. We do not store this tangent, but compute its elements by comparisons:

    v = update zeros j 1.0         select (ieq i j) 1.0 0.0
    index v i

This also saves the time to fill the array with zeros for each direction.
"""

from __future__ import annotations

from collections.abc import Callable

from eglantine.analysis.liveness import live_rows
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, with_bodies
from eglantine.ir.row_types import F64, ZERO, Array
from eglantine.rewrite.copying import copied
from eglantine.rewrite.environment import Env, Options


def without_units(block: Block) -> Block:
    """Replace arrays that have only one element other than 0, if they are only read element by element.

    We also do this in all bodies of the block.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    units = {i for i, row in enumerate(block.rows) if row[0] == "update" and _is_unit(block, i)}
    if units:
        block = copied(block, Options(instead=_comparing(block, units)))
        block = copied(block, Options(hoist=True), live_rows(block, traps=True), rounds=True)
    return with_bodies(block, without_units)


def _is_unit(block: Block, i: int) -> bool:
    """True if row i sets one element of an array of zeros, and only reads of elements use the array."""
    _, array, _, _ = block.rows[i]
    if block.rows[array][0] != "zeros" or block.types[i] != Array(F64, block.types[i].dims[:1]):
        return False
    is_captured = any(row[0] in NESTING and i in row[1] for row in block.rows)
    return is_captured and _is_only_read(block, i)


def _is_only_read(block: Block, array: int) -> bool:
    """True if a block and its bodies read single elements of an array, and never use the whole array."""
    if array in block.results:
        return False
    for row in block.rows:
        if array not in operands(row):
            continue
        if row[0] in NESTING:
            first = (
                len(row[1]) - len(row[2].blocks[0].params) + (1 + row[2].carried if row[0] == "loop" else 0)
            )
            if array in row[1][:first]:
                return False
            captured = [k - len(row[1]) for k, a in enumerate(row[1]) if a == array]
            if not all(_is_only_read(inner, inner.params[k]) for inner in row[2].blocks for k in captured):
                return False
        elif row[0] != "index":
            return False
    return True


def _comparing(outer: Block, units: set[int]) -> Callable[[Block, int, Builder, Env], int | None]:
    """Return a function for `Options.instead` that replaces reads of elements of `units` by comparisons."""
    made: dict[int, tuple[int, int]] = {}
    builders: list[Builder] = []

    def instead(block: Block, i: int, b: Builder, env: Env) -> int | None:
        row = block.rows[i]
        if block is outer and i in units:
            _, array, j, x = row
            unit = b.update(env[array], env[j], env[x])
            made[unit] = env[j], env[x]
            builders[:] = [b]
            return unit
        if row[0] != "index" or not made:
            return None
        chain = [b]
        array = env[row[1]]
        while array > 0 and chain[-1] is not builders[0] and (key := chain[-1].rows[array])[0] == "param":
            inner = chain[-1]
            place = key[1] - len(inner.params) + len(inner.captured)
            if place < 0 or inner.parent is None:
                return None
            array = inner.captured[place]
            chain.append(inner.parent)
        if chain[-1] is not builders[0] or array not in made:
            return None
        j, x = made[array]
        for inner in reversed(chain[:-1]):
            j, x = inner.capture(j), inner.capture(x)
        return b.select(b.bi("ieq", env[row[2]], j), x, b.const(0.0)) or ZERO

    return instead
