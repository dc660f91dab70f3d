"""Convert the grammar of formulas to JSON, for code outside Python."""

from __future__ import annotations

from typing import Any

from .alphabet import GREEK, NEVER_FREE
from .definitions import DEFINITIONS
from .grammar import (
    AND,
    BIGGEST_POLYGAMMA,
    CHOICE,
    CLOSING,
    COMPARE,
    CONSTANTS,
    FUNCTIONS,
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TERMS,
    NOT,
    OR,
    POWER,
    PRODUCT,
    SIGN,
    SPELLINGS,
    STRENGTH,
    SUM,
    WITH_BRACKET,
    WORDS,
)
from .latex import SIGNS, STYLES
from .parts import CONDITIONS
from .pasted import POLAR_NAMES
from .series import BIGGEST_BOUND
from .words import COMMANDS, FORMULAS

LEVELS = {
    "CHOICE": CHOICE, "OR": OR, "AND": AND, "NOT": NOT, "COMPARE": COMPARE, "SUM": SUM, "PRODUCT": PRODUCT,
    "SIGN": SIGN, "POWER": POWER,
}  # fmt: skip
"""A dict from the names of the levels of precedence to their numbers. Higher levels bind more strongly."""


def table() -> dict[str, Any]:
    """The whole grammar as JSON values."""
    return {
        "limits": {
            "characters": MAX_CHARACTERS,
            "terms": MAX_TERMS,
            "depth": MAX_DEPTH,
            "nodes": MAX_NODES,
            "bound": BIGGEST_BOUND,
            "polygamma": BIGGEST_POLYGAMMA,
        },
        "levels": LEVELS,
        "strength": dict(STRENGTH),
        "spellings": dict(SPELLINGS),
        "words": [*WORDS],
        "closing": dict(CLOSING),
        "constants": dict(CONSTANTS),
        "functions": {name: [*function] for name, function in FUNCTIONS.items()},
        "greek": dict(GREEK),
        "never_free": sorted(NEVER_FREE),
        "with_bracket": sorted(WITH_BRACKET),
        "conditions": sorted(CONDITIONS),
        "commands": sorted(COMMANDS),
        "identities": dict(FORMULAS),
        "polar": dict(POLAR_NAMES),
        "latex": {"signs": dict(SIGNS), "styles": sorted(STYLES)},
        "definitions": {name: [*definition] for name, definition in DEFINITIONS.items()},
    }
