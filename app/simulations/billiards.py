"""Billiards: a cue ball strikes a rack, and the loss is the target ball's final distance from its goal.

The model comes from DiffTaichi (Hu et al. 2020). If two balls overlap at the end of a step and approach each
other, they collided during the step. They exchange an impulse. We compute the time of impact: the time when
they touched. Then we move them to the positions that they reach if they bounce at this time. If we ignore the
time of impact (`time_of_impact=False`), the gradient is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

POINT = eg.Vec(2, eg.Real)

SOFTENING = 1e-6
"""A small length (m) that we add to the distance of two balls before we divide by it. So the direction from
one ball to the other is finite even if the balls coincide."""

LEAST_APPROACH = 1e-3
"""The least speed of approach (m/s) by which we divide a distance to get a time of impact. If the speed is
lower, we divide by LEAST_APPROACH."""

CUSHIONS = (0.0, 1.2, 0.1, 0.9)
"""The inner edges of the cushions on the page's table: smallest x, largest x, smallest y, largest y."""


@dataclass(frozen=True)
class Table:
    """The fixed properties of a simulation, in metres and seconds.

    rack: the initial positions of all balls except the cue ball. The cue ball is number 0, the others are 1,
        2, …
    target: the number of the ball that should reach `goal`.
    cushions: the positions of four elastic walls as (smallest x, largest x, smallest y, largest y), or None
        for an endless table.
    friction: the rate in 1/s at which a ball's speed decays, as exp(-friction t).
    """

    rack: tuple[tuple[float, float], ...]
    target: int
    goal: tuple[float, float]
    steps: int
    radius: float = 0.03
    elasticity: float = 0.8
    dt: float = 0.003
    time_of_impact: bool = True
    cushions: tuple[float, float, float, float] | None = None
    friction: float = 0.0

    @property
    def balls(self) -> int:
        """The number of balls, including the cue ball."""
        return 1 + len(self.rack)


def triangle(layers: int, radius: float = 0.03) -> tuple[tuple[float, float], ...]:
    """Make a triangular rack of 1 + 2 + … + `layers` balls, with its tip at (0.5, 0.5)."""
    return tuple(
        (0.5 + 2 * radius * i, 0.5 + 2 * radius * j - 0.7 * radius * i)
        for i in range(layers)
        for j in range(i + 1)
    )


def line(balls: int, radius: float = 0.03) -> tuple[tuple[float, float], ...]:
    """Put balls in a row along the x axis. The gap between two neighbours is as wide as a ball."""
    return tuple((0.4 + 4 * radius * i, 0.5) for i in range(balls))


def cluster(rings: int, radius: float = 0.03) -> tuple[tuple[float, float], ...]:
    """Put a ball at (0.6, 0.5), and rings of 6, 12, … balls around it.

    The balls of each ring are numbered clockwise, and the last one is at 60°.
    """
    around = [(0.6, 0.5)]
    for ring in range(1, rings + 1):
        for k in range(6 * ring):
            angle = math.pi / 3 - 2 * math.pi * (k + 1) / (6 * ring)
            reach = 2.2 * radius * ring
            around.append((0.6 + reach * math.cos(angle), 0.5 + reach * math.sin(angle)))
    return tuple(around)


def loss(table: Table) -> eg.Fn:
    """Make the function (cue's x, cue's v) → squared distance of the target ball from the goal at the end."""
    end = simulation(table)

    def distance(cue_x: Any, cue_v: Any) -> Any:
        x, _ = end(*positions(table, cue_x, cue_v))
        return miss(x[table.target], table.goal)

    return eg.fn([POINT, POINT], eg.Real)(distance)


def shot(table: Table) -> eg.Fn:
    """Make the function (cue's x, cue's v, rack, goal, target) → {"loss", "x", "v"}.

    "x" and "v" are the derivatives of the loss with respect to the cue ball's x and v.
    Rack, goal and target are arguments, so one module works for all their values. The function ignores
    `table.goal` and `table.target`. It uses `table.rack` only to count the balls.
    """
    end = simulation(table)

    def distance(cue_x: Any, cue_v: Any, rack: Any, goal: Any, target: Any) -> Any:
        x, _ = end(*positions(table, cue_x, cue_v, rack))
        return miss(x[target], goal)

    given = [POINT, POINT, eg.Vec(len(table.rack), POINT), POINT, eg.Fin(table.balls)]
    at = eg.value_and_grad(eg.fn(given, eg.Real)(distance), (0, 1))

    def jet(cue_x: Any, cue_v: Any, rack: Any, goal: Any, target: Any) -> Any:
        value, (by_x, by_v) = at(cue_x, cue_v, rack, goal, target)
        return {"loss": value, "x": by_x, "v": by_v}

    return eg.fn(given, {"loss": eg.Real, "x": POINT, "v": POINT})(jet)


