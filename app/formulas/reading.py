"""The facts about a formula that the page gets besides the module."""

from __future__ import annotations

from collections.abc import Sequence

import eglantine as eg
from eglantine import formulas
from eglantine.formulas.parser import parse


def free_letters(
    error: eg.EglantineError, text: str, names: Sequence[str], equations: bool
) -> dict[str, list[str]]:
    """{"free": the letters of a refused text that only lack values}, or {} if the text has other faults."""
    if not isinstance(error, eg.FormulaError):
        return {}
    try:
        letters = formulas.free_names(text, names, equations=equations)
    except (eg.FormulaError, eg.LimitError):
        return {}
    return {"free": letters} if letters else {}


def used_names(text: str, names: Sequence[str]) -> list[str]:
    """The names that a formula uses, in the order of `names`. If these are only x and y, both of them."""
    if len(names) <= 2:
        return [*names]
    used = {node.name for node in parse(text, tuple(names), equations=True).nodes if node.kind == "variable"}
    return [name for name in names if name in used]


def is_equation(text: str, names: Sequence[str]) -> bool:
    """True if a text is read only because equations are allowed."""
    if "=" not in text:
        return False
    try:
        parse(text, tuple(names))
    except eg.FormulaError:
        return True
    return False
