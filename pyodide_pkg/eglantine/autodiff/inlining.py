"""Before differentiation, replace some calls by the bodies of the called functions."""

from __future__ import annotations

from functools import partial

from eglantine.analysis.callgraph import called_by, callees_first, size_of
from eglantine.ir.program import Block, Function
from eglantine.rewrite.copying import copied
from eglantine.rewrite.effects import exposed
from eglantine.rewrite.inlining import called_in_place

from .once import memoised

TINY = 12
"""The largest number of rows of a function that is inlined wherever it is called."""


def block_of(function: Function) -> Block:
    """Return the block of a function, after inlining its tiny callees and the callees with a single call.

    A callee with a custom rule or a policy (such as checkpoint) is not inlined. A larger callee with several
    calls is not inlined either: we differentiate it once, and all its calls share the derivative.
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
    """Return whether every call of a function is inlined. This is true for a tiny or impure function.

    If we differentiated an impure function alone, its reverse would have to repeat the impure calls.
    """
    block = function.block
    assert block is not None
    return not function.pure or (len(block.rows) <= TINY and size_of(block) <= TINY)
