"""Compile mathlib functions. Compiled functions are a thousand times as fast as interpreted functions."""

from __future__ import annotations

from functools import cache
from typing import Any

import eglantine as eg
from eglantine.mathlib.library import library


@cache
def _kernel(name: str) -> Any:
    return eg.compile(eg.Fn(library(name)))


def compiled_value(name: str, *x: float) -> float:
    """Compute a mathlib function by compiled code. Long tests use this instead of `enclosures.value`."""
    result: float = _kernel(name)(*x)
    return result
