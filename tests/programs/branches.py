"""Programs of branches for `eg.autograph`."""

# ruff: noqa: RET505 - this file is about all ways to write an `if`

from __future__ import annotations

import eglantine as eg

m = eg.math
R, B = eg.Real, eg.Bool


def absolute(x):
    if x < 0:
        x = -x
    return x


def clamp(x, lo, hi):
    if x < lo:
        return lo
    elif x > hi:
        return hi
    return x


def clamp_chain(x):
    y = x * x
    if y > 4.0:
        y = 4.0 + 0.5 * (y - 4.0)
    if y > 9.0:
        y = 9.0 + 0.25 * (y - 9.0)
    if not y < 10.0:
        y = 10.0
    return y


def ladder(x):
    if x < -1.0:
        return x + 1.0
    if x < 0.0:
        return x * x
    if x < 1.0:
        y = 3.0 * x
        return y * y
    if x < 2.0:
        return 9.0 - x
    return 7.0 * x / 2.0


def huber(x, d):
    return 0.5 * x * x if -d <= x <= d else d * (abs(x) - 0.5 * d)


def in_box(x, y):
    inside = 0.0 < x < 1.0 and not (y <= 0.0 or y >= 1.0)
    if inside:
        return x * y
    return x - y


def median_of_three(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return b


def sign_by_elif(x):
    if x > 0:
        s = 1
    elif x < 0:
        s = -1
    else:
        s = 0
    return s * x * x
