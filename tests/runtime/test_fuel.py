"""A kernel with fuel stops long calls, and can be called again afterwards."""

from __future__ import annotations

import functools
import struct
from typing import Any

import pytest

import eglantine as eg


@eg.fn
def rounds(n: eg.Fin(1000)) -> eg.Real:
    return eg.fori_loop(0, n, lambda i, x: x + eg.real(i), 0.0)


def test_a_round_of_a_loop_takes_one_unit_of_fuel() -> None:
    k = eg.compile(rounds, fuel=10)
    assert k.fuel == 10
    for _ in range(3):
        assert k(10) == 45.0
        with pytest.raises(eg.FuelError, match=r"used up its fuel before it ended. Give it more fuel"):
            k(11)
    k.fuel = 11
    assert k(11) == 55.0
    k.fuel = 0
    assert k(0) == 0.0
    with pytest.raises(eg.FuelError):
        k(1)


def test_a_call_of_a_function_takes_one_unit_of_fuel() -> None:
    """Each of forty functions makes two calls of the previous function. Together they make 2^40 calls."""

    def twice(f: Any) -> Any:
        def g(x: Any) -> Any:
            for _ in range(400):  # too many rows to be inlined
                x = eg.math.sqrt(x * x + 1.0)
            return f(f(x) * 0.5)

        return eg.fn([eg.Real], eg.Real)(g)

    f = eg.fn([eg.Real], eg.Real)(lambda x: x * 0.5)
    for _ in range(40):
        f = twice(f)
    k = eg.compile(f, fuel=10_000)
    with pytest.raises(eg.FuelError):
        k(1.0)


def test_each_point_of_a_batch_has_its_own_fuel() -> None:
    k = eg.compile(rounds, fuel=10)
    assert k.batch([10, 9, 10]) == [45.0, 36.0, 45.0]
    with pytest.raises(eg.FuelError):
        k.batch([10, 11, 10])
    assert k.batch([1]) == [0.0]


def test_kernels_that_share_a_memory_have_separate_fuel() -> None:
    one = eg.compile(rounds, fuel=5)
    two = eg.compile(rounds, memory=one, fuel=20)
    assert two(20) == 190.0
    with pytest.raises(eg.FuelError):
        one(6)
    assert two(20) == 190.0


def test_a_kernel_compiled_without_fuel_cannot_be_given_fuel() -> None:
    k = eg.compile(rounds)
    assert k.fuel is None
    assert "fuel" not in k.abi
    with pytest.raises(eg.TypeMismatchError, match="Compile it with fuel="):
        k.fuel = 5


@pytest.mark.parametrize("units", [-1, 1.5, True, 1 << 63])
def test_an_amount_of_fuel_out_of_range_is_an_error(units: Any) -> None:
    with pytest.raises(eg.TypeMismatchError, match="The fuel must be a whole number from 0 to"):
        eg.compile(rounds, fuel=units)


MOST_INSTRUCTIONS_A_UNIT = 100_000
"""The largest number of instructions that one unit of fuel may allow in these programs. For example, 300
sines take about 50,000 instructions."""
PLENTY = 10**12
"""A number of instructions that is larger than any of these programs executes."""
ENDLESS = {
    "a short loop": lambda x: eg.while_loop(lambda t: t >= 0.0, lambda t: t + 1.0, x),
    "a loop in a loop": lambda x: eg.while_loop(
        lambda t: t >= 0.0, lambda t: eg.fori_loop(0, 1000, lambda i, s: s + 1.0, t), x
    ),
    "rounds that are long": lambda x: eg.while_loop(
        lambda t: t >= 0.0, lambda t: functools.reduce(lambda s, _: eg.math.sin(s) + 2.0, range(300), t), x
    ),
    "a loop that stacks": eg.grad(lambda x: eg.while_loop(lambda t: t >= 0.0, lambda t: t * 1.0, x)),
}


def instructions(k: Any, units: int) -> int:
    """Run an endless kernel with `units` units of fuel. Return how many instructions wasmtime counts."""
    wasmtime = pytest.importorskip("wasmtime")
    config = wasmtime.Config()
    config.consume_fuel = True
    store = wasmtime.Store(wasmtime.Engine(config))
    store.set_fuel(PLENTY)
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, k.wasm), []).exports(store)
    exports["fuel"].set_value(store, wasmtime.Val.i64(units))
    place = k.abi["params"][0]["leaves"][0]["at"]
    exports[k.abi["memory"]["export"]].write(store, struct.pack("<d", 1.0), place)
    with pytest.raises(wasmtime.Trap):
        exports[k.abi["export"]](store)
    left: int = store.get_fuel()
    return PLENTY - left


@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_loop_stops_soon_after_its_fuel_is_used_up(name: str) -> None:
    """A unit of fuel allows only a limited number of instructions, so fuel limits the time of a call."""
    k = eg.compile(ENDLESS[name], [eg.Real], fuel=1_000)
    with pytest.raises(eg.FuelError):
        k(1.0)
    work = instructions(k, 1_000)
    assert work <= 1_000 * MOST_INSTRUCTIONS_A_UNIT
    assert instructions(k, 2_000) <= 2 * work
    k.fuel = 2_000
    with pytest.raises(eg.FuelError):
        k(1.0)
