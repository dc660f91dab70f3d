"""Mistakes in calls, results, carries and derivatives raise errors at the right places."""

# ruff: noqa: PLW0108 - a lambda around a call gives the mistake a place of its own

from __future__ import annotations

import math
from typing import Any

import pytest

import eglantine as eg
from tests.errors.catching import Point, caught, lines_of, m, text_at

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
def test_traced_arguments_of_the_wrong_type_are_an_error(f: Any, kind: Any, words: list[str]) -> None:
    for use in (lambda: eg.fn([eg.Real])(f), lambda: f(1.0)):
        error = caught(use)
        assert isinstance(error, kind)
        for word in words:
            assert word in error.message.replace("Argument", "argument")
    error = caught(lambda: eg.fn([eg.Real])(f))
    assert text_at(error.span).startswith(("scaled(", "total("))
    assert text_at(error.span).endswith(")")


def test_plain_arguments_of_the_wrong_type_are_an_error_at_the_call() -> None:
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
def test_a_result_of_another_type_is_an_error(result: Any, f: Any) -> None:
    error = caught(lambda: eg.fn([eg.Real], result)(f))
    assert isinstance(error, eg.TypeMismatchError)
    assert "The result" in error.message
    assert error.span is not None


def test_a_result_of_another_length_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real], eg.Vec(3, eg.Real))(lambda x: [x, x]))
    assert isinstance(error, eg.ShapeError)
    assert "The result" in error.message
    error = caught(lambda: eg.fn([eg.Real], eg.Fin(3))(lambda x: 3))
    assert isinstance(error, eg.ShapeError)


def test_reading_a_missing_attribute_of_a_struct_is_an_error() -> None:
    error = caught(lambda: eg.fn([Point])(lambda p: p.x + p.z))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "p.z"
    assert "x, y" in error.message


def test_reading_a_missing_key_of_a_struct_is_an_error() -> None:
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


def test_arms_of_different_types_are_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.cond(x > 0, lambda: x, lambda: x > 1)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.cond(x > 0, lambda: x, lambda: x > 1)"
    assert "Real" in error.message
    assert "Bool" in error.message
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.select(x > 0, x, (x, x))))
    assert text_at(error.span) == "eg.select(x > 0, x, (x, x))"


def test_a_condition_of_another_type_than_bool_is_an_error() -> None:
    for choose in (eg.select, lambda p, a, b: eg.cond(p, lambda: a, lambda: b)):
        for condition in (lambda x: x, lambda x: 1, lambda x: None):
            error = caught(lambda c=condition, choose=choose: eg.fn([eg.Real])(lambda x: choose(c(x), x, x)))
            assert isinstance(error, eg.TypeMismatchError)
            assert "Bool" in error.message


def test_a_carry_that_changes_its_type_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: eg.fori_loop(0, 3, lambda i, c: c > 0, x)))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.fori_loop(0, 3, lambda i, c: c > 0, x)"


# ---------------------------------------------------------------- traced values outside their trace


def test_using_a_traced_value_after_its_trace_is_an_error() -> None:
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


def test_using_a_value_of_a_loop_body_after_the_loop_is_an_error() -> None:
    def mistake(x: Any) -> Any:
        kept = []
        eg.vec(3, lambda i: kept.append(x * eg.real(i)))
        return kept[0] + 1

    error = caught(lambda: eg.fn([eg.Real])(mistake))
    assert isinstance(error, eg.EscapedTracerError)
    assert text_at(error.span) == "kept[0] + 1"


def test_using_a_traced_vec_after_its_trace_is_an_error() -> None:
    kept = []

    def keep(v: Any) -> Any:
        kept.append(v)
        return v[0]

    eg.fn([eg.Vec(20, eg.Real)])(keep)
    for use in (lambda v: v[0], lambda v: v + 1, eg.sum, lambda v: eg.dot(v, v), lambda v: list(v)):
        assert isinstance(caught(lambda use=use: use(kept[0])), eg.EscapedTracerError)


# ---------------------------------------------------------------- derivatives


def test_a_missing_derivative_is_an_error_that_names_the_function() -> None:
    secret = eg.opaque(math.gamma, [eg.Real], eg.Real, pure=True)

    def mistake() -> None:
        f = eg.fn([eg.Real], eg.Real)(lambda x: secret(x) * x)
        eg.grad(f)(2.0)

    error = caught(mistake)
    assert isinstance(error, eg.MissingDerivativeError)
    assert "gamma" in error.message
    assert "defjvp" in error.message
    assert error.span is not None


def test_the_gradient_of_a_result_that_is_not_a_real_is_an_error() -> None:
    for result in ((eg.Real, eg.Real), eg.Vec(1, eg.Real), eg.Bool, eg.Unit):
        f = eg.fn([eg.Real, result])(lambda x, y: y)
        error = caught(lambda f=f: eg.grad(f))
        assert isinstance(error, eg.TypeMismatchError)
        assert text_at(error.span) == "eg.grad(f)"
        assert "eg.jacrev" in error.message


