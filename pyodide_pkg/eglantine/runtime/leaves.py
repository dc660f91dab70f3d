"""Arguments that stay in memory: the leaf values that stand for them."""

from __future__ import annotations

from typing import Any

from eglantine.leaves import leaves
from eglantine.types import Type


def _kept(of: Type) -> list[Any]:
    """Return leaf values for an argument that stays in memory as it is."""
    return [...] * len(leaves(of))
