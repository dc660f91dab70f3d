"""Inline functions of the library in loops that can run two rounds at a time.

`emit.lanes` writes such a loop with 128-bit instructions, but a function of the library takes numbers of one
round only. So we replace each call by the rows of the function, which can be computed for two rounds. A
branch of the function becomes selects, because the two rounds may need different arms. If two powers have
the same base, its logarithm is then computed only once.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from eglantine.analysis.liveness import uses_by_rows
from eglantine.emit import lanes
from eglantine.emit.usage import LIBRARY_NAMES
from eglantine.ir.builder import Builder
from eglantine.ir.program import NESTING, Block, Loop, holding, with_rows
from eglantine.ir.row_types import DYNAMIC
from eglantine.mathlib.library import library
from eglantine.rewrite.copying import copied, inline, rewritten
from eglantine.rewrite.environment import Env, Options
from eglantine.rewrite.inlining import called_in_place

LARGEST: Final = 1_000
"""The largest number of rows that a loop's body may have after library functions are inlined in it."""

LEAST_ROUNDS: Final = 200
"""The least number of times that a loop's body must run before we inline library functions in it.

The rounds of the loops around it count too. It takes a millisecond to inline exp and tanh, but this saves
only 8 ns in each round.
"""


def in_lanes(block: Block, around: int = 1) -> Block:
    """Inline library functions in the loops of a block, if `emit.lanes` can then write these loops.

    around: how many times the block runs at most, because of the loops around it. A loop with an unknown
        number of rounds counts as LEAST_ROUNDS rounds.
    """
    if block.operations.isdisjoint(NESTING):
        return block
    rows = list(block.rows)
    for i, row in enumerate(rows):
        if row[0] not in NESTING:
            continue
        info = row[2]
        rounds = around if row[0] == "cond" else around * _most_rounds(info)
        is_worth_it = row[0] == "loop" and rounds >= LEAST_ROUNDS and lanes.is_independent(info)
        made = _with_functions(info.body) if is_worth_it else None
        blocks = [in_lanes(inner, rounds) for inner in info.blocks] if made is None else [made]
        if blocks != list(info.blocks):
            rows[i] = (row[0], row[1], holding(info, blocks))
    return with_rows(block, rows) if rows != list(block.rows) else block


def _most_rounds(loop: Loop) -> int:
    """Return the largest number of rounds of a loop, or LEAST_ROUNDS if the number is not known."""
    if loop.test or loop.extent == DYNAMIC:
        return LEAST_ROUNDS
    return loop.extent if loop.count is None else loop.count


def _with_functions(body: Block) -> Block | None:
    """Inline library functions in a body. Return None if this is not possible or not worthwhile."""
    names = body.operations & LIBRARY_NAMES
    if not names or not body.operations.isdisjoint(NESTING):
        return None
    straight = {name: straightened(name) for name in names}
    size = sum(len(straight[row[0]].rows) if row[0] in straight else 1 for row in body.rows)
    if size > LARGEST or any(block.operations & NESTING for block in straight.values()):
        return None

    def function(block: Block, i: int, b: Builder, env: Env) -> int | None:
        name, *arguments = block.rows[i]
        return inline(straight[name], b, [env[a] for a in arguments])[1][0] if name in straight else None

    made = copied(body, Options(instead=function), rounds=True)
    uses = uses_by_rows(made)
    for a in made.results:
        uses[a] += 1
    return made if lanes.saved_by_rows(made, uses) >= lanes.WORTH else None


@cache
def straightened(name: str) -> Block:
    """Return the block of a library function. Selects replace its branches."""
    return _straight(copied(_inlined(name), Options(lower=True), rounds=True))


def _inlined(name: str) -> Block:
    block = library(name).block
    assert block is not None
    return called_in_place(block, lambda callee: _inlined(callee.name))


def _straight(block: Block) -> Block:
    """Replace branches by selects."""
    return rewritten(block, _both_arms, {i: None for i, row in enumerate(block.rows) if row[0] == "cond"})


def _both_arms(block: Block, i: int, b: Builder, env: Env, _: None) -> list[int]:
    """Compute both arms of branch i, and choose between their results with selects."""
    _, (condition, *captures), cond = block.rows[i]
    arguments = [env[a] for a in captures]
    results = [inline(_straight(arm), b, arguments)[1] for arm in cond.blocks]
    return [b.select(env[condition], x, y) for x, y in zip(*results, strict=True)]
