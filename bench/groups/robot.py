"""Time the gradient of a 1,364-step walk of robot D with respect to the weights of the robot's network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.adbench.peers import JAX
from bench.lab import Lab
from bench.measure import Row
from bench.native import Work, both_hosts
from bench.native_peers import jax_robot
from bench.problems import robot_of
from tools.bootstrap import ROOT

ROBOT = 3
"""D, the largest."""
STEPS, ITERATIONS = 1364, 100
CHECKED_STEPS = 100
"""The number of steps if we only compare results. After these steps, the robot has reached the ground."""
DATA = ROOT / "tests" / "data"


def rows(lab: Lab) -> Iterator[Row]:
    """The rows in Chromium, then on CPython."""
    spec, start = data("robots")[ROBOT], data(f"mass_spring_r{ROBOT}_f64_toi1")
    w1, w2 = start["weights1"], start["weights2"]
    steps = CHECKED_STEPS if lab.check else STEPS
    title = f"robot D, {steps} steps: gradient"
    work = {
        "spec": spec,
        "steps": steps,
        "iterations": ITERATIONS,
        "w1": w1,
        "w2": w2,
        "title": title,
        "target": {"call": 20, "bytes": 20_000, "memory": 8 * 2**20},
        "aim": {"call": 9},
    }
    args = tuple(map(np.array, (w1, np.zeros(len(w1)), w2, np.zeros(len(w2)))))
    peers = {JAX: jax_robot(robot_of(spec, steps))}
    native = Work("robot", title, (spec, steps), args, unit="ms", peers=peers)
    yield from both_hosts(lab, "robot", work, lambda: iter([native]))


def data(name: str) -> Any:
    """Read a file of reference values."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
