"""GMM, Gaussian mixture model: the log-likelihood of points, with a Wishart prior on the precisions.

For N points x_i in d dimensions, and with lse(v) = ln Σ exp v,
F = −(N d/2) ln 2π + Σ_i lse_k(α_k + Σ_j q_kj − ½‖Q_k (x_i − μ_k)‖²) − N lse(α) + prior,
Q_k = diag(exp q_k) + L_k, where icf_k = [q_k, the strict lower triangle of L_k column by column].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

WRITTEN_OUT = 16
"""The largest number of dimensions for which products with a triangular matrix are written out term by term.
For more dimensions, they are computed in loops."""


@dataclass(frozen=True)
class Size:
    """A problem's size: d dimensions, k components, n points. gamma, m: parameters of the Wishart prior."""

    d: int
    k: int
    n: int
    gamma: float = 1.0
    m: int = 0

    @property
    def triangle(self) -> int:
        """Return the number of entries strictly below a matrix's diagonal."""
        return self.d * (self.d - 1) // 2

    @property
    def types(self) -> tuple[Any, Any, Any, Any]:
        """The types of α, μ, icf and x."""
        row = eg.Vec(self.d, eg.Real)
        factors = eg.Vec(self.d + self.triangle, eg.Real)
        return eg.Vec(self.k, eg.Real), eg.Vec(self.k, row), eg.Vec(self.k, factors), eg.Vec(self.n, row)


def objective(size: Size) -> eg.Fn:
    """The function (α, μ, icf, x) → F."""
    d, k, n = size.d, size.k, size.n

    def likelihood(alphas: Any, means: Any, icf: Any, x: Any) -> Any:
        exp_q = eg.vec(k, lambda c: eg.vec(d, lambda j: m.exp(icf[c][j])))
        log_det = eg.vec(k, lambda c: eg.sum(d, lambda j: icf[c][j]))

        def point(i: Any) -> Any:
            def component(c: Any) -> Any:
                return alphas[c] + log_det[c] - 0.5 * squared_norm(size, exp_q[c], icf[c], x[i], means[c])

            return log_sum_exp(eg.vec(k, component))

        constant = -n * d * 0.5 * math.log(2 * math.pi)
        return constant + eg.sum(n, point) - n * log_sum_exp(alphas) + prior(size, exp_q, log_det, icf)

    return eg.fn(list(size.types), eg.Real, names=("alphas", "means", "icf", "x"))(likelihood)


def derivative(size: Size) -> eg.Fn:
    """Make the function (α, μ, icf, x) → (F, (∂F/∂α, ∂F/∂μ, ∂F/∂icf))."""
    value_and_gradient: eg.Fn = eg.value_and_grad(objective(size), (0, 1, 2))
    return value_and_gradient


def squared_norm(size: Size, exp_q: Any, icf: Any, x: Any, mean: Any) -> Any:
    """Compute ‖Q (x − μ)‖². For more than WRITTEN_OUT dimensions, compute it in loops."""
    d, factors = size.d, size.d + size.triangle
    start = [d + c * (2 * d - c - 1) // 2 - c - 1 for c in range(d)]
    place = [[start[c] + r if c < r else 0 for c in range(d)] for r in range(d)]
    offset = [x[j] - mean[j] for j in range(d)] if d <= WRITTEN_OUT else eg.vec(d, lambda j: x[j] - mean[j])
    total = eg.sum
    if d <= WRITTEN_OUT:
        total = written_out
    else:
        place = eg.asarray(place, eg.Vec(d, eg.Vec(d, eg.Fin(factors))))

    def row(r: Any) -> Any:
        return exp_q[r] * offset[r] + total(r, lambda c: icf[place[r][c]] * offset[c])

    return total(d, lambda r: row(r) ** 2)


def written_out(n: int, f: Any) -> Any:
    """f(0) + … + f(n − 1) without a loop."""
    return sum((f(j) for j in range(n)), 0.0)


def log_sum_exp(v: Any) -> Any:
    """Compute ln Σ exp v. Subtract the largest entry of v first, so that exp does not overflow."""
    top = eg.fori_loop(0, len(v), lambda k, most: m.maximum(v[k], most), -m.inf)
    return top + m.log(eg.sum(len(v), lambda k: m.exp(v[k] - top)))


def prior(size: Size, exp_q: Any, log_det: Any, icf: Any) -> Any:
    """The logarithm of the Wishart prior."""
    d, triangle = size.d, size.triangle

    def component(c: Any) -> Any:
        diagonal = eg.sum(d, lambda j: exp_q[c][j] ** 2)
        below = eg.sum(triangle, lambda j: icf[c][j + d] ** 2)
        return 0.5 * size.gamma**2 * (diagonal + below) - size.m * log_det[c]

    freedom = d + size.m + 1
    scale = freedom * d * (math.log(size.gamma) - 0.5 * math.log(2))
    return eg.sum(size.k, component) - size.k * (scale - log_gamma(0.5 * freedom, d))


def log_gamma(a: float, d: int) -> float:
    """Return ln Γ_d(a), the logarithm of the multivariate gamma function."""
    terms = (math.lgamma(a + 0.5 * (1 - j)) for j in range(1, d + 1))
    return 0.25 * d * (d - 1) * math.log(math.pi) + sum(terms)
