"""Every mistake raises an error with the right class, a helpful message, and the right line and column.

`text_at(error.span)` is the part of this file's own text that the span covers.
"""

# ruff: noqa: PLW0108 - a lambda around a call gives the mistake a place of its own

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import eglantine as eg
from tests.engines import raised

m = eg.math


class Point(NamedTuple):
    x: eg.Real
    y: eg.Real


def caught(mistake: Callable[[], Any]) -> eg.EglantineError:
    with pytest.raises(eg.EglantineError) as info:
        mistake()
    return info.value


def text_at(span: eg.Span | None) -> str:
    """The text that a span covers."""
    assert span is not None, "the error has no span"
    assert span.source == __file__
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()[span.line - 1 : span.end_line]
    assert lines
    lines[-1] = lines[-1].encode()[: span.end_column].decode()
    lines[0] = lines[0].encode()[span.column :].decode()
    return "\n".join(lines)


def lines_of(function: Callable[..., Any]) -> range:
    lines, first = inspect.getsourcelines(function)
    return range(first, first + len(lines))


# ---------------------------------------------------------------- Python needs the value of a traced number


def test_the_truth_of_a_traced_value() -> None:
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
def test_every_way_to_ask_for_truth(use: Any) -> None:
    assert isinstance(caught(lambda: eg.fn([eg.Bool])(use)), eg.TracerBoolError)
    assert isinstance(caught(lambda: eg.fn([eg.Real])(use)), eg.TracerBoolError)


def test_chained_comparison_asks_for_truth() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: 0 < x < 1))
    assert isinstance(error, eg.TracerBoolError)
    assert "0 < x < 1" in text_at(error.span) or text_at(error.span) in "0 < x < 1"


@pytest.mark.parametrize("smaller", [min, max])
def test_min_and_max_of_python(smaller: Any) -> None:
    error = caught(lambda: eg.fn([eg.Real, eg.Real])(lambda x, y: smaller(x, y)))
    assert isinstance(error, eg.TracerBoolError)
    assert text_at(error.span) == "smaller(x, y)"
    assert "eg.math.minimum" in error.message


@pytest.mark.parametrize("name", ["sin", "sqrt", "exp", "floor", "log"])
def test_functions_of_pythons_math_name_ours(name: str) -> None:
    scope: dict[str, Any] = {"math": math}
    exec(f"def f(x): return math.{name}(x)", scope)  # noqa: S102 - the program is ours
    error = caught(lambda: eg.fn([eg.Real])(lambda x: math.sin(x)))
    assert text_at(error.span) == "math.sin(x)"
    assert "eg.math.sin" in error.message
    assert isinstance(error, eg.TypeMismatchError)
    assert isinstance(caught(lambda: eg.fn([eg.Real])(scope["f"])), eg.TypeMismatchError)


def test_functions_of_numpy_name_ours() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: np.fmod(x, 0.5)))
    assert text_at(error.span) == "np.fmod(x, 0.5)"
    assert "eg.math.trunc" in error.message


@pytest.mark.parametrize(
    "f", [float, int, complex, lambda x: round(x), lambda x: [1, 2][x], lambda x: f"{x:.2f}"]
)
def test_conversions_to_plain_numbers(f: Any) -> None:
    assert isinstance(caught(lambda: eg.fn([eg.Real])(f)), eg.TypeMismatchError)


def test_the_range_of_an_index() -> None:
    error = caught(lambda: eg.fn([eg.Fin(3)])(lambda i: [x for x in range(i)]))  # noqa: C416
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "range(i)"
    for word in ("index", "eg.vec", "eg.sum", "eg.fori_loop"):
        assert word in error.message.replace("Argument", "argument")


def test_a_python_list_at_a_traced_index() -> None:
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
def test_operands_that_do_not_fit(types: Any, f: Any, advice: str) -> None:
    error = caught(lambda: eg.fn(types)(f))
    assert isinstance(error, eg.TypeMismatchError)
    source = text_at(error.span)
    assert any(symbol in source for symbol in "+*<&-~/")
    assert source.startswith(("x", "-y", "y", "~x"))
    assert advice in error.message


