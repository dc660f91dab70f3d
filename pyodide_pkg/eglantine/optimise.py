"""From a function as written to those that are emitted: calls put in place, rows lowered, the dead left out.

Functions are taken callees first, so that no chain of calls is ever followed by recursion deeper than
`DEEPEST`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from .build import Builder
from .ir import Block, Function
from .library import library
from .liveness import live_rows
from .rewrite import LOWERED, Options, copy_rows, new_env

SMALL = 300
"""A function of at most this many rows, once optimised, is put in the place of each call of it."""

DEEPEST = 40
"""How many calls inside one another are put in place at once."""

_UNFINISHED = frozenset({"powi", "call", "loop", "cond", "acc"} | LOWERED.keys())
"""What a block holds that is not ready to be emitted: without any of it the block stays as it is."""


def optimise(function: Function, stages: list[tuple[str, Block]] | None = None) -> Function:
    """The function ready to be emitted: functions it still calls are ready too.

    stages: if given, receives each step's name and block.
    """
    done: dict[Function, Function] = {}
    order, sites = _callees_first(function)
    height: dict[Function, int] = {}
    for callee in order[:-1]:
        height[callee] = 1 + max(
            (height[inner] for inner in _callees(callee.block) if inner not in done), default=0
        )
        if sites[callee] > 1 or height[callee] > DEEPEST:
            done[callee] = _optimised(callee, done, None)
    return _optimised(function, done, stages)


@cache
def ready_library(name: str) -> Function:
    """The library function `name`, ready to be emitted; it calls the others it is made of, which are shared."""
    function = library(name)
    assert function.block is not None
    options = Options(lower=True, inline=lambda _: None, ready=lambda callee: ready_library(callee.name))
    return replace(function, block=_copied(function.block, options, False), memo={})


def _callees_first(function: Function) -> tuple[list[Function], dict[Function, int]]:
    """The functions with blocks that `function` reaches, callees first, and how often each is called."""
    sites: dict[Function, int] = {}
    order: list[Function] = []
    pending: list[tuple[Function, Any]] = [(function, iter(_callees(function.block)))]
    seen = {function}
    while pending:
        caller, rest = pending[-1]
        for callee in rest:
            sites[callee] = sites.get(callee, 0) + 1
            if callee not in seen:
                seen.add(callee)
                pending.append((callee, iter(_callees(callee.block))))
                break
        else:
            order.append(caller)
            pending.pop()
    return order, sites


def _callees(block: Block | None) -> list[Function]:
    """The functions with a block that a block calls, once for each call, bodies included."""
    found: list[Function] = []
    pending = [block] if block else []
    while pending:
        for row in pending.pop().rows:
            op = row[0]
            if op == "call" and row[2].block is not None:
                found.append(row[2])
            elif op == "loop":
                pending.append(row[2].body)
            elif op == "cond":
                pending.extend((row[2].then, row[2].orelse))
    return found


def _optimised(
    function: Function, done: dict[Function, Function], stages: list[tuple[str, Block]] | None
) -> Function:
    block = function.block
    assert block is not None

    def in_place(callee: Function) -> Function | None:
        """What to put in the place of a call, or None to keep it."""
        ready = done.get(callee)
        if ready is None:
            return callee
        assert ready.block is not None
        return ready if len(ready.block.rows) <= SMALL else None

    if _UNFINISHED.isdisjoint({row[0] for row in block.rows}):
        return function
    inlined = _copied(block, Options(lower=True, inline=in_place, ready=done.get), False)
    structured = any(row[0] in ("loop", "cond", "acc") for row in inlined.rows)
    final = _copied(inlined, Options(lower=True, hoist=True), True) if structured else inlined
    if stages is not None:
        stages.append(("inlined and lowered", inlined))
        if structured:
            stages.append(("pruned, invariants out of loops", final))
    return replace(
        function, block=final, memo={}, leaf_params=final.param_types, leaf_results=final.result_types
    )


def _copied(block: Block, options: Options, prune: bool) -> Block:
    b = Builder()
    env = new_env(block, b)
    for param in block.params:
        b.source = block.sources[param]
        env[param] = b.param(block.types[param])
    copy_rows(block, b, env, options, live_rows(block) if prune else None)
    return b.finish([env[row] for row in block.results])
