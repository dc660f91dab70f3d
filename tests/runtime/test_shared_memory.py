"""Kernels that share a memory return right results. They can read each other's arrays without a copy."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eglantine as eg
from tests.engines import bits
from tests.laws.comparing import programs
from tests.programs import arguments, function_of, plans

N = 1000
V = eg.Vec(N, eg.Real)
TABLE = [0.5 * i for i in range(N)]


@eg.fn
def scaled(v: V, x: eg.Real) -> V:
    table = eg.asarray(TABLE)
    return eg.vec(N, lambda i: v[i] * x + table[i])


@eg.fn
def total(v: V, y: eg.Real) -> eg.Real:
    table = eg.asarray(TABLE)
    w = eg.vec(N, lambda i: v[i] * table[N - 1 - i])
    return y * eg.sum(N, lambda i: w[i])


def test_kernels_give_the_same_results_if_they_share_a_memory() -> None:
    v = [1.0 / (1 + i) for i in range(N)]
    one = eg.compile(scaled)
    two = eg.compile(total, memory=one)
    three = eg.compile(eg.grad(total), memory=two)
    alone = [eg.compile(f) for f in (scaled, total, eg.grad(total))]
    for x in (1.0, -2.5):
        for _ in range(2):
            for k, other in zip((one, two, three), alone, strict=True):
                assert k(v, x) == other(v, x)
    assert two.batch([v, v], [1.0, 2.0]) == alone[1].batch([v, v], [1.0, 2.0])
    assert one.batch([v, v], [1.0, 2.0]) == alone[0].batch([v, v], [1.0, 2.0])
    after = eg.compile(scaled, memory=one)
    assert after(v, 2.0) == alone[0](v, 2.0)
    assert two.batch([v, v], [1.0, 2.0]) == alone[1].batch([v, v], [1.0, 2.0])


def test_the_abi_states_the_imported_memory_and_its_base_address() -> None:
    one = eg.compile(scaled)
    two = eg.compile(total, memory=one)
    memory = two.abi["memory"]
    assert memory["import"] == {"module": "kernel", "name": "memory"}
    assert memory["base"] == -(-one.abi["memory"]["bytes"] // 8) * 8
    places = [leaf["at"] for param in two.abi["params"] for leaf in param["leaves"]]
    assert all(memory["base"] <= at < memory["bytes"] for at in places)
    assert two.memory_bytes == memory["bytes"] - memory["base"]
    assert '(import "kernel" "memory" (memory 1))' in two.wat
    assert "import" not in one.abi["memory"]


def test_an_array_is_passed_to_another_kernel_without_a_copy() -> None:
    v = [1.0 + i for i in range(N)]
    one = eg.compile(scaled)
    two = eg.compile(total, memory={"v": (one, "return")})
    result = one(v, 3.0)
    assert two(..., 2.0) == eg.compile(total)(result, 2.0)
    assert one.abi["result"]["leaves"] == two.abi["params"][0]["leaves"]
    again = eg.compile(total, memory={"v": (one, "v")})
    assert again(..., 2.0) == eg.compile(total)(v, 2.0)
    assert one(..., 3.0) == result  # the first call's v is still in the memory
    assert again(..., ...) == eg.compile(total)(v, 2.0)


def test_an_ellipsis_means_the_argument_of_the_last_call() -> None:
    k = eg.compile(eg.fn([eg.Real, eg.Bool, eg.Fin(5)])(lambda x, p, i: (x, p, i)))
    assert k(1.5, True, 3) == (1.5, True, 3)
    assert k(..., False, ...) == (1.5, False, 3)
    assert k(2.5, ..., ...) == (2.5, False, 3)


@settings(max_examples=programs(60))
@given(st.data())
def test_no_program_overwrites_its_arguments(data: st.DataObject) -> None:
    plan = data.draw(plans())
    k = eg.compile(function_of(plan))
    args = data.draw(arguments(plan))
    try:
        first = k(*args)
    except eg.ShapeError:
        return
    assert bits(k(*[...] * len(args))) == bits(first)


def test_updates_in_place_do_not_change_the_argument() -> None:
    def program(v: Any) -> Any:
        w = v.at[0].set(v[1] + 1.0)
        return eg.fori_loop(0, N, lambda i, u: u.at[i].add(u[0]), w), eg.fori_loop(
            0, N, lambda i, u: u.at[i].set(0.0), v
        )

    k = eg.compile(eg.fn([V])(program))
    first = k([float(i) for i in range(N)])
    assert k(...) == first
    assert first[0][1] == 1.0 + 2 * 2.0


@pytest.mark.parametrize(
    ("memory", "sentence"),
    [
        (0, "The memory must be a kernel, a limit in bytes .* but it is 0"),
        (True, "but it is True"),
        (1 << 40, "up to 2,147,483,648"),
        ("k", "but it is 'k'"),
        ({}, "but it is {}"),
    ],
)
def test_a_memory_option_of_the_wrong_type_is_an_error(memory: Any, sentence: str) -> None:
    with pytest.raises(eg.TypeMismatchError, match=sentence):
        eg.compile(total, memory=memory)


def test_sharing_arrays_whose_types_do_not_fit_is_an_error() -> None:
    one = eg.compile(scaled)
    with pytest.raises(eg.TypeMismatchError, match=r"has no parameter or result 'w'\. .* 'v', 'x', 'return'"):
        eg.compile(total, memory={"v": (one, "w")})
    told = r"The parameter 'v' shares memory with 'x' of .*, but their types are .* and Real"
    with pytest.raises(eg.TypeMismatchError, match=told):
        eg.compile(total, memory={"v": (one, "x")})
    with pytest.raises(eg.TypeMismatchError, match=r"total has no parameter 'z', .*: 'v', 'y'"):
        eg.compile(total, memory={"z": (one, "x")})
    with pytest.raises(eg.TypeMismatchError, match="must share one memory"):
        eg.compile(total, memory={"v": (one, "v"), "y": (eg.compile(scaled), "x")})


# ---------------------------------------------------------------- freeing memory


def test_the_memory_of_a_deleted_kernel_is_freed() -> None:
    gc.disable()
    try:
        k = eg.compile(scaled)
        k([1.0] * N, 2.0)
        k.batch([[1.0] * N], [2.0])
        stores = weakref.ref(k._instance.store)
        del k
        assert stores() is None
    finally:
        gc.enable()


def test_a_shared_memory_exists_until_its_last_kernel_is_deleted() -> None:
    one = eg.compile(scaled)
    two = eg.compile(total, memory=one)
    store = weakref.ref(one._instance.store)
    del one
    assert store() is not None
    assert two([0.0] * N, 1.0) == 0.0
    del two
    gc.collect()
    assert store() is None
