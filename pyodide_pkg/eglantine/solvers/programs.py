"""The parts of a solver's program: the start, one iteration, and the loop over iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.functions.derivatives import value_and_grad
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.plain.typeof import shown
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import while_loop
from eglantine.trace.sums import sum_, vec
from eglantine.types import Real, Type, struct
from eglantine.words.spelling import listed, nearest

from .augmented_lagrangian import AugmentedLagrangian, lagrangian
from .constraints import Constraint, constraint_values
from .exterior_point import ExteriorPoint
from .first_order import Adam, GradientDescent, Momentum
from .flattening import flat, with_structure
from .newton import Newton, NewtonCG
from .problems import Problem, State, is_finite, is_line, largest, line
from .quasi_newton import BFGS, LBFGS
from .statuses import CONVERGED, EXHAUSTED, NOT_FINITE, RUNNING, UNBOUNDED

DEFAULT_TOLERANCE = 1e-8
MOST_ITERATIONS = {"gradient-descent": 10_000, "momentum": 10_000, "adam": 10_000}
ORDINARY_MOST = 15_000
AT_REST = 0.1
"""A limit for |gradient[k]·x[k]|, as a fraction of |f|.

If |f| is large, x counts as a minimum only if |gradient[k]·x[k]| is at most this fraction of |f| for all k.
"""
LEAST = -1e20
"""A very low value. If f is below it and still falls, we say that f has no minimum."""

PLAIN: Mapping[str, tuple[type, tuple[str, ...]]] = {
    "gradient-descent": (GradientDescent, ("learning_rate", "normalise", "softening")),
    "momentum": (Momentum, ("learning_rate", "momentum", "dampening", "normalise", "softening")),
    "adam": (Adam, ("learning_rate", "beta1", "beta2")),
    "bfgs": (BFGS, ()),
    "l-bfgs": (LBFGS, ("memory",)),
    "newton": (Newton, ("radius",)),
    "newton-cg": (NewtonCG, ("radius",)),
    "augmented-lagrangian": (AugmentedLagrangian, ("memory", "weight", "growth", "feasible")),
    "exterior-point": (
        ExteriorPoint,
        ("memory", "weight", "growth", "least_solves", "settled", "descent", "finish", "reach"),
    ),
}
"""For each method, its class and the names of its options. All methods also have maxiter and fuel."""
WITH_BOUNDS = ("gradient-descent", "momentum", "adam", "l-bfgs", "augmented-lagrangian")
WITH_CONSTRAINTS = ("augmented-lagrangian", "exterior-point")
Restrict = Callable[[Any, Sequence[Any]], Any]
"""(gradient, further arguments of f) → gradient."""
FIELDS = ("x", "fun", "jac", "nit", "nfev", "status")


@dataclass
class Solve:
    """Makes the programs that minimise one function.

    f: the fn to be minimised. types: the type of x, followed by the types of the further arguments.
    n: the number of Reals in x.
    bounded: if true, the last two arguments of the programs are the lower bounds and the upper bounds.
    restrict: a function that sets the gradient to 0 for the Reals of x that must not move, or None if all may
        move.
    """

    f: Fn
    types: tuple[Type, ...]
    n: int
    method: str
    bounded: bool
    constraints: Sequence[Constraint]
    tol: float
    maxiter: int
    options: Mapping[str, Any]
    restrict: Restrict | None = None

    def __post_init__(self) -> None:
        of = self.types[0]

        def value(x: Any, *args: Any) -> Any:
            return self.f(x if is_line(of) else with_structure(of, lambda k: x[k]), *args)

        self.value = make_fn([line(self.n), *self.types[1:]], Real)(value)
        self.violations: Fn | None = None
        self.count = self.equal = count = equal = 0
        if self.constraints:
            values, count, equal = constraint_values(self.constraints, self.types, self.n)
            self.violations, self.count, self.equal = values, count, equal
        self.method_of = self._method(count, equal)
        self.inner = self._penalised(count, equal)
        self.evaluate = self._with_gradient(self.inner)

    def _method(self, count: int, equal: int) -> Any:
        kind, _ = PLAIN[self.method]
        if kind is AugmentedLagrangian:
            return AugmentedLagrangian(
                count=count, equal=equal, tol=self.tol, violations=self.violations, **self.options
            )
        return kind(**self.options)

    def _penalised(self, count: int, equal: int) -> Fn:
        """Return the function that the method minimises: f plus penalties for violated constraints."""
        numbers: list[Any] = []
        violations = self.violations
        if self.method == "augmented-lagrangian":
            numbers = [line(count), Real]
        elif self.method == "exterior-point":
            numbers = [Real]
        if not numbers:
            return self.value

        def value(x: Any, *rest: Any) -> Any:
            args, extra = rest[: -len(numbers)], rest[-len(numbers) :]
            f = self.value(x, *args)
            if violations is None:
                return f
            c = violations(x, *args)
            if self.method == "augmented-lagrangian":
                return lagrangian(f, c, extra[0], extra[1], equal)

            def square(k: Any) -> Any:
                missed = select(k < equal, c[k], maths.minimum(c[k], 0.0))
                return missed * missed

            return f + extra[0] * sum_(count, square)

        return make_fn([line(self.n), *self.types[1:], *numbers], Real)(value)

    def _with_gradient(self, f: Fn) -> Fn:
        """Make the fn (x, *args) → (value of f, its gradient with respect to x)."""
        evaluate: Fn = value_and_grad(f, 0)
        restrict = self.restrict
        if restrict is None:
            return evaluate

        def restricted(x: Any, *args: Any) -> Any:
            value, gradient = evaluate(x, *args)
            return value, restrict(gradient, args[: len(self.types) - 1])

        made: Fn = make_fn(f.function.params)(restricted)
        return made

    def problem(self, args: Sequence[Any]) -> Problem:
        """Return the problem for these arguments. If there are bounds, they are at the end of `args`."""
        if not self.bounded:
            return Problem(self.n, self.inner, self.evaluate, args=tuple(args))
        *args, lower, upper = args
        return Problem(self.n, self.inner, self.evaluate, lower, upper, tuple(args))

    def numbers(self, own: State) -> tuple[Any, ...]:
        """Return a state's multipliers and weight, for the last parameters of the penalised function."""
        if self.method == "augmented-lagrangian":
            return own["multipliers"], own["weight"]
        return (own["weight"],) if self.method == "exterior-point" else ()

    def begin(self, x0: Any, args: Sequence[Any]) -> State:
        """The state at the start."""
        problem = self.problem(args)
        x = problem.inside(flat(x0, self.types[0]))
        at: State = {"x": x}
        if self.method in WITH_CONSTRAINTS:
            own = self.method_of.begin(problem, at)
            at["fun"], at["jac"] = problem.with_numbers(*self.numbers(own)).at(x)
        else:
            at["fun"], at["jac"] = problem.at(x)
            own = self.method_of.begin(problem, at)
        good = is_finite(at["fun"]) & is_finite(largest(at["jac"]))
        status = select(good, RUNNING, NOT_FINITE)
        state = {**at, "nit": 0.0, "nfev": 1.0, "status": status, **own}
        return self._judged(problem, state)

    def iterate(self, s: State, args: Sequence[Any]) -> State:
        """The state after one more iteration."""
        problem = self.problem(args)
        after = self.method_of.step(problem, s)
        counts = after.pop("counts", 1.0)
        after = {**s, **after, "nit": s["nit"] + counts}
        after = self._judged(problem, after)
        used_up = (after["status"] == RUNNING) & (after["nit"] >= self.maxiter)
        return {**after, "status": select(used_up, EXHAUSTED, after["status"])}

    def _judged(self, problem: Problem, s: State) -> State:
        """Set the status of a state. Methods without constraints converge when the gradient is small.

        A gradient is small if it is at most `tol`, or at most `tol` times the value of f. If f has no
        minimum, its value may become so large that the second test succeeds. So this test also requires that
        gradient·x is small relative to the value, element by element.
        """
        slope, x, size = problem.projected(s["x"], s["jac"]), s["x"], abs(s["fun"])
        rests = largest(vec(self.n, lambda k: slope[k] * x[k])) <= AT_REST * size
        status = select(~rests & (s["fun"] < LEAST), UNBOUNDED, s["status"])
        if self.method in WITH_CONSTRAINTS:
            return {**s, "status": status}
        steep = largest(slope)
        small = (steep <= self.tol) | ((steep <= self.tol * size) & rests)
        return {**s, "status": select((s["status"] != NOT_FINITE) & small, CONVERGED, status)}

    def solved(self, x0: Any, args: Sequence[Any]) -> State:
        """The state at the end."""
        return while_loop(  # type: ignore[no-any-return]
            lambda s: s["status"] == RUNNING, lambda s: self.iterate(s, args), self.begin(x0, args)
        )

    def structured(self, reals: Any) -> Any:
        """A Vec of Reals with the structure of x."""
        of = self.types[0]
        return reals if is_line(of) else with_structure(of, lambda k: reals[k])

    def own(self, args: Sequence[Any]) -> Sequence[Any]:
        """The further arguments without the bounds."""
        return args[:-2] if self.bounded else args

    def plain(self, s: State, args: Sequence[Any]) -> tuple[Any, Any]:
        """Return the value and the gradient of f in a state, without penalties."""
        value, gradient = self._with_gradient(self.value)(s["x"], *self.own(args))
        return value, gradient


