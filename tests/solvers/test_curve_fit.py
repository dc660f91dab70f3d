"""Tests of `curve_fit`: different models, data and starting points, and errors."""

from __future__ import annotations

import math
from array import array
from typing import Any

import pytest

import eglantine as eg
from eglantine.solvers import solves
from tests.engines import HAS_WASM

maths = eg.math
XS = [1.0, 2.0, 3.0, 4.0, 5.0]
YS = [1.1, 1.9, 3.2, 3.8, 5.1]
SLOPE, INTERCEPT = 0.99, 0.05
"""The line through XS and YS by hand: Sxy/Sxx = 9.9/10, and 3.02 − 0.99·3."""
RESIDUAL_SUM = 0.107
"""Syy − Sxy²/Sxx = 9.908 − 9.801."""


def line(x: Any, a: Any, b: Any) -> Any:
    return a * x + b


def check_line(r: Any, slope: float, intercept: float) -> None:
    assert r.success
    assert slope == pytest.approx(SLOPE, rel=1e-13)
    assert intercept == pytest.approx(INTERCEPT, rel=1e-12)
    assert r.residual_sum == pytest.approx(RESIDUAL_SUM, rel=1e-12)
    assert r.degrees_of_freedom == 3
    assert r.residual_deviation == pytest.approx(math.sqrt(RESIDUAL_SUM / 3), rel=1e-12)


@pytest.mark.parametrize("model", [line, eg.jit(line), eg.fn([eg.Real] * 3)(line), "a*x + b", "a x + b"])
def test_a_model_may_be_a_function_or_a_text(model: Any) -> None:
    r = eg.curve_fit(model, XS, YS, [1.0, 1.0])
    check_line(r, *r.x)
    variance = RESIDUAL_SUM / 3
    assert r.deviations == pytest.approx([math.sqrt(variance / 10), math.sqrt(variance * (1 / 5 + 9 / 10))])
    assert r.covariance[0][1] == pytest.approx(-3 * variance / 10)


def test_the_start_may_be_a_dict_in_any_order() -> None:
    for model in (line, "a*x + b"):
        r = eg.curve_fit(model, XS, YS, {"b": 1, "a": 1})
        check_line(r, r.x["a"], r.x["b"])
        assert list(r.x) == list(r.deviations) == ["b", "a"]
        assert r.covariance[1][1] == pytest.approx(r.deviations["a"] ** 2)


def test_data_may_be_sequences_of_any_kind() -> None:
    np = pytest.importorskip("numpy")
    kinds = [list, tuple, lambda v: array("d", v), np.array, eg.Array, iter]
    for kind in kinds:
        r = eg.curve_fit(line, kind(XS), kind(YS), [1.0, 1.0])
        check_line(r, *r.x)
        assert isinstance(r.x, np.ndarray if kind is np.array else list)
    r = eg.curve_fit(line, range(1, 6), YS, np.array([1, 1]))
    check_line(r, *r.x)


def test_points_may_be_tuples_lists_dicts_or_columns() -> None:
    np = pytest.importorskip("numpy")
    points = [(1.0, 2.0), (3.0, 4.0), (5.0, 7.0), (8.0, 8.0)]
    values = [2 * u - 3 * v for u, v in points]
    text = "a*x1 + b*x2"
    columns = [list(column) for column in zip(*points, strict=True)]
    for data in (points, [list(p) for p in points], np.array(points), columns, np.array(columns)):
        assert list(eg.curve_fit(text, data, values, [1.0, 1.0]).x) == pytest.approx([2.0, -3.0])
    structs = [{"u": u, "v": v} for u, v in points]
    r = eg.curve_fit(lambda x, a, b: a * x["u"] + b * x["v"], structs, values, [1.0, 1.0])
    assert r.x == pytest.approx([2.0, -3.0])
    r = eg.curve_fit(lambda x, a, b: a * x[0] + b * x[1], points, values, [1.0, 1.0])
    assert r.x == pytest.approx([2.0, -3.0])


def test_parameters_of_a_text_are_in_natural_order() -> None:
    r = eg.curve_fit("b10 + b2*x", XS, YS, [1.0, 1.0])
    check_line(r, *r.x)


def test_sigma_gives_the_points_different_weights() -> None:
    plain = eg.curve_fit(line, XS, YS, [1.0, 1.0])
    equal = eg.curve_fit(line, XS, YS, [1.0, 1.0], sigma=[0.5] * 5)
    assert equal.x == pytest.approx(plain.x)
    assert equal.deviations == pytest.approx(plain.deviations)
    absolute = eg.curve_fit(line, XS, YS, [1.0, 1.0], sigma=[0.5] * 5, absolute_sigma=True)
    assert absolute.deviations == pytest.approx([0.5 / math.sqrt(10), 0.5 * math.sqrt(1 / 5 + 9 / 10)])
    without_last = eg.curve_fit(line, XS, YS, [1.0, 1.0], sigma=[1.0, 1.0, 1.0, 1.0, 1e9])
    assert without_last.x == pytest.approx(eg.curve_fit(line, XS[:4], YS[:4], [1.0, 1.0]).x, rel=1e-6)


