"""Loops put into the loops that read their elements under a condition, before the reverse sweep.

What `where(v > 0, sqrt(v), 0)` chooses from is an array that an earlier loop made, all of whose elements seem
to matter. With that loop's body in the place where an element is read, only what is chosen does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from eglantine.analysis.conditions import conditions
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, has_effects, with_bodies
from eglantine.ir.row_types import Array
from eglantine.rewrite.copying import copy_row, inline, rewritten
from eglantine.rewrite.environment import PLAIN, Env, begun

from .arms import with_rows_in_arms
from .sinking import sunk

LARGEST_BODY = 300
"""The most rows of a body that is put into another."""

Fused = dict[int, set[int]]
"""For loop rows, the parameters of their bodies in whose place the loops come that made these arrays."""


def fused(block: Block) -> Block:
    """The block with loops put into loops that read them under a condition; its bodies likewise."""
    if block.operations.isdisjoint(NESTING):
        return block
    block = sunk(with_rows_in_arms(block))
    block = with_bodies(block, fused)
    if [row[0] for row in block.rows].count("loop") < 2:
        return block
    wanted = _wanted(block)
    return rewritten(block, _with_producers, wanted) if wanted else block


def _wanted(block: Block) -> Fused:
    """What to put where: what is read under a condition, and what that reads in its turn."""
    when = conditions(block)
    wanted: Fused = {}
    pending = []
    for i, bodies in when.nested.items() if when else ():
        if block.rows[i][0] == "loop" and bodies[0] is not None:
            uses = dict(zip(block.rows[i][2].body.params, bodies[0].params, strict=True))
            for param, producer in _read(block, i):
                if uses[param]:
                    wanted.setdefault(i, set()).add(param)
                    pending.append(producer)
    while pending:
        i = pending.pop()
        if i not in wanted:
            found = _read(block, i)
            pending.extend(producer for _, producer in found)
            if found:
                wanted[i] = {param for param, _ in found}
    return wanted


def _read(block: Block, i: int) -> list[tuple[int, int]]:
    """The parameters of a loop's body of which it only reads elements, and the loops that made them."""
    _, args, loop = block.rows[i]
    if loop.test:
        return []
    found = [
        (param, block.rows[a][1])
        for param, a in loop.captured(args) if a > 0 and _is_element_wise(block, a)
    ]  # fmt: skip
    if not found:
        return []
    whole = {a for a in loop.body.results if a > 0}
    for row in loop.body.rows:
        whole.update(operands(row)[1:] if row[0] == "index" else operands(row))
    return [(param, producer) for param, producer in found if param not in whole]


def _is_element_wise(block: Block, a: int) -> bool:
    """Whether a row is an array that a loop stacks whose rounds are independent and act on nothing."""
    if block.rows[a][0] != "proj" or not isinstance(block.types[a], Array):
        return False
    made = block.rows[block.rows[a][1]]
    return (
        made[0] == "loop" and made[2].count is not None and not made[2].carried and not made[2].test
        and len(made[2].body.rows) <= LARGEST_BODY
        and not any(of.dtype == "acc" for of in made[2].body.param_types)
        and not has_effects(made[2].body, checks=True)
    )  # fmt: skip


def _with_producers(block: Block, i: int, b: Builder, env: Env, params: set[int]) -> Sequence[int]:
    """The results of loop i, copied into `b` with others in the place of the elements of what they made."""
    _, args, loop = block.rows[i]
    trips, inits, _ = loop.parts([env[a] for a in args])
    body, inner = begun(loop.body, b, 1 + loop.carried)
    producers = {}
    for param, a in loop.captured(args):
        made = b.rows[env[block.rows[a][1]].row] if param in params else None
        if made is not None and len(made[2].body.rows) <= LARGEST_BODY:
            producers[param] = (made, block.rows[a][2])
        else:
            inner[param] = body.capture(env[a])
    elements: dict[Any, list[int]] = {}
    for j, row in enumerate(loop.body.rows):
        if row[0] == "index" and row[1] in producers:
            body.source = loop.body.sources[j]
            made, k = producers[row[1]]
            key = (made, inner[row[2]])
            if key not in elements:
                captures = made[2].parts(made[1]).captures
                elements[key] = inline(made[2].body, body, [key[1], *map(body.capture, captures)])[1]
            inner[j] = elements[key][k]
        elif inner[j] is None and j not in producers:
            copy_row(loop.body, j, body, inner, PLAIN, None)
    new = replace(loop, body=body.finish([inner[a] for a in loop.body.results]))
    return b.loop(new, [*trips, *inits, *body.captured])
