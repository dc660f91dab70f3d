"""Newton's method in a trust region. It uses the exact Hessian, or products of the Hessian with vectors.

* The step with the Hessian: Moré and Sorensen, "Computing a trust region step" (1983).
* The step with products: Steihaug, "The conjugate gradient method and trust regions in large scale
  optimization" (1983), with the forcing sequence of Dembo and Steihaug (1983).
* The radius: Nocedal and Wright, "Numerical Optimization", 2nd edition (2006), algorithm 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.sums import sum_, vec

from .problems import Problem, State, all_equal, is_finite, length, product
from .statuses import NOT_FINITE, RUNNING, STUCK
from .triangles import back_substituted, cholesky, forward_substituted

ACCEPTED: Final = 1e-4
"""The least ratio of the actual to the predicted decrease for which we accept a step."""
BAD: Final = 0.25
GOOD: Final = 0.75
"""Two limits of the actual decrease, as fractions of the predicted decrease.

Below BAD the region shrinks, and above GOOD it may grow.
"""
ROUNDING: Final = 1e-12
"""The largest decrease of f that rounding errors may hide, as a fraction of |f|.

If a step is predicted to decrease f by no more, we accept it if it makes the gradient shorter.
"""
CLOSE: Final = 0.1
"""The largest error in the length of a step to the border, as a fraction of the region's radius."""
MOST_SHIFTS: Final = 40.0
WIDEST: Final = 1e10


@dataclass(frozen=True)
class TrustRegion:
    """Newton's method with steps inside a trust region, a ball around x where we trust the quadratic model.

    The region grows when the model predicts well, and shrinks when it predicts badly.
    """

    radius: float = 1.0

    def begin(self, problem: Problem, at: State) -> State:  # noqa: ARG002
        """The method's own numbers at the start."""
        return {"radius": self.radius}

    def step(self, problem: Problem, s: State) -> State:
        """One iteration."""
        x, f, g, radius = s["x"], s["fun"], s["jac"], s["radius"]
        p, predicted = self.step_within(problem, x, g, radius)
        at = x + p
        value, gradient = problem.at(at)
        finite = is_finite(value) & is_finite(product(gradient, gradient))
        ratio = (f - value) / select(predicted > 0.0, predicted, 1.0)
        tiny = predicted <= ROUNDING * maths.maximum(abs(f), 1e-300)
        calmer = tiny & (value <= f + ROUNDING * abs(f)) & (product(gradient, gradient) < product(g, g))
        accepted = finite & ((ratio > ACCEPTED) & (value < f) | calmer)
        reach = length(p)
        shrunk = ~finite | ((ratio < BAD) & ~calmer)
        grown = (ratio > GOOD) & (reach >= (1.0 - CLOSE) * radius)
        new_radius = select(shrunk, BAD * reach, select(grown, maths.minimum(2.0 * radius, WIDEST), radius))
        still = ~accepted & (all_equal(at, x) | ~(predicted > 0.0))
        return {
            "x": select(accepted, at, x), "fun": select(accepted, value, f),
            "jac": select(accepted, gradient, g),
            "nfev": s["nfev"] + 1.0, "radius": new_radius,
            "status": select(still, select(finite, STUCK, NOT_FINITE), RUNNING),
        }  # fmt: skip

    def step_within(self, problem: Problem, x: Any, g: Any, radius: Any) -> tuple[Any, Any]:
        """Return a step of at most this radius, and the decrease that the model predicts for it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Newton(TrustRegion):
    """Newton's method with the exact Hessian."""

    def step_within(self, problem: Problem, x: Any, g: Any, radius: Any) -> tuple[Any, Any]:
        """Compute Moré and Sorensen's step: (H + λ) p = −g, with the least λ for which ‖p‖ ≤ radius."""
        n, h = problem.n, problem.hessian(x)
        norm = maths.sqrt(sum_(n, lambda i: product(h[i], h[i])))
        steep = length(g) / radius
        lowest = fori_loop(0, n, lambda i, low: maths.maximum(low, -h[i][i]), 0.0)

        def shifted(shift: Any) -> Any:
            return vec(n, lambda i: vec(n, lambda j: select(i == j, h[i][j] + shift, h[i][j])))

        def body(s: State) -> State:
            shift = s["shift"]
            definite, u = cholesky(shifted(shift))
            p = -back_substituted(u, forward_substituted(u, g))
            reach = length(p)
            inside = reach <= radius
            fits = definite & ((inside & (shift == 0.0)) | (abs(reach - radius) <= CLOSE * radius))
            low = select(definite & inside, s["low"], maths.maximum(s["low"], shift))
            high = select(definite & inside, maths.minimum(s["high"], shift), s["high"])
            q = forward_substituted(u, p)
            newton = shift + product(p, p) / product(q, q) * (reach - radius) / radius
            usable = definite & (newton > low) & (newton < high)
            middle = maths.maximum(maths.sqrt(low * high), low + 0.01 * (high - low))
            narrow = high - low <= 1e-14 * maths.maximum(high, 1e-300)
            tried = s["tried"] + 1.0
            return {
                "shift": select(usable, newton, middle), "low": low, "high": high, "tried": tried,
                "p": select(definite & (inside | fits), p, s["p"]),
                "over": fits | narrow | (tried >= MOST_SHIFTS),
            }  # fmt: skip

        end = while_loop(
            lambda s: ~s["over"],
            body,
            {
                "shift": select(lowest > 0.0, lowest, 0.0),
                "low": maths.maximum(lowest, maths.maximum(0.0, steep - norm)), "high": steep + norm,
                "tried": 0.0, "p": -(radius / maths.maximum(length(g), 1e-300)) * g * 0.5, "over": False,
            },
        )  # fmt: skip
        p = end["p"]
        predicted = -(product(g, p) + 0.5 * sum_(n, lambda i: p[i] * product(h[i], p)))
        return p, predicted


