"""Arrays that grow by one element a round of a while loop, and the number of its rounds."""

from __future__ import annotations

from typing import Any

from eglantine.ir.builder import Builder
from eglantine.ir.row_types import TRIPS, TRIPS_TYPE


def _place(found: Any) -> int:
    """The row of a copied loop, by what an environment holds of it: the row, or its results."""
    number: int = found if isinstance(found, int) else found.row
    return number


def trips(b: Builder, found: Any) -> int:
    """The row that says how often a copied while loop ran, by what an environment holds of the loop."""
    return b.row(("proj", _place(found), TRIPS), TRIPS_TYPE)
