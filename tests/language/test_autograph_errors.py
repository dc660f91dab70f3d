"""Errors of autograph, and errors of the code that it converts, point to the right line of the source."""

# ruff: noqa: RET503, SIM108, B007, PERF401 - users' code to convert has any style

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from eglantine.printer import pretty
from eglantine.reader import parse
from tests.engines import raised

Engines = Callable[..., Any]

# ---------------------------------------------------------------- mistakes


def line_of(error: eg.EglantineError) -> str:
    assert error.span is not None
    assert error.span.source == __file__
    return Path(__file__).read_text(encoding="utf-8").splitlines()[error.span.line - 1].strip()


def text_at(error: eg.EglantineError) -> str:
    """Return the first line of the source text that an error points to."""
    assert error.span is not None
    assert error.span.source == __file__
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[error.span.line - 1]
    return line[error.span.column : error.span.end_column if error.span.end_line == error.span.line else None]


def caught(f: Callable[..., Any], *types: Any) -> eg.EglantineError:
    with pytest.raises(eg.EglantineError) as info:
        eg.fn(types or [eg.Real])(eg.autograph(f))
    return info.value


def only_one_branch(x):
    if x > 0:
        y = x
    return y


def two_types(x):
    if x > 0:
        y = x
    else:
        y = True
    return 2 * y


def first_in_a_loop(x):
    for _ in range(3):
        y = x * 2
    return y


def the_loops_own(x):
    for i in range(3):
        x = x * 2
    return i


def another_type_after_a_round(x):
    s = 0.0
    while x > 1:
        s = (s, x)
        x = x / 2
    return x


def no_result_on_one_way(x):
    if x > 0:
        return x


def a_result_of_two_types(x):
    for _ in range(3):
        if x > 1:
            return x
    return x > 0


def a_list_that_cannot_be_carried(x):
    xs = []
    for _ in range(3):
        xs = [*xs, x]
    return x


UNDEFINED = [
    (only_one_branch, "y", ["'y'", "only one branch"]),
    (two_types, "y", ["'y'", "Real", "Bool", "if"]),
    (first_in_a_loop, "y", ["'y'", "for"]),
    (the_loops_own, "i", ["'i'", "loop's own"]),
    (another_type_after_a_round, "s", ["'s'", "Real", "(Real, Real)", "while"]),
    (a_list_that_cannot_be_carried, "xs", ["'xs'", "no type"]),
]


@pytest.mark.parametrize(("f", "name", "words"), UNDEFINED, ids=lambda x: getattr(x, "__name__", ""))
def test_reading_a_variable_that_has_no_single_value_is_an_error(f: Any, name: str, words: list[str]) -> None:
    error = caught(f)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error) == name
    for word in words:
        assert word in error.message


@pytest.mark.parametrize("f", [no_result_on_one_way, a_result_of_two_types])
def test_returning_values_of_two_types_is_an_error(f: Any) -> None:
    error = caught(f)
    assert isinstance(error, eg.TypeMismatchError)
    assert "The result has no value here, because it is " in error.message
    assert "Real" in error.message
    assert error.span is not None
    lines, first = inspect.getsourcelines(f)
    assert first <= error.span.line < first + len(lines)


def test_a_variable_without_a_single_value_is_no_error_if_it_is_not_read(engines: Engines) -> None:
    def f(x):
        if x > 0:
            scratch = x * x
            x = scratch + 1.0
        else:
            scratch = x > -1.0
            x = 2.0 if scratch else 3.0
        for scratch in range(2):
            x = x + eg.real(scratch)
        return x

    g = eg.fn([eg.Real])(eg.autograph(f))
    for x in (3.0, -0.5, -5.0):
        assert engines(g, x) == f(x)


def appends(x):
    xs = [x]
    for _ in range(3):
        xs.append(x)
    return xs[0]


def assigns_to_an_element(x):
    xs = [x, x]
    if x > 0:
        xs[0] = 1.0
    return xs[0]


def extends_in_place(x):
    xs = [x]
    while x > 1:
        xs += [x]
        x = x / 2
    return xs[0]


def changes_an_alias(x):
    grid = [[x], [x]]
    for _ in range(3):
        row = grid[0]
        row[0] = x
    return grid[0][0]


def changes_a_global_list(x):
    if x > 0:
        FOUND.append(x)
    return x


FOUND: list[Any] = []


@pytest.mark.parametrize(
    ("f", "text"),
    [(appends, "xs.append(x)"), (assigns_to_an_element, "xs[0] = 1.0"), (extends_in_place, "xs += [x]"),
     (changes_an_alias, "row[0] = x"), (changes_a_global_list, "FOUND.append(x)")],
)  # fmt: skip
def test_changing_a_list_in_place_is_an_error_with_advice(f: Any, text: str) -> None:
    error = caught(f)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error) == text
    for word in ("in place", ".at[i].set(x)", "list(range(n))"):
        assert word in error.message
    assert FOUND == []


