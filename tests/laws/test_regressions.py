"""Programs that once failed, each as small as it could be made, under the name of what was wrong."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine.checker import check
from eglantine.optimise import optimise
from tests.laws.comparing import jvp_of


def test_the_arm_of_a_reversed_branch_returns_the_zero_it_means() -> None:
    """Its constant 0.0 was missing from the block's pool, and another row came back."""
    f = eg.fn([eg.Bool, eg.Real], eg.Real)(lambda p, x: x * eg.cond(p, lambda: eg.math.sin(x), lambda: 1.0))
    assert eg.grad(f, 1)(False, 3.0) == 1.0
    check(eg.grad(f, 1).function)


def test_an_index_out_of_either_arm_has_the_bounds_of_both() -> None:
    """It had those of the first arm alone, and so an array was read unchecked."""
    f = eg.fn([eg.Bool, eg.Fin(3), eg.Fin(6), eg.Vec(3, eg.Real)], eg.Real)(
        lambda p, i, j, v: v[eg.cond(p, lambda: i, lambda: j)]
    )
    check(f.function)
    with pytest.raises(eg.ShapeError):
        f(False, 0, 5, [1.0, 2.0, 3.0])


def test_a_vec_made_outside_is_read_in_both_arms() -> None:
    """The array that the first arm made of its elements was handed to the second."""

    @eg.fn
    def f(p: eg.Bool, i: eg.Fin(2), x: eg.Real, y: eg.Real) -> eg.Real:
        v = eg.asarray([x, y])
        return eg.cond(p, lambda: v[i], lambda: 2.0 * v[i]) + v[i]

    assert [f(p, 1, 3.0, 5.0) for p in (True, False)] == [10.0, 15.0]


def test_a_call_whose_real_result_is_constant_has_the_tangent_zero() -> None:
    """The derivative of x is a call that returns 1.0; differentiating its square again found no tangent."""
    identity = eg.fn([eg.Real], eg.Real)(lambda x: x)
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.grad(identity)(x) ** 2)
    assert eg.jvp(f, [3.0], [1.0]) == (1.0, 0.0)
    check(optimise(jvp_of(f).function))
    assert eg.grad(eg.grad(f))(3.0) == 0.0


def test_indices_keep_their_bounds_when_their_division_is_lowered() -> None:
    """The remainder and quotient that stand for % and // had wider bounds; counts and indices left theirs."""

    @eg.fn
    def f(i: eg.Fin(3), v: eg.Vec(2, eg.Real)) -> eg.Real:
        return eg.sum(i % 4, lambda j: v[j] * v[(i + j) // 3 % 2])

    check(optimise(f.function))
    assert [f(i, [3.0, 5.0]) for i in range(3)] == [0.0, 9.0, 34.0]


def test_a_sum_that_only_one_side_uses_has_no_derivative_where_the_other_is_chosen() -> None:
    """The cotangent of the tangent's sum passed the select unmasked: y got a second derivative."""

    def f(x: Any, y: Any) -> Any:
        return eg.math.minimum(eg.sum(3, lambda _: eg.math.sin(y)), x)

    for hessian in (eg.jacrev(eg.jacfwd(f, (0, 1)), (0, 1)), eg.hessian(f, (0, 1))):
        assert hessian(0.0, 1.0) == ((0.0, 0.0), (0.0, 0.0))
