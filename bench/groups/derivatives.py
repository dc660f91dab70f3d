"""Time every kind of derivative: sparse matrices, groups of directions, Taylor series, and an orbit."""

from __future__ import annotations

from collections.abc import Iterator

from bench import (
    derivatives_chunks,
    derivatives_edges,
    derivatives_kepler,
    derivatives_sparse,
    derivatives_taylor,
    sparse_page,
)
from bench.lab import Lab
from bench.measure import Row


def rows(lab: Lab) -> Iterator[Row]:
    """The rows of all parts."""
    yield from derivatives_sparse.rows(check=lab.check)
    yield from sparse_page.rows(lab)
    yield from derivatives_edges.rows(check=lab.check)
    yield from derivatives_chunks.rows(check=lab.check)
    yield from derivatives_taylor.rows(check=lab.check)
    yield from derivatives_kepler.rows(check=lab.check)
