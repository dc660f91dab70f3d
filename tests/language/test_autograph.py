"""`eg.autograph` and `@eg.fn(control_flow=True)` trace Python's own control flow."""

# ruff: noqa: SIM108, PLR1730 - users' code to convert has any style

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eglantine as eg
from tests.engines import bits
from tests.language.converting import SCALE, as_reals, each_program
from tests.programs.choices import drawn
from tests.programs.control_flow import Program
from tests.programs.texts import function_of_text, text_of

Engines = Callable[..., Any]


# ---------------------------------------------------------------- programs


@each_program
def test_a_converted_program_gives_pythons_bits(engines: Engines, program: Program) -> None:
    f = eg.fn(program.types)(eg.autograph(program.f))
    for point in program.points:
        assert bits(as_reals(engines(f, *point))) == bits(as_reals(program.f(*point))), point


@each_program
def test_a_converted_program_has_the_right_derivatives(engines: Engines, program: Program) -> None:
    f = eg.fn(program.types)(eg.autograph(program.f))
    places = tuple(k for k, of in enumerate(program.types) if of != eg.Bool and repr(of)[:3] != "Fin")
    for k, point in enumerate(program.points if program.smooth else ()):
        eg.check_grads(f, point, order=1 if k else 2)
        if f.function.result == eg.Real:
            engines(eg.grad(f, places), *point)


@given(st.data())
@settings(max_examples=60)
def test_a_converted_random_program_gives_pythons_bits(data: st.DataObject) -> None:
    text = text_of(drawn(data.draw))
    f = function_of_text(text)
    g = eg.fn([eg.Real] * 3, eg.Real)(eg.autograph(f))
    for point in ((1.0, 2.0, -1.0), (-0.5, 0.5, 3.0), (0.0, -0.0, math.inf)):
        assert bits(g(*point)) == bits(float(f(*point))), text


# ---------------------------------------------------------------- forms


def test_autograph_works_as_a_decorator_with_and_without_types(engines: Engines) -> None:
    @eg.fn(control_flow=True)
    def first(x: eg.Real, sign: eg.Bool, n=None) -> eg.Real:
        """The absolute value, or its opposite."""
        if x < 0 and n is None:
            x = -x
        return x if sign else -x

    def second(x, sign):
        if x < 0:
            return -x if sign else x
        return x if sign else -x

    third = eg.fn([eg.Real, eg.Bool], control_flow=True)(second)
    fourth = eg.fn([eg.Real, eg.Bool], eg.Real, control_flow=True)(second)
    fifth = eg.grad(eg.autograph(second))
    for x, sign in ((-2.0, True), (3.0, False)):
        expected = second(x, sign)
        assert engines(first, x, sign) == expected
        assert engines(third, x, sign) == expected
        assert engines(fourth, x, sign) == expected
        assert fifth(x, sign) == expected / x
    assert first.__name__ == "first"
    assert first.__doc__ == "The absolute value, or its opposite."


def test_a_converted_function_keeps_name_docstring_and_signature() -> None:
    def f(x: eg.Real, *, scale: float = 2.0) -> eg.Real:
        """What it does."""
        return x * scale if x > 0 else x

    g = eg.autograph(f)
    assert inspect.signature(g) == inspect.signature(f)
    assert (g.__name__, g.__doc__, g.__annotations__) == (f.__name__, f.__doc__, f.__annotations__)
    assert eg.fn([eg.Real])(lambda x: g(x, scale=5.0))(2.0) == 10.0
    assert eg.fn([eg.Real])(g)(2.0) == 4.0


def test_outside_a_trace_a_converted_function_runs_as_plain_python() -> None:
    def f(x):
        assert x != 0
        return [x] if x > 0 else "negative"

    g = eg.autograph(f)
    assert g(1) == [1]
    assert g(-1) == "negative"
    with pytest.raises(AssertionError):
        g(0)


def test_a_converted_function_shares_the_originals_globals_and_closure(engines: Engines) -> None:
    shift = 1.0

    def f(x):
        if x > 0:
            return x * SCALE + shift
        return later(x)

    g = eg.autograph(f)

    def later(x):
        return x - 10.0

    assert engines(eg.fn([eg.Real])(g), 2.0) == 7.0
    shift = 2.0
    assert engines(eg.fn([eg.Real])(g), 2.0) == 8.0
    assert engines(eg.fn([eg.Real])(g), -2.0) == -12.0


def test_a_method_is_converted(engines: Engines) -> None:
    class Clamp:
        def __init__(self, limit: float) -> None:
            self.limit = limit

        @eg.autograph
        def __call__(self, x: Any) -> Any:
            if x > self.limit:
                x = self.limit
            return x

    f = eg.fn([eg.Real])(Clamp(2.0).__call__)
    assert (engines(f, 1.0), engines(f, 3.0)) == (1.0, 2.0)


def test_an_if_on_a_plain_bool_runs_only_one_branch() -> None:
    ran = []

    def f(x, square=True):
        if square:
            ran.append("square")
            return x * x
        ran.append("other")
        return x

    assert eg.fn([eg.Real])(eg.autograph(f))(3.0) == 9.0
    assert ran == ["square"]


def test_a_loop_over_a_range_is_not_unrolled() -> None:
    def f(x, n=10):
        for _ in range(n):
            x = x * 1.5
        return x

    short, long = (
        eg.compile(eg.fn([eg.Real])(lambda x, n=n: eg.autograph(f)(x, n))).wasm for n in (10, 10_000)
    )
    assert abs(len(short) - len(long)) < 16


