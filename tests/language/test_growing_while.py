"""Tests of while loops that need more memory in each round: limits, fuel, batches and several engines."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from eglantine.api import compile_artifact
from eglantine.emit import entry as emit_entry
from tests.emit.node import node
from tests.engines import bits, run
from tests.language.whiles import PROGRAMS, ROOT, V3, R, each_program, fn, needs_wasm, newton
from tests.laws.comparing import jvp_of

# ---------------------------------------------------------------- memory


@needs_wasm
def test_a_module_without_growing_arrays_has_memory_of_fixed_size() -> None:
    for f in (fn(newton), jvp_of(fn(newton)), eg.fn([V3], R)(eg.norm)):
        artifact = compile_artifact(f)
        assert "max_pages" not in artifact.abi["memory"]
        assert "memory.grow" not in artifact.wat


@needs_wasm
def test_a_million_rounds_in_forward_mode_take_no_memory() -> None:
    def f(x: Any) -> Any:
        step = lambda c: (c[0] + 1.0, 0.5 * c[1] + x)  # noqa: E731
        return eg.while_loop(lambda c: c[0] < 1e6, step, (0.0, 0.0))[1]

    g = eg.compile(fn(f))
    assert g(1.0) == 2.0
    assert g.memory_bytes < 200


def _rounds(x: Any, n: Any) -> Any:
    """y ← sin(y) + x, n times, from y = x."""
    step = lambda c: (c[0] + 1.0, eg.math.sin(c[1]) + x)  # noqa: E731
    return eg.while_loop(lambda c: c[0] < n, step, (0.0, x))[1]


def _rounds_by_hand(x: float, n: float) -> float:
    """Compute the derivative of `_rounds` with respect to x in plain Python."""
    y, dy = x, 1.0
    for _ in range(int(n)):
        y, dy = math.sin(y) + x, math.cos(y) * dy + 1.0
    return dy


@needs_wasm
def test_memory_grows_with_the_rounds_and_later_calls_reuse_it() -> None:
    k = eg.compile(eg.grad(eg.fn([R, R], R)(_rounds)))
    size = k._instance.size
    assert k(0.3, 10.0) == pytest.approx(_rounds_by_hand(0.3, 10))
    small = size()
    assert k(0.3, 100_000.0) == pytest.approx(_rounds_by_hand(0.3, 100_000))
    large = size()
    assert small < 200_000
    assert 800_000 < large < 5_000_000
    for n in (100_000.0, 3.0, 0.0, 99_999.0, 100_000.0):
        assert k(0.3, n) == pytest.approx(_rounds_by_hand(0.3, n))
        assert size() == large


@needs_wasm
def test_a_call_does_not_depend_on_the_trip_counts_of_earlier_calls() -> None:
    for g in (eg.grad(eg.fn([R, R], R)(_rounds)), eg.grad(eg.grad(eg.fn([R, R], R)(_rounds)))):
        k = eg.compile(g)
        for n in (5.0, 700.0, 0.0, 64.0, 65.0, 63.0, 1000.0, 1.0, 2000.0):
            assert bits(k(0.4, n)) == bits(g(0.4, n))


@needs_wasm
def test_a_kernel_works_after_a_limit_error_for_lack_of_memory() -> None:
    k = eg.compile(eg.grad(eg.fn([R, R], R)(_rounds)), memory=1 << 20)
    with pytest.raises(eg.LimitError, match=r"stores \d+ bytes for each round, and may use 1,048,576 bytes"):
        k(0.3, 1e6)
    assert k(0.3, 100.0) == pytest.approx(_rounds_by_hand(0.3, 100))


@needs_wasm
def test_each_round_of_a_while_loop_takes_fuel() -> None:
    k = eg.compile(eg.fn([R, R], R)(_rounds), fuel=1000)
    assert k(0.3, 900.0) == k(0.3, 900.0)
    with pytest.raises(eg.FuelError):
        k(0.3, 1e18)
    g = eg.compile(eg.grad(eg.fn([R, R], R)(_rounds)), fuel=1000)
    assert g(0.3, 400.0) == pytest.approx(_rounds_by_hand(0.3, 400))
    with pytest.raises(eg.FuelError):
        g(0.3, 600.0)


WIDE = 200


def _wide(v: Any, n: Any) -> Any:
    """Change a long Vec in n steps. Return the sum of the squares of its elements."""
    step = lambda c: (c[0] + 1.0, 0.5 * c[1] * c[1] + v)  # noqa: E731
    last = eg.while_loop(lambda c: c[0] < n, step, (0.0, v * v))[1]
    return eg.sum(last * last)


@needs_wasm
def test_a_batch_of_a_growing_kernel_equals_single_calls() -> None:
    k = eg.compile(eg.grad(eg.fn([eg.Vec(WIDE, R), R], R)(_wide)))
    vs = [[1e-5 * i * j for i in range(WIDE)] for j in range(1, 150)]
    ns = [float(j * j % 301) for j in range(1, 150)]
    k(vs[0], 100.0)
    expected = [k(x, n) for x, n in zip(vs, ns, strict=True)]
    assert bits(list(k.batch(vs, ns))) == bits(expected)
    assert bits([k(x, n) for x, n in zip(vs, ns, strict=True)]) == bits(expected)


@needs_wasm
def test_two_kernels_in_one_growing_memory_give_the_right_results() -> None:
    """Two kernels share a memory, and both make it grow. The second kernel has large arrays."""
    f, g = eg.grad(eg.fn([R, R], R)(_rounds)), eg.grad(eg.fn([eg.Vec(30_000, R), R], R)(_wide))
    k = eg.compile(f)
    k(0.1, 5000.0)
    other = eg.compile(g, memory=k)
    v = [1e-5 * i for i in range(30_000)]
    for n in (2.0, 6.0, 1.0, 7.0):
        expected = bits([f(0.2, 1000 * n), g(v, n), f(0.3, 1000 * n)])
        assert bits([k(0.2, 1000 * n), other(v, n), k(0.3, 1000 * n)]) == expected


def test_v8_gives_the_same_bits_after_growing_memory() -> None:
    """V8 may move a memory that grows. The test runs one instance for few rounds and for many rounds."""
    v8 = node()
    if v8 is None:
        pytest.skip("node is not here")
    counts = [(0.4, n) for n in (5.0, 20_000.0, 0.0, 64.0, 30_000.0, 7.0)]
    for g in (eg.grad(eg.fn([R, R], R)(_rounds)), eg.grad(eg.grad(eg.fn([R, R], R)(_rounds)))):
        calls = v8.run(compile_artifact(g), counts)
        assert bits([call.result for call in calls]) == bits([[g(*at)] for at in counts])
    for f, x in PROGRAMS.values():
        g = eg.grad(fn(f))
        (call,) = v8.run(compile_artifact(g), [(x,)])
        assert bits(call.result) == bits([g(x)])


PAGE = """
import { instantiate } from %s;
const { wasm, abi, calls } = %s;
const kernel = instantiate(Uint8Array.from(Buffer.from(wasm, "hex")), abi);
console.log(JSON.stringify(calls.map((args) => kernel.call(...args))));
"""


def test_the_kernel_of_the_pages_reads_memory_that_has_grown(tmp_path: Path) -> None:
    path = shutil.which("node")
    if path is None:
        pytest.skip("node is not here")
    g = eg.grad(eg.fn([V3, R], R)(lambda v, n: _rounds(v[1], n)))
    artifact = compile_artifact(g)
    calls = [([0.1, 0.4, 0.2], n) for n in (5.0, 20_000.0, 7.0)]
    what = {"wasm": artifact.wasm.hex(), "abi": artifact.abi, "calls": calls}
    source = json.dumps((ROOT / "static/js/engine/kernel.js").as_uri())
    script = tmp_path / "page.mjs"
    script.write_text(PAGE % (source, json.dumps(what)), encoding="utf-8")
    done = subprocess.run([path, script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [g(*at) for at in calls]


@needs_wasm
@each_program
def test_a_long_function_may_be_cut_around_growing_loops(
    f: Any, x: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emit_entry, "CUT_ROWS", 0)
    monkeypatch.setattr(emit_entry, "PART_INSTRUCTIONS", 4)
    run(eg.grad(fn(f)), x)
    run(eg.grad(eg.grad(fn(f))), x)
