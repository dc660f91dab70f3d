"""Every mistake raises an error with the right class, a helpful message, and the right line and column.

An error marks a span of this file. `text_at(error.span)` returns the text in the span.
"""

# ruff: noqa: PLW0108 - a lambda around a call gives the mistake a place of its own

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from tests.engines import raised
from tests.errors.catching import caught, m, text_at

# ---------------------------------------------------------------- Python needs the value of a traced number


def test_asking_for_the_truth_of_a_traced_value_is_an_error() -> None:
    def mistake() -> None:
        @eg.fn
        def f(x: eg.Real) -> eg.Real:
            if x > 0:
                return x
            return -x

    error = caught(mistake)
    assert isinstance(error, eg.TracerBoolError)
    assert text_at(error.span) in ("x > 0", "if x > 0:", "x > 0:")
    for word in ("truth", "select", "cond"):
        assert word in error.message.replace("Argument", "argument")


@pytest.mark.parametrize("use", [bool, lambda p: not p, lambda p: p and True, lambda p: 1 if p else 2])
def test_every_way_to_ask_for_the_truth_of_a_traced_value_is_an_error(use: Any) -> None:
    assert isinstance(caught(lambda: eg.fn([eg.Bool])(use)), eg.TracerBoolError)
    assert isinstance(caught(lambda: eg.fn([eg.Real])(use)), eg.TracerBoolError)


def test_a_chained_comparison_of_traced_values_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: 0 < x < 1))
    assert isinstance(error, eg.TracerBoolError)
    assert "0 < x < 1" in text_at(error.span) or text_at(error.span) in "0 < x < 1"


@pytest.mark.parametrize("smaller", [min, max])
def test_pythons_min_and_max_of_traced_values_are_an_error(smaller: Any) -> None:
    error = caught(lambda: eg.fn([eg.Real, eg.Real])(lambda x, y: smaller(x, y)))
    assert isinstance(error, eg.TracerBoolError)
    assert text_at(error.span) == "smaller(x, y)"
    assert "eg.math.minimum" in error.message


@pytest.mark.parametrize("name", ["sin", "sqrt", "exp", "floor", "log"])
def test_a_call_of_pythons_math_is_an_error_that_names_our_function(name: str) -> None:
    scope: dict[str, Any] = {"math": math}
    exec(f"def f(x): return math.{name}(x)", scope)  # noqa: S102 - the program is ours
    error = caught(lambda: eg.fn([eg.Real])(lambda x: math.sin(x)))
    assert text_at(error.span) == "math.sin(x)"
    assert "eg.math.sin" in error.message
    assert isinstance(error, eg.TypeMismatchError)
    assert isinstance(caught(lambda: eg.fn([eg.Real])(scope["f"])), eg.TypeMismatchError)


def test_a_call_of_numpy_is_an_error_that_names_our_function() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: np.fmod(x, 0.5)))
    assert text_at(error.span) == "np.fmod(x, 0.5)"
    assert "eg.math.trunc" in error.message


@pytest.mark.parametrize(
    "f", [float, int, complex, lambda x: round(x), lambda x: [1, 2][x], lambda x: f"{x:.2f}"]
)
def test_converting_a_traced_value_to_a_plain_number_is_an_error(f: Any) -> None:
    assert isinstance(caught(lambda: eg.fn([eg.Real])(f)), eg.TypeMismatchError)


def test_range_of_a_traced_index_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Fin(3)])(lambda i: [x for x in range(i)]))  # noqa: C416
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "range(i)"
    for word in ("index", "eg.vec", "eg.sum", "eg.fori_loop"):
        assert word in error.message.replace("Argument", "argument")


def test_indexing_a_python_list_by_a_traced_index_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Fin(3)])(lambda i: [1, 2, 3][i]))
    assert text_at(error.span) == "[1, 2, 3][i]"
    assert "eg.asarray" in error.message


# ---------------------------------------------------------------- operators


@pytest.mark.parametrize(
    ("types", "f", "advice"),
    [
        ([eg.Real, eg.Bool], lambda x, y: x + y, "eg.real"),
        ([eg.Bool, eg.Real], lambda x, y: x * y, "eg.real"),
        ([eg.Bool, eg.Bool], lambda x, y: x + y, "eg.real"),
        ([eg.Fin(3), eg.Bool], lambda x, y: x * y, "eg.real"),
        ([eg.Bool, eg.Fin(3)], lambda x, y: x < y, "eg.real"),
        ([eg.Real, eg.Real], lambda x, y: x + True, "eg.real"),
        ([eg.Real, eg.Real], lambda x, y: x & y, "compar"),
        ([eg.Bool, eg.Real], lambda x, y: x & y, "compar"),
        ([eg.Real, eg.Real], lambda x, y: x + "a", "Real"),
        ([eg.Real, eg.Real], lambda x, y: x + None, "Real"),
        ([eg.Real, eg.Real], lambda x, y: x + (1, 2), "Real"),  # noqa: RUF005
        ([eg.Real, eg.Real], lambda x, y: x < None, "Real"),
        ([eg.Real, eg.Bool], lambda x, y: -y, "eg.real"),
        ([eg.Real, eg.Bool], lambda x, y: y < y, "eg.real"),
        ([eg.Real, eg.Bool], lambda x, y: ~x, "compar"),
        ([eg.Real, eg.Real], lambda x, y: x << 2, "Real"),
    ],
)
def test_operands_of_the_wrong_types_are_an_error(types: Any, f: Any, advice: str) -> None:
    error = caught(lambda: eg.fn(types)(f))
    assert isinstance(error, eg.TypeMismatchError)
    source = text_at(error.span)
    assert any(symbol in source for symbol in "+*<&-~/")
    assert source.startswith(("x", "-y", "y", "~x"))
    assert advice in error.message


