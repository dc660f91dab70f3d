"""The exterior point method: L-BFGS minimises the value plus a growing penalty. Diagrams use it for layout.

The penalty is weight·Σ max(−c, 0)² for constraints c ≥ 0, and weight·Σ c² for constraints c = 0. The method
follows the optimiser of Penrose step by step (MIT; Ye and others, "Penrose: from mathematical notation to
beautiful diagrams", 2020). Like Penrose, it does not check the curvature, it adds a small number to divisors,
and its line search bisects until the weak Wolfe conditions hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.elementwise import index, real
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import vec
from eglantine.types import Fin

from .problems import Problem, State, is_finite, length
from .statuses import CONVERGED, NOT_FINITE, RUNNING

REGULARISER: Final = 1e-11
"""A small number. L-BFGS adds it to each number by which it divides, to avoid a division by 0."""
DECREASE: Final = 1e-3
CURVATURE: Final = 0.9
NARROWEST: Final = 1e-9
MOST_HALVINGS: Final = 10.0


@dataclass(frozen=True)
class ExteriorPoint:
    """Several solves, one after the other. Each solve minimises the value plus a penalty with its own weight.

    The sequence ends after at least `least_solves` solves, as soon as a solve moves x, or changes the value
    that it minimises, by less than `settled`.
    weight: the weight in the first solve. In each later solve, the weight is `growth` times larger.
    descent: a solve ends when its next step is predicted to decrease the value by less than this number.
    finish: if given, one more solve follows with the last weight. It ends when the predicted decrease is less
        than both `descent` and finish·max(1, |value|).
    reach: the largest length of a step, or None for no limit. A limit prevents jumps to another minimum.
    """

    memory: int = 17
    weight: float = 1e3
    growth: float = 10.0
    least_solves: int = 3
    settled: float = 1e-3
    descent: float = 1e-2
    finish: float | None = None
    reach: float | None = None

    def begin(self, problem: Problem, at: State) -> State:
        """The method's own numbers at the start."""
        return {
            **self._empty(problem),
            "weight": self.weight,
            "solves": 0.0,
            "solve_x": at["x"],
            "solve_fun": maths.inf,
            "finishing": 0.0,
        }  # fmt: skip

    def step(self, problem: Problem, s: State) -> State:
        """Do one iteration. If the solve ends, begin the next. A solve's first iteration is not counted."""
        weighted = problem.with_numbers(s["weight"])
        x, f, g = s["x"], s["fun"], s["jac"]
        fresh = real(s["stored"]) == 0.0
        r = self._direction(s, g)
        end = _searched(weighted, x, f, g, self._shortened(r))
        over = ~fresh & (dot(g, r) < self._least_descent(s))
        bad = ~is_finite(end["fun"]) | ~is_finite(dot(end["jac"], end["jac"]))
        after = {
            "x": select(bad, x, end["x"]), "fun": select(bad, f, end["fun"]),
            "jac": select(bad, g, end["jac"]),
            "nfev": s["nfev"] + end["trials"], "counts": select(fresh, 0.0, 1.0),
        }  # fmt: skip
        status = select(bad, NOT_FINITE, RUNNING)

        def go_on() -> State:
            kept = ("weight", "solves", "solve_x", "solve_fun", "finishing")
            return {**after, "status": status, **{name: s[name] for name in kept}}

        def next_solve() -> State:
            still = length(end["x"] - s["solve_x"]) < self.settled
            settled = still | (abs(f - s["solve_fun"]) < self.settled)
            last = (s["solves"] + 1.0 >= self.least_solves) & settled
            done, finishing = last, s["finishing"]
            if self.finish is not None:
                done = s["finishing"] > 0.0
                last = last | done
                finishing = select(last, 1.0, 0.0)
            weight = select(last, s["weight"], s["weight"] * self.growth)
            value, gradient = problem.with_numbers(weight).at(after["x"])
            return {
                **after, "fun": value, "jac": gradient, "nfev": after["nfev"] + 1.0,
                "status": select(done & ~bad, CONVERGED, status), "weight": weight,
                "solves": s["solves"] + 1.0, "finishing": finishing,
                "solve_x": after["x"], "solve_fun": f,
            }  # fmt: skip

        memory = self._remembered(s, end["x"] - x, end["jac"] - g, over)
        return {**cond(over, next_solve, go_on), **memory}

    def _least_descent(self, s: State) -> Any:
        """Return the limit for the predicted descent. A solve ends when the descent is smaller."""
        if self.finish is None:
            return self.descent
        relative = self.finish * maths.maximum(1.0, abs(s["fun"]))
        return select(s["finishing"] > 0.0, maths.minimum(self.descent, relative), self.descent)

    def _empty(self, problem: Problem) -> State:
        """A memory without steps."""
        n, m = problem.n, self.memory
        return {
            "steps": vec(m, lambda _: vec(n, lambda _: 0.0)),
            "changes": vec(m, lambda _: vec(n, lambda _: 0.0)),
            "curvatures": vec(m, lambda _: 0.0),
            "scale": 1.0,
            "next": Fin(m)(0),
            "stored": Fin(m + 1)(0),
        }  # fmt: skip

    def _direction(self, s: State, g: Any) -> Any:
        """Return (approximate inverse Hessian)·(gradient), computed by the two-loop recursion."""
        m = self.memory
        steps, changes, curvatures, stored = s["steps"], s["changes"], s["curvatures"], s["stored"]

        def down(k: Any, carry: Any) -> Any:
            q, alphas = carry
            i = (s["next"] + (m - 1) - k) % m
            alpha = curvatures[i] * dot(steps[i], q)
            return q - alpha * changes[i], alphas.at[i].set(alpha)

        def up(k: Any, q: Any) -> Any:
            i = (s["next"] + (m - stored) + k) % m
            return q + (alphas[i] - curvatures[i] * dot(changes[i], q)) * steps[i]

        q, alphas = fori_loop(0, stored, down, (g, vec(m, lambda _: 0.0)))
        return fori_loop(0, stored, up, s["scale"] * q)

    def _shortened(self, r: Any) -> Any:
        """The step, made no longer than `reach`."""
        return r if self.reach is None else r * (self.reach / maths.maximum(length(r), self.reach))

    def _remembered(self, s: State, step: Any, change: Any, over: Any) -> State:
        """Add a step to the memory. If the solve is `over`, return a memory without steps.

        In both cases we write the step into the arrays. A branch around this write would copy the arrays.
        """
        m, i, curvature = self.memory, s["next"], dot(step, change)
        return {
            "steps": s["steps"].at[i].set(step),
            "changes": s["changes"].at[i].set(change),
            "curvatures": s["curvatures"].at[i].set(1.0 / (curvature + REGULARISER)),
            "scale": select(over, 1.0, curvature / (dot(change, change) + REGULARISER)),
            "next": (i + 1) % m,
            "stored": select(over, 0, index(maths.minimum(real(s["stored"]) + 1.0, float(m)), m + 1)),
        }


