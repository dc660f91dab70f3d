"""Programs of one expression, and the errors that they make."""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np

import eglantine as eg
from eglantine.errors import text_at

FILE = "<expression>"


class Told:
    """An error as its reader sees it: the class, the sentence, and the text that its span covers."""

    def __init__(self, error: eg.EglantineError) -> None:
        self.error = error
        self.kind = type(error)
        self.message = error.message
        self.suggestion = error.suggestion
        self.text = text_at(error.span)


def value_of(program: str, **names: Any) -> Any:
    """The value of an expression, whose text errors can find."""
    linecache.cache[FILE] = (len(program), None, program.splitlines(keepends=True), FILE)
    return eval(compile(program, FILE, "eval"), {"eg": eg, "np": np, "math": math, **names})  # noqa: S307


def error_of(program: str, **names: Any) -> Told:
    """The error of an expression.

    Raises: AssertionError if it has none; whatever else it raises.
    """
    try:
        value = value_of(program, **names)
    except eg.EglantineError as error:
        return Told(error)
    raise AssertionError(f"no error, but {value!r}")
