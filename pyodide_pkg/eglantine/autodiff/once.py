"""Make each derivative of a function only once, without deep recursion in Python."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from eglantine.errors import MissingDerivativeError
from eglantine.ir.program import Function, Memo

DEEPEST = 16
"""The largest number of derivatives that are unfinished because they wait for the derivative of a callee.

If there would be more, `memoised` makes the innermost derivative first, and then restarts the others.
"""

_depth: ContextVar[int] = ContextVar("_depth", default=0)


_TRANSFORMED: Memo[Any] = Memo("differentiation")
"""For each function, the derivatives that this package has made, by key."""


class _Deeper(Exception):  # noqa: N818 - no error: another derivative must come first
    """Raised when derivatives nest too deeply. The outermost call of `memoised` catches it."""

    def __init__(self, *missing: Any) -> None:
        super().__init__()
        self.missing = missing


def memoised(function: Function, key: Any, make: Callable[[], Any]) -> Any:
    """Return the stored derivative of a function for a key. If there is none, make it with `make`.

    To differentiate f we may need derivatives of its callees, and of their callees. Beyond DEEPEST levels we
    differentiate the innermost function first and restart the outer ones, at most twice each.
    """
    derivative = _TRANSFORMED.get(function, key)
    if derivative is not None:
        return derivative
    depth = _depth.get()
    if depth >= DEEPEST:
        raise _Deeper(function, key, make)
    waiting = [(function, key, make)]
    token = _depth.set(depth + 1)
    try:
        while waiting:
            function, key, make = waiting[-1]
            try:
                derivative = _TRANSFORMED.keep(function, key, make())
                waiting.pop()
            except MissingDerivativeError as error:
                error.asked(waiting[0][0].order + 1)
                raise
            except _Deeper as deeper:
                if depth:
                    raise
                needed, needed_key, _ = deeper.missing
                if any((needed, needed_key) == one[:2] for one in waiting):
                    raise MissingDerivativeError(
                        f"The derivative rule of {needed.name} calls {needed.name} with tangents, so the "
                        "derivative would need itself. In the rule, replace the call by the body of "
                        f"{needed.name}.",
                        needed.span,
                    ) from None
                waiting.append(deeper.missing)
    finally:
        _depth.reset(token)
    return derivative


def policy_of_derivative(function: Function) -> str:
    """Return the policy of a function's derivatives: "checkpoint" if this is the function's, else "plain"."""
    return "checkpoint" if function.policy == "checkpoint" else "plain"
