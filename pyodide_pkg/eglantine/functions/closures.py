"""Turn the values that a function captures from an enclosing trace into arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.program import Loop
from eglantine.ir.row_types import I32, Array, RowType, element_type
from eglantine.plain.symbolic import current
from eglantine.trace.traced import current_builder
from eglantine.trace.tracer import trace
from eglantine.trace.vectors import rows_of, value_of
from eglantine.types import Bool, FinType, Real, Type, VecType

from .fn import Fn


def closed_of(f: Fn) -> Fn:
    """Make a copy of f with a new parameter for each value that f captures from an enclosing trace.

    In the copy, index arguments begin at 0, as in a Fin. `from_zero` shifts f's arguments accordingly.
    """
    function = f.function
    if not f.hidden and function.rule is None and function.block is not None:
        return f
    n = len(function.leaf_params) - function.hidden
    types = [*function.params, *(_written(of) for of in function.leaf_params[n:])]

    def run(*args: Any) -> Any:
        b = current_builder()
        rows = [row for arg, of in zip(args, types, strict=True) for row in rows_of(b, arg, of)]
        shifted = [_shifted(b, row, of, 1) for row, of in zip(rows, function.leaf_params, strict=True)]
        return value_of(function.result, b, b.call(function, shifted))

    token = current.set(None)
    try:
        closed, _ = trace(run, types, function.result, name=f.__name__, param_names=function.param_names)
    finally:
        current.reset(token)
    return Fn(closed, (), f.__wrapped__)


def from_zero(b: Builder, f: Fn, rows: Sequence[int]) -> list[int]:
    """Make arguments for `closed_of(f)`: shift the indices in f's arguments and captures to begin at 0."""
    return [_shifted(b, row, of, -1) for row, of in zip(rows, f.function.leaf_params, strict=True)]


def _written(of: RowType) -> Type:
    """Convert a row type to a user's type. Indices in the user's type begin at 0."""
    if isinstance(of, Array):
        return VecType(of.dims[0], _written(element_type(of)))
    if isinstance(of, I32):
        return FinType(of.hi - of.lo + 1)
    user: Type = Bool if of.dtype == "i1" else Real
    return user


def _shifted(b: Builder, row: int, of: RowType, sign: int) -> int:
    """Add a constant to an index, or to each index of an array. Return any other row unchanged.

    of: the type of the row, which has the lower and the upper bound of the index.
    sign: if -1, subtract the lower bound, so that indices begin at 0. If 1, add the lower bound again.
    """
    if isinstance(of, Array) and isinstance(of.leaf, I32) and of.leaf.lo and of.dims[0]:
        each = Builder(b)
        i = each.param(I32(0, of.dims[0] - 1))
        one = _shifted(each, each.index(each.capture(row), i), element_type(of), sign)
        return b.loop(Loop(each.finish([one]), of.dims[0], of.dims[0], False, 0), each.captured)[0]
    if not isinstance(of, I32) or not of.lo:
        return row
    return b.bi("iadd", row, b.int_const(sign * of.lo))
