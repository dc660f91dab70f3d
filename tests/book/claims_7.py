"""The numbers that chapter 7 of the book must show, from a simulation in plain Python."""

from __future__ import annotations

import math

RELATIVE = 1e-6
ABSOLUTE = 1e-9
GOAL = (2.2, 1.2)


def end(angle: float, speed: float) -> tuple[float, float]:
    x, y = 0.6, 0.5
    fast = [speed * math.cos(math.radians(angle)), speed * math.sin(math.radians(angle))]
    for _ in range(200):
        at = [x + 0.02 * fast[0], y + 0.02 * fast[1]]
        for k, most in ((0, 3.2), (1, 2.0)):
            if not 0 <= at[k] <= most:
                at[k] = -at[k] if at[k] < 0 else 2 * most - at[k]
                fast[k] = -fast[k]
        fast = [0.995 * one for one in fast]
        x, y = at
    return x, y


def slopes(angle: float, speed: float, h: float = 1e-5) -> list[list[float]]:
    """Compute the derivatives of the ball's final position by angle and speed, with central differences."""
    pairs = [(end(angle + h, speed), end(angle - h, speed)), (end(angle, speed + h), end(angle, speed - h))]
    return [[(one[k] - other[k]) / (2 * h) for one, other in pairs] for k in range(2)]


def aimed() -> tuple[float, float]:
    angle, speed = 35.0, 3.0
    for _ in range(30):
        x, y = end(angle, speed)
        (xa, xs), (ya, ys) = slopes(angle, speed)
        size = xa * ys - xs * ya
        turn = (ys * (GOAL[0] - x) - xs * (GOAL[1] - y)) / size
        push = (xa * (GOAL[1] - y) - ya * (GOAL[0] - x)) / size
        angle, speed = angle + min(max(turn, -5), 5), speed + min(max(push, -0.25), 0.25)
    return angle, speed


FIRST = slopes(35.0, 3.0)
BEST = aimed()
CLAIMS = {
    "shot": {
        "across": FIRST[0][0], "up": FIRST[1][0], "measured_x": FIRST[0][0], "measured_y": FIRST[1][0],
    },
    "aim": {"before": math.dist(end(35.0, 3.0), GOAL), "after": 0, "angle": BEST[0], "speed": BEST[1]},
}  # fmt: skip
NUMBERS = {"steps": 200, "farther": 1.5}
