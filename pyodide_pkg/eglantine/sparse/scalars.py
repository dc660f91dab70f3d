"""The dependencies of scalar operations. For Reals we track inputs. For whole numbers we compute values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import PRIMITIVES
from eglantine.ir.row_types import F64, Row
from eglantine.ir.rules import NO_TANGENT, Chooses

from .dependencies import NOTHING, either, fewer
from .streams import COMPARISONS, Within, added, combined, compared, multiplied
from .streams import both as conjunction

Space = tuple[int, ...]
Act = Callable[[Any, list[Any], Space], Any]
"""Computes a row's value from the walk, the values of earlier rows, and the loops around the row."""


def real(op: str, row: Row) -> Act:
    """Make a function that computes the dependencies of a row. The row's operation returns a Real."""
    through = [row[1 + k] for k in passing(op)]
    if not through:
        return lambda walk, values, space: NOTHING
    if len(through) == 1:
        (a,) = through
        return lambda walk, values, space: values[a]
    if len(through) == 2:
        a, b = through
        return lambda walk, values, space: fewer(either(values[a], values[b]), space)
    raise NotImplementedError(op)


@cache
def passing(op: str) -> tuple[int, ...]:
    """Return the positions of an operation's operands. Leave out those with a derivative that is always 0."""
    primitive = PRIMITIVES[op]
    if primitive.derivative is NO_TANGENT:
        return ()
    reals = [k for k, of in enumerate(primitive.operands) if of == "f64"]
    if isinstance(primitive.derivative, Chooses):
        return tuple(reals)
    b = Builder()
    params = [b.param(F64) for _ in primitive.operands]
    try:
        partials = primitive.derivative(b, *params, b.row((op, *params), F64))
    except Exception:  # noqa: BLE001 - no slope is known, as for polygamma3
        return tuple(reals)
    return tuple(k for k in reals if partials[k] != 0)


def whole_number(op: str, row: Row) -> Act:
    """Make a function that computes the value of a row. The value is a whole number or a condition."""
    if PRIMITIVES[op].operands[0] == "f64" or PRIMITIVES[op].operands[0] == "i64":
        return lambda walk, values, space: None
    a, b = row[1], row[-1]
    if op in ("iadd", "isub"):
        sign = 1 if op == "iadd" else -1
        return lambda walk, values, space: added(values[a], values[b], space, sign)
    if op == "imul":
        return lambda walk, values, space: multiplied(values[a], values[b], space)
    if op == "not":
        return lambda walk, values, space: _negated(values[a], space)
    evaluate: Any = PRIMITIVES[op].evaluate
    if len(row) == 2:
        return lambda walk, values, space: combined(lambda x: int(evaluate(x)), (values[a],), space)
    decided = {"and": 0, "or": 1}.get(op)

    def act(_: Any, values: list[Any], space: Space) -> Any:
        x, y = values[a], values[b]
        if decided is not None and decided in (x, y) and (isinstance(x, int) or isinstance(y, int)):
            return decided
        condition = compared(op, x, y) if op in COMPARISONS else None
        if op == "and" and isinstance(x, Within) and isinstance(y, Within):
            condition = conjunction(x, y)
        return condition or combined(lambda p, q: int(evaluate(p, q)), (x, y), space)

    return act


def _negated(x: Any, space: Space) -> Any:
    if isinstance(x, Within):
        return x._replace(holds=not x.holds)
    return combined(lambda p: int(not p), (x,), space)
