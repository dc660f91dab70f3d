"""Refuse custom rules that are not linear in their tangents.

We check the rows of a rule, and the numbers that the rule returns at random points.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from eglantine.analysis.callgraph import callees_first
from eglantine.analysis.liveness import live_rows
from eglantine.errors import TypeMismatchError, span_of
from eglantine.interpreter.arithmetic import FLOATS
from eglantine.interpreter.machine import OTHER, Plan, Step, run_watched
from eglantine.ir.program import NESTING, Block, Function, with_results
from eglantine.ir.row_types import DYNAMIC, I1, I32, Array, RowType
from eglantine.mathlib.library import library
from eglantine.plain.symbolic import current
from eglantine.rewrite.copying import copied
from eglantine.rewrite.effects import stripped

from .custom_rules import rule_function
from .linearity import UNSEEN, Fault, kinds_of_rule
from .once import memoised

POINTS: Final = 2
"""The number of random points at which a rule is evaluated."""

MOST_WORK: Final = 50_000
"""An approximate limit for the scalar operations of a rule. A rule that takes more is not evaluated."""

RTOL, ATOL = 1e-6, 1e-9
"""The largest difference we allow, relative to the compared numbers and to the rule's largest number."""

TIMES: Final = -2.0
"""The factor by which we multiply tangents. Multiplying by −2 has no rounding error.

A positive factor would not show that a rule such as abs(dx) is not linear.
"""


def require_linear_rows(function: Function) -> None:
    """Raise an error if the rows of a function's rule are not linear in the tangents.

    The rows do not show how an opaque function uses a tangent. If a rule passes tangents to an opaque
    function, also evaluate the rule at random points.

    Raises: TypeMismatchError at the first row that is not linear.
    """
    memoised(function, "linear rows", partial(_look_at_rows, function))


def _look_at_rows(function: Function) -> bool:
    kinds = kinds_of_rule(function)
    for kind in kinds:
        if isinstance(kind, Fault):
            raise _refused(function, kind)
    if UNSEEN in kinds:
        require_linear_numbers(function)
    return True


def _refused(function: Function, fault: Fault) -> TypeMismatchError:
    return TypeMismatchError(
        f"The rule of {function.name} must be linear in its tangents, but it {fault.what}. Multiply "
        "each tangent by what depends on the primals alone, and add up.",
        span_of(fault.source) or function.span,
    )


def require_linear_numbers(function: Function) -> None:
    """Evaluate a function's rule at random points. Raise an error if the results are not linear.

    Skip the check if the tangents come from an impure function or from a linear map with a given transpose
    (`hook`, `fixed_point`), or if the rule is too long. Ignore points at which the rule fails or returns a
    number that is not finite.

    Raises: TypeMismatchError. If we know which row is not linear, the error points to this row.
    """
    memoised(function, "linear numbers", partial(_look_at_numbers, function))


def _look_at_numbers(function: Function) -> bool:
    rule = _tangents_of_rule(function)
    fault = None if rule is None else _what_is_not_linear(rule, sum(rule_function(function)[1]))
    if fault is not None:
        faults = [kind for kind in kinds_of_rule(function) if isinstance(kind, Fault)]
        raise _refused(function, faults[0] if faults else Fault(fault, None))
    return True


def _tangents_of_rule(function: Function) -> Function | None:
    """Return a rule as a function (x…, dx…) → dy… without effects, or None if we cannot evaluate it."""
    rule, real_in, real_out = rule_function(function)
    block = rule.block
    assert block is not None
    if not any(real_in) or not any(real_out):
        return None
    block = with_results(stripped(block, ()), block.results[len(function.leaf_results) :])
    block = copied(block, live=live_rows(block))
    tangents = Function(
        rule.name, (), function.result, block, leaf_params=block.param_types, leaf_results=block.result_types
    )
    impure = {id(callee.host) for callee in _called(rule) if not callee.pure}
    if any(callee.transposed or (callee.host and id(callee.host) in impure) for callee in _called(tangents)):
        return None
    return tangents if sum(map(_size, block.param_types)) < MOST_WORK else None


def _called(function: Function) -> Iterator[Function]:
    """For each call in a function and its callees, yield the called function. Include host functions."""
    for callee in callees_first(function)[0]:
        pending = [callee.block]
        while pending:
            block = pending.pop()
            for row in block.rows if block else ():
                if row[0] in NESTING:
                    pending += row[2].blocks
                elif row[0] == "call":
                    yield row[2]


