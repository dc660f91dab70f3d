"""The grammar of formulas as JSON values, for readers outside Python."""

from __future__ import annotations

from typing import Any

from .alphabet import GREEK, NEVER_FREE
from .definitions import DEFINITIONS
from .grammar import (
    CLOSING,
    CONSTANTS,
    FUNCTIONS,
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TERMS,
    SPELLINGS,
    STRENGTH,
    WITH_BRACKET,
    WORDS,
)


def table() -> dict[str, Any]:
    """The whole grammar as JSON values."""
    return {
        "limits": {
            "characters": MAX_CHARACTERS,
            "terms": MAX_TERMS,
            "depth": MAX_DEPTH,
            "nodes": MAX_NODES,
        },
        "strength": dict(STRENGTH),
        "spellings": dict(SPELLINGS),
        "words": [*WORDS],
        "closing": dict(CLOSING),
        "constants": dict(CONSTANTS),
        "functions": {name: [*function] for name, function in FUNCTIONS.items()},
        "greek": dict(GREEK),
        "never_free": sorted(NEVER_FREE),
        "with_bracket": sorted(WITH_BRACKET),
        "definitions": {name: [*definition] for name, definition in DEFINITIONS.items()},
    }
