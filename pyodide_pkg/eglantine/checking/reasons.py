"""Say in words why an operation gave a number that is not finite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from eglantine.errors import Span
from eglantine.ir.primitives import SCALARS
from eglantine.ir.row_types import Row


class _Event(NamedTuple):
    """The origin of a number that is not finite: a row, an argument or a constant.

    order: the position of the event in time. An argument has 0, because it exists before all rows run. A
        constant has `inf` at first. When a row uses the constant, the constant gets the order of this row.
    row: the row that computed the number. It is ("argument", name) for an argument and ("constant",) for a
        constant.
    source: the place of the row in the user's code.
    """

    order: float
    row: Row
    source: Any
    operands: tuple[Any, ...]
    result: float
    rounds: tuple[int, ...] = ()
    span: Span | None = None


class _NotFinite(float):
    """A float that is not finite.

    event: the origin of the float. This is the event that first gave an infinite number or NaN.
    nan: the event that turned the float into NaN, or None if the float is infinite.
    """

    __slots__ = ("event", "nan")

    event: _Event
    nan: _Event | None


def _remembering(value: float, event: _Event, nan: _Event | None) -> _NotFinite:
    new = _NotFinite(value)
    new.event, new.nan = event, nan
    return new


def _name(row: Row) -> str:
    return str(row[2].name if row[0] == "call" else row[0])


_PRIMES = {1: "′", 2: "″", 3: "‴"}


def _reason(event: _Event, operations: Sequence[str]) -> str:
    """Say why a row's result is not finite, in words such as "division by 0 in the derivative of sqrt"."""
    fault = _made(event)
    if not operations:
        return fault
    primitive = SCALARS.get(operations[0])
    pole = primitive.pole if primitive else ""
    if pole and any(x == 0 for x in event.operands[-1:] + event.operands[:1]):
        kind = "undefined" if event.result != event.result else "infinite"
        return f"{operations[0]}{_PRIMES.get(len(operations), '⁗')} at {pole} is {kind}"
    return f"{fault} in the derivative of {operations[0]}"


def _made(event: _Event) -> str:
    """Describe the cause of a number that is not finite, in words such as "division by 0"."""
    row, used, result = event.row, event.operands, event.result
    op = row[0]
    if op == "argument":
        return f"the argument {row[1]} holds {result!r}"
    if op == "constant":
        return f"the constant {result!r}"
    if op == "call":
        return f"{_name(row)} returned {result!r}"
    if any(not math.isfinite(x) for x in used):
        return {"mul": "0·∞", "add": "∞ − ∞", "sub": "∞ − ∞", "add_to": "∞ − ∞", "div": "∞ / ∞"}.get(
            op, f"{op} of {', '.join(map(repr, used))}"
        )
    if op == "div" and used[1] == 0:
        return "0 / 0" if used[0] == 0 else "division by 0"
    domain = SCALARS[op].domain if op in SCALARS else None
    if domain is not None:
        x = used[0]
        return f"{op} of " + (f"{x:g}" if domain.contains(x) else domain.outside.format(x=x))
    exponent = row[2] if op == "powi" else used[1] if op == "pow" else 0
    if exponent < 0 and used[0] == 0:
        return "0 to a negative power"
    if op == "pow" and result != result:
        return "a negative number to a power that is not whole"
    return f"overflow of {'a sum' if op == 'add_to' else op}"
