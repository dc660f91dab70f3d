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

NEGLIGIBLE: Final = 1e-30
"""A parameter waits while its column of J, times its value or 1, is a smaller part of the residuals."""


def levenberg_marquardt(
    residuals: Residuals, x0: Any, data: tuple[Any, ...], lower: Any, upper: Any, tolerance: Any,
    most_rounds: Any,
) -> Any:  # fmt: skip
    """The least sum of the squares of residuals from x0 with lower ≤ x ≤ upper, within a trace.

    data: further arguments of the residuals.

    The first attempt forgets old scales and begins with a large trust region. If it ends without success, or
    where the columns of the Jacobian depend on each other, a second one begins again with Moré's scales and a
    small trust region. A third one is Moré's method without acceleration. The best end counts.
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
        **final(problem, end["x"], r, jacobian),
    }


ATTEMPTS: Final = 3.0
FEWEST_ROUNDS: Final = 200.0
"""No attempt has to stop before so many rounds so that others have their share."""

FORGETTING, WIDE, NARROW = 0.5, 100.0, 1.0
"""How much of a scale is left after a round; the radius of the first trust region, relative to ‖D·x‖."""


def _attempt(
    problem: LeastSquares,
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
    problem: LeastSquares,
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
    norms = norms_of(jacobian)
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

    columns, R, c = factorised(scaled_columns(jacobian, scales, vec(n, moves)), r)
    offset = select(size > 0.0, maths.sqrt(squares(c)) / select(size > 0.0, size, 1.0), 0.0)
    length = maths.sqrt(sum_(n, lambda j: (scales[j] * x[j]) * (scales[j] * x[j])))
    first_radius = maths.maximum(width * select(length > 0.0, length, 1.0), cauchy_length(R, c))
    radius = select(carry["radius"] > 0.0, carry["radius"], first_radius)
    is_finite = all_finite(norms) & all_finite(gradient)
    ends_polish = carry["polishing"] & ~(offset < 0.5 * carry["offset"])
    improves = ~carry["polishing"] | (offset < carry["offset"])
    best = select(improves, x, carry["best"])
    best_offset = select(improves, offset, carry["offset"])
    has_full_rank = independent(R, norms, scales, free) > 0.5
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
        at = Place(problem, x, cost, columns, R, c, scales, free, rounding)
        trial = first_that_decreases(
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
