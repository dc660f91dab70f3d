"""For an index i + constant, the constant becomes a part of the load instruction's offset."""

from __future__ import annotations

import pytest

import eglantine as eg
from tests.engines import run

pytest.importorskip("wasmtime")


@eg.fn
def second_differences(v: eg.Vec(9, eg.Real)) -> eg.Vec(7, eg.Real):
    return eg.vec(7, lambda i: v[i + 2] - v[i + 1] - (v[i + 1] - v[i]))


def test_a_constant_added_to_an_index_becomes_the_offset_of_the_load() -> None:
    k = eg.compile(second_differences)
    at = k.abi["params"][0]["leaves"][0]["at"]
    assert f"f64.load offset={at}\n" in k.wat
    assert f"f64.load offset={at + 16}\n" in k.wat
    run(second_differences, [1.0, -2.0, 4.0, 8.5, 0.0, 1e300, 3.0, -0.0, 7.0])


def test_an_offset_that_may_be_negative_is_added_to_the_address() -> None:
    @eg.fn
    def turned(v: eg.Vec(9, eg.Real)) -> eg.Vec(7, eg.Real):
        return eg.vec(7, lambda i: v[8 - i] * v[(i - 3) + 3])

    run(turned, [float(k) for k in range(9)])