def _searched(problem: Problem, x: Any, f: Any, g: Any, r: Any) -> State:
    """Bisect t until the weak Wolfe conditions hold. Return the point x − t·r, its value and its gradient.

    After MOST_HALVINGS halvings, or when the interval of t is too narrow, we accept t even if the conditions
    do not hold.
    """
    slope = -dot(r, g)

    def body(s: State) -> State:
        t = s["t"]
        at = x - t * r
        value, gradient = problem.at(at)
        spent = (abs(s["low"] - s["high"]) < NARROWEST) | (s["tried"] > MOST_HALVINGS)
        too_far = ~(value <= f + DECREASE * t * slope)
        too_near = ~too_far & ~(-dot(r, gradient) >= CURVATURE * slope)
        high = select(too_far, t, s["high"])
        low = select(too_near, t, s["low"])
        after = select(high < maths.inf, (low + high) / 2.0, 2.0 * low)
        return {
            "t": after, "low": low, "high": high, "tried": s["tried"] + 1.0,
            "x": at, "fun": value, "jac": gradient,
            "over": spent | ~(too_far | too_near),
        }  # fmt: skip

    end = while_loop(
        lambda s: ~s["over"],
        body,
        {"t": 1.0, "low": 0.0, "high": maths.inf, "tried": 0.0, "x": x, "fun": f, "jac": g, "over": False},
    )
    return {"x": end["x"], "fun": end["fun"], "jac": end["jac"], "trials": end["tried"]}
