"""The numbers that chapter 3 of the book must show. Plain Python computes them with gradients by hand."""

from __future__ import annotations

import math


def banana_slope(x: float, y: float) -> tuple[float, float]:
    """The gradient of (1 − x)² + 5 (y − x²)²."""
    return -2 * (1 - x) - 20 * x * (y - x * x), 10 * (y - x * x)


def gradient_descent() -> float:
    x, y = -1.5, 1.0
    for _ in range(40):
        across, up = banana_slope(x, y)
        x, y = x - 0.02 * across, y - 0.02 * up
    return math.hypot(x - 1, y - 1)


def momentum() -> float:
    x, y, fast_x, fast_y = -1.5, 1.0, 0.0, 0.0
    for _ in range(40):
        across, up = banana_slope(x, y)
        fast_x, fast_y = 0.9 * fast_x - 0.02 * across, 0.9 * fast_y - 0.02 * up
        x, y = x + fast_x, y + fast_y
    return math.hypot(x - 1, y - 1)


def adam() -> float:
    at, mean, size = [-1.5, 1.0], [0.0, 0.0], [0.0, 0.0]
    for k in range(1, 41):
        for i, slope in enumerate(banana_slope(*at)):
            mean[i] = 0.9 * mean[i] + 0.1 * slope
            size[i] = 0.99 * size[i] + 0.01 * slope * slope
        at = [
            at[i] - 0.2 * (mean[i] / (1 - 0.9**k)) / (math.sqrt(size[i] / (1 - 0.99**k)) + 1e-8)
            for i in range(2)
        ]
    return math.hypot(at[0] - 1, at[1] - 1)


def minimum() -> float:
    """Find the minimum of −sin² t + t²/10 by bisection. The derivative is 0 if 5 sin 2t = t."""
    low, high = 1.0, 2.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if 5 * math.sin(2 * middle) > middle else (low, middle)
    return low


T = (
    minimum()
)  # at (t, −t), ∂xx and ∂yy are sin² t + 0.1 and ∂xy is cos² t, so the eigenvalues are 0.1 − cos 2t and 1.1
CLAIMS = {
    "parabola": {"slow": 1.5 * 0.9**10, "good": 1.5 * 0.5**10, "bad": 1.5 * 1.2**10},
    "fates": {"low": -0.9, "high": 1.1, "least": 0.1 - math.cos(2 * T), "greatest": 1.1},
    "valley": {"ten": 9 / 11, "hundred": 99 / 101, "few": 12, "many": 116},
    "race": {"gradient": gradient_descent(), "momentum": momentum(), "adam": adam(), "newton": 0, "bfgs": 0},
}
NUMBERS = {"factor": 0.4, "bound": 0.2, "one_step": 10}
