"""Replace calls by the bodies of the called functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import Block, Function, with_bodies
from eglantine.ir.row_types import ZERO, RowType

from .environment import Env, renamed


def called_in_place(block: Block, placed: Callable[[Function], Function | Block | None]) -> Block:
    """Replace calls in a block by the bodies of the called functions.

    This is a loop with an explicit stack, so a long chain of calls does not exhaust Python's stack. The
    result is not simplified. Use `copied` for that.

    placed: returns the body that replaces calls of a function, or another function to call.
    """

    def entered(block: Block) -> tuple[Block, Env, Iterator[int]]:
        block = with_bodies(block, lambda body: called_in_place(body, placed))
        env: Env = [ZERO] + [None] * (len(block.rows) - 1)
        env += range(~len(consts) - len(block.consts) + 1, ~len(consts) + 1)
        consts.extend(block.consts)
        const_types.extend(block.const_types)
        return block, env, iter(range(1, len(block.rows)))

    caller = block
    consts: list[Any] = []
    const_types: list[RowType] = []
    rows, types, sources = [block.rows[0]], [block.types[0]], [block.sources[0]]
    callers: list[tuple[Block, Env, Iterator[int], int]] = []
    block, env, pending = entered(block)
    if "call" not in block.operations:
        return block
    while True:
        for i in pending:
            row = block.rows[i]
            op = row[0]
            if op in PRIMITIVES and len(row) == 3:
                env[i] = len(rows)
                rows.append((op, env[row[1]], env[row[2]]))
                types.append(block.types[i])
                sources.append(block.sources[i])
                continue
            if env[i] is not None:
                continue
            if op == "call":
                replacement = placed(row[2])
                if isinstance(replacement, Block):
                    callers.append((block, env, pending, i))
                    args = [env[a] for a in row[1]]
                    block, env, pending = entered(replacement)
                    for param, a in zip(block.params, args, strict=True):
                        env[param] = a
                    break
                row = (op, row[1], replacement)
            if op == "proj" and isinstance(env[row[1]], list):
                env[i] = env[row[1]][row[2]]
                continue
            env[i] = len(rows)
            rows.append(renamed(row, env))
            types.append(block.types[i])
            sources.append(block.sources[i])
        else:
            results = [env[a] for a in block.results]
            if not callers:
                break
            block, env, pending, i = callers.pop()
            env[i] = results
    params = tuple([env[a] for a in caller.params])
    return Block(
        tuple(rows), tuple(types), tuple(sources), tuple(consts), tuple(const_types), params, tuple(results)
    )
