"""If a simulation's numbers stop being finite, `trouble` finds the step, the operation and the line."""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import eglantine as eg
from app.service import Service
from app.simulations import billiards, robot, tables, walkers
from app.simulations.trouble import POINT, Simulation, locate, of_shot, of_walk

RACK = [list(ball) for ball in billiards.triangle(4)]
TASK = {"rack": RACK, "goal": [0.9, 0.75], "target": 10}
CUE = {"x": [0.1, 0.5], "v": [0.3, 0.0]}
PLAN = walkers.PLANS["A"]
SPEC = {**walkers.spec_of(PLAN), "steps": 40}


def weights() -> list[Any]:
    """Random weights of a robot, the same on each call."""
    draw, springs = random.Random(1), len(PLAN.ends)  # noqa: S311 – numbers, not secrets
    inputs = walkers.robot_of(SPEC).inputs
    rows = [
        [[draw.gauss(0, 0.1) for _ in range(n)] for _ in range(m)] for m, n in ((32, inputs), (springs, 32))
    ]
    return [rows[0], [0.0] * 32, rows[1], [0.0] * springs]


def line_of(module: Any, number: int) -> str:
    """The text of a module's line."""
    return Path(module.__file__).read_text(encoding="utf-8").splitlines()[number - 1].strip()


def test_a_shot_with_finite_numbers_has_no_trouble() -> None:
    assert of_shot(tables.DEFAULT, CUE, TASK) is None


def test_a_loss_that_overflows_is_found_after_the_last_step() -> None:
    found = of_shot(tables.DEFAULT, CUE, {**TASK, "goal": [1e200, 0.75]})
    assert found is not None
    assert (found["step"], found["end"], found["where"]) == (1024, True, "primal")
    assert found["reason"] == "overflow of mul"
    assert line_of(billiards, found["line"]) == "return dx * dx + dy * dy"


def test_trouble_is_found_for_the_given_rack_and_target() -> None:
    far = {**TASK, "rack": [*RACK[:9], [1e200, 0.5]]}
    found = of_shot(tables.DEFAULT, CUE, far)
    assert found is not None
    assert (found["end"], found["reason"]) == (True, "overflow of mul")
    assert of_shot(tables.DEFAULT, CUE, {**far, "target": 9}) is None


def test_a_ball_that_gets_ever_faster_is_found_in_its_step() -> None:
    dt = billiards.Table((), 0, (0, 0), 1).dt
    found = of_shot({**tables.DEFAULT, "friction": -300}, CUE, {**TASK, "target": 0})
    assert found is not None
    assert not found["end"]
    assert found["file"] == "billiards.py"
    # The speed is 0.3 · exp(300 · dt · steps). Its derivative lacks the factor 0.3, so it overflows earlier.
    last = math.log(sys.float_info.max) / (300 * dt)
    assert last - 4 <= found["step"] <= last + math.log(1 / 0.3) / (300 * dt)
    assert "overflow" in found["reason"]


def test_a_robot_that_walks_has_no_trouble() -> None:
    assert of_walk(SPEC, weights(), walkers.world_of(PLAN), reaches=False) is None


@pytest.mark.parametrize("reaches", [True, False])
def test_an_infinitely_distant_goal_matters_only_if_it_must_be_reached(reaches: bool) -> None:
    still = [
        [[0.0 for _ in row] for row in part] if index % 2 == 0 else part
        for index, part in enumerate(weights())
    ]
    world = {**walkers.world_of(PLAN), "goal": [1e200, 0.2]}
    found = of_walk(SPEC, still, world, reaches)
    assert (found is not None and found["end"]) is reaches


def test_two_masses_in_one_place_have_no_derivative_in_the_first_step() -> None:
    world = walkers.world_of(PLAN)
    together = [world["masses"][0], world["masses"][0], *world["masses"][2:]]
    found = of_walk(SPEC, weights(), {**world, "masses": together}, reaches=True)
    assert found is not None
    assert (found["step"], found["end"], found["where"]) == (0, False, "derivative")
    assert found["operation"] == "sqrt"
    assert "sqrt" in line_of(robot, found["line"])


@pytest.mark.parametrize("step", [0, 1, 7, 19])
def test_the_first_step_that_is_not_finite_is_found(step: int) -> None:
    nowhere = eg.Vec(1, POINT)
    simulation = Simulation(
        types=[eg.Real],
        points=1,
        steps=20,
        start=lambda p: (eg.asarray([[p[0], 0.0]], nowhere), eg.asarray([[0.0, 0.0]], nowhere)),
        step=lambda _, __, state: (eg.vec(1, lambda i: [2.0 * state[0][i][0], 0.0]), state[1]),
        end=lambda _, state: state[0][0][0],
    )
    found = locate(simulation, (2.0 ** (1023 - step),))
    assert found is not None
    assert (found["step"], found["where"], found["reason"]) == (step, "primal", "overflow of mul")


def test_a_speed_that_overflows_without_moving_a_point_is_found() -> None:
    """From step 7 on, each step multiplies the speed by 2⁶⁰⁰. No point moves, so nothing else overflows."""
    nowhere = eg.Vec(1, POINT)
    simulation = Simulation(
        types=[eg.Real],
        points=1,
        steps=20,
        start=lambda p: (eg.asarray([[0.0, 0.0]], nowhere), eg.asarray([[p[0], 0.0]], nowhere)),
        step=lambda _, i, state: (
            state[0],
            eg.vec(1, lambda k: [eg.select(i >= 7, 2.0**600, 1.0) * state[1][k][0], 0.0]),
        ),
        end=lambda _, state: state[0][0][0],
    )
    found = locate(simulation, (1.0,))
    assert found is not None
    assert (found["step"], found["where"], found["reason"]) == (8, "primal", "overflow of mul")


def test_the_service_returns_the_trouble_that_it_finds() -> None:
    at = {"cue": CUE, "task": {**TASK, "goal": [1e200, 0.75]}}
    [answer] = Service().ask("shot_trouble", [json.dumps(tables.DEFAULT), json.dumps(at)])
    assert json.loads(answer)["trouble"]["reason"] == "overflow of mul"
    walk = {"weights": weights(), "world": walkers.world_of(PLAN), "reaches": False}
    [answer] = Service().ask("walk_trouble", [json.dumps(SPEC), json.dumps(walk)])
    assert json.loads(answer) == {"ok": True, "trouble": None}


def test_an_infinite_number_sent_as_null_is_answered() -> None:
    at = {"cue": {"x": [None, 0.5], "v": [0.3, 0.0]}, "task": TASK}
    [answer] = Service().ask("shot_trouble", [json.dumps(tables.DEFAULT), json.dumps(at)])
    assert json.loads(answer)["ok"] is False
