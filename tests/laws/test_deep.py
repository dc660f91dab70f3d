"""Every part of the compiler handles long and deep programs without reaching Python's recursion limit."""

from __future__ import annotations

from typing import Any

import pytest

import eglantine as eg
from eglantine.ir.checker import check
from eglantine.optimise.pipeline import optimise
from eglantine.printer import pretty
from eglantine.reader import parse
from tests.recursion import MOST_CALLS, few_nested_calls
from tests.seeds import NIGHTLY

LENGTH = 100_000 if NIGHTLY else 20_000
CALLS = 2_000 if NIGHTLY else 2 * MOST_CALLS


@pytest.fixture(scope="module")
def chain() -> eg.Fn:
    """Make a function with LENGTH rows. It replaces y by y·0.5 + 0.5 repeatedly."""

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
    assert gradient(3.0) == 0.0  # 0.5 to the power LENGTH / 2


def test_the_printed_rows_of_a_long_chain_can_be_read_back(chain: eg.Fn) -> None:
    text = pretty(chain.function)
    assert text.count("\n") == LENGTH + 2
    assert pretty(parse(text)) == text


def test_a_long_chain_compiles(chain: eg.Fn) -> None:
    pytest.importorskip("wasmtime")
    assert eg.compile(eg.value_and_grad(chain))(3.0) == (1.0, 0.0)


def tower(n: int) -> eg.Fn:
    """Make a function with n levels of nested calls. Each level adds 1."""
    f = eg.fn([eg.Real], eg.Real)(lambda x: x * x)
    for _ in range(n):
        f = eg.fn([eg.Real], eg.Real)(lambda x, f=f: f(x) + 1.0)
    return f


def test_deeply_nested_calls_are_evaluated_printed_and_optimised() -> None:
    with few_nested_calls():
        f = tower(CALLS)
        assert f(3.0) == 9.0 + CALLS
        check(optimise(f.function))
        text = pretty(f.function)
        assert pretty(parse(text)) == text


def test_deeply_nested_calls_are_differentiated() -> None:
    with few_nested_calls():
        f = tower(CALLS)
        assert eg.grad(f)(3.0) == 6.0
        assert eg.jvp(f, [3.0], [1.0]) == (9.0 + CALLS, 6.0)


def nested(depth: int) -> Any:
    """Make a function with `depth` levels of nested calls.

    The function of each level has a branch, and calls the next level's function in both arms.
    """
    f = eg.fn([eg.Real], eg.Real)(lambda x: 0.5 * x)
    for _ in range(depth):

        def outer(x: Any, f: Any = f) -> Any:
            return eg.cond(x > 1.0, lambda: f(x * 0.9999), lambda: f(x * 1.0001))

        f = eg.fn([eg.Real], eg.Real)(outer)
    return f


@pytest.mark.parametrize(
    ("mode", "depth"),
    [("value", MOST_CALLS + 50), ("forward", MOST_CALLS + 50), ("reverse", 2 * MOST_CALLS + 100)],
)
def test_a_chain_of_functions_may_be_deeper_than_calls_of_python(mode: str, depth: int) -> None:
    with few_nested_calls():
        check_nested(mode, depth)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("mode", "depth"), [("value", 2_000), ("forward", 2_000), ("reverse", 2_000), ("reverse", 10_000)]
)
def test_a_chain_of_functions_may_be_thousands_of_calls_deep(mode: str, depth: int) -> None:
    check_nested(mode, depth)


def check_nested(mode: str, depth: int) -> None:
    """Check the code size and the results of `nested(depth)`, or of its derivative.

    Each function contains two calls of the next one. Inlining all calls would double the code at each level.
    """
    f = nested(depth)
    g = {"value": f, "reverse": eg.grad(f), "forward": eg.jacfwd(f)}[mode]
    k = eg.compile(g)
    assert len(k.wasm) < 600 * depth
    x, slope = 0.8, 0.5
    for _ in range(depth):
        factor = 0.9999 if x > 1.0 else 1.0001
        x, slope = x * factor, slope * factor
    expected = 0.5 * x if mode == "value" else slope
    assert k(0.8) == pytest.approx(expected, rel=1e-9)
    if mode != "reverse":  # in reverse mode, the interpreter would run f again at each level
        assert g(0.8) == k(0.8)


def test_code_grows_linearly_with_the_depth_of_calls_that_are_not_inlined() -> None:
    """If the depth is doubled, the code becomes only about twice as long, because calls are not inlined."""
    sizes = [len(eg.compile(eg.grad(nested(depth))).wasm) for depth in (16, 32, 64)]
    assert sizes[1] < 2.4 * sizes[0]
    assert sizes[2] < 2.4 * sizes[1]