def test_division_of_indices_by_one_that_may_be_zero() -> None:
    error = caught(lambda: eg.fn([eg.Fin(3), eg.Fin(3)])(lambda i, j: i // j))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "i // j"


def test_eg_math_of_a_value_that_is_no_real() -> None:
    error = caught(lambda: eg.fn([eg.Bool])(lambda x: m.sin(x)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "m.sin(x)"
    assert "eg.real" in error.message
    error = caught(lambda: eg.fn([eg.Real, eg.Bool])(lambda x, p: m.maximum(x, p)))
    assert text_at(error.span) == "m.maximum(x, p)"
    assert isinstance(caught(lambda: m.sin("x")), eg.TypeMismatchError)


def test_polygamma_of_an_unknown_order() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: m.polygamma(4, x)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "m.polygamma(4, x)"


# ---------------------------------------------------------------- vecs and indices


def test_vecs_of_different_lengths() -> None:
    error = caught(lambda: eg.fn([eg.Vec(2, eg.Real), eg.Vec(3, eg.Real)])(lambda v, w: v + w))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v + w"
    assert "2" in error.message
    assert "3" in error.message
    error = caught(lambda: eg.fn([eg.Vec(2, eg.Real), eg.Vec(3, eg.Real)])(lambda v, w: eg.dot(v, w)))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "eg.dot(v, w)"


def test_dot_of_values_that_are_no_vecs() -> None:
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
def test_a_static_index_out_of_range(k: int) -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(lambda v: v[k]))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[k]"
    assert str(k) in error.message
    assert "3" in error.message


def test_an_index_that_never_fits() -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real), eg.Fin(2)])(lambda v, i: v[i + 3]))
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[i + 3]"


def test_an_index_out_of_range_when_it_runs() -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)])(lambda v, i: v[i])
    error = raised(f, [1.0, 2.0, 3.0], 5)
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[i]"
    assert "out of range" in error.message


def test_an_index_out_of_range_when_a_gradient_runs() -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)], eg.Real)(lambda v, i: v[i] ** 2)
    error = raised(eg.grad(f), [1.0, 2.0, 3.0], 5)
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "v[i]"


def test_a_fin_out_of_range_when_it_runs() -> None:
    f = eg.fn([eg.Fin(9)])(lambda i: eg.Fin(3)(i))
    error = raised(f, 5)
    assert isinstance(error, eg.ShapeError)
    assert text_at(error.span) == "eg.Fin(3)(i)"


@pytest.mark.parametrize(
    "f", [lambda v, x: v[x], lambda v, x: v[0.5], lambda v, x: v[x > 0], lambda v, x: v["a"]]
)
def test_an_index_of_the_wrong_type(f: Any) -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real), eg.Real])(f))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span).startswith("v[")


def test_an_element_of_a_real() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: x[0]))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "x[0]"
    error = caught(lambda: eg.fn([eg.Real])(lambda x: [y for y in x]))  # noqa: C416
    assert isinstance(error, eg.TypeMismatchError)


def test_assignment_to_an_element() -> None:
    def assign(v: Any) -> Any:
        v[0] = 1.0
        return v

    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(assign))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "v[0]"
    assert "v.at[i].set(x)" in error.message


def test_a_length_that_is_no_whole_number() -> None:
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


def test_the_truth_of_a_comparison_of_vecs() -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(lambda v: 1 if v == v else 0))
    assert isinstance(error, eg.TracerBoolError)


def test_membership_in_a_vec() -> None:
    error = caught(lambda: eg.fn([eg.Vec(3, eg.Real)])(lambda v: 1 in v))
    assert text_at(error.span) == "1 in v"


