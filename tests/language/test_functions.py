"""Tests of `fn` and `jit`: signatures, static parameters, macros, calls and captured values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg

Engines = Callable[..., Any]


@eg.fn
def power(x: eg.Real, y: eg.Real) -> eg.Real:
    """x to the power y."""
    return x**y


def test_annotations_give_the_types_of_a_function(engines: Engines) -> None:
    assert engines(power, 2.0, 3.0) == 8.0
    assert repr(power) == "<fn power(Real, Real) -> Real>"


def test_a_function_keeps_its_name_and_docstring() -> None:
    assert power.__name__ == "power"
    assert power.__doc__ == "x to the power y."


def test_arguments_may_be_passed_by_name() -> None:
    assert power(2.0, y=3.0) == 8.0
    assert power(y=3.0, x=2.0) == 8.0


def test_annotations_may_name_types_of_the_enclosing_function() -> None:
    Point = eg.Vec(2, eg.Real)

    @eg.fn
    def norm1(p: Point) -> eg.Real:
        return abs(p[0]) + abs(p[1])

    assert norm1([3.0, -4.0]) == 7.0


def test_annotations_may_name_types_that_only_annotations_use() -> None:
    Point = {"x": eg.Real}
    Result = eg.Real

    @eg.fn
    def x_of(p: Point) -> Result:
        return p["x"]

    assert x_of({"x": 3.0}) == 3.0


def test_fn_with_explicit_types_takes_a_lambda(engines: Engines) -> None:
    g = eg.fn([eg.Vec(2, eg.Real)], eg.Real)(lambda v: power(v[0], v[1]))
    assert engines(g, [2.0, 3.0]) == 8.0


def test_fn_with_explicit_parameter_types_infers_the_result_type() -> None:
    g = eg.fn([eg.Real])(lambda x: (x, x > 1))
    assert g(2.0) == (2.0, True)


def test_a_function_may_have_no_parameters(engines: Engines) -> None:
    @eg.fn
    def two() -> eg.Real:
        return 2

    assert engines(two) == 2.0


def test_a_function_may_return_nothing(engines: Engines) -> None:
    @eg.fn
    def nothing(x: eg.Real) -> None:
        return None

    assert engines(nothing, 1.0) is None


def test_parameters_with_defaults_are_static() -> None:
    fs = [eg.fn([eg.Real], eg.Real)(lambda x, k=k: x**k) for k in range(4)]
    assert [f(2.0) for f in fs] == [1.0, 2.0, 4.0, 8.0]

    @eg.fn
    def scaled(x: eg.Real, by=3) -> eg.Real:  # type: ignore[no-untyped-def]
        return x * by

    assert scaled(2.0) == 6.0

    @eg.fn
    def between(x: eg.Real, by=3, y: eg.Real = 0.0, *, z: eg.Real) -> eg.Real:  # type: ignore[no-untyped-def]
        return x + by * y + z

    assert between(1.0, 10.0, 100.0) == 131.0
    assert between(1.0, z=100.0, y=10.0) == 131.0


def test_defaults_of_typed_parameters_can_be_overridden(engines: Engines) -> None:
    @eg.fn
    def line(x: eg.Real, slope: eg.Real = 2.0, shift: eg.Vec(2, eg.Real) = (1.0, 3.0)) -> eg.Real:  # type: ignore[valid-type]
        return x * slope + shift[0] * shift[1]

    k = eg.compile(line)
    for f in (line, k):
        assert f(1.0) == 5.0
        assert f(1.0, 3.0) == 6.0
        assert f(1.0, shift=[0.0, 0.0]) == 2.0
        assert f(shift=[1.0, 1.0], x=0.5, slope=4.0) == 3.0
    assert k.batch([1.0, 2.0]) == [5.0, 7.0]
    assert k.batch([1.0, 2.0], slope=[0.0, 1.0]) == [3.0, 5.0]
    assert eg.grad(line, (0, 1))(2.0) == eg.compile(eg.grad(line, (0, 1)))(2.0) == (2.0, 2.0)
    assert engines(eg.fn([eg.Real])(lambda x: line(x) + line(x, shift=[x, x])), 3.0) == 9.0 + 15.0
    h = eg.fn([eg.Real, eg.Real], names=("x", "y"))(lambda x, y=2.0: x * y)
    assert h(3.0) == eg.compile(lambda x, y=2.0: x * y, [eg.Real, eg.Real])(3.0) == 6.0
    assert eg.jit(lambda x, y=2.0, z=1.0: x * y + z)(3.0, z=0.0) == 6.0


def test_a_default_of_the_wrong_type_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"The default of x must be a float, but it is None\."):

        @eg.fn
        def f(x: eg.Real = None) -> eg.Real:  # type: ignore[no-untyped-def]
            return x

    with pytest.raises(eg.TypeMismatchError, match=r"takes 'x', 'y' by name here, but this call gives 'y'\."):
        eg.compile(eg.fn([eg.Real, eg.Real])(lambda x, y=1.0: x * y))(y=2.0)


def test_has_aux_returns_auxiliary_values_beside_the_gradient(engines: Engines) -> None:
    @eg.fn
    def loss(w: eg.Vec(2, eg.Real), x: eg.Real):  # type: ignore[no-untyped-def, valid-type]
        residual = w[0] * x + w[1] - 1.0
        return residual * residual, {"residual": residual, "big": residual > 1.0}

    aux = {"residual": 6.0, "big": True}
    assert engines(eg.grad(loss, has_aux=True), [2.0, 1.0], 3.0) == ([36.0, 12.0], aux)
    assert engines(eg.value_and_grad(loss, (1, 0), has_aux=True), [2.0, 1.0], 3.0) == (
        (36.0, aux), (24.0, [36.0, 12.0]),
    )  # fmt: skip
    assert eg.grad(lambda x: (x * x, x), has_aux=True)(3.0) == (6.0, 3.0)
    with pytest.raises(eg.TypeMismatchError, match=r"must return a pair \(one Real, any value\)"):
        eg.grad(lambda x: x * x, has_aux=True)(3.0)
    with pytest.raises(eg.TypeMismatchError, match=r"needs a function that returns one Real"):
        eg.grad(loss)


def test_a_plain_function_is_a_macro_expanded_where_it_is_called(engines: Engines) -> None:
    seen = []

    def macro(x: Any) -> Any:
        seen.append(x)
        return x * x

    f = eg.fn([eg.Real], eg.Real)(lambda x: macro(x) + macro(x + 1))
    assert len(seen) == 2
    assert engines(f, 2.0) == 13.0
    assert len(seen) == 2


def test_a_function_is_traced_once_and_its_calls_are_kept_as_calls() -> None:
    traces = []

    @eg.fn
    def square(x: eg.Real) -> eg.Real:
        traces.append(None)
        return x * x

    @eg.fn
    def sum_of_squares(v: eg.Vec(2, eg.Real)) -> eg.Real:
        return square(v[0]) + square(v[1])

    assert sum_of_squares([3.0, 4.0]) == 25.0
    assert eg.grad(sum_of_squares)([3.0, 4.0]) == [6.0, 8.0]
    assert len(traces) == 1
    block = sum_of_squares.function.block
    assert [row[2] for row in block.rows if row[0] == "call"] == [square.function] * 2


def test_functions_may_call_functions(engines: Engines) -> None:
    inner = eg.fn([eg.Real, eg.Real], (eg.Real, eg.Real))(lambda x, y: (x + y, x * y))

    @eg.fn
    def outer(x: eg.Real) -> eg.Real:
        total, product = inner(x, 3)
        return inner(total, product)[1]

    assert engines(outer, 2.0) == 30.0
    assert engines(eg.grad(outer), 2.0) == 21.0  # (x+3)·3x, so 6x+9


def test_an_inner_function_may_use_values_of_the_enclosing_trace(engines: Engines) -> None:
    @eg.fn
    def outer(x: eg.Real, y: eg.Real) -> eg.Real:
        @eg.fn
        def inner(z: eg.Real) -> eg.Real:
            return z * x + y

        return inner(2) + inner(3)

    assert engines(outer, 5.0, 7.0) == 39.0
    assert engines(eg.grad(outer, (0, 1)), 5.0, 7.0) == (5.0, 2.0)


def test_a_captured_value_is_used_inside_loops_of_the_inner_function(engines: Engines) -> None:
    @eg.fn
    def outer(x: eg.Real) -> eg.Real:
        inner = eg.fn([eg.Real], eg.Real)(lambda z: eg.sum(10, lambda i: x * z))
        return eg.sum(3, lambda j: inner(eg.real(j)))

    assert engines(outer, 2.0) == 60.0
    assert engines(eg.grad(outer), 2.0) == 30.0


def test_the_derivative_of_an_inner_function_treats_captures_as_constants(engines: Engines) -> None:
    @eg.fn
    def outer(x: eg.Real) -> eg.Real:
        inner = eg.fn([eg.Real], eg.Real)(lambda z: x * z * z)
        return eg.grad(inner)(x)  # 2·x·z at z = x

    assert engines(outer, 3.0) == 18.0
    assert engines(eg.grad(outer), 3.0) == 12.0


def test_a_function_may_capture_vecs_and_structs(engines: Engines) -> None:
    Pick = {"v": eg.Vec(20, eg.Real), "k": eg.Fin(20)}

    @eg.fn
    def outer(p: Pick) -> eg.Real:  # type: ignore[valid-type]
        inner = eg.fn([eg.Real], eg.Real)(lambda z: z * p["v"][p["k"]])
        return inner(2.0)

    assert engines(outer, {"v": [float(i) for i in range(20)], "k": 7}) == 14.0


def test_a_python_loop_can_compose_functions_to_any_depth(engines: Engines) -> None:
    def times(n: int) -> Any:
        if n == 0:
            return eg.fn([eg.Real], eg.Real)(lambda x: x)
        inner = times(n - 1)
        return eg.fn([eg.Real], eg.Real)(lambda x: inner(x) * 2)

    assert engines(times(10), 1.0) == 1024.0
    assert engines(eg.grad(times(10)), 1.0) == 1024.0


# ---------------------------------------------------------------- jit


def test_jit_specialises_on_the_types_of_its_arguments(engines: Engines) -> None:
    h = eg.jit(lambda x, y: x * y + 1)
    f = eg.fn([eg.Real], eg.Real)(lambda x: h(x, 3) + h(3, x))
    assert engines(f, 2.0) == 14.0
    g = eg.fn([eg.Vec(2, eg.Real)])(lambda v: h(v, 3))
    assert engines(g, [1.0, 2.0]) == [4.0, 7.0]


def test_jit_traces_once_for_each_combination_of_types() -> None:
    traces = []

    @eg.jit
    def h(x: Any) -> Any:
        traces.append(x)
        return x * 2

    eg.fn([eg.Real], eg.Real)(lambda x: h(x) + h(x + 1))
    eg.fn([eg.Real], eg.Real)(h)
    assert len(traces) == 1
    eg.fn([eg.Vec(2, eg.Real)])(h)
    assert len(traces) == 2


def test_jit_is_differentiated_like_a_function(engines: Engines) -> None:
    h = eg.jit(lambda x: x**3)
    assert engines(eg.grad(h), 2.0) == 12.0
    assert engines(eg.grad(eg.grad(h)), 2.0) == 12.0


def test_jit_outside_a_trace_runs_compiled() -> None:
    from tests.engines import HAS_WASM

    if HAS_WASM:
        h = eg.jit(lambda x, y: x * y + 1)
        assert h(2.0, 3.0) == 7.0
        assert h([1.0, 2.0], 3.0) == [4.0, 7.0]
        assert h(2, 3) == 7.0


def test_jit_and_derivatives_of_plain_functions_take_named_arguments() -> None:
    from tests.engines import HAS_WASM

    def f(x: Any, y: Any) -> Any:
        return x * x * y

    assert eg.grad(f)(y=5.0, x=3.0) == 30.0
    if HAS_WASM:
        assert eg.jit(f)(3.0, y=5.0) == 45.0


# ---------------------------------------------------------------- interp


def test_interp_evaluates_functions_on_exact_numbers() -> None:
    from fractions import Fraction

    f = eg.fn([eg.Real], eg.Real)(lambda x: 3 * x**2 + 1)
    assert eg.interp(f)(Fraction(1, 2)) == Fraction(7, 4)
    assert eg.interp(eg.grad(f))(Fraction(1, 3)) == 2
