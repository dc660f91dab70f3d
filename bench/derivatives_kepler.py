"""Compute the orbit of a planet over 1,000 periods, by Taylor series and by a Runge–Kutta method."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import eglantine as eg
from bench.measure import OURS, Row, Series

HOST = "CPython with wasmtime"
RUNGE_KUTTA = f"{OURS} (Runge–Kutta of order 8)"
ORDER, STEPS, PERIODS, SHORT = 20, 60, 1_000, 3
ECCENTRICITY = 0.2
MOST_ENERGY = 1e-12
"""The largest allowed relative error of the energy after the steps by Taylor series."""

ROOT = math.sqrt(21.0)
"""The square root that occurs in the coefficients of Cooper and Verner's method."""

NODES: Sequence[Sequence[float]] = (
    (),
    (1 / 2,),
    (1 / 4, 1 / 4),
    (1 / 7, (-7 - 3 * ROOT) / 98, (21 + 5 * ROOT) / 49),
    ((11 + ROOT) / 84, 0, (18 + 4 * ROOT) / 63, (21 - ROOT) / 252),
    ((5 + ROOT) / 48, 0, (9 + ROOT) / 36, (-231 + 14 * ROOT) / 360, (63 - 7 * ROOT) / 80),
    (
        (10 - ROOT) / 42, 0, (-432 + 92 * ROOT) / 315, (633 - 145 * ROOT) / 90, (-504 + 115 * ROOT) / 70,
        (63 - 13 * ROOT) / 35,
    ),
    (1 / 14, 0, 0, 0, (14 - 3 * ROOT) / 126, (13 - 3 * ROOT) / 63, 1 / 9),
    (1 / 32, 0, 0, 0, (91 - 21 * ROOT) / 576, 11 / 72, (-385 - 75 * ROOT) / 1152, (63 + 13 * ROOT) / 128),
    (
        1 / 14, 0, 0, 0, 1 / 9, (-733 - 147 * ROOT) / 2205, (515 + 111 * ROOT) / 504, (-51 - 11 * ROOT) / 56,
        (132 + 28 * ROOT) / 245,
    ),
    (
        0, 0, 0, 0, (-42 + 7 * ROOT) / 18, (-18 + 28 * ROOT) / 45, (-273 - 53 * ROOT) / 72,
        (301 + 53 * ROOT) / 72, (28 - 28 * ROOT) / 45, (49 - 7 * ROOT) / 18,
    ),
)  # fmt: skip
"""For each stage of the Runge–Kutta method, the coefficients of the slopes of the earlier stages. Source:
Cooper, Verner, "Some Explicit Runge–Kutta Methods of High Order", SIAM Journal on Numerical Analysis 9
(1972)."""

WEIGHTS = (1 / 20, 0, 0, 0, 0, 0, 0, 49 / 180, 16 / 45, 49 / 180, 1 / 20)

STATE = eg.Vec(4, eg.Real)
"""The position x, y and the velocity."""


def slope(state: Any) -> list[Any]:
    """Return the derivative of the state, by Newton's law."""
    x, y, u, v = state
    distance = eg.math.sqrt(x * x + y * y)
    pull = -1.0 / (distance * distance * distance)
    return [u, v, pull * x, pull * y]


@eg.fn([(eg.Real, STATE)], STATE)
def orbit(start: Any) -> Any:
    """Represent the solution of the differential equation as a function of (t, state at time 0).

    We call it only at t = 0, where it returns the given state. The rule below defines its derivative by t.
    """
    return start[1]


@orbit.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """Return the derivative of the state with respect to the time."""
    state = orbit(primals[0])
    return state, [dz * tangents[0][0] for dz in slope(state)]


def by_series(state: Any, step: float) -> list[Any]:
    """Make a step: sum the Taylor series of the solution. Return the new state."""
    series = eg.taylor(orbit, (0.0, state), (1.0, [0.0] * 4), order=ORDER)
    total = list(series[-1])
    for coefficient in reversed(series[:-1]):
        total = [a * step + b for a, b in zip(total, coefficient, strict=True)]
    return total


def combined(state: Any, slopes: Sequence[Any], weights: Sequence[float], step: float) -> list[Any]:
    """Compute state + step · Σ weightₖ · slopeₖ."""
    result = list(state)
    for k, weight in enumerate(weights):
        if weight:
            result = [z + weight * step * dz for z, dz in zip(result, slopes[k], strict=True)]
    return result


def by_runge_kutta(state: Any, step: float) -> list[Any]:
    """Make a step of Cooper and Verner's method (order 8, 11 stages). Return the new state."""
    slopes: list[Any] = []
    for weights in NODES:
        slopes.append(slope(combined(state, slopes, weights, step)))
    return combined(state, slopes, WEIGHTS, step)


def periods(stepped: Callable[[Any, float], Any], steps: int, count: int) -> Any:
    """Compile a simulation of `count` periods. It returns the largest relative error of the energy.

    The energy is checked after each period.
    """

    def energy(state: Any) -> Any:
        x, y, u, v = state
        return 0.5 * (u * u + v * v) - 1.0 / eg.math.sqrt(x * x + y * y)

    @eg.fn([STATE])
    def run(first: Any) -> Any:
        def period(_: Any, carry: Any) -> Any:
            state, worst = carry
            state = eg.fori_loop(0, steps, lambda _, z: stepped(z, 2.0 * math.pi / steps), state)
            return state, eg.math.maximum(worst, abs(energy(state) / energy(first) - 1.0))

        return eg.fori_loop(0, count, period, (first, 0.0))

    return eg.compile(run)


def first_state() -> list[float]:
    """The state nearest to the sun."""
    return [1.0 - ECCENTRICITY, 0.0, 0.0, math.sqrt((1.0 + ECCENTRICITY) / (1.0 - ECCENTRICITY))]


def order_of_runge_kutta() -> float:
    """Estimate the order of the Runge–Kutta method from its errors with two step sizes."""
    errors = []
    for steps in (40, 80):
        state, _ = periods(by_runge_kutta, steps, 1)(first_state())
        errors.append(math.dist(state, first_state()))
    return math.log2(errors[0] / errors[1])


def rows(*, check: bool) -> Iterator[Row]:
    """Yield two rows: each method's error of the energy, and each method's time for a period."""
    title = f"Kepler's problem, e = {ECCENTRICITY}, {STEPS} steps a period"
    count = SHORT if check else PERIODS
    order = order_of_runge_kutta()
    wrong = "" if order > 7.5 else f"The Runge–Kutta method has the order {order:.2f}."
    energies, times = {}, {}
    for name, stepped in ((OURS, by_series), (RUNGE_KUTTA, by_runge_kutta)):
        kernel = periods(stepped, STEPS, count)
        began = time.process_time()
        _, worst = kernel(first_state())
        times[name] = Series(((time.process_time() - began) * 1e6 / count,))
        energies[name] = Series((worst,))
    if energies[OURS].minimum > MOST_ENERGY:
        wrong = f"The error of the energy is {energies[OURS].minimum:.2e}."
    note = f"Taylor series of order {ORDER}, and Cooper and Verner's method. The target is {MOST_ENERGY}."
    yield Row(
        f"{title}: relative error of the energy over {count:,} periods, in 10⁻¹⁵", "errors",
        {name: Series((series.minimum * 1e15,)) for name, series in energies.items()},
        target=MOST_ENERGY * 1e15, compared=(OURS,), wrong=wrong, note=note, host=HOST,
    )  # fmt: skip
    if not check:
        yield Row(f"{title}: a period", "µs", times, host=HOST)
