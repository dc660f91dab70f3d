"""Quasi-Newton methods: BFGS, and L-BFGS with a limited memory and bounds.

* BFGS: Broyden, Fletcher, Goldfarb and Shanno (1970), as in Nocedal and Wright, "Numerical Optimization", 2nd
  edition (2006), algorithm 6.1.
* L-BFGS: Liu and Nocedal, "On the limited memory BFGS method for large scale optimization" (1989). The
  two-loop recursion is algorithm 7.4 of Nocedal and Wright.
* Bounds: Bertsekas, "Projected Newton methods for optimization problems with simple constraints" (1982). The
  recursion leaves out numbers that a bound stops, and steps are projected onto the bounds. The rule for
  storing a step comes from Byrd, Lu, Nocedal and Zhu, "A limited memory algorithm for bound constrained
  optimization" (1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from eglantine.trace.choices import select
from eglantine.trace.elementwise import index, real
from eglantine.trace.loops import fori_loop
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin

from .first_order import first_step, searched
from .line_searches import backtracking, strong_wolfe
from .problems import Problem, State, moved, product
from .statuses import RUNNING

CURVED: Final = 2.0**-52
"""The ratio (step·y) / (y·y) that a step must exceed to be stored. y is the change of the gradient."""


@dataclass(frozen=True)
class LBFGS:
    """L-BFGS. It computes an inverse Hessian from the last `memory` steps and changes of the gradient."""

    memory: int = 10

    def begin(self, problem: Problem, at: State) -> State:  # noqa: ARG002
        """Return the method's own variables at the start, when no steps are stored."""
        n, m = problem.n, self.memory
        return {
            "steps": vec(m, lambda _: vec(n, lambda _: 0.0)),
            "changes": vec(m, lambda _: vec(n, lambda _: 0.0)),
            "curvatures": vec(m, lambda _: 0.0),
            "scale": 0.0,
            "next": Fin(m)(0),
        }  # fmt: skip

    def step(self, problem: Problem, s: State) -> State:
        """One iteration."""
        x, g = s["x"], s["jac"]
        free = problem.projected(x, g)
        fresh = s["scale"] == 0.0
        d = self._direction(problem, s, x, g, free)
        downhill = product(d, free) < 0.0
        d = select(downhill, d, -free)
        first = select(fresh | ~downhill, first_step(free), 1.0)
        search = strong_wolfe if problem.lower is None else backtracking
        end = search(problem, x, s["fun"], g, d, first)
        after = searched(s, end)
        found = end["t"] > 0.0
        after["status"] = select(found | fresh, after["status"], RUNNING)  # without memory it is tried again
        return {**after, **self._remembered(s, end["x"] - x, end["jac"] - g, found)}

    def _direction(self, problem: Problem, s: State, x: Any, g: Any, free: Any) -> Any:
        """Return −(approximate inverse Hessian)·(gradient), computed by the two-loop recursion."""
        m, n = self.memory, problem.n
        steps, changes, curvatures = s["steps"], s["changes"], s["curvatures"]

        if problem.lower is None:
            inner = product
        else:

            def inner(u: Any, v: Any) -> Any:
                return sum_(n, lambda i: select(problem.is_free(x, g, i), u[i] * v[i], 0.0))

        full = curvatures[s["next"]] > 0.0  # else the pairs are those before `next`
        count = real(select(full, m, s["next"]))
        half = select(full, (m + 1) // 2, index((count + 1.0) * 0.5, m + 1))

        def down(k: Any, q: Any, alphas: Any) -> Any:
            i = (s["next"] + 2 * m - 1 - k) % m
            exists = real(k) < count
            alpha = select(exists, curvatures[i] * inner(steps[i], q), 0.0)
            return moved(q, -alpha, changes[i]), alphas.at[i].set(select(exists, alpha, alphas[i]))

        def up(k: Any, q: Any) -> Any:
            i = index(real(s["next"]) + m - count + real(k), 3 * m) % m
            part = select(real(k) < count, alphas[i] - curvatures[i] * inner(changes[i], q), 0.0)
            return moved(q, part, steps[i])

        # Each round handles two pairs, so that it can write its result into the vector that it started from.
        # If the number of pairs is odd, the last round also handles a missing pair, which changes nothing.
        q, alphas = fori_loop(
            0, half, lambda k, carry: down(2 * k + 1, *down(2 * k, *carry)), (-free, vec(m, lambda _: 0.0))
        )
        q = select(s["scale"] == 0.0, 1.0, s["scale"]) * q
        q = fori_loop(0, half, lambda k, q: up(2 * k + 1, up(2 * k, q)), q)
        return q if problem.lower is None else _masked(problem, x, g, q)

    def _remembered(self, s: State, step: Any, change: Any, found: Any) -> State:
        """Store a step if its curvature is large enough. After a failed search, clear the memory instead."""
        curvature, square = product(step, change), product(change, change)
        kept = found & (curvature > CURVED * square)
        i = s["next"]
        inverse = select(kept, 1.0 / select(kept, curvature, 1.0), 0.0)
        m = self.memory
        return {
            "steps": s["steps"].at[i].set(select(kept, step, s["steps"][i])),
            "changes": s["changes"].at[i].set(select(kept, change, s["changes"][i])),
            "curvatures": vec(
                m, lambda k: select(found, select((k == i) & kept, inverse, s["curvatures"][k]), 0.0)
            ),
            "scale": select(kept, curvature / select(kept, square, 1.0), select(found, s["scale"], 0.0)),
            "next": select(found, select(kept, (i + 1) % m, i), 0),
        }  # fmt: skip


def _masked(problem: Problem, x: Any, g: Any, d: Any) -> Any:
    """Return the direction d with 0 for each number of x that a bound stops."""
    return vec(problem.n, lambda i: select(problem.is_free(x, g, i), d[i], 0.0))


@dataclass(frozen=True)
class BFGS:
    """BFGS. It approximates the inverse Hessian by a full matrix."""

    def begin(self, problem: Problem, at: State) -> State:  # noqa: ARG002
        """Return the method's own variables at the start: the unit matrix, which `step` scales once."""
        return {"inverse": _unit(problem.n), "fresh": 1.0}

    def step(self, problem: Problem, s: State) -> State:
        """One iteration."""
        n, x, g, h = problem.n, s["x"], s["jac"], s["inverse"]
        fresh = s["fresh"] > 0.0
        d = vec(n, lambda i: -sum_(n, lambda j: h[i][j] * g[j]))
        downhill = product(d, g) < 0.0
        d = select(downhill, d, -g)
        end = strong_wolfe(problem, x, s["fun"], g, d, select(fresh | ~downhill, first_step(g), 1.0))
        after = searched(s, end)
        found = end["t"] > 0.0
        after["status"] = select(found | fresh, after["status"], RUNNING)
        step, change = end["x"] - x, end["jac"] - g
        curvature, square = product(step, change), product(change, change)
        kept = found & (curvature > CURVED * square)
        rho = select(kept, 1.0 / select(kept, curvature, 1.0), 0.0)
        scale = select(fresh & kept, curvature / select(kept, square, 1.0), 1.0)
        hy = vec(n, lambda i: scale * sum_(n, lambda j: h[i][j] * change[j]))
        factor = rho * (1.0 + rho * product(change, hy))
        inverse = vec(n, lambda i: vec(n, lambda j: (
            scale * h[i][j] - rho * (hy[i] * step[j] + step[i] * hy[j]) + factor * step[i] * step[j]
        )))  # fmt: skip
        unit = _unit(n)
        return {
            **after,
            "inverse": vec(n, lambda i: vec(n, lambda j: select(found, inverse[i][j], unit[i][j]))),
            "fresh": select(found, select(kept, 0.0, s["fresh"]), 1.0),
        }


def _unit(n: int) -> Any:
    return vec(n, lambda i: vec(n, lambda j: select(i == j, 1.0, 0.0)))
