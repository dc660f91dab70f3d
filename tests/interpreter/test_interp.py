"""The interpreter follows IEEE 754 on floats, and evaluates rows on any other kind of number."""

from __future__ import annotations

import inspect
import math
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from eglantine.errors import ShapeError, TypeMismatchError
from eglantine.interpreter.machine import run
from eglantine.ir.builder import Builder
from eglantine.ir.program import Cond, Function, Loop
from eglantine.ir.row_types import F64, I1, I32, Acc, Array
from eglantine.mathlib.library import library
from eglantine.types import Bool, Real, Unit, Vec, as_type

from .blocks import block, function

inf, nan = math.inf, math.nan


def bits(x: float) -> bytes:
    return b"nan" if x != x else struct.pack("<d", x)


def un(op: str, x: Any) -> Any:
    return run(function(1, lambda b, a: [b.un(op, a)]), [x], library)[0]


def bi(op: str, x: Any, y: Any) -> Any:
    return run(function(2, lambda b, p, q: [b.bi(op, p, q)]), [x, y], library)[0]


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
def test_a_comparison_holds_or_not(op: str, x: float, y: float, holds: bool) -> None:
    assert bi(op, x, y) is holds


def test_a_whole_power_multiplies_in_the_order_of_compiled_code() -> None:
    x = 1.1
    square = x * x
    assert run(function(1, lambda b, a: [b.powi(a, 5)]), [x], library) == [x * (square * square)]
    assert run(function(1, lambda b, a: [b.powi(a, -2)]), [0.0], library) == [inf]


def test_the_symbolic_zero_is_the_number_zero() -> None:
    f = function(1, lambda b, a: [b.row(("add", 0, a), F64)])
    assert run(f, [2.0], library) == [2.0]


@pytest.mark.parametrize(
    ("name", "x"), [("exp", 1.25), ("sin", 1e5), ("log", 3.0), ("tan", -2.0), ("atan", 0.3)]
)
def test_a_library_function_runs_its_own_rows(name: str, x: float) -> None:
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


def test_dividing_an_index_by_zero_is_an_error_with_a_sentence() -> None:
    f = function([I32(0, 9), I32(0, 9)], lambda b, x, y: [b.bi("imod", x, y)])
    with pytest.raises(ShapeError, match="The divisor of an index must not be 0, but it is 0"):
        run(f, [1, 0], library)


def _checked(i: int, n: int, source: Any = None) -> Any:
    def body(b: Builder, k: int) -> list[int]:
        b.source = source
        return [b.check(k, n)]

    return run(function([I32(-100, 100)], body), [i], library)


def test_a_checked_index_is_itself() -> None:
    assert _checked(2, 3) == [2]


@pytest.mark.parametrize(("i", "n"), [(3, 3), (-1, 3), (0, 0)])
def test_an_index_out_of_range_is_an_error_with_a_sentence(i: int, n: int) -> None:
    with pytest.raises(
        ShapeError, match=rf"The index {i} is out of range\. (Choose one from 0|There are no elements)"
    ):
        _checked(i, n)


def test_an_index_out_of_range_tells_where_it_was_written() -> None:
    frame = inspect.currentframe()
    assert frame is not None
    with pytest.raises(ShapeError) as raised:
        _checked(5, 3, (frame.f_code, frame.f_lasti))
    span = raised.value.span
    assert span is not None
    assert span.source == __file__
    assert span.line > frame.f_code.co_firstlineno


# ---------------------------------------------------------------- arrays and accumulators

VECTOR = Array(F64, (3,))


def test_arrays_are_stacked_indexed_and_chosen() -> None:
    def body(b: Builder, v: int, i: int, p: int) -> list[int]:
        pair = b.stack([b.index(v, i), b.const(7.0)], F64)
        table = b.table((1.0, 2.0, 3.0), F64)
        return [pair, b.select(p, v, table), b.zeros(Array(F64, (1, 2))), b.index(table, i)]

    f = function([VECTOR, I32(0, 2), I1], body)
    found = run(f, [[4.0, 5.0, 6.0], 1, False], library)
    assert found == [[5.0, 7.0], [1.0, 2.0, 3.0], [[0.0, 0.0]], 2.0]


def test_an_accumulator_sums_through_views_and_as_a_whole() -> None:
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


def test_running_twice_gives_the_same() -> None:
    def body(b: Builder, x: int) -> list[int]:
        acc = b.acc((1,))
        b.add_to(b.acc_index(acc, b.int_const(0)), x)
        return [b.acc_read(acc)]

    f = function(1, body)
    assert run(f, [1.0], library) == run(f, [1.0], library) == [[1.0]]


# ---------------------------------------------------------------- calls, loops, branches


