"""Levenberg–Marquardt's method as an Eglantine program. It is one while loop, which becomes one kernel.

A round computes the Jacobian J of the residuals r, divides its columns by scales D, and factorises it: J·D⁻¹
= Q·R. In the scaled space a step z solves (RᵀR + λ) z = −Rᵀ·Qᵀr. We choose λ so that the length of z is the
radius of the trust region.

* Scales and trust region: Moré, "The Levenberg-Marquardt algorithm: implementation and theory" (1978).
* Geodesic acceleration: Transtrum and Sethna, "Improvements to the Levenberg-Marquardt algorithm for
  nonlinear least-squares minimization" (2012). It costs one second derivative along the step.
* When the cost changes little, a round first tries Newton's step with the exact Hessian JᵀJ + Σ rᵢ∇²rᵢ. The
  step is computed from R, so the condition of J is not squared.
* Convergence: Bates and Watts, "A relative offset orthogonality convergence criterion for nonlinear least
  squares" (1981). The offset is ‖Qᵀr‖ / ‖r‖, the cosine between r and the space of J's columns. It does not
  depend on the units of the parameters or of the residuals.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.loops import while_loop
from eglantine.trace.sums import sum_, vec

from .jacobian_at import final, independent, norms_of, scaled_columns
from .residuals import LeastSquares, Residuals
from .statuses import CONVERGED, EXHAUSTED, NOT_FINITE, RUNNING, STUCK
from .trials import Place, first_that_decreases
from .triangles import all_finite, factorised, squares
from .trust_region import cauchy_length, newton_step

BENT: Final = 0.75
"""The largest ratio 2·‖acceleration‖ / ‖step‖ of an accepted step, by Transtrum and Sethna."""

SETTLED: Final = 0.1
"""A fraction of the cost. If a step decreases the cost by no more, we try Newton's step next."""

NEAR: Final = 0.1
"""The largest offset at which we try Newton's step, even if the cost still decreases much."""

ROUNDING: Final = 1e-10
"""The largest change of the cost that may be a rounding error, as a fraction of the cost.

If Newton's step changes the cost by no more, the offset decides whether the step was good.
"""

NOISE: Final = 16 * 2.0**-52
"""The approximate size of the residuals' rounding errors, as a fraction of ‖J·x‖.

Residuals are small differences of numbers of about this size.
"""

OFFSET: Final = 1e-6
"""The largest offset of a point that counts as a minimum. The module's docstring defines the offset."""

NEGLIGIBLE: Final = 1e-30
"""The least influence on the residuals that a parameter p needs to be moved.

The influence is (length of p's column of J) · max(1, |p|) / ‖r‖.
"""


def levenberg_marquardt(
    residuals: Residuals, x0: Any, data: tuple[Any, ...], lower: Any, upper: Any, tolerance: Any,
    most_rounds: Any,
) -> Any:  # fmt: skip
    """Minimise the sum of the squares of residuals, with lower ≤ x ≤ upper. Call this while tracing.

    data: the arguments of `residuals` after x.

    We make up to three attempts and return the best result. The first attempt begins with a large trust
    region, and soon forgets the scales of earlier rounds. The second attempt uses Moré's scales and a small
    trust region. The third attempt is Moré's method without acceleration. An attempt is followed by the next
    one if it fails, or if the Jacobian's columns at its end are not linearly independent.
    """
    problem = LeastSquares(residuals, data, lower, upper, len(x0))
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
        r = cond(goes_on, lambda: problem.residuals(start), lambda: r0)
        settings = _Settings(
            tolerance, maths.minimum(share, most_rounds - carry["nit"]), select(first, FORGETTING, 1.0),
            select(first, WIDE, NARROW), select(last, maths.inf, BENT),
        )  # fmt: skip
        end = _attempt(problem, start, r, settings)
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
        **final(problem, end["x"], r, jacobian),
    }


ATTEMPTS: Final = 3.0
FEWEST_ROUNDS: Final = 200.0
"""A number of rounds. An attempt may take a third of `most_rounds`, or this number if it is larger."""

