"""Compile a robot for the page: one WebAssembly module for its training, and one for its motion."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import eglantine as eg

from .robot import HIDDEN, WAVES, Robot, Spring, motion, training

MOST_MASSES, MOST_SPRINGS, MOST_STEPS = 40, 100, 1364
STEPS = 681
STICKS = 1e9
"""A friction at which feet stick."""
DEFAULT = "B"
"""The name of the robot that the page shows first."""


@dataclass(frozen=True)
class Plan:
    """A robot as the page draws it.

    masses: the coordinates of the masses in metres, such as "0.2,0.1 0.3,0.13" for two masses.
    springs: the masses that each spring joins, such as "0-1 1-2" for two springs.
    muscles: the numbers of the springs that are muscles.
    """

    masses: str
    springs: str
    muscles: tuple[int, ...]
    reach: float
    stiffness: float

    @property
    def points(self) -> list[list[float]]:
        """The positions of the masses."""
        return [[float(part) for part in mass.split(",")] for mass in self.masses.split()]

    @property
    def ends(self) -> list[list[int]]:
        """The two masses that each spring joins."""
        return [[int(part) for part in spring.split("-")] for spring in self.springs.split()]


PLANS = {
    "A": Plan(
        masses=("0.2,0.1 0.3,0.13 0.4,0.1 0.2,0.2 0.3,0.2 0.4,0.2"),
        springs=("0-1 1-2 3-4 4-5 0-3 2-5 0-4 1-4 2-4 3-1 5-1"),
        muscles=tuple(range(11)),
        reach=0.1,
        stiffness=14000.0,
    ),
    "B": Plan(
        masses=(
            "0.225,0.125 0.2,0.15 0.25,0.15 0.125,0.125 0.1,0.15 0.15,0.15 0.1,0.2 0.15,0.2 0.1,0.25 "
            "0.15,0.25 0.2,0.2 0.2,0.25 0.25,0.2 0.25,0.25"
        ),
        springs=(
            "0-1 0-2 1-2 3-4 3-5 4-5 4-6 5-7 4-7 6-5 6-7 6-8 7-9 6-9 8-7 8-9 10-11 7-10 7-11 9-10 9-11 "
            "1-10 2-12 1-12 10-2 10-12 12-13 10-13 11-12 11-13"
        ),
        muscles=(6, 7, 21, 22),
        reach=0.15,
        stiffness=30000.0,
    ),
    "C": Plan(
        masses=(
            "0.2,0.1 0.2,0.15 0.25,0.1 0.25,0.15 0.1,0.1 0.1,0.15 0.15,0.1 0.15,0.15 0.1,0.2 0.15,0.2 "
            "0.1,0.25 0.15,0.25 0.2,0.2 0.2,0.25 0.25,0.2 0.25,0.25 0.2,0.3 0.25,0.3 0.2,0.35 0.25,0.35"
        ),
        springs=(
            "0-1 2-3 0-2 0-3 1-2 1-3 4-5 6-7 4-6 4-7 5-6 5-7 5-8 7-9 5-9 8-7 8-9 8-10 9-11 8-11 10-9 10-11 "
            "12-13 9-12 9-13 11-12 11-13 1-12 3-14 1-14 12-3 12-14 14-15 12-15 13-14 13-15 13-16 15-17 "
            "13-17 16-15 16-17 16-18 17-19 16-19 18-17 18-19"
        ),
        muscles=(0, 1, 6, 7, 12, 13, 27, 28),
        reach=0.15,
        stiffness=30000.0,
    ),
    "D": Plan(
        masses=(
            "0.2,0.1 0.2,0.15 0.25,0.1 0.25,0.15 0.1,0.1 0.1,0.15 0.15,0.1 0.15,0.15 0.1,0.2 0.15,0.2 "
            "0.1,0.25 0.15,0.25 0.2,0.2 0.2,0.25 0.25,0.2 0.25,0.25 0.2,0.3 0.25,0.3 0.2,0.35 0.25,0.35 "
            "0.3,0.15 0.3,0.2 0.3,0.1 0.35,0.1 0.35,0.15 0.35,0.2"
        ),
        springs=(
            "0-1 2-3 0-2 0-3 1-2 1-3 4-5 6-7 4-6 4-7 5-6 5-7 5-8 7-9 5-9 8-7 8-9 8-10 9-11 8-11 10-9 10-11 "
            "12-13 9-12 9-13 11-12 11-13 1-12 3-14 1-14 12-3 12-14 14-15 12-15 13-14 13-15 13-16 15-17 "
            "13-17 16-15 16-17 16-18 17-19 16-19 18-17 18-19 20-21 3-20 3-21 14-20 14-21 22-20 23-24 22-23 "
            "22-24 20-23 20-24 24-25 20-25 21-24 21-25"
        ),
        muscles=(0, 1, 6, 7, 12, 13, 27, 28, 51, 52, 57),
        reach=0.15,
        stiffness=30000.0,
    ),
}
"""DiffTaichi's robots."""