def _what_is_not_linear(rule: Function, tangents: int) -> str | None:
    """Check at random points that a rule is linear in its last `tangents` arguments.

    Return None if it is, otherwise a description such as "returns 1 and 2 in two directions and 4 in …".
    """
    draw = random.Random(0)  # noqa: S311 - numbers, not secrets
    types = rule.leaf_params
    here, directions = types[: len(types) - tangents], types[len(types) - tangents :]
    watch = _Budget()
    for k in range(POINTS):
        point = [_drawn(of, draw, 0.3 if k == 0 else -1.7) for of in here]
        dx, other = ([_drawn(of, draw, -1.7) for of in directions] for _ in range(2))
        results = [
            _run(rule, [*point, *tangent], watch)
            for tangent in (dx, other, _scaled(dx), [_added(x, y) for x, y in zip(dx, other, strict=True)])
        ]
        if all(dy is not None and all(map(math.isfinite, dy)) for dy in results):
            fault = _compared(*results)  # type: ignore[arg-type]
            if fault is not None:
                return fault
    return None


def _compared(dy: list[float], other: list[float], scaled: list[float], added: list[float]) -> str | None:
    """Check that a rule is linear in the tangents. If it is, return None, otherwise a description.

    dy, other, scaled, added: the results of the rule for the tangents u, v, TIMES·u and u + v.
    """
    size = ATOL * max(map(abs, (*dy, *other, *scaled, *added)), default=0.0)
    for a, b, c, d in zip(dy, other, scaled, added, strict=True):
        if abs(c - TIMES * a) > size + ATOL + RTOL * (abs(a) + abs(c)):
            return f"returns {a:.6g} in some direction and {c:.6g} in {TIMES:g} times that direction"
        if abs(d - (a + b)) > size + ATOL + RTOL * (abs(a) + abs(b) + abs(d)):
            return f"returns {a:.6g} and {b:.6g} in two directions and {d:.6g} in their sum"
    return None


class _OutOfBudget(Exception):  # noqa: N818 - no error: it ends the check
    """Raised to end the run of a rule that takes too many operations."""


class _Budget:
    """A `Watch` that ends a run if it takes too many operations."""

    arithmetic = FLOATS

    def __init__(self) -> None:
        self.plans: dict[Any, Plan] = {}
        self.waiting: list[Any] = []
        self.left = MOST_WORK

    def steps(self, block: Block, steps: Sequence[Step]) -> list[Step]:
        work = len(steps) + sum(_size(of) for of in block.types if isinstance(of, Array))

        def pay(values: list[Any]) -> Any:
            self.left -= work
            if self.left < 0:
                raise _OutOfBudget
            return values[0]

        return [(OTHER, 0, pay, None, None), *steps]

    def passed(self, carry: list[Any]) -> None:
        """Do nothing at the end of a while loop's round."""


def _run(rule: Function, arguments: Sequence[Any], watch: _Budget) -> list[float] | None:
    """Run a rule. Return the Reals in its results, or None if it fails at these arguments."""
    token = current.set(None)  # a host function may call an eg.fn, which must run now
    watch.waiting.clear()
    try:
        return [x for value in run_watched(rule, arguments, library, watch) for x in _flat(value)]
    except Exception:  # noqa: BLE001 - the point is outside the domain of the rule or of a host function
        return None
    finally:
        current.reset(token)


def _size(of: RowType) -> int:
    """The number of scalars in a value of a row type. Unknown dimensions count as 1."""
    return math.prod(n for n in of.dims if n != DYNAMIC)


def _drawn(of: RowType, draw: random.Random, low: float) -> Any:
    """A random value of a row type, with Reals from `low` to 1.7."""

    def nested(dims: tuple[int, ...]) -> Any:
        if dims:
            return [nested(dims[1:]) for _ in range(dims[0])]
        if isinstance(of.leaf, I32):
            return draw.randint(of.leaf.lo, of.leaf.hi)
        return draw.random() < 0.5 if of.leaf is I1 else draw.uniform(low, 1.7)

    return nested(of.dims)


def _scaled(value: Any) -> Any:
    return [_scaled(x) for x in value] if isinstance(value, list) else TIMES * value


def _added(value: Any, other: Any) -> Any:
    if not isinstance(value, list):
        return value + other
    return [_added(x, y) for x, y in zip(value, other, strict=True)]


def _flat(value: Any) -> list[Any]:
    return [x for part in value for x in _flat(part)] if isinstance(value, list) else [value]
