"""Trace a function of the user as the body of a loop or branch."""

from __future__ import annotations

import sys
from typing import Any

from eglantine.errors import ShapeError, TypeMismatchError, user_frame
from eglantine.ir.builder import Builder
from eglantine.plain.symbolic import current, described
from eglantine.types import FinType

from .scalars import IndexValue
from .traced import Traced, lift


def length_of(n: Any) -> int:
    """Check a length, and return it as an int."""
    if isinstance(n, FinType):
        return n.n
    if isinstance(n, bool) or not hasattr(n, "__index__") or isinstance(n, Traced) or n < 0:
        advice = "Write a number such as 3."
        if callable(n):
            advice = "The length comes first, and the function after it."
        raise TypeMismatchError(
            f"A length must be a whole number ≥ 0, or a Fin, but this one is {described(n)}. {advice}"
        )
    return int(n.__index__())


def tracing(what: str) -> Builder:
    """Return the current builder for a call of `eg.<what>`. New rows get the user's call as their source."""
    b = current.get()
    if b is None:
        raise TypeMismatchError(f"eg.{what} was called outside a function. Call it inside an eg.fn.")
    frame: Any = user_frame() or sys._getframe(2)
    b.source = (frame.f_code, frame.f_lasti)
    return b


class Body:
    """A new block inside `parent`, for tracing a function of the user.

    Within the `with` statement, new rows go into this block.
    """

    def __init__(self, parent: Builder, conditional: bool = False) -> None:
        self.b = Builder(parent, conditional)

    def __enter__(self) -> Builder:
        self._token = current.set(self.b)
        return self.b

    def __exit__(self, *_: object) -> None:
        current.reset(self._token)


def loop_count(b: Builder, n: Any) -> tuple[int | None, int, list[int]]:
    """Return how many rounds a loop runs, the largest possible number of rounds, and a list of rows.

    If the number is known while tracing, the list is empty. Otherwise we return None as the number, and the
    list contains the row that computes it.
    """
    if isinstance(n, IndexValue):
        lo, hi = n.bounds
        row = lift(b, n)
        if row >= 0:
            if lo < 0:
                raise ShapeError(
                    f"The number of rounds of a loop must never be negative, but this index may be {lo}. "
                    "Write eg.Fin(n)(i) to check it."
                )
            return None, hi, [row]
        n = b.value(row)
    n = length_of(n)
    return n, n, []


def _caller() -> Any:
    frame: Any = user_frame()
    return (frame.f_code, frame.f_lasti)


class _Entered(Body):
    """A child block that is entered again."""

    def __init__(self, b: Builder) -> None:
        self.b = b
