"""The Jacobian of residuals at a point. We scale its columns, check their rank, and compute (JᵀJ)⁻¹."""

from __future__ import annotations

from typing import Any, Final

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import fori_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec

from .residuals import LeastSquares
from .triangles import factorised, forward_substituted

RANK: Final = 1e-11
"""A limit for the pivots R[j][j] of a Jacobian, as fractions of the columns' lengths.

The columns count as linearly independent if R[j][j] / (length of column j) exceeds this limit for all j.
"""


def norms_of(jacobian: Any) -> Any:
    """The lengths of the columns of J."""
    m, n = len(jacobian), len(jacobian[0])
    return vec(n, lambda j: maths.sqrt(sum_(m, lambda i: jacobian[i][j] * jacobian[i][j])))


def scaled_columns(jacobian: Any, scales: Any, free: Any) -> Any:
    """Divide each column of the Jacobian by its scale. Columns of parameters that are not free become 0."""
    m, n = len(jacobian), len(scales)

    def column(j: Any) -> Any:
        factor = select(free[j] > 0.0, 1.0 / scales[j], 0.0)
        return vec(m, lambda i: jacobian[i][j] * factor)

    return vec(n, column)


def independent(R: Any, norms: Any, scales: Any, free: Any) -> Any:
    """Return 1 if the Jacobian's columns for free parameters are linearly independent, else 0."""
    n = len(scales)

    def depends(j: Any) -> Any:
        is_small = ~(R[j][j] > RANK * norms[j] / scales[j])
        return select((free[j] > 0.0) & is_small, 1.0, 0.0)

    return select(sum_(n, depends) == 0.0, 1.0, 0.0)


def final(problem: LeastSquares, x: Any, r: Any, jacobian: Any) -> Any:
    """Compute the gradient, the inverse of JᵀJ, and a flag: 1 if the columns of J are independent, else 0.

    A parameter with equal bounds is constant. Its column of J is left out, and its row and column of the
    inverse are 0.
    """
    n, m = problem.n, len(r)
    gradient = vec(n, lambda j: sum_(m, lambda i: jacobian[i][j] * r[i]))
    free = problem.free(x, gradient)
    norms = norms_of(jacobian)
    scales = vec(n, lambda j: select(norms[j] > 0.0, norms[j], 1.0))
    varied = vec(n, lambda j: select(problem.lower[j] < problem.upper[j], 1.0, 0.0))
    _, R, _ = factorised(scaled_columns(jacobian, scales, varied), r)
    are_independent = independent(R, norms, scales, varied)
    # row k of R⁻ᵀ is R⁻ᵀ·e_k
    rows = vec(n, lambda j: forward_substituted(R, vec(n, lambda k: select(j == k, 1.0, 0.0))))

    def covariance(j: Any, k: Any) -> Any:
        return dot(rows[j], rows[k]) / (scales[j] * scales[k])

    return {
        "gradient": gradient,
        "optimality": _largest(vec(n, lambda j: abs(free[j] * gradient[j]))),
        "inverse": vec(n, lambda j: vec(n, lambda k: covariance(j, k))),
        "independent": are_independent,
    }


def _largest(v: Any) -> Any:
    n = len(v)
    return fori_loop(0, n, lambda j, most: maths.maximum(most, v[j]), 0.0) if n else 0.0
