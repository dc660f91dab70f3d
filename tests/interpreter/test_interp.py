"""The interpreter follows IEEE 754 for floats, and also computes with other number types."""

from __future__ import annotations

import inspect
import math
from typing import Any

import pytest

from eglantine.errors import ShapeError
from eglantine.interpreter.machine import run
from eglantine.ir.builder import Builder
from eglantine.ir.program import Cond, Function, Loop
from eglantine.ir.row_types import F64, I1, I32, Acc, Array
from eglantine.mathlib.library import library
from eglantine.types import Real
from tests.interpreter.operating import VECTOR, bi, bits, inf, nan, un

from .blocks import block, function

# ---------------------------------------------------------------- IEEE 754

BINARY = [
    ("div", 1.0, 0.0, inf),
    ("div", 1.0, -0.0, -inf),
    ("div", 0.0, 0.0, nan),
    ("div", inf, 0.0, inf),
    ("div", nan, 0.0, nan),
    ("add", inf, -inf, nan),
    ("mul", 0.0, inf, nan),
    ("mul", 1e200, 1e200, inf),
    ("sub", 0.0, 0.0, 0.0),
    ("add", -0.0, -0.0, -0.0),
    ("add", -0.0, 0.0, 0.0),
    ("mul", -1.0, 0.0, -0.0),
    ("min", -0.0, 0.0, -0.0),
    ("min", 0.0, -0.0, -0.0),
    ("max", -0.0, 0.0, 0.0),
    ("max", 0.0, -0.0, 0.0),
    ("min", nan, 1.0, nan),
    ("max", 1.0, nan, nan),
    ("min", 1.0, 2.0, 1.0),
    ("max", 1.0, 2.0, 2.0),
    ("copysign", 2.0, -0.0, -2.0),
    ("copysign", -2.0, nan, 2.0),
    ("copysign", -2.0, -nan, 2.0),
    ("copysign", -0.0, 1.0, 0.0),
]

UNARY = [
    ("sqrt", -0.0, -0.0),
    ("sqrt", -1.0, nan),
    ("sqrt", inf, inf),
    ("sqrt", nan, nan),
    ("sqrt", 2.0, math.sqrt(2.0)),
    ("floor", -0.5, -1.0),
    ("floor", -0.0, -0.0),
    ("floor", 0.5, 0.0),
    ("floor", -inf, -inf),
    ("floor", nan, nan),
    ("ceil", -0.5, -0.0),
    ("ceil", 0.5, 1.0),
    ("trunc", -0.5, -0.0),
    ("trunc", -1.5, -1.0),
    ("trunc", 1e300, 1e300),
    ("nearest", 0.5, 0.0),
    ("nearest", 1.5, 2.0),
    ("nearest", -0.5, -0.0),
    ("nearest", 2.5, 2.0),
    ("nearest", inf, inf),
    ("abs", -0.0, 0.0),
    ("abs", -inf, inf),
    ("neg", 0.0, -0.0),
    ("neg", -inf, inf),
    ("sign", -0.0, -0.0),
    ("sign", 0.0, 0.0),
    ("sign", nan, nan),
    ("sign", -5e-324, -1.0),
    ("sign", inf, 1.0),
]


@pytest.mark.parametrize(("op", "x", "y", "z"), BINARY)
def test_a_binary_operation_gives_the_bits_of_ieee_754(op: str, x: float, y: float, z: float) -> None:
    assert bits(bi(op, x, y)) == bits(z)


@pytest.mark.parametrize(("op", "x", "z"), UNARY)
def test_a_unary_operation_gives_the_bits_of_ieee_754(op: str, x: float, z: float) -> None:
    assert bits(un(op, x)) == bits(z)


@pytest.mark.parametrize(
    ("op", "x", "y", "holds"),
    [("lt", nan, 1.0, False), ("ne", nan, nan, True), ("eq", 0.0, -0.0, True), ("ge", inf, inf, True)],
)
def test_comparisons_follow_ieee_754(op: str, x: float, y: float, holds: bool) -> None:
    assert bi(op, x, y) is holds


def test_an_integer_power_multiplies_in_the_order_of_compiled_code() -> None:
    x = 1.1
    square = x * x
    assert run(function(1, lambda b, a: [b.powi(a, 5)]), [x], library) == [x * (square * square)]
    assert run(function(1, lambda b, a: [b.powi(a, -2)]), [0.0], library) == [inf]


def test_the_symbolic_zero_is_evaluated_as_0() -> None:
    f = function(1, lambda b, a: [b.row(("add", 0, a), F64)])
    assert run(f, [2.0], library) == [2.0]


