"""Programs of linear algebra. Some use `np.linalg`, and others contain their own algorithms."""

from __future__ import annotations

from typing import Any

from .program import Drawn, program


def page_rank(np: Any, links: Any, damping: Any) -> Any:
    """The ranks of pages after twenty rounds."""
    stochastic = links / np.sum(links, axis=0)
    n = links.shape[0]
    ranks = np.full((n,), 1 / n)
    for _ in range(20):
        ranks = damping * stochastic @ ranks + (1 - damping) / n
    return ranks


def gauss_jordan(np: Any, a: Any, b: Any) -> Any:
    """Solve a linear system by Gauss–Jordan elimination."""
    n = len(b)
    m = np.column_stack([a + 4 * np.eye(n), b])
    rows = np.arange(n)[:, None]
    for k in range(n):
        pivot = m[k] / m[k, k]
        m = np.where(rows == k, pivot, m - np.outer(m[:, k], pivot))
    return m[:, -1]


def lu_factors(np: Any, a: Any) -> Any:
    """Compute the LU factors of a matrix. Also return the difference between det U and det(LU)."""
    n = a.shape[0]
    u, lower = a + 4.0 * np.eye(n), np.eye(n)
    for k in range(n - 1):
        below = np.where(np.arange(n) > k, u[:, k] / u[k, k], 0.0)
        u = u - np.outer(below, u[k])
        lower = lower + np.outer(below, np.eye(n)[k])
    return lower, np.triu(u), np.prod(np.diag(u)) - np.linalg.det(lower @ u)


def cholesky_solve(np: Any, a: Any, b: Any) -> Any:
    """Solve a positive definite system by Cholesky factors. Also return the logarithm of the determinant."""
    factor = np.linalg.cholesky(a @ a.T + np.eye(len(b)))
    n, y = len(b), []
    for i in range(n):
        known = sum(factor[i, j] * y[j] for j in range(i))
        y.append((b[i] - known) / factor[i, i])
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (y[i] - sum(factor[j, i] * x[j] for j in range(i + 1, n))) / factor[i, i]
    return np.array(x), 2 * np.sum(np.log(np.diagonal(factor)))


def qr_least_squares(np: Any, x: Any, y: Any) -> Any:
    """Fit a line by QR factors. Also return the norm of the residuals."""
    q, r = np.linalg.qr(np.column_stack((np.ones(len(y)), x)))
    w = np.linalg.solve(r, q.T @ y)
    return w, np.linalg.norm(y - q @ (r @ w))


def power_iteration(np: Any, a: Any) -> Any:
    """Compute the largest eigenvalue of a positive matrix, and its eigenvector."""
    v = np.ones(a.shape[0])
    for _ in range(25):
        v = a @ v
        v = v / np.sqrt(np.dot(v, v))
    return v @ a @ v, v


def conjugate_gradients(np: Any, a: Any, b: Any) -> Any:
    """Solve n equations approximately by n − 1 steps of conjugate gradients. Also return the residual."""
    m = a.T @ a + np.eye(len(b))
    x = np.zeros_like(b)
    r = b - m @ x
    p = r
    for _ in range(len(b) - 1):
        along = m @ p
        alpha = r @ r / (p @ along)
        x, after = x + alpha * p, r - alpha * along
        p = after + (after @ after) / (r @ r) * p
        r = after
    return x, r


def low_rank(np: Any, a: Any) -> Any:
    """Approximate a matrix by a matrix of rank two. Also return the share of explained variance."""
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return (u[:, :2] * s[:2]) @ vt[:2], np.sum(s[:2] ** 2) / np.sum(s**2)


def rotations(np: Any, angles: Any, point: Any) -> Any:
    """Rotate a point about three axes. Also return its polar angle, and the last rotation cubed."""
    for k, angle in enumerate(angles):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        turn = np.roll(np.roll(turn, k, axis=0), k, axis=1)
        point = turn @ point
    return point, np.degrees(np.arctan2(point[1], point[0])), np.linalg.matrix_power(turn, 3)


PROGRAMS = {
    "PageRank": program(page_rank, Drawn((5, 5), 0.1, 1.0), Drawn((), 0.7, 0.9)),
    "Gauss–Jordan": program(gauss_jordan, Drawn((4, 4)), Drawn((4,))),
    "LU": program(lu_factors, Drawn((4, 4))),
    "Cholesky solve": program(cholesky_solve, Drawn((4, 4)), Drawn((4,))),
    "QR least squares": program(qr_least_squares, Drawn((6, 2)), Drawn((6,))),
    "power iteration": program(power_iteration, Drawn((4, 4), 0.1, 1.0)),
    "conjugate gradients": program(conjugate_gradients, Drawn((5, 5)), Drawn((5,))),
    "low rank": program(low_rank, Drawn((5, 4))),
    "rotations": program(rotations, Drawn((3,)), Drawn((3,))),
}
"""Title → program."""
