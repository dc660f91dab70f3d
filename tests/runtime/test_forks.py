"""Kernels work in forked processes and in the processes of `multiprocessing`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bootstrap import ROOT

TIMEOUT_S = 100
BEGIN = """
import os, sys, threading, traceback
import eglantine as eg

def in_child(work):
    # The child's output, and whether it ended well. An alarm ends a child that hangs.
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        import signal
        signal.alarm(60)
        try:
            print(work(), flush=True)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)

square = eg.fn([eg.Real])(lambda x: x * x + 1.0)
total = eg.fn([eg.Vec(3, eg.Real)])(lambda v: eg.sum(3, lambda i: v[i] * v[i]))

def compiled_anew():
    fresh = eg.fn([eg.Real])(lambda x: x * x * x)
    return eg.compile(fresh)(2.0), eg.compile(eg.grad(fresh))(2.0), eg.jit(lambda v: v[0] * v[1])([2.0, 3.0])
"""


def outcome(script: str, folder: Path | None = None) -> str:
    """Run BEGIN + `script` in a new process. Return the text that the process prints."""
    path = os.pathsep.join([str(ROOT / "pyodide_pkg"), str(ROOT)])
    command = [sys.executable, "-W", "error", "-c", BEGIN + script]
    if folder is not None:
        (folder / "script.py").write_text(BEGIN + script, encoding="utf-8")
        command = [sys.executable, "-W", "error", str(folder / "script.py")]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stderr == ""
    return done.stdout


forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


@forking
def test_a_forked_child_can_compile() -> None:
    script = "eg.compile(square)(1.0)\nin_child(compiled_anew)"
    assert outcome(script) == "(8.0, 12.0, 6.0)\n0\n"


@forking
def test_a_forked_child_can_compile_after_threads_of_its_parent_did() -> None:
    script = """
from eglantine.runtime import native as runtime_wasmtime
runtime_wasmtime.PARALLEL_BYTES = 0
eg.compile(square)(1.0)
import warnings
warnings.simplefilter("ignore")  # from Python 3.12 on, forking such a process is worth a warning
in_child(compiled_anew)
kernel = eg.compile(square)
in_child(lambda: (kernel.batch([1.0, 2.0]), eg.compile(total, memory=kernel)([1.0, 2.0, 3.0])))
"""
    assert outcome(script) == "(8.0, 12.0, 6.0)\n0\n([2.0, 5.0], 14.0)\n0\n"


@forking
def test_a_child_can_call_its_parents_kernels_without_changing_them() -> None:
    script = """
scalar, arrays = eg.compile(square), eg.compile(total)
endless = eg.fn([eg.Real], eg.Real)(lambda x: eg.while_loop(lambda t: t > 0.0, lambda t: t, x))
trapping = eg.compile(endless, fuel=9)
def calls():
    try:
        trapping(1.0)
    except eg.FuelError:
        borrower = eg.compile(total, memory=arrays)
        return scalar(3.0), arrays([1.0, 2.0, 3.0]), scalar.batch([1.0, 2.0]), borrower([2.0] * 3)
arrays([1.0, 1.0, 1.0])
in_child(calls)
print(arrays(...), scalar(3.0), scalar.batch([1.0, 2.0]))
"""
    assert outcome(script) == "(10.0, 14.0, [2.0, 5.0], 12.0)\n0\n3.0 10.0 [2.0, 5.0]\n"


RUNNING = """
inside, go_on = threading.Event(), threading.Event()
def pause(x):
    inside.set()
    go_on.wait(60)
    return x
host = eg.opaque(pause, [eg.Real], eg.Real)
kernel = eg.compile(eg.fn([eg.Real])(lambda x: host(x) + 1.0))
found = []
thread = threading.Thread(target=lambda: found.append(kernel(1.0)))
"""


@forking
def test_a_kernel_that_ran_during_the_fork_raises_in_the_child() -> None:
    script = (
        RUNNING
        + """
import warnings
warnings.simplefilter("ignore")
thread.start()
inside.wait(60)
waiting = threading.Thread(target=lambda: found.append(kernel(2.0)))
waiting.start()
while not kernel._gate.waiting: pass
def call():
    for _ in range(2):
        try:
            kernel(5.0)
        except eg.EglantineError as error:
            print(error)
    return compiled_anew()
in_child(call)
go_on.set()
thread.join()
waiting.join()
print(sorted(found))
"""
    )
    first, second, *rest = outcome(script).splitlines()
    assert first == second
    assert first.startswith("Another thread was running this kernel when this process was forked")
    assert rest == ["(8.0, 12.0, 6.0)", "0", "[2.0, 3.0]"]


@forking
def test_an_opaque_function_may_fork_its_process() -> None:
    script = """
def forked(x):
    in_child(lambda: (compiled_anew(), other(2.0)))
    return x
other = eg.compile(square)
host = eg.opaque(forked, [eg.Real], eg.Real)
kernel = eg.compile(eg.fn([eg.Real])(lambda x: host(x) + 1.0))
print(kernel(1.0), kernel(2.0))
"""
    child = "((8.0, 12.0, 6.0), 5.0)\n0\n"
    assert outcome(script) == f"{child}{child}2.0 3.0\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_multiprocessing_compile_and_run_kernels(method: str, tmp_path: Path) -> None:
    import multiprocessing

    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("this system has no such processes")
    script = f"""
import multiprocessing

def work(x):
    jitted = eg.jit(lambda v: v[0] * v[1])
    return eg.compile(square)(x) + jitted([x, 1.0]) + eg.compile(eg.grad(total))([x] * 3)[2]

if __name__ == "__main__":
    expected = work(2.0)
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        print(pool.map_async(work, [2.0, 3.0, 4.0]).get(60), expected)
"""
    assert outcome(script, tmp_path) == "[11.0, 19.0, 29.0] 11.0\n"
