"""Tests of whole modules: size, ABI, division into functions, fuel, limits, and equal bits in V8."""

from __future__ import annotations

import random
import shutil
import struct
from typing import Any

import pytest
import wasmtime

import eglantine as eg
from eglantine.emit import body as emit_body
from eglantine.errors import CompileError, LimitError, TypeMismatchError
from eglantine.exports.script import exported
from eglantine.ir.builder import Builder
from eglantine.ir.program import Function, Loop
from eglantine.ir.row_types import F64, I32, Acc, Array
from eglantine.optimise.pipeline import optimise
from eglantine.runtime.native import WasmtimeHost
from eglantine.types import Fin, Real, TupleType, Unit, Vec
from tests.emit.running import agree, bits, compiled, function, run, run_in_node

POINT = {"x": eg.Real, "rest": (eg.Vec(2, eg.Fin(4)), eg.Bool, eg.Unit)}


def straight(n: int, seed: int = 1) -> Function:
    """Make a function with about n rows of random arithmetic on two parameters. Each row uses recent rows."""
    draw = random.Random(seed)  # noqa: S311 - a test's own
    b = Builder()
    rows = [b.param(F64), b.param(F64)]
    while len(b.rows) < n:
        x, y = (rows[-1 - min(int(draw.expovariate(0.1)), len(rows) - 1)] for _ in range(2))
        match draw.randrange(6):
            case 0:
                rows.append(b.add(x, b.const(draw.choice((0.5, 1.25, -2.0)))))
            case 1:
                rows.append(b.select(b.bi("lt", x, y), y, x))
            case 2:
                rows.append(b.mul(b.un("sin", x), y))
            case 3:
                rows.append(b.sub(x, y))
            case _:
                rows.append(b.mul(x, b.const(draw.random())))
    return function(b, rows[-3:])


# ---------------------------------------------------------------- contract


def test_the_contract_gives_the_address_of_each_parameter_and_result() -> None:
    matrix = eg.Vec(2, eg.Vec(3, eg.Real))
    f = eg.fn([POINT, matrix])(lambda p, m: {"y": p["x"] + m[0][1], "z": p["rest"][1]})
    abi = compiled(optimise(f.function), name="shown").abi
    assert abi == {
        "abi": 1,
        "name": "shown",
        "export": "main",
        "params": [
            {
                "name": "p",
                "type": {
                    "struct": {"x": "real", "rest": {"tuple": [{"vec": 2, "of": {"fin": 4}}, "bool", "unit"]}}
                },
                "leaves": [
                    {"dtype": "f64", "dims": [], "at": 64},
                    {"dtype": "i32", "dims": [2], "at": 72},
                    {"dtype": "i32", "dims": [], "at": 80},
                ],
            },
            {
                "name": "m",
                "type": {"vec": 2, "of": {"vec": 3, "of": "real"}},
                "leaves": [{"dtype": "f64", "dims": [2, 3], "at": 88}],
            },
        ],
        "result": {
            "type": {"struct": {"y": "real", "z": "bool"}},
            "leaves": [{"dtype": "f64", "dims": [], "at": 136}, {"dtype": "i32", "dims": [], "at": 144}],
        },
        "imports": [],
        "memory": {"bytes": 152, "export": "memory", "pages": 1},
        "traps": [],
    }


def test_a_power_with_gradient_and_hessian_is_small() -> None:
    f = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x**y)
    both = eg.fn([eg.Real, eg.Real])(
        lambda x, y: (f(x, y), eg.grad(f, argnums=(0, 1))(x, y), eg.hessian(f, argnums=(0, 1))(x, y))
    )
    assert len(eg.compile_artifact(both).wasm) <= 4000  # this module's budget


@pytest.mark.parametrize("n", [100, 5000])
def test_the_same_function_gives_the_same_bytes(n: int) -> None:
    assert compiled(straight(n)).wasm == compiled(straight(n)).wasm
    f = straight(n)
    assert compiled(f).wasm == compiled(f).wasm


def test_a_traced_line_is_one_place_after_python_has_specialised_it() -> None:
    def made() -> Any:
        @eg.fn
        def f(v: eg.Vec(20, eg.Real), i: eg.Fin(15)) -> eg.Real:  # type: ignore[valid-type]
            total = 0.0
            for k in range(6, 18):
                total = total + v[i + k]  # type: ignore[index]
            return total

        return eg.compile_artifact(f)

    first, *later = [made() for _ in range(4)]
    assert len(first.abi["traps"]) == 1
    assert all(artifact.wasm == first.wasm for artifact in later)


