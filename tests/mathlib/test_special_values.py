"""At zeros, infinities, NaN and the ends of domains, functions return the values of C99, annex F."""

from __future__ import annotations

import itertools
import math
import struct

import pytest

from eglantine.mathlib.functions import FUNCTIONS, arity
from tests.ir.table import pow_
from tests.mathlib.float_ops import FloatOps

OPS = FloatOps(FUNCTIONS)
INF, NAN = math.inf, math.nan
SHARED_BODIES = (
    "half_exp",
    "lgamma_positive",
    "sin_quadrant",
    "remainder_huge",
    "remainder_rare",
    "remainder_large",
)
PUBLIC = tuple(name for name in FUNCTIONS if name not in SHARED_BODIES)
KEEP_ZERO = tuple(
    name
    for name in (
        "expm1",
        "log1p",
        "sin",
        "tan",
        "asin",
        "atan",
        "sinh",
        "tanh",
        "asinh",
        "atanh",
        "erf",
        "cbrt",
    )
    if name in FUNCTIONS
)
NAN_PATTERNS = (0x7FF8 << 48, 0xFFF8 << 48, 0xFFFF_FFFF_FFFF_FFFF, 0x7FF0_0000_0000_0001)

UNARY = [
    ("exp", 0.0, 1.0),
    ("exp", INF, INF),
    ("exp", -INF, 0.0),
    ("exp", 710.0, INF),
    ("exp", -746.0, 0.0),
    ("exp", -745.0, 5e-324),
    ("exp", 1.0, math.e),
    ("exp", -1e308, 0.0),
    ("exp2", 10.0, 1024.0),
    ("exp2", -1074.0, 5e-324),
    ("exp2", 1024.0, INF),
    ("exp2", -INF, 0.0),
    ("exp2", 1023.0, 2.0**1023),
    ("exp2", INF, INF),
    ("expm1", INF, INF),
    ("expm1", -INF, -1.0),
    ("expm1", -50.0, -1.0),
    ("expm1", 5e-324, 5e-324),
    ("log", 0.0, -INF),
    ("log", -0.0, -INF),
    ("log", 1.0, 0.0),
    ("log", INF, INF),
    ("log", -1.0, NAN),
    ("log", -INF, NAN),
    ("log2", 8.0, 3.0),
    ("log2", 5e-324, -1074.0),
    ("log2", -1.0, NAN),
    ("log2", 0.0, -INF),
    ("log10", 1e15, 15.0),
    ("log10", 0.0, -INF),
    ("log10", INF, INF),
    ("log10", 1000.0, 3.0),
    ("log1p", -1.0, -INF),
    ("log1p", -1.5, NAN),
    ("log1p", INF, INF),
    ("log1p", -INF, NAN),
    ("sin", INF, NAN),
    ("cos", -INF, NAN),
    ("tan", INF, NAN),
    ("cos", 0.0, 1.0),
    ("cos", -0.0, 1.0),
    ("asin", 1.0, math.pi / 2),
    ("asin", -1.0, -math.pi / 2),
    ("asin", 1.0000000000000002, NAN),
    ("asin", INF, NAN),
    ("acos", 1.0, 0.0),
    ("acos", -1.0, math.pi),
    ("acos", -1.5, NAN),
    ("acos", INF, NAN),
    ("acos", 0.0, math.pi / 2),
    ("atan", INF, math.pi / 2),
    ("atan", -INF, -math.pi / 2),
    ("atan", 1.0, math.pi / 4),
    ("sinh", -INF, -INF),
    ("cosh", -INF, INF),
    ("cosh", 0.0, 1.0),
    ("sinh", 711.0, INF),
    ("cosh", 1e300, INF),
    ("tanh", INF, 1.0),
    ("tanh", -INF, -1.0),
    ("tanh", -25.0, -1.0),
    ("asinh", INF, INF),
    ("asinh", -INF, -INF),
    ("acosh", 1.0, 0.0),
    ("acosh", 0.5, NAN),
    ("acosh", -3.0, NAN),
    ("acosh", INF, INF),
    ("acosh", -INF, NAN),
    ("atanh", 1.0, INF),
    ("atanh", -1.0, -INF),
    ("atanh", 1.5, NAN),
    ("atanh", -INF, NAN),
    ("erf", INF, 1.0),
    ("erf", -INF, -1.0),
    ("erf", 6.0, 1.0),
    ("lgamma", 1.0, 0.0),
    ("lgamma", 2.0, 0.0),
    ("lgamma", 0.0, INF),
    ("lgamma", -0.0, INF),
    ("lgamma", INF, INF),
    ("lgamma", -INF, INF),
    ("lgamma", -3.0, INF),
    ("lgamma", -1e308, INF),
    # The reflection formula overflows here. The right value is -log(5e-324).
    ("lgamma", -5e-324, 744.4400719213812),
    ("lgamma", -1e-200, 460.51701859880916),
    ("lgamma", 1e308, INF),
    ("polygamma0", INF, INF),
    ("polygamma0", 0.0, -INF),
    ("polygamma0", -2.0, NAN),
    ("polygamma0", -INF, NAN),
    ("polygamma1", INF, 0.0),
    ("polygamma1", 0.0, INF),
    ("polygamma1", -2.0, INF),
    ("polygamma3", -1.0, INF),
    ("polygamma2", 0.0, -INF),
    ("polygamma3", 0.0, INF),
    ("polygamma1", 5e-324, INF),
    ("polygamma2", 1e200, -0.0),
    ("cbrt", INF, INF),
    ("cbrt", -INF, -INF),
    ("cbrt", -27.0, -3.0),
    ("cbrt", 0.125, 0.5),
]

