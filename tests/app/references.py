"""Simulate our billiards and robots, and read the numbers that DiffTaichi's simulations computed.

This file needs only Eglantine, `app` and the files of reference values, so a browser's Python can run it too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import eglantine as eg
from app.simulations import billiards as table_model
from app.simulations import robot as robot_model
from app.simulations.billiards import POINT, Table, miss, simulation, triangle
from app.simulations.robot import HIDDEN, Robot, Spring
from app.simulations.walkers import PLANS, STEPS, robot_of, spec_of, world_of

Run = Callable[[eg.Fn], Callable[..., Any]]
"""A function that makes an `eg.Fn` runnable: `eg.compile`, or the identity for the interpreter."""


def data(name: str) -> Any:
    """A file of reference values."""
    path = Path(__file__).parent.parent / "data" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def flat(value: Any) -> list[float]:
    """All numbers of nested lists."""
    return [number for part in value for number in flat(part)] if isinstance(value, list | tuple) else [value]


# ---------------------------------------------------------------- billiards

BILLIARDS = data("billiards")
CONSTANTS = BILLIARDS["constants"]
COLLISIONS = BILLIARDS["collision_events_t_i_j_projv_toi"]
"""Each collision is a list of five numbers: the step, the two balls, the balls' relative speed along the line
between them, and the time of impact. The speed is negative, because the balls approach each other."""
TABLE = Table(triangle(4), CONSTANTS["target_ball"], tuple(CONSTANTS["goal"]), CONSTANTS["advance_calls"])
CUE = ([0.1, 0.5], [0.3, 0.0])
RACK = [list(ball) for ball in TABLE.rack]
BALLS = eg.Vec(TABLE.balls, POINT)
GIVEN = (BILLIARDS["x0"], BILLIARDS["v0"])


def billiards(run: Run) -> dict[str, Any]:
    """Simulate billiards, and return the resulting numbers by name."""
    shot = run(table_model.shot(replace(TABLE, target=0, goal=(0.0, 0.0))))  # target and goal are arguments
    jet = shot(*CUE, RACK, list(TABLE.goal), TABLE.target)
    moments = run(table_model.paths(TABLE))(*CUE, RACK)
    struck = [[t, i] for t, moment in enumerate(moments) for i, hit in enumerate(moment["hit"]) if hit]
    cue_alone = run(eg.value_and_grad(table_model.loss(TABLE), (0, 1)))
    at_once = table_model.loss(replace(TABLE, time_of_impact=False))
    return {
        "loss and gradient by the cue ball": cue_alone(*CUE),
        "gradient by every ball": run(eg.grad(loss_of_all(), (0, 1)))(*GIVEN),
        "where every ball ends, and its velocity": run(simulation(TABLE))(*GIVEN),
        "collisions": collisions(run(states())(*GIVEN)),
        "without the time of impact": run(eg.value_and_grad(at_once, (0, 1)))(*CUE),
        "two hundred iterations of descent": descent(cue_alone),
        "the page's shot": [jet["loss"], jet["x"], jet["v"]],
        "the page's paths": [moments[-1]["x"], struck],
    }


def loss_of_all() -> eg.Fn:
    """Make a function that computes the loss from the initial positions and velocities of all balls."""
    end = simulation(TABLE)
    return eg.fn([BALLS, BALLS], eg.Real)(lambda x, v: miss(end(x, v)[0][TABLE.target], TABLE.goal))


def states() -> eg.Fn:
    """Make a function that simulates billiards. It returns all positions and velocities before each step."""

    def run(x: Any, v: Any) -> Any:
        through = eg.scan(lambda s, _: (table_model.step(TABLE, *s), s), (x, v), None, length=TABLE.steps)
        return through[1]

    return eg.fn([BALLS, BALLS])(run)


def collisions(before: Sequence[Any]) -> list[list[float]]:
    """Recompute all collisions from the state before each step, in the format of COLLISIONS."""
    found = []
    for t, (x, v) in enumerate(before):
        ahead = [[x[i][k] + TABLE.dt * v[i][k] for k in range(2)] for i in range(TABLE.balls)]
        for i in range(TABLE.balls):
            for j in range(i):
                d = [ahead[i][k] - ahead[j][k] for k in range(2)]
                n = math.sqrt(d[0] * d[0] + d[1] * d[1])
                approach = sum(d[k] / (n + 1e-6) * (v[i][k] - v[j][k]) for k in range(2))
                if n < 2 * TABLE.radius and approach < 0:
                    found.append([t, i, j, approach, (n - 2 * TABLE.radius) / min(-1e-3, approach)])
    return found


def descent(run: Callable[..., Any]) -> list[Any]:
    """Run the descent. List each iteration's loss, cue ball and gradient, and finally the last cue ball."""
    (x, v), rate, found = CUE, CONSTANTS["learning_rate"], []
    for _ in BILLIARDS["trajectory_f64"]:
        value, (by_x, by_v) = run(x, v)
        found += [value, x, v, by_x, by_v]
        x = [x[k] - rate * by_x[k] for k in range(2)]
        v = [v[k] - rate * by_v[k] for k in range(2)]
    return [*found, x, v]


