"""Tests of billiards in wasmtime: steps, cushions and friction. `test_references` tests whole shots."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from app.simulations.billiards import CUSHIONS, cluster, line, loss, paths, shot, simulation, triangle
from tests.app.references import GIVEN, RACK, TABLE

Places = list[list[float]]


def close(expected: Any) -> Any:
    """Make a value that equals every number near `expected`. The largest relative distance is 1e-9."""
    return pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_the_rack_equals_the_references() -> None:
    assert [list(ball) for ball in TABLE.rack] == [close(x) for x in GIVEN[0][1:]]


def test_the_gradient_is_small_and_fits_in_little_memory() -> None:
    kernel = eg.compile(eg.grad(loss(replace(TABLE, steps=1024)), (0, 1)))
    assert len(kernel.wasm) <= 10_000
    assert kernel.memory_bytes <= 4 * 2**20


def by_the_book(x: Places, v: Places) -> tuple[Places, Places]:
    """Compute one step in plain Python. The code follows the reference's description."""
    e, r, dt, n = TABLE.elasticity, TABLE.radius, TABLE.dt, len(x)
    after = []
    for i in range(n):
        impulse, shift = [0.0, 0.0], [0.0, 0.0]
        for j in range(n):
            d = [(x[i][k] + dt * v[i][k]) - (x[j][k] + dt * v[j][k]) for k in range(2)]
            distance = math.hypot(*d)
            u = [c / (distance + 1e-6) for c in d]
            approach = sum(u[k] * (v[i][k] - v[j][k]) for k in range(2))
            if i == j or distance >= 2 * r or approach >= 0:
                continue
            time = (distance - 2 * r) / min(-1e-3, approach)
            for k in range(2):
                given = -(1 + e) / 2 * approach * u[k]
                impulse[k] += given
                shift[k] += min(time - dt, 0.0) * given
        speed = [v[i][k] + impulse[k] for k in range(2)]
        after.append(([x[i][k] + dt * speed[k] + shift[k] for k in range(2)], speed))
    return [place for place, _ in after], [speed for _, speed in after]


@pytest.mark.parametrize("speed", [1.0, 1e-3, 1e-4])
def test_a_step_follows_the_description_for_many_balls_at_any_speed(speed: float) -> None:
    """The time of impact is a distance divided by the speed. Speeds below 1e-3 count as 1e-3.

    All balls in the reference values are faster. Only this test checks slow balls.
    """
    run = eg.compile(simulation(replace(TABLE, steps=1)))
    draw = random.Random(5)  # noqa: S311 – numbers, not secrets
    apart = 2 * TABLE.radius - speed * TABLE.dt / 2  # a step brings the balls into contact
    row = [[0.1 + apart * i, 0.5] for i in range(TABLE.balls)]
    for _ in range(20):
        heap = [[draw.uniform(0.4, 0.6), draw.uniform(0.4, 0.6)] for _ in row]
        v = [[draw.uniform(-speed, speed), draw.uniform(-speed, speed)] for _ in row]
        for x in (row, heap):
            found = run(x, v)
            ends, speeds = by_the_book(x, v)
            assert found[0] == [close(place) for place in ends]
            assert found[1] == [close(place) for place in speeds]


def alone(x: list[float], v: list[float], **changes: Any) -> tuple[list[float], list[float]]:
    """Simulate a ball that touches no other ball. Return its final position and velocity."""
    table = replace(TABLE, rack=((5.0, 5.0),), **changes)
    ends, speeds = eg.compile(simulation(table))([x, [5.0, 5.0]], [v, [0.0, 0.0]])
    return ends[0], speeds[0]


def mirrored(x: float, low: float, high: float) -> float:
    """Reflect a coordinate at the ends of the interval [low, high] until it is inside."""
    width = high - low
    folded = (x - low) % (2 * width)
    return low + (folded if folded <= width else 2 * width - folded)


def test_a_cushion_mirrors_the_path_of_a_ball() -> None:
    x0, x1, y0, y1 = CUSHIONS
    r, time = TABLE.radius, TABLE.steps * TABLE.dt
    x, v = alone([0.4, 0.5], [0.9, -0.6], steps=TABLE.steps, cushions=CUSHIONS)
    assert x == [
        close(mirrored(0.4 + 0.9 * time, x0 + r, x1 - r)),
        close(mirrored(0.5 - 0.6 * time, y0 + r, y1 - r)),
    ]
    assert [abs(c) for c in v] == [close(0.9), close(0.6)]


