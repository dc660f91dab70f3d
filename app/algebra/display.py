"""Functions as formulas in TeX."""

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
"""The largest number of nodes of a formula that a page shows."""


def to_tex(f: Fn, budget: int = LARGEST_SHOWN) -> list[str | None]:
    """Return a TeX formula for each Real in a function's result, written with the parameters' names.

    A formula is None if it would be too long, and "" if the result is undefined everywhere. We simplify
    formulas by the rules of real algebra. We never simplify compiled code by these rules, because they ignore
    rounding.
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
    """Return the function's block with all calls inlined."""
    assert f.function.block is not None
    return copied(called_in_place(f.function.block, lambda callee: callee.block))