def test_a_sum_of_bools() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.sum(3, lambda i: x > i)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.sum(3, lambda i: x > i)"
    assert "eg.real" in error.message


@pytest.mark.parametrize("value", [2.7, "1", True, None])
def test_an_index_made_of_a_value_that_is_no_integer(value: Any) -> None:
    assert isinstance(caught(lambda: eg.Fin(3)(value)), eg.TypeMismatchError)


def test_numbers_beyond_their_limits() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: x + 10**400))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "x + 10**400"
    error = caught(lambda: eg.fn([eg.Fin(2**20)])(lambda i: eg.real(i * i)))
    assert isinstance(error, eg.LimitError)
    assert text_at(error.span) == "i * i"


# ---------------------------------------------------------------- lists without a type


def test_an_empty_list() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: []))
    assert isinstance(error, eg.TypeMismatchError)
    assert "eg.asarray" in error.message


def test_a_list_of_mixed_types() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: [x, x > 0]))
    assert isinstance(error, eg.TypeMismatchError)
    assert "Real" in error.message
    assert "Bool" in error.message


def test_a_ragged_list() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: [[x, x], [x]]))
    assert isinstance(error, eg.TypeMismatchError | eg.ShapeError)


def test_a_result_that_has_no_type() -> None:
    for value in ("text", object(), {1, 2}, 1j, range):
        error = caught(lambda value=value: eg.fn([eg.Real])(lambda x, value=value: value))
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None


# ---------------------------------------------------------------- signatures


def test_a_parameter_without_annotation() -> None:
    def mistake() -> None:
        @eg.fn
        def f(x: eg.Real, y) -> eg.Real:  # type: ignore[no-untyped-def]
            return x

    error = caught(mistake)
    assert isinstance(error, eg.TypeMismatchError)
    assert "y" in error.message
    assert "eg.Real" in error.message
    assert error.span is not None
    assert error.span.line in lines_of(mistake)


def test_an_annotation_that_is_no_type() -> None:
    for annotation in (str, "nonsense", 3, list[float]):

        def mistake(annotation: Any = annotation) -> None:
            def f(x):  # type: ignore[no-untyped-def]
                return x

            f.__annotations__["x"] = annotation
            eg.fn(f)

        error = caught(mistake)
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None
        assert error.span.line in lines_of(test_an_annotation_that_is_no_type)


def test_more_or_fewer_types_than_parameters() -> None:
    for types in ([], [eg.Real], [eg.Real] * 3):
        error = caught(lambda types=types: eg.fn(types)(lambda x, y: x))
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None
        assert error.span.line in lines_of(test_more_or_fewer_types_than_parameters)


def test_keyword_only_and_starred_parameters() -> None:
    for f in (lambda *xs: xs[0], lambda x, **kw: x):
        types = [eg.Real]
        assert eg.fn(types)(f)(1.0) == 1.0

    def mistake() -> None:
        @eg.fn
        def f(*xs: eg.Real) -> eg.Real:
            return xs[0]

    assert isinstance(caught(mistake), eg.TypeMismatchError)


def test_fn_of_a_number() -> None:
    error = caught(lambda: eg.fn(3))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.fn(3)"


def test_a_self_call() -> None:
    def mistake() -> None:
        @eg.fn
        def factorial(n: eg.Real) -> eg.Real:
            return n * factorial(n - 1)

    error = caught(mistake)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "factorial"
    assert "itself" in error.message


@pytest.mark.parametrize("older", [{}, {"forever": eg.fn([eg.Real])(lambda n: n)}])
def test_a_self_call_in_a_module_also_where_an_older_function_has_the_name(older: dict[str, Any]) -> None:
    source = "@eg.fn\ndef forever(n: eg.Real) -> eg.Real:\n    return n * forever(n - 1)\n"
    error = caught(lambda: exec(source, {"eg": eg, **older}))  # noqa: S102 - a module of its own
    assert isinstance(error, eg.TypeMismatchError)
    assert "itself" in error.message
    assert error.span is not None
    assert (error.span.line, error.span.column) == (3, 15)