def paths(table: Table) -> eg.Fn:
    """Make the function (cue's x, cue's v, rack) → {"x", "hit"} for each step.

    "x" has the position of each ball after the step. "hit" is true for each ball that another ball or a
    cushion hit in the step.
    """
    n = table.balls
    moment = {"x": eg.Vec(n, POINT), "hit": eg.Vec(n, eg.Bool)}

    def body(state: Any, _: Any) -> Any:
        x, v, hit = advance(table, *state)
        return (x, v), {"x": x, "hit": hit}

    def run(cue_x: Any, cue_v: Any, rack: Any) -> Any:
        _, moments = eg.scan(body, positions(table, cue_x, cue_v, rack), None, length=table.steps)
        return moments

    given = [POINT, POINT, eg.Vec(len(table.rack), POINT)]
    return eg.fn(given, eg.Vec(table.steps, moment))(run)


def miss(x: Any, goal: Any) -> Any:
    """|x − goal|²."""
    dx, dy = x[0] - goal[0], x[1] - goal[1]
    return dx * dx + dy * dy


def positions(table: Table, cue_x: Any, cue_v: Any, rack: Any = None) -> tuple[Any, Any]:
    """Return the positions and velocities of all balls at the start.

    All balls except the cue ball are at rest. rack: the positions of the resting balls. The default is the
    table's own rack.
    """
    others = map(list, table.rack) if rack is None else rack
    x = eg.asarray([cue_x, *others])
    v = eg.vec(table.balls, lambda i: eg.select(i == 0, cue_v, [0.0, 0.0]))
    return x, v


def simulation(table: Table) -> eg.Fn:
    """Make the function (x, v) → (x, v) that moves all balls by `table.steps` steps."""
    balls = eg.Vec(table.balls, POINT)

    def run(x: Any, v: Any) -> Any:
        return eg.scan(lambda state, _: (step(table, *state), None), (x, v), length=table.steps)[0]

    return eg.fn([balls, balls], (balls, balls))(run)


def step(table: Table, x: Any, v: Any) -> tuple[Any, Any]:
    """Return the positions and velocities of all balls one time step later."""
    return advance(table, x, v)[:2]


def advance(table: Table, x: Any, v: Any) -> tuple[Any, Any, Any]:
    """Advance all balls by a time step. Return positions, velocities, and which balls were struck."""
    dt, n = table.dt, table.balls
    decay = math.exp(-table.friction * dt)
    ahead = eg.vec(n, lambda i: [x[i][k] + dt * v[i][k] for k in range(2)])

    def ball(i: Any) -> Any:
        impulse, shift = eg.sum(n, lambda j: collision(table, ahead, v, i, j))
        after = [v[i][k] + impulse[k] for k in range(2)]
        if table.friction:
            after = [decay * after[k] for k in range(2)]
        moved = [x[i][k] + dt * after[k] + shift[k] for k in range(2)]
        struck = (impulse[0] != 0) | (impulse[1] != 0)
        if table.cushions is None:
            return moved, after, struck
        sides = [cushion(table, k, x[i][k], moved[k], after[k]) for k in range(2)]
        return [side[0] for side in sides], [side[1] for side in sides], struck | sides[0][2] | sides[1][2]

    after = eg.vec(n, ball)
    return (
        eg.vec(n, lambda i: after[i][0]),
        eg.vec(n, lambda i: after[i][1]),
        eg.vec(n, lambda i: after[i][2]),
    )


def cushion(table: Table, axis: int, before: Any, x: Any, v: Any) -> tuple[Any, Any, Any]:
    """Bounce a ball off the cushions of an axis. Return its new coordinate and velocity, and if it bounced.

    before: the coordinate before the step.
    x, v: the coordinate and velocity after a step without cushions. If `table.time_of_impact` is true, the
        ball ends at the mirror image of x in the cushion. If it is false, the ball moves from `before` with
        the velocity −v for a whole step.
    """
    assert table.cushions is not None
    low = table.cushions[2 * axis] + table.radius
    high = table.cushions[2 * axis + 1] - table.radius
    below, above = (x < low) & (v < 0), (x > high) & (v > 0)
    struck = below | above
    mirror = 2 * eg.select(below, low, high) - x
    back = mirror if table.time_of_impact else before - table.dt * v
    return eg.select(struck, back, x), eg.select(struck, -v, v), struck


def collision(table: Table, ahead: Any, v: Any, i: Any, j: Any) -> Any:
    """Return the impulse of ball j on ball i in this step, and how far the time of impact shifts ball i.

    ahead: the positions of the balls after a step without collisions.
    """
    dt, reach = table.dt, 2 * table.radius
    none = ((0.0, 0.0), (0.0, 0.0))
    d = [ahead[i][k] - ahead[j][k] for k in range(2)]
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
