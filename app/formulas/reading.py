"""Facts about a formula's text that the page gets together with the compiled module."""

from __future__ import annotations

from collections.abc import Sequence

import eglantine as eg
from eglantine import formulas
from eglantine.formulas.parser import parse


def free_letters(
    error: eg.EglantineError, text: str, names: Sequence[str], equations: bool
) -> dict[str, list[str]]:
    """Return {"free": the letters that have no value}, or {} if the error has any other reason."""
    if not isinstance(error, eg.FormulaError):
        return {}
    try:
        letters = formulas.free_names(text, names, equations=equations)
    except (eg.FormulaError, eg.LimitError):
        return {}
    return {"free": letters} if letters else {}


def used_names(text: str, names: Sequence[str]) -> list[str]:
    """The names that a formula uses, in the order of `names`. If `names` are only x and y, return both."""
    if len(names) <= 2:
        return [*names]
    used = {node.name for node in parse(text, tuple(names), equations=True).nodes if node.kind == "variable"}
    return [name for name in names if name in used]


def is_equation(text: str, names: Sequence[str]) -> bool:
    """True if a text can be read as an equation but not as a formula."""
    if "=" not in text:
        return False
    try:
        parse(text, tuple(names))
    except eg.FormulaError:
        return True
    return False