def method_named(method: Any, constrained: bool, bounded: bool) -> str:
    """Return the key in PLAIN for a method that the user names.

    Raises: TypeMismatchError for a method that does not exist, or cannot have bounds or constraints.
    """
    if method is None:
        return "augmented-lagrangian" if constrained else "l-bfgs"
    name = method.lower().replace("_", "-") if isinstance(method, str) else ""
    name = {"lbfgs": "l-bfgs", "l-bfgs-b": "l-bfgs", "cg-newton": "newton-cg"}.get(name, name)
    if name not in PLAIN:
        raise TypeMismatchError(
            f"The method of a solver must be one of {listed(list(PLAIN))}, but it is {shown(method)}.",
            None,
            nearest(name, list(PLAIN)),
        )
    if constrained and name not in WITH_CONSTRAINTS:
        raise TypeMismatchError(
            f"The method {name!r} takes no constraints. Use {listed(WITH_CONSTRAINTS)}, or leave the method "
            "out."
        )
    if bounded and name not in WITH_BOUNDS:
        raise TypeMismatchError(
            f"The method {name!r} takes no bounds. Use one of {listed(WITH_BOUNDS)}, or leave the method out."
        )
    return name


def state_class(fields: Mapping[str, Type]) -> type:
    """The struct class of a state with these fields."""
    return struct(make_dataclass("State", list(fields.items()), frozen=True))
