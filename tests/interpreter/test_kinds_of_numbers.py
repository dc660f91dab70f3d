"""The interpreter runs functions on fractions, complex numbers and types that users define."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from eglantine.errors import TypeMismatchError
from eglantine.interpreter.machine import run
from eglantine.ir.builder import Builder
from eglantine.ir.program import Function
from eglantine.ir.row_types import F64, I1, I32, Array
from eglantine.mathlib.library import library
from eglantine.types import Bool, Real, Unit, Vec, as_type
from tests.interpreter.operating import VECTOR, bi, inf, un

from .blocks import function


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


def test_arithmetic_of_fractions_is_exact() -> None:
    (found,) = run(function(1, affine), [Fraction(1, 3)], library)
    assert found == Fraction(3, 2) ** 2 / 4 - 9 + Fraction(1, 3)
    assert type(found) is Fraction


def test_integer_constants_stay_ints_and_others_are_converted() -> None:
    f = function(1, lambda b, x: [b.const(2.0), b.const(0.1), b.const(inf), x, b.row(("add", 0, x), F64)])
    found = run(f, [Fraction(1, 3)], library)
    assert [type(value) for value in found[:4]] == [int, Fraction, float, Fraction]
    assert found[1] == Fraction(0.1)
    assert found[4] == Fraction(1, 3)


def test_a_quotient_of_ints_among_fractions_is_exact() -> None:
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


def test_functions_of_complex_numbers_come_from_cmath() -> None:
    f = function(1, lambda b, x: [b.un("exp", x), b.un("sqrt", x)])
    found = run(f, [math.pi * 1j], library)
    assert found[0] == pytest.approx(-1)
    assert found[1] ** 2 == pytest.approx(math.pi * 1j)


def test_a_users_type_may_define_functions() -> None:
    assert un("exp", Decimal(1)) == Decimal(1).exp()
    assert un("log", Decimal(2)) == Decimal(2).ln()
    assert un("sqrt", Decimal(2)) == Decimal(2).sqrt()
    assert bi("pow", Decimal(2), Decimal("0.5")) == Decimal(2) ** Decimal("0.5")


class Dual:
    """A dual number x + dx·ε, an example of a user's number type."""

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


def test_a_users_dual_numbers_give_derivatives() -> None:
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
def test_an_operation_that_a_type_lacks_is_an_error_with_a_message(op: str, x: Any, sentence: str) -> None:
    with pytest.raises(TypeMismatchError) as raised:
        un(op, x)
    assert sentence in str(raised.value)


def test_ints_alone_are_evaluated_as_reals() -> None:
    assert bi("div", 1, 0) == inf
    found = run(function([VECTOR], lambda b, v: [b.index(v, b.int_const(0)), v]), [[1, 2.0, 3]], library)
    assert repr(found) == "[1.0, [1.0, 2.0, 3.0]]"
