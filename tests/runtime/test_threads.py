"""Calling kernels and compiling functions in several threads gives the same results as in one thread."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from eglantine.emit import module as emit
from eglantine.runtime.gates import Gate

THREADS = 8
N = 40
V = eg.Vec(N, eg.Real)


@pytest.fixture(autouse=True)
def _switching_often() -> Iterator[None]:
    """Let Python switch between threads a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Callable[[int], Any]) -> list[Any]:
    """Run work(0) to work(7) in a thread each, starting together. Raise an exception that a thread raised."""
    start = threading.Barrier(THREADS)
    found: list[Any] = [None] * THREADS
    errors: list[BaseException] = []

    def run(k: int) -> None:
        try:
            start.wait()
            found[k] = work(k)
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "a thread waits for ever"
    if errors:
        raise errors[0]
    return found


@eg.fn
def polynomial(x: eg.Real, y: eg.Real) -> eg.Real:
    return x * x * 3.0 - y * 2.0 + 1.0


@eg.fn
def scaled(v: V, x: eg.Real) -> V:
    return eg.vec(N, lambda i: v[i] * x + 1.0)


# ---------------------------------------------------------------- calls: 100,000 of them in this file


def test_threads_may_share_a_kernel_of_scalars() -> None:
    kernel = eg.compile(polynomial)

    def work(k: int) -> None:
        for j in range(4500):
            x, y = float(j), float(k)
            assert kernel(x, y) == 3.0 * x * x - 2.0 * y + 1.0

    in_threads(work)


@pytest.mark.parametrize("numpy", [False, True])
def test_threads_do_not_overwrite_each_others_results_of_arrays(numpy: bool) -> None:
    kernel = eg.compile(scaled)

    def work(k: int) -> None:
        v = [float(k)] * N
        found = []
        for j in range(300):
            result = kernel(np.array(v) if numpy else v, float(j))
            assert isinstance(result, np.ndarray) == numpy
            found.append(result)
        for j, result in enumerate(found):
            assert list(result) == [k * j + 1.0] * N

    in_threads(work)


def test_threads_may_run_batches_of_one_kernel() -> None:
    kernel = eg.compile(polynomial)

    def work(k: int) -> None:
        for j in range(2):
            xs, ys = [float(i + j) for i in range(2500)], [float(k)] * 2500
            assert kernel.batch(xs, ys) == [3.0 * x * x - 2.0 * k + 1.0 for x in xs]

    in_threads(work)


def test_threads_may_run_kernels_that_share_a_memory() -> None:
    lender = eg.compile(scaled)
    kernels = [lender, *(eg.compile(scaled, memory=lender) for _ in range(3))]

    def work(k: int) -> None:
        kernel = kernels[k % 4]
        for j in range(300):
            assert kernel([float(k)] * N, float(j)) == [k * j + 1.0] * N

    in_threads(work)


def test_kernels_compiled_into_one_memory_at_the_same_time_do_not_overlap() -> None:
    lender = eg.compile(scaled)
    kernels = in_threads(lambda _: eg.compile(scaled, memory=lender))
    extents = sorted((k.abi["memory"]["base"], k.abi["memory"]["bytes"]) for k in kernels)
    ends = [end for _, end in extents]
    assert all(end <= begin for end, (begin, _) in zip(ends, extents[1:], strict=False))
    for k, kernel in enumerate(kernels):
        assert kernel([float(k)] * N, 2.0) == [2.0 * k + 1.0] * N


def test_traps_and_fuel_belong_to_their_calls() -> None:
    @eg.fn
    def rounds(n: eg.Fin(1000)) -> eg.Real:
        return eg.sum(n, lambda i: eg.real(1.0))

    kernel = eg.compile(rounds, fuel=100)

    def work(k: int) -> None:
        for j in range(300):
            if (j + k) % 2:
                assert kernel(60) == 60.0
            else:
                with pytest.raises(eg.FuelError):
                    kernel(500)

    in_threads(work)


def test_threads_may_share_a_kernel_whose_memory_grows() -> None:
    kernel = eg.compile(eg.value_and_grad(power))
    alone = {float(n): (1.5**n, n * 1.5 ** (n - 1)) for n in (3, 50, 700, 1500)}

    def work(k: int) -> None:
        for j in range(150):
            n = [*alone][(j + k) % 4]
            value, slope = kernel(1.5, n)
            assert (value, slope) == (pytest.approx(alone[n][0]), pytest.approx(alone[n][1]))

    in_threads(work)


@eg.fn
def power(x: eg.Real, n: eg.Real) -> eg.Real:
    return eg.while_loop(lambda s: s[1] < n, lambda s: (s[0] * x, s[1] + 1.0), (x * 0.0 + 1.0, n * 0.0))[0]


