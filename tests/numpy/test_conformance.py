"""Array functions return the same values and shapes as NumPy and raise the same errors."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
import eglantine.numpy as enp
from tests.seeds import NIGHTLY

from . import draws, linear_draws, sample_draws
from .draws import Case, Draw

CASES = 200 if NIGHTLY else 20
FROM_NUMPY_ONE_IN = 1 if NIGHTLY else 4
"""The number of test cases among which one is also computed with NumPy's arrays as arguments."""
QUANTILES = ("median", "quantile", "percentile")
REFUSED = (ZeroDivisionError, ValueError, TypeError, IndexError, np.linalg.LinAlgError)

TABLE: dict[str, Callable[[Draw], Case]] = {
    **dict.fromkeys(("sum", "prod", "mean", "max", "min", "any", "all", "median"), draws.reduction),
    **dict.fromkeys(("var", "std"), draws.deviation),
    **dict.fromkeys(("argmax", "argmin"), draws.single_axis),
    **dict.fromkeys(("cumsum", "cumprod", "sort", "argsort"), draws.along),
    **dict.fromkeys(
        ("exp", "exp2", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "asinh", "arctan",
         "arcsinh", "cbrt", "erf", "floor", "ceil", "trunc", "round", "rint", "sign", "abs", "absolute",
         "negative", "square", "ravel", "zeros_like", "ones_like", "array", "asarray"),
        draws.one,
    ),
    **dict.fromkeys(("isnan", "isfinite", "isinf"), draws.special),
    **dict.fromkeys(("asin", "acos", "atanh", "arcsin", "arccos", "arctanh", "log1p"), draws.in_unit),
    **dict.fromkeys(("sqrt", "log", "log2", "log10", "acosh", "arccosh", "lgamma"), draws.positive),
    **dict.fromkeys(
        ("add", "subtract", "multiply", "maximum", "minimum", "atan2", "arctan2", "hypot", "copysign"),
        draws.two,
    ),
    **dict.fromkeys(("divide", "mod", "floor_divide"), draws.division),
    **dict.fromkeys(("pow", "power"), draws.power),
    **dict.fromkeys(("isclose", "allclose"), draws.close),
    **dict.fromkeys(("matmul", "dot"), draws.matrices),
    **dict.fromkeys(("outer", "kron"), draws.flat_pair),
    **dict.fromkeys(("tril", "triu"), draws.diagonals),
    **dict.fromkeys(("diagonal", "trace"), draws.offsets),
    **dict.fromkeys(("hstack", "vstack"), draws.beside),
    **dict.fromkeys(("zeros", "ones"), draws.shaped),
    "where": draws.choice, "clip": draws.clipped, "inner": draws.inner_product, "cross": draws.vectors,
    "tensordot": draws.contraction, "einsum": draws.einstein, "diag": draws.diagonal_matrix,
    "concatenate": draws.joined, "stack": draws.stacked, "reshape": draws.reshaped,
    "transpose": draws.permuted, "moveaxis": draws.moved, "swapaxes": draws.swapped,
    "expand_dims": draws.expanded, "squeeze": draws.squeezed, "broadcast_to": draws.spread,
    "flip": draws.flipped, "roll": draws.rolled, "tile": draws.tiled, "repeat": draws.repeated,
    "quantile": draws.quantiles, "diff": draws.differences, "convolve": draws.convolved,
    "interp": draws.interpolated, "full": draws.filled, "eye": draws.identity, "arange": draws.ranged,
    "linspace": draws.spaced, "meshgrid": draws.grids,
    **dict.fromkeys(("amax", "amin", "ptp"), draws.reduction), "around": draws.one, "concat": draws.joined,
    **dict.fromkeys(("copy", "shape", "ndim", "size", "positive", "fabs", "sinc", "degrees", "rad2deg",
                     "radians", "deg2rad"), draws.one),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor", "less", "less_equal", "greater",
                     "greater_equal", "equal", "not_equal", "heaviside"), sample_draws.truths),
    "logical_not": sample_draws.truth, "logaddexp": draws.two, "reciprocal": sample_draws.away_from_zero,
    **dict.fromkeys(("fmax", "fmin"), sample_draws.nan_pairs),
    **dict.fromkeys(("true_divide", "remainder"), draws.division), "nan_to_num": sample_draws.replaced,
    "average": sample_draws.weights, "percentile": sample_draws.percents, "cov": sample_draws.covariances,
    "corrcoef": sample_draws.variables, "count_nonzero": draws.reduction,
    **dict.fromkeys(("nansum", "nanmean"), sample_draws.with_nan), "trapezoid": sample_draws.integral,
    "gradient": sample_draws.slopes, "vander": sample_draws.powers, "polyval": sample_draws.polynomial,
    "correlate": draws.convolved, "vdot": sample_draws.flat_products, "take": sample_draws.indices,
    "take_along_axis": sample_draws.indices_along, "searchsorted": sample_draws.sorted_places,
    **dict.fromkeys(("split", "array_split"), sample_draws.pieces), "column_stack": sample_draws.columns,
    "dstack": sample_draws.deep, "pad": sample_draws.border, "full_like": sample_draws.filled_like,
    "tri": sample_draws.triangle, "identity": sample_draws.order_of, "logspace": sample_draws.exponents,
    **dict.fromkeys(("flipud", "fliplr", "atleast_1d", "atleast_2d"), draws.one),
}  # fmt: skip
WITHOUT_NUMPY: dict[str, str] = {
    "logsumexp": "test_logsumexp_and_softmax_agree_with_their_definitions",
    "softmax": "test_logsumexp_and_softmax_agree_with_their_definitions",
    "polygamma": "test_polygamma_is_elementwise",
    "vmap": "test_mapping.py",
}
"""Function that NumPy lacks → the test of this function, or the file with its tests."""
LINEAR: dict[str, Callable[[Draw], Case]] = {
    **dict.fromkeys(("inv", "det", "slogdet"), linear_draws.square),
    "solve": linear_draws.system, "cholesky": linear_draws.definite,
    **dict.fromkeys(("eigh", "eigvalsh"), linear_draws.symmetric),
    "pinv": linear_draws.rectangle, "svd": linear_draws.decomposed, "qr": linear_draws.reflected,
    "lstsq": linear_draws.overdetermined, "matrix_power": linear_draws.power, "norm": linear_draws.normed,
}  # fmt: skip
EMPTY_REFUSED = frozenset(
    {
        "mean",
        "var",
        "std",
        "median",
        "quantile",
        "max",
        "min",
        "argmax",
        "argmin",
        "amax",
        "amin",
        "ptp",
        "percentile",
        "nanmean",
    }
)
"""The functions that raise an error if there are no elements to reduce. NumPy may warn and return NaN
instead."""
ORACLES: dict[str, Any] = {
    "argsort": lambda a, axis: np.argsort(a, axis, kind="stable"),
    "erf": np.vectorize(math.erf, [float]), "lgamma": np.vectorize(math.lgamma, [float]),
}  # fmt: skip


