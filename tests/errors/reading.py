"""Evaluate Python expressions, and return the errors that they raise."""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np

import eglantine as eg
from eglantine.errors import text_at

FILE = "<expression>"


class Told:
    """An error with its class, its message, its suggestion and the source text of its span."""

    def __init__(self, error: eg.EglantineError) -> None:
        self.error = error
        self.kind = type(error)
        self.message = error.message
        self.suggestion = error.suggestion
        self.text = text_at(error.span)


def value_of(program: str, **names: Any) -> Any:
    """Evaluate an expression. Add its text to Python's `linecache`, where errors read source lines."""
    linecache.cache[FILE] = (len(program), None, program.splitlines(keepends=True), FILE)
    return eval(compile(program, FILE, "eval"), {"eg": eg, "np": np, "math": math, **names})  # noqa: S307


def error_of(program: str, **names: Any) -> Told:
    """Evaluate an expression that contains a mistake, and return the error that it raises.

    Raises: AssertionError if there is no error. The function only catches errors of Eglantine.
    """
    try:
        value = value_of(program, **names)
    except eg.EglantineError as error:
        return Told(error)
    raise AssertionError(f"no error, but {value!r}")
