"""Stand-ins for the leaf values of an argument `...`, whose value is already in memory."""

from __future__ import annotations

from typing import Any

from eglantine.leaves import leaves
from eglantine.types import Type


def _kept(of: Type) -> list[Any]:
    """Return `...` for each leaf of an argument whose value in memory is kept."""
    return [...] * len(leaves(of))
