"""Optimised programs keep their results and types. They can be printed, and the text can be parsed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eglantine.analysis.liveness import live_rows
from eglantine.ir.checker import check
from eglantine.ir.program import Function
from eglantine.mathlib.functions import FUNCTIONS
from eglantine.mathlib.library import library
from eglantine.optimise.pipeline import optimise
from eglantine.printer import pretty
from eglantine.reader import parse
from eglantine.rewrite.copying import copied
from tests.laws.comparing import bits, jvp_of, leaf_values, programs, run, vjp_of
from tests.programs import HOSTS, arguments, function_of, plans, tangents_of, where_differentiable

TRANSFORMS = {
    "f": lambda f: f,
    "jvp": jvp_of,
    "vjp": vjp_of,
    "jvp of vjp": lambda f: jvp_of(vjp_of(f)),
    "vjp of jvp": lambda f: vjp_of(jvp_of(f)),
    "vjp of vjp": lambda f: vjp_of(vjp_of(f)),
}


def keeps_meaning(function: Function, leaves: list[Any]) -> None:
    """Optimise a function, and check that the optimised function is well-typed and returns the same bits."""
    check(function)
    value = bits(run(function, leaves))
    once = optimise(function)
    check(once)
    assert bits(run(once, leaves)) == value
    twice = optimise(once)
    check(twice)
    assert bits(run(twice, leaves)) == value
    if " call " not in pretty(once):  # a second run may inline other calls
        assert shown(twice) == shown(once)
    for printed in (function, once):
        text = pretty(printed)
        read = parse(text, hosts=HOSTS)
        assert pretty(read) == text
        assert bits(run(read, leaves)) == value
    assert pretty(optimise(function)) == pretty(once)


def shown(function: Function) -> str:
    """Remove unneeded rows from a function, as the emitter does, and print the function."""
    assert function.block is not None
    return pretty(replace(function, block=copied(function.block, live=live_rows(function.block))))


@settings(max_examples=programs(250))
@given(st.data())
@where_differentiable
def test_passes_change_no_result(data: st.DataObject) -> None:
    plan = data.draw(plans())
    f = function_of(plan)
    transform = data.draw(st.sampled_from(sorted(TRANSFORMS)))
    g = TRANSFORMS[transform](f)
    primals = data.draw(arguments(plan, wild=data.draw(st.booleans())))
    rest = [data.draw(tangents_of(of)) for of in g.function.params[len(primals) :]]
    keeps_meaning(g.function, leaf_values(g.function.params, [*primals, *rest]))


@settings(max_examples=programs(40))
@given(plans())
def test_tracing_and_differentiating_again_gives_the_same_rows(plan: Any) -> None:
    first, second = (pretty(optimise(vjp_of(function_of(plan)).function)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_library_function_is_well_formed_and_can_be_read_back(name: str) -> None:
    function = library(name)
    check(function)
    text = pretty(function)
    assert pretty(parse(text)) == text
    check(optimise(function))
