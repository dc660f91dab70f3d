"""Every kind of derivative: sparse matrices and groups of directions."""

from __future__ import annotations

from collections.abc import Iterator

from bench import derivatives_sparse
from bench.lab import Lab
from bench.measure import Row


def rows(lab: Lab) -> Iterator[Row]:
    """The rows of all parts."""
    yield from derivatives_sparse.rows(check=lab.check)
