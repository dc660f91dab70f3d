"""Tests of the worker's answers about billiards tables, without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

import eglantine as eg
from app.service import Service
from app.simulations.billiards import CUSHIONS, paths, shot
from app.simulations.tables import DEFAULT, GOAL, RACKS, TARGET, beginning, compile_table, table_of
from tests.app.references import CONSTANTS, CUE, RACK


def answer(**changes: Any) -> tuple[dict[str, Any], bytes, bytes, bytes]:
    """Ask the worker for the modules of the default table with these changes. Return its answer."""
    text, gradient, drawn, loop = Service().table(json.dumps({**DEFAULT, **changes}))
    return json.loads(text), gradient, drawn, loop


def test_the_worker_gets_modules_for_the_shot_its_paths_and_many_shots() -> None:
    reply, gradient, drawn, loop = answer(balls=3, steps=20)
    assert reply["ok"]
    assert gradient[:4] == drawn[:4] == loop[:4] == b"\0asm"
    assert len(loop) < 1000
    assert reply["batch"]["memory"]["base"] >= reply["shot"]["memory"]["bytes"]
    assert [parameter["name"] for parameter in reply["shot"]["params"]] == [
        "cue_x",
        "cue_v",
        "rack",
        "goal",
        "target",
    ]
    assert [leaf["dims"] for leaf in reply["paths"]["result"]["leaves"]] == [[20, 3, 2], [20, 3]]
    assert reply["cost"]["bytes"] == len(gradient)


@pytest.mark.parametrize("changes", [{"balls": 26}, {"balls": 1}, {"steps": 0}, {"steps": 2049}])
def test_a_table_out_of_range_is_an_error_with_a_message(changes: dict[str, int]) -> None:
    reply, *modules = answer(**changes)
    assert not reply["ok"]
    assert "A table has 2 to 25 balls and 1 to 2048 steps, but this one has " in reply["error"]["message"]
    assert modules == [b""] * 3


def test_the_default_module_is_small_and_needs_little_memory() -> None:
    cost = compile_table(DEFAULT)["cost"]
    assert cost["bytes"] <= 10_000
    assert cost["memory"] <= 4 * 2**20


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"cushions": True}, "cushions", CUSHIONS),
        ({"cushions": False}, "cushions", None),
        ({"timeOfImpact": False}, "time_of_impact", False),
        ({"timeOfImpact": True}, "time_of_impact", True),
        ({"friction": 0.3}, "friction", 0.3),
        ({"steps": 2048}, "steps", 2048),
        ({"balls": 25}, "balls", 25),
    ],
)
def test_each_field_of_a_request_sets_a_field_of_the_table(
    changes: dict[str, Any], field: str, value: object
) -> None:
    assert getattr(table_of({**DEFAULT, **changes}), field) == value


def test_the_page_begins_with_the_table_of_the_reference() -> None:
    start = beginning()
    for name, theirs in {"radius": "radius", "dt": "dt", "target": "target_ball"}.items():
        assert start[name] == CONSTANTS[theirs]
    assert list(start["goal"]) == CONSTANTS["goal"]
    assert start["spec"]["steps"] == CONSTANTS["steps"]
    assert (list(start["cue"]["x"]), list(start["cue"]["v"])) == CUE
    assert [list(ball) for ball in start["racks"]["four"]] == RACK


def test_cue_ball_goal_and_racks_are_between_the_cushions() -> None:
    start = beginning()
    x0, x1, y0, y1 = start["cushions"]
    for x, y in (start["cue"]["x"], start["goal"], *(ball for rack in RACKS.values() for ball in rack)):
        assert x0 + start["radius"] <= x <= x1 - start["radius"]
        assert y0 + start["radius"] <= y <= y1 - start["radius"]


def test_the_default_rack_has_the_default_number_of_balls_and_its_target() -> None:
    start = beginning()
    assert len(start["racks"]["four"]) + 1 == DEFAULT["balls"]
    assert 1 <= start["target"] <= len(start["racks"]["four"])
    assert all(1 <= len(rack) < start["mostBalls"] for rack in start["racks"].values())


def test_the_loss_is_the_squared_distance_of_the_last_place_on_the_path() -> None:
    table = table_of({**DEFAULT, "cushions": True, "friction": 0.2})
    rack = [list(ball) for ball in RACKS["four"]]
    x, v = [0.1, 0.5], [1.2, 0.03]
    end = eg.compile(paths(table))(x, v, rack)[-1]["x"][TARGET]
    loss = eg.compile(shot(table))(x, v, rack, list(GOAL), TARGET)["loss"]
    assert loss == (end[0] - GOAL[0]) ** 2 + (end[1] - GOAL[1]) ** 2
