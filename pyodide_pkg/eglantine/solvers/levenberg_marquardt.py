"""Levenberg–Marquardt as a program of the language: one while loop, which the caller compiles to one kernel.

A round computes the Jacobian J of the residuals r, divides its columns by scales D, and factorises it:
J·D⁻¹ = Q·R. In the scaled space a step z solves (RᵀR + λ) z = −Rᵀ·Qᵀr, where λ makes it as long as the trust
region is wide.

* Scales and trust region: Moré, "The Levenberg-Marquardt algorithm: implementation and theory" (1978).
* Geodesic acceleration: Transtrum and Sethna, "Improvements to the Levenberg-Marquardt algorithm for
  nonlinear least-squares minimization" (2012). It costs one second derivative along the step.
* Once the cost changes little, a round first tries Newton's step with the exact Hessian JᵀJ + Σ rᵢ∇²rᵢ. It is
  solved through R, so the condition of J is not squared.
* Convergence: Bates and Watts, "A relative offset orthogonality convergence criterion for nonlinear least
  squares" (1981). The offset is ‖Qᵀr‖ / ‖r‖, the cosine between r and the space of J's columns. It does not
  depend on the units of the parameters or of the residuals.
"""

from __future__ import annotations

from typing import Any, Final

from eglantine.functions.derivatives import jvp
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.functions.jacobians import hessian, jacfwd_fn
from eglantine.functions.policies import checkpoint
from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec

from .triangles import all_finite, back_substituted, factorised, forward_substituted, squares
from .trust_region import cauchy_length, levenberg_step, newton_step

ACCEPTED: Final = 1e-4
"""The least ratio of actual to predicted decrease of an accepted step (MINPACK)."""

BENT: Final = 0.75
"""The largest ratio of twice the acceleration to the velocity of an accepted step (Transtrum and Sethna)."""

SETTLED: Final = 0.1
"""Newton's step is tried after a step that decreased the cost by less than this part."""

NEAR: Final = 0.1
"""Newton's step is tried where the offset is at most this."""

ROUNDING: Final = 1e-10
"""Below this relative decrease the cost is too coarse to judge a step. Then the offset decides."""

NOISE: Final = 16 * 2.0**-52
"""Residuals have rounding errors of about this times ‖J·x‖: they are small differences of large numbers."""

OFFSET: Final = 1e-6
"""The largest offset of a point that counts as a minimum."""

RANK: Final = 1e-11
"""The least pivot of the factor of a Jacobian, relative to its column, if the columns are independent."""

NEGLIGIBLE: Final = 1e-30
"""A parameter waits while its column of J, times its value or 1, is a smaller part of the residuals."""

MOST_TRIALS: Final = 100.0
"""The most steps that are tried from one point."""

RUNNING, CONVERGED, EXHAUSTED, STUCK, NOT_FINITE = 0.0, 1.0, 2.0, 3.0, 4.0


