"""Two sums of the same form run at once in the lanes of a v128. All engines give the same bits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg
from eglantine.wasm.text import disassemble
from tests.emit.node import node
from tests.laws.agreement import engines_agree

pytest.importorskip("wasmtime")

WILD = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -1e308, 0.5, -2.5, 1e16)
N = 23


def vector(n: int, seed: int, wild: bool = False) -> list[float]:
    draw = random.Random(seed)  # noqa: S311 - a test's own
    return [draw.choice(WILD) if wild else draw.uniform(-3, 3) for _ in range(n)]


def code(f: Any) -> str:
    return disassemble(eg.compile_artifact(f).wasm)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "neighbours": lambda x: eg.sum(
        N - 1, lambda i: 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2
    ),
    "opposite signs": lambda x: eg.sum(N - 1, lambda i: (x[i] - x[i + 1]) * (-x[i] * x[i + 1]) - x[i] * x[i]),
    "functions": lambda x: eg.sum(N - 1, lambda i: eg.math.sin(x[i] * x[i + 1]) / (1.0 + x[i] * x[i])),
    "choices": lambda x: eg.sum(
        N - 2, lambda i: eg.select(x[i] > x[i + 2], x[i] * x[i + 1], eg.math.sqrt(abs(x[i + 1])) / x[i])
    ),
    "branches": lambda x: eg.sum(
        N - 2, lambda i: x[i] * x[i + 1] * x[i + 2] * eg.cond(x[i] > 0.0, lambda: 3.0, lambda: x[0]) ** 2
    ),
    "positions": lambda x: eg.sum(N - 1, lambda i: eg.real(i) * x[i] * x[i + 1] * x[i] + x[3] * x[i + 1]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("chunk", [2, 3, 8])
def test_directions_computed_in_lanes_have_the_same_bits(name: str, chunk: int) -> None:
    f = eg.fn([eg.Vec(N, eg.Real)], eg.Real)(FUNCTIONS[name])
    together = eg.jacfwd(f, chunk=chunk)
    if chunk == 8:
        assert ("f64x2.replace_lane" in code(together)) == (name != "branches")
    cases = [(vector(N, 1),), (vector(N, 2, True),), (vector(N, 3, True),)]
    engines_agree(together, cases, node())
    alone = eg.compile(eg.jacfwd(f, chunk=1))
    for case in cases:
        assert list(map(repr, eg.compile(together)(*case))) == list(map(repr, alone(*case)))


def sums(term: Callable[[Any, Any, Any], Any], count: Any) -> Any:
    """Make a function with two sums of the same form. The first uses a and p, and the second b and q.

    Both sums read c backwards, so a loop of one sum cannot run two rounds at a time.
    """

    @eg.fn([eg.Vec(10, eg.Real)] * 3 + [eg.Real, eg.Real, eg.Fin(10)])
    def f(a: Any, b: Any, c: Any, p: Any, q: Any, n: Any) -> Any:
        rounds = n if count is None else count
        return (
            eg.sum(rounds, lambda k: term(a[k], c[9 - k], p)),
            eg.sum(rounds, lambda k: term(b[k], c[9 - k], q)),
        )

    return f


TERMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "products": lambda a, c, p: (a * c + p) * (a - c) * a + p * a * c,
    "roots": lambda a, c, p: eg.math.sqrt(abs(a) + p * p) / (c * c + 1.0) - a * p,
    "shared conditions": lambda a, c, p: eg.select(c > 0.0, a * p + c, a - p) * a + p * a * a * c * p - c,
    "own conditions": lambda a, c, p: eg.select(a > p, a * c, 0.0) * p + eg.select(c < a, -a, p) * c,
    "negative zeros": lambda a, c, p: eg.select(a > p, a * c, -0.0) * p + a * p * c - (-a) * c * p,
}


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("count", [None, 9])
def test_two_sums_computed_in_lanes_have_the_same_bits(name: str, count: int | None) -> None:
    """If `count` is None, the number of rounds is an argument of the function, and may be 0."""
    f = sums(TERMS[name], count)
    assert "f64x2.replace_lane" in code(f)
    cases = [
        (*(vector(10, s + k, wild) for k in range(3)), *vector(2, s + 3, wild), n)
        for s, wild, n in ((1, False, 9), (5, True, 7), (9, True, 0), (13, True, 1))
    ]
    engines_agree(f, cases, node())


def test_sums_that_differ_are_computed_one_by_one() -> None:
    @eg.fn([eg.Vec(9, eg.Real)] * 2 + [eg.Fin(10)])
    def f(a: Any, b: Any, n: Any) -> Any:
        first = eg.sum(n, lambda k: (a[k] * b[8 - k] + 2.0) * (a[k] - b[k]) * a[k] + b[k])
        return first, eg.sum(n, lambda k: (a[k] + b[k]) / 3.0 + a[k] * a[k] * a[k] * b[k])

    assert "v128" not in code(f)
    engines_agree(f, [(vector(9, 1), vector(9, 2), 8)], node())
