"""Turn the operations of a graph into rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import add, mul, neg, sub
from typing import Any

import eglantine as eg
from eglantine.ieee import div
from eglantine.ir.builder import Builder
from eglantine.ir.primitives import LOWERED, PRIMITIVES
from eglantine.ir.program import Block, Memo
from eglantine.ir.row_types import F64

from .pieces import Step

LEAST_ROOT = 1e-5
"""The smallest value y of a square root for which the root's derivative is exactly 1/(2y).

For a smaller y, we use the derivative 1/(2·LEAST_ROOT), so that it stays finite."""


@eg.fn([eg.Real], eg.Real)  # types are given here, because the wheel keeps no annotations
def clamped_sqrt(x: Any) -> Any:
    """√x with a bounded derivative."""
    return eg.math.sqrt(x)


@clamped_sqrt.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = eg.math.sqrt(primals[0])
    return y, tangents[0] * (0.5 / eg.math.maximum(LEAST_ROOT, y))


def slope_of_root(b: Builder, _: int, y: int) -> tuple[int]:
    """Return the derivative of a square root with the value y. It is bounded, even near y = 0."""
    return (b.div(b.const(0.5), b.bi("max", b.const(LEAST_ROOT), y)),)


RULES: Memo[Any] = Memo("rules")
"""For each block, a dict from rows to derivative rules.

Such a rule replaces the derivative that the row's operation usually has."""


class Writing(Builder):
    """A builder for the rows of a graph's operations.

    Square roots get a bounded derivative. There are two ways: a `sqrt` row with its own derivative rule, or a
    call of `clamped_sqrt`.

    rules: with `sqrt` rows, a dict from these rows to their derivative rules. With calls, None.
    """

    __slots__ = ("rules",)

    def __init__(self, parent: Writing | None = None) -> None:
        super().__init__(parent)
        self.rounds = True  # evaluate constants even if this rounds, because the graphs use doubles
        self.rules: dict[int, Any] | None = {} if parent is None or parent.rules is not None else None

    def bi(self, op: str, a: int, b: int) -> int:
        """Add an operation. If Wasm does not have it, add simpler operations instead."""
        return LOWERED[op](self, a, b) if op in LOWERED else super().bi(op, a, b)

    def root(self, x: int) -> int:
        """√x with a bounded derivative."""
        if self.rules is None:
            return self.call(clamped_sqrt.function, [x])[0]
        row = self.effect(("sqrt", x), F64)  # do not reuse a sqrt row, whose derivative may be unbounded
        self.rules[row] = slope_of_root
        return row

    def take_calls_out(self) -> None:
        """Replace each call of `clamped_sqrt` by a `sqrt` row with its own derivative rule."""
        self.rules = {}
        for k, row in enumerate(self.rows):
            if row[0] == "call" and row[2] is clamped_sqrt.function:
                self.rows[k : k + 2] = ("zero",), ("sqrt", *row[1])  # a call's result is the row after it
                self.rules[k + 1] = slope_of_root

    def finish(self, results: Sequence[int]) -> Block:
        """Finish the block and store its rules."""
        block = super().finish(results)
        RULES.keep(block, None, self.rules)
        return block


def operation(b: Builder, op: str, x: int, y: int | None, z: int | None) -> int:
    """Add the row of an operation. Operands that the operation does not have are None."""
    make = MAKERS[op]
    return make(b, x) if y is None else make(b, x, y) if z is None else make(b, x, y, z)


def add_steps(b: Builder, steps: Sequence[Step], outside: Sequence[int], known: dict[Any, int]) -> int:
    """Add rows that compute the steps of a shape. Return the row of the last step.

    outside: the rows of the values from outside the shape.
    known: a dict from an operation and its operands to the row of `b` that computes it. If a step has such a
        row already, we add no new row for it.
    """
    rows: list[Any] = [None] * (len(steps) + 1)  # the last entry is for absent operands
    rows += reversed(outside)
    row = 0
    for k, (op, x, y, z) in enumerate(steps):
        key = op, rows[x], rows[y], rows[z]
        step_row = known.get(key)
        if step_row is None:
            step_row = known[key] = operation(b, *key)
        rows[k] = row = step_row
    return row


def _un(op: str) -> Callable[[Builder, int], int]:
    return lambda b, x: b.un(op, x)


def _bi(op: str) -> Callable[[Builder, int, int], int]:
    of = PRIMITIVES[op].result
    assert not callable(of)
    return lambda b, x, y: b.row((op, x, y), of) if x > 0 and y > 0 else b.bi(op, x, y)


def _evaluated(op: str) -> Callable[..., float | bool]:
    """Return the function that computes an operation on plain numbers."""
    if op == "sign":
        return lambda x: math.copysign(1.0, x)
    evaluate = PRIMITIVES[{"leq": "le", "geq": "ge", "sqrt_plain": "sqrt"}.get(op, op)].evaluate
    assert evaluate is not None
    return evaluate


def _by_library(op: str) -> Callable[..., float]:
    """Return a function that evaluates a library function, such as sin, on plain numbers.

    It calls Python's `math`. If `math` raises an error, it calls `eg.math` instead.
    """
    quick, own = getattr(math, op), getattr(eg.math, op)

    def evaluate(*args: float) -> float:
        try:
            return float(quick(*args))
        except (ArithmeticError, ValueError):
            return float(own(*args))

    return evaluate


FUNCTIONS = (
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2", "pow",
    "sin", "sinh", "tan", "tanh",
)  # fmt: skip
"""Operations that are library functions."""

FOLDS: dict[str, Callable[..., float | bool]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "neg": neg,
    "select": lambda p, x, y: x if p else y,
    **{op: _evaluated(op) for op in ("abs", "ceil", "floor", "not", "sign", "sqrt", "sqrt_plain", "trunc")},
    **{op: _evaluated(op) for op in ("and", "eq", "geq", "gt", "leq", "lt", "or", "xor")},
    **{op: _by_library(op) for op in FUNCTIONS},
}
"""A dict from the name of each operation to the function that computes the operation on plain numbers."""


def _function(op: str) -> Callable[..., int]:
    """Return a function that adds a row for a library function, such as sin.

    If all operands are constants, the row is a constant too.
    """
    evaluate = FOLDS[op]

    def row(b: Builder, *args: int) -> int:
        if all(map(b.is_const, args)):
            return b.const(evaluate(*map(b.value, args)))
        return b.bi(op, *args) if len(args) > 1 else b.un(op, *args)

    return row


MAKERS: dict[str, Callable[..., int]] = {
    "neg": Builder.neg,
    "sqrt": lambda b, x: b.un("sqrt", x) if b.is_const(x) else b.root(x),
    "sqrt_plain": _un("sqrt"),
    "sign": lambda b, x: b.bi("copysign", b.const(1.0), x),
    **{op: _un(op) for op in ("abs", "ceil", "floor", "not", "trunc")},
    "add": Builder.add,
    "sub": Builder.sub,
    "mul": Builder.mul,
    "div": Builder.div,
    "leq": _bi("le"),
    "geq": _bi("ge"),
    **{op: _bi(op) for op in ("and", "eq", "gt", "lt", "or", "xor")},
    **{op: _function(op) for op in FUNCTIONS},
    "select": Builder.select,
}
"""A dict from the name of each operation to a function that adds a row for the operation.

The function takes a builder and the rows of the operands, and returns the new row."""
