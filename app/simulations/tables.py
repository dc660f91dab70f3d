"""Compile a billiards table for the page: modules for a shot, for many shots, and for the balls' paths."""

from __future__ import annotations

import time
from typing import Any

import eglantine as eg
from eglantine.inside import driver

from .billiards import CUSHIONS, Table, cluster, line, paths, shot, triangle

RACKS = {"four": triangle(4), "two": triangle(2), "line": line(6), "cluster": cluster(2)}
"""The racks that the page offers, by name. The first is the default."""

DEFAULT = {"balls": 11, "steps": 1024, "cushions": False, "friction": 0, "timeOfImpact": True}
"""The description of the table that the page shows first. Each description needs its own modules."""

GOAL, TARGET, CUE = (0.9, 0.75), 10, ((0.1, 0.5), (0.3, 0.0))
"""The page's first shot: where ball `TARGET` should go, and the cue ball's position and velocity."""

ALIGNED = 8
"""The alignment of numbers in a module's memory: the address of each number is a multiple of ALIGNED
bytes."""

MOST_BALLS = 25
MOST_STEPS = 2048


def table_of(spec: dict[str, Any]) -> Table:
    """Make a table from the page's spec {"balls", "steps", "cushions", "friction", "timeOfImpact"}.

    All balls of the table's rack are at (0, 0), because the modules take the real rack as an argument.

    Raises:
        ValueError: a number is out of range.
    """
    balls, steps = int(spec["balls"]), int(spec["steps"])
    if not (2 <= balls <= MOST_BALLS and 1 <= steps <= MOST_STEPS):
        msg = (
            f"A table has 2 to {MOST_BALLS} balls and 1 to {MOST_STEPS} steps, but this one has "
            f"{balls} balls and {steps} steps. Choose fewer or more."
        )
        raise ValueError(msg)
    return Table(
        rack=((0.0, 0.0),) * (balls - 1),
        target=0,
        goal=(0.0, 0.0),
        steps=steps,
        time_of_impact=bool(spec["timeOfImpact"]),
        cushions=CUSHIONS if spec["cushions"] else None,
        friction=float(spec["friction"]),
    )


def compile_table(spec: dict[str, Any]) -> dict[str, Any]:
    """Compile the modules of a table: a shot's loss and gradient, a batch of shots, and the balls' paths.

    Returns {"shot", "batch", "paths": {"wasm", "abi"}, "cost": {"ms", "bytes", "memory"}}. "batch" is a
    module that calls "shot" many times in a loop. "cost" describes only the module "shot": the time of
    tracing and compiling, and the sizes of the module and of its memory.

    Raises:
        ValueError: the spec is out of range.
    """
    table = table_of(spec)
    start = time.perf_counter()
    gradient = eg.compile_artifact(shot(table))
    ms = 1000 * (time.perf_counter() - start)
    drawn = eg.compile_artifact(paths(table))
    cost = {"ms": ms, "bytes": len(gradient.wasm), "memory": gradient.abi["memory"]["bytes"]}
    loop, columns = driver(gradient.abi, -(-cost["memory"] // ALIGNED) * ALIGNED)
    return {
        "shot": {"wasm": gradient.wasm, "abi": gradient.abi},
        "batch": {"wasm": loop, "abi": columns},
        "paths": {"wasm": drawn.wasm, "abi": drawn.abi},
        "cost": cost,
    }


def beginning() -> dict[str, Any]:
    """Return constants, racks and the default table. The build stores them for the page."""
    plain = table_of(DEFAULT)
    return {
        "radius": plain.radius,
        "dt": plain.dt,
        "cushions": CUSHIONS,
        "racks": RACKS,
        "spec": DEFAULT,
        "goal": GOAL,
        "target": TARGET,
        "cue": {"x": CUE[0], "v": CUE[1]},
        "mostBalls": MOST_BALLS,
        "mostSteps": MOST_STEPS,
    }
