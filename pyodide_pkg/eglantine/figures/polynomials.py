"""Add a Taylor polynomial to a curve, at the point that the reader moves. A slider sets its order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from eglantine.errors import TypeMismatchError
from eglantine.series.taylor import taylor
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.sums import vec

from .models import Model, arguments, part_of
from .signatures import taking

HIGHEST: Final = 8
"""The highest order of a polynomial."""
PIECES: Final = 200


def polynomial(f: Any, shown: Model, named: Mapping[str, Any]) -> Callable[..., Any]:
    """Make the path (points to draw) of the first function's Taylor polynomial.

    The path changes with the order, and with the point that the reader moves.
    """
    first = f[0] if isinstance(f, list | tuple) else f
    part = part_of(first, named)
    [(axis, low, high)] = shown.axes
    if "order" in part.names:
        raise TypeMismatchError(
            f'show=("taylor",) adds a slider called order, but {part.label} has a parameter of this name. '
            "Rename the parameter."
        )
    others = [name for name in part.names if name != axis]

    def path(*given: Any) -> Any:
        x, *rest, order = given
        values = dict(zip(others, rest, strict=True))
        terms = taylor(
            lambda t: part.call(*arguments(part, {**values, axis: t})) * 1.0, x * 1.0, order=HIGHEST
        )
        kept = [select(maths.floor(order) >= real(k), term, 0.0) for k, term in enumerate(terms)]

        def at(i: Any) -> Any:
            step = low + (high - low) / PIECES * real(i) - x
            total: Any = 0.0
            for term in reversed(kept):
                total = total * step + term
            return total

        return vec(PIECES + 1, lambda i: low + (high - low) / PIECES * real(i)), vec(PIECES + 1, at)

    return taking([axis, *others, "order"], path, "Taylor")