def as_array(value: Any) -> Any:
    """Convert a NumPy array, or a list of NumPy arrays, to `eg.Array`."""
    if isinstance(value, list):
        return [as_array(part) for part in value]
    if not isinstance(value, np.ndarray):
        return value
    if not value.ndim:
        return value.item()
    if value.dtype == bool:
        return as_array(value.astype(float)) > 0.5
    return eg.Array(value.ravel().tolist(), value.shape)


def drawn(name: str, table: dict[str, Callable[[Draw], Case]], k: int) -> tuple[Case, str]:
    """Draw the arguments of a function's test case k. Also return a description of the case."""
    draw = random.Random(f"{name} {k} {os.environ.get('EGLANTINE_SEED', '')}")  # noqa: S311 - cases of a test
    args, named = table[name](draw)
    shapes = [[np.shape(p) for p in a] if isinstance(a, list) and a and np.ndim(a[0]) else
              a.shape if isinstance(a, np.ndarray) else a for a in args]  # fmt: skip
    return (args, named), f"{name}, case {k}: {shapes} {named}"


def reduces_nothing(args: tuple[Any, ...], axis: Any = None, **_: Any) -> bool:
    """True if a reduction of args[0] along `axis` combines no elements."""
    a = args[0]
    try:
        axes = np.lib.array_utils.normalize_axis_tuple(range(a.ndim) if axis is None else axis, a.ndim)
    except ValueError:
        return False
    return math.prod(a.shape[k] for k in axes) == 0


