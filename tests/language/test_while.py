"""Tests of `while_loop`: its values, derivatives of every order and mode, and the memory of its reverse."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from eglantine.analysis.liveness import live_rows
from eglantine.api import compile_artifact
from eglantine.emit import entry as emit_entry
from eglantine.ir.checker import check
from eglantine.optimise.pipeline import optimise
from eglantine.printer import pretty
from eglantine.reader import parse
from tests.emit.node import node
from tests.engines import HAS_WASM, bits, run
from tests.laws.comparing import jvp_of, vjp_of

Engines = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
R = eg.Real
V3 = eg.Vec(3, R)
needs_wasm = pytest.mark.skipif(not HAS_WASM, reason="wasmtime is not here")


def _newton(a: Any) -> Any:
    """The square root of a, by Newton's iteration."""
    return eg.while_loop(lambda x: abs(x * x - a) > 1e-12, lambda x: 0.5 * (x + a / x), a)


def _powers(x: Any) -> Any:
    """x, squared again and again until it is at least 50."""
    return eg.while_loop(lambda c: c[0] < 50.0, lambda c: (c[0] * c[0], c[1] + 1.0), (x, 0.0))[0]


def _in_a_scan(x: Any) -> Any:
    """A scan whose step contains a while loop, which shrinks a number until it is at most x."""

    def step(carry: Any, start: Any) -> Any:
        y = eg.while_loop(lambda y: y > x, lambda y: 0.5 * y * eg.math.cos(0.1 * y), start * x)
        return carry * y, y

    last, ys = eg.scan(step, x, [3.0, 0.5, 9.0])
    return last + eg.sum(ys)


def _nested(x: Any) -> Any:
    """A while loop whose body contains another while loop, which uses the outer loop's carry."""

    def outer(c: Any) -> Any:
        inner = eg.while_loop(lambda d: d < c, lambda d: d * 1.7 + 0.1 * x, 0.5 * x)
        return c + 0.25 * inner

    return eg.while_loop(lambda c: c < 6.0, outer, x)


def _in_a_branch(x: Any) -> Any:
    return eg.cond(
        x > 1.0,
        lambda: eg.while_loop(lambda y: y < 20.0, lambda y: y * x + 0.5, x),
        lambda: eg.while_loop(lambda y: y > 0.01, lambda y: y * x * 0.9, eg.math.sin(x)),
    )


@eg.fn([R, R], R)
def _doubled(x: Any, limit: Any) -> Any:
    return eg.while_loop(lambda y: y < limit, lambda y: 2.0 * y + 0.1 * x * y, x)


def _called_twice(x: Any) -> Any:
    """Four calls of a function with a loop. One buffer serves all calls and their reverse passes."""
    return _doubled(x, 10.0) * _doubled(x * x, 20.0) + _doubled(_doubled(x, 4.0), 9.0)


def _with_vectors(x: Any) -> Any:
    """Power iteration. The carry contains a Vec, and the loop ends when this Vec hardly changes."""
    matrix = [[2.0, x, 0.0], [x, 3.0, 1.0], [0.0, 1.0, x]]

    def body(c: Any) -> Any:
        v = c["v"]
        w = eg.vec(3, lambda i: eg.dot(eg.asarray(matrix)[i], v))
        length = eg.norm(w)
        w = eg.vec(3, lambda i: w[i] / length)
        return {"v": w, "change": eg.norm(eg.vec(3, lambda i: w[i] - v[i])), "n": c["n"] + 1.0}

    start = {"v": eg.asarray([1.0, 1.0, 1.0]), "change": 1.0, "n": 0.0}
    v = eg.while_loop(lambda c: (c["change"] > 1e-3) & (c["n"] < 40.0), body, start)["v"]
    return eg.dot(v, eg.vec(3, lambda i: eg.dot(eg.asarray(matrix)[i], v)))


@eg.fn([R], R)
def _softened(x: Any) -> Any:
    return eg.math.sqrt(1.0 + x * x)


@_softened.defjvp
def _(primals: Any, tangents: Any) -> Any:
    y = _softened(primals[0])
    return y, tangents[0] * primals[0] / y


def _with_a_rule(x: Any) -> Any:
    return eg.while_loop(lambda y: y < 3.0, lambda y: _softened(y) + 0.1 * x, x)