def test_a_fit_satisfies_its_bounds() -> None:
    r = eg.curve_fit(line, XS, YS, [1.0, 1.0], bounds=[(None, 0.9), (None, None)])
    assert r.x == pytest.approx([0.9, 3.02 - 0.9 * 3])
    assert eg.curve_fit(line, XS, YS, [1.0, 1.0], bounds=(0, [0.9, 9.0])).x == pytest.approx(r.x)


def test_equal_bounds_fix_a_parameter_and_its_deviation_is_0() -> None:
    r = eg.curve_fit(
        "a*b*x + c", XS, YS, {"a": 1.0, "b": 2.0, "c": 0.0}, bounds=[(None, None), (2, 2), (None, None)]
    )
    free = eg.curve_fit("a*x + c", XS, YS, {"a": 1.0, "c": 0.0})
    assert r.x == pytest.approx({"a": free.x["a"] / 2, "b": 2.0, "c": free.x["c"]})
    assert r.deviations["b"] == 0.0
    assert r.deviations["a"] == pytest.approx(free.deviations["a"] / 2)


@pytest.mark.skipif(not HAS_WASM, reason="counts kernels")
def test_new_data_of_the_same_length_are_fitted_without_compiling_again() -> None:
    eg.curve_fit("k*x + m", XS, YS, [1.0, 1.0])
    kernels = len(solves._solves)
    r = eg.curve_fit("k*x + m", YS, XS, [1.0, 1.0])
    assert len(solves._solves) == kernels
    assert r.x[0] == pytest.approx(9.9 / 9.908)


def test_a_singular_covariance_gives_infinite_deviations() -> None:
    r = eg.curve_fit("a*b*x", XS, YS, [1.0, 1.0])
    assert r.success
    assert r.deviations == [math.inf, math.inf]
    assert "infinite" in r.message
    exact = eg.curve_fit(line, XS[:2], YS[:2], [1.0, 1.0])
    assert exact.deviations == [math.inf, math.inf]
    assert "no more points than parameters" in exact.message


def test_exact_data_are_fitted_to_rounding_errors() -> None:
    r = eg.curve_fit("a*exp(-b*x)", XS, [3.0 * math.exp(-0.5 * x) for x in XS], [1.0, 1.0])
    assert r.success
    assert r.x == pytest.approx([3.0, 0.5], rel=1e-14)


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        ((line, XS, YS[:3], [1, 1]), eg.ShapeError, "5 points and ydata has 3"),
        ((line, XS[:1], YS[:1], [1, 1]), eg.ShapeError, "at least as many points as parameters"),
        ((line, [], [], [1, 1]), eg.ShapeError, "ydata is empty"),
        ((line, XS, YS, [1, 1, 1]), eg.ShapeError, "2 parameters"),
        (("a*x + b", XS, YS, [1, 1, 1]), eg.ShapeError, "a, b"),
        (("a*x + b", XS, YS, {"a": 1, "k": 1}), eg.ShapeError, "a, b"),
        ((line, XS, YS, {"a": 1, "k": 1}), eg.ShapeError, "a, b"),
        (("x + 1", XS, YS, [1.0]), eg.FormulaError, "no parameters"),
        (("a*x +", XS, YS, [1.0]), eg.FormulaError, "ends after"),
        (("a*x1 + b*x", [(1, 2)] * 3, YS[:3], [1, 1]), eg.FormulaError, "x1"),
        ((lambda x, a: [a * x], XS, YS, [1.0]), eg.TypeMismatchError, "one Real"),
        ((3.0, XS, YS, [1.0]), eg.TypeMismatchError, "function"),
        ((line, "text", YS, [1, 1]), eg.TypeMismatchError, "xdata"),
        ((line, XS, "text", [1, 1]), eg.TypeMismatchError, "ydata"),
        ((line, XS, YS, [1, 1], [1.0] * 3), eg.ShapeError, "sigma"),
        ((line, XS, YS, [1, 1], [1.0, 1.0, 0.0, 1.0, 1.0]), eg.TypeMismatchError, "sigma"),
        (("a*log(x) + b", [0.0, 1.0, 2.0], YS[:3], [1, 1]), eg.NotFiniteError, "point 0"),
        ((line, XS, [1.0, math.nan, 1.0, 1.0, 1.0], [1, 1]), eg.NotFiniteError, "point 1"),
    ],
)
def test_wrong_calls_are_errors(args: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        eg.curve_fit(*args)
