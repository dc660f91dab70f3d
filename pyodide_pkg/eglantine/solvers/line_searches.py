"""Line searches. Each chooses the length of a step along a direction of descent.

Each search is a loop. Each round evaluates the function once.
* Strong Wolfe conditions by bracketing and cubic interpolation: Nocedal and Wright, "Numerical Optimization",
  2nd edition (2006), algorithms 3.5 and 3.6. Near a minimum, rounding errors hide the differences of values.
  There we use conditions on slopes: Hager and Zhang, "A new conjugate gradient method with guaranteed descent
  and an efficient line search" (2005).
* Weak Wolfe conditions by bisection: Burke, Lewis and Overton, "A robust gradient sampling algorithm" (2005).
* Backtracking: Armijo, "Minimization of functions having Lipschitz continuous first partial derivatives"
  (1966).

If the value at a trial point is not finite, the step was too long.
"""

from __future__ import annotations

from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import while_loop

from .problems import Problem, State, all_equal, is_finite, moved, product

DECREASE: Final = 1e-4
"""The least decrease in an accepted step, as a fraction of the decrease that the first slope predicts."""
CURVATURE: Final = 0.9
"""The largest |slope| at the end of an accepted step, as a fraction of the |slope| at its start."""
ROUNDING: Final = 1e-12
"""The largest difference between two values of f that may be a rounding error, as a fraction of |f|."""
EXPANSION: Final = 3.0
"""The ratio between a trial step and the one before, while the function still falls at the trial point."""
NEAREST: Final = 0.1
"""The least distance of an interpolated step from both ends of its interval, as a fraction of its length."""
SHRINKING: Final = 0.5
MOST_TRIALS: Final = 80.0

SEARCHING, FOUND, FAILED = 0.0, 1.0, 2.0


def strong_wolfe(problem: Problem, x: Any, f: Any, g: Any, d: Any, first: Any) -> State:
    """Find a step t for which x + t·d satisfies the strong Wolfe conditions.

    f, g: the value and the gradient at x. first: the first t to try.
    Returns a dict with `x`, `fun` and `jac` (the point that was found, its value and its gradient), `t` (the
    step), `trials` (the number of steps that were tried) and `finite` (true if the value and the slope were
    finite at one or more trial points). If no t satisfies the conditions, the dict describes the lowest point
    that was found. If no point is lower than x, `t` is 0.
    """
    slope = product(g, d)

    def body(s: State) -> State:
        t = s["t"]
        at = moved(x, t, d)
        value, gradient = problem.at(at)
        along = product(gradient, d)
        finite = is_finite(value) & is_finite(along)
        armijo = value <= f + DECREASE * t * slope
        nearly = (value <= f + ROUNDING * abs(f)) & (along <= (2.0 * DECREASE - 1.0) * slope)
        low_t, low_f, low_d = s["low_t"], s["low_f"], s["low_d"]
        too_far = ~(finite & (armijo | nearly)) | ((value >= low_f) & (low_t > 0.0) & ~nearly)
        accepted = ~too_far & (abs(along) <= CURVATURE * abs(slope))
        turned = ~too_far & (
            (s["high_t"] == maths.inf) & (along >= 0.0) | (along * (s["high_t"] - low_t) > 0.0)
        )
        high_t = select(too_far, t, select(turned, low_t, s["high_t"]))
        high_f = select(too_far, value, select(turned, low_f, s["high_f"]))
        high_d = select(too_far, along, select(turned, low_d, s["high_d"]))
        new_t = select(too_far, low_t, t)
        new_f = select(too_far, low_f, value)
        new_d = select(too_far, low_d, along)
        after = select(
            high_t == maths.inf, EXPANSION * t, _interpolated(new_t, new_f, new_d, high_t, high_f, high_d)
        )
        over = all_equal(at, x) | (s["trials"] + 1.0 >= MOST_TRIALS) | (after == new_t) | (after == high_t)
        return {
            "t": after,
            "low_t": new_t, "low_f": new_f, "low_d": new_d,
            "x": select(too_far, s["x"], at), "jac": select(too_far, s["jac"], gradient),
            "high_t": high_t, "high_f": high_f, "high_d": high_d,
            "trials": s["trials"] + 1.0,
            "finite": s["finite"] | finite,
            "state": select(accepted, FOUND, select(over, FAILED, SEARCHING)),
        }  # fmt: skip

    end = while_loop(
        lambda s: s["state"] == SEARCHING,
        body,
        {
            "t": first, "low_t": 0.0, "low_f": f, "low_d": slope, "x": x, "jac": g, "high_t": maths.inf,
            "high_f": 0.0, "high_d": 0.0, "trials": 0.0, "finite": False, "state": SEARCHING,
        },
    )  # fmt: skip
    found = (end["state"] == FOUND) | (end["low_f"] < f)  # even a failed search may have found a lower point
    return {
        "x": select(found, end["x"], x), "fun": select(found, end["low_f"], f),
        "jac": select(found, end["jac"], g), "t": select(found, end["low_t"], 0.0),
        "trials": end["trials"], "finite": end["finite"],
    }  # fmt: skip


def _interpolated(a: Any, fa: Any, da: Any, b: Any, fb: Any, db: Any) -> Any:
    """Return the minimum of the cubic with values fa, fb and slopes da, db at a and b.

    If the minimum is outside of a … b or too near an end, return the middle. If fb or db is not finite,
    return a point near a.

    Source: Nocedal and Wright, equation 3.59.
    """
    p = da + db - 3.0 * (fa - fb) / (a - b)
    square = p * p - da * db
    q = maths.copysign(maths.sqrt(maths.maximum(square, 0.0)), b - a)
    part = 1.0 - (db + q - p) / (db - da + 2.0 * q)
    usable = (square >= 0.0) & (part >= NEAREST) & (part <= 1.0 - NEAREST)
    finite = is_finite(fb) & is_finite(db)
    return a + select(finite, select(usable, part, SHRINKING), NEAREST) * (b - a)


def backtracking(problem: Problem, x: Any, f: Any, g: Any, d: Any, first: Any) -> State:
    """Try the steps first, first/2, first/4, … until one decreases f enough. Clip points to the bounds.

    Return the same fields as `strong_wolfe`.
    """

    def body(s: State) -> State:
        at = problem.inside(moved(x, s["t"], d))
        value, gradient = problem.at(at)
        predicted = product(g, at - x)
        enough = value <= f + DECREASE * predicted
        nearly = (value <= f + ROUNDING * abs(f)) & (
            product(gradient, at - x) <= (2.0 * DECREASE - 1.0) * predicted
        )
        good = is_finite(value) & (enough | nearly) & ~all_equal(at, x)
        over = all_equal(at, x) | (s["trials"] + 1.0 >= MOST_TRIALS)
        return {
            "t": select(good, s["t"], SHRINKING * s["t"]),
            "x": select(good, at, x), "fun": select(good, value, f), "jac": select(good, gradient, g),
            "trials": s["trials"] + 1.0, "finite": s["finite"] | is_finite(value),
            "state": select(good, FOUND, select(over, FAILED, SEARCHING)),
        }  # fmt: skip

    end = while_loop(
        lambda s: s["state"] == SEARCHING,
        body,
        {"t": first, "x": x, "fun": f, "jac": g, "trials": 0.0, "finite": False, "state": SEARCHING},
    )
    found = end["state"] == FOUND
    return {
        **{name: end[name] for name in ("x", "fun", "jac", "trials", "finite")},
        "t": select(found, end["t"], 0.0),
    }
