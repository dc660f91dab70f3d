"""An error has the same message and points to the mistake's line, however deeply the code is nested.

The mistakes are in a macro (a plain function that is called while tracing). The tests call the macro wherever
user code runs: in an `fn` within an `fn`, in loops and branches, in custom rules and in differentiated
functions.
"""

# ruff: noqa: PLW0108 - a lambda around a call gives the mistake a place of its own

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from tests.engines import HAS_WASM, raised

m = eg.math
Point = {"x": eg.Real, "y": eg.Real}
kept: list[Any] = []


def text_at(span: eg.Span | None) -> str:
    assert span is not None, "the error has no span"
    assert span.source == __file__
    assert span.line == span.end_line
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[span.line - 1].encode()
    return line[span.column : span.end_column].decode()


def caught(mistake: Callable[[], Any]) -> eg.EglantineError:
    with pytest.raises(eg.EglantineError) as info:
        mistake()
    return info.value


secret = eg.opaque(lambda x: x, [eg.Real], eg.Real, pure=True)
doubled = eg.fn([Point])(lambda p: p["x"] * 2)
eg.fn([eg.Real])(lambda x: kept.append(x) or x)


def mixes(x: Any) -> Any:
    return x + (x > 0)


def misses_a_field(x: Any) -> Any:
    return doubled({"x": x})


def asks_for_a_field(x: Any) -> Any:
    return eg.fn([Point])(lambda p: p["z"])({"x": x, "y": x})


def adds_lengths(x: Any) -> Any:
    return (eg.asarray([x, x]) + eg.asarray([x, x, x]))[0]


def asks_for_truth(x: Any) -> Any:
    return x if x > 0 else -x


def uses_what_escaped(x: Any) -> Any:
    return x * kept[0]


def needs_a_derivative(x: Any) -> Any:
    return eg.grad(eg.fn([eg.Real], eg.Real)(lambda y: secret(y) * y))(x)


def exceeds_32_bits(x: Any) -> Any:
    return x + eg.sum(2**20, lambda i: eg.real(i * i))


MISTAKES = [
    (mixes, eg.TypeMismatchError, "eg.real", "x + (x > 0)"),
    (misses_a_field, eg.TypeMismatchError, "'y'", 'doubled({"x": x})'),
    (asks_for_a_field, eg.TypeMismatchError, "'z'", 'p["z"]'),
    (adds_lengths, eg.ShapeError, "(2,) and (3,)", "eg.asarray([x, x]) + eg.asarray([x, x, x])"),
    (asks_for_truth, eg.TracerBoolError, "eg.select", "x > 0"),
    (uses_what_escaped, eg.EscapedTracerError, "trace", "x * kept[0]"),
    (needs_a_derivative, eg.MissingDerivativeError, "order 1", "secret(y)"),
    (exceeds_32_bits, eg.LimitError, "32 bits", "i * i"),
]


def ruled(f: Callable[[Any], Any]) -> Any:
    g = eg.fn([eg.Real], eg.Real)(lambda x: x)
    g.defjvp(lambda primals, tangents: (g(primals[0]), f(primals[0]) * tangents[0]))
    return eg.grad(g)(1.0)


WAYS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "a function": lambda f: eg.fn([eg.Real])(f),
    "a macro": lambda f: eg.fn([eg.Real])(lambda x: f(2 * x)),
    "a function in a function": lambda f: eg.fn([eg.Real])(lambda x: eg.fn([eg.Real])(lambda y: f(y))(x)),
    "a sum": lambda f: eg.fn([eg.Real])(lambda x: eg.sum(3, lambda i: f(x * eg.real(i)))),
    "a vec": lambda f: eg.fn([eg.Real])(lambda x: eg.vec(6, lambda i: f(x * eg.real(i)))),
    "a fori_loop": lambda f: eg.fn([eg.Real])(lambda x: eg.fori_loop(0, 3, lambda i, c: f(c), x)),
    "a scan": lambda f: eg.fn([eg.Real])(lambda x: eg.scan(lambda c, _: (f(c), c), x, None, 3)[0]),
    "a while_loop": lambda f: eg.fn([eg.Real])(lambda x: eg.while_loop(lambda c: c < 9, f, x)),
    "the test of a while_loop": lambda f: eg.fn([eg.Real])(
        lambda x: eg.while_loop(lambda c: f(c) < 9, lambda c: c + 1, x)
    ),
    "a branch": lambda f: eg.fn([eg.Real])(lambda x: eg.cond(x > 0, lambda: f(x), lambda: x)),
    "a custom rule": ruled,
    "a function that is differentiated": lambda f: eg.grad(f)(1.0),
    "a jit": lambda f: eg.jit(f)(1.0),
    "a derivative in a loop": lambda f: eg.fn([eg.Real])(lambda x: eg.sum(2, lambda i: eg.grad(f)(x))),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("mistake", "kind", "word", "text"), MISTAKES)
def test_a_mistake_is_shown_at_its_line(
    mistake: Any, kind: type[eg.EglantineError], word: str, text: str, way: str
) -> None:
    error = caught(lambda: WAYS[way](mistake))
    assert type(error) is kind
    assert word in error.message
    assert text_at(error.span) in (text, f"if {text}")


# ---------------------------------------------------------------- errors at run time


def element(v: Any, i: Any) -> Any:
    return m.sin(v[i])


