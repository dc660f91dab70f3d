"""Mistakes in definitions raise errors: wrong lists, annotations and parameters, and recursive functions."""

# ruff: noqa: PLW0108 - a lambda around a call gives the mistake a place of its own

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from tests.errors.catching import caught, lines_of, text_at

# ---------------------------------------------------------------- lists without a type


def test_an_empty_list_without_a_type_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: []))
    assert isinstance(error, eg.TypeMismatchError)
    assert "eg.asarray" in error.message


def test_a_list_of_mixed_types_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: [x, x > 0]))
    assert isinstance(error, eg.TypeMismatchError)
    assert "Real" in error.message
    assert "Bool" in error.message


def test_a_ragged_list_is_an_error() -> None:
    error = caught(lambda: eg.fn([eg.Real])(lambda x: [[x, x], [x]]))
    assert isinstance(error, eg.TypeMismatchError | eg.ShapeError)


def test_a_result_without_a_type_is_an_error() -> None:
    for value in ("text", object(), {1, 2}, 1j, range):
        error = caught(lambda value=value: eg.fn([eg.Real])(lambda x, value=value: value))
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None


# ---------------------------------------------------------------- signatures


def test_a_parameter_without_annotation_is_an_error() -> None:
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


def test_an_annotation_that_is_not_a_type_is_an_error() -> None:
    for annotation in (str, "nonsense", 3, list[float]):

        def mistake(annotation: Any = annotation) -> None:
            def f(x):  # type: ignore[no-untyped-def]
                return x

            f.__annotations__["x"] = annotation
            eg.fn(f)

        error = caught(mistake)
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None
        assert error.span.line in lines_of(test_an_annotation_that_is_not_a_type_is_an_error)


def test_more_or_fewer_types_than_parameters_are_an_error() -> None:
    for types in ([], [eg.Real], [eg.Real] * 3):
        error = caught(lambda types=types: eg.fn(types)(lambda x, y: x))
        assert isinstance(error, eg.TypeMismatchError)
        assert error.span is not None
        assert error.span.line in lines_of(test_more_or_fewer_types_than_parameters_are_an_error)


def test_keyword_only_and_starred_parameters_are_an_error() -> None:
    for f in (lambda *xs: xs[0], lambda x, **kw: x):
        types = [eg.Real]
        assert eg.fn(types)(f)(1.0) == 1.0

    def mistake() -> None:
        @eg.fn
        def f(*xs: eg.Real) -> eg.Real:
            return xs[0]

    assert isinstance(caught(mistake), eg.TypeMismatchError)


def test_fn_of_a_number_is_an_error() -> None:
    error = caught(lambda: eg.fn(3))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "eg.fn(3)"


def test_a_function_that_calls_itself_is_an_error() -> None:
    def mistake() -> None:
        @eg.fn
        def factorial(n: eg.Real) -> eg.Real:
            return n * factorial(n - 1)

    error = caught(mistake)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "factorial"
    assert "itself" in error.message


@pytest.mark.parametrize("older", [{}, {"forever": eg.fn([eg.Real])(lambda n: n)}])
def test_a_self_call_is_an_error_even_if_an_older_function_has_the_name(older: dict[str, Any]) -> None:
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
def test_a_self_call_of_an_undecorated_function_is_an_error(trace: Any) -> None:
    def forever(n: eg.Real) -> eg.Real:
        return n * forever(n - 1)

    error = caught(lambda: trace(forever))
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error.span) == "forever(n - 1)"
    assert error.message.startswith(
        "forever is used inside itself, but it can use only functions that exist already. "
    )


def test_a_self_call_through_another_function_is_an_error() -> None:
    def even(n: Any) -> Any:
        return odd(n - 1)

    def odd(n: Any) -> Any:
        return even(n - 1)

    error = caught(lambda: eg.fn([eg.Real])(even))
    assert text_at(error.span) == "odd(n - 1)"
    assert "even is used inside itself" in error.message


def test_a_recursion_that_ends_while_tracing_is_allowed() -> None:
    def power(x: eg.Real, n: int = 3) -> Any:
        return x * power(x, n - 1) if n else 1.0

    assert eg.fn([eg.Real])(power)(2.0) == 8.0


def test_endless_recursion_of_a_plain_function_raises_pythons_error() -> None:
    def count(n: int) -> int:
        return 1 + count(n + 1)

    with pytest.raises(RecursionError):
        eg.fn([eg.Real])(lambda x: x * count(0))


def test_an_unknown_name_raises_pythons_name_error() -> None:
    with pytest.raises(NameError, match="undefined"):
        eg.fn([eg.Real])(lambda x: undefined(x))  # noqa: F821
