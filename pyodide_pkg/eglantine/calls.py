"""The graph of calls, and calls replaced by what they compute; never by recursion along a chain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import partial
from typing import Any

from .effects import exposed
from .errors import MissingDerivativeError
from .ir import NESTING, ZERO, Block, Function, RowType, remembered, size_of, with_bodies
from .primitives import PRIMITIVES
from .rewrite import Env, copied, renamed

TINY = 12
"""A function of at most this many rows is put in place of its calls before it is differentiated."""


_CALLING = frozenset({"call", *NESTING})

DEEPEST = 16
"""How many functions may be differentiated inside one another before a deeper one is done by itself."""

_depth: ContextVar[int] = ContextVar("_depth", default=0)


class _Deeper(Exception):  # noqa: N818 - not an error: something else has to be made first
    """Raised to leave what is being made until `function.memo[key]` is there."""

    def __init__(self, *missing: Any) -> None:
        super().__init__()
        self.missing = missing


def memoised(function: Function, key: Any, make: Callable[[], Any]) -> Any:
    """make(), kept in the function's memo by `key`.

    What is made may need the same of callees. Where that goes deep, the innermost is made first and the
    others begin again, at most twice each: no recursion along a chain of calls.
    """
    found = function.memo.get(key)
    if found is not None:
        return found
    depth = _depth.get()
    if depth >= DEEPEST:
        raise _Deeper(function, key, make)
    waiting = [(function, key, make)]
    token = _depth.set(depth + 1)
    try:
        while waiting:
            function, key, make = waiting[-1]
            try:
                found = function.memo.setdefault(key, make())
                waiting.pop()
            except MissingDerivativeError as error:
                error.asked(waiting[0][0].order + 1)
                raise
            except _Deeper as deeper:
                if depth:
                    raise
                needed, what, _ = deeper.missing
                if any((needed, what) == one[:2] for one in waiting):
                    raise MissingDerivativeError(
                        f"Found that the derivative of {needed.name} needs itself, as its rule applies "
                        f"{needed.name} to tangents; expected a rule that does something else with them; "
                        f"write out what {needed.name} does to tangents.",
                        needed.span,
                    ) from None
                waiting.append(deeper.missing)
    finally:
        _depth.reset(token)
    return found


def callees(block: Block | None) -> list[Function]:
    """The functions with a block that a block calls, once for each call, bodies included."""
    found: list[Function] = []
    pending = [block] if block else []
    while pending:
        inner = pending.pop()
        for row in () if inner.operations.isdisjoint(_CALLING) else inner.rows:
            match row[0]:
                case "call" if row[2].block is not None:
                    found.append(row[2])
                case "loop" | "cond":
                    pending.extend(row[2].blocks)
    return found


def called_by(function: Function) -> list[Function]:
    """The functions that a function calls, as `callees` says, found once."""
    return remembered(function.memo, "callees", lambda: callees(function.block))


def callees_first(function: Function) -> tuple[list[Function], dict[Function, int]]:
    """The functions with blocks that `function` reaches, callees first, and how often each is called."""
    sites: dict[Function, int] = {}
    order: list[Function] = []
    pending: list[tuple[Function, Any]] = [(function, iter(called_by(function)))]
    seen = {function}
    while pending:
        caller, rest = pending[-1]
        for callee in rest:
            sites[callee] = sites.get(callee, 0) + 1
            if callee not in seen:
                seen.add(callee)
                pending.append((callee, iter(called_by(callee))))
                break
        else:
            order.append(caller)
            pending.pop()
    return order, sites


def kept(function: Function) -> str:
    """The policy of a derivative: of a checkpointed function, the same."""
    return "checkpoint" if function.policy == "checkpoint" else "plain"


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


def called_in_place(block: Block, placed: Callable[[Function], Function | Block | None]) -> Block:
    """The block with functions' bodies in the place of their calls; a copy of it is to simplify them.

    placed: for a called function the body to put there, or the function to call.
    """

    def entered(block: Block) -> tuple[Block, Env, Iterator[int]]:
        block = with_bodies(block, lambda body: called_in_place(body, placed))
        env: Env = [ZERO] + [None] * (len(block.rows) - 1)
        env += range(~len(consts) - len(block.consts) + 1, ~len(consts) + 1)
        consts.extend(block.consts)
        const_types.extend(block.const_types)
        return block, env, iter(range(1, len(block.rows)))

    whole = block
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
                found = placed(row[2])
                if isinstance(found, Block):
                    callers.append((block, env, pending, i))
                    args = [env[a] for a in row[1]]
                    block, env, pending = entered(found)
                    for param, a in zip(block.params, args, strict=True):
                        env[param] = a
                    break
                row = (op, row[1], found)
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
    params = tuple([env[a] for a in whole.params])
    return Block(
        tuple(rows), tuple(types), tuple(sources), tuple(consts), tuple(const_types), params, tuple(results)
    )


def _is_plain(function: Function) -> bool:
    return function.block is not None and function.rule is None and function.policy == "plain"


def _goes_in(function: Function) -> bool:
    """Whether a function goes in the place of all its calls: if it is tiny, or acts on the world.

    What an impure call returned would have to be called for again in a derivative of the function by itself.
    """
    block = function.block
    assert block is not None
    return not function.pure or (len(block.rows) <= TINY and size_of(block) <= TINY)