def levenberg_marquardt(
    residuals: Fn, x0: Any, data: tuple[Any, ...], lower: Any, upper: Any, tolerance: Any, most_rounds: Any
) -> Any:
    """The least sum of squares of `residuals(x, *data)` from x0 with lower ≤ x ≤ upper, within a trace.

    residuals: an fn from a Vec of n Reals, and the data, to a Vec of m Reals.

    The first attempt forgets old scales and begins with a large trust region. If it ends without success, or
    where the columns of the Jacobian depend on each other, a second one begins again with Moré's scales and a
    small trust region. A third one is Moré's method without acceleration. The best end counts.
    """
    problem = _Problem(residuals, data, lower, upper, len(x0))
    x0 = problem.inside(x0)
    r0 = problem.residuals(x0)

    def is_unsure(carry: Any) -> Any:
        has_rounds = (carry["nit"] < most_rounds) | (carry["attempt"] == 0.0)
        return (carry["attempt"] < ATTEMPTS) & (carry["sure"] < 0.5) & has_rounds

    def attempt(carry: Any) -> Any:
        first, last = carry["attempt"] == 0.0, carry["attempt"] == 2.0
        goes_on = last & (carry["status"] == EXHAUSTED)
        start = select(goes_on, carry["x"], x0)
        share = maths.maximum(most_rounds / ATTEMPTS, FEWEST_ROUNDS)
        end = _attempt(
            problem, start, cond(goes_on, lambda: problem.residuals(start), lambda: r0), tolerance,
            maths.minimum(share, most_rounds - carry["nit"]), select(first, FORGETTING, 1.0),
            select(first, WIDE, NARROW), select(last, maths.inf, BENT),
        )  # fmt: skip
        better = first | (end["cost"] < carry["cost"])
        return {
            "attempt": carry["attempt"] + 1.0,
            "sure": end["sure"],
            "x": select(better, end["x"], carry["x"]),
            "cost": select(better, end["cost"], carry["cost"]),
            "status": select(better, end["status"], carry["status"]),
            "nit": carry["nit"] + end["nit"],
            "nfev": carry["nfev"] + end["nfev"],
        }

    begin = {
        "attempt": 0.0, "sure": 0.0, "x": x0, "cost": 0.5 * squares(r0), "status": RUNNING,
        "nit": 0.0, "nfev": 1.0,
    }  # fmt: skip
    end = while_loop(is_unsure, attempt, begin)
    r, jacobian = problem.value_and_jacobian(end["x"])
    return {
        **end,
        "cost": 0.5 * squares(r),
        "fun": r,
        "jac": jacobian,
        **_final(problem, end["x"], r, jacobian),
    }


ATTEMPTS: Final = 3.0
FEWEST_ROUNDS: Final = 200.0
"""No attempt has to stop before so many rounds so that others have their share."""

FORGETTING, WIDE, NARROW = 0.5, 100.0, 1.0
"""How much of a scale is left after a round; the radius of the first trust region, relative to ‖D·x‖."""


class _Problem:
    """The residuals of one trace with their derivatives, and the bounds."""

    def __init__(self, residuals: Fn, data: tuple[Any, ...], lower: Any, upper: Any, n: int) -> None:
        self.f, self.data, self.lower, self.upper, self.n = residuals, data, lower, upper, n
        self.with_jacobian = jacfwd_fn(residuals, 0, True)
        types = residuals.function.params
        self._along = checkpoint(make_fn([types[0], *types])(self._second_derivative))
        self._curvature = checkpoint(make_fn([residuals.function.result, *types])(self._weighted_hessian))

    def residuals(self, x: Any) -> Any:
        return self.f(x, *self.data)

    def value_and_jacobian(self, x: Any) -> Any:
        return self.with_jacobian(x, *self.data)

    def along(self, x: Any, v: Any) -> Any:
        """The second derivative of the residuals along v."""
        return self._along(v, x, *self.data)

    def curvature(self, x: Any, weights: Any) -> Any:
        """The sum of the residuals' Hessians times the weights."""
        return self._curvature(weights, x, *self.data)

    def _second_derivative(self, v: Any, x: Any, *data: Any) -> Any:
        def first(x: Any) -> Any:
            return jvp(lambda x: self.f(x, *data), (x,), (v,))[1]

        return jvp(first, (x,), (v,))[1]

    def _weighted_hessian(self, weights: Any, x: Any, *data: Any) -> Any:
        return hessian(lambda x: dot(weights, self.f(x, *data)))(x)

    def inside(self, x: Any) -> Any:
        """The nearest point within the bounds."""
        return vec(self.n, lambda j: maths.minimum(maths.maximum(x[j], self.lower[j]), self.upper[j]))

    def free(self, x: Any, gradient: Any) -> Any:
        """1 for each parameter that may follow −gradient, and 0 for each that a bound stops."""

        def at(j: Any) -> Any:
            stopped_below = (x[j] <= self.lower[j]) & (gradient[j] >= 0.0)
            stopped_above = (x[j] >= self.upper[j]) & (gradient[j] <= 0.0)
            return select(stopped_below | stopped_above, 0.0, 1.0)

        return vec(self.n, at)


def _norms(jacobian: Any) -> Any:
    m, n = len(jacobian), len(jacobian[0])
    return vec(n, lambda j: maths.sqrt(sum_(m, lambda i: jacobian[i][j] * jacobian[i][j])))


