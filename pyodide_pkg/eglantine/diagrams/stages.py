"""Solve the stages of a diagram's layout. Other Wasm modules compute the energy.

The solver's module imports the energy and its gradient. So the module depends only on the number of unknowns.
We round this number up to one of a few capacities, and compile one module for each capacity. These few
modules serve all diagrams.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from eglantine.api import compile_artifact
from eglantine.emit.artifact import Artifact
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.runtime.hosts import Instance
from eglantine.solvers.exterior_point import ExteriorPoint
from eglantine.solvers.hosted import hosted
from eglantine.solvers.problems import Problem, State, is_finite, line
from eglantine.solvers.statuses import EXHAUSTED, NOT_FINITE, RUNNING
from eglantine.trace.choices import select
from eglantine.trace.loops import while_loop
from eglantine.trace.products import dot
from eglantine.types import Real, TupleType

DESCENT: Final = 1e-4
"""A solve ends when the predicted decrease of the energy is less than DESCENT.

Penrose's own optimiser uses 1e-2 instead."""
FINISH: Final = 1e-7
"""A limit for the last solve, relative to the energy.

The last solve ends when the predicted decrease of the energy is less than both DESCENT and
FINISH · max(1, |energy|)."""
MOST_ITERATIONS: Final = 20_000
LEAST_CAPACITY: Final = 16

Evaluate = Callable[[Sequence[float], float], tuple[float, Sequence[float]]]
"""(x, weight) → (the energy, its gradient)."""


class Host:
    """Lets a solver call an energy and its gradient. Another module computes them.

    evaluate: the function (x, weight) → (energy, gradient of the energy), where x has the unknowns of a
        stage. The solver's Vecs may have more elements than x. Then we append zeros to the gradient, so that
        the solver changes only the unknowns.
    n: the number of unknowns.
    instance: the instance of the solver's module, or None before it exists.
    """

    __name__ = "energy"

    def __init__(self, evaluate: Evaluate, n: int, capacity: int) -> None:
        self._evaluate = evaluate
        self._n = n
        self._padding = [0.0] * (capacity - n)
        self.instance: Instance | None = None

    def __call__(self, x: Sequence[float], weight: float) -> tuple[float, list[float]]:
        """Return the energy, and the gradient with zeros at its end. The interpreter calls this method."""
        phi, gradient = self._evaluate(x[: self._n], weight)
        return phi, [*gradient, *self._padding]

    def at_addresses(self, x: int, weight: float, gradient: int) -> float:
        """Read x and write the gradient at addresses in the solver's memory. Return the energy."""
        assert self.instance is not None
        phi, slopes = self._evaluate(memoryview(self.instance.read(x, 8 * self._n)).cast("d"), weight)
        self.instance.write(gradient, array("d", [*slopes, *self._padding]).tobytes())
        return phi


def capacity_for(n: int) -> int:
    """Return the smallest of the capacities 16, 24, 32, 48, 64, 96, … that is at least n."""
    power = LEAST_CAPACITY
    while 2 * power <= n:
        power *= 2
    return next(capacity for capacity in (power, power + power // 2, 2 * power) if capacity >= n)


def stage_solver(capacity: int, host: Host) -> Fn:
    """Make the fn x → {x, fun, nit, nfev, status, weight} that minimises a host's energy.

    The result x is the minimum. fun is the energy there, and weight is the last weight of the constraints.
    status is as in the state of `eg.stepper`.
    """
    vector = line(capacity)
    energy = hosted("energy", host, {"x": vector, "weight": Real}, TupleType((Real, vector)))
    problem = Problem(capacity, energy, energy)
    method = ExteriorPoint(descent=DESCENT, finish=FINISH)

    def begin(x: Any) -> State:
        phi, gradient = problem.with_numbers(method.weight).at(x)
        good = is_finite(phi) & is_finite(dot(gradient, gradient))
        own = method.begin(problem, {"x": x, "fun": phi, "jac": gradient})
        status = select(good, RUNNING, NOT_FINITE)
        return {"x": x, "fun": phi, "jac": gradient, "nit": 0.0, "nfev": 1.0, "status": status, **own}

    def iterate(s: State) -> State:
        after = method.step(problem, s)
        nit = s["nit"] + after.pop("counts")
        spent = (after["status"] == RUNNING) & (nit >= MOST_ITERATIONS)
        return {**s, **after, "nit": nit, "status": select(spent, EXHAUSTED, after["status"])}

    def solve(x: Any) -> dict[str, Any]:
        end = while_loop(lambda s: s["status"] == RUNNING, iterate, begin(x))
        return {name: end[name] for name in ("x", "fun", "nit", "nfev", "status", "weight")}

    solver: Fn = make_fn([vector])(solve)
    return solver


@cache
def compiled_solver(capacity: int) -> Artifact:
    """Compile a solver's module.

    The module imports a function of three numbers: the address of x, the weight, and the address for
        the gradient. This function writes the gradient and returns the energy.
    """
    return compile_artifact(stage_solver(capacity, Host(absent, 0, capacity)))


def absent(x: Sequence[float], weight: float) -> tuple[float, Sequence[float]]:
    """A placeholder for the energy of a solver. It raises an error if it is called."""
    raise NotImplementedError(
        "A solver needs an energy. Instantiate the solver's module with a host that provides an energy."
    )