def numbers(result: Any) -> Any:
    """Convert an `eg.Array` or another value to a NumPy array."""
    if isinstance(result, eg.Array):
        return np.array(list(result._data)).reshape(result.shape)
    return np.asarray(result)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_function_agrees_with_numpy(name: str) -> None:
    oracle = ORACLES.get(name) or getattr(np, name)
    ours = getattr(enp, name)
    for k in range(CASES):
        (args, named), told = drawn(name, TABLE, k)
        if name in EMPTY_REFUSED and reduces_nothing(args, **named):
            with pytest.raises(eg.ShapeError):
                ours(*map(as_array, args), **named)
            continue
        try:
            expected = oracle(*args, **named)
        except REFUSED as error:
            if name in QUANTILES and "array of size 0" in str(error):  # NumPy cannot return no quantiles
                assert 0 in ours(*map(as_array, args), **named).shape, told
                continue
            with pytest.raises(eg.EglantineError):
                pytest.fail(
                    f"{told}: NumPy refuses ({error}), but ours gives {ours(*map(as_array, args), **named)}"
                )
            continue
        try:
            given = ours(*map(as_array, args), **named)
            results = [given, ours(*args, **named)] if k % FROM_NUMPY_ONE_IN == 0 else [given]
        except eg.EglantineError as error:
            raise AssertionError(f"{told}: {error}") from error
        several = isinstance(expected, tuple | list) and name != "shape"
        for result in results:
            parts = zip(result, expected, strict=True) if several else [(result, expected)]
            for seen, right in parts:
                assert numbers(seen).shape == np.shape(right), told
                np.testing.assert_allclose(numbers(seen), right, rtol=1e-12, atol=1e-13, err_msg=told)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(LINEAR))
def test_linear_algebra_agrees_with_numpy(name: str) -> None:
    for k in range(CASES):
        (args, named), told = drawn(name, LINEAR, k)
        ours, given = getattr(enp.linalg, name), [as_array(a) for a in args]
        try:
            expected = getattr(np.linalg, name)(*args, **named)
        except REFUSED as error:
            with pytest.raises(eg.EglantineError):
                pytest.fail(f"{told}: NumPy refuses ({error}), but ours gives {ours(*given, **named)}")
            continue
        try:
            result = ours(*given, **named)
        except eg.EglantineError as error:
            raise AssertionError(f"{told}: {error}") from error
        several = isinstance(expected, tuple)
        parts = list(zip(result, expected, strict=True) if several else [(result, expected)])
        signs = name in ("qr", "svd", "eigh")
        for seen, right in parts:
            assert numbers(seen).shape == np.shape(right), told
            if not signs or np.ndim(right) == args[0].ndim - 1:
                np.testing.assert_allclose(numbers(seen), right, rtol=1e-9, atol=1e-10, err_msg=told)
        if signs:
            check_factors(name, args[0], [numbers(seen) for seen, _ in parts], told)


def test_a_product_over_two_axes_reads_elements_by_four_indices() -> None:
    """The bug: a product over two axes did not compile."""
    a, b = np.arange(96.0).reshape(3, 2, 4, 4), np.arange(64.0).reshape(4, 4, 2, 2)
    for _ in range(3):  # the first call is interpreted, and later calls are compiled
        seen = enp.tensordot(as_array(a), as_array(b), axes=2)
        np.testing.assert_array_equal(numbers(seen), np.tensordot(a, b, axes=2))


def type_of(a: Any) -> Any:
    """Make the type of an array of Reals with the shape of a."""
    of: Any = eg.Real
    for n in reversed(a.shape):
        of = eg.Vec(n, of)
    return of


@pytest.mark.parametrize("n", [2, 5, 6])
@pytest.mark.parametrize("m", [2, 5, 7])
def test_a_compiled_sum_over_an_axis_equals_numpys(n: int, m: int) -> None:
    """The bug: a sum over the first axis of a 5 × 2 × 5 array added the wrong elements."""
    for shape in ((n, m), (n, 2, m), (n, m, 2), (2, n, m), (n, 3, 2, m), (3, n, m, n)):
        a = np.arange(float(math.prod(shape))).reshape(shape)
        for axis in range(len(shape)):
            k = eg.compile(lambda v, axis=axis: enp.sum(v, axis), [type_of(a)])
            np.testing.assert_array_equal(numbers(k(a)), a.sum(axis), err_msg=f"{shape}, axis {axis}")


