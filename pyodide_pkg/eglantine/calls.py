"""The graph of calls, and calls replaced by what they compute; never by recursion along a chain."""

from __future__ import annotations

from typing import Any

from .build import Builder
from .ir import Block, Function
from .rewrite import Options, inline

TINY = 12
"""A function of at most this many rows is put in place of its calls before it is differentiated."""


def callees(block: Block | None) -> list[Function]:
    """The functions with a block that a block calls, once for each call, bodies included."""
    found: list[Function] = []
    pending = [block] if block else []
    while pending:
        for row in pending.pop().rows:
            match row[0]:
                case "call" if row[2].block is not None:
                    found.append(row[2])
                case "loop":
                    pending.append(row[2].body)
                case "cond":
                    pending.extend((row[2].then, row[2].orelse))
    return found


def callees_first(function: Function) -> tuple[list[Function], dict[Function, int]]:
    """The functions with blocks that `function` reaches, callees first, and how often each is called."""
    sites: dict[Function, int] = {}
    order: list[Function] = []
    pending: list[tuple[Function, Any]] = [(function, iter(callees(function.block)))]
    seen = {function}
    while pending:
        caller, rest = pending[-1]
        for callee in rest:
            sites[callee] = sites.get(callee, 0) + 1
            if callee not in seen:
                seen.add(callee)
                pending.append((callee, iter(callees(callee.block))))
                break
        else:
            order.append(caller)
            pending.pop()
    return order, sites


def block_of(function: Function) -> Block:
    """A function's block as it is differentiated: what is called once, or is tiny, in its calls' place.

    Functions with a derivative of their own, or a policy, stay called; so do those called several times,
    which are differentiated once for all their calls.
    """
    block = function.block
    assert block is not None
    if not any(callee.rule is None for callee in callees(block)):
        return block
    if "in place" not in function.memo:
        _, sites = callees_first(function)

        def in_place(callee: Function) -> Function | None:
            plain = callee.rule is None and callee.policy == "plain"
            small = callee.block is not None and len(callee.block.rows) <= TINY
            return callee if plain and (sites[callee] == 1 or small) else None

        b = Builder()
        params = []
        for param in block.params:
            b.source = block.sources[param]
            params.append(b.param(block.types[param]))
        _, results = inline(block, b, params, Options(inline=in_place))
        function.memo["in place"] = b.finish(results)
    found: Block = function.memo["in place"]
    return found