def _scaled_columns(jacobian: Any, scales: Any, free: Any) -> Any:
    """The columns of J·D⁻¹, with zeros for parameters that are not free."""
    m, n = len(jacobian), len(scales)

    def column(j: Any) -> Any:
        factor = select(free[j] > 0.0, 1.0 / scales[j], 0.0)
        return vec(m, lambda i: jacobian[i][j] * factor)

    return vec(n, column)


def _attempt(
    problem: _Problem,
    x0: Any,
    r0: Any,
    tolerance: Any,
    most_rounds: Any,
    forgetting: Any,
    width: Any,
    bent: Any,
) -> Any:
    """Rounds from x0 until one of them sets the status."""
    n = problem.n

    def is_running(carry: Any) -> Any:
        return carry["status"] == RUNNING

    def one_round(carry: Any) -> Any:
        return _round(problem, carry, tolerance, most_rounds, forgetting, width, bent)

    begin = {
        "x": x0, "r": r0, "cost": 0.5 * squares(r0), "scales": vec(n, lambda _: 0.0), "radius": 0.0,
        "damping": 0.0, "settled": False, "offset": maths.inf, "best": x0, "polishing": False,
        "sure": 0.0, "status": RUNNING, "nit": 0.0, "nfev": 0.0,
    }  # fmt: skip
    end = while_loop(is_running, one_round, begin)
    return {**end, "x": end["best"]}


def _round(
    problem: _Problem,
    carry: Any,
    tolerance: Any,
    most_rounds: Any,
    forgetting: Any,
    width: Any,
    bent: Any,
) -> Any:
    n = problem.n
    x, r, cost = carry["x"], carry["r"], carry["cost"]
    _, jacobian = problem.value_and_jacobian(x)
    m = len(r)
    norms = _norms(jacobian)
    gradient = vec(n, lambda j: sum_(m, lambda i: jacobian[i][j] * r[i]))
    free = problem.free(x, gradient)
    old = carry["scales"]

    def scale(j: Any) -> Any:
        largest = maths.maximum(forgetting * old[j], norms[j])
        return select(largest > 0.0, largest, select(old[j] > 0.0, old[j], 1.0))

    scales = vec(n, scale)
    size = maths.sqrt(squares(r))

    def moves(j: Any) -> Any:
        """Whether parameter j takes part in this round: one without influence would only shorten the step."""
        return select(norms[j] * maths.maximum(abs(x[j]), 1.0) > NEGLIGIBLE * size, free[j], 0.0)

    columns, R, c = factorised(_scaled_columns(jacobian, scales, vec(n, moves)), r)
    offset = select(size > 0.0, maths.sqrt(squares(c)) / select(size > 0.0, size, 1.0), 0.0)
    length = maths.sqrt(sum_(n, lambda j: (scales[j] * x[j]) * (scales[j] * x[j])))
    first_radius = maths.maximum(width * select(length > 0.0, length, 1.0), cauchy_length(R, c))
    radius = select(carry["radius"] > 0.0, carry["radius"], first_radius)
    is_finite = all_finite(norms) & all_finite(gradient)
    ends_polish = carry["polishing"] & ~(offset < 0.5 * carry["offset"])
    improves = ~carry["polishing"] | (offset < carry["offset"])
    best = select(improves, x, carry["best"])
    best_offset = select(improves, offset, carry["offset"])
    has_full_rank = _independent(R, norms, scales, free) > 0.5
    done = ends_polish | (offset <= tolerance)
    status = select(
        ~is_finite, NOT_FINITE,
        select(done, CONVERGED, select(carry["nit"] >= most_rounds, EXHAUSTED, RUNNING)),
    )  # fmt: skip

    def stop() -> Any:
        return {
            **carry, "best": best, "offset": best_offset, "scales": scales, "status": status,
            "sure": select(has_full_rank & (status == CONVERGED), 1.0, 0.0),
        }  # fmt: skip

    def go() -> Any:
        usable, newton, newton_decrease = cond(
            (carry["settled"] | (offset <= NEAR)) & has_full_rank,
            lambda: newton_step(n)(problem.curvature(x, r), R, c, scales, radius),
            lambda: (False, vec(n, lambda _: 0.0), 0.0),
        )
        reach = maths.sqrt(sum_(n, lambda j: (norms[j] * x[j]) * (norms[j] * x[j])))
        rounding = ROUNDING * cost + NOISE * reach * size
        at = _Place(problem, x, cost, columns, R, c, scales, free, rounding)
        trial = _first_that_decreases(
            at, radius, carry["damping"], usable, newton, newton_decrease, bent,
        )  # fmt: skip
        moved = trial["accepted"]
        stays = select(offset <= OFFSET, CONVERGED, STUCK)
        decrease = cost - trial["cost"]
        goes_on = (trial["damping"] > 0.0) & (offset > OFFSET)
        small = moved & (trial["predicted"] <= TINY * cost) & ~trial["polishing"] & ~goes_on
        after = select(~moved, stays, select(small, CONVERGED, RUNNING))
        return {
            "x": trial["x"], "r": trial["r"], "cost": trial["cost"], "scales": scales,
            "radius": trial["radius"], "damping": trial["damping"],
            "settled": decrease <= SETTLED * cost,
            "offset": best_offset, "best": select(moved & ~trial["polishing"], trial["x"], best),
            "polishing": trial["polishing"],
            "sure": select(has_full_rank & ((best_offset <= OFFSET) | ~moved), 1.0, 0.0),
            "status": after, "nit": carry["nit"] + 1.0, "nfev": carry["nfev"] + trial["nfev"],
        }  # fmt: skip

    return cond(status != RUNNING, stop, go)


