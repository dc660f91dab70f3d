"""Time how long small networks need to learn two moons, and how long a training step takes.

We compare the time for a step with TensorFlow.js, and with a JavaScript program that represents each node of
the network as an object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import eglantine as eg
from app.learning import modules, training
from app.learning.data import POINTS, SETS, drawn
from app.learning.network import Network
from bench.derivatives_sparse import HOST, timed
from bench.lab import Lab
from bench.measure import OURS, Row
from bench.problems import TRAINING_POINTS

SHAPES = ((), (4, 2), (8, 8))
"""For each network, the number of units in each hidden layer. TensorFlow Playground begins with the second
network."""
BATCH, RATE, STEPS = 10, 0.03, 100
NOISE = 0.2
SOLVED = 0.97
"""The fraction of right answers in the tests at which a network has learned the data set "two moons"."""
LONGEST_MS = 2000.0
SEEDS = (1.0, 2.0, 3.0, 4.0, 5.0)
BETWEEN, MOST_STEPS = 10, 10_000
"""The network is judged after each ten steps."""


def rows(lab: Lab) -> Iterator[Row]:
    """Yield one row that is measured on CPython, and the rows that are measured in Chromium."""
    yield moons(check=lab.check)
    yield from lab.in_browser("learn", work())


def moons(*, check: bool) -> Row:
    """Time how long the page's default network needs to learn the data set "two moons".

    We count the steps for several seeds. Then we time the training for the seed with the most steps.
    """
    kernel = eg.compile(solving())
    settings = {"rate": RATE, "batch": BATCH, "l2": 0.0}
    data = [given(seed) for seed in SEEDS]
    steps = [kernel(seed, *points, settings) for seed, points in zip(SEEDS, data, strict=True)]
    title = f"two moons, until {SOLVED:.0%} of the tests are right"
    if max(steps) >= MOST_STEPS:
        return Row(title, "ms", wrong=f"A network has not learned them in {MOST_STEPS:,} steps.", host=HOST)
    k = steps.index(max(steps))
    series = {OURS: timed(lambda: kernel(SEEDS[k], *data[k], settings), 1e-3, check=check)}
    note = (
        f"The network with which the page Learn begins, seeds 1 to 5: {min(steps):g} to {max(steps):g} steps."
    )
    return Row(title, "ms", series, target=LONGEST_MS, note=note, host=HOST)


def solving() -> eg.Fn:
    """Make the function (seed, examples, tests, settings) → the number of training steps.

    The training ends when the network answers the fraction SOLVED of the tests correctly.
    """
    model, task = modules.model_of(modules.DEFAULT), modules.TASKS["plane"]
    course = training.course_of(model, task.most, modules.DEFAULT["optimiser"])
    types = [training.data_type(model, task.most), training.data_type(model, task.tests)]

    @eg.fn([eg.Real, *types, training.settings_type(task.most)])
    def solve(seed: Any, examples: Any, tests: Any, settings: Any) -> Any:
        def goes_on(state: Any) -> Any:
            right = training.judgement(model, state["solver"].x, tests)["right"]
            return (right < SOLVED) & (state["solver"].nit < MOST_STEPS)

        def goes(state: Any) -> Any:
            return course.advance(state, float(BETWEEN), examples, settings)

        begins = course.begin(model.start(seed), examples, settings)
        return eg.while_loop(goes_on, goes, begins)["solver"].nit

    return solve


def given(seed: float) -> list[dict[str, Any]]:
    """Generate the page's training examples and tests for a seed."""
    points, half = eg.jit(drawn())(SETS.index("moons"), seed, NOISE), POINTS // 2
    examples = {"x": points["x"][:half] + [[0.0, 0.0]] * half, "label": points["label"][:half] + [0] * half}
    tests = {name: points[name][half:] for name in ("x", "label")}
    return [{**examples, "count": half}, {**tests, "count": half}]


def work() -> dict[str, Any]:
    """Return the data for the browser: training points, networks with initial weights, and settings."""
    points = eg.jit(drawn())(SETS.index("moons"), 1.0, NOISE)["x"][:TRAINING_POINTS]
    networks = []
    for hidden in SHAPES:
        network = Network(2, hidden, 2, "tanh")
        networks.append({"hidden": list(hidden), "weights": list(eg.jit(network.start)(1.0))})
    return {"points": points, "networks": networks, "batch": BATCH, "rate": RATE, "steps": STEPS}
