"""Tests of kernels in wasmtime: arguments and results, traps and host functions."""

from __future__ import annotations

import asyncio
import inspect
import math
import sys
from array import array
from typing import Any, NamedTuple

import numpy as np
import pytest

from eglantine.errors import CompileError, FuelError, LimitError, ShapeError, TypeMismatchError
from eglantine.runtime import native as runtime_wasmtime
from eglantine.runtime.engines import default_host
from eglantine.runtime.kernel import Kernel, kernel_async
from eglantine.runtime.native import WasmtimeHost
from eglantine.types import Bool, Fin, Real, Unit, Vec, as_type

from .modules import artifact, host, identity, kernel

PRODUCT = "(f64.store (i32.const 16) (f64.mul (f64.load (i32.const 0)) (f64.load (i32.const 8))))"


class Pair(NamedTuple):
    """A struct."""

    x: Real
    p: Bool


# ---------------------------------------------------------------- values


def test_a_kernel_takes_and_returns_reals() -> None:
    k = kernel([Real, Real], Real, PRODUCT)
    assert k(3.0, 4.0) == 12.0
    assert k(3, np.float32(0.5)) == 1.5
    assert math.isnan(k(math.nan, 1.0))
    assert math.copysign(1.0, k(-0.0, 1.0)) == -1.0


VALUES = [
    (Real, 1.5),
    (Bool, True),
    (Fin(7), 6),
    (Unit, None),
    (Vec(3, Real), [1.0, -0.0, math.inf]),
    (Vec(0, Real), []),
    (Vec(2, Vec(0, Real)), [[], []]),
    (Vec(2, Vec(2, Real)), [[1.0, 2.0], [3.0, 4.0]]),
    (Vec(2, Bool), [True, False]),
    (Vec(2, Fin(5)), [4, 0]),
    ((Real, Bool, Fin(3)), (1.0, False, 2)),
    ({"b0": Real, "p": Bool, "b": Vec(2, Real)}, {"b0": 1.0, "p": True, "b": [2.0, 3.0]}),
    (Pair, Pair(2.0, True)),
    (Vec(2, Pair), [Pair(1.0, True), Pair(2.0, False)]),
    (Vec(2, {"v": Vec(2, Real), "i": Fin(9)}), [{"v": [1.0, 2.0], "i": 3}, {"v": [4.0, 5.0], "i": 8}]),
]


@pytest.mark.parametrize(("of", "value"), VALUES, ids=[str(of) for of, _ in VALUES])
def test_a_value_of_any_type_is_returned_unchanged(of: Any, value: Any) -> None:
    found = identity(of)(value)
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    "value",
    [
        array("d", [1, 2, 3, 4]),
        memoryview(array("d", [1, 2, 3, 4])),
        array("i", [1, 2, 3, 4]),
        (1, 2.0, 3, 4),
        range(1, 5),
    ],
    ids=["array", "memoryview", "ints", "tuple", "range"],
)
def test_buffers_and_sequences_are_accepted_as_vecs(value: Any) -> None:
    assert identity(Vec(4, Real))(value) == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1.0, 3.0], [2.0, 4.0]]).T,
        np.array([[1, 2], [3, 4]], dtype=np.int32),
        np.array([[1, 2], [3, 4]], dtype=">f8"),
        np.arange(1.0, 9.0).reshape(4, 2)[[0, 1]],
        [np.array([1.0, 2.0]), np.array([3.0, 4.0])],
    ],
    ids=["plain", "transposed", "ints", "big-endian", "taken", "list of arrays"],
)
def test_an_array_as_argument_gives_an_array_as_result(value: Any) -> None:
    found = identity(Vec(2, Vec(2, Real)))(value)
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_result_does_not_change_when_the_kernel_runs_again() -> None:
    k = identity(Vec(2, Real))
    first = k(np.array([1.0, 2.0]))
    k(np.array([3.0, 4.0]))
    assert first.tolist() == [1.0, 2.0]


def test_arrays_of_bools_and_indices_are_returned_with_their_types() -> None:
    assert identity(Vec(2, Bool))(np.array([True, False])).dtype == np.bool_
    assert identity(Vec(2, Fin(3)))(np.array([2, 0])).dtype == np.int64


