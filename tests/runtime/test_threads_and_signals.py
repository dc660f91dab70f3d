"""Tests of kernels in several threads that wait for each other, and of signals during calls of kernels."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import eglantine as eg
from eglantine.runtime.gates import Gate
from tests.runtime.several_threads import THREADS, N, in_threads, polynomial, scaled

pytestmark = pytest.mark.usefixtures("switching_often")


def test_threads_make_each_library_function_once_in_a_new_process() -> None:
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


def test_threads_that_would_wait_for_each_other_forever_raise_an_error() -> None:
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


def test_kernels_with_separate_memories_run_at_the_same_time() -> None:
    """Each thread's opaque function waits until the other thread's opaque function runs, too."""
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


def test_after_a_signal_in_a_waiting_thread_others_can_call_the_kernel() -> None:
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


def test_a_kernel_can_be_called_after_signals_at_any_moment() -> None:
    """While a kernel is called again and again, a signal handler raises errors at random moments."""
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


def test_a_kernel_called_in_a_finaliser_raises_or_gives_the_right_number() -> None:
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


def test_releasing_a_gate_wakes_every_waiting_thread() -> None:
    gate, counted = Gate(), []

    def add() -> None:
        before = len(counted)
        time.sleep(0)
        counted.append(before)

    in_threads(lambda _: [gate.run("f", add) for _ in range(200)])
    assert counted == list(range(200 * THREADS))
    assert gate.waiting == 0
    assert gate.free == [None]
