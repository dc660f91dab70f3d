"""Array functions accept a traced Real in place of a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp

CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "reshape": lambda m, x: m.reshape(x, (1, 1)),
    "reshape to a length that is computed": lambda m, x: m.reshape(x, -1),
    "ravel": lambda m, x: m.ravel(x),
    "expand_dims": lambda m, x: m.expand_dims(x, 0),
    "broadcast_to": lambda m, x: m.broadcast_to(x, (2, 2)),
    "tile": lambda m, x: m.tile(x, 3),
    "repeat": lambda m, x: m.repeat(x, 3),
    "squeeze": lambda m, x: m.squeeze(x),
    "transpose": lambda m, x: m.transpose(x),
    "flip": lambda m, x: m.flip(x),
    "roll": lambda m, x: m.roll(x, 1),
    "stack": lambda m, x: m.stack([x, x]),
    "hstack": lambda m, x: m.hstack([x, x]),
    "vstack": lambda m, x: m.vstack([x, x]),
    "sum": lambda m, x: m.sum(x),
    "max": lambda m, x: m.max(x),
    "var": lambda m, x: m.var(x),
    "median": lambda m, x: m.median(x),
    "cumsum": lambda m, x: m.cumsum(x),
    "sort": lambda m, x: m.sort(x, axis=None),
    "argmax": lambda m, x: m.argmax(x),
    "outer": lambda m, x: m.outer(x, x),
    "kron": lambda m, x: m.kron(x, x),
    "dot": lambda m, x: m.dot(x, x),
    "inner": lambda m, x: m.inner(x, x),
    "norm": lambda m, x: m.linalg.norm(x),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_traced_real_is_an_array_without_axes(name: str) -> None:
    given = eg.compile(lambda x: CALLS[name](enp, x), [eg.Real])(-2.5)
    expected = CALLS[name](np, -2.5)
    assert np.shape(given) == np.shape(expected)
    np.testing.assert_array_equal(given, expected)
