"""Long and deep programs pass through everything without meeting Python's recursion limit."""

from __future__ import annotations

import pytest

import eglantine as eg
from eglantine.checker import check
from eglantine.optimise import optimise
from eglantine.printer import pretty
from eglantine.reader import parse

LENGTH = 100_000
CALLS = 2_000


@pytest.fixture(scope="module")
def chain() -> eg.Fn:
    """100,000 multiplications and additions that go to 1."""

    @eg.fn
    def long(x: eg.Real) -> eg.Real:
        y = x
        for _ in range(LENGTH // 2):
            y = y * 0.5 + 0.5
        return y

    return long


def test_a_long_chain_is_differentiated_and_optimised(chain: eg.Fn) -> None:
    gradient = eg.grad(chain)
    check(gradient.function)
    check(optimise(gradient.function))
    assert chain(3.0) == 1.0
    assert gradient(3.0) == 0.0  # 0.5 to the power 50,000


def test_a_long_chain_prints_and_reads_back(chain: eg.Fn) -> None:
    text = pretty(chain.function)
    assert text.count("\n") == LENGTH + 2
    assert pretty(parse(text)) == text


def test_a_long_chain_compiles(chain: eg.Fn) -> None:
    pytest.importorskip("wasmtime")
    assert eg.compile(eg.value_and_grad(chain))(3.0) == (1.0, 0.0)


def tower(n: int) -> eg.Fn:
    """A function that calls one that calls one …, n deep, each adding 1."""
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)
    for _ in range(n):
        f = eg.fn([eg.Real], eg.Real)(lambda x, f=f: f(x) + 1.0)
    return f


def test_calls_many_deep_are_evaluated_printed_and_optimised() -> None:
    f = tower(CALLS)
    assert f(3.0) == 9.0 + CALLS
    check(optimise(f.function))
    text = pretty(f.function)
    assert pretty(parse(text)) == text


def test_calls_many_deep_are_differentiated() -> None:
    f = tower(CALLS)
    assert eg.grad(f)(3.0) == 6.0
    assert eg.jvp(f, [3.0], [1.0]) == (9.0 + CALLS, 6.0)
