"""Tests of `while_loop`: values, derivatives in all modes, and memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
from eglantine.analysis.liveness import live_rows
from eglantine.ir.checker import check
from eglantine.optimise.pipeline import optimise
from eglantine.printer import pretty
from eglantine.reader import parse
from tests.engines import HAS_WASM, bits, run
from tests.language.whiles import (
    V3,
    R,
    called_twice,
    each_program,
    fn,
    in_a_scan,
    nested,
    newton,
    powers,
    with_vectors,
)
from tests.laws.comparing import jvp_of, vjp_of

Engines = Callable[..., Any]


# ---------------------------------------------------------------- values


def test_newton_finds_the_square_root(engines: Engines) -> None:
    for a in (2.0, 0.3, 1e6):
        assert engines(fn(lambda a: eg.while_loop(
            lambda x: abs(x * x - a) > 1e-9 * a, lambda x: 0.5 * (x + a / x), a)), a
        ) == pytest.approx(math.sqrt(a))  # fmt: skip


@each_program
def test_a_while_loop_equals_the_plain_python_loop(f: Any, x: float, engines: Engines) -> None:
    """If f is called with a plain number, `eg.while_loop` runs as an ordinary Python loop."""
    assert bits(engines(fn(f), x)) == bits(float(f(x)))


def test_a_while_loop_counts_the_known_numbers_of_collatz_steps(engines: Engines) -> None:
    """OEIS A006577 lists the number of steps from n to 1."""

    def steps(n: Any) -> Any:
        def body(c: Any) -> Any:
            n, k = c
            even = n % 2.0 == 0.0
            return eg.select(even, 0.5 * n, 3.0 * n + 1.0), k + 1.0

        return eg.while_loop(lambda c: c[0] != 1.0, body, (n, 0.0))[1]

    f = fn(steps)
    assert [engines(f, float(n)) for n in (1, 2, 3, 6, 7, 9, 27, 97)] == [0, 1, 7, 8, 16, 19, 111, 118]


def test_indices_are_carried_and_keep_their_bounds(engines: Engines) -> None:
    """The loop computes the greatest common divisor of two indices by subtraction."""

    def gcd(a: Any, b: Any) -> Any:
        def body(c: Any) -> Any:
            a, b = c
            return eg.cond(a > b, lambda: (eg.Fin(1000)(a - b), b), lambda: (a, eg.Fin(1000)(b - a)))

        return eg.while_loop(lambda c: c[0] != c[1], body, (a, b))[0]

    f = eg.fn([eg.Fin(1000), eg.Fin(1000)])(gcd)
    assert f.function.result == eg.Fin(1000)
    for a, b in ((12, 18), (35, 64), (999, 27), (5, 5)):
        assert engines(f, a, b) == math.gcd(a, b)


def test_a_counter_that_wraps_has_the_bounds_of_its_remainder(engines: Engines) -> None:
    def f(v: Any, x: Any) -> Any:
        last = eg.while_loop(
            lambda c: c[1] < x, lambda c: ((c[0] + 1) % 3, c[1] + v[c[0]]), (eg.Fin(1)(0), 0.0)
        )
        return last[0], last[1]

    g = eg.fn([V3, R])(f)
    assert g.function.result.items[0] == eg.Fin(3)
    assert engines(g, [1.0, 2.0, 4.0], 8.0) == (1, 8.0)  # 1 + 2 + 4 + 1


def test_carried_indices_that_are_swapped_get_the_larger_bounds(engines: Engines) -> None:
    def f(x: Any) -> Any:
        start = (eg.Fin(2)(1), eg.Fin(3)(2), eg.Fin(5)(3), 0.0)
        return eg.while_loop(lambda c: c[3] < x, lambda c: (c[1], c[2], c[0], c[3] + 1.0), start)[:3]

    g = eg.fn([R])(f)
    assert g.function.result.items == (eg.Fin(5),) * 3
    for rounds, expected in enumerate([(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3)]):
        assert engines(g, float(rounds)) == expected


def test_an_index_that_grows_without_bound_is_an_error_with_advice() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"may grow in every round.*eg.Fin\(n\)\(i\)"):
        fn(lambda x: eg.real(eg.while_loop(lambda i: eg.real(i) < x, lambda i: i + 1, eg.Fin(1)(0))))
    with pytest.raises(eg.TypeMismatchError, match=r"may grow in every round"):
        fn(lambda x: x + eg.real(eg.fori_loop(0, 5, lambda i, c: c + 1, eg.Fin(1)(0))))


def test_a_while_loop_whose_condition_is_false_returns_its_initial_carry(engines: Engines) -> None:
    assert engines(fn(lambda x: eg.while_loop(lambda y: False, lambda y: y * 2.0, x)), 3.0) == 3.0


def test_while_loop_accepts_jaxs_names_of_arguments(engines: Engines) -> None:
    f = fn(lambda x: eg.while_loop(cond=lambda y: y < 9.0, body=lambda y: y + y, init=x))
    assert engines(f, 3.0) == 12.0


def test_a_condition_that_is_always_true_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="never ends"):
        fn(lambda x: eg.while_loop(lambda y: True, lambda y: y * 2.0, x))


def test_a_condition_that_is_not_a_bool_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="condition of while_loop must be a Bool"):
        fn(lambda x: eg.while_loop(lambda y: y, lambda y: y * 2.0, x))


def test_a_body_that_returns_another_type_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="The loop's carries before and after its body"):
        fn(lambda x: eg.while_loop(lambda y: y > 1.0, lambda y: (y, y), x))


# ---------------------------------------------------------------- derivatives


@each_program
def test_all_engines_agree_on_derivatives_to_the_last_bit(f: Any, x: float) -> None:
    g = fn(f)
    for h, args in (
        (jvp_of(g), (x, 0.7)),
        (vjp_of(g), (x, 0.7)),
        (vjp_of(vjp_of(g)), (x, 0.7, (0.3,))),
        (jvp_of(vjp_of(g)), (x, 0.7, 0.3, 0.2)),
        (vjp_of(jvp_of(g)), (x, 0.7, (0.3, 0.2))),
        (eg.grad(eg.grad(eg.grad(g))), (x,)),
    ):
        check(h.function)
        run(h, *args)


@each_program
def test_derivatives_agree_with_differences_to_third_order(f: Any, x: float) -> None:
    if f in (nested, with_vectors):
        eg.check_grads(fn(f), (x,), order=2, rtol=1e-5)
    else:
        eg.check_grads(fn(f), (x,), order=3, rtol=1e-4)


def test_newtons_root_has_the_derivatives_of_the_root(engines: Engines) -> None:
    f = fn(newton)
    assert engines(eg.grad(f), 2.0) == pytest.approx(0.5 / math.sqrt(2.0))
    assert engines(eg.grad(eg.grad(f)), 2.0) == pytest.approx(-0.25 * 2.0**-1.5)
    assert engines(eg.grad(eg.grad(eg.grad(f))), 2.0) == pytest.approx(0.375 * 2.0**-2.5)
    assert engines(eg.hessian(f), 2.0) == pytest.approx(-0.25 * 2.0**-1.5)
    assert engines(eg.jacfwd(f), 2.0) == engines(eg.jacrev(f), 2.0) == pytest.approx(0.5 / math.sqrt(2.0))
    assert eg.hvp(f, (2.0,), (3.0,))[0] == pytest.approx(-0.75 * 2.0**-1.5)


def test_jacobians_and_hessians_of_a_loop_that_carries_a_vec_are_right(engines: Engines) -> None:
    """The loop doubles v while the sum of v is below 10. For (1, 2, 0.5) it has two rounds and returns 4v."""

    def f(v: Any) -> Any:
        return eg.while_loop(lambda w: eg.sum(w) < 10.0, lambda w: 2.0 * w, v)

    g = eg.fn([V3])(f)
    at = [1.0, 2.0, 0.5]
    four = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]
    assert engines(eg.jacrev(g), at) == four
    assert engines(eg.jacfwd(g), at) == four
    squares = eg.fn([V3], R)(lambda v: eg.dot(g(v), g(v)))
    assert engines(eg.hessian(squares), at) == [[32.0, 0.0, 0.0], [0.0, 32.0, 0.0], [0.0, 0.0, 32.0]]


def test_linearize_runs_the_loop_once_and_is_linear() -> None:
    y, df = eg.linearize(fn(powers), 1.5)
    assert y == 1.5**16
    assert df(1.0) == pytest.approx(16 * 1.5**15)
    assert df(-2.0) == pytest.approx(-32 * 1.5**15)


def test_a_loop_used_only_by_the_unchosen_side_has_derivative_zero() -> None:
    """For x ≤ 1, the select does not choose the loop's result, so the loop must not affect derivatives."""

    def f(x: Any) -> Any:
        y = eg.while_loop(lambda y: y < 5.0, lambda y: y * y + x + 1.0, eg.math.sqrt(x))
        return eg.select(x > 1.0, y, x * x)

    g = fn(f)
    for x in (0.5, 2.0):
        for h, args in (
            (eg.grad(g), (x,)),
            (vjp_of(vjp_of(g)), (x, 0.7, (0.3,))),
            (eg.grad(eg.grad(eg.grad(g))), (x,)),
        ):
            run(h, *args)
        eg.check_grads(g, (x,), order=3, rtol=1e-4)
    assert eg.grad(g)(0.0) == 0.0
    assert eg.grad(eg.grad(g))(0.5) == 2.0