def test_scalars_and_arrays_in_one_tuple_are_returned_unchanged() -> None:
    of = (Vec(2, Real), Real, Vec(1, Bool), Bool, Real)
    value = ([1.0, 2.0], 3.0, [True], True, 4.0)
    assert identity(of)(value) == value


def test_the_error_names_the_parameter_of_an_argument_that_does_not_fit() -> None:
    k = kernel([Real, Vec(2, Real)], Unit, "")
    with pytest.raises(TypeMismatchError, match=r"Argument x0 must be a float, but it is the str 'a'\."):
        k("a", [1.0, 2.0])
    with pytest.raises(ShapeError, match=r"Argument x1 must have 2 elements, .* but it has 3"):
        k(1.0, np.zeros(3))
    with pytest.raises(TypeMismatchError, match=r"f takes 2 arguments \(x0, x1\), but this call gives 1\."):
        k(1.0)
    with pytest.raises(TypeMismatchError, match="f takes 2 arguments"):
        kernel([Real, Real], Real, PRODUCT)(1.0, 2.0, 3.0)


def test_a_kernel_gives_access_to_its_module_abi_and_size() -> None:
    k = kernel([Real, Real], Real, PRODUCT)
    assert k.wasm[:4] == b"\0asm"
    assert k.abi["abi"] == 1
    assert k.memory_bytes == 24
    assert k.wat.startswith("(module")
    assert repr(k) == f"<kernel f, {len(k.wasm)} bytes>"
    with pytest.raises(CompileError, match=r"k.js exists only in a browser"):
        _ = k.js


# ---------------------------------------------------------------- traps


def stopping(body: str, **more: Any) -> Kernel:
    return kernel([Real], Unit, body, **more)


def test_a_trap_is_an_error_with_its_message_and_place() -> None:
    frame = inspect.currentframe()
    assert frame is not None
    body = """(global.set $trap (i32.const 2))
              (if (f64.gt (f64.load (i32.const 0)) (f64.const 0)) (then unreachable))
              (global.set $trap (i32.const 0))"""
    traps = [{"message": "First."}, {"message": "An index is out of range. Choose one from 0 to 2."}]
    k = stopping(body, traps=traps, trap_sources=[None, (frame.f_code, frame.f_lasti)])
    for _ in range(2):
        with pytest.raises(ShapeError, match="An index is out of range") as raised:
            k(1.0)
        assert raised.value.span is not None
        assert raised.value.span.source == __file__
        assert k(-1.0) is None


def test_a_trap_raises_the_class_of_error_that_the_abi_names() -> None:
    traps = [{"message": "No fuel is left.", "error": "FuelError"}]
    with pytest.raises(FuelError, match="No fuel"):
        stopping("(global.set $trap (i32.const 1)) unreachable", traps=traps)(1.0)


