"""Parts of arrays along one axis."""

from __future__ import annotations

from typing import Any

from eglantine.trace.shapes import shape_of
from eglantine.trace.views import subscripted

from .building import array_of


def sliced(a: Any, axis: int, part: Any) -> Any:
    """Apply `part`, a slice, an index or an index array, to one axis. Leave the other axes unchanged."""
    rank = len(shape_of(a))
    return subscripted(array_of(a), tuple(part if k == axis else slice(None) for k in range(rank)))
