"""Mass-spring robots: a small neural network drives the muscles, and the loss measures the head's movement.

The model comes from DiffTaichi (Hu et al. 2020). It has springs, damping, and contact with the ground at the
exact time of impact. The network has one hidden layer. Its inputs are a few sine waves, the positions and
velocities of all masses, and the goal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

POINT = eg.Vec(2, eg.Real)

HIDDEN = 32
WAVES = 10
FREQUENCY = 10.0
"""The angular frequency of the sine waves among the network's inputs (1/s)."""
SENSITIVITY = 0.05
"""The factor by which the network multiplies its inputs that come from the masses."""
DAMPING = 15.0
"""The rate (1/s) at which velocities decay. In a time t, a velocity shrinks by the factor exp(−DAMPING·t)."""
SLACK = 1e-4
"""A small length (m) that we add to a spring's length before we divide by it. So the spring's direction is
finite even if the two ends coincide."""
LEAST_FALL = -1e-4
"""The vertical velocity (m/s) below which a mass can land. It is negative, because a falling mass has a
negative velocity."""
HEAD = 0
NAMES = ("W1", "b1", "W2", "b2")


@dataclass(frozen=True)
class Spring:
    """A spring between masses a and b. A muscle can change its rest length by up to rest_length·actuation."""

    a: int
    b: int
    rest_length: float
    stiffness: float
    actuation: float


@dataclass(frozen=True)
class Robot:
    """The fixed properties of a simulation, in metres and seconds."""

    masses: tuple[tuple[float, float], ...]
    springs: tuple[Spring, ...]
    steps: int
    dt: float = 0.004
    gravity: float = -4.8
    ground: float = 0.1
    goal: tuple[float, float] = (0.9, 0.2)

    @property
    def inputs(self) -> int:
        """The number of inputs of the network."""
        return WAVES + 4 * len(self.masses) + 2

    @property
    def weights(self) -> tuple[Any, Any, Any, Any]:
        """The types of the network's weights: W1, b1, W2, b2."""
        n = len(self.springs)
        first = eg.Vec(HIDDEN, eg.Vec(self.inputs, eg.Real))
        return first, eg.Vec(HIDDEN, eg.Real), eg.Vec(n, eg.Vec(HIDDEN, eg.Real)), eg.Vec(n, eg.Real)


@dataclass(frozen=True)
class World:
    """Properties of a simulation. The modules take them as arguments, so a change needs no compilation.

    friction: Coulomb's coefficient of friction, or None if masses stick to the ground.
    """

    masses: Any
    rest: Any
    reach: Any
    goal: Any
    gravity: Any
    friction: Any = None


def world_of(robot: Robot) -> World:
    """The robot's own world, as constants."""
    return World(
        masses=eg.asarray([list(mass) for mass in robot.masses]),
        rest=eg.asarray([s.rest_length for s in robot.springs]),
        reach=eg.asarray([s.actuation for s in robot.springs]),
        goal=robot.goal,
        gravity=robot.gravity,
    )


def loss(robot: Robot) -> eg.Fn:
    """Make the function (W1, b1, W2, b2) → −x, where x is the head's final horizontal position."""

    def distance(*weights: Any) -> Any:
        return -last(robot, world_of(robot), weights)[HEAD][0]

    return eg.fn(list(robot.weights), eg.Real, names=NAMES)(distance)


def objective(robot: Robot) -> eg.Fn:
    """Make the function (W1, b1, W2, b2, world, reaches) → loss.

    `world` is a struct with the fields of `World`. So the module depends only on the robot's structure. If
    `reaches` is true, the loss is the head's squared distance from the goal after the last step. Otherwise
    the loss is −x, where x is the head's horizontal position after the last step.
    """

    def objective(w1: Any, b1: Any, w2: Any, b2: Any, world: Any, reaches: Any) -> Any:
        head = last(robot, World(**world), (w1, b1, w2, b2))[HEAD]
        away = [head[k] - world["goal"][k] for k in range(2)]
        return eg.select(reaches, away[0] * away[0] + away[1] * away[1], -head[0])

    return eg.fn([*robot.weights, world_type(robot), eg.Bool], eg.Real)(objective)


