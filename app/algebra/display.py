"""From a function back to formulas that a person reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eglantine.inside import called_in_place, copied

from .expressions import is_undefined
from .recognised import from_rows
from .tex import tex

if TYPE_CHECKING:
    from eglantine import Fn
    from eglantine.inside import Block

LARGEST_SHOWN = 400
"""How many nodes a formula may have to be shown."""


def to_tex(f: Fn, budget: int = LARGEST_SHOWN) -> list[str | None]:
    """Each Real of a function's result as TeX in its parameters' names.

    None stands for a result that is no (short) formula, "" for one that is no number wherever it is computed.
    What is shown is simplified by the algebra of real numbers, which compiled code never is.
    """
    block = _in_place(f)
    names = dict(zip(block.params, f.function.param_names, strict=True))
    results: list[int] = []
    for row in block.results:
        is_stack = row > 0 and block.rows[row][0] == "stack"
        results.extend(block.rows[row][1] if is_stack else (row,))
    shown = from_rows(block.rows, block.consts, names, results, budget)
    return [None if expr is None else "" if is_undefined(expr) else tex(expr) for expr in shown]


def _in_place(f: Fn) -> Block:
    """The function's block with every call replaced by what it computes."""
    assert f.function.block is not None
    return copied(called_in_place(f.function.block, lambda callee: callee.block))
