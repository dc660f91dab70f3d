"""One step of Levenberg and Marquardt's method. We try shorter and shorter steps until one lowers the cost.

* The radius of the trust region follows MINPACK's rules: Moré, "The Levenberg-Marquardt algorithm:
  implementation and theory" (1978).
* Geodesic acceleration: Transtrum and Sethna, "Improvements to the Levenberg-Marquardt algorithm for
  nonlinear least-squares minimization" (2012). It costs one second derivative along the step.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.loops import while_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec

from .residuals import LeastSquares
from .triangles import all_finite, back_substituted, squares
from .trust_region import levenberg_step

ACCEPTED: Final = 1e-4
"""The least ratio of the actual to the predicted decrease for which we accept a step, as in MINPACK."""

MOST_TRIALS: Final = 100.0
"""The number of steps from one point after which we give up, if none of them decreases the cost."""


class Place:
    """The point from which a step begins, with the cost and the linear model of the residuals there."""

    def __init__(
        self, problem: LeastSquares, x: Any, cost: Any, columns: Any, R: Any, c: Any, scales: Any, free: Any,
        rounding: Any,
    ) -> None:  # fmt: skip
        self.problem, self.x, self.cost, self.columns, self.R, self.c = problem, x, cost, columns, R, c
        self.scales, self.free, self.rounding = scales, free, rounding
        self.n = problem.n

    def moved(self, z: Any) -> Any:
        """Return the parameters after a step z in scaled units. Clip them to the bounds."""
        return self.problem.inside(vec(self.n, lambda j: self.x[j] + z[j] / self.scales[j]))

    def decrease(self, z: Any) -> Any:
        """Return how much a step z decreases the cost of the linear model."""
        n = self.n
        y = vec(n, lambda k: sum_(n, lambda j: self.R[k][j] * z[j]))
        return -dot(y, self.c) - 0.5 * squares(y)


def first_that_decreases(
    at: Place,
    radius: Any,
    damping: Any,
    tries_newton: Any,
    newton: Any,
    newton_decrease: Any,
    bent: Any,
) -> Any:
    """Try shorter and shorter steps until one decreases the cost. Give up when a step no longer changes x."""
    n = at.n

    def is_searching(carry: Any) -> Any:
        return ~carry["accepted"] & ~carry["ended"]

    def trial(carry: Any) -> Any:
        def by_newton() -> Any:
            return {"z": newton, "a": vec(n, lambda _: 0.0), "ratio": 0.0, "damping": 0.0}

        step = cond(carry["newton"], by_newton, lambda: _by_levenberg(at, carry, bent))
        return _tried(at, carry, step, newton_decrease, bent)

    begin = {
        "x": at.x, "r": vec(len(at.columns[0]), lambda _: 0.0), "cost": at.cost, "predicted": 0.0,
        "radius": radius, "damping": damping, "newton": tries_newton, "polishing": False,
        "accepted": False, "ended": False, "nfev": 0.0,
    }  # fmt: skip
    return while_loop(is_searching, trial, begin)


def _by_levenberg(at: Place, carry: Any, bent: Any) -> Any:
    """Compute Levenberg's step within the radius. If `bent` is finite, add the geodesic acceleration."""
    n = at.n
    step = levenberg_step(n)(at.R, at.c, carry["radius"], carry["damping"])
    a, ratio = cond(
        bent < maths.inf, lambda: _accelerated(at, step), lambda: (vec(n, lambda _: 0.0), 0.0)
    )  # fmt: skip
    return {"z": step["z"], "a": a, "ratio": ratio, "damping": step["damping"]}