@pytest.mark.parametrize(
    ("body", "declarations", "error", "sentence"),
    [
        (
            "(drop (i32.div_s (i32.const 1) (i32.const 0)))",
            "",
            ShapeError,
            "The divisor of an index must not be 0",
        ),
        ("(call $f)", "(func $f (call $f))", LimitError, "nest deeper"),
        ("(drop (f64.load (i32.const -1)))", "", CompileError, "access beyond the memory"),
        ("unreachable", "", CompileError, "unreachable"),
    ],
)
def test_a_call_that_the_engine_stops_is_an_error_with_a_message(
    body: str, declarations: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        stopping(body, declarations=declarations)(1.0)


def test_calls_may_nest_ten_thousand_deep() -> None:
    declarations = """(func $sum (param $n f64) (result f64)
      (if (result f64) (f64.eq (local.get $n) (f64.const 0)) (then (f64.const 0))
        (else (f64.add (local.get $n) (call $sum (f64.sub (local.get $n) (f64.const 1)))))))"""
    body = "(f64.store (i32.const 8) (call $sum (f64.load (i32.const 0))))"
    assert kernel([Real], Real, body, declarations=declarations)(10_000.0) == 50_005_000.0


# ---------------------------------------------------------------- host functions

CALLING = "(f64.store (i32.const 8) (call $h0 (f64.load (i32.const 0))))"
LOG = host("h0", ["f64"], ["f64"])


def test_a_module_calls_its_host_functions() -> None:
    assert kernel([Real], Real, CALLING, [math.exp], imports=[LOG])(1.0) == math.e


def test_an_exception_in_a_host_function_reaches_the_caller_unchanged() -> None:
    raised = KeyError("mine")

    def host_function(x: float) -> float:
        if x < 0:
            raise raised
        return x

    k = kernel([Real], Real, CALLING, [host_function], imports=[LOG])
    with pytest.raises(KeyError) as found:
        k(-1.0)
    assert found.value is raised
    assert k(2.0) == 2.0
    other = stopping("unreachable")
    with pytest.raises(CompileError):
        other(1.0)


def test_an_interrupt_in_a_host_function_reaches_the_caller() -> None:
    def interrupted(x: float) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernel([Real], Real, CALLING, [interrupted], imports=[LOG])(1.0)


def test_a_host_function_may_return_no_value_one_value_or_several() -> None:
    seen: list[Any] = []

    def report(x: float, i: int) -> None:
        seen.append((x, i))

    imports = [host("h0", ["f64", "i32"], []), host("h1", ["f64"], ["f64", "i32"]), host("h2", [], ["i32"])]
    body = """(call $h0 (f64.load (i32.const 0)) (i32.const 7))
              (call $h1 (f64.load (i32.const 0))) (i32.add (call $h2)) drop drop"""
    hosts = [report, lambda x: [2 * x, True], lambda: True]
    kernel([Real], Unit, body, hosts, imports=imports)(1.5)
    assert seen == [(1.5, 7)]


# ---------------------------------------------------------------- hosts


@pytest.fixture
def documented_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable our direct call of a C function, so that kernels use wasmtime-py's documented call."""

    def missing(*_: Any) -> Any:
        raise AttributeError

    monkeypatch.setattr(runtime_wasmtime, "_direct_entry", missing)


def test_without_the_direct_c_call_a_kernel_uses_the_documented_call(documented_calls: None) -> None:
    assert kernel([Real, Real], Real, PRODUCT)(3.0, 4.0) == 12.0
    with pytest.raises(CompileError, match="unreachable"):
        stopping("unreachable")(1.0)
    with pytest.raises(ZeroDivisionError):
        kernel([Real], Real, CALLING, [lambda x: 1 // 0], imports=[LOG])(1.0)


def test_the_direct_c_call_works_with_this_wasmtime() -> None:
    k = kernel([Real, Real], Real, PRODUCT)
    assert k._instance._enter.__qualname__.startswith("_direct_entry")


def test_without_wasmtime_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_wasmtime, "wasmtime", None)
    with pytest.raises(CompileError, match=r"pip install eglantine\[native\]"):
        kernel([Real, Real], Real, PRODUCT)


def test_a_broken_module_is_an_error_with_a_message() -> None:
    made = artifact([], Unit, "")
    with pytest.raises(CompileError, match="wasmtime rejected this module"):
        WasmtimeHost().instantiate(made.wasm[:-1], made.abi, ())


def test_a_module_of_another_abi_is_an_error() -> None:
    made = artifact([], Unit, "")
    made.abi["abi"] = 2
    with pytest.raises(CompileError, match="This module has the ABI 2, but this version needs 1"):
        Kernel(made, [], Unit)


def test_a_module_without_memory_runs() -> None:
    made = artifact([], Unit, "")
    made.abi["memory"] = {"bytes": 0, "export": "none", "pages": 0}
    assert Kernel(made, [], as_type(None))() is None


def test_a_kernel_may_be_made_without_blocking() -> None:
    k = asyncio.run(kernel_async(artifact([Real, Real], Real, PRODUCT), [Real, Real], Real))
    assert k(3.0, 4.0) == 12.0


def test_in_this_process_wasmtime_is_the_host() -> None:
    assert sys.platform != "emscripten"
    assert isinstance(default_host(), WasmtimeHost)