def robot_of(spec: dict[str, Any]) -> Robot:
    """Make a robot from a spec {"masses": their number, "springs": [[a, b], …], "stiffness", "steps"}.

    Raises:
        ValueError: a number is out of range.
    """
    n, steps, stiffness = int(spec["masses"]), int(spec["steps"]), float(spec["stiffness"])
    ends = [(int(a), int(b)) for a, b in spec["springs"]]
    if not (2 <= n <= MOST_MASSES and 1 <= len(ends) <= MOST_SPRINGS and 1 <= steps <= MOST_STEPS):
        msg = (
            f"A walker has 2 to {MOST_MASSES} masses, 1 to {MOST_SPRINGS} springs and 1 to "
            f"{MOST_STEPS} steps, but this one has {n} masses, {len(ends)} springs and {steps} steps. "
            "Choose fewer or more."
        )
        raise ValueError(msg)
    if not all(0 <= a < n and 0 <= b < n and a != b for a, b in ends) or not 0 < stiffness < math.inf:
        msg = "Every spring must join two masses and have a stiffness above 0, but one does not. Change it."
        raise ValueError(msg)
    springs = tuple(Spring(a, b, 1.0, stiffness, 0.0) for a, b in ends)
    return Robot(((0.0, 0.0),) * n, springs, steps)


def compile_robot(spec: dict[str, Any]) -> dict[str, Any]:
    """Compile a robot's training (loss and gradient) and its motion.

    Returns {"training": {"wasm", "abi"}, "motion": {"wasm", "abi"}, "cost": {"ms", "bytes", "memory"}}.
    "cost" describes only the module "training": the time of tracing and compiling, and the sizes of the
    module and of its memory.

    Raises:
        ValueError: the spec is out of range.
    """
    robot = robot_of(spec)
    start = time.perf_counter()
    gradient = eg.compile_artifact(training(robot))
    ms = 1000 * (time.perf_counter() - start)
    drawn = eg.compile_artifact(motion(robot))
    cost = {"ms": ms, "bytes": len(gradient.wasm), "memory": gradient.abi["memory"]["bytes"]}
    return {
        "training": {"wasm": gradient.wasm, "abi": gradient.abi},
        "motion": {"wasm": drawn.wasm, "abi": drawn.abi},
        "cost": cost,
    }


def spec_of(plan: Plan) -> dict[str, Any]:
    """Make the spec of a plan: the robot's properties that `compile_robot` needs."""
    masses = len(plan.points)
    return {"masses": masses, "springs": plan.ends, "stiffness": plan.stiffness, "steps": STEPS}


def world_of(plan: Plan) -> dict[str, Any]:
    """Make a robot's initial world, an argument of its modules. All springs have their rest length."""
    plain, points = robot_of(spec_of(plan)), plan.points
    return {
        "masses": points,
        "rest": [math.dist(points[a], points[b]) for a, b in plan.ends],
        "reach": [plan.reach if k in plan.muscles else 0.0 for k in range(len(plan.ends))],
        "goal": list(plain.goal),
        "gravity": plain.gravity,
        "friction": STICKS,
    }


def beginning() -> dict[str, Any]:
    """Return the constants and the robots. The build stores them for the page."""
    plain = robot_of(spec_of(PLANS[DEFAULT]))
    robots = {
        name: {
            "masses": plan.points,
            "springs": plan.ends,
            "muscles": plan.muscles,
            "reach": plan.reach,
            "stiffness": plan.stiffness,
        }
        for name, plan in PLANS.items()
    }
    return {
        "robots": robots,
        "first": DEFAULT,
        "steps": STEPS,
        "dt": plain.dt,
        "ground": plain.ground,
        "goal": plain.goal,
        "gravity": plain.gravity,
        "sticks": STICKS,
        "hidden": HIDDEN,
        "waves": WAVES,
        "mostMasses": MOST_MASSES,
        "mostSprings": MOST_SPRINGS,
        "mostSteps": MOST_STEPS,
    }
