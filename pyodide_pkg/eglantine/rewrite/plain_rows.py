"""Copy one row that has no body."""

from __future__ import annotations

from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.primitives import SCALARS
from eglantine.ir.program import Block
from eglantine.ir.row_types import ZERO

from .environment import Env, Options

_METHODS = frozenset({"acc_index", "acc_read", "index", "select"})
"""What the builder makes of operands alone, by the operation's name."""


def _copy_powi(block: Block, row: Any, i: int, b: Builder, env: Env, options: Options) -> int:
    x, n = env[row[1]], row[2]
    if not options.lower:
        return b.powi(x, n)
    lowered: int = SCALARS["powi"].wasm.build(b, x, n)
    return lowered


def _copy_stack(block: Block, row: Any, i: int, b: Builder, env: Env, options: Options) -> int:
    of = block.types[i]
    element = type(of)(of.leaf, of.dims[1:]) if len(of.dims) > 1 else of.leaf
    return b.stack([env[a] for a in row[1]], element)


def _copy_add_to(block: Block, row: Any, i: int, b: Builder, env: Env, options: Options) -> int:
    b.add_to(env[row[1]], env[row[2]])
    return ZERO


def _copy_print(block: Block, row: Any, i: int, b: Builder, env: Env, options: Options) -> int:
    if row[0] == "require":
        return b.require(env[row[1][0]], row[2])
    return b.effect(("print", tuple(env[a] for a in row[1]), row[2]))
