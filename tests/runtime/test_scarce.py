"""Kernels need few memory addresses and mappings. If the system has too few, an error explains this."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest

import eglantine as eg
from eglantine.runtime import native as runtime_wasmtime
from eglantine.runtime.native import WasmtimeHost
from tests.engines import bits
from tools.bootstrap import ROOT

from .modules import artifact, kernel

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")

SCARCE = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (4_000_000 << 10, 4_000_000 << 10))
import eglantine as eg
"""


def outcome(script: str) -> list[str]:
    """Run a script in a process with a limited address space. Return the lines that it prints."""
    path = os.pathsep.join([str(ROOT / "pyodide_pkg"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCARCE + script],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


@linux
def test_kernels_of_all_kinds_run_with_4_000_000_kilobytes_of_addresses() -> None:
    script = """
n = 1000
V = eg.Vec(n, eg.Real)
scaled = eg.fn([V, eg.Real])(lambda v, x: eg.vec(n, lambda i: v[i] * x))
kernels = [eg.compile(scaled) for _ in range(200)]
print([kernels[k]([1.0] * n, float(k))[n - 1] for k in (0, 1, 199)])
borrower = eg.compile(scaled, memory=kernels[0])
print(borrower([2.0] * n, 3.0)[0], borrower.batch([[2.0] * n], [4.0])[0][0])
power = eg.fn([eg.Real, eg.Real])(lambda x, m: eg.while_loop(
    lambda s: s[1] < m, lambda s: (s[0] * x, s[1] + 1.0), (x * 0.0 + 1.0, m * 0.0))[0])
growing = eg.compile(eg.value_and_grad(power))
print(growing(1.0, 3.0), growing(1.0, 100_000.0), growing(2.0, 3.0))
interruptible = eg.compile(power, interruptible=True)
print(interruptible(2.0, 10.0))
checked = eg.compile(eg.fn([V, eg.Fin(2000)])(lambda v, i: v[i]))
for i in (7, 1500):
    try:
        print(checked([5.0] * n, i))
    except eg.ShapeError:
        print("trapped")
"""
    assert outcome(script) == [
        "[0.0, 1.0, 199.0]",
        "6.0 8.0",
        "(1.0, 3.0) (1.0, 100000.0) (8.0, 12.0)",
        "1024.0",
        "5.0",
        "trapped",
    ]


@linux
def test_the_error_names_the_limit_on_addresses() -> None:
    script = """
large = eg.fn([eg.Vec(1 << 24, eg.Real)])(lambda v: eg.vec(1 << 24, lambda i: v[i] * 2.0))
kernels = []
try:
    for _ in range(100):
        kernels.append(eg.compile(large))
except eg.LimitError as error:
    print(error)
small = eg.compile(eg.fn([eg.Real])(lambda x: x + 1.0))
print(0 < len(kernels) < 100, small(1.0))
"""
    error, rest = outcome(script)
    assert error.startswith("A kernel needs 268,")
    assert "(this process may have 4,000,000 kB of addresses: ulimit -v)" in error
    assert rest == "True 2.0"


@linux
def test_the_error_says_if_mappings_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_wasmtime, "FEW_MAPPINGS", 1 << 40)
    assert "vm.max_map_count" in runtime_wasmtime._lacking()


def test_beyond_a_limit_new_memories_reserve_no_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime_wasmtime, "MOST_RESERVED", 2)
    host = WasmtimeHost()
    made = artifact([eg.Real], eg.Real, "(f64.store (i32.const 8) (f64.load (i32.const 0)))")
    live = [host.instantiate(made.wasm, made.abi, ()) for _ in range(4)]
    assert [instance.engines.lean for instance in live] == [False, False, True, True]
    for instance in live:
        instance.write(0, b"12345678")
        instance.call()
        assert bytes(instance.read(8, 8)) == b"12345678"
    del live[0], instance
    gc.collect()
    assert not host.instantiate(made.wasm, made.abi, ()).engines.lean


def test_an_engine_that_reserves_no_addresses_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.runtime.test_threads import programs

    points = {1: (0.7,), 2: (0.7, 3.0)}
    functions = [f for f in programs() if all(of == eg.Real for of in f.function.params)]
    expected = [eg.compile(f)(*points[len(f.function.params)]) for f in functions]
    lean = WasmtimeHost()
    lean._most_reserved = 0
    monkeypatch.setattr("eglantine.runtime.kernel.default_host", lambda interruptible=False: lean)
    kernels = [eg.compile(f) for f in functions]
    assert all(kernel._instance.engines.lean for kernel in kernels)
    found = [kernel(*points[len(f.function.params)]) for f, kernel in zip(functions, kernels, strict=True)]
    assert [bits(value) for value in found] == [bits(value) for value in expected]


@pytest.mark.parametrize("engine", [(True, False), (True, True)], ids=["mapped", "heap"])
def test_an_engine_that_reserves_no_addresses_raises_clear_errors(
    engine: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_wasmtime, "HEAP_BYTES", (1 << 30) * engine[1])
    lean = WasmtimeHost()
    lean._most_reserved = 0
    monkeypatch.setattr("eglantine.runtime.kernel.default_host", lambda interruptible=False: lean)
    recursing = kernel([eg.Real], eg.Unit, "(call $f)", declarations="(func $f (call $f))")
    dividing = kernel([eg.Real], eg.Unit, "(drop (i32.div_s (i32.const 1) (i32.const 0)))")
    straying = kernel([eg.Real], eg.Unit, "(drop (f64.load (i32.const -1)))")
    assert (recursing._instance.engines.lean, recursing._instance.engines.heap) == engine
    with pytest.raises(eg.LimitError, match="nest deeper"):
        recursing(1.0)
    with pytest.raises(eg.ShapeError, match="The divisor of an index must not be 0"):
        dividing(1.0)
    with pytest.raises(eg.CompileError, match="access beyond the memory"):
        straying(1.0)


LIVE = """
import sys
import eglantine as eg
from eglantine.runtime import native as runtime_wasmtime
from eglantine.runtime.kernel import Kernel

reserved, count = map(int, sys.argv[1:])
runtime_wasmtime.MOST_RESERVED = reserved
mappings = lambda: open("/proc/self/maps", "rb").read().count(b"\\n")
made = eg.compile_artifact(eg.fn([eg.Real])(lambda x: x * x + 1.0))
kernels = [Kernel(made, [eg.Real], eg.Real) for _ in range(reserved)]
before = mappings()
kernels += [Kernel(made, [eg.Real], eg.Real) for _ in range(count - reserved)]
assert all(k(float(j)) == j * j + 1.0 for j, k in enumerate(kernels))
print(len(kernels), (mappings() - before) / (count - reserved) < 2.1)
"""


def live(reserved: int, count: int) -> str:
    """Run LIVE in a new process, which creates `count` kernels. Return the text that it prints."""
    path = os.pathsep.join([str(ROOT / "pyodide_pkg"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", LIVE, str(reserved), str(count)],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stderr == ""
    return done.stdout


@linux
def test_kernels_without_reserved_addresses_take_two_mappings_each() -> None:
    """The code of a kernel needs two mappings of memory.

    So 20,000 kernels need fewer than 65,530 mappings, the limit of Linux.
    """
    assert 4 * runtime_wasmtime.MOST_RESERVED + 2.1 * (20_000 - runtime_wasmtime.MOST_RESERVED) < 65_530
    assert live(50, 800) == "800 True\n"


@pytest.mark.nightly
@linux
def test_twenty_thousand_kernels_can_exist_at_once() -> None:
    assert live(runtime_wasmtime.MOST_RESERVED, 20_000) == "20000 True\n"