def test_the_derivative_by_a_value_that_the_body_captures_is_right(engines: Engines) -> None:
    """The loop starts with y = 1, and replaces y by a·y + v₀ while y < 10.

    For a = 2 and v₀ = 3, it has two rounds and returns a² + a·v₀ + v₀ = 13.
    """

    def f(a: Any, v: Any) -> Any:
        return eg.while_loop(lambda y: y < 10.0, lambda y: a * y + v[0], 1.0)

    g = eg.fn([R, V3], R)(f)
    assert engines(g, 2.0, [3.0, 0.0, 0.0]) == 13.0
    assert engines(eg.grad(g, argnums=(0, 1)), 2.0, [3.0, 0.0, 0.0]) == (7.0, [3.0, 0.0, 0.0])


def test_an_opaque_function_in_the_body_is_differentiated_by_its_rule(engines: Engines) -> None:
    halved = eg.opaque(lambda x: 0.5 * x, [R], R, pure=True)

    @halved.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return halved(primals[0]), 0.5 * tangents[0]

    f = fn(lambda x: eg.while_loop(lambda y: y > 1.0, halved, x))
    assert engines(f, 20.0) == 0.625
    assert engines(eg.grad(f), 20.0) == 1 / 32


def test_a_print_in_a_while_loop_prints_once_in_each_round(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        def test(y: Any) -> Any:
            eg.debug_print("test {}", y)
            return y < 5.0

        def body(y: Any) -> Any:
            eg.debug_print("body {}", y)
            return y * x

        return eg.while_loop(test, body, x)

    printed = "test 2.0\nbody 2.0\ntest 4.0\nbody 4.0\ntest 8.0\n"
    for g in (fn(f), eg.grad(fn(f)), eg.grad(eg.grad(fn(f)))):
        for h in (g, eg.jit(g)) if HAS_WASM else (g,):
            h(2.0)
            assert capsys.readouterr().out == printed


def test_a_loop_in_a_function_called_twice_is_differentiated_once() -> None:
    text = pretty(eg.grad(fn(called_twice)).function)
    assert text.count("vjp of doubled") > text.count('"vjp of doubled"(') == 1


# ---------------------------------------------------------------- passes


def test_the_printed_rows_of_a_loop_and_its_reverse_can_be_read_back() -> None:
    for f in (newton, nested, in_a_scan):
        for g in (fn(f), eg.grad(fn(f)), eg.grad(eg.grad(fn(f)))):
            for function in (g.function, optimise(g.function)):
                text = pretty(function)
                assert pretty(parse(text)) == text


def test_unneeded_carries_are_left_out_unless_the_test_reads_them() -> None:
    """The carry has three parts. The result is part 0, the condition reads part 1, and part 2 is unneeded."""

    def f(x: Any) -> Any:
        body = lambda c: (0.5 * c[0], c[1] + 1.0, c[2] + c[0])  # noqa: E731
        return eg.while_loop(lambda c: c[1] < 3.0, body, (x, 0.0, 0.0))[0]

    block = optimise(fn(f).function).block
    assert block is not None
    (loop,) = (row[2] for row in block.rows if row[0] == "loop")
    assert loop.carried == 2


def test_a_while_loop_whose_result_is_not_used_is_left_out() -> None:
    def f(x: Any) -> Any:
        eg.while_loop(lambda y: y < 3.0, lambda y: y + eg.sum(4, lambda i: x * y), x)
        return x

    g = fn(f).function
    assert g.block is not None
    assert not live_rows(g.block).nested
    assert all(row[0] != "loop" for row in optimise(g).block.rows)  # type: ignore[union-attr]
