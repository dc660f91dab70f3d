"""Custom derivatives: trace a user's rule (primals, tangents) → (y, dy)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.ir.program import Block, Function, with_bodies
from eglantine.leaves import tangent_type
from eglantine.plain.symbolic import current
from eglantine.trace.arguments import result_of
from eglantine.trace.tracer import trace
from eglantine.types import TupleType


def give_rule(function: Function, rule: Callable[[Any, Any], Any]) -> None:
    """Give a function a custom derivative. The rule is traced when a transform first needs it.

    The function changes in place, so callers that were traced before use the rule too. The function's cached
    derivatives are removed.
    """
    function.rule = lambda: _traced(function, rule)
    function.memo.clear()


def _traced(function: Function, rule: Callable[[Any, Any], Any]) -> Function:
    """Trace a rule as the function (x…, dx…) → (y, dy).

    Raises: TypeMismatchError if the rule does not return a pair.
    """
    n = len(function.params)
    types = [*function.params, *(tangent_type(of) for of in function.params)]
    result = TupleType((function.result, tangent_type(function.result)))

    def both(*arguments: Any) -> Any:
        pair = result_of(
            rule,
            f"the derivative of {function.name}",
            "def rule(primals, tangents): … return y, dy",
            arguments[:n],
            arguments[n:],
        )
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeMismatchError(
                f"The derivative rule of {function.name} must return a pair (y, dy), but it returned "
                f"{pair!r}. Write `return y, dy`.",
                function.span,
            )
        return pair

    token = current.set(None)
    try:
        traced, _ = trace(both, types, result, name=f"rule of {function.name}")
    finally:
        current.reset(token)
    assert traced.block is not None
    return replace(traced, block=_marked(traced.block, function.name))


def _marked(block: Block, name: str) -> Block:
    """Copy a block, and mark each row as part of the derivative of the function `name`."""
    sources = tuple((source, name) for source in block.sources)
    return replace(with_bodies(block, lambda body: _marked(body, name)), sources=sources)
