"""Repetitive straight-line code becomes loops that give the same bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from eglantine.analysis.callgraph import size_of
from eglantine.functions.fn import Fn
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import F64, I1, I32
from eglantine.optimise.rolling import rolled as rolling
from eglantine.optimise.rolling.rolled import rolled
from tests.engines import bits, run
from tests.showing import shown, text

N = 40


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the pass's limit, so that the short blocks of these tests become loops, too."""
    monkeypatch.setattr(rolling, "LEAST_ROWS", 50)


def rolled_up(f: Fn) -> Fn:
    block = f.function.block
    assert block is not None
    made = rolled(block)
    assert made is not block, "nothing is rolled up"
    assert size_of(made) < len(block.rows)
    return Fn(replace(f.function, block=made))


def points(seed: float = 0.37) -> list[float]:
    return [math.sin(3.0 * k + seed) + 0.01 * k for k in range(N)]


def over(term: Callable[[Any, int], Any]) -> Fn:
    """Make a function that adds term(v, k) for all k, without a loop."""

    def f(v: Any) -> Any:
        total = term(v, 0)
        for k in range(1, N):
            total = total + term(v, k)
        return total

    return eg.fn([eg.Vec(N, eg.Real)], eg.Real)(f)  # type: ignore[no-any-return]


def neighbours(v: Any, k: int) -> Any:
    d = v[k] - v[(7 * k + 3) % N]
    return d * d * d / (2.0 + d * d)


def test_similar_terms_become_a_loop_that_reads_its_indices_from_tables() -> None:
    def f(v: Any) -> Any:
        total = 0.0
        for k in range(34):
            d = v[k] - v[(3 * k + 2) % 35]
            total = total + d * d / (d + 3.0)
        return total

    found = shown(rolled_up(eg.fn([eg.Vec(35, eg.Real)], eg.Real)(f)))
    assert found == text("""
        f(%1: f64[35]) -> f64:
          %2: acc[35] = acc
          %3: i32[0..33][34] = table 2 5 8 11 14 17 20 23 26 29 32 0 3 6 9 12 15 18 21 24 27 30 33 1 4 7 10 13 16 19 22 25 28 31
          %4: f64[34] = loop %5: i32[0..33] < 34 with (%6: f64[35] = %1, %7: i32[0..33][34] = %3, %8: acc[35] = %2):
            %9: f64 = index %6 %5
            %10: i32[0..33] = index %7 %5
            %11: f64 = index %6 %10
            %12: f64 = sub %9 %11
            %13: f64 = mul %12 %12
            %14: f64 = add 3.0 %12
            %15: f64 = div %13 %14
            %16: i32[1..34] = iadd %5 1
            %17: acc[] = acc_index %8 %16
            add_to %17 %15
            yield %15
          %18: acc[] = acc_index %2 0
          %19: f64[35] = acc_read %2
          %20: acc[] = acc
          loop %21: i32[0..34] < 35 with (%22: acc[] = %20, %23: f64[35] = %19):
            %24: f64 = index %23 %21
            add_to %22 %24
            yield
          %25: f64 = acc_read %20
          return %25
    """)  # noqa: E501 - printed rows


def shared(v: Any) -> Any:
    """Add terms of one form, and subtract terms of another form. Terms share subexpressions."""
    lengths = [eg.math.sqrt(v[k] * v[k] + v[(k + 1) % N] * v[(k + 1) % N] + 0.5) for k in range(N)]
    total = 0.0
    for k in range(N):
        total = total + lengths[k] * lengths[(5 * k + 2) % N] / (1.0 + k)
        total = total - eg.math.exp(-lengths[k]) * eg.math.sin(v[k] + lengths[(k + 9) % N]) ** 2
    return total