@pytest.mark.parametrize(
    "trace",
    [eg.fn, eg.fn([eg.Real], eg.Real), eg.fn([eg.Real]), lambda f: eg.grad(f)(2.0), lambda f: eg.jit(f)(2.0)],
)
def test_a_self_call_of_a_function_without_a_decorator(trace: Any) -> None:
    def forever(n: eg.Real) -> eg.Real:
        return n * forever(n - 1)

    error = caught(lambda: trace(forever))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "forever(n - 1)"
    assert error.message.startswith(
        "forever is used inside itself, but it can use only functions that exist already. "
    )


def test_a_self_call_by_way_of_another_function() -> None:
    def even(n: Any) -> Any:
        return odd(n - 1)

    def odd(n: Any) -> Any:
        return even(n - 1)

    error = caught(lambda: eg.fn([eg.Real])(even))
    assert text_at(error.span) == "odd(n - 1)"
    assert "even is used inside itself" in error.message


def test_python_that_recurses_and_ends_is_traced() -> None:
    def power(x: eg.Real, n: int = 3) -> Any:
        return x * power(x, n - 1) if n else 1.0

    assert eg.fn([eg.Real])(power)(2.0) == 8.0


def test_a_recursion_that_the_function_is_not_part_of_stays_pythons_error() -> None:
    def count(n: int) -> int:
        return 1 + count(n + 1)

    with pytest.raises(RecursionError):
        eg.fn([eg.Real])(lambda x: x * count(0))


def test_a_name_that_is_simply_unknown_stays_pythons_error() -> None:
    with pytest.raises(NameError, match="undefined"):
        eg.fn([eg.Real])(lambda x: undefined(x))  # noqa: F821


# ---------------------------------------------------------------- arguments and results


@eg.fn
def scaled(p: Point, by: eg.Real) -> Point:
    return Point(p.x * by, p.y * by)


@eg.fn
def total(v: eg.Vec(3, eg.Real)) -> eg.Real:  # type: ignore[valid-type]
    return eg.sum(v)


@pytest.mark.parametrize(
    ("f", "kind", "words"),
    [
        (lambda x: scaled(Point(x, x)), eg.TypeMismatchError, ["scaled", "1", "2"]),
        (lambda x: scaled(Point(x, x), x, x), eg.TypeMismatchError, ["scaled", "3", "2"]),
        (lambda x: scaled(x, x), eg.TypeMismatchError, ["argument p", "scaled"]),
        (lambda x: scaled(Point(x, x), x > 0), eg.TypeMismatchError, ["argument by", "eg.real"]),
        (lambda x: scaled(Point(x, x), "2"), eg.TypeMismatchError, ["argument by", "'2'"]),
        (lambda x: scaled({"x": x}, x), eg.TypeMismatchError, ["'y'", "argument p"]),
        (lambda x: scaled({"x": x, "y": x, "z": x}, x), eg.TypeMismatchError, ["'z'", "argument p"]),
        (lambda x: scaled(p=Point(x, x)), eg.TypeMismatchError, ["by"]),
        (lambda x: scaled(Point(x, x), bye=x), eg.TypeMismatchError, ["bye", "by"]),
        (lambda x: total([x, x]), eg.ShapeError, ["2", "3"]),
        (lambda x: total(x), eg.TypeMismatchError, ["argument v"]),
        (lambda x: total([x, x, None]), eg.TypeMismatchError, ["argument v"]),
    ],
)
def test_arguments_that_do_not_fit(f: Any, kind: Any, words: list[str]) -> None:
    for use in (lambda: eg.fn([eg.Real])(f), lambda: f(1.0)):
        error = caught(use)
        assert isinstance(error, kind)
        for word in words:
            assert word in error.message.replace("Argument", "argument")
    error = caught(lambda: eg.fn([eg.Real])(f))
    assert text_at(error.span).startswith(("scaled(", "total("))
    assert text_at(error.span).endswith(")")


