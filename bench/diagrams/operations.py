"""The graphs' operations as rows of the language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import eglantine as eg
from bench.diagrams.pieces import Step
from eglantine.build import Builder

LEAST_ROOT = 1e-5
"""The derivative of `sqrt` is that at this root where the root is smaller."""


@eg.fn
def clamped_sqrt(x: eg.Real) -> eg.Real:
    """√x, whose derivative is bounded."""
    return eg.math.sqrt(x)


@clamped_sqrt.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = eg.math.sqrt(primals[0])
    return y, tangents[0] * (0.5 / eg.math.maximum(LEAST_ROOT, y))


def operation(b: Builder, op: str, x: int, y: int | None, z: int | None) -> int:
    """The row of an operation; operands that it does not have are None."""
    if y is None:
        return UNARY[op](b, x)
    if z is None:
        return BINARY[op](b, x, y)
    return b.select(x, y, z)


def add_steps(b: Builder, steps: Sequence[Step], outside: Sequence[int], known: dict[Any, int]) -> int:
    """The row of the last of a shape's steps.

    outside: rows.
    known: operations that have been made in `b`; many are like an earlier one, which is found first.
    """
    rows: list[Any] = [None] * (len(steps) + 1)  # the last is that of absent operands
    rows += reversed(outside)
    row = 0
    for k, (op, x, y, z) in enumerate(steps):
        key = op, rows[x], rows[y], rows[z]
        found = known.get(key)
        if found is None:
            found = known[key] = operation(b, *key)
        rows[k] = row = found
    return row


def _un(op: str) -> Callable[[Builder, int], int]:
    return lambda b, x: b.un(op, x)


def _bi(op: str) -> Callable[[Builder, int, int], int]:
    return lambda b, x, y: b.bi(op, x, y)


def _function(op: str) -> Callable[..., int]:
    """As `_un` and `_bi`, of a function of the library, whose value of constants is known now."""
    plain = getattr(eg.math, op)

    def row(b: Builder, *args: int) -> int:
        if all(map(b.is_const, args)):
            return b.const(plain(*map(b.value, args)))
        return b.bi(op, *args) if len(args) > 1 else b.un(op, *args)

    return row


UNARY: dict[str, Callable[[Builder, int], int]] = {
    "neg": Builder.neg,
    "sqrt": lambda b, x: b.un("sqrt", x) if b.is_const(x) else b.call(clamped_sqrt.function, [x])[0],
    "sqrt_plain": _un("sqrt"),
    "sign": lambda b, x: b.bi("copysign", b.const(1.0), x),
    **{op: _un(op) for op in ("abs", "ceil", "floor", "not", "trunc")},
    **{op: _function(op) for op in ("acos", "asin", "atan", "cos", "cosh", "exp", "expm1", "log", "log10")},
    **{op: _function(op) for op in ("log1p", "log2", "sin", "sinh", "tan", "tanh")},
}
BINARY: dict[str, Callable[[Builder, int, int], int]] = {
    "add": Builder.add,
    "sub": Builder.sub,
    "mul": Builder.mul,
    "div": Builder.div,
    "leq": _bi("le"),
    "geq": _bi("ge"),
    **{op: _bi(op) for op in ("and", "eq", "gt", "lt", "or", "xor")},
    **{op: _function(op) for op in ("atan2", "pow")},
}
