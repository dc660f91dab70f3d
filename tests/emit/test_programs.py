"""WebAssembly gives the interpreter's bits for generated programs and for all their derivatives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eglantine as eg
from eglantine.emit import entry as emit_entry
from eglantine.emit import expressions
from eglantine.emit.module import emit
from eglantine.interpreter.machine import run as run_rows
from eglantine.mathlib.library import library
from eglantine.optimise import pipeline as optimise
from eglantine.optimise.pipeline import ready_library
from tests.emit.running import TRAPPED, bits, run
from tests.laws.comparing import jvp_of, leaf_values, programs, vjp_of
from tests.programs import arguments, function_of, plans, tangents_of, where_differentiable

MANY = programs(150)

TRANSFORMS = {
    "f": lambda f: f,
    "jvp": jvp_of,
    "vjp": vjp_of,
    "jvp of vjp": lambda f: jvp_of(vjp_of(f)),
    "vjp of vjp": lambda f: vjp_of(vjp_of(f)),
}


@where_differentiable
def agrees(data: st.DataObject) -> None:
    plan = data.draw(plans())
    g = TRANSFORMS[data.draw(st.sampled_from(sorted(TRANSFORMS)))](function_of(plan))
    primals = data.draw(arguments(plan, wild=data.draw(st.booleans())))
    rest = [data.draw(tangents_of(of)) for of in g.function.params[len(primals) :]]
    leaves = leaf_values(g.function.params, [*primals, *rest])
    ready = optimise.optimise(g.function)
    try:
        expected: list[Any] = run_rows(ready, leaves, library)
    except eg.ShapeError:
        expected = TRAPPED
    assert bits(run(emit(ready, ready_library), leaves)) == bits(expected)


@settings(max_examples=MANY)
@given(st.data())
def test_engines_agree_on_generated_programs(data: st.DataObject) -> None:
    agrees(data)


@settings(max_examples=MANY)
@given(st.data())
def test_engines_agree_on_programs_whose_calls_are_not_inlined(data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimise, "SMALL", 0)
        agrees(data)


@settings(max_examples=MANY)
@given(st.data(), st.integers(1, 40), st.integers(1, 40))
def test_engines_agree_on_programs_cut_into_functions_of_any_size(
    data: st.DataObject, part: int, steps: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emit_entry, "CUT_ROWS", 0)
        patch.setattr(emit_entry, "PART_INSTRUCTIONS", part)
        patch.setattr(expressions, "TREE_STEPS", range(steps))
        agrees(data)


@pytest.mark.parametrize("part", range(1, 60))
def test_a_value_read_after_a_cut_survives_a_loop_before_the_cut(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        root = eg.math.sqrt(x * x + 3.0)
        s = eg.sum(5, lambda i: x * eg.real(i)) / root
        t = eg.sum(4, lambda i: s * eg.real(i)) * root
        return eg.sum(4, lambda i: t * eg.real(i)) + s * t

    monkeypatch.setattr(emit_entry, "CUT_ROWS", 0)
    monkeypatch.setattr(emit_entry, "PART_INSTRUCTIONS", part)
    assert eg.compile(f)(2.0) == f(2.0)


@pytest.mark.parametrize("part", range(1, 60))
def test_a_loop_that_may_not_run_can_carry_a_value_from_before_a_cut(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @eg.fn
    def f(x: eg.Real, n: eg.Fin(4)) -> eg.Real:  # type: ignore[valid-type]
        first = eg.fori_loop(0, 5, lambda i, total: total + x * eg.real(i), x)
        other = first * eg.math.sqrt(x)
        last = eg.fori_loop(0, n, lambda i, _: x * eg.real(i), first)
        return last * 3.0 - other

    monkeypatch.setattr(emit_entry, "CUT_ROWS", 0)
    monkeypatch.setattr(emit_entry, "PART_INSTRUCTIONS", part)
    k = eg.compile(f)
    assert [k(2.0, n) for n in (0, 3)] == [f(2.0, n) for n in (0, 3)]
