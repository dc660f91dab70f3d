"""`eg.checkpoint` and `eg.forward` do not change a function's values or derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import eglantine as eg
from eglantine.leaves import tangent_type
from tests.engines import HAS_WASM
from tests.laws.agreement import engines_agree
from tests.laws.comparing import bits, jvp_of, programs, reals, vjp_of
from tests.laws.test_derivatives import close, tame
from tests.programs import arguments, function_of, plans, tangents_of, where_differentiable


def calling(f: Any) -> eg.Fn:
    """Make an `fn` that only calls f and has the same types as f."""
    return eg.fn(f.function.params, f.function.result)(f)


def outcome(f: Any, args: Sequence[Any]) -> Any:
    """Call f. Return the bits of its value, or the error's class if an index is out of range."""
    try:
        return bits(f(*args))
    except eg.ShapeError as error:
        return type(error)


@pytest.mark.parametrize("policy", [eg.checkpoint, eg.forward])
@settings(max_examples=programs(60))
@given(st.data())
@where_differentiable
def test_a_policy_changes_no_value_and_no_derivative(policy: Any, data: st.DataObject) -> None:
    plan = data.draw(plans())
    f = function_of(plan)
    g = calling(policy(f))
    x = data.draw(arguments(plan))
    y = outcome(f, x)
    assert outcome(g, x) == y
    assume(y is not eg.ShapeError)
    w = data.draw(tangents_of(tangent_type(f.function.result)))
    v = [data.draw(tangents_of(tangent_type(of))) for of in f.function.params]
    assert bits(jvp_of(g)(*x, *v)) == bits(jvp_of(f)(*x, *v))
    found, expected = vjp_of(g)(*x, w), vjp_of(f)(*x, w)
    assume(tame(found) and tame(expected))
    for a, b in zip(reals(found), reals(expected), strict=True):
        assert close(a, b, 1.0 + abs(a) + abs(b), 1e-7)


@pytest.mark.skipif(not HAS_WASM, reason="wasmtime is not here")
@pytest.mark.parametrize("policy", [eg.checkpoint, eg.forward])
@settings(max_examples=programs(40))
@given(st.data())
@where_differentiable
def test_engines_agree_on_derivatives_under_a_policy(policy: Any, data: st.DataObject) -> None:
    plan = data.draw(plans())
    g = vjp_of(calling(policy(function_of(plan))))
    x = data.draw(arguments(plan))
    w = data.draw(tangents_of(g.function.params[-1]))
    engines_agree(g, [[*x, w]], None)


@pytest.mark.skipif(not HAS_WASM, reason="wasmtime is not here")
def test_an_unneeded_call_that_may_trap_is_dropped_on_all_engines() -> None:
    """The bug: the interpreter trapped in an unneeded call, although compiled code omitted this call."""
    types = [eg.Real, eg.Fin(3)]

    @eg.fn
    def f(x: eg.Real, i: eg.Fin(3)) -> eg.Real:
        return x + eg.fori_loop(0, 2, lambda k, s: s + eg.asarray([1.0, 2.0])[eg.Fin(2)(i)], 0.0)

    engines_agree(vjp_of(eg.fn(types, eg.Real)(eg.checkpoint(f))), [[0.5, 2, 1.0], [0.5, 1, 1.0]], None)
