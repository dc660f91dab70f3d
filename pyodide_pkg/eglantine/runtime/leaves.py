"""The leaf values of an argument `...`, which tells a kernel to keep the value in its memory."""

from __future__ import annotations

from typing import Any

from eglantine.leaves import leaves
from eglantine.types import Type


def _kept(of: Type) -> list[Any]:
    """Return one `...` for each leaf of a type. For these leaves, the kernel writes nothing to memory."""
    return [...] * len(leaves(of))
