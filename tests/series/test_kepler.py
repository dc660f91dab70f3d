"""Simulate a planet's orbit by Taylor series, and check that the planet's energy is constant."""

from __future__ import annotations

import math
from typing import Any

import eglantine as eg
from tests.seeds import NIGHTLY

ORDER = 20
STEPS_A_PERIOD = 60
PERIODS = 1_000 if NIGHTLY else 10
ECCENTRICITY = 0.2
STATE = eg.Vec(4, eg.Real)
"""The position x, y and the velocity."""


@eg.fn([(eg.Real, STATE)], STATE)
def orbit(start: Any) -> Any:
    """Return the planet's state at time 0. A custom rule below defines the time derivative."""
    _, state = start
    return state


@orbit.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """Compute the derivative of the state with respect to time by Newton's law of gravity."""
    x, y, u, v = state = orbit(primals[0])
    distance = eg.math.sqrt(x * x + y * y)
    pull = -1.0 / (distance * distance * distance)
    dt = tangents[0][0]
    return state, [u * dt, v * dt, pull * x * dt, pull * y * dt]


def stepped(state: Any, step: Any) -> Any:
    """Compute the state after a time `step` by the Taylor series of the orbit."""
    series = eg.taylor(orbit, (0.0, state), (1.0, [0.0] * 4), order=ORDER)
    total = series[-1]
    for coefficient in reversed(series[:-1]):
        total = [a * step + b for a, b in zip(total, coefficient, strict=True)]
    return total


def energy(state: Any) -> float:
    """The energy of a planet of mass 1."""
    x, y, u, v = state
    return 0.5 * (u * u + v * v) - 1.0 / math.hypot(x, y)


def test_the_energy_of_a_planet_is_constant() -> None:
    step = 2.0 * math.pi / STEPS_A_PERIOD
    period = eg.jit(lambda state: eg.fori_loop(0, STEPS_A_PERIOD, lambda _, s: stepped(s, step), state))
    speed = math.sqrt((1.0 + ECCENTRICITY) / (1.0 - ECCENTRICITY))
    first = state = [1.0 - ECCENTRICITY, 0.0, 0.0, speed]
    for _ in range(PERIODS):
        state = period(state)
        assert abs(energy(state) / energy(first) - 1.0) < 1e-12
    phase = 1e-12 * PERIODS**1.5
    """The allowed shift along the orbit, which grows with each period if the energy has an error."""
    assert max(abs(a - b) for a, b in zip(state, first, strict=True)) < phase
