"""The worker's answers about billiards tables, without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

import eglantine as eg
from app.billiards import paths, shot
from app.service import Service
from app.tables import DEFAULT, GOAL, RACKS, TARGET, beginning, compile_table, table_of


def answer(**changes: Any) -> tuple[dict[str, Any], bytes, bytes, bytes]:
    """What the worker gets for the default table with changes."""
    text, gradient, drawn, loop = Service().table(json.dumps({**DEFAULT, **changes}))
    return json.loads(text), gradient, drawn, loop


def test_the_worker_gets_the_modules_of_the_shot_of_its_paths_and_of_the_loop_over_many_shots() -> None:
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
def test_a_table_out_of_range_is_refused_with_a_sentence(changes: dict[str, int]) -> None:
    reply, *modules = answer(**changes)
    assert not reply["ok"]
    assert "expected 2 to 25 balls and 1 to 2048 steps" in reply["error"]["message"]
    assert modules == [b""] * 3


def test_the_default_module_needs_little() -> None:
    cost = compile_table(DEFAULT)["cost"]
    assert cost["bytes"] <= 10_000
    assert cost["memory"] <= 4 * 2**20


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