def test_plain_arguments_that_do_not_fit_point_to_the_call() -> None:
    error = caught(lambda: total("abc"))
    assert text_at(error.span) == 'total("abc")'


@pytest.mark.parametrize(
    ("result", "f"),
    [
        (eg.Real, lambda x: x > 0),
        (eg.Real, lambda x: None),
        (eg.Real, lambda x: (x, x)),
        (eg.Bool, lambda x: x),
        (eg.Unit, lambda x: x),
        (eg.Fin(3), lambda x: x),
        (eg.Fin(3), lambda x: 1.5),
        ((eg.Real, eg.Real), lambda x: (x,)),
        ({"a": eg.Real}, lambda x: {"b": x}),
        (Point, lambda x: (x, x > 0)),
    ],
)
def test_a_result_of_another_type(result: Any, f: Any) -> None:
    error = caught(lambda: eg.fn([eg.Real], result)(f))
    assert isinstance(error, eg.TypeMismatchError)
    assert "The result" in error.message
    assert error.span is not None


def test_a_result_of_another_length() -> None:
    error = caught(lambda: eg.fn([eg.Real], eg.Vec(3, eg.Real))(lambda x: [x, x]))
    assert isinstance(error, eg.ShapeError)
    assert "The result" in error.message
    error = caught(lambda: eg.fn([eg.Real], eg.Fin(3))(lambda x: 3))
    assert isinstance(error, eg.ShapeError)


def test_a_missing_field_of_a_struct_class() -> None:
    error = caught(lambda: eg.fn([Point])(lambda p: p.x + p.z))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "p.z"
    assert "x, y" in error.message


def test_a_missing_field_of_a_traced_struct() -> None:
    Disc = {"radius": eg.Real}

    def mistake(Disc: Any = Disc) -> None:
        @eg.fn
        def f(s: Disc) -> eg.Real:
            return s["radios"]

    error = caught(mistake)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == 's["radios"]'
    assert "radius" in error.message
    assert error.suggestion in (None, "radius")


# ---------------------------------------------------------------- select and cond


def test_arms_of_different_types() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.cond(x > 0, lambda: x, lambda: x > 1)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.cond(x > 0, lambda: x, lambda: x > 1)"
    assert "Real" in error.message
    assert "Bool" in error.message
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.select(x > 0, x, (x, x))))
    assert text_at(error.span) == "eg.select(x > 0, x, (x, x))"


def test_a_condition_that_is_no_bool() -> None:
    for choose in (eg.select, lambda p, a, b: eg.cond(p, lambda: a, lambda: b)):
        for condition in (lambda x: x, lambda x: 1, lambda x: None):
            error = caught(lambda c=condition, choose=choose: eg.fn([eg.Real])(lambda x: choose(c(x), x, x)))
            assert isinstance(error, eg.TypeMismatchError)
            assert "Bool" in error.message


def test_a_carry_that_changes_its_type() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.fori_loop(0, 3, lambda i, c: c > 0, x)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.fori_loop(0, 3, lambda i, c: c > 0, x)"


# ---------------------------------------------------------------- traced values outside their trace


def test_a_value_used_after_its_trace() -> None:
    kept = []

    def keep(x: Any) -> Any:
        kept.append(x)
        return x

    eg.fn([eg.Real])(keep)
    error = caught(lambda: kept[0] + 1)
    assert isinstance(error, eg.EscapedTracerError)
    assert text_at(error.span) == "kept[0] + 1"
    error = caught(lambda: m.sin(kept[0]))
    assert isinstance(error, eg.EscapedTracerError)
    error = caught(lambda: eg.fn([eg.Real])(lambda x: x + kept[0]))
    assert isinstance(error, eg.EscapedTracerError)
    assert text_at(error.span) == "x + kept[0]"
    f = eg.fn([eg.Real])(lambda x: x)
    assert isinstance(caught(lambda: f(kept[0])), eg.EscapedTracerError)


