"""Sparsity patterns and sparse matrices of random programs agree with dense Jacobians."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import eglantine as eg
from eglantine.leaves import tangent_type
from tests.laws.comparing import bits, jvp_of, programs, reals
from tests.programs import Style, arguments, function_of, plans, where_differentiable

TOTAL = Style(total=True)
MOST_COLUMNS = 40
"""The largest number of Real arguments of a function that we test. Forward mode runs once for each of
them."""


def zero(of: Any) -> Any:
    """The zero of a type of tangents."""
    if isinstance(of, eg.types.VecType):
        return [zero(of.of) for _ in range(of.n)]
    if isinstance(of, eg.types.TupleType | eg.types.StructType):
        return of.pack(map(zero, of.items))
    return None if isinstance(of, eg.types.UnitType) else 0.0


def with_one(value: Any, place: list[int]) -> Any:
    """Copy a nested value. Replace the float with the number place[0] by 1.0, and all other floats by 0.0.

    The function decreases place[0] at each float.
    """
    if isinstance(value, float):
        place[0] -= 1
        return 1.0 if place[0] == -1 else 0.0
    if isinstance(value, dict):
        return {name: with_one(value[name], place) for name in value}
    if isinstance(value, list | tuple):
        return type(value)(with_one(item, place) for item in value)
    return value


def columns_of(f: Any, x: Any) -> list[list[float]]:
    """Compute the Jacobian of f at x by columns. Each column is a jvp."""
    zeros = [zero(tangent_type(of)) for of in f.function.params]
    n = len(reals(zeros))
    assume(0 < n <= MOST_COLUMNS)
    pushed = jvp_of(f)
    return [reals(pushed(*x, *with_one(zeros, [j]))[1]) for j in range(n)]


def agree(a: float, b: float) -> bool:
    return not (math.isfinite(a) and math.isfinite(b)) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


@settings(max_examples=programs(150))
@given(st.data())
@where_differentiable
def test_a_pattern_contains_every_entry_that_is_not_zero(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    columns = columns_of(f, x)
    pattern = eg.sparsity(f)
    assert pattern.shape == (len(columns[0]), len(columns))
    for j, column in enumerate(columns):
        for i, entry in enumerate(column):
            if entry != 0.0 and entry == entry:
                assert pattern[i][j], (i, j, entry)


@settings(max_examples=programs(60))
@given(st.data())
@where_differentiable
def test_a_sparse_jacobian_equals_the_dense_one_on_every_engine(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    columns = columns_of(f, x)
    J = eg.sparse_jacobian(f, tuple(range(len(x))))
    once = J.interpreted(*x)
    assert once.shape == (len(columns[0]), len(columns))
    for i, row in enumerate(once.dense()):
        for j, entry in enumerate(row):
            assert agree(entry, columns[j][i]), (i, j, entry, columns[j][i])
    if "opaque" not in repr(plan):
        assert bits(eg.compile(J)(*x).values) == bits(once.values)


@settings(max_examples=programs(60))
@given(st.data())
@where_differentiable
def test_a_sparse_hessian_equals_the_jacobian_of_the_gradient(data: st.DataObject) -> None:
    plan = data.draw(plans(TOTAL, scalar=True, size=8))
    f = function_of(plan)
    x = data.draw(arguments(plan))
    every = tuple(range(len(x)))
    columns = columns_of(eg.grad(f, every), x)
    H = eg.sparse_hessian(f, every).interpreted(*x)
    if "rule=True" in repr(plan):  # a random custom rule is usually not the right derivative
        return
    for i, row in enumerate(H.dense()):
        for j, entry in enumerate(row):
            assert agree(entry, columns[j][i]), (i, j, entry, columns[j][i])
