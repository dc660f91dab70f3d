"""Put small callees in the place of their calls before differentiation."""

from __future__ import annotations

from functools import partial

from eglantine.analysis.callgraph import called_by, callees_first
from eglantine.ir.program import Block, Function, size_of
from eglantine.rewrite.copying import copied
from eglantine.rewrite.effects import exposed
from eglantine.rewrite.inlining import called_in_place

from .once import memoised

TINY = 12
"""A function of at most this many rows is put in place of its calls before it is differentiated."""


def block_of(function: Function) -> Block:
    """A function's block as it is differentiated: what is called once, or is tiny, in its calls' place.

    Functions with a derivative of their own, or a policy, stay called; so do those called several times,
    which are differentiated once for all their calls.
    """
    block = function.block
    assert block is not None
    called = called_by(function)
    if not any(_is_plain(callee) and (called.count(callee) == 1 or _goes_in(callee)) for callee in called):
        return exposed(block)
    return memoised(function, "in place", partial(_with_calls_in_place, function))  # type: ignore[no-any-return]


def _with_calls_in_place(function: Function) -> Block:
    block = function.block
    assert block is not None
    _, sites = callees_first(function)

    def placed(callee: Function) -> Function | Block | None:
        goes_in = _is_plain(callee) and (sites[callee] == 1 or _goes_in(callee))
        return callee.block if goes_in else callee

    return exposed(copied(called_in_place(block, placed)))


def _is_plain(function: Function) -> bool:
    return function.block is not None and function.rule is None and function.policy == "plain"


def _goes_in(function: Function) -> bool:
    """Whether a function goes in the place of all its calls: if it is tiny, or acts on the world.

    What an impure call returned would have to be called for again in a derivative of the function by itself.
    """
    block = function.block
    assert block is not None
    return not function.pure or (len(block.rows) <= TINY and size_of(block) <= TINY)
