"""Run functions on leaves in the interpreter, and compare values bit by bit."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Sequence
from typing import Any

import eglantine as eg
from eglantine.interpreter.machine import run as run_rows
from eglantine.ir.program import Function
from eglantine.leaves import tangent_type
from eglantine.mathlib.library import library
from eglantine.plain.marshal import flatten
from eglantine.types import Type
from tests.seeds import NIGHTLY

_TIMES = int(os.environ.get("EGLANTINE_PROGRAMS") or ("20" if NIGHTLY else "0"))
"""The factor by which the number of programs of each law is multiplied. In usual runs it is 0, which stands
for 1/3."""


def programs(usual: int) -> int:
    """Return how many programs to test: a third of `usual`, or a multiple of `usual` in nightly runs."""
    return usual * _TIMES or usual // 3


def leaf_values(types: Sequence[Type], values: Sequence[Any]) -> list[Any]:
    """The leaves of plain values."""
    pairs = zip(types, values, strict=True)
    return [leaf for of, value in pairs for leaf in flatten(value, of, "an argument")]


def run(function: Function, leaves: Sequence[Any]) -> list[Any]:
    """Run a function in the interpreter. Return its leaves or, after an error, the error's class name."""
    try:
        return run_rows(function, leaves, library)
    except eg.ShapeError as error:
        return [type(error).__name__]


def bits(value: Any) -> Any:
    """Make a key for comparing values bit by bit. All NaNs have equal keys."""
    if isinstance(value, list | tuple):
        return [bits(item) for item in value]
    if isinstance(value, dict):
        return {name: bits(item) for name, item in value.items()}
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value)
    return value


def reals(value: Any) -> list[float]:
    """List all floats in a nested value. Fields of structs are sorted by their names."""
    found: list[float] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, float):
            found.append(item)
        elif isinstance(item, dict):
            pending.extend(item[name] for name in sorted(item, reverse=True))
        elif isinstance(item, list | tuple):
            pending.extend(reversed(item))
    return found


def inner(a: Any, b: Any) -> tuple[float, float]:
    """Return the inner product of the floats in a and b, and the sum of the absolute values of its terms."""
    terms = [x * y for x, y in zip(reals(a), reals(b), strict=True)]
    return math.fsum(terms) if all(map(math.isfinite, terms)) else math.nan, sum(map(abs, terms))


def jvp_of(f: Any) -> Any:
    """The function (x…, dx…) → (y, dy)."""
    types = f.function.params
    n = len(types)
    return eg.fn([*types, *map(tangent_type, types)])(lambda *args: eg.jvp(f, args[:n], args[n:]))


def vjp_of(f: Any) -> Any:
    """The function (x…, ct_y) → (ct_x, …)."""
    types = f.function.params
    return eg.fn([*types, tangent_type(f.function.result)])(lambda *args: eg.vjp(f, *args[:-1])[1](args[-1]))
