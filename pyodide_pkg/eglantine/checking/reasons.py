"""Say in words why an operation gave a number that is not finite."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from eglantine.errors import Span
from eglantine.ir.row_types import Row


class _Event(NamedTuple):
    """A row that made a number that is not finite.

    order: the number of the event in order of execution; constants, which have no row yet, come last.
    row, source: the row and its source; ("argument", name) and ("constant",) stand in place of a row.
    """

    order: float
    row: Row
    source: Any
    operands: tuple[Any, ...]
    result: float
    rounds: tuple[int, ...] = ()
    span: Span | None = None


class _NotFinite(float):
    """A float that is not finite, with the event that began it, and the event (or None) that made it NaN."""

    __slots__ = ("event", "nan")

    event: _Event
    nan: _Event | None


def _remembering(value: float, event: _Event, nan: _Event | None) -> _NotFinite:
    new = _NotFinite(value)
    new.event, new.nan = event, nan
    return new


def _name(row: Row) -> str:
    return str(row[2].name if row[0] == "call" else row[0])


_POLES = {
    "sqrt": "0", "cbrt": "0", "log": "0", "log2": "0", "log10": "0", "log1p": "-1", "asin": "±1",
    "acos": "±1", "acosh": "1", "atanh": "±1", "atan2": "(0, 0)", "pow": "0", "powi": "0",
}  # fmt: skip
"""For operations, where their derivative is infinite."""

_DOMAINS: dict[str, Callable[[float], bool]] = {
    "sqrt": lambda x: x >= 0, "log": lambda x: x >= 0, "log2": lambda x: x >= 0, "log10": lambda x: x >= 0,
    "log1p": lambda x: x >= -1, "asin": lambda x: abs(x) <= 1, "acos": lambda x: abs(x) <= 1,
    "acosh": lambda x: x >= 1, "atanh": lambda x: abs(x) <= 1,
}  # fmt: skip
"""For operations, whether they are defined at x."""


_PRIMES = {1: "′", 2: "″", 3: "‴"}


def _reason(event: _Event, operations: Sequence[str]) -> str:
    """Why a row's result is not finite."""
    fault = _made(event)
    if not operations:
        return fault
    pole = _POLES.get(operations[0])
    if pole is not None and any(x == 0 for x in event.operands[-1:] + event.operands[:1]):
        kind = "undefined" if event.result != event.result else "infinite"
        return f"{operations[0]}{_PRIMES.get(len(operations), '⁗')} at {pole} is {kind}"
    return f"{fault} in the derivative of {operations[0]}"


def _made(event: _Event) -> str:
    """The computation that gave no finite number, such as "division by 0"."""
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
    if op in _DOMAINS:
        x = used[0]
        if _DOMAINS[op](x):
            return f"{op} of {x:g}"
        beyond = "a number outside its domain" if op[0] == "a" or op == "log1p" else "a negative number"
        return f"{op} of {beyond}, {x!r}"
    exponent = row[2] if op == "powi" else used[1] if op == "pow" else 0
    if exponent < 0 and used[0] == 0:
        return "0 to a negative power"
    if op == "pow" and result != result:
        return "a negative number to a power that is not whole"
    if op == "lgamma" or op.startswith("polygamma"):
        return f"{op} of {used[0]:g}, where it has a pole"
    return f"overflow of {'a sum' if op == 'add_to' else op}"
