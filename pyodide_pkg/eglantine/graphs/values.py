"""Compute the value and cotangent of each Real at a point. Reals inside loops and branches are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eglantine.autodiff.reverse import jacobian_transposed
from eglantine.interpreter.machine import run
from eglantine.ir.program import Function, with_results
from eglantine.ir.row_types import F64, user_type
from eglantine.mathlib.library import library
from eglantine.rewrite.copying import copy_row
from eglantine.rewrite.environment import PLAIN, begun
from eglantine.types import Real, TupleType


def values_of(function: Function, arguments: Sequence[Any], rows: Sequence[int]) -> list[Any]:
    """Run a function on the leaf values `arguments`. Return the values of the given rows of its block."""
    return run(values_function(function, rows), arguments, library)


def values_function(function: Function, rows: Sequence[int]) -> Function:
    """Copy `function`. The copy returns the values of the given rows instead of the results."""
    assert function.block is not None
    block = with_results(function.block, rows)
    types = tuple(map(user_type, block.result_types))
    return Function(
        function.name, function.params, TupleType(types), block,
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def cotangents_of(function: Function, arguments: Sequence[Any], rows: Sequence[int]) -> list[float]:
    """Differentiate the function's result with respect to the values of the given rows.

    The result and the rows are Reals.
    """
    n, m = len(function.leaf_params), len(rows)
    pulled = jacobian_transposed(shifted(function, rows), (False,) * n + (True,) * m, ((0, 0),))
    results = run(pulled, [*arguments, *[0.0] * m], library)
    return results[len(results) - m :]


def shifted(function: Function, rows: Sequence[int]) -> Function:
    """Copy `function`. The copy has a new argument for each given row, and adds it to the row's value.

    The rows are Reals. If the new arguments are 0, the derivative with respect to a new argument equals the
    derivative with respect to its row.
    """
    block = function.block
    assert block is not None
    b, env = begun(block)
    extra = {row: b.param(F64) for row in rows}
    for i in range(1, len(block.rows)):
        if env[i] is None:
            copy_row(block, i, b, env, PLAIN, None)
        if i in extra:
            env[i] = b.add(env[i], extra[i])
    whole = b.finish([env[row] for row in block.results])
    return Function(
        f"{function.name} shifted", (*function.params, *(Real,) * len(rows)), function.result, whole,
        leaf_params=whole.param_types, leaf_results=whole.result_types,
    )  # fmt: skip