@dataclass(frozen=True)
class NewtonCG(TrustRegion):
    """Newton's method with conjugate gradients. It only needs products of the Hessian with vectors."""

    def step_within(self, problem: Problem, x: Any, g: Any, radius: Any) -> tuple[Any, Any]:
        """Compute Steihaug's step. It ends at the border of the region, or when the curvature is negative."""
        n, norm = problem.n, length(g)
        wanted = maths.minimum(0.5, maths.sqrt(norm)) * norm

        def body(s: State) -> State:
            z, r, d = s["z"], s["r"], s["d"]
            hd = problem.hessian_times(x, d)
            curvature, rr = product(d, hd), product(r, r)
            alpha = rr / curvature
            ahead = z + alpha * d
            leaves = ~(curvature > 0.0) | ~(length(ahead) < radius)
            tau = _to_border(z, d, radius)
            new_z = select(leaves, z + tau * d, ahead)
            new_r = r + select(leaves, tau, alpha) * hd
            new_rr = product(new_r, new_r)
            rounds = s["rounds"] + 1.0
            return {
                "z": new_z, "r": new_r, "d": (new_rr / rr) * d - new_r, "rounds": rounds,
                "over": leaves | (maths.sqrt(new_rr) <= wanted) | (rounds >= 2.0 * n),
            }  # fmt: skip

        zeros = vec(n, lambda _: 0.0)
        end = while_loop(
            lambda s: ~s["over"], body,
            {"z": zeros, "r": g, "d": -g, "rounds": 0.0, "over": ~(norm > 0.0)},
        )  # fmt: skip
        p = end["z"]  # H·p = r − g
        return p, -0.5 * (product(g, p) + product(end["r"], p))


def _to_border(z: Any, d: Any, radius: Any) -> Any:
    """Return the τ ≥ 0 with ‖z + τ·d‖ = radius. The point z is inside the region."""
    a, b, c = product(d, d), product(z, d), product(z, z) - radius * radius
    return (maths.sqrt(maths.maximum(b * b - a * c, 0.0)) - b) / a
