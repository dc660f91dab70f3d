"""The base class of values that are known only when the program runs, and their names in messages."""

from __future__ import annotations

from contextvars import ContextVar
from types import FunctionType
from typing import Any

from eglantine.ir.builder import Builder

current: ContextVar[Builder | None] = ContextVar("eglantine_builder", default=None)
"""The builder of the innermost block being traced."""


class Symbolic:
    """A value that is known only when the program runs. `_noun` is the word for it in error messages."""

    __slots__ = ()

    @property
    def _noun(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{described(self)}>"


def described(value: Any) -> str:
    """Describe a value for an error message, such as "a traced Real" or "3 (int)"."""
    if isinstance(value, Symbolic):
        return f"a traced {value._noun}"
    if isinstance(value, FunctionType):
        return function_told(value)
    kind = type(value).__name__
    return f"a {kind}" if kind in ("generator", "coroutine", "At") else f"{value!r} ({kind})"


def function_told(f: Any) -> str:
    """Describe a function for an error message, such as "the function f" or "a lambda"."""
    name = getattr(f, "__name__", type(f).__name__)
    return "a lambda" if name == "<lambda>" else f"the function {name}"