PROGRAMS = {
    "newton": (_newton, 2.0),
    "powers": (_powers, 1.5),
    "in a scan": (_in_a_scan, 0.7),
    "nested": (_nested, 1.3),
    "in a branch, above": (_in_a_branch, 1.8),
    "in a branch, below": (_in_a_branch, 0.6),
    "called twice": (_called_twice, 1.1),
    "vectors": (_with_vectors, 1.4),
    "a rule": (_with_a_rule, 0.4),
    "no round": (lambda x: eg.while_loop(lambda y: y > 100.0, lambda y: y * y, x * 3.0), 2.0),
}
each_program = pytest.mark.parametrize(("f", "x"), PROGRAMS.values(), ids=PROGRAMS.keys())


def _fn(f: Any) -> Any:
    return eg.fn([R], R)(f)


# ---------------------------------------------------------------- values


def test_newton_finds_the_square_root(engines: Engines) -> None:
    for a in (2.0, 0.3, 1e6):
        assert engines(_fn(lambda a: eg.while_loop(
            lambda x: abs(x * x - a) > 1e-9 * a, lambda x: 0.5 * (x + a / x), a)), a
        ) == pytest.approx(math.sqrt(a))  # fmt: skip


@each_program
def test_values_equal_those_of_the_plain_loop(f: Any, x: float, engines: Engines) -> None:
    """Outside a trace, the same code runs as an ordinary Python loop on plain numbers."""
    assert bits(engines(_fn(f), x)) == bits(float(f(x)))


def test_collatz_takes_as_many_steps_as_is_known(engines: Engines) -> None:
    """OEIS A006577 lists the number of steps from n to 1."""

    def steps(n: Any) -> Any:
        def body(c: Any) -> Any:
            n, k = c
            even = n % 2.0 == 0.0
            return eg.select(even, 0.5 * n, 3.0 * n + 1.0), k + 1.0

        return eg.while_loop(lambda c: c[0] != 1.0, body, (n, 0.0))[1]

    f = _fn(steps)
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


def test_indices_that_change_places_have_the_largest_of_their_bounds(engines: Engines) -> None:
    def f(x: Any) -> Any:
        start = (eg.Fin(2)(1), eg.Fin(3)(2), eg.Fin(5)(3), 0.0)
        return eg.while_loop(lambda c: c[3] < x, lambda c: (c[1], c[2], c[0], c[3] + 1.0), start)[:3]

    g = eg.fn([R])(f)
    assert g.function.result.items == (eg.Fin(5),) * 3
    for rounds, expected in enumerate([(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3)]):
        assert engines(g, float(rounds)) == expected


def test_an_index_that_grows_without_bound_is_refused_with_advice() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"may grow in every round.*eg.Fin\(n\)\(i\)"):
        _fn(lambda x: eg.real(eg.while_loop(lambda i: eg.real(i) < x, lambda i: i + 1, eg.Fin(1)(0))))
    with pytest.raises(eg.TypeMismatchError, match=r"may grow in every round"):
        _fn(lambda x: x + eg.real(eg.fori_loop(0, 5, lambda i, c: c + 1, eg.Fin(1)(0))))


def test_a_condition_that_is_false_when_tracing_leaves_the_initial_carry(engines: Engines) -> None:
    assert engines(_fn(lambda x: eg.while_loop(lambda y: False, lambda y: y * 2.0, x)), 3.0) == 3.0


def test_arguments_have_the_names_that_jax_users_look_for(engines: Engines) -> None:
    f = _fn(lambda x: eg.while_loop(cond=lambda y: y < 9.0, body=lambda y: y + y, init=x))
    assert engines(f, 3.0) == 12.0


def test_a_condition_that_is_always_true_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="never ends"):
        _fn(lambda x: eg.while_loop(lambda y: True, lambda y: y * 2.0, x))


def test_a_condition_that_is_no_bool_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="condition of while_loop must be a Bool"):
        _fn(lambda x: eg.while_loop(lambda y: y, lambda y: y * 2.0, x))


def test_a_body_that_returns_another_type_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match="The loop's carries before and after its body"):
        _fn(lambda x: eg.while_loop(lambda y: y > 1.0, lambda y: (y, y), x))


# ---------------------------------------------------------------- derivatives


