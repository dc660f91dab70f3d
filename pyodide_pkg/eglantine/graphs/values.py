"""The value and the cotangent of each Real at a point, without the Reals in bodies of loops and branches."""

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
    """The values of some rows of a function's block, for these leaf values of its arguments."""
    return run(values_function(function, rows), arguments, library)


def values_function(function: Function, rows: Sequence[int]) -> Function:
    """A function with the arguments of `function` that returns the values of these rows."""
    assert function.block is not None
    block = with_results(function.block, rows)
    types = tuple(map(user_type, block.result_types))
    return Function(
        function.name, function.params, TupleType(types), block,
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip


def cotangents_of(function: Function, arguments: Sequence[Any], rows: Sequence[int]) -> list[float]:
    """For each of these rows, which hold Reals, the derivative of the function's only result by the row's
    value.
    """
    n, m = len(function.leaf_params), len(rows)
    pulled = jacobian_transposed(shifted(function, rows), (False,) * n + (True,) * m, ((0, 0),))
    results = run(pulled, [*arguments, *[0.0] * m], library)
    return results[len(results) - m :]


def shifted(function: Function, rows: Sequence[int]) -> Function:
    """A copy of `function` that takes one more argument for each of these rows, and adds it to the row's
    value.

    The rows hold Reals. At 0, the derivative by such an argument is the derivative by the row's value.
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
