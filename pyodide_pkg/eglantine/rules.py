"""Custom derivatives: a user's rule (primals, tangents) → (y, dy), traced when a transform first needs it."""

from __future__ import annotations

from typing import Any

from .errors import MissingDerivativeError, TypeMismatchError
from .ir import Function
from .tracer import trace
from .types import TupleType, leaves, tangent_type
from .values import current


def rule_function(function: Function) -> tuple[Function, list[bool], list[bool]]:
    """The rule as a function (x…, dx… of the real leaves) → (y…, dy… likewise), and which leaves are real.

    Raises: MissingDerivativeError if there is no rule; TypeMismatchError if it returns something else.
    """
    if function.rule is None:
        raise MissingDerivativeError(
            f"Found no derivative of {function.name}, which is to be differentiated; expected a rule; give "
            f"it one with @{function.name}.defjvp.",
            function.span,
        )
    real_in = [leaf.dtype == "f64" for of in function.params for leaf in leaves(of)]
    real_out = [leaf.dtype == "f64" for leaf in leaves(function.result)]
    if "rule" not in function.memo:
        function.memo["rule"] = _traced(function)
    return function.memo["rule"], real_in, real_out


def _traced(function: Function) -> Function:
    n = len(function.params)
    types = [*function.params, *(tangent_type(of) for of in function.params)]
    result = TupleType((function.result, tangent_type(function.result)))

    def both(*arguments: Any) -> Any:
        pair = function.rule(arguments[:n], arguments[n:])
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeMismatchError(
                f"Found {pair!r} from the derivative of {function.name}, expected a pair (y, dy).",
                function.span,
            )
        return pair

    token = current.set(None)
    try:
        made, _ = trace(both, types, result, name=f"rule of {function.name}")
    finally:
        current.reset(token)
    return made
