"""Turn the text of a formula into a function."""

from __future__ import annotations

from collections.abc import Sequence

from eglantine.functions.fn import Fn
from eglantine.ir.builder import Builder
from eglantine.ir.program import Function
from eglantine.ir.row_types import F64
from eglantine.plain.symbolic import current
from eglantine.trace import maths
from eglantine.trace.scalars import RealValue, real_row
from eglantine.types import Real

from . import algebra as formula
from .parser import parse


def to_fn(text: str, names: Sequence[str] = ("x", "y"), *, equations: bool = False) -> Fn:
    """Make an `fn` that computes a formula. The parameters of the `fn` are the Reals `names`.

    equations: if true, an equation f = g is read as the formula f - g. Otherwise an equation is a mistake.
    Raises: FormulaError or LimitError. The error's span has the columns of the mistake.
    """
    parsed = parse(text, names, equations=equations)
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
