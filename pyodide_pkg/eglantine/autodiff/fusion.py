"""Before the reverse sweep, move a loop into the loops that read its elements under a condition.

Before                                            After
    roots = loop i: sqrt(v[i])
    y = loop i: select(v[i] > 0, roots[i], 0)         y = loop i: select(v[i] > 0, sqrt(v[i]), 0)

Before the move, every element of `roots` seems to matter. So sqrt(v[i]) is differentiated even if v[i] is 0,
and its derivative is then infinite. After the move, the root matters only if `select` chooses it. In all
other cases `masks` replaces the root's contribution by 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.analysis.conditions import conditions
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import operands
from eglantine.ir.program import NESTING, Block, has_effects, with_bodies
from eglantine.ir.row_types import Array
from eglantine.rewrite.copying import copy_row, inline, rewritten
from eglantine.rewrite.environment import PLAIN, Env
from eglantine.rewrite.nested import finish_loop, loop_body

from .arms import with_rows_in_arms
from .growing import place_of
from .sinking import sunk

LARGEST_BODY = 300
"""The largest number of rows of a loop's body that we put into the body of another loop."""

Fused = dict[int, set[int]]
"""The parameters of each loop's body whose elements we compute in the body."""


def fused(block: Block) -> Block:
    """Move each loop into the loops that read its elements under a condition, also in nested blocks."""
    if block.operations.isdisjoint(NESTING):
        return block
    block = sunk(with_rows_in_arms(block))
    block = with_bodies(block, fused)
    if [row[0] for row in block.rows].count("loop") < 2:
        return block
    wanted = _wanted(block)
    return rewritten(block, _with_producers, wanted) if wanted else block


def _wanted(block: Block) -> Fused:
    """Find each loop whose body reads elements of an earlier loop's array, in an arm of a condition.

    Return a dict from each such loop to those parameters of its body that are arrays of earlier loops. An
    earlier loop may be in the dict too.
    """
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
            reads = _read(block, i)
            pending.extend(producer for _, producer in reads)
            if reads:
                wanted[i] = {param for param, _ in reads}
    return wanted


def _read(block: Block, i: int) -> list[tuple[int, int]]:
    """Find the arrays of other loops, if loop i reads only single elements of them.

    Return pairs: the array's parameter in the body of loop i, and the row of the loop that makes the array.
    """
    _, args, loop = block.rows[i]
    if loop.test:
        return []
    made_by_loops = [
        (param, block.rows[a][1])
        for param, a in loop.captured(args) if a > 0 and _is_element_wise(block, a)
    ]  # fmt: skip
    if not made_by_loops:
        return []
    used_whole = {a for a in loop.body.results if a > 0}
    for row in loop.body.rows:
        used_whole.update(operands(row)[1:] if row[0] == "index" else operands(row))
    return [(param, producer) for param, producer in made_by_loops if param not in used_whole]


def _is_element_wise(block: Block, a: int) -> bool:
    """True if a row is an array that a loop fills, one element in each round.

    The loop must have at least one round. Its rounds must be independent and have no effects.
    """
    if block.rows[a][0] != "proj" or not isinstance(block.types[a], Array):
        return False
    loop_row = block.rows[block.rows[a][1]]
    if loop_row[0] != "loop":
        return False
    loop = loop_row[2]
    return (
        bool(loop.count) and not loop.carried and not loop.test
        and len(loop.body.rows) <= LARGEST_BODY
        and not any(of.dtype == "acc" for of in loop.body.param_types)
        and not has_effects(loop.body, checks=True)
    )  # fmt: skip


def _with_producers(block: Block, i: int, b: Builder, env: Env, params: set[int]) -> Sequence[int]:
    """Copy loop i into `b`. Compute the elements of the arrays in `params` instead of reading them."""
    _, args, loop = block.rows[i]
    trips, inits, _ = loop.parts([env[a] for a in args])
    copy = loop_body(loop.body, b, loop.body.params[: 1 + loop.carried])
    _, body, inner = copy
    producers = {}
    for param, a in loop.captured(args):
        producer = b.rows[place_of(env[block.rows[a][1]])] if param in params else None
        if producer is not None and len(producer[2].body.rows) <= LARGEST_BODY:
            producers[param] = (producer, block.rows[a][2])
        else:
            inner[param] = body.capture(env[a])
    elements: dict[Any, list[int]] = {}
    for j, row in enumerate(loop.body.rows):
        if row[0] == "index" and row[1] in producers:
            body.source = loop.body.sources[j]
            producer, k = producers[row[1]]
            key = (producer, inner[row[2]])
            if key not in elements:
                captures = producer[2].parts(producer[1]).captures
                elements[key] = inline(producer[2].body, body, [key[1], *map(body.capture, captures)])[1]
            inner[j] = elements[key][k]
        elif inner[j] is None and j not in producers:
            copy_row(loop.body, j, body, inner, PLAIN, None)
    return finish_loop(b, loop, loop.count, [*trips, *inits], [body], [copy.results()])
