"""Find the step, the operation and the source line that make a simulation's first infinity or NaN.

A simulation has too many steps for the slow interpreter. So compiled code finds the first step after which a
number, or its derivative in an arbitrary direction, is not finite. Then `eg.diagnose` runs only that step on
the interpreter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath
from typing import Any

import eglantine as eg

from . import billiards, robot
from .tables import table_of
from .walkers import robot_of

POINT = eg.Vec(2, eg.Real)


@dataclass(frozen=True)
class Simulation:
    """A state that advances step by step, and a loss at the end.

    p is the tuple of the variables. The functions `start`, `step` and `end` may depend on p.

    types: the types of the variables.
    points: the number of moving points. A state consists of their positions and their velocities.
    start: the function p → the first state.
    step: the function (p, i, state) → the state after step i.
    end: the function (p, last state) → the loss.
    """

    types: list[Any]
    points: int
    steps: int
    start: Callable[[Any], Any]
    step: Callable[[Any, Any, Any], Any]
    end: Callable[[Any, Any], Any]


def locate(simulation: Simulation, p: tuple[Any, ...]) -> dict[str, Any] | None:
    """Find the first infinity or NaN in a simulation or in its derivative with respect to p.

    Return None if all numbers are finite. Otherwise return
    {"step", "end", "where", "operation", "reason", "file", "line"}:
        "step": the number of steps before the first infinity or NaN.
        "end": true if all steps are finite, and only the loss or its derivative is not.
        "where": "primal" or "derivative", or None if we cannot tell.
        "operation", "reason", "file", "line": the results of `eg.diagnose`, or None.
    """
    variables = len(p)
    given = (*p, *direction(p))
    flags, dflags = eg.compile(along(simulation, finite_so_far(simulation)))(*given)
    bad = (i for i in range(simulation.steps) if flags[i] != 0 or dflags[i] != 0)
    step = next(bad, simulation.steps)
    state, dstate = eg.compile(along(simulation, state_after(simulation, step)))(*given)
    is_end = step == simulation.steps

    def moment(*at: Any) -> Any:
        now = at[variables:]
        return simulation.end(at[:variables], now) if is_end else simulation.step(at[:variables], step, now)

    points = eg.Vec(simulation.points, POINT)
    types = [*simulation.types, points, points]
    f, here, towards = eg.fn(types)(moment), (*p, *state), (*given[variables:], *dstate)
    diagnosis = eg.diagnose(f)(*here)
    # The step's partial derivatives are finite. Now differentiate the step along the tangent of its argument.
    if diagnosis.finite and not is_end:
        n = len(types)
        both = eg.fn([*types, *types])(lambda *at: eg.jvp(f, at[:n], at[n:]))
        diagnosis = eg.diagnose(both, order=0)(*here, *towards)
    if diagnosis.finite:
        return None if is_end else {"step": step, "end": False, "where": None, **of_no_row()}
    span = diagnosis.span
    return {
        "step": step,
        "end": is_end,
        "where": diagnosis.where,
        "operation": diagnosis.operation,
        "reason": diagnosis.reason,
        "file": span and PurePosixPath(span.source).name,
        "line": span and span.line,
    }


def of_no_row() -> dict[str, None]:
    """Return a diagnosis without details, for a step where the interpreter finds only finite numbers."""
    return {"operation": None, "reason": None, "file": None, "line": None}


def finite_so_far(simulation: Simulation) -> Callable[..., Any]:
    """Make the function p → one number for each step: 0 if the state after the step is finite, else NaN."""

    def flags(*p: Any) -> Any:
        def body(state: Any, i: Any) -> Any:
            after = simulation.step(p, i, state)
            return after, sum(eg.sum(len(part), lambda k, part=part: nought(part[k])) for part in after)

        return eg.scan(body, simulation.start(p), eg.vec(simulation.steps, lambda i: i))[1]

    return flags


def nought(point: Any) -> Any:
    """Return 0 if both coordinates are finite, else NaN. The derivative is NaN if a tangent is not finite."""
    return 0.0 * point[0] + 0.0 * point[1]


def state_after(simulation: Simulation, steps: int) -> Callable[..., Any]:
    """Make the function p → the state after the given number of steps."""

    def run(*p: Any) -> Any:
        return eg.fori_loop(0, steps, lambda i, state: simulation.step(p, i, state), simulation.start(p))

    return run


def along(simulation: Simulation, f: Callable[..., Any]) -> eg.Fn:
    """Make the function (p, dp) → (f(p), the derivative of f at p in the direction dp)."""
    inner = eg.fn(simulation.types)(f)
    n = len(simulation.types)
    return eg.fn([*simulation.types, *simulation.types])(lambda *at: eg.jvp(inner, at[:n], at[n:]))


def direction(p: Any) -> Any:
    """Make a direction with p's structure from irregular numbers, so that no derivatives cancel by chance."""
    numbers = map(math.cos, count(1))

    def fill(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(fill, value))
        return next(numbers)

    return fill(p)


def of_shot(spec: Any, cue: Any, task: Any) -> dict[str, Any] | None:
    """Run `locate` on a billiards shot. cue: {"x", "v"}. task: {"rack", "goal", "target"}."""
    table = table_of(spec)
    simulation = Simulation(
        types=[POINT, POINT],
        points=table.balls,
        steps=table.steps,
        start=lambda p: billiards.positions(table, *p, eg.asarray(task["rack"])),
        step=lambda _, __, state: billiards.step(table, *state),
        end=lambda _, state: billiards.miss(state[0][int(task["target"])], task["goal"]),
    )
    return locate(simulation, (floats(cue["x"]), floats(cue["v"])))


def of_walk(spec: Any, weights: Any, world: Any, reaches: bool) -> dict[str, Any] | None:
    """Run `locate` on a robot's walk.

    weights: [W1, b1, W2, b2]. The weights and the world are arguments of the robot's modules.
    """
    body = robot_of(spec)

    def surroundings() -> robot.World:
        given = {name: floats(value) for name, value in world.items()}
        return robot.World(
            **{name: eg.asarray(at) if isinstance(at, list) else at for name, at in given.items()}
        )

    def end(_: Any, state: Any) -> Any:
        head, goal = state[0][robot.HEAD], floats(world["goal"])
        return billiards.miss(head, goal) if reaches else -head[0]

    simulation = Simulation(
        types=list(body.weights),
        points=len(body.masses),
        steps=body.steps,
        start=lambda _: (surroundings().masses, robot.at_rest(body)),
        step=lambda p, i, state: robot.step(body, surroundings(), p, time_of(body, i), *state),
        end=end,
    )
    return locate(simulation, tuple(floats(part) for part in weights))


def time_of(body: robot.Robot, step: Any) -> Any:
    """Return the time at a step, in seconds since the start."""
    return (eg.real(step) if not isinstance(step, int) else float(step)) * body.dt


def floats(value: Any) -> Any:
    """Convert a JSON number, or nested lists of JSON numbers, to Python floats."""
    return [floats(part) for part in value] if isinstance(value, list | tuple) else float(value)
