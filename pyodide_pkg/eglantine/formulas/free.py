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
    """List a formula's free letters in natural order. A free letter is neither in `names` nor a constant.

    Single letters, perhaps with an index, and the names of Greek letters can be free letters.
    equations: if true, the text may also be an equation f = g.
    Raises: FormulaError for a mistake (free letters are allowed). LimitError if the formula is too large.

    >>> from eglantine import formulas
    >>> formulas.free_names("a sin(b10 x) + b2", ("x",))
    ['a', 'b2', 'b10']
    """
    free: list[str] = []
    parse(text, names, free, equations)
    return sorted(free, key=natural)


def with_free_letters(text: str, names: Sequence[str]) -> tuple[Callable[..., Any], list[str]]:
    """Return a function that computes a formula, and a list of the formula's free letters.

    The function takes traced Reals: the `names`, then the free letters in natural order. The text is parsed
    only once, so this is faster than calling `free_names` and then `to_fn`.
    Raises: the same errors as `free_names`.
    """
    free: list[str] = []
    parsed = parse(text, names, free)
    letters = sorted(free, key=natural)
    return partial(apply, parsed._replace(names=(*names, *letters)), maths), letters