def chosen(v: Any) -> Any:
    """Add terms that contain selects. Terms share conditions."""
    positive = [(v[k] * v[k] > v[(k + 1) % N]) & (v[k] < 0.9) for k in range(N)]
    total = 0.0
    for k in range(N):
        root = eg.math.sqrt(v[k] - v[(k + 1) % N])
        apart = v[k] * v[k] - v[(k + 3) % N] + 0.25 * k
        total = total + eg.select(
            positive[k], apart, eg.select(positive[(k + 2) % N], v[k] / (2.0 + apart), root)
        )
    return eg.select(total != total, 1.0, total)


def called(v: Any) -> Any:
    """Add the results of a function with a custom derivative."""
    scale = eg.math.hypot(v[0], v[1]) + 1.0
    total = 0.0
    for k in range(N):
        total = total + bent(v[k] / scale, v[(k * k) % N]) * scale + float(k % 3)
    return total * scale


@eg.fn
def bent(x: eg.Real, y: eg.Real) -> eg.Real:
    return x * x * y - eg.math.tanh(y * x)


@bent.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    return bent(x, y), 3.0 * x * dx - dy


def mixed(v: Any) -> Any:
    """Add terms with shared operands and with the constants 0.0 and −0.0."""
    odd = [eg.math.atan2(v[0], v[1] + 3.0), v[2] * v[3] - v[4] / v[5]]
    total = 1.5
    for k in range(N):
        zero = -0.0 if k % 2 else 0.0
        d = v[k] * odd[k % 2] - eg.math.copysign(v[(k + 1) % N], v[k] * zero)
        total = total + d * d / (d * d + 1.0)
    return total


