"""Find facts about a formula's text, such as its variables. The page gets them with the compiled module."""

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
    """Return those of `names` that a formula uses. If `names` are only x and y, return both anyway."""
    if len(names) <= 2:
        return [*names]
    used = {node.name for node in parse(text, tuple(names), equations=True).nodes if node.kind == "variable"}
    return [name for name in names if name in used]


def is_equation(text: str, names: Sequence[str]) -> bool:
    """True if a text is an equation, and so not an ordinary formula."""
    if "=" not in text:
        return False
    try:
        parse(text, tuple(names))
    except eg.FormulaError:
        return True
    return False
