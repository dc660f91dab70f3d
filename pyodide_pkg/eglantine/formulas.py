"""From a formula's text to a function."""

from __future__ import annotations

from collections.abc import Sequence

from . import formula, maths
from .build import Builder
from .functions import Fn
from .ir import F64, Function
from .types import Real
from .values import RealValue, current, real_row


def to_fn(text: str, names: Sequence[str] = ("x", "y")) -> Fn:
    """The function of Reals that a formula in the variables `names` says.

    Raises: FormulaError or LimitError with the mistake's columns.
    """
    parsed = formula.parse(text, names)
    b = Builder()
    token = current.set(b)
    try:
        value = formula.apply(parsed, maths, *[RealValue(b, b.param(F64)) for _ in names])
        block = b.finish([real_row(b, value)])
    finally:
        current.reset(token)
    reals = (F64,) * len(names)
    function = Function(
        "formula", (Real,) * len(names), Real, block, param_names=parsed.names, leaf_params=reals,
        leaf_results=(F64,),
    )  # fmt: skip
    return Fn(function)