def counted(count: int | None, extent: int, reverse: bool = False) -> Function:
    """A loop of s ← 2s + i from s = 1 that stacks i·x. If `count` is None, the trip count is a parameter."""

    def step(b: Builder, i: int, s: int, x: int) -> list[int]:
        k = b.un("real_i32", i)
        return [b.add(b.mul(s, b.const(2.0)), k), b.mul(k, x)]

    body = block([I32(0, max(extent - 1, 0)), F64, F64], step)

    def outer(b: Builder, n: int, x: int) -> list[int]:
        operands = ([] if count is not None else [n]) + [b.const(1.0), x]
        return b.loop(Loop(body, count, extent, reverse, 1), operands)

    return function([I32(0, extent), F64], outer)


def test_a_loop_carries_and_stacks() -> None:
    assert run(counted(3, 3), [0, 10.0], library) == [12.0, [0.0, 10.0, 20.0]]


def test_a_reverse_loop_stacks_at_its_index() -> None:
    assert run(counted(3, 3, reverse=True), [0, 10.0], library) == [18.0, [0.0, 10.0, 20.0]]


def test_a_loop_may_count_at_run_time_and_pads_with_zeros() -> None:
    assert run(counted(None, 4), [2, 10.0], library) == [5.0, [0.0, 10.0, 0.0, 0.0]]


@pytest.mark.parametrize("count", [0, None])
def test_a_loop_that_never_runs_gives_its_first_carry(count: int | None) -> None:
    assert run(counted(count, 2), [0, 1.0], library) == [1.0, [0.0, 0.0]]


def test_a_loop_adds_to_an_accumulator_outside() -> None:
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
    """A function whose calls nest `depth` deep, each adding 1."""
    f = function(1, lambda b, x: [b.add(x, b.const(1.0))])
    for _ in range(depth - 1):
        inner = f
        f = function(1, lambda b, x, inner=inner: [b.add(b.call(inner, [x])[0], b.const(1.0))])
    return f


def test_calls_may_be_ten_thousand_deep() -> None:
    assert run(chain(10_000), [0.0], library) == [10_000.0]


def test_branches_and_loops_may_nest_deep() -> None:
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


def test_a_hundred_thousand_rows_run() -> None:
    def body(b: Builder, x: int) -> list[int]:
        y = x
        for _ in range(100_000):
            y = b.add(y, x)
        return [y]

    assert run(function(1, body), [1.0], library) == [100_001.0]


# ---------------------------------------------------------------- effects and host functions


def test_prints_come_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def body(b: Builder, x: int) -> list[int]:
        b.effect(("print", (x,), "x = {}"))
        b.effect(("print", (x, b.neg(x)), "{1} and {0:.1f}"))
        return [x]

    run(function(1, body), [2.0], library)
    assert capsys.readouterr().out == "x = 2.0\n-2.0 and 2.0\n"


def opaque(host: Any, params: Any, result: Any, **more: Any) -> Function:
    from eglantine.ir.row_types import leaf_row_type
    from eglantine.leaves import leaves

    params = tuple(as_type(of) for of in params)
    row_types = tuple(leaf_row_type(leaf) for of in params for leaf in leaves(of))
    results = tuple(leaf_row_type(leaf) for leaf in leaves(as_type(result)))
    return Function(
        "host", params, as_type(result), None, host, leaf_params=row_types, leaf_results=results, **more
    )


def test_an_opaque_function_gets_and_returns_plain_values() -> None:
    seen: list[Any] = []

    def host(x: float, p: bool, v: list[float]) -> Any:
        seen.append((x, p, v))
        return {"y": x + 1.0, "v": v[::-1]}

    called = opaque(host, [Real, Bool, Vec(2, Real)], {"y": Real, "v": Vec(2, Real)})
    f = function([F64, I1, Array(F64, (2,))], lambda b, *rows: b.call(called, rows))
    assert run(f, [1.0, True, [2.0, 3.0]], library) == [2.0, [3.0, 2.0]]
    assert seen == [(1.0, True, [2.0, 3.0])]
    assert run(called, [1.0, True, [2.0, 3.0]], library) == [2.0, [3.0, 2.0]]


def test_an_opaque_function_may_return_nothing() -> None:
    seen: list[float] = []
    called = opaque(seen.append, [Real], Unit, pure=False)

    def body(b: Builder, x: int) -> list[int]:
        b.call(called, [x])
        b.call(called, [x])
        return [x]

    assert run(function(1, body), [1.0], library) == [1.0]
    assert seen == [1.0, 1.0]


def test_an_exception_in_a_host_function_reaches_the_caller() -> None:
    called = opaque(math.log, [Real], Real)
    with pytest.raises(ValueError, match=r"domain|positive"):
        run(function(1, lambda b, x: b.call(called, [x])), [-1.0], library)


# ---------------------------------------------------------------- other numbers


