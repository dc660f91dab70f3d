"""Steps for least squares in a trust region, computed from the factors of the scaled Jacobian.

Each kind of step is an fn that is traced once for each number of parameters. The solvers' programs call the
fn, so its loops are optimised separately.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.functions.policies import checkpoint
from eglantine.plain.symbolic import current
from eglantine.trace import maths
from eglantine.trace.choices import cond, select
from eglantine.trace.loops import while_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin, Real, vec_type

from .triangles import (
    all_finite,
    back_substituted,
    cholesky_solved,
    factorised,
    forward_substituted,
    squares,
)


def cauchy_length(R: Any, c: Any) -> Any:
    """Return the length of the steepest descent step that minimises the cost of the linear model."""
    n = len(c)
    slopes = vec(n, lambda j: sum_(n, lambda k: R[k][j] * c[k]))
    along = squares(vec(n, lambda k: sum_(n, lambda j: R[k][j] * slopes[j])))
    square = squares(slopes)
    return select(along > 0.0, square * maths.sqrt(square) / select(along > 0.0, along, 1.0), 0.0)


@cache
def newton_step(n: int) -> Fn:
    """Make the fn (S, R, c, scales, radius) → (usable, z, decrease), where z is Newton's step.

    Newton's equation is (RᵀR + S) z = −Rᵀc. With z = R⁻¹u it becomes (1 + R⁻ᵀ·S·R⁻¹) u = −c, so the
    condition number of R is not squared. The step is usable if 1 + R⁻ᵀ·S·R⁻¹ is positive definite. A step
    that is longer than twice the radius is shortened to twice the radius.
    S: the sum of residual · (Hessian of the residual), in the units of the parameters.
    decrease: the amount by which the step decreases the quadratic model.
    """

    def step(S: Any, R: Any, c: Any, scales: Any, radius: Any) -> Any:
        scaled = vec(n, lambda j: vec(n, lambda k: S[j][k] / (scales[j] * scales[k])))
        half = vec(n, lambda j: forward_substituted(R, scaled[j]))  # row j: R⁻ᵀ·S·e_j
        whole = vec(n, lambda k: forward_substituted(R, vec(n, lambda j: half[j][k])))

        def element(j: Any, k: Any) -> Any:
            return 0.5 * (whole[j][k] + whole[k][j]) + select(j == k, 1.0, 0.0)

        M = vec(n, lambda j: vec(n, lambda k: element(j, k)))
        definite, u = cholesky_solved(M, vec(n, lambda k: -c[k]))
        z = back_substituted(R, u)
        decrease = -0.5 * dot(u, c)
        usable = definite & (decrease > 0.0) & all_finite(z)
        size = maths.sqrt(squares(z))
        part = maths.minimum(1.0, 2.0 * radius / select(size > 0.0, size, 1.0))
        return usable, vec(n, lambda j: part * z[j]), decrease * part * (2.0 - part)

    square, line = vec_type((n, n), Real), vec_type((n,), Real)
    return _function(step, [square, square, line, line, Real])


@cache
def levenberg_step(n: int) -> Fn:
    """Make the fn (R, c, radius, λ) → {z, λ, T, U}. The step's length ‖z‖ is within 10 % of the radius.

    The argument λ is a first guess. The step is computed from the factors [R; √λ] = [T; …]·U. If the minimum
    of the linear model lies inside the radius, z is the step to this minimum, λ is 0, T is 1 and U is R.

    Source: Moré (1978), algorithm 5.5, with the scales already in R.
    """

    def step(R: Any, c: Any, radius: Any, damping: Any) -> Any:
        z = back_substituted(R, vec(n, lambda k: -c[k]))
        identity = vec(n, lambda i: vec(n, lambda j: select(i == j, 1.0, 0.0)))
        full = {"z": z, "T": identity, "U": R, "damping": 0.0}
        return cond(
            maths.sqrt(squares(z)) <= 1.1 * radius, lambda: full, lambda: _shortened(full, c, radius, damping)
        )

    square, line = vec_type((n, n), Real), vec_type((n,), Real)
    return _function(step, [square, line, Real, Real])


def _shortened(full: Any, c: Any, radius: Any, damping: Any) -> Any:
    n, R = len(c), full["U"]
    slopes = vec(n, lambda j: sum_(n, lambda k: R[k][j] * c[k]))

    def is_off(carry: Any) -> Any:
        return (carry["round"] < MOST_ROUNDS) & (abs(carry["excess"]) > 0.1 * radius)

    def again(carry: Any) -> Any:
        guess, low, high = carry["next"], carry["low"], carry["high"]
        inside = (guess >= low) & (guess <= high) & (guess > 0.0)
        value = select(inside, guess, maths.maximum(0.001 * high, maths.sqrt(low * high)))
        z, T, U = _damped(R, c, value)
        size = maths.sqrt(squares(z))
        excess = size - radius
        w = forward_substituted(U, vec(n, lambda j: z[j] / size))
        change = (excess / radius) / squares(w)
        return {
            "z": z, "T": T, "U": U, "damping": value, "excess": excess, "next": value + change,
            "low": select(excess > 0.0, maths.maximum(low, value), low),
            "high": select(excess < 0.0, maths.minimum(high, value), high),
            "round": carry["round"] + 1.0,
        }  # fmt: skip

    start = {
        **full, "excess": maths.inf, "next": damping, "low": 0.0,
        "high": maths.sqrt(squares(slopes)) / radius, "round": 0.0,
    }  # fmt: skip
    end = while_loop(is_off, again, start)
    return {name: end[name] for name in full}


MOST_ROUNDS = 10.0
"""The largest number of values of λ that we try for one step. MINPACK uses the same number."""


def _damped(R: Any, c: Any, damping: Any) -> tuple[Any, Any, Any]:
    """Compute the step for a λ above 0. Return the step and its factors T and U."""
    n = len(c)
    root = maths.sqrt(damping)

    def column(j: Any) -> Any:
        def element(i: Any) -> Any:
            upper = R[Fin(n)(select(i < n, i, 0))][j]
            return select(i < n, upper, select(i - n == j, root, 0.0))

        return vec(2 * n, element)

    def right(i: Any) -> Any:
        return select(i < n, c[Fin(n)(select(i < n, i, 0))], 0.0)

    orthogonal, U, d = factorised(vec(n, column), vec(2 * n, right))
    z = back_substituted(U, vec(n, lambda k: -d[k]))
    return z, vec(n, lambda k: vec(n, lambda i: orthogonal[k][i])), U


def _function(f: Any, types: list[Any]) -> Fn:
    """Make an fn that is never inlined. We trace it on its own, so all programs may call it."""
    token = current.set(None)
    try:
        return checkpoint(make_fn(types)(f))  # type: ignore[no-any-return]
    finally:
        current.reset(token)
