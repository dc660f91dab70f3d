"""Before the reverse sweep, move a row into a loop if only the loop uses it, and only under a condition.

Before                                            After
    root = sqrt(x)
    y = loop i: select(v[i] > 0, root, 0)             y = loop i: select(v[i] > 0, sqrt(x), 0)

Before the move, `root` always seems to matter. So sqrt(x) is differentiated even if no round chooses the
root, and the derivative may be infinite. After the move, the root matters only in rounds that choose it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.analysis.conditions import When, conditions
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES, operands
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO, Array
from eglantine.rewrite.copying import copy_rows, rewritten
from eglantine.rewrite.environment import PLAIN, Env
from eglantine.rewrite.moving import capture_or_move
from eglantine.rewrite.nested import finish_loop, loop_body

_FINITE = frozenset({"add", "sub", "mul", "neg", "min", "max", "real_i1", "real_i32", "param"})
"""Operations whose derivatives are finite if their operands are finite.

If all rows that could move have such operations, we move none.
"""

Chosen = dict[int, set[int]]
"""For loop rows, the parameters of their bodies that are used only under conditions."""


def sunk(block: Block) -> Block:
    """Move rows into the loops that use them, if all uses are in loops and under conditions."""
    chosen = {
        i: params for i, row in enumerate(block.rows) if row[0] == "loop" and (params := _chosen(row[2]))
    }
    moved = _moved(block, chosen) if chosen else set()
    if all(block.rows[a][0] in _FINITE for a in moved):
        return block
    loops = {i: moved for i in chosen if not moved.isdisjoint(block.rows[i][1])}
    return rewritten(block, _with_moved, loops, moved)


def _chosen(loop: Any) -> set[int]:
    """Find the captured parameters that a loop uses only under conditions, and not in its test."""
    when = conditions(loop.body)
    chosen = _used_by_choice(loop.body, when, 1 + loop.carried) if when else set()
    if loop.test and chosen:
        tested = {*loop.test.results, *(a for row in loop.test.rows for a in operands(row))}
        pairs = zip(loop.body.params, loop.test.params, strict=True)
        chosen -= {param for param, same in pairs if same in tested}
    return chosen


def _used_by_choice(body: Block, when: When, own: int) -> set[int]:
    """Find the captured parameters that a body and its inner loops use only under conditions.

    own: the number of the body's parameters that come before the captured ones.
    """
    captured = body.params[own:]
    always = {a for a in body.results if a > 0}
    for row in body.rows:
        if row[0] == "loop":
            chosen = _chosen(row[2])
            trips, inits, _ = row[2].parts(row[1])
            always.update((*trips, *inits))
            always.update(a for param, a in row[2].captured(row[1]) if param not in chosen)
        else:
            always.update(operands(row))
    uses = dict(zip(captured, when.params[own:], strict=True))
    return {a for a in captured if (use := uses[a]) is not None and (use or a not in always)}


def _moved(block: Block, chosen: Chosen) -> set[int]:
    """Find the scalar rows that can move into loops.

    A row can move if all its uses are in other moved rows, or in loops that use it only under conditions.
    """
    moved: set[int] = set()
    used: set[int] = set()
    stays = {a for a in block.results if a > 0}
    for i in range(len(block.rows) - 1, 0, -1):
        row = block.rows[i]
        if i in used and i not in stays and _is_movable(block, i):
            moved.add(i)
            used.update(operands(row))
        elif i in chosen:
            loop = row[2]
            trips, inits, _ = loop.parts(row[1])
            stays.update((*trips, *inits))
            for param, a in loop.captured(row[1]):
                (used if param in chosen[i] else stays).add(a)
        else:
            stays.update(operands(row))
    return moved


def _is_movable(block: Block, i: int) -> bool:
    op = block.rows[i][0]
    return (op in PRIMITIVES or op in ("powi", "select", "index")) and not isinstance(block.types[i], Array)


def _with_moved(block: Block, i: int, b: Builder, env: Env, moved: set[int]) -> Sequence[int]:
    """Copy loop i into `b`, so that its body computes the `moved` rows itself. Return the loop's results."""
    _, args, loop = block.rows[i]
    trips, inits, captures = loop.parts(args)
    own = 1 + loop.carried
    body = loop_body(loop.body, b, loop.body.params[:own])
    capture_or_move(body, loop.captured(args), block, env, moved)
    copy_rows(loop.body, body.b, body.env, PLAIN, None)
    copies = [body]
    if loop.test:
        test = loop_body(loop.test, b, loop.test.params[:own])
        for param, a in zip(loop.test.params[own:], captures, strict=True):
            test.env[param] = ZERO if a in moved else test.b.capture(env[a])  # a test reads no moved row
        copy_rows(loop.test, test.b, test.env, PLAIN, None)
        copies.append(test)
    starts = [env[a] for a in (*trips, *inits)]
    return finish_loop(
        b, loop, loop.count, starts, [copy.b for copy in copies], [copy.results() for copy in copies]
    )
