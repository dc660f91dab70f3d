"""`python -m tools.gaits [NAME …]`: train the robots of the page Robot, and write tools/gaits.json.

The file contains {robot's name: weights}. The weights are W1 by rows, b1, W2 by rows and b2, as base64 of
little-endian float16. We round weights to float16 before we test them, and store the best rounded weights.
`tools.presets` puts them into the page.
"""

from __future__ import annotations

import base64
import json
import math
import random
import struct
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "pyodide_pkg")]

import eglantine as eg  # noqa: E402
from app.simulations.robot import HIDDEN, objective, world_type  # noqa: E402
from app.simulations.walkers import PLANS, robot_of, spec_of, world_of  # noqa: E402
from tools.descents import STRIDES  # noqa: E402

FILE = Path(__file__).with_name("gaits.json")
ITERATIONS, RATE, SEEDS = 150, 0.2, 3
EVERY = 3
"""The number of iterations from one trial of the rounded weights to the next."""


def main(names: list[str]) -> None:
    """Train the named robots, or all."""
    gaits = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in names or PLANS:
        loss, weights = min(train(name, seed) for seed in range(SEEDS))
        sys.stdout.write(f"{name}: loss {loss:.4f}\n")
        gaits[name] = base64.b64encode(struct.pack(f"<{len(weights)}e", *weights)).decode()
        FILE.write_text(json.dumps(gaits, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


def train(name: str, seed: int) -> tuple[float, list[float]]:
    """Train a robot. Return the smallest loss of rounded weights, and the weights with this loss."""
    plan = PLANS[name]
    robot, world = robot_of(spec_of(plan)), world_of(plan)
    sizes = (HIDDEN, robot.inputs, len(robot.springs))
    loss = objective(robot)
    begin, step = eg.stepper(
        lambda weights, world: loss(*weights, world, False), [robot.weights, world_type(robot)],
        "gradient-descent", learning_rate=RATE, maxiter=ITERATIONS, **STRIDES,
    )  # fmt: skip
    begun, stepped = eg.compile(begin), eg.compile(step)
    flat = start(*sizes, random.Random(seed))  # noqa: S311 - no secret
    best = (math.inf, flat)
    state = begun(tuple(shaped(flat, *sizes)), world)
    for iteration in range(ITERATIONS + 1):
        if iteration % EVERY == 0:
            weights = list(numbers(state.x))
            rounded = list(struct.unpack(f"<{len(flat)}e", struct.pack(f"<{len(flat)}e", *weights)))
            best = min(best, (begun(tuple(shaped(rounded, *sizes)), world).fun, rounded))
        state = stepped(state, 1.0, world)
    return best


def start(hidden: int, inputs: int, springs: int, rng: random.Random) -> list[float]:
    """Draw random weights from the distribution that the model's authors use. The biases are 0."""
    first, second = 2 * math.sqrt(2 / (hidden + inputs)), 3 * math.sqrt(2 / (hidden + springs))
    w1 = [first * rng.gauss() for _ in range(hidden * inputs)]
    w2 = [second * rng.gauss() for _ in range(springs * hidden)]
    return [*w1, *[0.0] * hidden, *w2, *[0.0] * springs]


def shaped(flat: list[float], hidden: int, inputs: int, springs: int) -> list[Any]:
    """The kernel's four arguments."""
    rest = iter(flat)
    w1 = [[next(rest) for _ in range(inputs)] for _ in range(hidden)]
    b1 = [next(rest) for _ in range(hidden)]
    w2 = [[next(rest) for _ in range(hidden)] for _ in range(springs)]
    return [w1, b1, w2, [next(rest) for _ in range(springs)]]


def numbers(value: Any) -> Any:
    """All numbers of nested lists, in order."""
    for part in value:
        if isinstance(part, list | tuple):
            yield from numbers(part)
        else:
            yield part


if __name__ == "__main__":
    main(sys.argv[1:])
