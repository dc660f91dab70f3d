"""Tests of the interface of `eg.Array`."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp

FUNCTIONS = [
    "zeros",
    "ones",
    "full",
    "eye",
    "zeros_like",
    "arange",
    "linspace",
    "meshgrid",
    "stack",
    "hstack",
    "vstack",
    "concatenate",
    "reshape",
    "transpose",
    "moveaxis",
    "expand_dims",
    "squeeze",
    "broadcast_to",
    "outer",
    "kron",
    "cross",
    "dot",
    "matmul",
    "tensordot",
    "einsum",
    "trace",
    "diag",
    "tril",
    "triu",
    "cumsum",
    "cumprod",
    "prod",
    "mean",
    "median",
    "quantile",
    "var",
    "std",
    "min",
    "max",
    "argmin",
    "argmax",
    "any",
    "all",
    "isnan",
    "isfinite",
    "allclose",
    "sort",
    "argsort",
    "clip",
    "interp",
    "diff",
    "roll",
    "flip",
    "tile",
    "repeat",
    "logsumexp",
    "softmax",
    "convolve",
    "abs",
    "absolute",
    "power",
    "square",
    "sign",
    "mod",
    "floor_divide",
    "sum",
    "where",
    "sqrt",
    "cbrt",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "hypot",
    "pow",
    "erf",
    "lgamma",
    "polygamma",
    "floor",
    "ceil",
    "trunc",
    "round",
    "copysign",
    "minimum",
    "maximum",
    "pi",
    "e",
    "inf",
    "nan",
]
LINEAR = [
    "solve",
    "inv",
    "pinv",
    "det",
    "slogdet",
    "cholesky",
    "qr",
    "norm",
    "matrix_power",
    "eigh",
    "eigvalsh",
    "svd",
    "lstsq",
]
METHODS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda a: a.sum(0), "sum with keepdims": lambda a: a.sum(axis=1, keepdims=True),
    "prod": lambda a: a.prod(), "mean": lambda a: a.mean(0), "var": lambda a: a.var(axis=1),
    "std": lambda a: a.std(), "min": lambda a: a.min(1), "max": lambda a: a.max((0, 1)),
    "argmin": lambda a: a.argmin(1), "argmax": lambda a: a.argmax(), "any": lambda a: (a > 1).any(1),
    "all": lambda a: (a > -3).all(0), "cumsum": lambda a: a.cumsum(1), "cumprod": lambda a: a.cumprod(0),
    "dot": lambda a: a.dot(a.T), "reshape": lambda a: a.reshape(2, -1), "ravel": lambda a: a.ravel(),
    "flatten": lambda a: a.flatten(), "transpose": lambda a: a.transpose(),
    "swapaxes": lambda a: a.swapaxes(0, 1),
    "squeeze": lambda a: a[:1].squeeze(), "clip": lambda a: a.clip(-1.0, 1.0), "round": lambda a: a.round(1),
    "diagonal": lambda a: a.diagonal(), "trace": lambda a: a.trace(), "repeat": lambda a: a.repeat(2, 1),
    "argsort": lambda a: a.argsort(1), "T": lambda a: a.T, "@": lambda a: a @ a.T,
    "@ reversed": lambda a: a.T @ a,
    "a[-1]": lambda a: a[-1], "a[1, 2]": lambda a: a[1, 2], "a[:, 1]": lambda a: a[:, 1],
    "a[::-1, ::2]": lambda a: a[::-1, ::2], "a[None]": lambda a: a[None], "a[..., 0]": lambda a: a[..., 0],
    "a[[2, 0, 2]]": lambda a: a[[2, 0, 2]], "a[[0, 1], [1, 3]]": lambda a: a[[0, 1], [1, 3]],
    "a[:, None] + a": lambda a: a[:, None] + a,
}  # fmt: skip
OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne")


def matrix() -> Any:
    draw = random.Random("interface")  # noqa: S311 - numbers of a test
    return np.array([[draw.uniform(0.5, 2) for _ in range(4)] for _ in range(4)])


def values(result: Any) -> Any:
    return np.asarray(result.tolist() if hasattr(result, "tolist") else result)


def test_every_function_that_the_design_lists_exists() -> None:
    assert [name for name in FUNCTIONS if not hasattr(enp, name)] == []
    assert [name for name in LINEAR if not hasattr(enp.linalg, name)] == []
    assert set(FUNCTIONS) <= set(enp.__all__)
    assert set(LINEAR) == set(enp.linalg.__all__)


def test_every_function_of_eg_math_takes_arrays() -> None:
    known = {name: getattr(value, "__module__", "") for name, value in vars(eg.math).items()}
    ours = [name for name, home in known.items() if home == "eglantine.trace.maths" and name[0] != "_"]
    assert ours
    assert [name for name in ours if name not in enp.__all__] == []


@pytest.mark.parametrize("name", sorted(METHODS))
def test_arrays_and_vecs_have_numpys_attributes_and_methods(name: str) -> None:
    f, a = METHODS[name], matrix()
    right = f(a)
    plain = f(eg.Array(a.tolist()))
    traced = eg.fn([eg.Vec(4, eg.Vec(4, eg.Real))])(f)(a.tolist())
    for seen in (plain, traced):
        assert values(seen).shape == np.shape(right)
        np.testing.assert_allclose(values(seen), right, rtol=1e-14)


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_broadcast_like_numpys(name: str) -> None:
    f, a, row = getattr(operator, name), matrix(), matrix()[1]
    types = [eg.Vec(4, eg.Vec(4, eg.Real)), eg.Vec(4, eg.Real)]
    for left, right, swapped in ((a, row, False), (row, a, True), (a, 1.5, False), (1.5, a, True)):
        expected = f(left, right)
        parts = [eg.Array(part.tolist()) if hasattr(part, "tolist") else part for part in (left, right)]
        np.testing.assert_allclose(values(f(*parts)), expected, rtol=1e-14)
        if hasattr(left, "shape") and hasattr(right, "shape"):
            g = eg.fn(types)((lambda x, y: f(y, x)) if swapped else f)
            np.testing.assert_allclose(values(g(a.tolist(), row.tolist())), expected, rtol=1e-14)


def test_a_vec_has_shape_ndim_and_size() -> None:
    @eg.fn
    def f(m: eg.Vec(2, eg.Vec(3, eg.Real))) -> eg.Real:
        assert (m.shape, m.ndim, m.size, len(m)) == ((2, 3), 2, 6, 2)
        return m.at[1, 2].set(5.0).at[0, 0].add(m[1, 1]).sum()

    assert f([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) == 25.0


def test_a_slice_may_start_at_a_traced_index() -> None:
    f = eg.fn([eg.Vec(5, eg.Real), eg.Fin(3)])(lambda v, i: v[i : i + 2])
    assert f([1.0, 2.0, 3.0, 4.0, 5.0], eg.Fin(3)(2)) == [3.0, 4.0]


def test_a_loop_without_rounds_may_start_beyond_the_last_index() -> None:
    f = eg.fn([eg.Vec(1, eg.Real)])(lambda v: eg.fori_loop(1, len(v), lambda i, c: c + v[i], v[0]))
    assert f([2.5]) == 2.5


def test_arrays_of_integers_known_while_tracing_are_indices() -> None:
    a = matrix()
    rows, columns = np.array([3, 1, 1]), np.array([0, 2, 2])

    def chosen(np: Any, a: Any) -> Any:
        i, j = np.array([3, 1, 1]), np.array([0, 2, 2])
        return (
            a[i, j] + a[np.arange(3), i] + a[i[:, None], np.arange(4)][:, 1] + a[np.arange(1, 4)[::-1]][j, 0]
        )

    right = a[rows, columns] + a[np.arange(3), rows] + a[rows][:, 1] + a[np.arange(1, 4)[::-1]][columns, 0]
    run = lambda m: chosen(enp, m)  # noqa: E731
    for seen in (run(eg.Array(a.tolist())), eg.fn([eg.Vec(4, eg.Vec(4, eg.Real))])(run)(a.tolist())):
        np.testing.assert_allclose(values(seen), right)
    with pytest.raises(eg.TypeMismatchError, match="must be an integer"):
        eg.fn([eg.Vec(4, eg.Real)])(lambda v: v[v])


def test_astype_converts_to_reals_and_bools() -> None:
    f = eg.fn([eg.Vec(4, eg.Real)])(
        lambda v: ((v > 1.0).astype(float) * v, v.astype(bool), enp.argsort(v).astype(float), v.astype(float))
    )
    expected = ([0.0, 2.0, 0.0, 1.5], [True, True, False, True], [2.0, 0.0, 3.0, 1.0], [0.5, 2.0, 0.0, 1.5])
    assert f([0.5, 2.0, 0.0, 1.5]) == expected
    assert (enp.array([0.5, 2.0]) > 1.0).astype(float).tolist() == [0.0, 1.0]
    with pytest.raises(eg.TypeMismatchError, match=r"eg\.index"):
        enp.array([0.5, 2.0]).astype(int)


def test_argmax_and_argsort_return_indices() -> None:
    index, order = enp.argmax([1.0, 3.0, 2.0]), enp.argsort([1.0, 3.0, 2.0])
    assert isinstance(index, int)
    f = eg.fn([eg.Vec(3, eg.Real)])(lambda v: v[enp.argsort(v)[0]] + v[enp.argmax(v)])
    assert f([1.0, 3.0, 2.0]) == 4.0
    assert (index, order.tolist()) == (1, [0, 2, 1])


def test_an_array_has_places_like_a_vec() -> None:
    """`a.at` works with plain numbers and, inside an `fn`, with a traced index."""
    a = np.arange(12.0).reshape(3, 4)
    plain = eg.Array(a.tolist())
    expected = a.copy()
    expected[1, -1] = 7.5
    assert plain.at[1, -1].set(7.5).tolist() == expected.tolist()
    expected[1, -1] = a[1, -1] + 7.5
    assert plain.at[1, -1].add(7.5).tolist() == expected.tolist()
    expected = a.copy()
    expected[1:] = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    assert plain.at[1:].set(expected[1:].tolist()).tolist() == expected.tolist()
    assert plain.tolist() == a.tolist()

    @eg.fn([eg.Fin(3), eg.Real])
    def traced(i: Any, x: Any) -> Any:
        return plain.at[i, 2].set(x)

    expected = a.copy()
    expected[2, 2] = -1.0
    assert np.array_equal(eg.compile(traced)(2, -1.0), expected)
    with pytest.raises(eg.ShapeError, match="3"):
        plain.at[3].set(0.0)
