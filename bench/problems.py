"""The problems that the benches time: functions with loops, and long functions without loops.

We compute their values and gradients. A problem's function is traced again for each compilation.

This module runs in Pyodide and on CPython. The bench's page unpacks it beside programs.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import eglantine as eg
from app.simulations import billiards, robot
from bench.programs import Compiled, handed_over

sqrt = eg.math.sqrt

LINKS = 3333
"""The number of times that the chain computes √(v·x + y) from v. With one more product, the chain has 10,000
operations."""

TRAINING_POINTS = 200
"""The number of points from which a network learns."""

RACK_LAYERS = 4
TARGET = 10
GOAL = (0.9, 0.75)
"""The place that the last ball of the rack should reach, in DiffTaichi's billiards with 11 balls."""


def compile_problem(name: str, kind: str, scale: float, *sizes: Any) -> Compiled:
    """Compile a problem into an ABI and a module."""
    return handed_over(problem(name, kind, scale, *sizes))


def problem(name: str, kind: str, scale: float, *sizes: Any) -> eg.Fn:
    """Make the function that computes a problem's value, its gradient, or both.

    kind: "value", "gradient" (with respect to all arguments except data), or "both" (value and gradient).
    scale: a factor of the value. Another factor gives a different module.
    sizes: arguments for the problem's Python function in PROBLEMS, such as the number of steps.
    """
    make, unknowns = PROBLEMS[name]
    f = make(scale, *sizes)
    if kind == "value":
        return f
    return {"gradient": eg.grad, "both": eg.value_and_grad}[kind](f, unknowns)


def rosenbrock(scale: float, n: int) -> eg.Fn:
    """Rosenbrock's function of n numbers."""

    def value(x: Any) -> Any:
        return eg.sum(n - 1, lambda i: 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2)

    return scaled([eg.Vec(n, eg.Real)], scale, value)


def compile_minimizer(n: int, memory: int, tolerance: float, most: int) -> Compiled:
    """Compile a kernel that minimises Rosenbrock's function by L-BFGS."""
    types = [eg.Vec(n, eg.Real)]
    solver = eg.minimizer(rosenbrock(1.0, n), types, "l-bfgs", memory=memory, tol=tolerance, maxiter=most)
    return handed_over(solver)


def compile_training(hidden: Sequence[int], batch: int, rate: float, steps: int) -> Compiled:
    """Compile the training of a network: (weights, points) → the weights after `steps` steps of descent.

    The class of point k is k % 2, so the labels are not an argument of the module.
    """
    from app.learning.network import Network
    from app.learning.training import course_of

    network = Network(2, tuple(hidden), 2, "tanh")
    course = course_of(network, TRAINING_POINTS, "descent")

    @eg.fn([eg.Vec(network.size, eg.Real), eg.Vec(TRAINING_POINTS, eg.Vec(2, eg.Real))])
    def trained(weights: Any, points: Any) -> Any:
        labels = eg.vec(TRAINING_POINTS, lambda k: k % 2)
        count = eg.Fin(TRAINING_POINTS + 1)
        data = {"x": points, "label": labels, "count": count(TRAINING_POINTS)}
        settings = {"rate": rate, "batch": count(batch), "l2": 0.0}
        begun = course.begin(weights, data, settings)
        return course.advance(begun, float(steps), data, settings)["solver"].x

    return handed_over(trained)


def scaled(types: Sequence[Any], scale: float, f: Any) -> eg.Fn:
    """Make a fn that computes scale·f. `types` are the types of its parameters."""
    return eg.fn(list(types), eg.Real)(lambda *args: scale * f(*args))


def pairs(scale: float, n: int) -> eg.Fn:
    """Make the fn (x, y) → Σ √distance over all pairs of n points. Its program has loops."""

    def energy(x: Any, y: Any) -> Any:
        def with_earlier(i: Any) -> Any:
            return eg.sum(i, lambda j: root_of_distance(x[i] - x[j], y[i] - y[j]))

        return eg.sum(n, with_earlier)

    return scaled([eg.Vec(n, eg.Real)] * 2, scale, energy)


def unrolled_pairs(scale: float, n: int) -> eg.Fn:
    """Make a fn without loops that computes the same value as the fn of `pairs`."""

    def energy(x: Any, y: Any) -> Any:
        xs, ys = list(x), list(y)
        total = 0.0
        for i in range(n):
            for j in range(i):
                total = total + root_of_distance(xs[i] - xs[j], ys[i] - ys[j])
        return total

    return scaled([eg.Vec(n, eg.Real)] * 2, scale, energy)


def root_of_distance(dx: Any, dy: Any) -> Any:
    """The square root of a vector's length."""
    return sqrt(sqrt(dx * dx + dy * dy))


def chain(scale: float, links: int = LINKS) -> eg.Fn:
    """Make the fn (x, y) → result of a chain of 3·links + 1 operations. Each uses the previous result."""

    def run(x: Any, y: Any) -> Any:
        v = x
        for _ in range(links):
            v = sqrt(v * x + y)
        return v * x

    return scaled([eg.Real, eg.Real], scale, run)


def regression(scale: float, n: int, m: int) -> eg.Fn:
    """Make the fn (x, y, w, b) → mean squared error of a linear regression. x and y are the data."""

    def loss(x: Any, y: Any, w: Any, b: Any) -> Any:
        def squared(i: Any) -> Any:
            residual = eg.dot(x[i], w) + b - y[i]
            return residual * residual

        return eg.sum(n, squared) / n

    return scaled(
        [eg.Vec(n, eg.Vec(m, eg.Real)), eg.Vec(n, eg.Real), eg.Vec(m, eg.Real), eg.Real], scale, loss
    )


def billiards_loss(scale: float, steps: int) -> eg.Fn:
    """Make the fn (x and v of the cue ball) → squared distance between target ball and goal at the end."""
    table = billiards.Table(billiards.triangle(RACK_LAYERS), TARGET, GOAL, steps)
    return scaled([billiards.POINT] * 2, scale, billiards.loss(table))


def robot_loss(scale: float, spec: Any, steps: int) -> eg.Fn:
    """Make the fn (weights W1, b1, W2, b2) → −x, where x is the final horizontal position of the head.

    spec: an entry of tests/data/robots.json.
    """
    machine = robot_of(spec, steps)
    return scaled(machine.weights, scale, robot.loss(machine))


def robot_of(spec: Any, steps: int) -> robot.Robot:
    """Make the robot that an entry of tests/data/robots.json describes."""
    springs = tuple(
        robot.Spring(s["a"], s["b"], s["rest_length"], s["stiffness"], s["actuation"])
        for s in spec["springs"]
    )
    return robot.Robot(tuple(map(tuple, spec["objects"])), springs, steps)


PROBLEMS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "pairs": (pairs, (0, 1)),
    "unrolled": (unrolled_pairs, (0, 1)),
    "chain": (chain, (0, 1)),
    "regression": (regression, (2, 3)),
    "billiards": (billiards_loss, (0, 1)),
    "robot": (robot_loss, (0, 1, 2, 3)),
}
"""For each problem, the function that makes it, and the positions of the arguments by which we differentiate.
"""