FORGETTING, WIDE, NARROW = 0.5, 100.0, 1.0
"""The factor by which a round reduces old scales. Two radii of first trust regions, as multiples of ‖D·x‖."""


TINY: Final = 1e-15
"""The largest predicted decrease, as a fraction of the cost, after which an attempt can end."""


class _Settings(NamedTuple):
    """The settings of one attempt.

    forgetting: each round multiplies the old scales by this factor.
    width: the radius of the first trust region, as a multiple of the length of the scaled x.
    bent: the largest allowed value of 2·(the acceleration's length) / (the step's length).
    """

    tolerance: Any
    most_rounds: Any
    forgetting: Any
    width: Any
    bent: Any


def _attempt(problem: LeastSquares, x0: Any, r0: Any, settings: _Settings) -> Any:
    """Do rounds from x0 until one of them sets the status."""
    begin = {
        "x": x0, "r": r0, "cost": 0.5 * squares(r0), "scales": vec(problem.n, lambda _: 0.0), "radius": 0.0,
        "damping": 0.0, "settled": False, "offset": maths.inf, "best": x0, "polishing": False,
        "sure": 0.0, "status": RUNNING, "nit": 0.0, "nfev": 0.0,
    }  # fmt: skip
    end = while_loop(
        lambda carry: carry["status"] == RUNNING, lambda carry: _round(problem, carry, settings), begin
    )
    return {**end, "x": end["best"]}


def _round(problem: LeastSquares, carry: Any, settings: _Settings) -> Any:
    """Take a step from the point carry["x"], or end the attempt there."""
    model = _linear_model(problem, carry, settings)
    verdict = _judged(carry, model, settings)

    def stop() -> Any:
        is_sure = verdict.has_full_rank & (verdict.status == CONVERGED)
        return {
            **carry, "best": verdict.best, "offset": verdict.offset, "scales": model.scales,
            "status": verdict.status, "sure": select(is_sure, 1.0, 0.0),
        }  # fmt: skip

    return cond(
        verdict.status != RUNNING, stop, lambda: _stepped(problem, carry, model, verdict, settings.bent)
    )


class _Model(NamedTuple):
    """The linear model of the residuals r at a point.

    norms: the lengths of the columns of the Jacobian J.
    free: a Vec with 1 for each parameter that no bound stops, and 0 for each other parameter.
    scales: the numbers by which we divide the columns of J. The result is the scaled Jacobian Q·R.
    columns: the columns of Q. R: an upper triangular matrix. c: Qᵀ·r. size: ‖r‖.
    offset: the cosine between r and the space of the columns of J.
    """

    norms: Any
    gradient: Any
    free: Any
    scales: Any
    size: Any
    columns: Any
    R: Any
    c: Any
    offset: Any
    radius: Any


def _linear_model(problem: LeastSquares, carry: Any, settings: _Settings) -> _Model:
    n = problem.n
    x, r = carry["x"], carry["r"]
    _, jacobian = problem.value_and_jacobian(x)
    m = len(r)
    norms = norms_of(jacobian)
    gradient = vec(n, lambda j: sum_(m, lambda i: jacobian[i][j] * r[i]))
    free = problem.free(x, gradient)
    old = carry["scales"]

    def scale(j: Any) -> Any:
        largest = maths.maximum(settings.forgetting * old[j], norms[j])
        return select(largest > 0.0, largest, select(old[j] > 0.0, old[j], 1.0))

    scales = vec(n, scale)
    size = maths.sqrt(squares(r))

    def moves(j: Any) -> Any:
        """Return 1 if parameter j may move, else 0. If its influence is negligible, it may not move."""
        return select(norms[j] * maths.maximum(abs(x[j]), 1.0) > NEGLIGIBLE * size, free[j], 0.0)

    columns, R, c = factorised(scaled_columns(jacobian, scales, vec(n, moves)), r)
    offset = select(size > 0.0, maths.sqrt(squares(c)) / select(size > 0.0, size, 1.0), 0.0)
    length = maths.sqrt(sum_(n, lambda j: (scales[j] * x[j]) * (scales[j] * x[j])))
    first_radius = maths.maximum(settings.width * select(length > 0.0, length, 1.0), cauchy_length(R, c))
    radius = select(carry["radius"] > 0.0, carry["radius"], first_radius)
    return _Model(norms, gradient, free, scales, size, columns, R, c, offset, radius)


