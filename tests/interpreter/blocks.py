"""Make blocks and functions directly with the builder, without tracing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.program import Block, Function
from eglantine.ir.row_types import F64, RowType
from eglantine.types import Real


def block(
    params: Sequence[RowType], body: Callable[..., Sequence[int]], parent: Builder | None = None
) -> Block:
    """Make a block. `body(builder, *parameters)` appends the block's rows and returns its result rows."""
    b = Builder(parent)
    return b.finish(body(b, *(b.param(of) for of in params)))


def function(
    params: Sequence[RowType] | int, body: Callable[..., Sequence[int]], name: str = "f", **more: Any
) -> Function:
    """Make a function from `body`, as in `block`. If `params` is an integer n, it has n Real parameters."""
    types = [F64] * params if isinstance(params, int) else params
    made = block(types, body)
    return Function(
        name,
        (Real,) * len(types),
        Real,
        made,
        leaf_params=made.param_types,
        leaf_results=made.result_types,
        **more,
    )