TINY: Final = 1e-15
"""A step whose predicted decrease of the cost is a smaller part of it is the last one."""


def _independent(R: Any, norms: Any, scales: Any, free: Any) -> Any:
    """1 if the free columns of the Jacobian are independent, else 0."""
    n = len(scales)

    def depends(j: Any) -> Any:
        is_small = ~(R[j][j] > RANK * norms[j] / scales[j])
        return select((free[j] > 0.0) & is_small, 1.0, 0.0)

    return select(sum_(n, depends) == 0.0, 1.0, 0.0)


class _Place:
    """All that a step needs to know about the point where it begins."""

    def __init__(
        self, problem: _Problem, x: Any, cost: Any, columns: Any, R: Any, c: Any, scales: Any, free: Any,
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


def _accelerated(at: _Place, step: Any) -> tuple[Any, Any]:
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


def _first_that_decreases(
    at: _Place,
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


def _final(problem: _Problem, x: Any, r: Any, jacobian: Any) -> Any:
    """The gradient, the inverse of JᵀJ for the parameters that may vary, and whether they are independent.

    Equal bounds hold a parameter. Its row and its column of the inverse are 0.
    """
    n, m = problem.n, len(r)
    gradient = vec(n, lambda j: sum_(m, lambda i: jacobian[i][j] * r[i]))
    free = problem.free(x, gradient)
    norms = _norms(jacobian)
    scales = vec(n, lambda j: select(norms[j] > 0.0, norms[j], 1.0))
    varied = vec(n, lambda j: select(problem.lower[j] < problem.upper[j], 1.0, 0.0))
    _, R, _ = factorised(_scaled_columns(jacobian, scales, varied), r)
    independent = _independent(R, norms, scales, varied)
    # row k of R⁻ᵀ is R⁻ᵀ·e_k
    rows = vec(n, lambda j: forward_substituted(R, vec(n, lambda k: select(j == k, 1.0, 0.0))))

    def covariance(j: Any, k: Any) -> Any:
        return dot(rows[j], rows[k]) / (scales[j] * scales[k])

    return {
        "gradient": gradient,
        "optimality": _largest(vec(n, lambda j: abs(free[j] * gradient[j]))),
        "inverse": vec(n, lambda j: vec(n, lambda k: covariance(j, k))),
        "independent": independent,
    }


def _largest(v: Any) -> Any:
    n = len(v)
    return fori_loop(0, n, lambda j, most: maths.maximum(most, v[j]), 0.0) if n else 0.0