def test_a_ball_beyond_a_cushion_moves_back_without_a_bounce() -> None:
    for x, v in (([-0.1, 1.0], [0.5, -0.4]), ([1.3, 0.0], [-0.5, 0.4])):
        end, speed = alone(x, v, steps=10, cushions=CUSHIONS)
        assert speed == v
        assert end == [close(x[k] + 10 * TABLE.dt * v[k]) for k in range(2)]


def test_without_time_of_impact_a_cushion_reverses_the_whole_step() -> None:
    edge, dt = CUSHIONS[1] - TABLE.radius, TABLE.dt
    x, v = alone([edge - 0.001, 0.5], [0.5, 0.0], steps=1, cushions=CUSHIONS, time_of_impact=False)
    assert (x, v) == ([close(edge - 0.001 - 0.5 * dt), 0.5], [-0.5, 0.0])


@pytest.mark.parametrize(
    ("x", "v", "struck"),
    [
        ([1.1605, 0.5], [1.0, 0.0], [(3, 0)]),  # 9.5 mm to the cushion, 3 mm a step
        ([0.5, 0.1395], [0.0, -1.0], [(3, 0)]),
        ([0.3, 0.3395], [0.0, 1.0], [(6, 0), (6, 1)]),  # 20.5 mm straight on to the other ball
        ([0.3, 0.5], [1.0, 0.0], []),
    ],
)
def test_the_paths_mark_each_ball_that_hits_a_cushion_or_a_ball(
    x: list[float], v: list[float], struck: list[tuple[int, int]]
) -> None:
    table = replace(TABLE, rack=((0.3, 0.42),), target=1, steps=8, cushions=CUSHIONS)
    moments = eg.compile(paths(table))(x, v, [[0.3, 0.42]])
    assert [(t, i) for t, moment in enumerate(moments) for i in range(2) if moment["hit"][i]] == struck


def test_with_friction_the_speed_decays_exponentially() -> None:
    dt, n, rate = TABLE.dt, 400, 0.7
    x, v = alone([0.1, 0.5], [0.5, 0.2], steps=n, friction=rate)
    kept = math.exp(-rate * dt)
    assert v == [close(0.5 * math.exp(-rate * dt * n)), close(0.2 * math.exp(-rate * dt * n))]
    assert x[0] == close(0.1 + 0.5 * dt * kept * (1 - kept**n) / (1 - kept))


@pytest.mark.parametrize("time_of_impact", [True, False])
def test_the_gradient_through_cushions_and_friction_matches_differences(
    time_of_impact: bool,
) -> None:
    table = replace(TABLE, cushions=CUSHIONS, friction=0.2, time_of_impact=time_of_impact)
    kernel = eg.compile(shot(table))
    x, v, h = [0.1, 0.5], [2.0, 0.4], 1e-7
    result = kernel(x, v, RACK, list(TABLE.goal), TABLE.target)
    for k in range(2):
        step = [h if i == k else 0.0 for i in range(2)]
        ahead, behind = ([x[i] + sign * step[i] for i in range(2)] for sign in (1, -1))
        sides = [kernel(at, v, RACK, list(TABLE.goal), TABLE.target)["loss"] for at in (ahead, behind)]
        assert result["x"][k] == pytest.approx((sides[0] - sides[1]) / (2 * h), rel=1e-5)
        ahead, behind = ([v[i] + sign * step[i] for i in range(2)] for sign in (1, -1))
        sides = [kernel(x, at, RACK, list(TABLE.goal), TABLE.target)["loss"] for at in (ahead, behind)]
        assert result["v"][k] == pytest.approx((sides[0] - sides[1]) / (2 * h), rel=1e-5)


def test_the_gradient_at_a_cushion_is_right_only_with_time_of_impact() -> None:
    """After a bounce, the right derivative of the final x by the initial x is −1, not +1."""
    for time_of_impact, expected in ((True, -1.0), (False, 1.0)):
        table = replace(
            TABLE, rack=((5.0, 5.0),), cushions=CUSHIONS, time_of_impact=time_of_impact, steps=300
        )
        result = eg.compile(shot(table))([0.9, 0.5], [0.5, 0.0], [[5.0, 5.0]], [0.0, 0.5], 0)
        assert result["x"][0] == close(expected * 2 * math.sqrt(result["loss"]))


@pytest.mark.parametrize(
    ("rack", "apart"), [(triangle(4), 2.0), (triangle(2), 2.0), (line(6), 4.0), (cluster(2), 2.2)]
)
def test_the_balls_of_a_rack_have_the_right_distance(rack: list[list[float]], apart: float) -> None:
    nearest = min(math.dist(a, b) for i, a in enumerate(rack) for b in rack[:i])
    assert nearest == close(apart * TABLE.radius)
