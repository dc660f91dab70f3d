"""Ctrl-C stops an interruptible kernel, even in an endless loop, and the program can continue."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import eglantine as eg
from tests.patience import PATIENCE_S
from tools.bootstrap import ROOT

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="Windows has no signal that one process sends another"
)

ENDLESS = """
import signal
import eglantine as eg

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job begins with it ignored
endless = eg.fn([eg.Real], eg.Real)(
    lambda x: eg.while_loop(lambda t: t >= 0.0, lambda t: eg.math.sqrt(t * t + 1.0), x)
)
kernel = eg.compile(endless, interruptible=True)
for _ in range(2):
    try:
        print("running", flush=True)
        {call}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
print(eg.compile(eg.fn([eg.Real], eg.Real)(lambda x: x + 1.0))(1.0))
"""


@pytest.mark.parametrize("call", ["kernel(1.0)", "kernel.batch([1.0, 2.0])"])
def test_ctrl_c_ends_an_endless_loop_and_the_program_continues(call: str) -> None:
    path = os.pathsep.join([str(ROOT / "pyodide_pkg"), str(ROOT)])
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS.format(call=call)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    watchdog = threading.Timer(PATIENCE_S, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        for _ in range(2):
            assert process.stdout.readline() == "running\n"
            time.sleep(0.3)  # give the process time to enter the loop
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
        # `communicate` would not return text that `readline` has already read into its buffer.
        assert process.stderr is not None
        with process.stdout, process.stderr:
            rest, errors = process.stdout.read(), process.stderr.read()
        process.wait(PATIENCE_S)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
    assert (rest, errors, process.returncode) == ("2.0\n", "", 0)


@eg.fn
def root(a: eg.Real) -> eg.Real:
    return eg.while_loop(lambda x: abs(x * x - a) > 1e-9, lambda x: (x + a / x) / 2, a)


def test_an_interruptible_kernel_has_the_same_values_traps_and_fuel() -> None:
    plain, kernel = eg.compile(root), eg.compile(root, interruptible=True)
    assert [kernel(float(x)) for x in range(1, 9)] == [plain(float(x)) for x in range(1, 9)]
    assert kernel.batch([2.0, 3.0]) == plain.batch([2.0, 3.0])
    assert kernel.wasm == plain.wasm
    counted = eg.compile(root, fuel=3, interruptible=True)
    with pytest.raises(eg.FuelError):
        counted(2.0)
    counted.fuel = 30
    assert counted(2.0) == plain(2.0)


def test_an_interruptible_kernel_passes_an_exception_of_a_host_function() -> None:
    @eg.fn
    def f(x: eg.Real) -> eg.Real:
        return host(x) + 1.0

    kernel = eg.compile(f, interruptible=True)
    assert kernel(1.0) == 2.0
    with pytest.raises(ZeroDivisionError):
        kernel(0.0)
    assert kernel(1.0) == 2.0


host = eg.opaque(lambda x: 1.0 / x, [eg.Real], eg.Real, pure=True)


def test_an_interruptible_kernel_runs_in_threads_and_shares_its_memory() -> None:
    kernel = eg.compile(root, interruptible=True)
    other = eg.compile(root, memory=kernel)
    found: list[float] = []
    thread = threading.Thread(target=lambda: found.extend([kernel(2.0), other(2.0)]))
    thread.start()
    thread.join()
    assert found == [kernel(2.0)] * 2 == [other(2.0)] * 2


def test_a_signal_handler_that_raises_ends_a_kernel() -> None:
    """Users can set a time limit: a signal handler that raises an error stops the kernel."""
    endless = eg.fn([eg.Real], eg.Real)(lambda x: eg.while_loop(lambda t: t >= 0.0, lambda t: t + 1.0, x))
    kernel = eg.compile(endless, interruptible=True)

    def late(*_: object) -> None:
        raise TimeoutError

    def interrupted_soon(kernel: eg.Kernel) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        kernel(0.0)

    before = signal.signal(signal.SIGALRM, late)
    try:
        with pytest.raises(TimeoutError):
            interrupted_soon(kernel)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_second_signal_in_an_opaque_function_closes_the_kernel() -> None:
    """After the first signal, a kernel waits for its opaque function. A second signal closes the kernel."""
    inside, go_on = threading.Event(), threading.Event()

    def wait(x: float) -> float:
        inside.set()
        go_on.wait(60)
        return x

    waiting = eg.opaque(wait, [eg.Real], eg.Real)
    kernel = eg.compile(eg.fn([eg.Real])(lambda x: waiting(x) + 1.0), interruptible=True)

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
        with pytest.raises(TimeoutError):
            kernel(0.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert inside.is_set()
    for _ in range(2):
        with pytest.raises(eg.EglantineError, match="second interrupt left this kernel"):
            kernel(1.0)
    go_on.set()
