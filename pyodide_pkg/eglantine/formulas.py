"""From a formula's text to a function, and from a function back to formulas that a person reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import formula, maths
from .build import Builder
from .functions import Fn
from .ir import Block
from .rewrite import Options, inline
from .tracer import trace
from .types import Real

LARGEST_SHOWN = 400
"""How many nodes a formula may have to be shown."""


def to_fn(text: str, names: Sequence[str] = ("x", "y")) -> Fn:
    """The function of Reals that a formula in the variables `names` says.

    Raises: FormulaError or LimitError with the mistake's columns.
    """
    parsed = formula.parse(text, names)
    function, hidden = trace(
        lambda *values: formula.apply(parsed, maths, *values),
        [Real] * len(names),
        Real,
        name="formula",
        param_names=names,
    )
    return Fn(function, hidden)


def to_tex(f: Fn, budget: int = LARGEST_SHOWN) -> list[str | None]:
    """Each Real of a function's result as TeX in its parameters' names; None where it is no (short) formula.

    What is shown is simplified by the algebra of real numbers, which compiled code never is.
    """
    from .algebra import from_rows
    from .tex import tex

    block = _in_place(f)
    names = dict(zip(block.params, f.function.param_names, strict=True))
    results: list[int] = []
    for row in block.results:
        is_stack = row > 0 and block.rows[row][0] == "stack"
        results.extend(block.rows[row][1] if is_stack else (row,))
    shown = from_rows(block.rows, block.consts, names, results, budget)
    return [None if expr is None else tex(expr) for expr in shown]


def _in_place(f: Fn) -> Block:
    """The function's block with every call replaced by what it computes."""
    assert f.function.block is not None
    b = Builder()
    params = [b.param(of) for of in f.function.leaf_params]
    options = Options(inline=lambda callee: callee)
    results: list[Any] = inline(f.function.block, b, params, options)[1]
    return b.finish(results)
