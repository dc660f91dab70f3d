"""Kernels that generate random training data: points of two classes in a plane, and waves.

The points form moons, spirals, circles, clouds, or four squares (exclusive or). One kernel generates any of
these sets from a seed and an amount of noise. In the list of points, the two classes alternate.
"""

from __future__ import annotations

from typing import Any

import eglantine as eg

m = eg.math

SETS = ("moons", "spirals", "circles", "xor", "clouds")
POINTS = 400
"""The number of points that are generated. A page trains a network with the first half and tests the network
with the second half."""
WIDTH = 1.6
"""The radius of a moon."""
RADIUS, TURNS = 2.7, 1.5
"""The radius of a spiral, and the turns that it makes."""
INNER, OUTER = 1.0, 2.3
"""The radii of the circles."""
CORNER, GAP = 2.6, 0.15
"""The points of exclusive or lie in squares of this width, at this distance from both axes."""
CENTRE, SPREAD = 1.2, 0.6
"""The clouds' centres are (CENTRE, CENTRE) and the opposite point. Without noise clouds spread by SPREAD."""


def drawn() -> eg.Fn:
    """Make the function (kind, seed, noise) → {"x": positions, "label": classes}. kind: an index in SETS."""

    @eg.fn([eg.Fin(len(SETS)), eg.Real, eg.Real])
    def points(kind: Any, seed: Any, noise: Any) -> Any:
        places, jitters = eg.random.split(eg.random.key(seed), 2)
        share = eg.random.uniform(places, (POINTS, 2))
        jitter = eg.random.normal(jitters, (POINTS, 2))

        def at(i: Any) -> Any:
            label = i % 2
            sign = 1.0 - 2.0 * eg.real(label)
            s, t = share[i][0], share[i][1]
            shapes = [
                _moon(sign, s), _spiral(sign, s), _circle(sign, s), _square(sign, s, t),
                [-sign * CENTRE + SPREAD * jitter[i][0], -sign * CENTRE + SPREAD * jitter[i][1]],
            ]  # fmt: skip
            x, y = shapes[-1]
            for k, shape in enumerate(shapes[:-1]):
                x, y = eg.select(kind == k, shape[0], x), eg.select(kind == k, shape[1], y)
            return [x + noise * jitter[i][0], y + noise * jitter[i][1]]

        return {"x": eg.vec(POINTS, at), "label": eg.vec(POINTS, lambda i: i % 2)}

    return points


def _moon(sign: Any, s: Any) -> list[Any]:
    """Return a point on a half circle. Each class has a half circle, and the two half circles interlock."""
    x, y = m.cos(m.pi * s), m.sin(m.pi * s)
    return [WIDTH * (sign * x - 0.5 * sign), WIDTH * (sign * y - 0.25 * sign)]


def _spiral(sign: Any, s: Any) -> list[Any]:
    """Return a point on a spiral. Its distance from the centre is uniformly distributed."""
    angle = 2.0 * m.pi * TURNS * s
    return [sign * RADIUS * s * m.sin(angle), sign * RADIUS * s * m.cos(angle)]


def _circle(sign: Any, s: Any) -> list[Any]:
    radius = eg.select(sign > 0.0, OUTER, INNER)
    return [radius * m.cos(2.0 * m.pi * s), radius * m.sin(2.0 * m.pi * s)]


def _square(sign: Any, s: Any, t: Any) -> list[Any]:
    """Return a point near a corner of a square. Each class has two opposite corners."""
    x, y = 2.0 * s - 1.0, t
    x = m.copysign(GAP, x) + (CORNER - GAP) * x
    return [x, sign * m.copysign(GAP + (CORNER - GAP) * y, x)]


WAVES = 48
"""The number of waves that are generated. A page trains a network with the first half and tests the network
with the second half."""
PERIOD = 16.0
"""The number of values in one period of a wave."""
HEIGHT = 0.8


def waves(length: int) -> eg.Fn:
    """Make the function (seed, noise) → {"x": sine waves of `length` values with random phases}."""

    @eg.fn([eg.Real, eg.Real])
    def sines(seed: Any, noise: Any) -> Any:
        phases, jitters = eg.random.split(eg.random.key(seed), 2)
        phase = eg.random.uniform(phases, WAVES, 0.0, 2.0 * m.pi)
        jitter = eg.random.normal(jitters, (WAVES, length))

        def value(k: Any, t: Any) -> Any:
            return HEIGHT * m.sin(2.0 * m.pi * eg.real(t) / PERIOD + phase[k]) + noise * jitter[k][t]

        return {"x": eg.vec(WAVES, lambda k: eg.vec(length, lambda t: value(k, t)))}

    return sines