POW_BASES = (0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 0.5, -0.5, 2.0, -2.0)
POW_EXPONENTS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.5,
    -0.5,
    INF,
    -INF,
    NAN,
    1e300,
    -1e300,
    2.0**53 - 1,
)


def same(a: float, b: float) -> bool:
    """Compare two doubles. All NaNs are equal, but 0 and -0 differ."""
    return (a != a and b != b) or struct.pack("<d", a) == struct.pack("<d", b)


@pytest.mark.parametrize(("name", "x", "expected"), UNARY)
def test_a_function_has_c99s_value_at_a_special_argument(name: str, x: float, expected: float) -> None:
    assert same(OPS.run(name, x), expected)


@pytest.mark.parametrize("name", KEEP_ZERO)
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_an_increasing_function_that_is_0_at_0_keeps_the_sign_of_zero(name: str, zero: float) -> None:
    assert same(OPS.run(name, zero), zero)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_nan_argument_with_any_payload_gives_nan(name: str) -> None:
    arguments = set(itertools.product((NAN, 0.5), repeat=arity(name))) - {(0.5,) * arity(name)}
    for bits, at in itertools.product(NAN_PATTERNS, arguments):
        assert math.isnan(FloatOps(FUNCTIONS, bits).run(name, *at)), (bits, at)


@pytest.mark.parametrize("y", POW_EXPONENTS)
@pytest.mark.parametrize("x", POW_BASES)
def test_pow_has_c99s_values_in_special_cases(x: float, y: float) -> None:
    expected = pow_(x, y)
    got = OPS.run("pow", x, y)
    assert same(got, expected) or abs(got - expected) <= math.ulp(expected)


@pytest.mark.parametrize("x", [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN])
@pytest.mark.parametrize("y", [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN])
def test_atan2_and_hypot_have_c99s_values_in_special_cases(y: float, x: float) -> None:
    assert same(OPS.run("atan2", y, x), math.atan2(y, x))
    assert same(OPS.run("hypot", y, x), math.hypot(y, x))


def test_hypot_does_not_overflow_or_underflow_in_between() -> None:
    assert OPS.run("hypot", 3e300, 4e300) == pytest.approx(5e300, rel=1e-15)
    assert OPS.run("hypot", 3e-310, 4e-310) == pytest.approx(5e-310, rel=1e-13)
    assert OPS.run("hypot", 1.7e308, 1.7e308) == INF


def test_the_sine_of_the_largest_double_is_accurate() -> None:
    assert OPS.run("sin", 1.7976931348623157e308) == 0.004961954789184062