def test_threads_may_share_an_interruptible_kernel() -> None:
    kernel = eg.compile(polynomial, interruptible=True)

    def work(k: int) -> None:
        for j in range(300):
            assert kernel(float(j), float(k)) == 3.0 * j * j - 2.0 * k + 1.0

    threads = threading.Thread(target=in_threads, args=(work,))
    threads.start()
    for j in range(300):  # in the main thread, whose kernel runs in another thread
        assert kernel(float(j), 9.0) == 3.0 * j * j - 17.0
    threads.join()


def test_threads_may_call_one_jit_for_the_first_time_together() -> None:
    for _ in range(6):
        f = eg.jit(lambda x, v: eg.dot(v, v) * x)
        gradient = eg.jit(eg.grad(lambda x, v: eg.dot(v, v) * x * x))

        def work(k: int, f: Any = f, gradient: Any = gradient) -> Any:
            for n in range(1, 5):
                v = [float(k)] * n
                for x in (2.0, 3.0):
                    assert f(x, v) == n * k * k * x
                    assert gradient(x, v) == 2.0 * n * k * k * x
            return f.specialise((eg.Real, eg.Vec(3, eg.Real)))

        made = in_threads(work)
        assert all(fn is made[0] for fn in made)


def test_an_exception_in_a_host_function_reaches_the_calling_thread() -> None:
    """wasmtime-py alone would not do so, because it stores the exception in one place for all threads."""

    def checked(x: float) -> float:
        if x > 0.0:
            raise KeyError(x)
        return x

    host = eg.opaque(checked, [eg.Real], eg.Real)

    def work(k: int) -> None:
        raising = eg.compile(eg.fn([eg.Real])(lambda x: host(x) + 1.0))
        trapping = eg.compile(eg.fn([eg.Vec(3, eg.Real), eg.Fin(9)])(lambda v, i: v[i]))
        for j in range(200):
            x = float(1000 * k + j + 1)
            with pytest.raises(KeyError) as raised:
                raising(x)
            assert raised.value.args == (x,)
            assert raising(-1.0) == 0.0
            with pytest.raises(eg.ShapeError):
                trapping([1.0, 2.0, 3.0], 7)

    in_threads(work)


def test_threads_may_run_the_interpreter_together() -> None:
    f = eg.fn([eg.Real])(lambda x: eg.sum(20, lambda i: eg.math.sin(x * eg.real(i))))
    expected = [f(float(j)) for j in range(20)]
    again = eg.fn([eg.Real])(lambda x: eg.sum(20, lambda i: eg.math.sin(x * eg.real(i))))
    for found in in_threads(lambda _: [again(float(j)) for j in range(20)]):
        assert found == expected


@pytest.mark.nightly
def test_threads_may_make_a_hundred_thousand_calls_of_each_kind() -> None:
    scalar, arrays, lender = eg.compile(polynomial), eg.compile(scaled), eg.compile(scaled)
    borrower, jitted = eg.compile(scaled, memory=lender), eg.jit(lambda x, y: x * x * 3.0 - y * 2.0 + 1.0)

    def work(k: int) -> None:
        for j in range(12_500):
            x, y, v = float(j), float(k), [float(k)] * N
            assert scalar(x, y) == jitted(x, y) == 3.0 * x * x - 2.0 * y + 1.0
            assert arrays(v, x) == (lender, borrower)[k % 2](v, x) == [k * j + 1.0] * N

    in_threads(work)


# ---------------------------------------------------------------- compiling


def programs() -> list[Any]:
    """Functions of many kinds. Some share derivatives, library functions, loops and branches."""
    shared = eg.fn([eg.Real])(lambda x: eg.math.exp(eg.math.sin(x)) + x**2.5)
    made: list[Any] = [shared, eg.grad(shared), eg.grad(eg.grad(shared)), eg.value_and_grad(power), power]
    for c in range(1, 6):
        line = eg.fn([eg.Real, eg.Real])(lambda x, y, c=c: eg.math.log(x * c) * y - eg.math.tanh(y + c))
        made += [line, eg.grad(line, (0, 1)), eg.hessian(line, (0, 1))]
    made.append(eg.grad(eg.fn([V])(lambda v: eg.sum(N, lambda i: shared(v[i]) * shared(v[N - 1 - i])))))
    return made


def test_modules_compiled_at_the_same_time_have_the_bytes_of_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(emit, "_kept", {})
    expected = [eg.compile_artifact(f).wasm for f in programs()]
    monkeypatch.setattr(emit, "_kept", {})
    everybodys = programs()  # one set of functions for all threads, with an empty cache

    def work(k: int) -> list[bytes]:
        order = [*range(k, len(everybodys)), *range(k)]
        made = {j: eg.compile_artifact(everybodys[j]).wasm for j in order}
        own = [eg.compile_artifact(f).wasm for f in programs()]
        assert own == [made[j] for j in range(len(made))]
        return own

    assert all(found == expected for found in in_threads(work))


