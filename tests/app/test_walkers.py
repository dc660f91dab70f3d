"""Tests of the robot page's modules, which take the world as an argument, and of the page's stored gaits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import eglantine as eg
from app.service import Service
from app.simulations.robot import HIDDEN, POINT, WAVES, World, motion, moved, training
from app.simulations.walkers import (
    PLANS,
    STEPS,
    STICKS,
    beginning,
    compile_robot,
    robot_of,
    spec_of,
    world_of,
)
from tests.app.references import data, start
from tools.gaits import shaped
from tools.presets import kept_gaits

SHORT = 40


@cache
def trainer(name: str) -> eg.Kernel:
    """A plan's loss and gradient, compiled."""
    return eg.compile(training(robot_of(spec_of(PLANS[name]))))


@pytest.fixture(autouse=True, scope="module")
def kernels_end_with_their_tests() -> Iterator[None]:
    yield
    trainer.cache_clear()


@pytest.mark.parametrize("number", range(4))
def test_a_plan_equals_a_robot_of_the_reference(number: int) -> None:
    found = data("robots")[number]
    plan = PLANS["ABCD"[number]]
    world = world_of(plan)
    assert plan.points == [pytest.approx(mass, rel=1e-15) for mass in found["objects"]]
    assert plan.ends == [[s["a"], s["b"]] for s in found["springs"]]
    assert world["rest"] == pytest.approx([s["rest_length"] for s in found["springs"]], rel=1e-15)
    assert world["reach"] == [s["actuation"] for s in found["springs"]]
    assert {plan.stiffness} == {s["stiffness"] for s in found["springs"]}


def test_the_loss_is_computed_from_the_end_of_the_motion() -> None:
    world = world_of(PLANS["B"])
    moments = eg.compile(motion(robot_of(spec_of(PLANS["B"]))))(*start("B"), world)
    value, _ = trainer("B")(*start("B"), world, False)
    assert len(moments) == STEPS
    assert moments[-1]["x"][0][0] == -value
    assert all(abs(pull) <= 1 for moment in moments for pull in moment["muscles"])


def test_the_loss_of_reaching_a_goal_is_the_squared_distance() -> None:
    world = world_of(PLANS["B"]) | {"goal": [0.3, 0.4]}
    moments = eg.compile(motion(robot_of(spec_of(PLANS["B"]))))(*start("B"), world)
    value, _ = trainer("B")(*start("B"), world, True)
    assert value == pytest.approx(math.dist(moments[-1]["x"][0], [0.3, 0.4]) ** 2, rel=1e-12)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_friction_reduces_sliding_by_a_share_of_the_fall(friction: float) -> None:
    """Two masses lie on the ground, and the spring between them pushes them apart."""
    spec = {"masses": 2, "springs": [[0, 1]], "stiffness": 1000, "steps": 1}
    world = {
        "masses": [[0.0, 0.1], [0.2, 0.1]],
        "rest": [0.4],
        "reach": [0.0],
        "goal": [0.9, 0.2],
        "gravity": -4.8,
        "friction": friction,
    }
    weights = shaped([0.0] * (HIDDEN * (WAVES + 10) + HIDDEN + HIDDEN + 1), HIDDEN, WAVES + 10, 1)
    (moment,) = eg.compile(motion(robot_of(spec)))(*weights, world)
    dt = 0.004
    fall = dt * 4.8
    push = dt * 1000 * (0.4 - (0.2 + 1e-4)) / (0.2 + 1e-4) * 0.2
    slide = max(0.0, push - friction * fall)
    assert moment["x"][1][0] == pytest.approx(0.2 + dt * slide, rel=1e-12)
    assert moment["x"][0] == pytest.approx([-dt * slide, 0.1], rel=1e-12)


