"""Make blocks and functions by hand, with the builder."""

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
    """The block whose results are the rows that `body(builder, *parameters)` returns."""
    b = Builder(parent)
    return b.finish(body(b, *(b.param(of) for of in params)))


def function(
    params: Sequence[RowType] | int, body: Callable[..., Sequence[int]], name: str = "f", **more: Any
) -> Function:
    """A function whose block `body` builds. `params` may be a number of Reals."""
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