def raises_when_run(x):
    if x < 0:
        raise ValueError("negative")
    return x


def test_a_raise_that_depends_on_a_traced_value_is_an_error() -> None:
    error = caught(raises_when_run)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error) == 'raise ValueError("negative")'
    assert "nan" in error.message


def asserts_what_is_known(v, n=3):
    assert len(v) == n, f"{len(v)} elements"
    return v[0]


def asserts_what_is_not(v):
    assert v[0] > 0, "not positive"
    return v[0] * v[0]


def asserts_in_a_loop(v):
    for i in range(3):
        if v[i] > 1:
            assert v[i] < 4
    return 2.0 * v[1]


def test_an_assert_on_a_plain_value_is_checked_while_tracing() -> None:
    f = eg.autograph(asserts_what_is_known)
    assert eg.fn([eg.Vec(3, eg.Real)])(f)([1.0, 2.0, 3.0]) == 1.0
    with pytest.raises(AssertionError, match="2 elements"):
        eg.fn([eg.Vec(2, eg.Real)])(f)


@pytest.mark.parametrize("program", [asserts_what_is_not, asserts_in_a_loop])
def test_an_assert_on_a_traced_value_is_checked_when_the_code_runs(program: Any) -> None:
    """An assert is checked even if the rest of the program does not use its condition."""
    f = eg.fn([eg.Vec(3, eg.Real)])(eg.autograph(program))
    good, bad = [2.0, 3.0, 0.5], [-2.0, 5.0, 0.5]
    for g in (f, eg.grad(f), eg.value_and_grad(f), eg.hessian(f)):
        k = eg.compile(g)
        assert k(good) == g(good)
        for run in (g, k):
            with pytest.raises(eg.AssertionFailedError, match="This assert does not hold") as caught:
                run(bad)
            assert isinstance(caught.value, AssertionError)
            assert line_of(caught.value).startswith("assert v[")
    parse(pretty(f.function))


def test_the_message_of_an_assert_is_in_the_error() -> None:
    f = eg.fn([eg.Vec(3, eg.Real)])(eg.autograph(asserts_what_is_not))
    with pytest.raises(AssertionError, match="not positive"):
        eg.compile(f)([-1.0, 0.0, 0.0])


def truth_of_a_real(x):
    while x:
        x = x - 1
    return x


def range_of_a_real(x):
    for _ in range(x):
        x = x - 1
    return x


def test_conditions_and_bounds_of_the_wrong_type_are_errors_at_their_line() -> None:
    error = caught(truth_of_a_real)
    assert isinstance(error, eg.TracerBoolError)
    assert text_at(error) == "x"
    error = caught(range_of_a_real)
    assert isinstance(error, eg.TypeMismatchError)
    assert text_at(error) == "range(x)"
    assert "while" in error.message


def a_generator(x):
    yield x


def a_global(x):
    global SCALE  # noqa: PLW0603
    SCALE = x
    return x


def a_walrus(x):
    return x > 0 and (y := x * x) < 4 and y > 1


def a_return_in_try(x):
    try:
        return x
    finally:
        pass


@pytest.mark.parametrize(
    ("f", "text", "advice"),
    [(a_generator, "yield x", "tuple"), (a_global, "global SCALE", "return the value"),
     (a_walrus, "y := x * x", "before"), (a_return_in_try, "try:", "outside")],
)  # fmt: skip
def test_a_statement_that_cannot_be_converted_is_an_error_at_its_line(f: Any, text: str, advice: str) -> None:
    with pytest.raises(eg.CompileError) as info:
        eg.autograph(f)
    assert text_at(info.value) == text
    assert advice in info.value.message


def test_a_function_without_source_text_cannot_be_converted() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x\n", scope)  # noqa: S102 - a function that has no source
    for f in (scope["f"], lambda x: x if x > 0 else -x):
        with pytest.raises(eg.TypeMismatchError) as info:
            eg.autograph(f)
        assert "def" in info.value.message
    with pytest.raises(eg.TypeMismatchError):
        eg.autograph(math.sin)


def a_mistake_inside(v, i):
    total = 0.0
    for k in range(3):
        if v[k] > 0:
            total += v[i]
    return total


def test_errors_in_branches_and_loops_point_to_the_users_line() -> None:
    f = eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)])(eg.autograph(a_mistake_inside))
    assert f([1.0, 2.0, 3.0], 2) == 9.0
    error = raised(f, [1.0, 2.0, 3.0], 7)
    assert isinstance(error, eg.ShapeError)
    assert line_of(error) == "total += v[i]"


def test_an_undefined_name_raises_pythons_name_error() -> None:
    def f(x):
        if x > 0:
            x = nowhere(x)  # noqa: F821
        return x

    with pytest.raises(NameError, match="nowhere"):
        eg.fn([eg.Real])(eg.autograph(f))
