"""Figures of chapter 7, "Through a simulation"."""

from __future__ import annotations

import math
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from docs.book.vectors import points
from eglantine import math as em

STEPS = 200
TIME = 4.0
FRICTION = 0.25
WIDE, HIGH = 3.2, 2.0
"""The table."""
START = (0.6, 0.5)
DESCENT = 30

State = tuple[Any, Any, Any, Any]


def roll(state: State) -> State:
    """One step of a ball on a table with cushions and friction."""
    x, y, fast_x, fast_y = state
    step = TIME / STEPS
    x, y = x + step * fast_x, y + step * fast_y
    fast_x = eg.select((x < 0.0) | (x > WIDE), -fast_x, fast_x)
    fast_y = eg.select((y < 0.0) | (y > HIGH), -fast_y, fast_y)
    x = eg.select(x < 0.0, -x, eg.select(x > WIDE, 2 * WIDE - x, x))
    y = eg.select(y < 0.0, -y, eg.select(y > HIGH, 2 * HIGH - y, y))
    slower = 1 - FRICTION * step
    return x, y, slower * fast_x, slower * fast_y


def begun(angle: Any, speed: Any) -> State:
    """Return the state of the ball right after a shot. The angle is in degrees."""
    turned = angle * math.pi / 180
    return START[0] + 0.0 * turned, START[1] + 0.0 * turned, speed * em.cos(turned), speed * em.sin(turned)


def end(angle: Any, speed: Any) -> tuple[Any, Any]:
    """Where the ball is at the end."""
    x, y, _, _ = eg.fori_loop(0, STEPS, lambda _, state: roll(state), begun(angle, speed))
    return x, y


def track(angle: Any, speed: Any) -> Any:
    """The positions of the ball at all steps."""
    _, way = eg.scan(lambda state, _: (roll(state), (state[0], state[1])), begun(angle, speed), length=STEPS)
    return way


def moved(angle: Any, speed: Any) -> tuple[Any, Any]:
    """Return the derivative of the ball's final position with respect to the angle in degrees."""
    return eg.jvp(lambda angle: end(angle, speed), (angle,), (1.0,))[1]


def shot() -> Shown:
    """A figure of a shot. It also shows where the ball ends if the angle changes by 3 degrees."""

    def ends(angle: Any, speed: Any) -> Any:
        x, y = end(angle, speed)
        across, up = moved(angle, speed)
        return points([(x - 3 * across, y - 3 * up), (x + 3 * across, y + 3 * up)])

    def told(angle: Any, speed: Any) -> Any:
        return (*end(angle, speed), *moved(angle, speed))

    figure = eg.figure(
        None, kind="scatter", x=(0, WIDE), y=(0, HIGH), angle=eg.slider(0, 90, 35), speed=eg.slider(0.2, 4, 3),
        paths={"ball": track, "end ± 3 degrees": (ends, "both")},
        says=("The ball ends at ({}, {}), which moves by ({}, {}) for each degree", told),
    )  # fmt: skip
    across, up = moved(35.0, 3.0)
    ahead, behind = end(35.001, 3.0), end(34.999, 3.0)
    return shown(
        figure,
        "At 35 degrees and speed 3, the end moves by ({across}, {up}) for each degree. Two shots a thousandth of a degree "
        "to either side say ({measured_x}, {measured_y}).",
        across=across, up=up,
        measured_x=(ahead[0] - behind[0]) / 0.002, measured_y=(ahead[1] - behind[1]) / 0.002,
    )  # fmt: skip


def miss(angle: Any, speed: Any, goal_x: Any, goal_y: Any) -> Any:
    """The squared distance between the ball's final position and the goal."""
    x, y = end(angle, speed)
    return (x - goal_x) * (x - goal_x) + (y - goal_y) * (y - goal_y)


def improved(state: tuple[Any, Any], goal_x: Any, goal_y: Any) -> tuple[Any, Any]:
    """Take a Gauss–Newton step towards the goal. Limit the angle's change to 5°, and the speed's to 0.25."""
    angle, speed = state
    x, y = end(angle, speed)
    (xa, xs), (ya, ys) = eg.jacfwd(end, (0, 1))(angle, speed)
    size = xa * ys - xs * ya
    safe = eg.select(abs(size) > 1e-9, size, 1.0)
    turn = (ys * (goal_x - x) - xs * (goal_y - y)) / safe
    push = (xa * (goal_y - y) - ya * (goal_x - x)) / safe
    return angle + em.clip(turn, -5.0, 5.0), speed + em.clip(push, -0.25, 0.25)


def aim() -> Shown:
    """A shot that aims itself."""

    def aimed(goal: Any, tries: Any) -> tuple[Any, Any]:
        def step(k: Any, state: Any) -> Any:
            new = improved(state, goal[0], goal[1])
            goes_on = eg.real(k) < em.floor(tries)
            return eg.select(goes_on, new[0], state[0]), eg.select(goes_on, new[1], state[1])

        return eg.fori_loop(0, DESCENT, step, (35.0, 3.0))

    def way(goal: Any, tries: Any) -> Any:
        return track(*aimed(goal, tries))

    def told(goal: Any, tries: Any) -> Any:
        angle, speed = aimed(goal, tries)
        return em.floor(tries), angle, speed, em.sqrt(miss(angle, speed, goal[0], goal[1]))

    goal = (2.2, 1.2)
    figure = eg.figure(
        None, kind="scatter", x=(0, WIDE), y=(0, HIGH), goal=eg.point(goal), tries=eg.slider(0, DESCENT, 0),
        paths={"ball": way}, says=("After {} steps: angle {}, speed {}, and {} from the goal", told),
    )  # fmt: skip
    state = (35.0, 3.0)
    before = math.sqrt(miss(*state, *goal))
    for _ in range(10):
        state = improved(state, *goal)
    return shown(
        figure,
        "The first shot ends {before} from the goal (2.2, 1.2). After ten steps it ends {after} away, with an angle of "
        "{angle} degrees and a speed of {speed}.",
        before=before, after=math.sqrt(miss(*state, *goal)), angle=state[0], speed=state[1],
    )  # fmt: skip


FIGURES = {"shot": shot, "aim": aim}
NUMBERS = {"steps": STEPS, "farther": eg.grad(lambda v: v * v / 4)(3.0)}
