"""Operations on an index and a Real, indices computed from Reals, and slices that start at an index."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

import eglantine as eg
from tests.engines import bits

Engines = Callable[..., Any]
m = eg.math

# ---------------------------------------------------------------- operations on an index and a Real

MEETINGS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "product": lambda i, x, real: (real(i) * x, x * real(i), real(i) * 0.5, 0.5 * real(i)),
    "sum": lambda i, x, real: (x + real(i), real(i) + x, real(i) - x, x - real(i), 1.5 - real(i)),
    "quotient": lambda i, x, real: (x / real(i + 1), real(i) / x, real(i) / 2, 2 / real(i + 1)),
    "floor": lambda i, x, real: (real(i) // x, x // real(i + 1), real(i) % x, x % real(i + 1)),
    "floor of numbers": lambda i, x, real: (real(i) // 0.5, real(i) % 0.75, 7.5 // real(i + 1)),
    "power": lambda i, x, real: (x ** real(i), real(i) ** x, real(i) ** 2, 2.0 ** real(i), real(i) ** 0.5),
    "comparison": lambda i, x, real: (real(i) < x, x <= real(i), real(i) == x, x != real(i), real(i) >= 1.5),
    "functions": lambda i, x, real: (m.sin(real(i)), m.atan2(real(i), x), m.maximum(x, real(i))),
    "functions of two indices": lambda i, x, real: (m.hypot(real(i), real(i)), m.minimum(real(i), 1.5)),
    "clip": lambda i, x, real: m.clip(x, 0, real(i)),
    "select": lambda i, x, real: (eg.select(x > 1, real(i), x), eg.select(x > 1, 0.5, real(i))),
    "cond": lambda i, x, real: eg.cond(x > 1, lambda: real(i), lambda: x),
    "tuples of a select": lambda i, x, real: eg.select(x > 1, (real(i), x), (x, real(i))),
    "list": lambda i, x, real: eg.asarray([real(i), x, 0.5]) * 2.0,
    "Vec": lambda i, x, real: (real(i) * eg.vec(5, lambda j: x), eg.vec(5, lambda j: x) - real(i)),
    "Vec of indices": lambda i, x, real: eg.vec(5, lambda j: real(i + j)) * x,
    "terms": lambda i, x, real: eg.sum(4, lambda j: real(i * j)),
    "carry": lambda i, x, real: eg.fori_loop(0, 3, lambda j, c: c + real(j), x),
    "end of a carry": lambda _, x, real: eg.fori_loop(0, 3, lambda j, _: real(j), 0.5 * x),
    "scan": lambda _, x, real: eg.scan(lambda c, j: (c + real(j), c * real(j)), x, eg.vec(3, lambda j: j)),
    "lambda": lambda i, x, real: reduce(lambda a, b: a * b + a, [real(i), x, x]),
    "call": lambda i, x, real: eg.fn([eg.Real, eg.Real])(lambda a, b: a * b)(real(i), x),
}  # fmt: skip


@pytest.mark.parametrize("name", MEETINGS)
def test_an_index_used_with_a_real_is_converted_to_a_real(engines: Engines, name: str) -> None:
    meet = MEETINGS[name]
    types = [eg.Fin(5), eg.Real]
    bare = eg.fn(types)(lambda i, x: meet(i, x, lambda i: i))
    converted = eg.fn(types)(lambda i, x: meet(i, x, eg.real))
    assert bare.function.result == converted.function.result
    for i, x in ((0, 0.75), (3, 2.5), (4, -1.25)):
        assert bits(engines(bare, i, x)) == bits(engines(converted, i, x))


def test_an_index_used_as_a_real_is_constant_in_derivatives(engines: Engines) -> None:
    f = eg.fn([eg.Vec(4, eg.Real)])(lambda v: eg.sum(4, lambda i: i * v[i] ** 2 + m.sin(i)))
    assert engines(eg.grad(f), [1.0, 2.0, 3.0, 4.0]) == [0.0, 4.0, 12.0, 24.0]


def test_arithmetic_of_indices_and_integers_gives_an_index(engines: Engines) -> None:
    v = [1.0, 10.0, 100.0]
    types = [eg.Vec(3, eg.Real), eg.Fin(2), eg.Bool]
    f = eg.fn(types)(lambda v, i, p: (v[i + 1], v[eg.select(p, i, 2)], v[abs(i - 1)], v[+i]))
    assert engines(f, v, 0, True) == (10.0, 1.0, 10.0, 1.0)
    assert engines(f, v, 1, False) == (100.0, 100.0, 1.0, 10.0)


# ---------------------------------------------------------------- `eg.index`


@pytest.mark.parametrize("n", [1, 3, 64, 100, 2**31 - 1])
def test_index_rounds_down_and_clips_to_the_range(engines: Engines, n: int) -> None:
    f = eg.fn([eg.Real])(lambda x: eg.index(x, n))
    assert repr(f.function.result) == f"Fin({n})"
    for x in (
        0.0,
        -0.0,
        0.99,
        1.0,
        2.5,
        -0.5,
        -3.0,
        1e300,
        -1e300,
        math.inf,
        -math.inf,
        n - 1.0,
        n - 0.5,
        n + 0.5,
    ):
        place = 0 if x < 0 else n - 1 if x >= n else math.floor(x)
        assert engines(f, x) == place
        assert eg.index(x, n) == place


def test_index_of_nan_is_0(engines: Engines) -> None:
    assert engines(eg.fn([eg.Real])(lambda x: eg.index(x, 3)), math.nan) == 0
    assert eg.index(math.nan, 3) == 0


def test_a_read_at_eg_index_needs_no_check_and_has_derivative_0(engines: Engines) -> None:
    table = [0.0, 10.0, 20.0, 30.0]
    f = eg.fn([eg.Real])(lambda x: eg.asarray(table)[eg.index(x, 4)] * x)
    assert engines(f, 2.75) == 20.0 * 2.75
    assert engines(eg.grad(f), 2.75) == 20.0
    assert engines(eg.hessian(f), 2.75) == 0.0
    assert not any(row[0] == "check" for row in f.function.block.rows)


def test_index_of_a_vec_is_elementwise_and_can_gather(engines: Engines) -> None:
    f = eg.fn([eg.Vec(6, eg.Real)])(lambda v: eg.asarray([5.0, 6.0, 7.0])[eg.index(v * 3.0, eg.Fin(3))])
    assert engines(f, [0.0, 0.5, 0.99, 2.0, -1.0, math.nan]) == [5.0, 6.0, 7.0, 7.0, 5.0, 5.0]
    assert eg.index([0.5, 1.5], 2) == [0, 1]
    assert engines(eg.fn([eg.Fin(9)])(lambda i: eg.index(i, 3)), 7) == 2


def test_index_of_a_value_that_is_not_a_number_is_an_error() -> None:
    with pytest.raises(eg.TypeMismatchError, match=r"eg\.index makes an index of a Real, but it was given"):
        eg.fn([eg.Bool])(lambda p: eg.index(p, 3))
    with pytest.raises(eg.TypeMismatchError, match=r"but it was given 'a'"):
        eg.index("a", 3)
    with pytest.raises(eg.TypeMismatchError, match="bound of Fin must be a whole number"):
        eg.index(0.5, 2.5)
    with pytest.raises(eg.ShapeError, match="at least one place"):
        eg.index(0.5, 0)


# ---------------------------------------------------------------- slices that start at an index


def test_a_slice_may_start_at_an_index(engines: Engines) -> None:
    v = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    types = [eg.Vec(6, eg.Real), eg.Fin(4)]
    f = eg.fn(types)(lambda v, i: (v[i : i + 3], v[i : 3 + i] * 2.0, v[i + 1 : i + 3], eg.sum(v[i : i + 2])))
    assert engines(f, v, 2) == ([4.0, 8.0, 16.0], [8.0, 16.0, 32.0], [8.0, 16.0], 12.0)
    last = eg.grad(eg.fn(types)(lambda v, i: eg.sum(v[i : i + 3] ** 2)))
    assert engines(last, v, 3) == [0.0, 0.0, 0.0, 16.0, 32.0, 64.0]
    table = eg.fn([eg.Vec(3, eg.Vec(4, eg.Real)), eg.Real])(lambda t, x: t[1, (k := eg.index(x, 3)) : k + 2])
    assert engines(table, [[float(4 * r + c) for c in range(4)] for r in range(3)], 1.5) == [5.0, 6.0]


def test_a_slice_beyond_the_end_raises_an_error_when_the_code_runs() -> None:
    f = eg.fn([eg.Vec(6, eg.Real), eg.Fin(6)])(lambda v, i: v[i : i + 3])
    with pytest.raises(eg.ShapeError, match="index"):
        eg.compile(f)([0.0] * 6, 4)