def test_a_module_contains_no_names() -> None:
    assert not any(name in compiled(straight(30)).wasm for name in (b"name", b"sin"))


def test_a_module_with_big_arrays_declares_enough_pages_of_memory() -> None:
    of = eg.Vec(100_000, eg.Real)
    artifact = eg.compile_artifact(eg.fn([of], of)(lambda v: v * 2.0))
    assert artifact.abi["memory"] == {"bytes": 1_600_064, "export": "memory", "pages": 25}


# ---------------------------------------------------------------- cutting long blocks


@pytest.mark.parametrize("n", [2000, 9000, 30_000])
def test_long_blocks_are_cut_into_functions(n: int) -> None:
    f = straight(n)
    agree(f, 0.75, -1.5)
    parts = sum(" part " in name for name in compiled(f).function_names)
    assert n // 5000 <= parts <= n // 1000


def test_a_result_of_a_hundred_thousand_elements_is_cut_into_functions() -> None:
    b = Builder()
    x = b.param(F64)
    elements = [b.mul(b.add(x, b.const(float(k))), x) for k in range(100_000)]
    f = function(b, [b.stack(elements, F64)])
    artifact = compiled(f)
    assert artifact.functions > 50
    assert run(artifact, [2.0])[0] == [(2.0 + k) * 2.0 for k in range(100_000)]


def test_a_chain_of_a_hundred_thousand_rows_compiles_and_runs() -> None:
    b = Builder()
    x = y = b.param(F64)
    expected = 0.5
    for k in range(100_000):
        y = b.sub(b.const(1.0 + k % 7), b.mul(y, b.const(0.5)))
        expected = 1.0 + k % 7 - expected * 0.5
    assert run(compiled(function(b, [y, x])), [0.5]) == [expected, 0.5]


def test_values_of_every_type_pass_between_the_functions_of_a_cut_block() -> None:
    vector = Array(F64, (4,))
    inner = Builder()
    i, s, w, acc = (inner.param(of) for of in (I32(0, 3), F64, vector, Acc(())))
    inner.add_to(acc, s)
    loop = Loop(
        inner.finish([inner.add(s, inner.index(w, i)), inner.stack([s, s, s, s], F64), s]), 4, 4, False, 2
    )
    b = Builder()
    v, x, k = b.param(vector), b.param(F64), b.param(I32(0, 3))
    early = b.mul(x, x)
    p = b.bi("lt", x, b.const(2.0))
    chosen = b.select(p, v, b.stack([x, early, x, early], F64))
    total = b.acc(())
    b.add_to(total, early)
    for _ in range(6):
        for n in range(700):
            x = b.add(b.mul(x, b.const(0.5)), b.index(v, b.int_const(n % 4)))
        j = b.check(b.bi("isub", b.int_const(3), k), 4)
        carried, last, ys = b.loop(loop, [x, chosen, total])
        x = b.add(b.mul(carried, b.index(last, j)), b.mul(b.index(ys, k), b.index(chosen, j)))
        b.add_to(total, x)
    f = function(b, [x, early, p, b.acc_read(total), chosen, b.index(chosen, k)])
    assert compiled(f).functions > 3
    agree(f, [0.5, 0.25, -1.0, 2.0], 1.5, 2)
    agree(f, [0.5, 0.25, -1.0, 2.0], 2.5, 0)


# ---------------------------------------------------------------- fuel


@pytest.mark.parametrize("fuel", [0, 1, 19, 20, 1000])
def test_each_round_of_a_loop_takes_one_unit_of_fuel(fuel: int) -> None:
    def program(n: Any) -> Any:
        return eg.fori_loop(0, n, lambda i, s: s + eg.sum(3, lambda j: eg.math.sin(eg.real(j) * s)), 1.0)

    artifact = compiled(optimise(eg.fn([Fin(100)])(program).function), fuel=True)
    assert artifact.abi["fuel"] == {"export": "fuel", "trap": 1}
    assert artifact.abi["traps"][0]["error"] == "FuelError"
    store = wasmtime.Store()
    exports: Any = wasmtime.Instance(store, wasmtime.Module(store.engine, artifact.wasm), []).exports(store)
    exports["memory"].write(store, (5).to_bytes(4, "little"), artifact.abi["params"][0]["leaves"][0]["at"])
    exports["fuel"].set_value(store, wasmtime.Val.i64(fuel))
    rounds = 5 * (1 + 3)
    if fuel < rounds:
        with pytest.raises(wasmtime.Trap):
            exports["main"](store)
        assert exports["trap"].value(store) == 1
    else:
        exports["main"](store)
        assert exports["trap"].value(store) == 0
        assert exports["fuel"].value(store) == fuel - rounds