def test_a_value_of_a_loop_body_used_after_the_loop() -> None:
    def mistake(x: Any) -> Any:
        kept = []
        eg.vec(3, lambda i: kept.append(x * eg.real(i)))
        return kept[0] + 1

    error = caught(lambda: eg.fn([eg.Real])(mistake))
    assert isinstance(error, eg.EscapedTracerError)
    assert text_at(error.span) == "kept[0] + 1"


def test_a_vec_used_after_its_trace() -> None:
    kept = []

    def keep(v: Any) -> Any:
        kept.append(v)
        return v[0]

    eg.fn([eg.Vec(20, eg.Real)])(keep)
    for use in (lambda v: v[0], lambda v: v + 1, eg.sum, lambda v: eg.dot(v, v), lambda v: list(v)):
        assert isinstance(caught(lambda use=use: use(kept[0])), eg.EscapedTracerError)


# ---------------------------------------------------------------- derivatives


def test_an_opaque_function_without_a_derivative_is_named() -> None:
    secret = eg.opaque(math.gamma, [eg.Real], eg.Real, pure=True)

    def mistake() -> None:
        f = eg.fn([eg.Real], eg.Real)(lambda x: secret(x) * x)
        eg.grad(f)(2.0)

    error = caught(mistake)
    assert isinstance(error, eg.MissingDerivativeError)
    assert "gamma" in error.message
    assert "defjvp" in error.message
    assert error.span is not None


def test_the_gradient_of_a_result_that_is_no_real() -> None:
    for result in ((eg.Real, eg.Real), eg.Vec(1, eg.Real), eg.Bool, eg.Unit):
        f = eg.fn([eg.Real, result])(lambda x, y: y)
        error = caught(lambda f=f: eg.grad(f))
        assert isinstance(error, eg.TypeMismatchError)
        assert text_at(error.span) == "eg.grad(f)"
        assert "eg.jacrev" in error.message


@pytest.mark.parametrize("argnums", [2, -3, (0, 2), 0.5, "x", None, True, [0, 5]])
def test_wrong_argnums(argnums: Any) -> None:
    f = eg.fn([eg.Real, eg.Real])(lambda x, y: x * y)
    for derive in (eg.grad, eg.value_and_grad, eg.jacfwd, eg.jacrev, eg.hessian):
        error = caught(lambda derive=derive: derive(f, argnums))
        assert isinstance(error, eg.TypeMismatchError)
        assert "argnums" in error.message
        assert text_at(error.span) == "derive(f, argnums)"


def test_tangents_that_do_not_fit() -> None:
    f = eg.fn([eg.Real, eg.Vec(2, eg.Real)])(lambda x, v: x * v[0])
    for tangents in ((1.0,), (1.0, [1.0]), (1.0, 1.0), (None, [1.0, 1.0])):
        error = caught(lambda tangents=tangents: eg.jvp(f, (1.0, [1.0, 2.0]), tangents))
        assert isinstance(error, eg.TypeMismatchError | eg.ShapeError)
        assert text_at(error.span) == "eg.jvp(f, (1.0, [1.0, 2.0]), tangents)"
    _, pull = eg.vjp(f, 1.0, [1.0, 2.0])
    assert isinstance(caught(lambda: pull((1.0, 2.0))), eg.TypeMismatchError)


def test_a_derivative_of_a_number() -> None:
    for derive in (eg.grad, eg.jacfwd, eg.hessian):
        error = caught(lambda derive=derive: derive(3)(1.0))
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None


