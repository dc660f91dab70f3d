"""The augmented Lagrangian method for equality and inequality constraints. L-BFGS is the inner method.

Source: Conn, Gould and Toint, "LANCELOT" (1992). Inequalities are treated with Rockafellar's function, as in
    Nocedal and Wright, "Numerical Optimization", 2nd edition (2006), chapter 17.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin

from .problems import Problem, State, largest
from .quasi_newton import LBFGS
from .statuses import CONVERGED, INFEASIBLE, RUNNING, STUCK

ENOUGH: Final = 0.25
"""The violation after an outer iteration, divided by the violation before it, should be at most this ratio.

Otherwise the weight of the penalty grows, unless the violation is at most `feasible`.
"""
HEAVIEST: Final = 1e12
"""The largest weight of the penalty. If the violation is still too large at this weight, the attempt ends."""
ATTEMPTS: Final = 3.0
"""The largest number of attempts. If the last one fails, the problem counts as infeasible.

With a small weight, the minimised function may move x to a point from which no small step satisfies the
constraints. So each new attempt begins at the start again, with a larger first weight.
"""
HEAVIER: Final = 1e3
"""The first weight of an attempt, divided by the first weight of the attempt before it."""
LOOSE: Final = 0.1
"""The largest gradient that ends the first outer iteration, divided by max(1, |value|)."""
TIGHTER: Final = 0.1
"""The factor by which the largest allowed gradient is multiplied after each outer iteration."""

OUTER: Final = ("multipliers", "weight", "wanted", "violation", "start", "attempt", "first")
"""The names of the numbers in the state that only outer iterations change."""


@dataclass(frozen=True)
class AugmentedLagrangian:
    """A method that runs L-BFGS repeatedly. Between runs, it changes the multipliers or the penalty.

    count: the number of constraints. The first `equal` of them are equalities.
    feasible: the largest violation of a constraint that is allowed at the end.
    """

    count: int
    equal: int
    tol: float
    violations: Any = field(compare=False)
    memory: int = 10
    weight: float = 10.0
    growth: float = 10.0
    feasible: float = 1e-8

    @property
    def inner(self) -> LBFGS:
        """The method for fixed multipliers."""
        return LBFGS(self.memory)

    def begin(self, problem: Problem, at: State) -> State:
        """The method's own numbers at the start."""
        return {
            **self.inner.begin(problem, at), "multipliers": vec(self.count, lambda _: 0.0),
            "weight": self.weight, "wanted": LOOSE, "violation": maths.inf, "start": at["x"],
            "attempt": 1.0, "first": self.weight,
        }  # fmt: skip

    def step(self, problem: Problem, s: State) -> State:
        """Do one iteration of L-BFGS. If L-BFGS has converged, choose new multipliers or a larger weight."""
        weighted = problem.with_numbers(s["multipliers"], s["weight"])
        after = self.inner.step(weighted, s)
        gradient = largest(weighted.projected(after["x"], after["jac"]))
        scale = maths.maximum(1.0, abs(after["fun"]))
        inner_done = (gradient <= s["wanted"] * scale) | (after["status"] == STUCK)
        outer = {name: s[name] for name in OUTER}

        def go_on() -> State:
            return {**after, **outer}

        def correct() -> State:
            c = self.violations(after["x"], *problem.args) if self.count else vec(0, lambda _: 0.0)
            corrected = vec(self.count, lambda k: self._corrected(s["multipliers"][k], c[k], s["weight"], k))
            missed = largest(
                vec(self.count, lambda k: self._missed(c[k], s["multipliers"][k], s["weight"], k))
            )
            better = missed <= maths.maximum(ENOUGH * s["violation"], self.feasible)
            tight = s["wanted"] <= self.tol
            done = (
                (missed <= self.feasible)
                & (tight | (after["status"] == STUCK))
                & (gradient <= self.tol * scale)
            )
            stuck = (missed <= self.feasible) & tight & (after["status"] == STUCK)
            hopeless = ~better & (s["weight"] >= HEAVIEST)
            again = hopeless & (s["attempt"] < ATTEMPTS)
            first = select(again, maths.minimum(HEAVIER * s["first"], HEAVIEST), s["first"])
            heavier = select(better, s["weight"], maths.minimum(s["weight"] * self.growth, HEAVIEST))
            weight = select(again, first, heavier)
            x = select(again, s["start"], after["x"])
            kept = select(better, corrected, s["multipliers"])
            multipliers = vec(self.count, lambda k: select(again, 0.0, kept[k]))
            value, slope = problem.with_numbers(multipliers, weight).at(x)
            ended = select(hopeless & ~again, INFEASIBLE, RUNNING)
            return {
                **after, **self.inner.begin(problem, after), "x": x, "fun": value, "jac": slope,
                "nfev": after["nfev"] + 1.0, "multipliers": multipliers, "weight": weight,
                "wanted": select(again, LOOSE, maths.maximum(TIGHTER * s["wanted"], self.tol)),
                "violation": select(again, maths.inf, missed), "start": s["start"], "first": first,
                "attempt": s["attempt"] + select(again, 1.0, 0.0),
                "status": select(done, CONVERGED, select(stuck, STUCK, ended)),
            }  # fmt: skip

        return cond(inner_done, correct, go_on)  # type: ignore[no-any-return]

    def _corrected(self, multiplier: Any, c: Any, weight: Any, k: Any) -> Any:
        """Compute the next multiplier of constraint k from the constraint's value c."""
        moved = multiplier - weight * c
        return select(k < self.equal, moved, maths.maximum(moved, 0.0))

    def _missed(self, c: Any, multiplier: Any, weight: Any, k: Any) -> Any:
        """Return the error of constraint k: c for an equality, min(c, multiplier / weight) for others."""
        return select(k < self.equal, c, maths.minimum(c, multiplier / weight))


def lagrangian(f: Any, c: Any, multipliers: Any, weight: Any, equal: int) -> Any:
    """The augmented Lagrangian of a value f and constraints c. The first `equal` of them are equalities."""
    bound, free = len(c) - equal, Fin(len(c))

    def of_equality(k: Any) -> Any:
        return 0.5 * weight * c[k] * c[k] - multipliers[k] * c[k]

    def of_inequality(k: Any) -> Any:
        k = free(k + equal)
        active = maths.maximum(multipliers[k] - weight * c[k], 0.0)
        return (active * active - multipliers[k] * multipliers[k]) / (2.0 * weight)

    equalities = sum_(equal, of_equality) if equal else 0.0
    return f + equalities + (sum_(bound, of_inequality) if bound else 0.0)
