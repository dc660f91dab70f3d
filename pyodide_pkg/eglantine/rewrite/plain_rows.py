"""Copy one row that holds no body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import LOWERED, PRIMITIVES, SCALARS
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO, Row, element_type

from .environment import Env, Options
from .outermost import outer_sum

_METHODS = frozenset({"acc_index", "acc_read", "index", "select"})
"""Operations with a method of the same name in the builder. The method takes only the operands."""


def copy_plain_row(block: Block, i: int, b: Builder, env: Env, options: Options) -> None:
    """Copy row i, which must be neither a loop nor a branch."""
    row = block.rows[i]
    op = row[0]
    if op in _METHODS:
        env[i] = getattr(b, op)(*[env[a] for a in row[1:]])
    elif op in PRIMITIVES:
        if options.lower and op in LOWERED:
            env[i] = LOWERED[op](b, *(env[a] for a in row[1:]))
        elif len(row) == 3:
            env[i] = b.bi(op, env[row[1]], env[row[2]])
        else:
            env[i] = b.un(op, env[row[1]])
    elif op == "proj":
        results: Any = env[row[1]]
        env[i] = results[row[2]]
    else:
        env[i] = _COPY[op](block, row, i, b, env, options)


def _copy_powi(block: Block, row: Row, i: int, b: Builder, env: Env, options: Options) -> int:
    """Copy a power, or lower it to products: x⁵ = x · (x²)²."""
    x, n = env[row[1]], row[2]
    if not options.lower:
        return b.powi(x, n)
    lowered: int = SCALARS["powi"].wasm.build(b, x, n)
    return lowered


def _copy_stack(block: Block, row: Row, i: int, b: Builder, env: Env, options: Options) -> int:
    return b.stack([env[a] for a in row[1]], element_type(block.types[i]))


def _copy_update(block: Block, row: Row, i: int, b: Builder, env: Env, options: Options) -> int:
    """Copy an update. Lowering splits `update_add` into a sum and an `update`. Hoisting may move the sum."""
    array, at, x = (env[a] for a in row[1:])
    if options.lower and row[0] == "update_add":
        added = outer_sum(b, array, at, x) if options.hoist and array else b.add(b.index(array, at), x)
        return b.update(array, at, added)
    return b.update(array, at, x, row[0])


def _copy_add_to(block: Block, row: Row, i: int, b: Builder, env: Env, options: Options) -> int:
    b.add_to(env[row[1]], env[row[2]])
    return ZERO


def _copy_print(block: Block, row: Row, i: int, b: Builder, env: Env, options: Options) -> int:
    if row[0] == "require":
        return b.require(env[row[1][0]], row[2])
    return b.effect(("print", tuple(env[a] for a in row[1]), row[2]))


_COPY: dict[str, Callable[..., Any]] = {
    "zero": lambda *_: ZERO,
    "powi": _copy_powi,
    "update": _copy_update,
    "update_add": _copy_update,
    "stack": _copy_stack,
    "zeros": lambda block, row, i, b, *_: b.row(row, block.types[i]),
    "table": lambda block, row, i, b, *_: b.table(row[1], block.types[i].leaf),
    "acc": lambda block, row, i, b, env, _: b.acc(block.types[i].dims, [env[a] for a in row[1]]),
    "add_to": _copy_add_to,
    "check": lambda block, row, i, b, env, _: b.check(env[row[1]], row[2]),
    "print": _copy_print,
    "require": _copy_print,
    "call": lambda block, row, i, b, env, _: b.call(row[2], [env[a] for a in row[1]]),
}