def test_only_the_branch_that_is_taken_runs(engines: Engines) -> None:
    seen: list[float] = []
    note = eg.opaque(lambda x: seen.append(x) or x, [eg.Real], eg.Real)

    @eg.fn(control_flow=True)
    def f(x: eg.Real) -> eg.Real:
        y = 0.0
        if x > 0 and note(x) > 1:
            y = note(-x)
        return y

    f(-1.0)
    assert seen == []
    f(0.5)
    assert seen == [0.5]
    f(2.0)
    assert seen == [0.5, 2.0, -2.0]


def test_an_updated_vec_is_carried_through_branches_and_loops(engines: Engines) -> None:
    @eg.fn(control_flow=True)
    def sieve(v: eg.Vec(6, eg.Real)) -> eg.Vec(6, eg.Real):
        for i in range(6):
            if v[i] < 0:
                v = v.at[i].set(-v[i])
            else:
                v = v.at[5 - i].add(0.5)
        return v

    def expected(v: list[float]) -> list[float]:
        v = list(v)
        for i in range(6):
            if v[i] < 0:
                v[i] = -v[i]
            else:
                v[5 - i] += 0.5
        return v

    v = [1.0, -2.0, 3.0, -4.0, -0.25, 6.0]
    assert engines(sieve, v) == expected(v)


def test_lists_made_inside_a_branch_or_loop_may_grow(engines: Engines) -> None:
    @eg.fn(control_flow=True)
    def f(x: eg.Real) -> eg.Real:
        for _ in range(3):
            powers = [x]
            for _ in [1, 2]:
                powers.append(powers[-1] * x)
            x = powers[2] - powers[0]
        return x

    x = 1.25
    for _ in range(3):
        x = x * x * x - x
    assert engines(f, 1.25) == x


def test_a_function_may_have_more_than_a_hundred_early_returns(engines: Engines) -> None:
    lines = ["def f(a):"]
    for k in range(120):
        lines += [f"    if a < {k}.0:", f"        return {k}.5"]
    f = function_of_text("\n".join([*lines, "    return a"]) + "\n")
    g = eg.fn([eg.Real])(eg.autograph(f))
    for a in (-1.0, 17.5, 60.0, 118.9, 200.0):
        assert engines(g, a) == f(a)


def test_a_long_expression_is_converted_up_to_the_depth_python_allows() -> None:
    def long(n: int) -> Any:
        text = "def f(a):\n    if a > 0:\n        a = " + " + ".join(["a"] * n) + "\n    return a\n"
        return eg.autograph(function_of_text(text))

    assert eg.fn([eg.Real])(long(400))(1.0) == 400.0
    try:
        f = long(1500)
    except eg.LimitError:  # Python's version determines how deep a syntax tree may be
        return
    assert eg.fn([eg.Real])(f)(1.0) == 1500.0


def test_a_variable_assigned_in_branches_and_loops_can_hold_a_list(engines: Engines) -> None:
    def f(x):
        pair = [x, 1.0]
        for _ in range(5):
            pair = [pair[0] + pair[1], pair[0]]
            if pair[0] > 3.0:
                pair = [pair[1], x]
        return pair + pair * 2

    g = eg.fn([eg.Real])(eg.autograph(f))
    for x in (0.5, 2.0):
        assert engines(g, x) == f(x)


def test_nested_derivatives_of_a_converted_function_are_exact(engines: Engines) -> None:
    def f(x):
        y = x
        while y < 10.0:
            y = y * x if y > 4.0 else y * y
        return y

    g = eg.fn([eg.Real])(eg.autograph(f))  # x⁴ near 2
    assert engines(g, 2.0) == 16.0
    assert engines(eg.grad(g), 2.0) == 32.0
    assert engines(eg.grad(eg.grad(g)), 2.0) == 48.0
    assert engines(eg.jacfwd(eg.grad(eg.grad(g))), 2.0) == 48.0


# ---------------------------------------------------------------- whole numbers among Reals


def exponential(x: Any) -> Any:
    total = term = 1.0
    for i in range(1, 20):
        term = term * x / i
        total += term
    return total


def mixture(x: Any) -> Any:
    total = 0
    for i in range(1, 10):
        if i % 2 == 0:
            total = i
        else:
            total = total * x + 1 / i**2
        if i < x:
            total += i * 0.5
        total += x**i * 1e-3 + i // 2.5 + 2.5 % i - i / 3 + 2**i * 0.01 + max(0, 1) * eg.math.sqrt(i)
    k = 0
    while k < 3:
        k += 1
        total += x * k
    return total


@pytest.mark.parametrize("f", [exponential, mixture], ids=lambda f: f.__name__)
def test_an_index_assigned_to_a_variable_of_reals_becomes_a_real(
    engines: Engines, f: Callable[[Any], Any]
) -> None:
    converted = eg.fn([eg.Real], eg.Real)(eg.autograph(f))
    for x in (0.5, 1.3, 4.2):
        assert math.isclose(engines(converted, x), f(x), rel_tol=1e-14)
        eg.check_grads(converted, (x,), order=1)


def test_an_index_parameter_becomes_a_real_where_a_real_is_needed() -> None:
    def scaled(x: Any, i: Any) -> Any:
        while x < 1:
            x = x * 2
        return x * i

    f = eg.fn([eg.Real])(lambda x: eg.sum(4, lambda i: eg.sum(2, lambda _: eg.autograph(scaled)(x, i))))
    assert f(0.5) == 12.0
    g = eg.fn([eg.Real])(lambda x: eg.sum(4, lambda i: eg.autograph(scaled)(x, i) * i))
    assert g(0.5) == 14.0