@pytest.mark.parametrize("shape", [(2, 2), (3, 5), (6, 2), (2, 3, 2)])
def test_an_argument_is_joined_with_constants_along_every_axis(shape: tuple[int, ...]) -> None:
    """The bug: concatenating a short array and constants raised an EscapedTracerError."""
    a = np.arange(float(math.prod(shape))).reshape(shape)
    for axis in range(len(shape)):
        joined = eg.compile(
            lambda v, axis=axis: enp.concatenate([v, enp.zeros(shape)], axis=axis), [type_of(a)]
        )
        np.testing.assert_array_equal(numbers(joined(a)), np.concatenate([a, np.zeros(shape)], axis=axis))


def check_factors(name: str, a: Any, factors: list[Any], told: str) -> None:
    """Check the factors of a matrix. Their product must be the matrix, and Q, U and V must be orthogonal."""

    def of(*shape: int) -> Any:
        return np.broadcast_to(np.eye(*shape), (*a.shape[:-2], *shape))

    def turned(m: Any) -> Any:
        return np.swapaxes(m, -1, -2)

    if name == "qr" and len(factors) == 1:
        (r,) = factors
        np.testing.assert_allclose(turned(r) @ r, turned(a) @ a, atol=1e-10, err_msg=told)
        return
    if name == "qr":
        q, r = factors
        product, orthogonal = q @ r, [q]
        np.testing.assert_array_equal(r, np.triu(r), err_msg=told)
    elif name == "eigh":
        w, v = factors
        product, orthogonal = (v * w[..., None, :]) @ turned(v), [v]
    else:
        u, s, vt = factors
        n = s.shape[-1]
        product, orthogonal = (u[..., :n] * s[..., None, :]) @ vt[..., :n, :], [u, turned(vt)]
    np.testing.assert_allclose(product, a, atol=1e-10, err_msg=told)
    for m in orthogonal:
        np.testing.assert_allclose(turned(m) @ m, of(m.shape[-1], m.shape[-1]), atol=1e-10, err_msg=told)


@pytest.mark.filterwarnings("ignore")
def test_logsumexp_and_softmax_agree_with_their_definitions() -> None:
    for k in range(CASES):
        (args, named), told = drawn("logsumexp", {"logsumexp": draws.reduction}, k)
        (a,) = args
        if reduces_nothing(args, **named):
            with pytest.raises(eg.ShapeError):
                enp.logsumexp(as_array(a), **named)
            continue
        try:
            expected = np.log(np.sum(np.exp(a), **named))
        except REFUSED:
            with pytest.raises(eg.ShapeError):
                enp.logsumexp(as_array(a), **named)
            continue
        np.testing.assert_allclose(
            numbers(enp.logsumexp(as_array(a), **named)), expected, rtol=1e-12, atol=1e-13
        )
        shares = np.exp(a) / np.sum(np.exp(a), axis=named["axis"], keepdims=True)
        seen = numbers(enp.softmax(as_array(a), axis=named["axis"]))
        np.testing.assert_allclose(seen, shares, rtol=1e-12, err_msg=told)
    assert enp.logsumexp([1000.0, 1000.0]) == pytest.approx(1000 + math.log(2))
    assert enp.softmax([1000.0, 1000.0]).tolist() == [0.5, 0.5]


def test_polygamma_is_elementwise() -> None:
    seen = enp.polygamma(1, [[1.0, 2.0], [3.0, 4.5]])
    assert seen.tolist() == [[eg.math.polygamma(1, x) for x in row] for row in [[1.0, 2.0], [3.0, 4.5]]]


def test_every_array_function_is_compared_with_numpy() -> None:
    functions = {
        name for name in enp.__all__ if callable(getattr(enp, name)) and name not in ("Array", "float64")
    }
    assert functions == set(TABLE) | set(WITHOUT_NUMPY)
    assert set(enp.linalg.__all__) == set(LINEAR)
