"""Tables of how formulas on pages write each function. We make them from the table of primitives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from eglantine.inside import SCALARS

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOTATIONS: Final = {op: primitive.notation for op, primitive in SCALARS.items() if primitive.notation}

SHOWN_NAMES: Final[Mapping[str, str]] = {op: notation.shown or op for op, notation in _NOTATIONS.items()}
"""For each operation of the IR, the function name that formulas on pages show."""

ODD: Final = frozenset(SHOWN_NAMES[op] for op, notation in _NOTATIONS.items() if notation.symmetry == "odd")
EVEN: Final = frozenset(SHOWN_NAMES[op] for op, notation in _NOTATIONS.items() if notation.symmetry == "even")
"""ODD has the shown names of the functions with f(-x) = -f(x), and EVEN those with f(-x) = f(x)."""


def _by_any_name(texts: Mapping[str, str]) -> dict[str, str]:
    """Map each operation's names in the IR, in shown formulas and in typed formulas to its text."""
    return {
        name: text for op, text in texts.items() for name in (op, SHOWN_NAMES[op], _NOTATIONS[op].name or op)
    }


TEX: Final[Mapping[str, str]] = _by_any_name(
    {op: notation.tex or rf"\operatorname{{{SHOWN_NAMES[op]}}}" for op, notation in _NOTATIONS.items()}
)
"""For each name of a function (in the IR, in shown formulas or in typed formulas), its name in TeX."""

BARE: Final = frozenset(_by_any_name({op: "" for op, notation in _NOTATIONS.items() if notation.bare}))
"""The names of the functions that need no brackets around a plain argument, as in sin x."""
