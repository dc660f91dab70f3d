"""`%` and `//` of Reals return the same values as in Python. A divisor of 0 gives NumPy's values."""

from __future__ import annotations

import itertools
import math
import random
import struct
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from eglantine.emit.module import emit
from eglantine.optimise.pipeline import optimise, ready_library
from tests.emit.node import node
from tests.engines import bits

Engines = Callable[..., Any]
Pair = tuple[float, float]

EDGES = (
    0.0, 1.0, 1.5, 3.0, 5.0, 0.1, math.inf, math.nan, 5e-324, 1e-310, 2.0**-1022, 2.0**-1021, 1e-300, 1e-10,
    1e17, 2.0**53, 2.0**999, 2.0**1000, 1e300, 1.7976931348623157e308,
)  # fmt: skip

both = eg.fn([eg.Real, eg.Real])(lambda x, y: (x % y, x // y))


def expected(x: float, y: float) -> Pair:
    """Return Python's x % y and x // y. For y = 0, return NaN and NumPy's quotient."""
    if y:
        return x % y, x // y
    with np.errstate(all="ignore"):
        return math.nan, float(np.float64(x) // np.float64(y))


def edges() -> Iterator[Pair]:
    signed = [sign * x for x in EDGES for sign in (1.0, -1.0)]
    yield from itertools.product(signed, signed)


def drawn(count: int) -> Iterator[Pair]:
    """Yield `count` pairs (x, y) of floats. Often x is a multiple of y, or a float next to a multiple."""
    draw = random.Random(8)  # noqa: S311 - cases, not secrets
    for k in range(count):
        y = math.ldexp(draw.uniform(1.0, 2.0), draw.randrange(-1074, 1023)) * draw.choice((-1.0, 1.0))
        n = draw.randrange(-(2 ** draw.randrange(1, 50)), 2 ** draw.randrange(1, 50))
        match k % 5:
            case 0:
                yield struct.unpack("<dd", draw.randbytes(16))
            case 1:
                yield y * n, y
            case 2:
                yield math.nextafter(y * n, draw.choice((-math.inf, math.inf))), y
            case 3:
                yield y * draw.uniform(-3.0, 3.0), y
            case 4:
                yield math.ldexp(draw.uniform(-2.0, 2.0), draw.randrange(-1074, 1024)), y


@pytest.mark.parametrize(
    ("x", "y", "remainder", "quotient"),
    [
        (5.0, 0.1, 0.09999999999999973, 49.0),
        (1e17, 3.0, 1.0, 33333333333333332.0),
        (1.5, math.inf, 1.5, 0.0),
        (-1.5, math.inf, math.inf, -1.0),
        (-0.0, 2.0, 0.0, -0.0),
        (4.0, -2.0, -0.0, -2.0),
        (-1e-20, 3.0, 3.0, -1.0),
        (7.0, 0.0, math.nan, math.inf),
        (-7.0, 0.0, math.nan, -math.inf),
        (0.0, 0.0, math.nan, math.nan),
        (math.inf, 3.0, math.nan, math.nan),
    ],
)
def test_remainder_and_quotient_agree_with_python(
    x: float, y: float, remainder: float, quotient: float, engines: Engines
) -> None:
    assert bits(engines(both, x, y)) == bits((remainder, quotient))


def test_remainders_in_the_interpreter_have_pythons_bits() -> None:
    for x, y in (*edges(), *drawn(5_000)):
        assert bits(both(x, y)) == bits(expected(x, y)), (x, y)


def test_remainders_in_wasmtime_have_pythons_bits() -> None:
    kernel = eg.compile(both)
    for x, y in (*edges(), *drawn(50_000)):
        assert bits(kernel(x, y)) == bits(expected(x, y)), (x, y)


def test_remainders_in_v8_have_pythons_bits() -> None:
    v8 = node()
    if v8 is None:
        pytest.skip("needs Node")
    cases = [*edges(), *drawn(5_000)]
    calls = v8.run(emit(optimise(both.function), ready_library), cases)
    for (x, y), call in zip(cases, calls, strict=True):
        assert bits(tuple(call.result)) == bits(expected(x, y)), (x, y)


@pytest.mark.parametrize("x", [0.75, -0.75, -1e-20, -0.0, 3.0, -3.0, 1e300, -math.inf, math.nan])
def test_a_remainder_by_one_is_the_fractional_part(x: float, engines: Engines) -> None:
    assert bits(engines(eg.fn([eg.Real])(lambda x: x % 1), x)) == bits(x % 1.0)


@pytest.mark.parametrize(("x", "y"), [(7.3, 2.0), (-7.3, 2.0), (7.3, -2.0), (1e17, 0.3)])
def test_the_derivatives_of_a_remainder_are_one_and_minus_the_quotient(
    x: float, y: float, engines: Engines
) -> None:
    remainder = eg.fn([eg.Real, eg.Real])(lambda x, y: x % y)
    quotient = eg.fn([eg.Real, eg.Real])(lambda x, y: x // y)
    assert engines(eg.grad(remainder, (0, 1)), x, y) == (1.0, -(x // y))
    assert engines(eg.jacfwd(remainder, (0, 1)), x, y) == (1.0, -(x // y))
    assert engines(eg.grad(quotient, (0, 1)), x, y) == (0.0, 0.0)


def test_remainders_of_constants_agree_with_python(engines: Engines) -> None:
    five, tenth = (lambda: eg.asarray([5.0, 0.1])[0]), (lambda: eg.asarray([5.0, 0.1])[1])
    f = eg.fn([eg.Real])(lambda x: (x + five() % tenth(), x + five() // tenth()))
    assert engines(f, 0.0) == (0.09999999999999973, 49.0)


def test_the_remainder_of_fractions_is_exact() -> None:
    x, y = Fraction(-22, 7), Fraction(1, 3)
    assert eg.interp(both)(x, y) == (x % y, x // y)


def test_remainders_in_converted_functions_agree_with_python(engines: Engines) -> None:
    def f(x: Any, y: Any) -> Any:
        total = 0.0
        while x > y:
            total += x % y
            x = x // 2
        return total

    assert engines(eg.fn([eg.Real, eg.Real], eg.Real)(eg.autograph(f)), 50.0, 0.7) == f(50.0, 0.7)