class _Verdict(NamedTuple):
    """The results of the check that comes before each step.

    best: the best point that the attempt has found. offset: the offset at `best`.
    has_full_rank: true if the columns of the Jacobian are linearly independent.
    status: the status of the attempt. It is RUNNING if the attempt goes on.
    """

    best: Any
    offset: Any
    has_full_rank: Any
    status: Any


def _judged(carry: Any, model: _Model, settings: _Settings) -> _Verdict:
    """Decide from the model whether the attempt ends here."""
    offset = model.offset
    is_finite = all_finite(model.norms) & all_finite(model.gradient)
    ends_polish = carry["polishing"] & ~(offset < 0.5 * carry["offset"])
    improves = ~carry["polishing"] | (offset < carry["offset"])
    best = select(improves, carry["x"], carry["best"])
    best_offset = select(improves, offset, carry["offset"])
    has_full_rank = independent(model.R, model.norms, model.scales, model.free) > 0.5
    done = ends_polish | (offset <= settings.tolerance)
    status = select(
        ~is_finite, NOT_FINITE,
        select(done, CONVERGED, select(carry["nit"] >= settings.most_rounds, EXHAUSTED, RUNNING)),
    )  # fmt: skip
    return _Verdict(best, best_offset, has_full_rank, status)


def _stepped(problem: LeastSquares, carry: Any, model: _Model, verdict: _Verdict, bent: Any) -> Any:
    """Try steps until one decreases the cost or the attempt must end. Return the next carry of the loop."""
    n, offset = problem.n, model.offset
    x, cost, R, c, scales, norms = carry["x"], carry["cost"], model.R, model.c, model.scales, model.norms
    usable, newton, newton_decrease = cond(
        (carry["settled"] | (offset <= NEAR)) & verdict.has_full_rank,
        lambda: newton_step(n)(problem.curvature(x, carry["r"]), R, c, scales, model.radius),
        lambda: (False, vec(n, lambda _: 0.0), 0.0),
    )
    reach = maths.sqrt(sum_(n, lambda j: (norms[j] * x[j]) * (norms[j] * x[j])))
    rounding = ROUNDING * cost + NOISE * reach * model.size
    at = Place(problem, x, cost, model.columns, R, c, scales, model.free, rounding)
    trial = first_that_decreases(
        at, model.radius, carry["damping"], usable, newton, newton_decrease, bent
    )  # fmt: skip
    moved = trial["accepted"]
    stays = select(offset <= OFFSET, CONVERGED, STUCK)
    decrease = cost - trial["cost"]
    goes_on = (trial["damping"] > 0.0) & (offset > OFFSET)
    small = moved & (trial["predicted"] <= TINY * cost) & ~trial["polishing"] & ~goes_on
    after = select(~moved, stays, select(small, CONVERGED, RUNNING))
    is_sure = verdict.has_full_rank & ((verdict.offset <= OFFSET) | ~moved)
    return {
        "x": trial["x"], "r": trial["r"], "cost": trial["cost"], "scales": scales,
        "radius": trial["radius"], "damping": trial["damping"],
        "settled": decrease <= SETTLED * cost,
        "offset": verdict.offset, "best": select(moved & ~trial["polishing"], trial["x"], verdict.best),
        "polishing": trial["polishing"], "sure": select(is_sure, 1.0, 0.0),
        "status": after, "nit": carry["nit"] + 1.0, "nfev": carry["nfev"] + trial["nfev"],
    }  # fmt: skip
