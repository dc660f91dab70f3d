"""Single operations of the interpreter."""

from __future__ import annotations

import math
import struct
from typing import Any

from eglantine.interpreter.machine import run
from eglantine.ir.row_types import F64, Array
from eglantine.mathlib.library import library

from .blocks import function

inf, nan = math.inf, math.nan


def bits(x: float) -> bytes:
    return b"nan" if x != x else struct.pack("<d", x)


def un(op: str, x: Any) -> Any:
    return run(function(1, lambda b, a: [b.un(op, a)]), [x], library)[0]


def bi(op: str, x: Any, y: Any) -> Any:
    return run(function(2, lambda b, p, q: [b.bi(op, p, q)]), [x, y], library)[0]


# ---------------------------------------------------------------- arrays and accumulators

VECTOR = Array(F64, (3,))
