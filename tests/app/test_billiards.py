"""What billiards does besides the numbers that `test_references` holds to the reference, through wasmtime."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

import eglantine as eg
from app.billiards import CUSHIONS, cluster, collision, line, loss, shot, simulation, triangle
from tests.app.references import BALLS, COLLISIONS, GIVEN, RACK, TABLE


def close(expected: Any) -> Any:
    """What is equal to 1e-9 of itself."""
    return pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_the_rack_is_that_of_the_reference() -> None:
    assert [list(ball) for ball in TABLE.rack] == [close(x) for x in GIVEN[0][1:]]


def test_the_gradient_is_small_and_fits_in_little_memory() -> None:
    kernel = eg.compile(eg.grad(loss(replace(TABLE, steps=1024)), (0, 1)))
    assert len(kernel.wasm) <= 10_000
    assert kernel.memory_bytes <= 4 * 2**20


@pytest.mark.parametrize(("t", "i", "j", "approach", "time"), COLLISIONS)
def test_a_collision_is_that_of_the_reference(t: int, i: int, j: int, approach: float, time: float) -> None:
    """Its impulse and shift, from the positions and velocities at the beginning of its step."""
    x, v = eg.compile(simulation(replace(TABLE, steps=t)))(*GIVEN)
    impulse, shift = eg.fn([BALLS, BALLS])(lambda x, v: collision(TABLE, x, v, i, j))(x, v)

    d = [x[i][k] + TABLE.dt * v[i][k] - x[j][k] - TABLE.dt * v[j][k] for k in range(2)]
    distance = math.hypot(*d)
    away = [c / (distance + 1e-6) for c in d]  # as the reference keeps it finite
    assert impulse == tuple(close(-(1 + TABLE.elasticity) / 2 * approach * away[k]) for k in range(2))
    assert shift == tuple(close(min(time - TABLE.dt, 0.0) * impulse[k]) for k in range(2))


def alone(x: list[float], v: list[float], **changes: Any) -> tuple[list[float], list[float]]:
    """Where a ball that meets no other ends, and its velocity there."""
    table = replace(TABLE, rack=((5.0, 5.0),), **changes)
    ends, speeds = eg.compile(simulation(table))([x, [5.0, 5.0]], [v, [0.0, 0.0]])
    return ends[0], speeds[0]


def mirrored(x: float, low: float, high: float) -> float:
    """A coordinate folded into [low, high] by mirrors at both ends."""
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


def test_friction_lets_the_speed_decay_exponentially() -> None:
    dt, n, rate = TABLE.dt, 400, 0.7
    x, v = alone([0.1, 0.5], [0.5, 0.2], steps=n, friction=rate)
    kept = math.exp(-rate * dt)
    assert v == [close(0.5 * math.exp(-rate * dt * n)), close(0.2 * math.exp(-rate * dt * n))]
    assert x[0] == close(0.1 + 0.5 * dt * kept * (1 - kept**n) / (1 - kept))


@pytest.mark.parametrize("time_of_impact", [True, False])
def test_the_gradient_through_cushions_and_friction_is_that_of_finite_differences(
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


def test_without_the_time_of_impact_a_ball_feels_a_cushion_as_if_it_had_none_before() -> None:
    """Where a ball ends changes with where it starts by −1 after one cushion, and by +1 without the term."""
    for time_of_impact, expected in ((True, -1.0), (False, 1.0)):
        table = replace(
            TABLE, rack=((5.0, 5.0),), cushions=CUSHIONS, time_of_impact=time_of_impact, steps=300
        )
        result = eg.compile(shot(table))([0.9, 0.5], [0.5, 0.0], [[5.0, 5.0]], [0.0, 0.5], 0)
        assert result["x"][0] == close(expected * 2 * math.sqrt(result["loss"]))


def test_no_two_balls_of_a_rack_overlap() -> None:
    for rack in (triangle(4), triangle(2), line(6), cluster(2)):
        for i, a in enumerate(rack):
            assert all(math.dist(a, b) > 0.0599 for b in rack[:i])
