"""Calls of mathlib functions are inlined in loops that use vector instructions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import eglantine as eg
import eglantine.numpy as enp
from eglantine.inside import optimise
from eglantine.optimise.vectors import LEAST_ROUNDS
from tests.laws.comparing import bits

m = eg.math
LONG = LEAST_ROUNDS


def operations(f: Any) -> Counter[str]:
    """Optimise a function, and count how often each operation occurs in its loops."""
    rows = optimise(f.function).block.rows
    return Counter(inner[0] for row in rows if row[0] == "loop" for inner in row[2].body.rows)


def elements(of: Any) -> Any:
    return eg.fn([eg.Vec(LONG, eg.Real)] * 2)(lambda v, w: eg.vec(LONG, lambda i: of(v[i], w[i])))


def test_powers_of_the_same_base_share_its_logarithm() -> None:
    one = operations(elements(lambda x, y: x**y))
    two = operations(elements(lambda x, y: x**y + x ** (y - 1.0)))
    assert one["table"] == two["table"] == 2
    assert one["index"] == two["index"]  # v[i], w[i], and an element of each of two tables
    assert two["nearest"] == one["nearest"] + 1  # a logarithm or an exponential contains one `nearest`


@pytest.mark.parametrize("function", [m.sin, m.lgamma])
def test_functions_with_loops_stay_calls(function: Any) -> None:
    found = operations(elements(lambda x, y: function(x) * m.exp(y)))
    assert found["exp"] == 1
    assert found["int_f64"] == found["from_bits"] == 0


def inlined(f: Any) -> bool:
    """Optimise a function, and return whether all its calls of exp were inlined."""
    blocks = [optimise(f.function).block]
    while blocks:
        block = blocks.pop()
        if "exp" in block.operations:
            return False
        blocks += [inner for row in block.rows if row[0] == "loop" for inner in row[2].blocks]
    return True


@pytest.mark.parametrize(("n", "k"), [(1, 50), (5, 10), (10, 20), (40, 6)])
def test_few_rounds_are_not_worth_the_time_of_compiling(n: int, k: int) -> None:
    """Calls are inlined only if the product of the loops' trip counts is large."""
    matrix = eg.Vec(n, eg.Vec(k, eg.Real))
    f = eg.fn([matrix])(lambda a: eg.vec(n, lambda i: eg.vec(k, lambda j: m.exp(a[i][j]) * 2.0)))
    assert inlined(f) == (n * k >= LEAST_ROUNDS)


def test_a_loop_whose_rounds_depend_on_each_other_keeps_its_calls() -> None:
    f = eg.fn([eg.Vec(8, eg.Real)])(lambda v: eg.fori_loop(0, 8, lambda i, s: m.exp(s) + v[i], 0.0))
    assert operations(f)["exp"] == 1


@pytest.mark.parametrize(
    "of",
    [
        lambda x, y: (x + y, x, 2.0),
        lambda x, y: m.log(x) * m.sin(y),
        lambda x, y: eg.select(x > y, m.exp(-x), m.atan2(x, y)),
        lambda x, y: eg.grad(lambda a: m.tanh(a * y) / m.sqrt(a))(x),
    ],
)
def test_a_batch_of_a_function_of_reals_has_the_bits_of_single_calls(of: Any) -> None:
    pytest.importorskip("wasmtime")
    k = eg.compile(eg.fn([eg.Real, eg.Real])(of))
    xs, ys = [0.25 * i for i in range(2050)], [3.0 - 0.125 * i for i in range(2050)]
    assert bits(k.batch(xs, ys)) == bits([k(x, y) for x, y in zip(xs, ys, strict=True)])


@pytest.mark.parametrize("function", [enp.sin, enp.tan, enp.lgamma])
def test_a_function_of_an_array_of_zeros_is_compiled(function: Any) -> None:
    """The bug: the compiler evaluated both arms of a branch on constant arguments, and failed."""
    f = eg.fn([eg.Real])(lambda x: function(enp.zeros((7, 12, 8))) + x)
    assert bits(eg.compile(f)(2.0)) == bits(f(2.0))
