"""Time the gradient of a 1,024-step billiards shot with respect to the cue ball's position and velocity."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.simulations import billiards
from bench import specs
from bench.adbench.peers import JAX
from bench.lab import Lab
from bench.measure import Row
from bench.native import Work, both_hosts
from bench.native_peers import jax_billiards
from bench.problems import GOAL, RACK_LAYERS, TARGET

STEPS, ITERATIONS = 1024, 200
TITLE = f"billiards, {STEPS} steps: gradient"


def rows(lab: Lab) -> Iterator[Row]:
    """The rows in Chromium, then on CPython."""
    work = {
        "steps": STEPS,
        "iterations": ITERATIONS,
        **specs.CUE,
        "title": TITLE,
        "target": {"call": 1.2, "compile": 60, "bytes": 10_000, "memory": 4 * 2**20},
        "aim": {"call": 0.7},
    }
    table = billiards.Table(billiards.triangle(RACK_LAYERS), TARGET, GOAL, STEPS)
    args = tuple(np.array(value) for value in specs.CUE.values())
    native = Work("billiards", TITLE, (STEPS,), args, unit="ms", peers={JAX: jax_billiards(table)})
    yield from both_hosts(lab, "billiards", work, lambda: iter([native]))
