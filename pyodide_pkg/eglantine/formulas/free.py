"""Find the free letters of a formula."""

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
    """List the free letters of a formula in natural order: letters that are not in `names` and not constants.

    Single letters, perhaps with an index, and the names of Greek letters can be free letters.
    equations: if true, the text may also be an equation, as for `to_fn`.
    Raises: FormulaError or LimitError if the text is not a formula, even if all free letters have a value.

    >>> from eglantine import formulas
    >>> formulas.free_names("a sin(b10 x) + b2", ("x",))
    ['a', 'b2', 'b10']
    """
    free: list[str] = []
    parse(text, names, free, equations)
    return sorted(free, key=natural)


def with_free_letters(text: str, names: Sequence[str]) -> tuple[Callable[..., Any], list[str]]:
    """Make a formula's function, with the parameters (*names, *free letters). Also return the free letters.

    The function takes traced Reals. The letters are in natural order. The text is parsed only once, so this
    is faster than calling `free_names` and then `to_fn`.
    Raises: FormulaError or LimitError as `free_names`.
    """
    free: list[str] = []
    parsed = parse(text, names, free)
    letters = sorted(free, key=natural)
    return partial(apply, parsed._replace(names=(*names, *letters)), maths), letters