# ---------------------------------------------------------------- limits


def test_a_function_body_too_long_for_engines_is_a_compile_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit_body, "MAX_BODY_BYTES", 100)
    with pytest.raises(LimitError, match="Write repeated parts as loops or functions"):
        compiled(straight(100))


def test_arrays_larger_than_the_memory_are_a_compile_error() -> None:
    b = Builder()
    v = b.param(Array(F64, (1 << 28,)))
    with pytest.raises(LimitError, match="Use fewer or smaller arrays"):
        compiled(function(b, [v]))


def test_a_host_function_with_arrays_is_a_compile_error() -> None:
    vector = Array(F64, (2,))
    host = Function("total", (Vec(2, Real),), Real, None, sum, leaf_params=(vector,), leaf_results=(F64,))
    b = Builder()
    f = function(b, b.call(host, [b.param(vector)]))
    with pytest.raises(CompileError, match="Pass the elements one by one"):
        compiled(f)


def test_a_host_function_can_take_the_addresses_of_arrays() -> None:
    """The host function gets the address of a Vec, a factor, and the address for its resulting Vec.

    It multiplies the Vec by the factor, writes the result to the second address, and returns a Real.
    """

    class Scaled:
        def at_addresses(self, v: int, factor: float, result: int) -> float:
            x, y = struct.unpack("<2d", bytes(instance.read(v, 16)))
            instance.write(result, struct.pack("<2d", factor * x, factor * y))
            return x + y

    vector = Array(F64, (2,))
    types = TupleType((Real, Vec(2, Real)))
    host = Function(
        "scaled", (Vec(2, Real), Real), types, None, Scaled(), leaf_params=(vector, F64),
        leaf_results=(F64, vector),
    )  # fmt: skip
    b = Builder()
    artifact = compiled(function(b, b.call(host, [b.param(vector), b.const(2.0)])))
    (entry,) = artifact.abi["imports"]
    assert (entry["params"], entry["results"], entry["addresses"]) == (["i32", "f64", "i32"], ["f64"], True)
    instance = WasmtimeHost().instantiate(artifact.wasm, artifact.abi, artifact.hosts)
    instance.write(artifact.abi["params"][0]["leaves"][0]["at"], struct.pack("<2d", 3.0, 4.0))
    instance.call()
    total, scaled = (leaf["at"] for leaf in artifact.abi["result"]["leaves"])
    assert struct.unpack("<d", bytes(instance.read(total, 8))) == (7.0,)
    assert struct.unpack("<2d", bytes(instance.read(scaled, 16))) == (6.0, 8.0)
    with pytest.raises(TypeMismatchError, match="scaled takes addresses in memory"):
        exported(artifact)


def test_compiling_a_host_function_by_itself_is_an_error() -> None:
    with pytest.raises(CompileError, match="only a traced function without captures can be compiled"):
        compiled(Function("now", (), Unit, None, print))


# ---------------------------------------------------------------- a second engine


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
def test_node_gives_the_bits_of_wasmtime() -> None:
    def program(v: Any, n: Any, p: Any) -> Any:
        total = eg.sum(4, lambda i: eg.cond(v[i] > 0.0, lambda: eg.math.log(v[i]), lambda: v[i] * v[n]))
        w = eg.fori_loop(0, 5, lambda i, w: eg.vec(4, lambda k: w[k] * total + eg.math.sin(eg.real(i))), v)
        return w, total, p & (total > 0.0), n

    types = [eg.Vec(4, eg.Real), eg.Fin(4), eg.Bool]
    f = optimise(eg.fn(types)(program).function)
    g = optimise(eg.fn([types[0]])(eg.grad(lambda v: eg.sum(program(v, 1, True)[0]))).function)
    jobs: list[Any] = [(compiled(straight(n, n)), [0.75, -1.5]) for n in (50, 500, 9000)]
    jobs += [(compiled(f), [[0.5, -1.0, 2.0, 3.5], n, True]) for n in range(4)]
    jobs += [(compiled(g), [[0.5, -1.0, 2.0, 3.5]])]
    artifacts, arguments = zip(*jobs, strict=True)
    assert bits(run_in_node(artifacts, arguments)) == bits([run(*job) for job in jobs])
