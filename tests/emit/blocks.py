"""Blocks of rows built by hand, and their results on two engines."""

from __future__ import annotations

import math
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Cond, Function, Loop
from eglantine.ir.row_types import F64, I32, Array
from tests.emit.running import function

INDEX = I32(0, 9)
VECTOR = Array(F64, (3,))
NUMBERS = (0.0, -0.0, 1.5, -2.75, 1e300, math.inf, -math.inf, math.nan, 5e-324, 2.5, -0.5)


def body(params: Any, build: Any) -> Block:
    """Make a block with these parameters. `build(builder, *parameters)` appends its rows."""
    b = Builder()
    return b.finish(build(b, *(b.param(of) for of in params)))


def made(params: Any, build: Any, name: str = "f") -> Function:
    b = Builder()
    return function(b, build(b, *(b.param(of) for of in params)), name)


# ---------------------------------------------------------------- branches


def chain(b: Builder, p: int, x: int, y: int, then: Any, orelse: Any) -> list[int]:
    arms = Cond(body([F64, F64], then), body([F64, F64], orelse))
    return b.cond(arms, [p, x, y])


# ---------------------------------------------------------------- loops


def loop(b: Builder, n: Any, inits: Any, captures: Any, types: Any, build: Any, **more: Any) -> list[int]:
    """Append a loop of `n` rounds. `n` is an int, or a pair: the row with the number, and an upper bound."""
    count, extent, first = (n, n, []) if isinstance(n, int) else (None, n[1], [n[0]])
    index = I32(0, max(extent - 1, 0))
    block = body([index, *types], build)
    loop = Loop(block, count, extent, more.get("reverse", False), len(inits))
    return b.loop(loop, [*first, *inits, *captures])