def training(robot: Robot) -> eg.Fn:
    """Make the function (W1, b1, W2, b2, world, reaches) → (loss, its gradient by the weights)."""
    return eg.value_and_grad(objective(robot), (0, 1, 2, 3))


def motion(robot: Robot) -> eg.Fn:
    """Make the function (W1, b1, W2, b2, world) → {"x", "muscles"} for each step.

    "x" holds the positions of the masses after the step, and "muscles" holds the actuation of each spring
    during the step.
    """
    n, springs = len(robot.masses), len(robot.springs)
    moment = {"x": eg.Vec(n, POINT), "muscles": eg.Vec(springs, eg.Real)}

    def run(w1: Any, b1: Any, w2: Any, b2: Any, world: Any) -> Any:
        given = World(**world)

        def body(state: Any, i: Any) -> Any:
            t = eg.real(i) * robot.dt
            actuation = muscles(robot, given, (w1, b1, w2, b2), t, *state)
            after = moved(robot, given, actuation, *state)
            return after, {"x": after[0], "muscles": actuation}

        times = eg.vec(robot.steps, lambda i: i)
        return eg.scan(body, (given.masses, at_rest(robot)), times)[1]

    given = [*robot.weights, world_type(robot)]
    return eg.fn(given, eg.Vec(robot.steps, moment))(run)


def world_type(robot: Robot) -> dict[str, Any]:
    """The type of `World` as a struct."""
    springs = eg.Vec(len(robot.springs), eg.Real)
    masses = eg.Vec(len(robot.masses), POINT)
    numbers = {"gravity": eg.Real, "friction": eg.Real}
    return {"masses": masses, "rest": springs, "reach": springs, "goal": POINT, **numbers}


def last(robot: Robot, world: World, weights: Any) -> Any:
    """Return the positions of all masses after the last step."""

    def after(i: Any, state: Any) -> Any:
        return step(robot, world, weights, eg.real(i) * robot.dt, *state)

    return eg.fori_loop(0, robot.steps, after, (world.masses, at_rest(robot)))[0]


def at_rest(robot: Robot) -> Any:
    """Velocity 0 for each mass."""
    return eg.vec(len(robot.masses), lambda _: [0.0, 0.0])


def step(robot: Robot, world: World, weights: Any, t: Any, x: Any, v: Any) -> tuple[Any, Any]:
    """Return the positions and velocities one step after the time t (in seconds)."""
    return moved(robot, world, muscles(robot, world, weights, t, x, v), x, v)


def moved(robot: Robot, world: World, actuation: Any, x: Any, v: Any) -> tuple[Any, Any]:
    """Return the positions and velocities one step later, for a given actuation of the springs."""
    pulled = impulses_on_masses(robot, spring_impulses(robot, world, actuation, x))
    decay, fall = math.exp(-DAMPING * robot.dt), robot.dt * world.gravity

    def mass(i: Any) -> Any:
        speed = [decay * v[i][0] + pulled[i][0], decay * v[i][1] + fall + pulled[i][1]]
        height = x[i][1] + robot.dt * speed[1]
        lands = (height < robot.ground) & (speed[1] < LEAST_FALL)
        impact = eg.select(lands, -(x[i][1] - robot.ground) / speed[1], 0.0)
        slides = 0.0 if world.friction is None else sliding(speed, world.friction)
        after = [eg.select(lands, slides, speed[0]), eg.select(lands, 0.0, speed[1])]
        there = [x[i][k] + impact * speed[k] + (robot.dt - impact) * after[k] for k in range(2)]
        return there, after

    both = eg.vec(len(robot.masses), mass)
    n = len(robot.masses)
    return eg.vec(n, lambda i: both[i][0]), eg.vec(n, lambda i: both[i][1])