@each_program
def test_all_engines_agree_on_derivatives_to_the_last_bit(f: Any, x: float) -> None:
    g = _fn(f)
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
    if f in (_nested, _with_vectors):
        eg.check_grads(_fn(f), (x,), order=2, rtol=1e-5)
    else:
        eg.check_grads(_fn(f), (x,), order=3, rtol=1e-4)


def test_newtons_root_has_the_derivatives_of_the_root(engines: Engines) -> None:
    f = _fn(_newton)
    assert engines(eg.grad(f), 2.0) == pytest.approx(0.5 / math.sqrt(2.0))
    assert engines(eg.grad(eg.grad(f)), 2.0) == pytest.approx(-0.25 * 2.0**-1.5)
    assert engines(eg.grad(eg.grad(eg.grad(f))), 2.0) == pytest.approx(0.375 * 2.0**-2.5)
    assert engines(eg.hessian(f), 2.0) == pytest.approx(-0.25 * 2.0**-1.5)
    assert engines(eg.jacfwd(f), 2.0) == engines(eg.jacrev(f), 2.0) == pytest.approx(0.5 / math.sqrt(2.0))
    assert eg.hvp(f, (2.0,), (3.0,))[0] == pytest.approx(-0.75 * 2.0**-1.5)


def test_jacobians_and_hessians_of_a_loop_with_a_vector(engines: Engines) -> None:
    """The loop doubles v while its sum is below 10. From (1, 2, 0.5) it runs twice, so the result is 4v."""

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
    y, df = eg.linearize(_fn(_powers), 1.5)
    assert y == 1.5**16
    assert df(1.0) == pytest.approx(16 * 1.5**15)
    assert df(-2.0) == pytest.approx(-32 * 1.5**15)


def test_a_loop_that_only_the_unchosen_side_uses_contributes_nothing() -> None:
    """In derivatives of every order, the cotangents of the loop's stored residuals are masked."""

    def f(x: Any) -> Any:
        y = eg.while_loop(lambda y: y < 5.0, lambda y: y * y + x + 1.0, eg.math.sqrt(x))
        return eg.select(x > 1.0, y, x * x)

    g = _fn(f)
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


def test_a_value_that_the_body_captures_gets_its_derivative(engines: Engines) -> None:
    """y ← a·y + v₀ from y = 1, while y < 10. For a = 2 and v₀ = 3, two rounds give a² + a·v₀ + v₀ = 13."""

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

    f = _fn(lambda x: eg.while_loop(lambda y: y > 1.0, halved, x))
    assert engines(f, 20.0) == 0.625
    assert engines(eg.grad(f), 20.0) == 1 / 32


