"""Small programs that failed in earlier versions.

A test's name states the right behaviour. Its docstring describes the bug.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.ir.builder import Builder
from eglantine.ir.checker import check
from eglantine.ir.row_types import I32
from eglantine.optimise.pipeline import optimise
from eglantine.printer import pretty
from tests.emit.running import agree, function
from tests.emit.test_tiles import of
from tests.laws.comparing import jvp_of, vjp_of
from tests.laws.test_passes import shown
from tests.programs import Plan, function_of


def test_an_arm_of_a_reversed_branch_returns_its_constant_zero() -> None:
    """The bug: the arm did not store its result 0.0, so the branch returned a wrong value."""
    f = eg.fn([eg.Bool, eg.Real], eg.Real)(lambda p, x: x * eg.cond(p, lambda: eg.math.sin(x), lambda: 1.0))
    assert eg.grad(f, 1)(False, 3.0) == 1.0
    check(eg.grad(f, 1).function)


def test_an_index_returned_by_either_arm_has_the_wider_bounds() -> None:
    """The bug: the result had the bounds of the first arm's index. The second arm's index was not checked."""
    f = eg.fn([eg.Bool, eg.Fin(3), eg.Fin(6), eg.Vec(3, eg.Real)], eg.Real)(
        lambda p, i, j, v: v[eg.cond(p, lambda: i, lambda: j)]
    )
    check(f.function)
    with pytest.raises(eg.ShapeError):
        f(False, 0, 5, [1.0, 2.0, 3.0])


def test_both_arms_can_read_a_vec_made_outside_the_branch() -> None:
    """The bug: both arms read the array, but only the first arm computed it."""

    @eg.fn
    def f(p: eg.Bool, i: eg.Fin(2), x: eg.Real, y: eg.Real) -> eg.Real:
        v = eg.asarray([x, y])
        return eg.cond(p, lambda: v[i], lambda: 2.0 * v[i]) + v[i]

    assert [f(p, 1, 3.0, 5.0) for p in (True, False)] == [10.0, 15.0]


def test_a_call_with_a_constant_result_has_tangent_zero() -> None:
    """The bug: a call that returns the constant 1.0 had no tangent. The tangent must be 0."""
    identity = eg.fn([eg.Real], eg.Real)(lambda x: x)
    f = eg.fn([eg.Real], eg.Real)(lambda x: eg.grad(identity)(x) ** 2)
    assert eg.jvp(f, [3.0], [1.0]) == (1.0, 0.0)
    check(optimise(jvp_of(f).function))
    assert eg.grad(eg.grad(f))(3.0) == 0.0


def test_lowering_a_division_of_indices_keeps_its_bounds() -> None:
    """The bug: lowering % and // made the index's bounds too wide, so an index could exceed its range."""

    @eg.fn
    def f(i: eg.Fin(3), v: eg.Vec(2, eg.Real)) -> eg.Real:
        return eg.sum(i % 4, lambda j: v[j] * v[(i + j) // 3 % 2])

    check(optimise(f.function))
    assert [f(i, [3.0, 5.0]) for i in range(3)] == [0.0, 9.0, 34.0]


def test_a_sum_that_only_the_unchosen_side_uses_has_derivative_zero() -> None:
    """The bug: a select passed a cotangent to the unchosen value, so the second derivative was wrong."""

    def f(x: Any, y: Any) -> Any:
        return eg.math.minimum(eg.sum(3, lambda _: eg.math.sin(y)), x)

    for hessian in (eg.jacrev(eg.jacfwd(f, (0, 1)), (0, 1)), eg.hessian(f, (0, 1))):
        assert hessian(0.0, 1.0) == ((0.0, 0.0), (0.0, 0.0))


def test_an_inner_loop_of_no_rounds_passes_the_cotangent_of_its_carry_on() -> None:
    """The bug: the inner loop has no rounds and was removed, but the derivative needed its residuals."""
    f = eg.fn([eg.Real, eg.Real], eg.Real)(
        lambda x, y: eg.fori_loop(0, 2, lambda i, c: eg.fori_loop(0, 0, lambda j, z: z * z, c * x), y)
    )
    assert eg.grad(f, (0, 1))(3.0, 2.0) == (12.0, 9.0)  # f is y·x²
    assert eg.hessian(f, (0, 1))(3.0, 2.0) == ((4.0, 6.0), (6.0, 0.0))


@pytest.mark.parametrize("divisor", [(1, 3), (3, 3), (-4, -4), (-4, -1)])
@pytest.mark.parametrize("dividend", [(-3, 5), (0, 7), (-7, -2), (-(2**20), 2**20)])
@pytest.mark.parametrize("op", ["imod", "ifloordiv"])
def test_lowering_a_division_of_negative_indices_keeps_its_bounds(
    op: str, dividend: tuple[int, int], divisor: tuple[int, int]
) -> None:
    """The bug: lowering a division made the result's bounds too wide, so the program was not well-typed."""
    b = Builder()
    x, y = b.param(I32(*dividend)), b.param(I32(*divisor))
    f = function(b, [b.bi(op, x, y)])
    ready = optimise(f)
    check(ready)
    (before,), (after,) = f.leaf_results, ready.leaf_results
    assert before.lo <= after.lo <= after.hi <= before.hi
    for n in {*dividend, dividend[0] + 1, dividend[1] - 1, -1 if dividend[0] < 0 else 1}:
        for d in {*divisor, divisor[1] if divisor[0] < 0 else 2}:
            if divisor[0] <= d <= divisor[1]:
                assert agree(ready, n, d) == [n % d if op == "imod" else n // d]


def test_forward_mode_takes_a_captured_index_whose_range_starts_above_0() -> None:
    """The bug: the argument's type had a range that starts at 0, but the parameter's range starts at 1."""

    @eg.fn
    def f(v: eg.Vec(4, eg.Real), x: eg.Real) -> eg.Real:
        return eg.fori_loop(1, 4, lambda i, c: eg.forward(lambda y: y * v[i])(c), x)

    check(eg.grad(f, 1).function)
    assert eg.grad(f, 1)([7.0, 2.0, 3.0, 5.0], 1.5) == 30.0


@pytest.mark.parametrize("p", [True, False])
def test_residuals_of_an_unchosen_side_are_masked_in_each_while_round(p: bool) -> None:
    """The bug: one select for all rounds masked a while loop's residuals. Each round needs its own select."""

    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        def body(s: Any) -> Any:
            return s[0] + 1.0, eg.math.sin(eg.select(eg.select(p, x, -x) == x, x, s[1]))

        return eg.while_loop(lambda s: s[0] < 2.0, body, (0.0, eg.math.sin(x)))[1]

    eg.check_grads(f, (0.7,), order=3)
    eg.compile(eg.grad(eg.grad(f)))


def test_a_row_constant_in_all_enclosing_loops_is_computed_before_them() -> None:
    """The bug: a row is constant in three nested loops, but one run of the optimiser left it in two loops."""
    f = eg.fn([eg.Real, eg.Vec(3, eg.Real)], eg.Real)(
        lambda x, v: eg.grad(eg.fn([eg.Real], eg.Real)(
            lambda y: eg.sum(3, lambda i: eg.sum(3, lambda j: eg.sum(3, lambda k: eg.math.sin(y) * v[k])))
        ))(x)
    )  # fmt: skip
    once = optimise(f.function)
    check(once)
    assert pretty(optimise(once)) == pretty(once)


def test_reverse_mode_refuses_rules_that_apply_their_function_to_tangents() -> None:
    """The bug: reverse mode recursed without end if a function's rule applied this function to tangents."""
    product = eg.opaque(lambda x, y: x * y, [eg.Real, eg.Real], eg.Real, pure=True)

    @product.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        (x, y), (dx, dy) = primals, tangents
        return product(x, y), product(dx, y) + product(x, dy)

    f = eg.fn([eg.Real], eg.Real)(lambda x: product(x, x))
    assert eg.jvp(f, [3.0], [1.0]) == (9.0, 6.0)
    with pytest.raises(eg.MissingDerivativeError, match="would need itself"):
        eg.grad(f)


@pytest.mark.parametrize("use", ["forward", "fixed point"])
def test_captured_indices_and_arrays_of_indices_keep_their_bounds(use: str) -> None:
    """The bug: if a captured index had a range that starts above 0, its range in the callee was wrong."""

    @eg.fn
    def f(v: eg.Vec(6, eg.Real), x: eg.Real) -> eg.Real:
        def step(i: Any, c: Any) -> Any:
            places = eg.vec(2, lambda k: k + 3)

            def g(y: Any) -> Any:
                return 0.1 * y * v[i] * v[places[i % 2]] + 1.0

            return c + (eg.forward(g)(c) if use == "forward" else eg.fixed_point(g, c))

        return eg.fori_loop(1, 3, step, x)

    check(eg.grad(f, (0, 1)).function)
    eg.check_grads(f, ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 0.7), order=2)


def test_a_loop_of_no_rounds_inside_another_loop_is_differentiated() -> None:
    @eg.fn
    def rounds(x: eg.Real, n: eg.Fin(1)) -> eg.Real:
        return eg.sum(eg.vec(2, lambda i: eg.fori_loop(0, n, lambda _, c: eg.math.sin(c), x)))

    assert eg.grad(rounds)(0.5, 0) == 2.0


@pytest.mark.parametrize("place", ["fori", "sum", "cond", "checkpoint", "calls"])
def test_an_index_whose_element_is_not_used_is_checked_on_every_engine(place: str) -> None:
    def body(i: Any, c: Any) -> Any:
        eg.Fin(4)(i)
        return c

    @eg.fn
    def long(x: eg.Real, n: eg.Fin(9)) -> eg.Real:  # type: ignore[valid-type]
        return functools.reduce(lambda y, _: eg.math.sin(y + 1), range(99), body(n, x))

    def ignoring(call: Any, x: Any, n: Any) -> Any:
        call(x, n)
        call(x + 1, n)
        return x

    f = eg.fn([eg.Real, eg.Fin(9)], eg.Real)(
        {
            "fori": lambda x, n: eg.fori_loop(0, 5, body, x),
            "sum": lambda x, n: eg.sum(5, lambda i: body(i, x)),
            "cond": lambda x, n: eg.cond(x > 0, lambda: body(n, x), lambda: x),
            "checkpoint": lambda x, n: ignoring(eg.checkpoint(long), x, n),
            "calls": lambda x, n: ignoring(long, x, n),
        }[place]
    )
    for g in (f, eg.grad(f), eg.value_and_grad(f)):
        outcomes = []
        for run in (g, eg.compile(g)):
            try:
                outcomes.append(run(1.0, 7))
            except eg.ShapeError:
                outcomes.append("out of range")
        assert outcomes[0] == outcomes[1], outcomes
    with pytest.raises(eg.ShapeError):
        eg.compile(f)(1.0, 7)


def test_one_run_of_the_optimiser_hoists_the_read_of_an_updated_array() -> None:
    """The bug: only a second run of the optimiser moved the read of the constant array out of the loop."""

    def optimised_again_is_the_same(step: Callable[[Any, Any, Any], Any]) -> bool:
        @eg.fn
        def f(v: eg.Vec(2, eg.Real), x: eg.Real) -> eg.Vec(2, eg.Real):
            return eg.scan(lambda _, y: (step(v, x, y), None), v, eg.asarray([x, eg.math.sin(x)]))[0]

        once = optimise(f.function)
        return pretty(optimise(once)) == pretty(once)

    assert optimised_again_is_the_same(lambda v, x, y: v.at[0].add(y))
    assert optimised_again_is_the_same(lambda v, x, y: v.at[0].add(x))


@pytest.mark.parametrize("step", ["product", "choice", "branch", "no rounds", "copysign"])
def test_one_run_of_the_optimiser_hoists_rows_that_need_new_constants(step: str) -> None:
    """The bug: some rows stayed in a loop although their values are the same in each round.

    Each function in `steps` has such rows.
    """

    def third() -> Any:
        one, three = eg.asarray([1.0, 3.0])
        return one / three

    steps: dict[str, Callable[[Any, Any], Any]] = {
        "product": lambda x, _: x * third(),
        "choice": lambda x, c: eg.select((third() < 0.5) | (c > 1), x * x, x * x * x),
        "branch": lambda x, c: eg.cond(third() < 0.5, lambda: x * x, lambda: c),
        "copysign": lambda x, c: eg.math.copysign(c, x * x),
        "no rounds": lambda x, _: x * eg.fori_loop(0, 0, lambda _, c: eg.math.sin(c), x),
    }

    @eg.fn
    def f(x: eg.Real, n: eg.Fin(9)) -> eg.Real:  # type: ignore[valid-type]
        return eg.fori_loop(0, n, lambda _, c: eg.math.sin(c) + steps[step](x, c), x)

    once = optimise(f.function)
    check(once)
    assert pretty(optimise(once)) == pretty(once)
    invariant = "mul 0.3333333333333333" if step == "product" else "mul"
    assert invariant in pretty(once).split("loop")[0]


REMAINDER_IN_LOOPS = Plan(
    (("R",), ("R",), ("V", 2, ("V", 3, ("R",))), ("I", 3)),
    (
        ("scan", None, 3, (1,), (
            ("fori", 0, 2, (4,), (
                ("un", "sin", 6), ("index", "cube", 3, 1, 3, 3),
                ("while", 2, (7,), (("effect", "print", 9, 8),), 10, (("un", "sin", 9),), (10,), 0),
                ("un", "sin", 9),
            ), (10,), 0),
        ), (5,), 0, None, 0),
    ),
    (4,),
)  # fmt: skip


def test_one_run_of_the_optimiser_hoists_a_safe_remainder_from_all_loops() -> None:
    """The bug: a remainder is constant in nested loops, but one run of the optimiser left it in a loop."""
    once = optimise(vjp_of(jvp_of(function_of(REMAINDER_IN_LOOPS))).function)
    assert pretty(optimise(once)) == pretty(once)


PRINTS_IN_LOOPS = Plan(
    (("R",), ("R",)),
    (
        ("vec", 1, (
            ("fori", 0, 2, (1,), (("un", "sin", 4),), (5,), 0),
            ("sum", 4, None, (
                ("scan", None, 3, (3, 3, 3), (
                    ("powi", 7, 3), ("effect", "print", 8, 0), ("bin", "add", 9, 9),
                ), (10, 10, 10), 0, None, 0),
            ), 5),
        ), 4),
    ),
    (2,),
)  # fmt: skip


def test_a_loop_is_unrolled_although_rows_were_hoisted_out_of_it() -> None:
    """The bug: a loop's unneeded parameters were counted as rows, so the loop seemed too long to unroll."""
    once = optimise(function_of(PRINTS_IN_LOOPS).function)
    assert pretty(optimise(once)) == pretty(once)


def test_a_loop_that_chooses_elements_of_an_empty_array_has_a_gradient() -> None:
    """The bug: reverse mode expected a loop that computes the array, but an empty array has no such loop."""

    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        empty = eg.vec(0, lambda _: eg.math.sqrt(x))
        return x * x + eg.sum(eg.vec(0, lambda i: eg.select(x < 0.0, 2.0, empty[i])))

    assert eg.compile(eg.grad(f))(1.5) == eg.grad(f).interpreted(1.5) == 3.0


@pytest.mark.parametrize(
    "f",
    [
        lambda v, m: (m, eg.fori_loop(0, 5, lambda _, c: (c[0], c[1] + 1.0), (m, v[0][0]))[0], m),
        lambda v, m: enp.sum((v @ m) ** 2),
    ],
)
def test_short_loops_that_optimisation_makes_are_unrolled_at_once(f: Any) -> None:
    """The bug: short loops that the optimiser made were unrolled only by a second run of the optimiser."""
    pulled = vjp_of(eg.fn([of(5, 4), of(4, 4)])(f))
    once = optimise(pulled.function)
    assert shown(optimise(once)) == shown(once)
