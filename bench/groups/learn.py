"""Steps of training a small network on two moons, beside TensorFlow.js and a program with objects as
nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import eglantine as eg
from app.learning.data import SETS, drawn
from app.learning.network import Network
from bench.lab import Lab
from bench.measure import Row
from bench.problems import TRAINING_POINTS

SHAPES = ((), (4, 2), (8, 8))
"""The units of the hidden layers. The second is the network with which TensorFlow Playground begins."""
BATCH, RATE, STEPS = 10, 0.03, 100
NOISE = 0.2


def rows(lab: Lab) -> Iterator[Row]:
    """The rows in Chromium."""
    yield from lab.in_browser("learn", work())


def work() -> dict[str, Any]:
    """The points and the networks, each with its weights at the start."""
    points = eg.jit(drawn())(SETS.index("moons"), 1.0, NOISE)["x"][:TRAINING_POINTS]
    networks = []
    for hidden in SHAPES:
        network = Network(2, hidden, 2, "tanh")
        networks.append({"hidden": list(hidden), "weights": list(eg.jit(network.start)(1.0))})
    return {"points": points, "networks": networks, "batch": BATCH, "rate": RATE, "steps": STEPS}