def test_prints_happen_once_in_every_round_forward(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        def test(y: Any) -> Any:
            eg.debug_print("test {}", y)
            return y < 5.0

        def body(y: Any) -> Any:
            eg.debug_print("body {}", y)
            return y * x

        return eg.while_loop(test, body, x)

    printed = "test 2.0\nbody 2.0\ntest 4.0\nbody 4.0\ntest 8.0\n"
    for g in (_fn(f), eg.grad(_fn(f)), eg.grad(eg.grad(_fn(f)))):
        for h in (g, eg.jit(g)) if HAS_WASM else (g,):
            h(2.0)
            assert capsys.readouterr().out == printed


def test_a_loop_in_a_function_called_twice_is_differentiated_once() -> None:
    text = pretty(eg.grad(_fn(_called_twice)).function)
    assert text.count("vjp of _doubled") > text.count('"vjp of _doubled"(') == 1


# ---------------------------------------------------------------- passes


def test_the_printed_rows_of_a_loop_and_of_its_reverse_read_back() -> None:
    for f in (_newton, _nested, _in_a_scan):
        for g in (_fn(f), eg.grad(_fn(f)), eg.grad(eg.grad(_fn(f)))):
            for function in (g.function, optimise(g.function)):
                text = pretty(function)
                assert pretty(parse(text)) == text


def test_unneeded_carries_are_left_out_unless_the_test_reads_them() -> None:
    """The carry is (x, count, total). The result needs x, the test needs count, nothing needs total."""

    def f(x: Any) -> Any:
        body = lambda c: (0.5 * c[0], c[1] + 1.0, c[2] + c[0])  # noqa: E731
        return eg.while_loop(lambda c: c[1] < 3.0, body, (x, 0.0, 0.0))[0]

    block = optimise(_fn(f).function).block
    assert block is not None
    (loop,) = (row[2] for row in block.rows if row[0] == "loop")
    assert loop.carried == 2


def test_a_loop_whose_result_nothing_needs_is_left_out() -> None:
    def f(x: Any) -> Any:
        eg.while_loop(lambda y: y < 3.0, lambda y: y + eg.sum(4, lambda i: x * y), x)
        return x

    g = _fn(f).function
    assert g.block is not None
    assert not live_rows(g.block).nested
    assert all(row[0] != "loop" for row in optimise(g).block.rows)  # type: ignore[union-attr]


# ---------------------------------------------------------------- memory


@needs_wasm
def test_a_module_without_growing_arrays_declares_no_growth() -> None:
    for f in (_fn(_newton), jvp_of(_fn(_newton)), eg.fn([V3], R)(eg.norm)):
        artifact = compile_artifact(f)
        assert "max_pages" not in artifact.abi["memory"]
        assert "memory.grow" not in artifact.wat


@needs_wasm
def test_a_million_rounds_forward_take_no_memory() -> None:
    def f(x: Any) -> Any:
        step = lambda c: (c[0] + 1.0, 0.5 * c[1] + x)  # noqa: E731
        return eg.while_loop(lambda c: c[0] < 1e6, step, (0.0, 0.0))[1]

    g = eg.compile(_fn(f))
    assert g(1.0) == 2.0
    assert g.memory_bytes < 200


def _rounds(x: Any, n: Any) -> Any:
    """y ← sin(y) + x, n times, from y = x."""
    step = lambda c: (c[0] + 1.0, eg.math.sin(c[1]) + x)  # noqa: E731
    return eg.while_loop(lambda c: c[0] < n, step, (0.0, x))[1]


def _rounds_by_hand(x: float, n: float) -> float:
    """The derivative of `_rounds` by x, in forward mode by hand."""
    y, dy = x, 1.0
    for _ in range(int(n)):
        y, dy = math.sin(y) + x, math.cos(y) * dy + 1.0
    return dy


@needs_wasm
def test_memory_grows_with_the_rounds_and_later_calls_reuse_it() -> None:
    k = eg.compile(eg.grad(eg.fn([R, R], R)(_rounds)))
    size = k._instance.size
    assert k(0.3, 10.0) == pytest.approx(_rounds_by_hand(0.3, 10))
    small = size()
    assert k(0.3, 100_000.0) == pytest.approx(_rounds_by_hand(0.3, 100_000))
    large = size()
    assert small < 200_000
    assert 800_000 < large < 5_000_000
    for n in (100_000.0, 3.0, 0.0, 99_999.0, 100_000.0):
        assert k(0.3, n) == pytest.approx(_rounds_by_hand(0.3, n))
        assert size() == large


@needs_wasm
def test_counts_that_differ_from_call_to_call_leave_no_traces() -> None:
    for g in (eg.grad(eg.fn([R, R], R)(_rounds)), eg.grad(eg.grad(eg.fn([R, R], R)(_rounds)))):
        k = eg.compile(g)
        for n in (5.0, 700.0, 0.0, 64.0, 65.0, 63.0, 1000.0, 1.0, 2000.0):
            assert bits(k(0.4, n)) == bits(g(0.4, n))


@needs_wasm
def test_memory_that_is_used_up_is_a_limit_error_and_the_kernel_lives_on() -> None:
    k = eg.compile(eg.grad(eg.fn([R, R], R)(_rounds)), memory=1 << 20)
    with pytest.raises(eg.LimitError, match=r"stores \d+ bytes of each, and may use 1,048,576 bytes"):
        k(0.3, 1e6)
    assert k(0.3, 100.0) == pytest.approx(_rounds_by_hand(0.3, 100))


@needs_wasm
def test_rounds_take_fuel() -> None:
    k = eg.compile(eg.fn([R, R], R)(_rounds), fuel=1000)
    assert k(0.3, 900.0) == k(0.3, 900.0)
    with pytest.raises(eg.FuelError):
        k(0.3, 1e18)
    g = eg.compile(eg.grad(eg.fn([R, R], R)(_rounds)), fuel=1000)
    assert g(0.3, 400.0) == pytest.approx(_rounds_by_hand(0.3, 400))
    with pytest.raises(eg.FuelError):
        g(0.3, 600.0)


WIDE = 200


def _wide(v: Any, n: Any) -> Any:
    """The sum of squares of a Vec after n steps. A batch with such long Vecs takes many pages of memory."""
    step = lambda c: (c[0] + 1.0, 0.5 * c[1] * c[1] + v)  # noqa: E731
    last = eg.while_loop(lambda c: c[0] < n, step, (0.0, v * v))[1]
    return eg.sum(last * last)


@needs_wasm
def test_a_batch_of_a_growing_kernel_is_its_single_calls() -> None:
    k = eg.compile(eg.grad(eg.fn([eg.Vec(WIDE, R), R], R)(_wide)))
    vs = [[1e-5 * i * j for i in range(WIDE)] for j in range(1, 150)]
    ns = [float(j * j % 301) for j in range(1, 150)]
    k(vs[0], 100.0)
    expected = [k(x, n) for x, n in zip(vs, ns, strict=True)]
    assert bits(list(k.batch(vs, ns))) == bits(expected)
    assert bits([k(x, n) for x, n in zip(vs, ns, strict=True)]) == bits(expected)


@needs_wasm
def test_two_kernels_in_one_growing_memory_do_not_disturb_each_other() -> None:
    """The kernels grow the memory in turn. The second one starts with arrays of many pages."""
    f, g = eg.grad(eg.fn([R, R], R)(_rounds)), eg.grad(eg.fn([eg.Vec(30_000, R), R], R)(_wide))
    k = eg.compile(f)
    k(0.1, 5000.0)
    other = eg.compile(g, memory=k)
    v = [1e-5 * i for i in range(30_000)]
    for n in (2.0, 6.0, 1.0, 7.0):
        expected = bits([f(0.2, 1000 * n), g(v, n), f(0.3, 1000 * n)])
        assert bits([k(0.2, 1000 * n), other(v, n), k(0.3, 1000 * n)]) == expected


def test_v8_grows_memory_to_the_same_bits() -> None:
    """One instance is called with different trip counts. V8 may move a growing memory. wasmtime does not."""
    v8 = node()
    if v8 is None:
        pytest.skip("node is not here")
    counts = [(0.4, n) for n in (5.0, 20_000.0, 0.0, 64.0, 30_000.0, 7.0)]
    for g in (eg.grad(eg.fn([R, R], R)(_rounds)), eg.grad(eg.grad(eg.fn([R, R], R)(_rounds)))):
        calls = v8.run(compile_artifact(g), counts)
        assert bits([call.result for call in calls]) == bits([[g(*at)] for at in counts])
    for f, x in PROGRAMS.values():
        g = eg.grad(_fn(f))
        (call,) = v8.run(compile_artifact(g), [(x,)])
        assert bits(call.result) == bits([g(x)])


PAGE = """
import { instantiate } from %s;
const { wasm, abi, calls } = %s;
const kernel = instantiate(Uint8Array.from(Buffer.from(wasm, "hex")), abi);
console.log(JSON.stringify(calls.map((args) => kernel.call(...args))));
"""


def test_the_pages_kernel_sees_memory_that_has_grown(tmp_path: Path) -> None:
    path = shutil.which("node")
    if path is None:
        pytest.skip("node is not here")
    g = eg.grad(eg.fn([V3, R], R)(lambda v, n: _rounds(v[1], n)))
    artifact = compile_artifact(g)
    calls = [([0.1, 0.4, 0.2], n) for n in (5.0, 20_000.0, 7.0)]
    what = {"wasm": artifact.wasm.hex(), "abi": artifact.abi, "calls": calls}
    source = json.dumps((ROOT / "static/js/engine/kernel.js").as_uri())
    script = tmp_path / "page.mjs"
    script.write_text(PAGE % (source, json.dumps(what)), encoding="utf-8")
    done = subprocess.run([path, script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [g(*at) for at in calls]


@needs_wasm
@each_program
def test_a_long_function_may_be_cut_around_growing_loops(
    f: Any, x: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emit_entry, "CUT_ROWS", 0)
    monkeypatch.setattr(emit_entry, "PART_INSTRUCTIONS", 4)
    run(eg.grad(_fn(f)), x)
    run(eg.grad(eg.grad(_fn(f))), x)