def test_dividing_by_an_index_that_may_be_zero_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Fin(3), eg.Fin(3)])(lambda i, j: i // j))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "i // j"


def test_eg_math_of_a_value_that_is_not_a_real_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Bool])(lambda x: m.sin(x)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "m.sin(x)"
    assert "eg.real" in error.message
    error = caught(lambda: eg.fn([eg.Real, eg.Bool])(lambda x, p: m.maximum(x, p)))
    assert text_at(error.span) == "m.maximum(x, p)"
    assert isinstance(caught(lambda: m.sin("x")), eg.TypeMismatchError)


def test_polygamma_of_an_unknown_order_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: m.polygamma(101, x)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "m.polygamma(101, x)"


# ---------------------------------------------------------------- vecs and indices


def test_operands_of_different_lengths_are_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Vec(2, eg.Real), eg.Vec(3, eg.Real)])(lambda v, w: v + w))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v + w"
    assert "2" in error.message
    assert "3" in error.message
    error = caught(lambda: eg.fn([eg.Vec(2, eg.Real), eg.Vec(3, eg.Real)])(lambda v, w: eg.dot(v, w)))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "eg.dot(v, w)"


def test_dot_of_values_that_are_not_vecs_is_an_error() -> None:
    for error in (
        caught(lambda: eg.dot(2.0, 3.0)),
        caught(lambda: eg.fn([eg.Real, eg.Real])(lambda x, y: eg.dot(x, y))),
        caught(lambda: eg.fn([eg.Real, eg.Vec(2, eg.Real)])(lambda x, v: eg.dot(x, v))),
        caught(lambda: eg.fn([eg.Real, eg.Vec(2, eg.Real)])(lambda x, v: eg.dot(v, x))),
        caught(lambda: eg.norm(2.0)),
    ):
        assert isinstance(error, eg.TypeMismatchError)
        assert text_at(error.span).startswith(("eg.dot(", "eg.norm("))
        assert "Real" in error.message or "2.0" in error.message
        assert "work on Vecs" in error.message
        assert "Multiply" in error.message


@pytest.mark.parametrize("k", [3, -4, 100])
def test_a_static_index_out_of_range_is_an_error(k: int) -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(lambda v: v[k]))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[k]"
    assert str(k) in error.message
    assert "3" in error.message


def test_an_index_that_is_always_out_of_range_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real), eg.Fin(2)])(lambda v, i: v[i + 3]))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[i + 3]"


def test_an_index_out_of_range_at_run_time_is_an_error() -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)])(lambda v, i: v[i])
    error = raised(f, [1.0, 2.0, 3.0], 5)
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[i]"
    assert "out of range" in error.message


def test_an_index_out_of_range_in_a_gradient_is_an_error() -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)], eg.Real)(lambda v, i: v[i] ** 2)
    error = raised(eg.grad(f), [1.0, 2.0, 3.0], 5)
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[i]"


def test_a_fin_out_of_range_at_run_time_is_an_error() -> None:
    f = eg.fn([eg.Fin(9)])(lambda i: eg.Fin(3)(i))
    error = raised(f, 5)
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "eg.Fin(3)(i)"


@pytest.mark.parametrize(
    "f", [lambda v, x: v[x], lambda v, x: v[0.5], lambda v, x: v[x > 0], lambda v, x: v["a"]]
)
def test_an_index_of_the_wrong_type_is_an_error(f: Any) -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real), eg.Real])(f))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span).startswith("v[")


def test_indexing_or_iterating_a_real_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: x[0]))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "x[0]"
    error = caught(lambda: eg.fn([eg.Real])(lambda x: [y for y in x]))  # noqa: C416
    assert isinstance(error, eg.TypeMismatchError)


def test_assigning_to_an_element_is_an_error() -> None:
    def assign(v: Any) -> Any:
        v[0] = 1.0
        return v

    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(assign))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "v[0]"
    assert "v.at[i].set(x)" in error.message


def test_a_length_that_is_not_an_integer_is_an_error() -> None:
    for n in (-1, 2.5, True, "3"):
        error = caught(lambda n=n: eg.fn([eg.Real])(lambda x, n=n: eg.vec(n, lambda i: x)))
        assert isinstance(error, eg.TypeMismatchError)
        assert text_at(error.span).startswith("eg.vec(n")
    for make in (
        lambda: eg.Vec(-1, eg.Real),
        lambda: eg.Vec(2.5, eg.Real),
        lambda: eg.Fin(-1),
        lambda: eg.Fin(True),
    ):
        assert isinstance(caught(make), eg.TypeMismatchError)


def test_asking_for_the_truth_of_a_comparison_of_vecs_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(lambda v: 1 if v == v else 0))
    assert isinstance(error, eg.TracerBoolError)


def test_testing_membership_in_a_vec_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(lambda v: 1 in v))
    assert text_at(error.span) == "1 in v"


def test_a_sum_of_bools_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.sum(3, lambda i: x > i)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.sum(3, lambda i: x > i)"
    assert "eg.real" in error.message


@pytest.mark.parametrize("value", [2.7, "1", True, None])
def test_making_an_index_from_a_value_that_is_not_an_integer_is_an_error(value: Any) -> None:
    assert isinstance(caught(lambda: eg.Fin(3)(value)), eg.TypeMismatchError)


def test_numbers_that_are_too_large_are_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: x + 10**400))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "x + 10**400"
    error = caught(lambda: eg.fn([eg.Fin(2**20)])(lambda i: eg.real(i * i)))
    assert isinstance(error, eg.LimitError)
    assert text_at(error.span) == "i * i"
