"""Billiards: a cue ball, a rack, and how far the target ball ends from its goal, differentiable as a whole.

The model is that of DiffTaichi (Hu et al. 2020). Each pair of balls that overlap and approach exchange an
impulse; the time of impact within the step moves the balls to where they would be had they bounced then.
Without that term the gradient is wrong, which `time_of_impact=False` shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

POINT = eg.Vec(2, eg.Real)

SOFTENING = 1e-6
"""Keeps the direction between two balls finite where they coincide."""

LEAST_APPROACH = 1e-3
"""The least speed of approach by which a time of impact is divided."""


@dataclass(frozen=True)
class Table:
    """What is fixed in a simulation: metres, seconds.

    rack: where the other balls lie at first; the cue ball is number 0, the rack's are 1, 2, …
    target: the number of the ball that is to reach `goal`.
    """

    rack: tuple[tuple[float, float], ...]
    target: int
    goal: tuple[float, float]
    steps: int
    radius: float = 0.03
    elasticity: float = 0.8
    dt: float = 0.003
    time_of_impact: bool = True

    @property
    def balls(self) -> int:
        """How many balls there are, the cue ball included."""
        return 1 + len(self.rack)


def triangle(layers: int, radius: float = 0.03) -> tuple[tuple[float, float], ...]:
    """A rack of 1 + 2 + … + layers balls, its tip at (0.5, 0.5)."""
    return tuple(
        (0.5 + 2 * radius * i, 0.5 + 2 * radius * j - 0.7 * radius * i)
        for i in range(layers)
        for j in range(i + 1)
    )


def loss(table: Table) -> eg.Fn:
    """The function (cue's x, cue's v) → |target − goal|² after the last step."""
    end = simulation(table)

    def distance(cue_x: Any, cue_v: Any) -> Any:
        x, _ = end(*positions(table, cue_x, cue_v))
        dx, dy = x[table.target][0] - table.goal[0], x[table.target][1] - table.goal[1]
        return dx * dx + dy * dy

    return eg.fn([POINT, POINT], eg.Real)(distance)


def loss_of_all(table: Table) -> eg.Fn:
    """The function (all x, all v) → |target − goal|² after the last step."""
    balls = eg.Vec(table.balls, POINT)
    end = simulation(table)

    def distance(x0: Any, v0: Any) -> Any:
        x, _ = end(x0, v0)
        dx, dy = x[table.target][0] - table.goal[0], x[table.target][1] - table.goal[1]
        return dx * dx + dy * dy

    return eg.fn([balls, balls], eg.Real)(distance)


def positions(table: Table, cue_x: Any, cue_v: Any) -> tuple[Any, Any]:
    """Where all balls are at first, and their velocities: the rack rests."""
    rack = eg.asarray([[0.0, 0.0], *map(list, table.rack)])
    x = eg.vec(table.balls, lambda i: eg.select(i == 0, cue_x, rack[i]))
    v = eg.vec(table.balls, lambda i: eg.select(i == 0, cue_v, [0.0, 0.0]))
    return x, v


def simulation(table: Table) -> eg.Fn:
    """The function (x, v) → (x, v) of all balls after `table.steps` steps."""
    balls = eg.Vec(table.balls, POINT)

    def run(x: Any, v: Any) -> Any:
        return eg.scan(lambda state, _: (step(table, *state), None), (x, v), length=table.steps)[0]

    return eg.fn([balls, balls], (balls, balls))(run)


def step(table: Table, x: Any, v: Any) -> tuple[Any, Any]:
    """One time step of all balls."""
    dt = table.dt

    def ball(i: Any) -> Any:
        impulse, shift = eg.sum(table.balls, lambda j: collision(table, x, v, i, j))
        after = [v[i][k] + impulse[k] for k in range(2)]
        return [x[i][k] + dt * after[k] + shift[k] for k in range(2)], after

    moved = eg.vec(table.balls, ball)
    return eg.vec(table.balls, lambda i: moved[i][0]), eg.vec(table.balls, lambda i: moved[i][1])


def collision(table: Table, x: Any, v: Any, i: Any, j: Any) -> Any:
    """The impulse that ball j gives ball i in this step, and the shift by its time of impact."""
    dt, reach = table.dt, 2 * table.radius
    none = ((0.0, 0.0), (0.0, 0.0))
    d = [(x[i][k] + dt * v[i][k]) - (x[j][k] + dt * v[j][k]) for k in range(2)]
    squared = d[0] * d[0] + d[1] * d[1]

    def touch() -> Any:
        n = m.sqrt(squared)
        u = [d[k] / (n + SOFTENING) for k in range(2)]
        approach = u[0] * (v[i][0] - v[j][0]) + u[1] * (v[i][1] - v[j][1])

        def bounce() -> Any:
            size = -(1 + table.elasticity) / 2 * approach
            impulse = (size * u[0], size * u[1])
            if not table.time_of_impact:
                return impulse, (0.0, 0.0)
            time = (n - reach) / m.minimum(-LEAST_APPROACH, approach)
            back = m.minimum(time - dt, 0.0)
            return impulse, (back * impulse[0], back * impulse[1])

        return eg.cond(approach < 0, bounce, lambda: none)

    return eg.cond((i != j) & (squared < reach * reach), touch, lambda: none)
