"""The numbers that chapter 6 of the book must show, from derivatives by hand."""

from __future__ import annotations

import math


def error(step: float) -> float:
    """Approximate sin x cos y + x y/6 to second order about (1, ½). Return the error at (1 + step, ½)."""
    slope, bend = math.cos(1) * math.cos(0.5), -math.sin(1) * math.cos(0.5)
    value = math.sin(1) * math.cos(0.5) + slope * step + bend * step * step / 2
    return abs(value - math.sin(1 + step) * math.cos(0.5))


def newton(steps: int) -> float:
    x = 2.0
    for _ in range(steps):
        x -= (x**3 - 2 * x - 5) / (3 * x * x - 2)
    return x


def left(steps: int) -> float:
    x = newton(steps)
    return x * x * x - 2 * x - 5


A, B = -math.sin(1) * math.cos(0.5), 1 / 6 - math.cos(1) * math.sin(0.5)
C, S = math.sqrt(3) / 2, 0.5
CLAIMS = {
    # the slope cos(π/2) + ¼, the second derivative −sin(π/2), and the radius of curvature (1 + 1/16)^1.5 / 1
    "circle": {"slope": 0.25, "second": -1, "size": (17 / 16) ** 1.5},
    "patch": {"a": A, "b": B, "d": A, "far": error(0.2), "close": error(0.1)},
    "zero": {"start": -1, "one": 0.061, "two": left(2), "three": left(3)},
    "products": {"across": A * C + B * S, "up": B * C + A * S, "gap": 0},
}
NUMBERS = {"root": newton(5), "larger": 13**0.5, "straight": 3.141592653589793, "level": 6**0.5 / 3}