@pytest.mark.parametrize(
    ("name", "x"), [("exp", 1.25), ("sin", 1e5), ("log", 3.0), ("tan", -2.0), ("atan", 0.3)]
)
def test_a_library_function_is_interpreted_row_by_row(name: str, x: float) -> None:
    expected = getattr(math, name)(x)
    assert un(name, x) == pytest.approx(expected, rel=3e-16)


# ---------------------------------------------------------------- indices


@pytest.mark.parametrize("a", [-7, 7, 0])
@pytest.mark.parametrize("d", [-2, 2])
def test_index_division_rounds_down_or_towards_zero(a: int, d: int) -> None:
    whole = I32(-10, 10)
    ops = ("ifloordiv", "imod", "iquotient", "iremainder")
    f = function([whole, whole], lambda b, x, y: [b.bi(op, x, y) for op in ops])
    assert run(f, [a, d], library) == [a // d, a % d, math.trunc(a / d), math.fmod(a, d)]


def test_dividing_an_index_by_zero_is_an_error_with_a_message() -> None:
    f = function([I32(0, 9), I32(0, 9)], lambda b, x, y: [b.bi("imod", x, y)])
    with pytest.raises(ShapeError, match="The divisor of an index must not be 0, but it is 0"):
        run(f, [1, 0], library)


def _checked(i: int, n: int, source: Any = None) -> Any:
    def body(b: Builder, k: int) -> list[int]:
        b.source = source
        return [b.check(k, n)]

    return run(function([I32(-100, 100)], body), [i], library)


def test_an_index_in_range_passes_its_check_unchanged() -> None:
    assert _checked(2, 3) == [2]


@pytest.mark.parametrize(("i", "n"), [(3, 3), (-1, 3), (0, 0)])
def test_an_index_out_of_range_is_an_error_with_a_message(i: int, n: int) -> None:
    with pytest.raises(
        ShapeError, match=rf"The index {i} is out of range\. (Choose one from 0|There are no elements)"
    ):
        _checked(i, n)


def test_the_error_on_an_index_out_of_range_has_its_line() -> None:
    frame = inspect.currentframe()
    assert frame is not None
    with pytest.raises(ShapeError) as raised:
        _checked(5, 3, (frame.f_code, frame.f_lasti))
    span = raised.value.span
    assert span is not None
    assert span.source == __file__
    assert span.line > frame.f_code.co_firstlineno


def test_arrays_can_be_stacked_indexed_and_selected() -> None:
    def body(b: Builder, v: int, i: int, p: int) -> list[int]:
        pair = b.stack([b.index(v, i), b.const(7.0)], F64)
        table = b.table((1.0, 2.0, 3.0), F64)
        return [pair, b.select(p, v, table), b.zeros(Array(F64, (1, 2))), b.index(table, i)]

    f = function([VECTOR, I32(0, 2), I1], body)
    found = run(f, [[4.0, 5.0, 6.0], 1, False], library)
    assert found == [[5.0, 7.0], [1.0, 2.0, 3.0], [[0.0, 0.0]], 2.0]


def test_an_accumulator_sums_elements_views_and_whole_arrays() -> None:
    def body(b: Builder, v: int) -> list[int]:
        acc = b.acc((2, 3))
        second = b.acc_index(acc, b.int_const(1))
        b.add_to(second, v)
        b.add_to(acc, b.stack([v, v], VECTOR))
        b.add_to(b.acc_index(second, b.int_const(2)), b.const(0.5))
        b.add_to(second, v)
        scalar = b.acc(())
        b.add_to(scalar, b.index(v, b.int_const(0)))
        b.add_to(scalar, b.index(v, b.int_const(1)))
        return [b.acc_read(acc), b.acc_read(scalar)]

    found = run(function([VECTOR], body), [[1.0, 2.0, 3.0]], library)
    assert found == [[[1.0, 2.0, 3.0], [3.0, 6.0, 9.5]], 3.0]


def test_running_a_function_twice_gives_the_same_result() -> None:
    def body(b: Builder, x: int) -> list[int]:
        acc = b.acc((1,))
        b.add_to(b.acc_index(acc, b.int_const(0)), x)
        return [b.acc_read(acc)]

    f = function(1, body)
    assert run(f, [1.0], library) == run(f, [1.0], library) == [[1.0]]


# ---------------------------------------------------------------- calls, loops, branches


def counted(count: int | None, extent: int, reverse: bool = False) -> Function:
    """Make a loop over i that starts with s = 1, replaces s by 2s + i, and stacks i·x.

    The loop runs `count` times. If `count` is None, the first argument is the number of rounds.
    """

    def step(b: Builder, i: int, s: int, x: int) -> list[int]:
        k = b.un("real_i32", i)
        return [b.add(b.mul(s, b.const(2.0)), k), b.mul(k, x)]

    body = block([I32(0, max(extent - 1, 0)), F64, F64], step)

    def outer(b: Builder, n: int, x: int) -> list[int]:
        operands = ([] if count is not None else [n]) + [b.const(1.0), x]
        return b.loop(Loop(body, count, extent, reverse, 1), operands)

    return function([I32(0, extent), F64], outer)


def test_a_loop_carries_values_and_stacks_results() -> None:
    assert run(counted(3, 3), [0, 10.0], library) == [12.0, [0.0, 10.0, 20.0]]


def test_a_reverse_loop_stores_each_result_at_its_index() -> None:
    assert run(counted(3, 3, reverse=True), [0, 10.0], library) == [18.0, [0.0, 10.0, 20.0]]


def test_a_loop_with_a_trip_count_from_run_time_pads_with_zeros() -> None:
    assert run(counted(None, 4), [2, 10.0], library) == [5.0, [0.0, 10.0, 0.0, 0.0]]


@pytest.mark.parametrize("count", [0, None])
def test_a_loop_that_never_runs_returns_its_initial_carry(count: int | None) -> None:
    assert run(counted(count, 2), [0, 1.0], library) == [1.0, [0.0, 0.0]]


def test_a_loop_may_add_to_an_accumulator_from_outside() -> None:
    def step(b: Builder, i: int, acc: int, v: int) -> list[int]:
        b.add_to(b.acc_index(acc, b.bi("isub", b.int_const(2), i)), b.index(v, i))
        return []

    body = block([I32(0, 2), Acc((3,)), VECTOR], step)

    def outer(b: Builder, v: int) -> list[int]:
        acc = b.acc((3,))
        b.loop(Loop(body, 3, 3, False, 0), [acc, v])
        return [b.acc_read(acc)]

    assert run(function([VECTOR], outer), [[1.0, 2.0, 3.0]], library) == [[3.0, 2.0, 1.0]]


def test_only_one_arm_of_a_branch_runs() -> None:
    trap = block([I32(0, 9)], lambda b, i: [b.un("real_i32", b.check(i, 1))])
    fine = block([I32(0, 9)], lambda b, i: [b.const(5.0)])
    f = function([I1, I32(0, 9)], lambda b, p, i: b.cond(Cond(trap, fine), [p, i]))
    assert run(f, [False, 7], library) == [5.0]
    with pytest.raises(ShapeError):
        run(f, [True, 7], library)


def chain(depth: int) -> Function:
    """Make a function with `depth` nested calls. Each call adds 1."""
    f = function(1, lambda b, x: [b.add(x, b.const(1.0))])
    for _ in range(depth - 1):
        inner = f
        f = function(1, lambda b, x, inner=inner: [b.add(b.call(inner, [x])[0], b.const(1.0))])
    return f


def test_calls_may_be_ten_thousand_deep() -> None:
    assert run(chain(10_000), [0.0], library) == [10_000.0]


def test_branches_and_loops_may_be_deeply_nested() -> None:
    inner = block([F64], lambda b, x: [b.add(x, b.const(1.0))])
    for depth in range(1000):
        arm = inner
        if depth % 2:
            inner = block(
                [F64], lambda b, x, arm=arm: b.cond(Cond(arm, arm), [b.bi("gt", x, b.const(0.0)), x])
            )
        else:
            body = block(
                [I32(0, 0), F64], lambda b, i, x, arm=arm: b.cond(Cond(arm, arm), [b.bool_const(True), x])
            )
            inner = block([F64], lambda b, x, body=body: b.loop(Loop(body, 1, 1, False, 1), [x]))
    f = Function("deep", (Real,), Real, inner)
    assert run(f, [1.0], library) == [2.0]


def test_a_function_of_a_hundred_thousand_rows_runs() -> None:
    def body(b: Builder, x: int) -> list[int]:
        y = x
        for _ in range(100_000):
            y = b.add(y, x)
        return [y]

    assert run(function(1, body), [1.0], library) == [100_001.0]


# ---------------------------------------------------------------- effects and host functions


def test_prints_happen_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def body(b: Builder, x: int) -> list[int]:
        b.effect(("print", (x,), "x = {}"))
        b.effect(("print", (x, b.neg(x)), "{1} and {0:.1f}"))
        return [x]

    run(function(1, body), [2.0], library)
    assert capsys.readouterr().out == "x = 2.0\n-2.0 and 2.0\n"
