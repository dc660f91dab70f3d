"""Replace calls by the bodies of the called functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.program import NESTING, Block, Function, with_bodies
from eglantine.ir.row_types import ZERO, Acc, ScalarType

from .environment import renamed


def _is_pure(function: Function) -> bool:
    """True if calls of a function with equal arguments give equal results and have no effects."""
    return function.pure and not any(isinstance(of, Acc) for of in function.leaf_params)


_Call = tuple[Function, tuple[int, ...]]
"""A function with its arguments, as rows of the new block."""


def called_in_place(block: Block, placed: Callable[[Function], Function | Block | None]) -> Block:
    """Replace calls in a block by the bodies of the called functions.

    Calls of a pure function with equal arguments share one copy of its body. A long chain of calls does not
    exhaust Python's stack, because we keep the callers in a list. `copied` can simplify the result.

    placed: a function that takes a called function. It returns the block that replaces the calls of this
        function, or the function to call instead.
    """
    block = _bodies_in_place(block, placed)
    return _in_place(block, placed) if "call" in block.operations else block


def _bodies_in_place(block: Block, placed: Callable[[Function], Function | Block | None]) -> Block:
    if block.operations.isdisjoint(NESTING):
        return block
    return with_bodies(block, lambda body: called_in_place(body, placed))


def _in_place(caller: Block, placed: Callable[[Function], Function | Block | None]) -> Block:
    """Replace the calls in a block. Calls in the bodies of its loops and branches stay unchanged."""

    def entered(block: Block) -> tuple[Block, list[Any], Iterator[int]]:
        env: list[Any] = [ZERO] + [None] * (len(block.rows) - 1)
        env += range(~len(consts) - len(block.consts) + 1, ~len(consts) + 1)
        consts.extend(block.consts)
        const_types.extend(block.const_types)
        return block, env, iter(range(1, len(block.rows)))

    consts: list[Any] = []
    const_types: list[ScalarType] = []
    rows, types, sources = [caller.rows[0]], [caller.types[0]], [caller.sources[0]]
    callers: list[tuple[Block, list[Any], Iterator[int], int, _Call]] = []
    known: dict[_Call, list[Any]] = {}
    block, env, pending = entered(caller)
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
                    args = [env[a] for a in row[1]]
                    call = (row[2], tuple(args))
                    if call in known and _is_pure(row[2]):
                        env[i] = known[call]
                        continue
                    callers.append((block, env, pending, i, call))
                    block, env, pending = entered(_bodies_in_place(replacement, placed))
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
            block, env, pending, i, call = callers.pop()
            env[i] = known[call] = results
    params = tuple([env[a] for a in caller.params])
    return Block(
        tuple(rows), tuple(types), tuple(sources), tuple(consts), tuple(const_types), params, tuple(results)
    )
