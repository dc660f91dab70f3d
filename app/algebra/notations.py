"""Tables of notations: how shown formulas write each function. The table of primitives defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eglantine.inside import SCALARS

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOTATIONS: Final = {op: primitive.notation for op, primitive in SCALARS.items() if primitive.notation}

SHOWN_NAMES: Final[Mapping[str, str]] = {op: notation.shown or op for op, notation in _NOTATIONS.items()}
"""The name of each function in shown expressions."""

ODD: Final = frozenset(SHOWN_NAMES[op] for op, notation in _NOTATIONS.items() if notation.symmetry == "odd")
EVEN: Final = frozenset(SHOWN_NAMES[op] for op, notation in _NOTATIONS.items() if notation.symmetry == "even")
"""The shown names of the functions with f(-x) = -f(x) (ODD), and with f(-x) = f(x) (EVEN)."""


def _by_any_name(texts: Mapping[str, str]) -> dict[str, str]:
    """Map all three names of each operation to its text: in the IR, in shown and in typed formulas."""
    return {
        name: text for op, text in texts.items() for name in (op, SHOWN_NAMES[op], _NOTATIONS[op].name or op)
    }


TEX: Final[Mapping[str, str]] = _by_any_name(
    {op: notation.tex or rf"\operatorname{{{SHOWN_NAMES[op]}}}" for op, notation in _NOTATIONS.items()}
)
"""The name of a function in TeX."""

BARE: Final = frozenset(_by_any_name({op: "" for op, notation in _NOTATIONS.items() if notation.bare}))
"""The functions that need no brackets around a plain argument."""
