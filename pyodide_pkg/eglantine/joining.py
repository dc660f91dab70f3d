"""Neighbouring loops over the same rounds, joined into one, so that what both compute is computed once.

A value's loop and that of its gradient compute the same distances. Where neither has a carry, nor the second
needs what the first makes, a round of the one followed by a round of the other gives the same bits: each
accumulator still gets its terms in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .build import Builder, Results
from .ir import ACTIONS, NESTING, Array, Block, Loop, Row, is_growing, size_of
from .liveness import acc_root
from .primitives import operands
from .rewrite import PLAIN, Env, copy_row, copy_rows, new_env

LARGEST_BODY = 300
"""The most rows of a body that is joined with another."""


def joined(block: Block) -> Block:
    """The block with neighbouring loops joined, those of its bodies likewise."""
    while not block.operations.isdisjoint(NESTING) and (pair := _pair(block)):
        block = _with_joined(block, *pair)
    rows = list(block.rows)
    for i, row in enumerate(rows if not block.operations.isdisjoint(NESTING) else ()):
        if row[0] == "loop":
            body = joined(row[2].body)
            if body is not row[2].body:
                rows[i] = (*row[:2], replace(row[2], body=body))
        elif row[0] == "cond":
            arms = joined(row[2].then), joined(row[2].orelse)
            if arms != row[2].blocks:
                rows[i] = (*row[:2], replace(row[2], then=arms[0], orelse=arms[1]))
    return block if rows == list(block.rows) else replace(block, rows=tuple(rows))


def _pair(block: Block) -> tuple[int, int, set[int]] | None:
    """Two loops to be joined, and the rows between them that have to come after both."""
    before: dict[Any, int] = {}
    for j, row in enumerate(block.rows):
        if row[0] == "loop" and _is_free(row[2]):
            loop = row[2]
            key = (row[1][: loop.first_init], loop.count, loop.extent, loop.reverse)
            i = before.get(key)
            if i is not None and _share(block, i, j):
                late = _late(block, i, j)
                if late is not None:
                    return i, j, late
            before[key] = j
    return None


def _is_free(loop: Loop) -> bool:
    """Whether a loop's rounds are independent and do nothing but compute and add."""
    if loop.test or loop.carried or any(is_growing(of) for of in loop.body.types):
        return False
    return size_of(loop.body) <= LARGEST_BODY and not _acts(loop.body.rows)


def _acts(rows: Sequence[Row]) -> bool:
    """Whether rows may trap or act on the world."""
    pending = list(rows)
    while pending:
        row = pending.pop()
        if row[0] in ACTIONS or row[0] == "check" or (row[0] == "call" and not row[2].pure):
            return True
        if row[0] in NESTING:
            pending += (inner for block in row[2].blocks for inner in block.rows)
    return False


def _share(block: Block, i: int, j: int) -> bool:
    """Whether both loops read one array."""
    shared = set(block.rows[i][1]).intersection(block.rows[j][1])
    return any(isinstance(block.type_of(a), Array) for a in shared)


def _late(block: Block, i: int, j: int) -> set[int] | None:
    """The rows between loops i and j that need i; None if j does too, or if one of them acts."""
    late = {i}
    accs = _accumulators(block, i)
    for k in range(i + 1, j + 1):
        row = block.rows[k]
        touched = _accumulators(block, k)
        if not (late.isdisjoint(operands(row)) and accs.isdisjoint(touched)):
            late.add(k)
            accs |= touched
    return None if j in late or _acts(block.rows[i:j]) else late - {i}


def _accumulators(block: Block, i: int) -> set[int]:
    """The accumulators that a row adds to, reads, or is a part of."""
    types = block.types
    return {acc_root(block, a) for a in operands(block.rows[i]) if a > 0 and types[a].dtype == "acc"}


def _with_joined(block: Block, i: int, j: int, late: set[int]) -> Block:
    b = Builder()
    b.rounds = True
    env = new_env(block, b)
    for param in block.params:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    for k in range(1, len(block.rows)):
        if k == j:
            b.source = block.sources[k]
            env[i], env[j] = _joined_loops(block, (i, j), b, env)
            for other in sorted(late):
                copy_row(block, other, b, env, PLAIN, None)
        elif env[k] is None and k != i and k not in late:
            copy_row(block, k, b, env, PLAIN, None)
    return b.finish([env[row] for row in block.results])


def _joined_loops(block: Block, pair: tuple[int, int], b: Builder, env: Env) -> Sequence[Results]:
    """One loop in `b` with the rounds of two; the results of each."""
    loop: Loop = block.rows[pair[0]][2]
    body = Builder(b)
    body.rounds = True
    index = body.param(loop.body.types[loop.body.params[0]])
    results: list[list[int]] = []
    for i in pair:
        _, args, one = block.rows[i]
        inner = new_env(one.body, body)
        inner[one.body.params[0]] = index
        for param, a in zip(one.body.params[1:], args[loop.first_init :], strict=True):
            inner[param] = body.capture(env[a])
        copy_rows(one.body, body, inner, PLAIN, None)
        results.append([inner[a] for a in one.body.results])
    new = replace(loop, body=body.finish([a for of_one in results for a in of_one]))
    counts = [env[a] for a in block.rows[pair[0]][1][: loop.first_init]]
    found = b.loop(new, [*counts, *body.captured])
    n = len(results[0])
    return Results(found.row, found[:n]), Results(found.row, found[n:])