@pytest.mark.parametrize("argnums", [2, -3, (0, 2), 0.5, "x", None, True, [0, 5]])
def test_wrong_argnums_are_an_error(argnums: Any) -> None:
    f = eg.fn([eg.Real, eg.Real])(lambda x, y: x * y)
    for derive in (eg.grad, eg.value_and_grad, eg.jacfwd, eg.jacrev, eg.hessian):
        error = caught(lambda derive=derive: derive(f, argnums))
        assert isinstance(error, eg.TypeMismatchError)
        assert "argnums" in error.message
        assert text_at(error.span) == "derive(f, argnums)"


def test_tangents_of_the_wrong_type_are_an_error() -> None:
    f = eg.fn([eg.Real, eg.Vec(2, eg.Real)])(lambda x, v: x * v[0])
    for tangents in ((1.0,), (1.0, [1.0]), (1.0, 1.0), (None, [1.0, 1.0])):
        error = caught(lambda tangents=tangents: eg.jvp(f, (1.0, [1.0, 2.0]), tangents))
        assert isinstance(error, eg.TypeMismatchError | eg.ShapeError)
        assert text_at(error.span) == "eg.jvp(f, (1.0, [1.0, 2.0]), tangents)"
    _, pull = eg.vjp(f, 1.0, [1.0, 2.0])
    assert isinstance(caught(lambda: pull((1.0, 2.0))), eg.TypeMismatchError)


def test_differentiating_a_number_is_an_error() -> None:
    for derive in (eg.grad, eg.jacfwd, eg.hessian):
        error = caught(lambda derive=derive: derive(3)(1.0))
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None


def test_a_rule_whose_result_has_the_wrong_structure_is_an_error() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: x)
    f.defjvp(lambda primals, tangents: primals[0])
    assert isinstance(caught(lambda: eg.grad(f)(1.0)), eg.TypeMismatchError)
    g = eg.fn([eg.Real], eg.Real)(lambda x: x)
    g.defjvp(lambda primals, tangents: (primals[0], (tangents[0], tangents[0])))
    error = caught(lambda: eg.grad(g)(1.0))
    assert isinstance(error, eg.TypeMismatchError)
    assert "The result" in error.message or "derivative" in error.message


def test_a_rule_for_a_function_that_captures_traced_values_is_an_error() -> None:
    def mistake(x: Any) -> Any:
        inner = eg.fn([eg.Real], eg.Real)(lambda y: x * y)
        inner.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
        return inner(x)

    error = caught(lambda: eg.fn([eg.Real])(mistake))
    assert isinstance(error, eg.TypeMismatchError)
    assert "arguments" in error.message


def test_an_opaque_function_of_vecs_is_an_error() -> None:
    error = caught(lambda: eg.opaque(sum, [eg.Vec(3, eg.Real)], eg.Real))
    assert isinstance(error, eg.TypeMismatchError)
    assert error.span is not None


def test_a_wrong_result_of_an_opaque_function_is_an_error() -> None:
    f = eg.opaque(lambda x: "text", [eg.Real], eg.Real)
    assert isinstance(caught(lambda: f(1.0)), eg.TypeMismatchError)


# ---------------------------------------------------------------- where errors point


def helper(x: Any) -> Any:
    """A macro that calls another macro, which contains a mistake."""
    return deeper(x)


def deeper(x: Any) -> Any:
    return x + (x > 0)


def test_a_mistake_in_a_macro_is_shown_at_its_line() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: helper(x)))
    assert text_at(error.span) == "x + (x > 0)"
    assert error.span is not None
    assert error.span.line in lines_of(deeper)


def test_a_mistake_in_loops_and_branches_is_shown_at_its_line() -> None:
    error = caught(
        lambda: eg.fn([eg.Real])(
            lambda x: eg.sum(3, lambda i: eg.cond(x > 0, lambda: deeper(x), lambda: x)),
        )
    )
    assert text_at(error.span) == "x + (x > 0)"


def test_the_error_shows_which_operation_of_a_line_is_wrong() -> None:
    error = caught(lambda: eg.fn([eg.Real, eg.Bool])(lambda x, p: (x * 2) + (x * p) + 3))
    assert text_at(error.span) == "x * p"


def test_a_mistake_in_a_function_raises_when_the_function_is_defined() -> None:
    defined = []

    def mistake() -> None:
        @eg.fn
        def f(x: eg.Real) -> eg.Real:
            return x + (x > 0)

        defined.append(f)

    assert isinstance(caught(mistake), eg.TypeMismatchError)
    assert defined == []


def test_a_failed_definition_does_not_affect_later_calls() -> None:
    caught(lambda: eg.fn([eg.Real])(deeper))
    assert m.sin(0.0) == 0.0
    assert eg.vec(2, lambda i: i) == [0, 1]
    assert eg.fn([eg.Real])(lambda x: x + 1)(1.0) == 2.0


def test_errors_have_a_message_and_a_place() -> None:
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
def test_using_a_real_as_an_index_is_an_error_with_advice(use: Any) -> None:
    with pytest.raises(
        eg.TypeMismatchError, match=r"An index must be .*, but this one is a traced .*compare a Real"
    ):
        eg.fn([eg.Vec(4, eg.Real), eg.Real])(use)
