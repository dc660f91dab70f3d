"""Custom derivatives: trace a user's rule (primals, tangents) → (y, dy) when a transform first needs it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from eglantine.errors import MissingDerivativeError, TypeMismatchError, span_of, user_span, written
from eglantine.ir.program import Block, Function, remembered, with_bodies
from eglantine.leaves import leaves, tangent_type
from eglantine.plain.symbolic import current
from eglantine.trace.arguments import result_of
from eglantine.trace.tracer import trace
from eglantine.types import TupleType


def rule_function(function: Function) -> tuple[Function, list[bool], list[bool]]:
    """The rule as a function (x…, dx…) → (y…, dy…), with tangents of the real leaves alone.

    Also returns which leaves of the parameters, and which of the results, are real.
    Raises: MissingDerivativeError if there is no rule; TypeMismatchError unless it returns a pair (y, dy).
    """
    require_rule(function, None)
    real_in = [leaf.dtype == "f64" for of in function.params for leaf in leaves(of)]
    real_out = [leaf.dtype == "f64" for leaf in leaves(function.result)]
    return remembered(function.memo, "rule", lambda: _traced(function)), real_in, real_out


def require_rule(function: Function, source: Any) -> None:
    """Refuse to differentiate a host function that has no rule; `source` is that of the row that asks."""
    if function.block is not None or function.rule is not None:
        return
    place, operations = written(source)
    raise MissingDerivativeError(
        f"Found no derivative of {function.name}, which a DERIVATIVE needs; expected a rule; give it one "
        f"with @{function.name}.defjvp.",
        span_of(place) or user_span() or function.span,
        len(operations),
    )


def _marked(block: Block, name: str) -> Block:
    """Mark the rows, in their sources, as rows of the derivative of a call of `name`."""
    sources = tuple((source, name) for source in block.sources)
    return replace(with_bodies(block, lambda body: _marked(body, name)), sources=sources)


def _traced(function: Function) -> Function:
    n = len(function.params)
    types = [*function.params, *(tangent_type(of) for of in function.params)]
    result = TupleType((function.result, tangent_type(function.result)))

    def both(*arguments: Any) -> Any:
        pair = result_of(
            function.rule,
            f"the derivative of {function.name}",
            "def rule(primals, tangents): … return y, dy",
            arguments[:n],
            arguments[n:],
        )
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeMismatchError(
                f"Found {pair!r} from the derivative of {function.name}, expected a pair (y, dy); "
                "return y, dy.",
                function.span,
            )
        return pair

    token = current.set(None)
    try:
        rule, _ = trace(both, types, result, name=f"rule of {function.name}")
    finally:
        current.reset(token)
    assert rule.block is not None
    rule.block = _marked(rule.block, function.name)
    return rule
