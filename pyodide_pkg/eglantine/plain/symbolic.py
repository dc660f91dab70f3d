"""Values that are known only when the program runs, and the words for them in messages."""

from __future__ import annotations

from contextvars import ContextVar
from types import FunctionType
from typing import Any

from eglantine.ir.builder import Builder

current: ContextVar[Builder | None] = ContextVar("eglantine_builder", default=None)
"""The builder of the innermost block being traced."""


class Symbolic:
    """A value that is known only when the program runs. Messages call it by its `_noun`."""

    __slots__ = ()

    @property
    def _noun(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{described(self)}>"


def described(value: Any) -> str:
    """The words by which messages name a value."""
    if isinstance(value, Symbolic):
        return f"a traced {value._noun}"
    if isinstance(value, FunctionType):
        return function_told(value)
    kind = type(value).__name__
    return f"a {kind}" if kind in ("generator", "coroutine", "At") else f"{value!r} ({kind})"


def function_told(f: Any) -> str:
    """The words by which messages name a function."""
    name = getattr(f, "__name__", type(f).__name__)
    return "a lambda" if name == "<lambda>" else f"the function {name}"