def test_library_functions_are_made_once_in_a_fresh_process() -> None:
    script = """
import sys, threading
sys.setswitchinterval(1e-6)
from eglantine.mathlib.library import library
from eglantine.optimise.pipeline import ready_library
names = ["exp", "log", "sin", "cos", "tanh", "pow", "erf", "lgamma"]
start, found = threading.Barrier(8), []
def work():
    start.wait()
    found.append([make(name) for make in (library, ready_library) for name in names])
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), all(a is b for one in found for a, b in zip(one, found[0], strict=True)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "8 True\n"


# ---------------------------------------------------------------- waiting and its limits


def test_threads_that_would_wait_for_each_other_for_ever_get_an_error() -> None:
    inner: dict[str, Any] = {}
    both_inside = threading.Barrier(2)

    def calling(name: str) -> Any:
        def host(x: float) -> float:
            both_inside.wait()
            return inner[name](x)

        return eg.opaque(host, [eg.Real], eg.Real)

    hosts = [calling("a"), calling("b")]
    first, second = (eg.compile(eg.fn([eg.Real])(lambda x, host=host: host(x) + 1.0)) for host in hosts)
    inner.update(a=second, b=first)
    errors: list[eg.EglantineError] = []

    def run(kernel: Any) -> None:
        try:
            kernel(1.0)
        except (eg.EglantineError, threading.BrokenBarrierError) as error:
            if isinstance(error, eg.EglantineError):
                errors.append(error)
            both_inside.abort()

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert errors
    assert "wait for each other" in str(errors[0])


def test_kernels_with_memories_of_their_own_run_at_the_same_time() -> None:
    """Each thread's opaque function waits until the other thread is inside its kernel, too."""
    both_inside = threading.Barrier(2)
    host = eg.opaque(lambda x: both_inside.wait(60) * 0.0 + x, [eg.Real], eg.Real)
    kernels = [eg.compile(eg.fn([eg.Real])(lambda x: host(x) + 1.0)) for _ in range(2)]
    found: list[float] = []
    threads = [threading.Thread(target=lambda k=k: found.append(k(1.0))) for k in kernels]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2.0, 2.0]


def test_a_signal_while_a_thread_waits_leaves_the_kernel_to_the_others() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def host(x: float) -> float:
        inside.set()
        go_on.wait(60)
        return x

    opaque = eg.opaque(host, [eg.Real], eg.Real)
    kernel = eg.compile(eg.fn([eg.Real])(lambda x: opaque(x) + 1.0))
    found: list[float] = []
    thread = threading.Thread(target=lambda: found.append(kernel(1.0)))
    thread.start()
    assert inside.wait(60)

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(TimeoutError):
            kernel(2.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    go_on.set()
    thread.join()
    assert found == [2.0]
    assert kernel(3.0) == 4.0


def test_signals_at_any_moment_leave_a_kernel_that_can_be_called() -> None:
    """A handler raises thousands of times, at any point of a call."""
    kernel = eg.compile(polynomial)
    raised = 0

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    try:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0002)
                for j in range(10_000):
                    assert kernel(float(j), 1.0) == 3.0 * j * j - 1.0
            except TimeoutError:
                raised += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert raised > 100
    found: list[float] = []
    thread = threading.Thread(target=lambda: found.append(kernel(2.0, 1.0)))
    thread.start()
    thread.join(60)
    assert found == [11.0]


def test_a_finaliser_calling_its_kernel_gets_an_error_or_the_right_number() -> None:
    kernel = eg.compile(scaled)
    seen: list[Any] = []

    class Finalised:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            try:
                seen.append(kernel([1.0] * N, 2.0) == [3.0] * N)
            except eg.EglantineError as error:
                seen.append("within a call" in str(error))

    threshold = gc.get_threshold()
    gc.set_threshold(7)
    try:
        for j in range(500):
            Finalised()
            assert kernel([float(j)] * N, 3.0) == [3.0 * j + 1.0] * N
    finally:
        gc.set_threshold(*threshold)
    gc.collect()
    assert len(seen) >= 500
    assert all(seen)


def test_a_gate_wakes_every_waiting_thread() -> None:
    gate, counted = Gate(), []

    def add() -> None:
        before = len(counted)
        time.sleep(0)
        counted.append(before)

    in_threads(lambda _: [gate.run("f", add) for _ in range(200)])
    assert counted == list(range(200 * THREADS))
    assert gate.waiting == 0
    assert gate.free == [None]
