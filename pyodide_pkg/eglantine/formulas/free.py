"""The free letters of a formula."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from eglantine.trace import maths

from .algebra import apply
from .alphabet import natural
from .parser import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def free_names(text: str, names: Sequence[str] = ("x", "y"), *, equations: bool = False) -> list[str]:
    """The free letters of a formula, in natural order: its names other than `names`, functions and constants.

    Free letters are single letters, with or without an index, and the names of Greek letters.
    equations: whether the text may also be an equation, as for `to_fn`.
    Raises: FormulaError or LimitError if the text is not a formula even when these letters are defined.

    >>> from eglantine import formulas
    >>> formulas.free_names("a sin(b10 x) + b2", ("x",))
    ['a', 'b2', 'b10']
    """
    free: list[str] = []
    parse(text, names, free, equations)
    return sorted(free, key=natural)


def with_free_letters(text: str, names: Sequence[str]) -> tuple[Callable[..., Any], list[str]]:
    """The function (*names, *free letters) of a formula, for traced Reals, and its letters in natural order.

    The text is parsed only once, so this is faster than `free_names` and `to_fn`.
    Raises: FormulaError or LimitError as `free_names`.
    """
    free: list[str] = []
    parsed = parse(text, names, free)
    letters = sorted(free, key=natural)
    return partial(apply, parsed._replace(names=(*names, *letters)), maths), letters
