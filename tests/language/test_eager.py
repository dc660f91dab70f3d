"""Outside an `fn`, the second call of a derivative compiles it. Both calls return the same bits.

If a captured variable, a callee or a rule changes between calls, the next call uses its new value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from eglantine.functions import eager
from tests.engines import bits


@eg.fn
def f(x: eg.Real, v: eg.Vec(3, eg.Real)) -> eg.Real:  # type: ignore[valid-type]
    return eg.math.sin(x) * eg.sum(3, lambda i: v[i] ** 3 / x)


X, V = 0.75, [1.0, -2.0, 0.5]

CALLS: dict[str, Callable[[Any], Any]] = {
    "grad": lambda f: eg.grad(f, (0, 1))(X, V),
    "value_and_grad": lambda f: eg.value_and_grad(f)(X, V),
    "jvp": lambda f: eg.jvp(f, (X, V), (1.0, V)),
    "vjp": lambda f: eg.vjp(f, X, V)[1](2.0),
    "linearize": lambda f: eg.linearize(f, X, V)[1](1.0, V),
    "jacfwd": lambda f: eg.jacfwd(f, 1)(X, V),
    "jacrev": lambda f: eg.jacrev(f, 1)(X, V),
    "hessian": lambda f: eg.hessian(f, (0, 1))(X, V),
    "hvp": lambda f: eg.hvp(f, (X, V), (1.0, V)),
}


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Empty the cache of compiled functions.

    Return an empty list. Whenever a function is compiled, its name is added to this list.
    """
    names: list[str] = []
    kernel_of = eager._kernel_of
    monkeypatch.setattr(eager, "_runs", eager.OrderedDict())
    monkeypatch.setattr(eager, "_kernel_of", lambda g: [names.append(g.name), kernel_of(g)][1])
    return names


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("plain", [False, True])
def test_a_derivative_is_compiled_when_called_again_with_the_same_bits(
    compiled: list[str], name: str, plain: bool
) -> None:
    call = CALLS[name]
    function = (lambda x, v: eg.math.sin(x) * eg.sum(3, lambda i: v[i] ** 3 / x)) if plain else f
    results = [call(function)]
    assert compiled == []
    results += [call(function) for _ in range(3)]
    assert len(compiled) == 1
    assert {repr(bits(result)) for result in results} == {repr(bits(results[0]))}


def test_a_derivative_held_in_a_variable_is_compiled_too(compiled: list[str]) -> None:
    g = eg.grad(f)
    values = [g(X, V) for _ in range(3)]
    assert len(compiled) == 1
    assert values[0] == values[1] == values[2] == eg.compile(g)(X, V)


def test_a_derivative_follows_changes_of_captured_variables(compiled: list[str]) -> None:
    scale, used = 1.0, []

    def area(x: Any) -> Any:
        used.append(scale)
        return scale * x * x

    g = eg.grad(area)
    assert [g(3.0), g(3.0), g(3.0)] == [6.0] * 3
    scale = -0.5
    assert [g(3.0), eg.grad(area)(3.0)] == [-3.0] * 2
    scale = 1.0
    assert g(3.0) == 6.0
    assert len(used) == 6
    assert len(compiled) == 2


def test_captured_zeros_of_both_signs_are_distinguished() -> None:
    zero = 0.0
    g = eg.grad(lambda x: x * zero)
    assert [repr(g(1.0)) for _ in range(3)] == ["0.0"] * 3
    zero = -0.0
    assert repr(g(1.0)) == "-0.0"


def test_a_derivative_follows_changes_of_a_called_function() -> None:
    def inner_of(k: float) -> Any:
        return eg.fn([eg.Real], eg.Real)(lambda x: x * k)

    inner = inner_of(2.0)
    g = eg.grad(lambda x: inner(x) + x)
    assert [g(1.0), g(1.0), g(1.0)] == [3.0] * 3
    inner = inner_of(5.0)
    assert g(1.0) == 6.0


def test_a_rule_that_is_defined_later_is_used() -> None:
    @eg.fn
    def square(x: eg.Real) -> eg.Real:
        return x * x

    assert [eg.jvp(square, (3.0,), (1.0,)) for _ in range(3)] == [(9.0, 6.0)] * 3

    @square.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return square(primals[0]), 100.0 * tangents[0]

    assert eg.jvp(square, (3.0,), (1.0,)) == (9.0, 100.0)
    assert eg.grad(square)(3.0) == 100.0


def test_later_calls_raise_the_same_errors_as_the_first_call() -> None:
    @eg.fn
    def pick(v: eg.Vec(3, eg.Real), k: eg.Fin(9)) -> eg.Real:  # type: ignore[valid-type]
        return v[k] * 2.0

    told = set()
    for _ in range(3):
        for arguments in ((V, 5), (V, 11), ([1.0], 0), (V, ...), (V,)):
            with pytest.raises(eg.EglantineError) as raised:
                eg.grad(pick)(*arguments)
            told.add(str(raised.value))
        assert eg.grad(pick)(V, 1) == [0.0, 2.0, 0.0]
    assert len(told) == 5


def test_a_function_that_prints_prints_in_every_call_of_its_derivative(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @eg.fn
    def shown(x: eg.Real) -> eg.Real:
        eg.debug_print("{}", x)
        return x * x

    assert [eg.grad(shown)(2.0) for _ in range(3)] == [4.0] * 3
    assert capsys.readouterr().out == "2.0\n" * 3


def test_gradients_by_numpy_arrays_are_numpy_arrays_in_every_call(compiled: list[str]) -> None:
    gradients = [eg.grad(f, 1)(X, np.array(V)) for _ in range(3)]
    assert [type(g) for g in gradients] == [np.ndarray] * 3
    assert len(compiled) == 1