def sliding(speed: Any, friction: Any) -> Any:
    """Return the horizontal speed of a mass after it hits the ground.

    speed: the horizontal and the vertical speed before the mass hits the ground. Friction reduces the
        horizontal speed by friction·|vertical speed|, but never below 0.
    """
    most = friction * speed[1]
    return eg.select(speed[0] > -most, speed[0] + most, eg.select(speed[0] < most, speed[0] - most, 0.0))


def muscles(robot: Robot, world: World, weights: Any, t: Any, x: Any, v: Any) -> Any:
    """Run the network. Return its output: the actuation of each spring, from −1 to 1."""
    w1, b1, w2, b2 = weights
    n = len(robot.masses)
    centre = [eg.sum(n, lambda j, k=k: x[j][k]) / n for k in range(2)]
    waves = eg.vec(WAVES, lambda j: m.sin(FREQUENCY * t + eg.real(j) * (2 * math.pi / WAVES)))
    goal = [world.goal[k] - centre[k] for k in range(2)]
    seen = eg.vec(n, lambda j: [x[j][0] - centre[0], x[j][1] - centre[1], v[j][0], v[j][1]])

    def hidden(k: Any) -> Any:
        row = w1[k]
        by_waves = eg.sum(WAVES, lambda j: row[j] * waves[j])
        by_masses = eg.sum(n, lambda j: eg.sum(4, lambda c: row[4 * j + c + WAVES] * seen[j][c]))
        by_goal = row[WAVES + 4 * n] * goal[0] + row[WAVES + 4 * n + 1] * goal[1]
        return m.tanh(by_waves + SENSITIVITY * by_masses + by_goal + b1[k])

    activities = eg.vec(HIDDEN, hidden)
    return eg.vec(len(robot.springs), lambda i: m.tanh(eg.dot(w2[i], activities) + b2[i]))


def spring_impulses(robot: Robot, world: World, actuation: Any, x: Any) -> Any:
    """For each spring, compute the impulse on mass b in this step. Mass a gets the opposite impulse."""
    springs = robot.springs
    n = len(robot.masses)
    ends_a = eg.asarray([s.a for s in springs], eg.Vec(len(springs), eg.Fin(n)))
    ends_b = eg.asarray([s.b for s in springs], eg.Vec(len(springs), eg.Fin(n)))
    stiffness = eg.asarray([s.stiffness for s in springs])

    def impulse(i: Any) -> Any:
        a, b = ends_a[i], ends_b[i]
        d = [x[a][k] - x[b][k] for k in range(2)]
        length = m.sqrt(d[0] * d[0] + d[1] * d[1]) + SLACK
        target = world.rest[i] * (1.0 + world.reach[i] * actuation[i])
        size = robot.dt * stiffness[i] * (length - target) / length
        return [size * d[0], size * d[1]]

    return eg.vec(len(springs), impulse)


def impulses_on_masses(robot: Robot, pulls: Any) -> Any:
    """For each mass, add up the impulses of all springs."""
    at_mass = [
        [(k, -1.0) for k, s in enumerate(robot.springs) if s.a == i]
        + [(k, 1.0) for k, s in enumerate(robot.springs) if s.b == i]
        for i in range(len(robot.masses))
    ]
    flat = [entry for entries in at_mass for entry in entries]
    starts = [sum(map(len, at_mass[:i])) for i in range(len(at_mass))]
    n, total = len(at_mass), len(flat)
    spring = eg.asarray([k for k, _ in flat], eg.Vec(total, eg.Fin(len(robot.springs))))
    sign = eg.asarray([sign for _, sign in flat])
    count = eg.asarray([len(entries) for entries in at_mass], eg.Vec(n, eg.Fin(max(map(len, at_mass)) + 1)))
    start = eg.asarray(starts, eg.Vec(n, eg.Fin(total)))

    def on(i: Any) -> Any:
        def pull(k: Any) -> Any:
            entry = start[i] + k
            return [sign[entry] * pulls[spring[entry]][c] for c in range(2)]

        return eg.sum(count[i], pull)

    return eg.vec(n, on)
