"""Run programs of one expression and read the errors that they raise."""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np

import eglantine as eg
from eglantine.errors import text_at

FILE = "<expression>"


class Told:
    """An error as a user sees it: its class, its message, and the text that its span covers."""

    def __init__(self, error: eg.EglantineError) -> None:
        self.error = error
        self.kind = type(error)
        self.message = error.message
        self.suggestion = error.suggestion
        self.text = text_at(error.span)


def value_of(program: str, **names: Any) -> Any:
    """Evaluate an expression. Python keeps its text, so that errors can quote it."""
    linecache.cache[FILE] = (len(program), None, program.splitlines(keepends=True), FILE)
    return eval(compile(program, FILE, "eval"), {"eg": eg, "np": np, "math": math, **names})  # noqa: S307


def error_of(program: str, **names: Any) -> Told:
    """Evaluate an expression that contains a mistake, and return the error that it raises.

    Raises: AssertionError if there is no error. Exceptions that are not Eglantine's are not caught.
    """
    try:
        value = value_of(program, **names)
    except eg.EglantineError as error:
        return Told(error)
    raise AssertionError(f"no error, but {value!r}")