@pytest.mark.parametrize(
    ("height", "fall", "lands"),
    [
        (0.1, -0.5e-4, False),  # the mass falls too slowly to have a time of impact
        (0.1, -1.5e-4, True),
        (0.1005, -0.2, True),
        (0.1005, -0.1, False),
        (0.1, 0.2, False),
    ],
)
@pytest.mark.parametrize("friction", [STICKS, 0.3])
def test_a_falling_mass_lands_at_its_time_of_impact(
    height: float, fall: float, lands: bool, friction: float
) -> None:
    """Compare a step of the model with a step by hand. The spring is at rest, and gravity is −1.6."""
    dt, kept, gravity, along = 0.004, math.exp(-15 * 0.004), -1.6, 0.3
    spring = {"rest": [0.2 + 1e-4], "reach": [0.0]}
    body = robot_of({"masses": 2, "springs": [[0, 1]], "stiffness": 1000, "steps": 1})
    both = eg.Vec(2, POINT)

    def by_the_model(x: Any, v: Any) -> Any:
        given = {name: eg.asarray(numbers) for name, numbers in spring.items()}
        world = World(**given, masses=x, goal=None, gravity=gravity, friction=friction)
        return moved(body, world, eg.asarray([0.0]), x, v)

    step = eg.compile(eg.fn([both, both])(by_the_model))
    before = [along / kept, (fall - dt * gravity) / kept]
    x, v = step([[0.5, height], [0.7, height]], [before, before])
    impact = -(height - 0.1) / fall if lands else 0.0
    after = [max(0.0, along + friction * fall), 0.0] if lands else [along, fall]
    ground = [0.5 + impact * along, height + impact * fall]
    assert v[0] == pytest.approx(after, rel=1e-12, abs=1e-15)
    assert x[0] == pytest.approx([ground[k] + (dt - impact) * after[k] for k in range(2)], rel=1e-12)


def test_the_gradient_with_friction_agrees_with_differences() -> None:
    plan = PLANS["B"]
    kernel = eg.compile(training(robot_of(spec_of(plan) | {"steps": SHORT})))
    world = world_of(plan) | {"friction": 0.4}
    weights = start("B")
    _, gradient = kernel(*weights, world, False)
    h = 1e-6
    for k in (6, 21):

        def moved(by: float, k: int = k) -> Any:
            biases = [b + by * (i == k) for i, b in enumerate(weights[3])]
            return kernel(*weights[:3], biases, world, False)[0]

        assert (moved(h) - moved(-h)) / (2 * h) == pytest.approx(gradient[3][k], rel=1e-5, abs=1e-9)


def test_the_gradient_of_robot_d_is_small_and_fits_in_little_memory() -> None:
    cost = compile_robot(spec_of(PLANS["D"]) | {"steps": 1364})["cost"]
    assert cost["bytes"] <= 20_000
    assert cost["memory"] <= 8 * 2**20


@pytest.mark.parametrize(("name", "weights"), list(kept_gaits()))
def test_a_stored_gait_walks(name: str, weights: tuple[float, ...]) -> None:
    plan = PLANS[name]
    sizes = (HIDDEN, WAVES + 4 * len(plan.points) + 2, len(plan.ends))
    value, _ = trainer(name)(*shaped(list(weights), *sizes), world_of(plan), False)
    assert value < -0.4


def test_every_plan_has_a_stored_gait() -> None:
    assert {name for name, _ in kept_gaits()} == set(PLANS)


def test_the_worker_gets_both_modules_or_an_error_message() -> None:
    service = Service()
    spec = spec_of(PLANS["A"])
    text, module, drawn = service.robot(json.dumps(spec))
    assert json.loads(text)["cost"]["bytes"] == len(module)
    assert module == compile_robot(spec)["training"]["wasm"]
    assert drawn[:4] == b"\0asm"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"masses": 1}, "A walker has 2 to 40 masses"),
        ({"masses": 41}, "A walker has 2 to 40 masses"),
        ({"springs": []}, "1 to 100 springs"),
        ({"springs": [[0, 1]] * 101}, "1 to 100 springs"),
        ({"springs": [[0, 0]]}, "must join two masses"),
        ({"springs": [[0, 6]]}, "must join two masses"),
        ({"springs": [[-1, 0]]}, "must join two masses"),
        ({"stiffness": 0}, "have a stiffness above 0"),
        ({"stiffness": math.inf}, "have a stiffness above 0"),
        ({"stiffness": math.nan}, "have a stiffness above 0"),
        ({"steps": 0}, "1 to 1364 steps"),
        ({"steps": 1365}, "1 to 1364 steps"),
    ],
)
def test_an_invalid_robot_is_an_error_with_a_message(change: dict[str, Any], expected: str) -> None:
    text, module, _ = Service().robot(json.dumps(spec_of(PLANS["A"]) | change))
    message = json.loads(text)["error"]["message"]
    assert re.search(r"\. (Choose fewer or more|Change it)\.$", message)
    assert expected in message
    assert module == b""


def test_the_page_begins_with_the_world_of_the_reference() -> None:
    start = beginning()
    told = {"dt": 0.004, "gravity": -4.8, "ground": 0.1, "steps": 681, "hidden": 32, "waves": 10}
    assert {name: start[name] for name in told} == told
    assert tuple(start["goal"]) == (0.9, 0.2)
    assert start["sticks"] == world_of(PLANS["B"])["friction"]
