"""Find the variables of a formula, and find out whether the formula is an equation."""

from __future__ import annotations

from collections.abc import Sequence

import eglantine as eg
from eglantine import formulas
from eglantine.formulas.parser import parse


def free_letters(
    error: eg.EglantineError, text: str, names: Sequence[str], equations: bool
) -> dict[str, list[str]]:
    """Return {"free": letters} if a formula failed because letters have no value. Otherwise return {}."""
    if not isinstance(error, eg.FormulaError):
        return {}
    try:
        letters = formulas.free_names(text, names, equations=equations)
    except (eg.FormulaError, eg.LimitError):
        return {}
    return {"free": letters} if letters else {}


def used_names(text: str, names: Sequence[str]) -> list[str]:
    """Return the names that a formula uses. If `names` has at most two names, return them all."""
    if len(names) <= 2:
        return [*names]
    used = {node.name for node in parse(text, tuple(names), equations=True).nodes if node.kind == "variable"}
    return [name for name in names if name in used]


def is_equation(text: str, names: Sequence[str]) -> bool:
    """True if a text has an equals sign and the formula parser cannot parse it as an ordinary formula."""
    if "=" not in text:
        return False
    try:
        parse(text, tuple(names))
    except eg.FormulaError:
        return True
    return False
