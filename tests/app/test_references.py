"""Billiards and the robots agree with the reference values of DiffTaichi's simulations, on CPython."""

from __future__ import annotations

from functools import cache

import pytest

import eglantine as eg
from tests.app.references import BRIEF, COLLISIONS, beyond, computed, expected, hexed

EXPECTED = expected()


@cache
def through_wasmtime() -> dict[str, list[str]]:
    """All numbers of the compiled simulations."""
    return computed(eg.compile)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_simulation_has_the_numbers_of_the_reference(name: str) -> None:
    found = [float.fromhex(number) for number in through_wasmtime()[name]]
    assert beyond(found, EXPECTED[name]) == []


def test_every_computed_number_has_a_reference_value() -> None:
    assert through_wasmtime().keys() == EXPECTED.keys()


def test_the_reference_has_fourteen_collisions() -> None:
    assert len(COLLISIONS) == 14
    assert all(i != j for _, i, j, *_ in COLLISIONS)


@pytest.mark.parametrize("name", BRIEF)
def test_a_short_horizon_has_the_same_bits_on_the_interpreter(name: str) -> None:
    values = BRIEF[name]
    assert hexed(values(lambda f: f)) == hexed(values(eg.compile))
