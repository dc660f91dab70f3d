"""Turn users' derivative rules into functions. A rule is traced when a transform first needs it."""

from __future__ import annotations

from typing import Any

from eglantine.errors import MissingDerivativeError, span_of, user_span, written
from eglantine.ir.program import Function, Memo
from eglantine.leaves import leaves

RULE: Memo[Function] = Memo("rule")


def rule_function(function: Function) -> tuple[Function, list[bool], list[bool]]:
    """Return the custom rule of a function, as a function (x…, dx…) → (y…, dy…). Only Reals have tangents.

    Also return two lists of bools: which leaves of the parameters are Reals, and which leaves of the results.
    Raises: MissingDerivativeError if there is no rule. TypeMismatchError unless the rule returns (y, dy).
    """
    require_rule(function, None)
    assert function.rule is not None
    real_in = [leaf.dtype == "f64" for of in function.params for leaf in leaves(of)]
    real_out = [leaf.dtype == "f64" for leaf in leaves(function.result)]
    return RULE.remember(function, None, function.rule), real_in, real_out


def require_rule(function: Function, source: Any) -> None:
    """Raise MissingDerivativeError if a function is a host function without a rule.

    source: the source of the row that needs the derivative.
    """
    if function.block is not None or function.rule is not None:
        return
    place, operations = written(source)
    raise MissingDerivativeError(
        f"{function.name} has no derivative, but a DERIVATIVE needs it. Give it a rule with "
        f"@{function.name}.defjvp.",
        span_of(place) or user_span() or function.span,
        len(operations),
    )
