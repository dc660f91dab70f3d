"""The billiards model against the reference values of DiffTaichi's simulation, through wasmtime."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from app.billiards import Table, loss, loss_of_all, simulation, triangle
from tests.engines import bits

REFERENCE = json.loads((Path(__file__).parent.parent / "data" / "billiards.json").read_text(encoding="utf-8"))
CONSTANTS = REFERENCE["constants"]
TABLE = Table(triangle(4), CONSTANTS["target_ball"], tuple(CONSTANTS["goal"]), CONSTANTS["advance_calls"])
CUE = ([0.1, 0.5], [0.3, 0.0])


def close(expected: Any) -> Any:
    """What is equal to the reference to 1e-9."""
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_rack_is_that_of_the_reference() -> None:
    assert [list(ball) for ball in TABLE.rack] == [close(x) for x in REFERENCE["x0"][1:]]


def test_loss_and_gradient_at_the_cue_ball() -> None:
    value, (by_x, by_v) = eg.compile(eg.value_and_grad(loss(TABLE), (0, 1)))(*CUE)
    assert value == close(REFERENCE["loss"])
    assert by_x == close(REFERENCE["grad_init_x"])
    assert by_v == close(REFERENCE["grad_init_v"])


def test_gradients_with_respect_to_every_ball() -> None:
    by_x, by_v = eg.compile(eg.grad(loss_of_all(TABLE), (0, 1)))(REFERENCE["x0"], REFERENCE["v0"])
    assert by_x == [close(x) for x in REFERENCE["grad_x0_all"]]
    assert by_v == [close(v) for v in REFERENCE["grad_v0_all"]]


def test_all_balls_end_where_the_reference_has_them() -> None:
    x, v = eg.compile(simulation(TABLE))(REFERENCE["x0"], REFERENCE["v0"])
    assert x == [close(ball) for ball in REFERENCE["x_final"]]
    assert v == [close(ball) for ball in REFERENCE["v_final"]]


def test_without_the_time_of_impact_the_gradient_is_wrong_as_the_reference_says() -> None:
    table = replace(TABLE, time_of_impact=False)
    value, (by_x, by_v) = eg.compile(eg.value_and_grad(loss(table), (0, 1)))(*CUE)
    expected = REFERENCE["no_toi"]
    assert value == close(expected["loss"])
    assert by_x == close(expected["grad_cue_x"])
    assert by_v == close(expected["grad_cue_v"])


def test_two_hundred_iterations_of_descent_follow_the_reference() -> None:
    run = eg.compile(eg.value_and_grad(loss(TABLE), (0, 1)))
    x, v = CUE
    rate = CONSTANTS["learning_rate"]
    for expected in REFERENCE["trajectory_f64"]:
        value, (by_x, by_v) = run(x, v)
        assert value == close(expected["loss"])
        assert x == close(expected["init_x"])
        assert v == close(expected["init_v"])
        x = [x[k] - rate * by_x[k] for k in range(2)]
        v = [v[k] - rate * by_v[k] for k in range(2)]


def test_a_short_shot_has_the_same_bits_on_the_interpreter() -> None:
    table = replace(TABLE, steps=4)
    start = ([0.45, 0.5], [3.0, 0.1])
    f = eg.value_and_grad(loss(table), (0, 1))
    assert bits(eg.compile(f)(*start)) == bits(f(*start))


def test_the_gradient_is_small_and_fits_in_little_memory() -> None:
    kernel = eg.compile(eg.grad(loss(replace(TABLE, steps=1024)), (0, 1)))
    assert len(kernel.wasm) <= 10_000
    assert kernel.memory_bytes <= 4 * 2**20
