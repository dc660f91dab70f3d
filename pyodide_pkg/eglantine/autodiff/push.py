"""Push tangents forward through a block, row by row."""

from __future__ import annotations

from eglantine.ir.program import NESTING

_STRUCTURED = frozenset({"call", *NESTING})

Tangent = tuple[int, ...] | None
"""One row for each direction, or None where there is no tangent."""