def test_a_rule_that_returns_something_else() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x)
    f.defjvp(lambda primals, tangents: primals[0])
    assert isinstance(caught(lambda: eg.grad(f)(1.0)), eg.TypeMismatchError)
    g = eg.fn([eg.Real], eg.Real)(lambda x: x)
    g.defjvp(lambda primals, tangents: (primals[0], (tangents[0], tangents[0])))
    error = caught(lambda: eg.grad(g)(1.0))
    assert isinstance(error, eg.TypeMismatchError)
    assert "The result" in error.message or "derivative" in error.message


def test_a_derivative_for_a_function_that_captures_traced_values() -> None:
    def mistake(x: Any) -> Any:
        inner = eg.fn([eg.Real], eg.Real)(lambda y: x * y)
        inner.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
        return inner(x)

    error = caught(lambda: eg.fn([eg.Real])(mistake))
    assert isinstance(error, eg.TypeMismatchError)
    assert "arguments" in error.message


def test_an_opaque_function_of_vecs() -> None:
    error = caught(lambda: eg.opaque(sum, [eg.Vec(3, eg.Real)], eg.Real))
    assert isinstance(error, eg.TypeMismatchError)
    assert error.span is not None


def test_an_opaque_functions_result_is_checked() -> None:
    f = eg.opaque(lambda x: "text", [eg.Real], eg.Real)
    assert isinstance(caught(lambda: f(1.0)), eg.TypeMismatchError)


# ---------------------------------------------------------------- places


def helper(x: Any) -> Any:
    """A macro whose mistake is two calls below the function that is traced."""
    return deeper(x)


def deeper(x: Any) -> Any:
    return x + (x > 0)


def test_a_mistake_in_a_macro_is_shown_where_it_stands() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: helper(x)))
    assert text_at(error.span) == "x + (x > 0)"
    assert error.span is not None
    assert error.span.line in lines_of(deeper)


def test_a_mistake_inside_loops_and_branches_is_shown_where_it_stands() -> None:
    error = caught(
        lambda: eg.fn([eg.Real])(
            lambda x: eg.sum(3, lambda i: eg.cond(x > 0, lambda: deeper(x), lambda: x)),
        )
    )
    assert text_at(error.span) == "x + (x > 0)"


def test_a_mistake_on_a_line_with_several_operations_has_its_columns() -> None:
    error = caught(lambda: eg.fn([eg.Real, eg.Bool])(lambda x, p: (x * 2) + (x * p) + 3))
    assert text_at(error.span) == "x * p"


def test_errors_of_a_function_appear_at_its_definition() -> None:
    defined = []

    def mistake() -> None:
        @eg.fn
        def f(x: eg.Real) -> eg.Real:
            return x + (x > 0)

        defined.append(f)

    assert isinstance(caught(mistake), eg.TypeMismatchError)
    assert defined == []


def test_a_failed_definition_leaves_no_trace_behind() -> None:
    caught(lambda: eg.fn([eg.Real])(deeper))
    assert m.sin(0.0) == 0.0
    assert eg.vec(2, lambda i: i) == [0, 1]
    assert eg.fn([eg.Real])(lambda x: x + 1)(1.0) == 2.0


def test_errors_are_sentences_with_their_place() -> None:
    error = caught(lambda: eg.fn([eg.Real])(deeper))
    assert str(error).startswith("`+` does not work between a traced Real and ")
    assert f"line {error.span.line}" in str(error)  # type: ignore[union-attr]
    assert isinstance(error, TypeError)


@pytest.mark.parametrize(
    "use",
    [
        lambda v, x: v[x],
        lambda v, x: v[eg.Fin(4)(x)],
        lambda v, x: v[eg.Fin(4)(eg.math.floor(x))],
        lambda v, x: v.at[x].add(1.0)[0],
        lambda v, x: v[x > 0],
    ],
)
def test_a_real_as_an_index_says_how_to_find_one(use: Any) -> None:
    with pytest.raises(
        eg.TypeMismatchError, match=r"An index must be .*, but this one is a traced .*comparing"
    ):
        eg.fn([eg.Vec(4, eg.Real), eg.Real])(use)
