"""Lower Python's recursion limit, so that a program of a few hundred levels is enough to exceed it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

MOST_CALLS = 250
"""The number of Python calls that may nest. The compiler needs about a hundred, at any depth of a program."""


@contextmanager
def few_nested_calls() -> Iterator[None]:
    """Inside the `with` block, Python raises a RecursionError if `MOST_CALLS` more calls nest.

    If code of the compiler calls itself for each level of a program, this many levels exceed the limit.
    Python's usual limit is 1,000.
    """
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(_depth() + MOST_CALLS)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _depth() -> int:
    """The depth of the call stack at the place where this function is called."""
    depth, frame = 0, sys._getframe(1)
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
