"""Functions that the tests of derivatives share."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import pytest

import eglantine as eg

m = eg.math

LOG2 = math.log(2.0)


class Line(NamedTuple):
    slope: eg.Real
    offset: eg.Real


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    return x**y


@eg.fn
def polar(r: eg.Real, t: eg.Real) -> (eg.Real, eg.Real):  # type: ignore[valid-type]
    return r * m.cos(t), r * m.sin(t)


cube = eg.fn([eg.Real], eg.Real)(lambda x: x * x * x)
quadratic = eg.fn([eg.Vec(3, eg.Real)], eg.Real)(lambda v: v[0] * v[1] + v[1] * v[2] ** 2)


def approx(value: Any, rel: float = 1e-13) -> Any:
    """Apply pytest.approx to all numbers in nested tuples, lists and dicts."""
    if isinstance(value, dict):
        return {name: approx(item, rel) for name, item in value.items()}
    if isinstance(value, list | tuple):
        items = [approx(item, rel) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value if value is None else pytest.approx(value, rel=rel)