TYPES = [eg.Vec(3, eg.Real), eg.Fin(9)]
element_fn = eg.fn(TYPES, eg.Real)(element)


@pytest.mark.parametrize(
    "f",
    [
        element_fn,
        eg.fn(TYPES, eg.Real)(lambda v, i: element_fn(v, i) * 2),
        eg.fn(TYPES, eg.Real)(lambda v, i: eg.sum(2, lambda j: element(v, i + j))),
        eg.fn(TYPES, eg.Real)(lambda v, i: eg.cond(v[0] > 0, lambda: element(v, i), lambda: 0.0)),
        eg.fn(TYPES, eg.Real)(lambda v, i: eg.fori_loop(0, 2, lambda _, c: c + element_fn(v, i), v[0])),
    ],
)
def test_a_trap_names_the_users_line_in_values_and_derivatives(f: Any) -> None:
    summed = eg.fn(TYPES, eg.Real)(lambda v, i: eg.sum(eg.grad(f)(v, i)))
    for g in (f, eg.grad(f), eg.jacfwd(f), eg.grad(summed), eg.hessian(f)):
        error = raised(g, [1.0, 2.0, 3.0], 5)
        assert isinstance(error, eg.ShapeError)
        assert "out of range" in error.message
        assert text_at(error.span) == "v[i]"


# ---------------------------------------------------------------- missing derivatives


def missing(order: int) -> Any:
    """Make a function that has `order` − 1 derivatives. Derivative number `order` has no rule."""
    f = eg.opaque(math.gamma, [eg.Real], eg.Real, pure=True)
    for _ in range(order - 1):
        outer = eg.opaque(math.gamma, [eg.Real], eg.Real, pure=True)
        outer.defjvp(lambda primals, tangents, f=f, g=outer: (g(primals[0]), f(primals[0]) * tangents[0]))
        f = outer
    return eg.fn([eg.Real], eg.Real)(lambda x: f(x) * 3)


@pytest.mark.parametrize("derive", [eg.grad, eg.jacfwd])
@pytest.mark.parametrize(("order", "nth"), [(1, "first"), (2, "second"), (3, "third")])
def test_an_error_on_a_missing_derivative_states_its_order(derive: Any, order: int, nth: str) -> None:
    f = missing(order)
    for _ in range(order - 1):
        f = derive(f)
        f(2.0)
    error = caught(lambda: derive(f)(2.0))
    assert isinstance(error, eg.MissingDerivativeError)
    assert f"{nth} derivative (order {order})" in error.message
    assert "gamma" in error.message
    assert "@gamma.defjvp" in error.message
    assert text_at(error.span) in ("f(x)", "f(primals[0])")


def test_a_missing_derivative_in_a_loop_of_a_rule_has_its_order() -> None:
    bare = eg.opaque(math.erf, [eg.Real], eg.Real, pure=True)
    g = eg.fn([eg.Real], eg.Real)(lambda x: x * x)
    g.defjvp(lambda primals, tangents: (g(primals[0]), eg.sum(2, lambda i: bare(primals[0])) * tangents[0]))
    first = eg.grad(g)
    error = caught(lambda: eg.grad(first))
    assert "order 2" in error.message
    assert text_at(error.span) == "bare(primals[0])"


def test_the_gradient_of_a_function_without_a_rule_is_an_error() -> None:
    error = caught(lambda: eg.grad(secret))
    assert isinstance(error, eg.MissingDerivativeError)
    assert text_at(error.span) == "eg.grad(secret)"


# ---------------------------------------------------------------- formulas, kernels, fuel


def test_a_mistake_in_a_formula_has_its_column_in_the_formula() -> None:
    from eglantine.formulas.parser import parse

    error = caught(lambda: parse("x + * y"))
    assert isinstance(error, eg.FormulaError)
    assert error.span is not None
    assert (error.span.source, error.span.line, error.span.column) == ("", 1, 4)


@pytest.mark.skipif(not HAS_WASM, reason="needs an engine")
def test_errors_of_a_kernel_contain_the_functions_name() -> None:
    def area(width: Any, height: Any) -> Any:
        return width * height

    kernel = eg.compile(area, [eg.Real, eg.Real])
    assert kernel.abi["name"] == "area"
    error = caught(lambda: kernel(1.0))
    assert isinstance(error, eg.TypeMismatchError)
    assert (
        error.message
        == "area takes 2 arguments (width, height), but this call gives 1. Give one for each parameter."
    )
    assert text_at(error.span) == "kernel(1.0)"
    error = caught(lambda: kernel(1.0, "a"))
    assert "Argument height" in error.message
    assert "area" in repr(kernel)


def test_compiling_a_function_without_types_is_an_error_with_advice() -> None:
    error = caught(lambda: eg.compile(lambda x: x))
    assert isinstance(error, eg.TypeMismatchError)
    assert "eg.compile(f, [types])" in error.message
    assert text_at(error.span) == "eg.compile(lambda x: x)"


@pytest.mark.skipif(not HAS_WASM, reason="needs an engine")
def test_a_call_that_uses_up_its_fuel_is_an_error() -> None:
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.while_loop(lambda c: c < 1e9, lambda c: c + x, 0.0))
    error = caught(lambda: eg.compile(f, fuel=1000)(1.0))
    assert isinstance(error, eg.FuelError)
    assert "fuel" in error.message
    assert "Give it more fuel" in error.message
