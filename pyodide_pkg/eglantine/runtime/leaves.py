"""The leaf values of an argument `...`, whose value is already in memory and need not be written."""

from __future__ import annotations

from typing import Any

from eglantine.leaves import leaves
from eglantine.types import Type


def _kept(of: Type) -> list[Any]:
    """Return `...` for each leaf of an argument of this type. The leaves keep their values in memory."""
    return [...] * len(leaves(of))
