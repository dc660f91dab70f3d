"""Lower Python's recursion limit, so that tests of deep programs need only a few hundred levels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

MOST_CALLS = 250
"""The largest allowed number of nested Python calls. The compiler needs about a hundred, however deep a
program is."""


@contextmanager
def few_nested_calls() -> Iterator[None]:
    """Limit nested Python calls in a `with` block to `MOST_CALLS`. Python's usual limit is 1,000.

    If the compiler calls itself for each level of a program, a program of `MOST_CALLS` levels fails.
    """
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(_depth() + MOST_CALLS)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _depth() -> int:
    """Return the depth of the caller's call stack."""
    depth, frame = 0, sys._getframe(1)
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