# ---------------------------------------------------------------- robots

NUMBERS = {"B": 1, "D": 3}
"""Name of our robot → the robot's number in the reference."""
CALM = {"B": 14, "D": 5}
"""Name of a robot → the number of iterations of its training before the training becomes chaotic."""
RATE = 0.2
WEIGHTS = (0, 1, 2, 3)
SEEN = 100
"""The number of steps after which the reference lists the places of the masses."""


@cache
def robot(name: str) -> Robot:
    """A robot built from the reference's data."""
    found = data("robots")[NUMBERS[name]]
    springs = tuple(
        Spring(s["a"], s["b"], s["rest_length"], s["stiffness"], s["actuation"]) for s in found["springs"]
    )
    return Robot(tuple(map(tuple, found["objects"])), springs, STEPS)


@cache
def at_first(name: str) -> Any:
    """Read the reference values of a robot at iteration 0, before its training."""
    return data(f"mass_spring_r{NUMBERS[name]}_f64_toi1")


@cache
def while_training(name: str) -> Any:
    """Read a robot's losses in 100 iterations of the reference's training."""
    return data(f"mass_spring_r{NUMBERS[name]}_f64_toi1_train100")


def start(name: str) -> list[Any]:
    """The weights at iteration 0."""
    found = at_first(name)
    return [found["weights1"], [0.0] * HIDDEN, found["weights2"], [0.0] * len(PLANS[name].ends)]


def robots(run: Run, name: str) -> dict[str, Any]:
    """Compute a robot's loss, gradient, training and motion, with the model and with the page's modules."""
    world, page = world_of(PLANS[name]), robot_of(spec_of(PLANS[name]))
    model = run(eg.value_and_grad(robot_model.loss(robot(name)), WEIGHTS))
    trainer = run(robot_model.training(page))
    moments = run(robot_model.motion(page))(*start(name), world)
    return {
        "loss and gradient by every weight": model(*start(name)),
        "training": training(model, name),
        "the page's loss and gradient": trainer(*start(name), world, False),
        "the page's training": training(lambda *weights: trainer(*weights, world, False), name),
        "the page's motion": [moments[0]["muscles"], moments[SEEN - 1]["x"], moments[-1]["x"]],
    }


def training(run: Callable[..., Any], name: str) -> list[float]:
    """Train a robot. Return the losses of the first iterations, before rounding errors grow too large."""
    weights, losses = start(name), []
    for _ in range(CALM[name]):
        value, gradient = run(*weights)
        losses.append(value)
        rate = RATE / (math.sqrt(math.fsum(slope * slope for slope in flat(gradient))) + 1e-6)
        weights = [moved(w, g, rate) for w, g in zip(weights, gradient, strict=True)]
    return losses


def moved(weights: Any, gradient: Any, rate: float) -> Any:
    """Do one step of gradient descent, and return the new weights."""
    if isinstance(weights, list):
        return [moved(w, g, rate) for w, g in zip(weights, gradient, strict=True)]
    return weights - rate * gradient


# ---------------------------------------------------------------- both

PARTS: dict[str, Callable[[Run], dict[str, Any]]] = {
    "billiards": billiards,
    "robot B": lambda run: robots(run, "B"),
    "robot D": lambda run: robots(run, "D"),
}


def computed(run: Run) -> dict[str, list[str]]:
    """Run all simulations. Return each simulation's numbers by name, as exact hexadecimal texts."""
    return {f"{part}: {name}": hexed(v) for part, values in PARTS.items() for name, v in values(run).items()}


def hexed(value: Any) -> list[str]:
    """Flatten a value into its numbers, written as exact hexadecimal texts."""
    return [float(number).hex() for number in flat(value)]


def brief(run: Run) -> dict[str, list[str]]:
    """Run the simulations that are short enough for the interpreter. Return exact hexadecimal texts."""
    return {name: hexed(values(run)) for name, values in BRIEF.items()}


def collision(run: Run) -> Any:
    """Compute the loss and its gradient for a short shot. The cue ball hits the target ball at once."""
    hit = replace(TABLE, steps=4, target=1)
    return run(eg.value_and_grad(table_model.loss(hit), (0, 1)))([0.45, 0.5], [3.0, 0.1])


