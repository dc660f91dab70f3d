"""From a formula's text to a function."""

from __future__ import annotations

from collections.abc import Sequence

from . import formula, maths
from .functions import Fn
from .tracer import trace
from .types import Real


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
