"""A call of a kernel inside its own call raises an error. It must never return a wrong number."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import eglantine as eg

N = 5
V = eg.Vec(N, eg.Real)
WITHIN = r"\S+ was called within a call of it, or of a kernel that shares its memory"


class Caller:
    """A kernel that calls an opaque function. The opaque function calls `inner`."""

    def __init__(self, **options: Any) -> None:
        self.inner: Callable[[float], Any] | None = None
        host = eg.opaque(self._host, [eg.Real], eg.Real)

        @eg.fn
        def f(v: V) -> V:
            first = host(v[0])
            return eg.vec(N, lambda i: v[i] + first)

        self.kernel = eg.compile(f, **options)

    def _host(self, x: float) -> float:
        if self.inner is not None:
            self.inner(x)
        return x


VALUES = [1.0, 2.0, 3.0, 4.0, 5.0]
SUMS = [2.0, 3.0, 4.0, 5.0, 6.0]


@pytest.mark.parametrize("options", [{}, {"fuel": 1000}, {"interruptible": True}], ids=str)
@pytest.mark.parametrize("way", ["call", "batch"])
@pytest.mark.parametrize("inner", ["call", "batch"])
def test_an_opaque_function_may_not_call_its_own_kernel(way: str, inner: str, options: Any) -> None:
    caller = Caller(**options)
    kernel = caller.kernel

    def call(how: str, v: list[float]) -> Any:
        return kernel(v) if how == "call" else kernel.batch([v])[0]

    assert call(way, VALUES) == call(inner, VALUES) == SUMS
    caller.inner = lambda x: call(inner, [x - 1.0] * N)
    for _ in range(2):
        with pytest.raises(eg.EglantineError, match=WITHIN):
            call(way, VALUES)
    caller.inner = None
    assert call(way, VALUES) == SUMS


@pytest.mark.parametrize("options", [{}, {"interruptible": True}], ids=str)
def test_a_call_goes_on_if_its_opaque_function_catches_the_error(options: Any) -> None:
    caller = Caller(**options)
    errors: list[str] = []

    def inner(_: float) -> None:
        try:
            caller.kernel([9.0] * N)
        except eg.EglantineError as error:
            errors.append(str(error))

    caller.inner = inner
    assert caller.kernel(VALUES) == SUMS
    assert len(errors) == 1


def test_after_a_call_that_raised_or_trapped_the_kernel_can_be_called() -> None:
    caller = Caller(fuel=2)

    def fail(_: float) -> None:
        raise KeyError("mine")

    caller.inner = fail
    with pytest.raises(KeyError, match="mine"):
        caller.kernel(VALUES)
    caller.inner = None
    with pytest.raises(eg.FuelError):
        caller.kernel(VALUES)
    caller.kernel.fuel = 1000
    assert caller.kernel(VALUES) == SUMS


@eg.fn
def doubled(v: V) -> V:
    return eg.vec(N, lambda i: v[i] * 2.0)


@pytest.mark.parametrize("options", [{}, {"interruptible": True}], ids=str)
def test_kernels_that_share_memory_refuse_calls_within_each_other(options: Any) -> None:
    lender = Caller(**options)
    borrower = eg.compile(doubled, memory=lender.kernel)
    lender.inner = lambda _: borrower(VALUES)
    with pytest.raises(eg.EglantineError, match=WITHIN):
        lender.kernel(VALUES)
    lender.inner = None
    assert lender.kernel(VALUES) == SUMS
    assert borrower(VALUES) == [2.0, 4.0, 6.0, 8.0, 10.0]

    plain = eg.compile(doubled)
    caller = Caller(memory=plain)
    caller.inner = lambda _: plain(VALUES)
    with pytest.raises(eg.EglantineError, match=WITHIN):
        caller.kernel(VALUES)


def test_compiling_into_a_kernels_memory_during_its_call_is_an_error() -> None:
    caller = Caller()
    caller.inner = lambda _: eg.compile(doubled, memory=caller.kernel)
    with pytest.raises(eg.EglantineError, match=WITHIN):
        caller.kernel(VALUES)


def test_an_opaque_function_may_call_other_kernels() -> None:
    other = eg.compile(doubled)
    caller = Caller()
    caller.inner = lambda x: other([x] * N)
    assert caller.kernel(caller.kernel(VALUES)) == [4.0, 5.0, 6.0, 7.0, 8.0]


def test_a_jit_function_may_not_run_within_its_own_call() -> None:
    def inner(x: float) -> float:
        return f([x] * N)[0] if x > 0.0 else x  # type: ignore[no-any-return]

    host = eg.opaque(inner, [eg.Real], eg.Real)
    f = eg.jit(lambda v: eg.vec(N, lambda i: v[i] + host(v[0])))
    assert f([-1.0] * N) == [-2.0] * N
    with pytest.raises(eg.EglantineError, match=WITHIN):
        f(VALUES)


def test_reading_an_argument_may_call_the_kernel() -> None:
    kernel = eg.compile(doubled)

    class Number(float):
        def __float__(self) -> float:
            return kernel(VALUES)[0]  # type: ignore[no-any-return]

    assert kernel([Number(7.0), *VALUES[1:]]) == [4.0, 4.0, 6.0, 8.0, 10.0]


def test_a_call_through_an_interruptible_kernels_thread_is_an_error() -> None:
    """`outer` calls `middle`, which runs in a second thread, and `middle` calls `outer` again."""
    outer, middle = Caller(), Caller(interruptible=True)
    outer.inner = lambda _: middle.kernel(VALUES)
    middle.inner = lambda _: outer.kernel(VALUES)
    found: list[BaseException] = []

    def run() -> None:
        try:
            outer.kernel(VALUES)
        except eg.EglantineError as error:
            found.append(error)

    run()
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert len(found) == 2
    assert all("within a call of it" in str(error) for error in found)


@eg.struct
class Lively:
    """A struct with a constructor that runs the functions in `calls`. Each of them calls a kernel."""

    x: eg.Real

    def __post_init__(self) -> None:
        seen.extend(call() for call in calls)


calls: list[Callable[[], float]] = []
seen: list[float] = []


def test_constructing_a_result_may_call_the_kernel() -> None:
    kernel = eg.compile(eg.fn([eg.Real])(lambda x: Lively(x + 1.0)))
    numbers = eg.compile(eg.fn([eg.Real])(lambda x: x * 2.0), memory=kernel)
    seen.clear()
    calls.append(lambda: numbers(3.0))
    try:
        assert kernel(1.0).x == 2.0
    finally:
        calls.clear()
    assert seen == [6.0]
