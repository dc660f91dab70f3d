"""wasmtime gives the interpreter's bits, and the same function gives the same bytes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eglantine as eg
from tests.laws.comparing import bits, programs
from tests.laws.test_passes import TRANSFORMS
from tests.programs import arguments, function_of, plans, tangents_of

pytest.importorskip("wasmtime")


def outcome(f: Any, args: Any) -> Any:
    """The bits of what a call returns, or the class of the error it raises."""
    try:
        return bits(f(*args))
    except eg.ShapeError as error:
        return type(error)


@settings(max_examples=programs(200))
@given(st.data())
def test_wasmtime_gives_the_interpreters_bits(data: st.DataObject) -> None:
    plan = data.draw(plans())
    transform = data.draw(st.sampled_from(sorted(TRANSFORMS)))
    g = TRANSFORMS[transform](function_of(plan))
    kernel = eg.compile(g)
    for wild in (False, True):
        primals = data.draw(arguments(plan, wild=wild))
        rest = [data.draw(tangents_of(of)) for of in g.function.params[len(primals) :]]
        args = [*primals, *rest]
        assert outcome(kernel, args) == outcome(g, args)


@settings(max_examples=programs(40))
@given(plans())
def test_a_program_compiled_again_gives_the_same_bytes(plan: Any) -> None:
    first, second = (eg.compile_artifact(TRANSFORMS["vjp"](function_of(plan))) for _ in range(2))
    assert first.wasm == second.wasm
    assert first.abi == second.abi