def _accelerated(at: Place, step: Any) -> tuple[Any, Any]:
    """Return the geodesic acceleration in scaled units, and the ratio 2·(its length) / (the step's length).

    If a second derivative is not finite, both are 0.
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


def _tried(at: Place, carry: Any, step: Any, newton_decrease: Any, bent: Any) -> Any:
    """Try a step. Return the carry with the next radius, and with the new point if the step is accepted."""
    n, with_newton = at.n, carry["newton"]
    z, a = step["z"], step["a"]
    size = maths.sqrt(squares(z))
    plain = at.moved(z)
    predicted = select(
        with_newton, newton_decrease,
        at.decrease(vec(n, lambda j: (plain[j] - at.x[j]) * at.scales[j])),
    )  # fmt: skip
    x = at.moved(vec(n, lambda j: z[j] + a[j]))
    r = at.problem.residuals(x)
    new_cost = 0.5 * squares(r)
    verdict = _judged(at, with_newton, predicted, r, new_cost, step["ratio"], bent)
    next_radius, next_damping = _next_region(carry["radius"], step["damping"], size, predicted, verdict)
    stands = sum_(n, lambda j: select(x[j] == at.x[j], 0.0, 1.0)) == 0.0
    newton_failed = with_newton & ~verdict.accepted
    return {
        "x": select(verdict.accepted, x, at.x),
        "r": r,
        "cost": select(verdict.accepted, new_cost, at.cost),
        "predicted": predicted,
        "radius": select(newton_failed | (with_newton & verdict.is_tiny), carry["radius"], next_radius),
        "damping": select(with_newton, carry["damping"], next_damping),
        "newton": False,
        "polishing": verdict.accepted & verdict.is_tiny,
        "accepted": verdict.accepted,
        "ended": (stands & ~with_newton) | ~(next_radius > 0.0) | (carry["nfev"] >= MOST_TRIALS),
        "nfev": carry["nfev"] + 1.0,
    }


class _Verdict(NamedTuple):
    """The results of a trial.

    is_finite: true if all residuals at the new point are finite.
    actual: the decrease of the cost.
    share: the actual decrease divided by the predicted decrease.
    is_bent: true if the acceleration is too long, compared with the step.
    is_tiny: true if this is a step of Newton's method that changes the cost only by rounding errors.
    good: true if the step is not bent, and the actual decrease is not too small for the predicted decrease.
    accepted: true if the parameters move to the new point.
    """

    is_finite: Any
    actual: Any
    is_bent: Any
    share: Any
    is_tiny: Any
    good: Any
    accepted: Any


def _judged(
    at: Place, with_newton: Any, predicted: Any, r: Any, new_cost: Any, ratio: Any, bent: Any
) -> _Verdict:
    """Check a trial: compare its cost with the predicted decrease.

    ratio: twice the acceleration's length, divided by the step's length. bent: the largest allowed ratio.
    """
    is_finite = all_finite(r) & (new_cost < maths.inf)
    actual = at.cost - new_cost
    is_bent = ratio > bent
    share = select(predicted > 0.0, actual / select(predicted > 0.0, predicted, 1.0), -1.0)
    is_tiny = with_newton & (predicted <= at.rounding) & (new_cost <= at.cost + at.rounding)
    good = is_finite & ~is_bent & (share > ACCEPTED)
    accepted = is_finite & (good | is_tiny)
    return _Verdict(is_finite, actual, is_bent, share, is_tiny, good, accepted)


def _next_region(radius: Any, damping: Any, size: Any, predicted: Any, verdict: _Verdict) -> tuple[Any, Any]:
    """Return the next radius and the next damping, by MINPACK's rules.

    If the acceleration is too long, or a residual is not finite, the next radius is 0.3 · min(radius, size).

    size: the length of the step that was tried.
    """
    slope = 2.0 * predicted
    part = select(verdict.actual >= 0.0, 0.5, 0.5 * slope / (slope - verdict.actual))
    part = maths.maximum(0.1, maths.minimum(0.5, part))
    failed = verdict.is_bent | ~verdict.is_finite
    part = select(failed, 0.3, part)
    shrinks = ~verdict.good | (verdict.share <= 0.25)
    grows = (verdict.share >= 0.75) | (damping == 0.0)
    next_radius = select(
        shrinks, part * maths.minimum(radius, select(failed, size, 10.0 * size)),
        select(grows, maths.maximum(radius, 2.0 * size), radius),
    )  # fmt: skip
    return next_radius, select(shrinks, damping / part, select(grows, 0.5 * damping, damping))