def repeated(v: Any) -> Any:
    """Add some terms several times, and omit other terms."""
    terms = [neighbours(v, k) for k in range(N)]
    total = 0.5
    for k in range(3 * N):
        total = total + terms[k * k % N]
        total = total - terms[k // 2 % N]
    return total / eg.math.sqrt(2.0 + terms[7] * terms[7])


def from_anywhere(v: Any) -> Any:
    """Add terms whose operands are elements of v, constants and other values."""
    values = [v[3], 2.0, eg.math.sin(v[4]), *(neighbours(v, k) for k in range(N))]
    total = 0.0
    for k in range(3 * N):
        x, y = values[k * 5 % len(values)], values[k * k % len(values)]
        d = x - y * v[k % N]
        total = total + d * d / (1.0 + d * d * x * x) + eg.math.cos(d + y)
    return total


PROGRAMS = {
    "neighbours": over(neighbours),
    **{
        f.__name__: eg.fn([eg.Vec(N, eg.Real)], eg.Real)(f)
        for f in (shared, chosen, called, mixed, repeated, from_anywhere)
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_rolled_programs_give_the_same_bits(name: str) -> None:
    f = PROGRAMS[name]
    for seed in (0.37, 2.0):
        assert bits(run(rolled_up(f), points(seed))) == bits(run(f, points(seed)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_equal_those_of_the_straight_line_program(name: str) -> None:
    f = PROGRAMS[name]
    value, gradient = run(eg.value_and_grad(rolled_up(f)), points())
    expected_value, expected = run(eg.value_and_grad(f), points())
    assert bits(value) == bits(expected_value)
    assert gradient == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_second_derivatives_equal_those_of_the_straight_line_program() -> None:
    """The test compares Hessian-vector products of both programs."""
    f = PROGRAMS["shared"]
    direction = points(1.0)
    found, expected = (eg.hvp(g, (points(),), (direction,)) for g in (rolled_up(f), f))
    assert found[0] == pytest.approx(expected[0], rel=1e-12, abs=1e-12)


def test_a_term_that_occurs_in_two_sums_is_computed_once() -> None:
    def f(v: Any) -> Any:
        terms = [neighbours(v, k) for k in range(N)]
        one, two = 0.0, 1.0
        for k in range(N):
            one = one + terms[k]
            two = two + terms[N - 1 - k]
        return one * two

    g = eg.fn([eg.Vec(N, eg.Real)], eg.Real)(f)
    block = g.function.block
    made = rolled(block)
    assert sum(row[0] == "div" for row in made.rows) == 0
    assert [row[2].count for row in made.rows if row[0] == "loop"] == [N, N, N + 1, N, N + 1]
    found = Fn(replace(g.function, block=made))
    assert bits(run(eg.value_and_grad(found), points())[0]) == bits(g(points()))


def test_steps_that_depend_on_each_other_do_not_become_rounds() -> None:
    """The pass makes loops only of independent terms, but here each step needs the previous x."""

    def f(v: Any) -> Any:
        x = v[0]
        for k in range(N):
            x = x * x * x / (1.0 + x * x) - v[k]
        return x

    block = eg.fn([eg.Vec(N, eg.Real)], eg.Real)(f).function.block
    assert rolled(block) is block


def pairs(v: Any) -> Any:
    """Without a loop, compute the energy of particles that repel each other."""
    total = 0.0
    for i in range(N):
        for j in range(i):
            d = v[i] - v[j]
            total = total + 1.0 / (0.01 + d * d)
    return total


def test_rolled_compiles_a_function_to_a_fraction_of_the_bytes() -> None:
    straight = eg.fn([eg.Vec(N, eg.Real)], eg.Real)(pairs)
    value, gradient = run(eg.value_and_grad(eg.rolled(straight)), points())
    expected_value, expected = run(eg.value_and_grad(straight), points())
    assert bits(value) == bits(expected_value)
    assert gradient == pytest.approx(expected, rel=1e-12)
    kernels = [eg.compile(eg.value_and_grad(f)) for f in (straight, eg.rolled(straight))]
    assert len(kernels[1].wasm) < len(kernels[0].wasm) / 4


def test_a_rolled_plain_function_can_be_called_inside_a_function() -> None:
    @eg.fn
    def twice(v: eg.Vec(N, eg.Real)) -> eg.Real:  # type: ignore[valid-type]
        return 2.0 * eg.rolled(pairs)(v)

    assert bits(run(twice, points())) == bits(2.0 * run(eg.rolled(pairs), points()))
    small = eg.fn([eg.Real], eg.Real)(lambda x: x * x)
    assert eg.rolled(small) is small


def test_a_call_whose_two_results_go_into_several_terms_keeps_its_bits() -> None:
    @eg.fn
    def turned(x: eg.Real, y: eg.Real) -> (eg.Real, eg.Real):  # type: ignore[syntax]
        return x * 0.6 - y * 0.8, x * 0.8 + y * 0.6

    def f(v: Any) -> Any:
        places = [turned(v[k], v[(k + 1) % N]) for k in range(N)]
        total = 0.0
        for k in range(N):
            (a, b), (c, d) = places[k], places[(k * k + 3) % N]
            total = total + (a - d) * (b - c) / (1.0 + a * a + d * d)
        return total

    straight = eg.fn([eg.Vec(N, eg.Real)], eg.Real)(f)
    assert bits(run(eg.rolled(straight), points())) == bits(run(straight, points()))


def test_blocks_that_are_short_or_impure_or_have_loops_are_not_rolled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def acting(v: Any) -> Any:
        eg.debug_print("v = {}", v[0])
        return over(neighbours)(v)

    for f in (over(neighbours), eg.fn([eg.Vec(N, eg.Real)], eg.Real)(acting)):
        monkeypatch.setattr(rolling, "LEAST_ROWS", 1000)
        assert rolled(f.function.block) is f.function.block
        monkeypatch.setattr(rolling, "LEAST_ROWS", 1)
    assert rolled(f.function.block) is f.function.block
    again = rolled_up(over(neighbours)).function.block
    assert rolled(again) is again


def test_equal_tables_are_merged_if_types_and_signs_of_zeros_agree() -> None:
    b = Builder()
    tables = [b.table((1.0, 0.0), F64), b.table((1.0, -0.0), F64), b.table((1, 0), I32(0, 1))]
    tables += [b.table((True, False), I1)]
    assert len(set(tables)) == 4
    assert b.table((1.0, -0.0), F64) == tables[1]