def corner(run: Run) -> Any:
    """Compute the loss and its gradient for a shot where the target ball hits a cushion."""
    table = Table(((1.13, 0.5),), 1, TABLE.goal, 8, cushions=table_model.CUSHIONS, friction=0.2)
    jet = run(table_model.shot(table))([1.08, 0.5], [3.0, 0.1], [[1.13, 0.5]], [0.9, 0.75], 1)
    return [jet["loss"], jet["x"], jet["v"]]


def landing(run: Run) -> Any:
    """Compute two steps of robot D. The robot starts on the ground, and its feet slide."""
    walk, world = replace(robot_of(spec_of(PLANS["D"])), steps=2), world_of(PLANS["D"]) | {"friction": 0.3}
    (*_, moment) = run(robot_model.motion(walk))(*start("D"), world)
    return [run(robot_model.training(walk))(*start("D"), world, True), moment["x"], moment["muscles"]]


BRIEF = {"a collision": collision, "a cushion and friction": corner, "a robot on the ground": landing}


# ---------------------------------------------------------------- expected values


@dataclass(frozen=True)
class Held:
    """Expected numbers, and the largest allowed error of each number."""

    numbers: list[float]
    bounds: list[float]


def near(value: Any, least: float = 0.0) -> Held:
    """Expect the numbers in `value`. Allow a relative error of 1e-9, or an absolute error of `least`."""
    numbers = flat(value)
    return Held(numbers, [max(1e-9 * abs(number), least) for number in numbers])


def beyond(found: list[float], held: Held) -> list[tuple[float, float]]:
    """Return the pairs (found number, expected number) that differ by more than the allowed error."""
    both = zip(found, held.numbers, held.bounds, strict=True)
    return [(ours, theirs) for ours, theirs, bound in both if not abs(ours - theirs) <= bound]


def expected() -> dict[str, Held]:
    """Return the reference's numbers, with the same names as in `computed`."""
    of_robots = {f"robot {name}: {what}": held for name in NUMBERS for what, held in of_robot(name).items()}
    return {f"billiards: {what}": held for what, held in of_billiards().items()} | of_robots


def of_billiards() -> dict[str, Held]:
    """The reference's numbers for billiards, by name."""
    cue = [BILLIARDS[name] for name in ("loss", "grad_init_x", "grad_init_v")]
    plain = BILLIARDS["no_toi"]
    struck = sorted({(t, ball) for t, i, j, *_ in COLLISIONS for ball in (i, j)})
    return {
        "loss and gradient by the cue ball": near(cue),
        "gradient by every ball": near([BILLIARDS["grad_x0_all"], BILLIARDS["grad_v0_all"]]),
        "where every ball ends, and its velocity": near([BILLIARDS["x_final"], BILLIARDS["v_final"]]),
        "collisions": near(COLLISIONS),
        "without the time of impact": near([plain["loss"], plain["grad_cue_x"], plain["grad_cue_v"]]),
        "two hundred iterations of descent": of_descent(),
        "the page's shot": near(cue),
        "the page's paths": near([BILLIARDS["x_final"], struck]),
    }


def of_descent() -> Held:
    """Return the results of the reference's descent. A gradient's allowed error is at least 1e-11."""
    last = near([BILLIARDS["final_init_x"], BILLIARDS["final_init_v"]])
    path = BILLIARDS["trajectory_f64"]
    places = [near([at["loss"], at["init_x"], at["init_v"]]) for at in path]
    slopes = [near([at["grad_x"], at["grad_v"]], least=1e-11) for at in path]
    return joined([held for pair in zip(places, slopes, strict=True) for held in pair] + [last])


def joined(parts: list[Held]) -> Held:
    """Join several groups of expected numbers, with their allowed errors, into one group."""
    return Held(*([n for part in parts for n in getattr(part, name)] for name in ("numbers", "bounds")))


def of_robot(name: str) -> dict[str, Held]:
    """The reference's numbers for a robot, by name."""
    found = at_first(name)["iter0"]
    loss, *slopes = [at_first(name)["records"][0]["loss"], *(found[g] for g in ("gw1", "gb1", "gw2", "gb2"))]
    jet = joined([Held([loss], [1e-12 * abs(loss)]), near(slopes, least=1e-13)])  # the slopes' norm is 0.15
    return {
        "loss and gradient by every weight": jet,
        "training": of_training(name),
        "the page's loss and gradient": jet,
        "the page's training": of_training(name),
        "the page's motion": near([found["act_t0"], found["x_t100"], found["x_final"]]),
    }


def of_training(name: str) -> Held:
    """Return the losses of a robot's training in the reference, with their allowed errors.

    The reference was trained twice, with initial weights that differ by 1e-12. The allowed error is the
    largest difference so far between the losses of the two trainings.
    """
    found = while_training(name)
    losses = found["losses"][: CALM[name]]
    beside = [abs(a - b) for a, b in zip(found["perturbed_1e12_losses"], losses, strict=False)]
    return Held(losses, list(accumulate(beside, max)))