def affine(b: Builder, x: int) -> list[int]:
    """(3x + 1/2)² / 4 − x⁻² + |x|."""
    y = b.powi(b.add(b.mul(b.const(3.0), x), b.const(0.5)), 2)
    return [b.add(b.sub(b.div(y, b.const(4.0)), b.powi(x, -2)), b.un("abs", x))]


def test_fractions_stay_exact() -> None:
    (found,) = run(function(1, affine), [Fraction(1, 3)], library)
    assert found == Fraction(3, 2) ** 2 / 4 - 9 + Fraction(1, 3)
    assert type(found) is Fraction


def test_whole_constants_stay_ints_and_others_are_converted() -> None:
    f = function(1, lambda b, x: [b.const(2.0), b.const(0.1), b.const(inf), x, b.row(("add", 0, x), F64)])
    found = run(f, [Fraction(1, 3)], library)
    assert [type(value) for value in found[:4]] == [int, Fraction, float, Fraction]
    assert found[1] == Fraction(0.1)
    assert found[4] == Fraction(1, 3)


def test_two_ints_divide_exactly_among_fractions() -> None:
    def body(b: Builder, x: int, i: int) -> list[int]:
        return [
            b.div(b.const(1.0), b.un("real_i32", i)),
            b.mul(x, b.un("real_i1", b.bi("lt", x, b.const(9.0)))),
        ]

    assert run(function([F64, I32(1, 9)], body), [Fraction(1), 3], library) == [Fraction(1, 3), 1]


def test_sums_over_arrays_of_fractions_are_exact() -> None:
    def body(b: Builder, v: int) -> list[int]:
        acc = b.acc(())
        for i in range(3):
            b.add_to(acc, b.index(v, b.int_const(i)))
        return [b.acc_read(acc)]

    assert run(function([VECTOR], body), [[Fraction(1, 3)] * 3], library) == [1]


def test_complex_numbers_use_their_own_functions() -> None:
    f = function(1, lambda b, x: [b.un("exp", x), b.un("sqrt", x)])
    found = run(f, [math.pi * 1j], library)
    assert found[0] == pytest.approx(-1)
    assert found[1] ** 2 == pytest.approx(math.pi * 1j)


def test_a_type_brings_its_own_functions() -> None:
    assert un("exp", Decimal(1)) == Decimal(1).exp()
    assert un("log", Decimal(2)) == Decimal(2).ln()
    assert un("sqrt", Decimal(2)) == Decimal(2).sqrt()
    assert bi("pow", Decimal(2), Decimal("0.5")) == Decimal(2) ** Decimal("0.5")


class Dual:
    """x + dx·ε, a dual number as a user might write it."""

    def __init__(self, x: Any, dx: Any = 0) -> None:
        self.x, self.dx = x, dx

    def __add__(self, other: Any) -> Dual:
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.x + other.x, self.dx + other.dx)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Dual:
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.x * other.x, self.x * other.dx + self.dx * other.x)

    __rmul__ = __mul__

    def sin(self) -> Dual:
        return Dual(math.sin(self.x), math.cos(self.x) * self.dx)


def test_dual_numbers_of_ones_own_differentiate() -> None:
    f = function(1, lambda b, x: [b.mul(b.un("sin", x), b.add(x, b.const(2.0)))])
    (found,) = run(f, [Dual(1.0, 1.0)], library)
    assert found.dx == math.cos(1.0) * 3.0 + math.sin(1.0)


def test_library_functions_of_constants_run_on_floats_among_other_numbers() -> None:
    f = function(1, lambda b, x: [b.mul(x, b.row(("exp", b.const(0.0)), F64))])
    (found,) = run(f, [Fraction(1, 3)], library)
    assert found == Fraction(1, 3)
    assert type(found) is Fraction


@pytest.mark.parametrize(
    ("op", "x", "sentence"),
    [
        (
            "sin",
            Fraction(1, 3),
            "sin takes floats, or a type with a method `sin`, but it was given Fraction.",
        ),
        (
            "sqrt",
            Fraction(1, 3),
            "sqrt takes floats, or a type with a method `sqrt`, but it was given Fraction.",
        ),
        ("floor", 1j, "`floor` does not work on complex"),
        ("tan", Dual(1.0), "tan takes floats, or a type with a method `tan`, but it was given Dual."),
        ("neg", Dual(1.0), "`neg` does not work on Dual"),
    ],
)
def test_an_operation_that_a_type_lacks_is_an_error_with_a_sentence(op: str, x: Any, sentence: str) -> None:
    with pytest.raises(TypeMismatchError) as raised:
        un(op, x)
    assert sentence in str(raised.value)


def test_ints_without_other_numbers_are_reals() -> None:
    assert bi("div", 1, 0) == inf
    found = run(function([VECTOR], lambda b, v: [b.index(v, b.int_const(0)), v]), [[1, 2.0, 3]], library)
    assert repr(found) == "[1.0, [1.0, 2.0, 3.0]]"
