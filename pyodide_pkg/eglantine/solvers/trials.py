"""One step of Levenberg and Marquardt's method: shorter and shorter trials until one lowers the cost.

* The radius of the trust region follows MINPACK's rules: Moré, "The Levenberg-Marquardt algorithm:
  implementation and theory" (1978).
* Geodesic acceleration: Transtrum and Sethna, "Improvements to the Levenberg-Marquardt algorithm for
  nonlinear least-squares minimization" (2012). It costs one second derivative along the step.
"""

from __future__ import annotations

from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.loops import while_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec

from .residuals import LeastSquares
from .triangles import all_finite, back_substituted, squares
from .trust_region import levenberg_step

ACCEPTED: Final = 1e-4
"""The least ratio of actual to predicted decrease of an accepted step (MINPACK)."""

MOST_TRIALS: Final = 100.0
"""The most steps that are tried from one point."""


class Place:
    """All that a step needs to know about the point where it begins."""

    def __init__(
        self, problem: LeastSquares, x: Any, cost: Any, columns: Any, R: Any, c: Any, scales: Any, free: Any,
        rounding: Any,
    ) -> None:  # fmt: skip
        self.problem, self.x, self.cost, self.columns, self.R, self.c = problem, x, cost, columns, R, c
        self.scales, self.free, self.rounding = scales, free, rounding
        self.n = problem.n

    def moved(self, z: Any) -> Any:
        """The parameters after a step z in the scaled space, within the bounds."""
        return self.problem.inside(vec(self.n, lambda j: self.x[j] + z[j] / self.scales[j]))

    def decrease(self, z: Any) -> Any:
        """By how much the linear model's cost falls."""
        n = self.n
        y = vec(n, lambda k: sum_(n, lambda j: self.R[k][j] * z[j]))
        return -dot(y, self.c) - 0.5 * squares(y)


def _accelerated(at: Place, step: Any) -> tuple[Any, Any]:
    """The geodesic acceleration in the scaled space, and twice its length relative to the step's.

    Where a second derivative is not finite, there is none.
    """
    n, m = at.n, len(at.columns[0])
    z = step["z"]
    bend = at.problem.along(at.x, vec(n, lambda j: z[j] / at.scales[j]))
    q = vec(n, lambda k: sum_(m, lambda i: at.columns[k][i] * bend[i]))
    t = vec(n, lambda k: -0.5 * sum_(n, lambda i: step["T"][k][i] * q[i]))
    a = back_substituted(step["U"], t)
    exists = all_finite(a)
    ratio = 2.0 * maths.sqrt(squares(a)) / maths.sqrt(squares(z))
    return vec(n, lambda j: select(exists, a[j], 0.0)), select(exists, ratio, 0.0)


def first_that_decreases(
    at: Place,
    radius: Any,
    damping: Any,
    tries_newton: Any,
    newton: Any,
    newton_decrease: Any,
    bent: Any,
) -> Any:
    """Try shorter and shorter steps until one decreases the cost or cannot be told from no step."""
    n, cost = at.n, at.cost
    residuals = at.problem.residuals

    def is_searching(carry: Any) -> Any:
        return ~carry["accepted"] & ~carry["ended"]

    def trial(carry: Any) -> Any:
        radius, with_newton = carry["radius"], carry["newton"]

        def by_newton() -> Any:
            zero = vec(n, lambda _: 0.0)
            return {"z": newton, "a": zero, "ratio": 0.0, "damping": 0.0}

        def by_levenberg() -> Any:
            step = levenberg_step(n)(at.R, at.c, radius, carry["damping"])
            a, ratio = cond(
                bent < maths.inf, lambda: _accelerated(at, step), lambda: (vec(n, lambda _: 0.0), 0.0)
            )
            return {"z": step["z"], "a": a, "ratio": ratio, "damping": step["damping"]}

        step = cond(with_newton, by_newton, by_levenberg)
        z, a, damping = step["z"], step["a"], step["damping"]
        size = maths.sqrt(squares(z))
        plain = at.moved(z)
        predicted = select(
            with_newton, newton_decrease,
            at.decrease(vec(n, lambda j: (plain[j] - at.x[j]) * at.scales[j])),
        )  # fmt: skip
        x = at.moved(vec(n, lambda j: z[j] + a[j]))
        r = residuals(x)
        new_cost = 0.5 * squares(r)
        is_finite = all_finite(r) & (new_cost < maths.inf)
        actual = cost - new_cost
        is_bent = step["ratio"] > bent
        share = select(predicted > 0.0, actual / select(predicted > 0.0, predicted, 1.0), -1.0)
        is_tiny = with_newton & (predicted <= at.rounding) & (new_cost <= cost + at.rounding)
        good = is_finite & ~is_bent & (share > ACCEPTED)
        accepted = is_finite & (good | is_tiny)
        # the radius: MINPACK's rules, and three tenths after a bent or non-finite step
        slope = 2.0 * predicted
        part = select(actual >= 0.0, 0.5, 0.5 * slope / (slope - actual))
        part = maths.maximum(0.1, maths.minimum(0.5, part))
        part = select(is_bent | ~is_finite, 0.3, part)
        shrinks = ~good | (share <= 0.25)
        grows = (share >= 0.75) | (damping == 0.0)
        next_radius = select(
            shrinks, part * maths.minimum(radius, select(is_bent | ~is_finite, size, 10.0 * size)),
            select(grows, maths.maximum(radius, 2.0 * size), radius),
        )  # fmt: skip
        next_damping = select(shrinks, damping / part, select(grows, 0.5 * damping, damping))
        stands = sum_(n, lambda j: select(x[j] == at.x[j], 0.0, 1.0)) == 0.0
        newton_failed = with_newton & ~accepted
        return {
            "x": select(accepted, x, at.x),
            "r": r,
            "cost": select(accepted, new_cost, cost),
            "predicted": predicted,
            "radius": select(newton_failed | (with_newton & is_tiny), radius, next_radius),
            "damping": select(with_newton, carry["damping"], next_damping),
            "newton": False,
            "polishing": accepted & is_tiny,
            "accepted": accepted,
            "ended": (stands & ~with_newton) | ~(next_radius > 0.0) | (carry["nfev"] >= MOST_TRIALS),
            "nfev": carry["nfev"] + 1.0,
        }

    begin = {
        "x": at.x, "r": vec(len(at.columns[0]), lambda _: 0.0), "cost": cost, "predicted": 0.0,
        "radius": radius, "damping": damping, "newton": tries_newton, "polishing": False,
        "accepted": False, "ended": False, "nfev": 0.0,
    }  # fmt: skip
    return while_loop(is_searching, trial, begin)
