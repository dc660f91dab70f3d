"""The graph of calls, and calls replaced by what they compute; never by recursion along a chain."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from eglantine.errors import MissingDerivativeError
from eglantine.ir.program import Function

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


def kept(function: Function) -> str:
    """The policy of a derivative: of a checkpointed function, the same."""
    return "checkpoint" if function.policy == "checkpoint" else "plain"
