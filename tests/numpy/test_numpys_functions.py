"""NumPy's functions accept traced values, Vecs and `eg.Array`, and then call eglantine.numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp

X, V, W = 0.75, [0.25, 0.5, 0.875], [2.0, -1.0, 0.5]
TABLE = np.array([1.0, 10.0, 100.0])
MATRIX = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [1.0, 0.0, 4.0]])

CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "functions": lambda x, v, w: (np.sin(x), np.sin(v), np.arctan2(v, w), np.exp(x * v), np.cbrt(x)),
    "operators": lambda x, v, w: (np.add(x, v), np.multiply(v, w), np.power(v, 2), np.negative(w), np.abs(w)),
    "arrays on the left": lambda x, v, w: (TABLE * x, TABLE - v, TABLE / v, TABLE @ v, MATRIX @ v, TABLE**v),
    "arrays on the right": lambda x, v, w: (x * TABLE, v - TABLE, v @ MATRIX, np.maximum(v, TABLE)),
    "numbers of NumPy": lambda x, v, w: (np.float64(2.0) * x, np.float64(2.0) * v, np.add(np.int64(2), v)),
    "comparisons": lambda x, v, w: (np.less(v, w), np.greater(TABLE, v), np.logical_and(v > 0, w > 0)),
    "choices": lambda x, v, w: (np.where(v > w, v, w), np.clip(v, 0.3, 0.6), np.minimum(v, 0.3)),
    "reductions": lambda x, v, w: (np.sum(v), np.mean(v), np.max(v), np.prod(v), np.add.reduce(v)),
    "products": lambda _, v, w: (np.outer(v, w), np.einsum("i,i->", v, w), np.matmul(MATRIX, w)),
    "shapes": lambda _, v, w: (np.concatenate([v, w]), np.reshape(v, (3, 1)), np.roll(w, 1)),
    "properties": lambda x, v, w: (np.size(v) * x, np.ndim(v) * x, np.ndim(x) * x, np.shape(v)[0] * x),
    "norms": lambda _, v, w: (np.linalg.norm(v), np.dot(v, w), np.stack([v, w])),
    "linear algebra": lambda x, v, _: (np.linalg.solve(MATRIX * x, v), np.linalg.det(MATRIX * x)),
    "angles": lambda x, v, w: (np.deg2rad(x), np.degrees(v), np.reciprocal(v)),
    "sorting": lambda x, v, w: (np.sort(w), np.cumsum(v), np.diff(v)),
}  # fmt: skip


def leaves(value: Any) -> list[Any]:
    return [np.asarray(part) for part in value] if isinstance(value, tuple) else [np.asarray(value)]


@pytest.mark.parametrize("name", CALLS)
def test_numpys_functions_of_traced_values_agree_with_numpy(name: str) -> None:
    call = CALLS[name]
    f = eg.fn([eg.Real, eg.Vec(3, eg.Real), eg.Vec(3, eg.Real)])(call)
    for found, expected in zip(leaves(f(X, V, W)), leaves(call(X, np.array(V), np.array(W))), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("name", CALLS)
def test_numpys_functions_accept_our_arrays(name: str) -> None:
    call = CALLS[name]
    v, w = enp.zeros(3) + V, enp.zeros(3) + W
    for found, expected in zip(leaves(call(X, v, w)), leaves(call(X, np.array(V), np.array(W))), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert isinstance(np.sin(v), eg.Array)


def test_numpys_functions_of_traced_values_have_derivatives() -> None:
    f = eg.fn([eg.Vec(3, eg.Real)])(lambda v: np.sum(np.sin(v) * TABLE))
    assert eg.grad(f)(V) == [eg.math.cos(x) * c for x, c in zip(V, TABLE.tolist(), strict=True)]


def test_an_option_that_we_lack_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"np\.sin of a traced value or an array takes no out"):
        eg.fn([eg.Vec(3, eg.Real)])(lambda v: np.sin(v, out=np.zeros(3)))
    with pytest.raises(eg.TypeMismatchError, match=r"instead of np\.add\.accumulate"):
        eg.fn([eg.Vec(3, eg.Real)])(np.add.accumulate)
