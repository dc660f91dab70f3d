"""Factors of matrices for solvers: orthogonal columns, triangles, Cholesky.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition (modified Gram–Schmidt 5.2.8, triangles 3.1,
    Cholesky 4.2). Björck, "Solving linear least squares problems by Gram-Schmidt orthogonalization" (1967):
    if the right side is added as a column, the method is as accurate as Householder's.
"""

from __future__ import annotations

from typing import Any

from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import fori_loop
from eglantine.trace.products import dot
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin


def factorised(columns: Any, right: Any) -> tuple[Any, Any, Any]:
    """Factor A = Q·R. Return the columns of Q, the triangle R, and c = Qᵀ·b for a right side b.

    If column k of A depends linearly on the columns before it, column k of Q and row k of R are 0. The loops
    change one column at a time, so no matrix is copied.
    """
    n, m = len(columns), len(right)
    zeros = vec(n, lambda _: 0.0)

    def without(k: Any, carry: Any, q: Any) -> Any:
        """Subtract from v its component along column k of Q. Store the component's length in `parts`."""
        v, parts = carry
        k = Fin(n)(k)
        part = sum_(m, lambda i: q[k][i] * v[i])
        return vec(m, lambda i: v[i] - part * q[k][i]), parts.at[k].set(part)

    def step(j: Any, carry: Any) -> Any:
        q, rows = carry
        v, parts = fori_loop(0, j, lambda k, carry: without(k, carry, q), (columns[j], zeros))
        length = maths.sqrt(sum_(m, lambda i: v[i] * v[i]))
        inverse = select(length > 0.0, 1.0 / select(length > 0.0, length, 1.0), 0.0)
        return q.at[j].set(vec(m, lambda i: v[i] * inverse)), rows.at[j].set(parts.at[j].set(length))

    q, rows = fori_loop(0, n, step, (columns, vec(n, lambda _: zeros)))
    c = fori_loop(0, n, lambda k, carry: without(k, carry, q), (right, zeros))[1]
    return q, vec(n, lambda i: vec(n, lambda j: rows[j][i])), c


def _quotient(value: Any, pivot: Any) -> Any:
    """value / pivot, or 0 if the pivot is 0."""
    return select(pivot == 0.0, 0.0, value / select(pivot == 0.0, 1.0, pivot))


def back_substituted(R: Any, b: Any) -> Any:
    """Solve R·x = b for an upper triangle R. If element k of the diagonal is 0, element k of x is 0."""
    n = len(b)

    def step(t: Any, x: Any) -> Any:
        i = (n - 1) - t
        rest = 0.0 if n == 1 else sum_(t, lambda j: R[i][Fin(n)(i + 1 + j)] * x[Fin(n)(i + 1 + j)])
        return x.at[i].set(_quotient(b[i] - rest, R[i][i]))

    return fori_loop(0, n, step, vec(n, lambda _: 0.0))


def forward_substituted(R: Any, b: Any) -> Any:
    """Solve Rᵀ·x = b for an upper triangle R. If element k of the diagonal is 0, element k of x is 0."""
    n = len(b)

    def step(i: Any, x: Any) -> Any:
        rest = sum_(i, lambda j: R[Fin(n)(j)][i] * x[Fin(n)(j)])
        return x.at[i].set(_quotient(b[i] - rest, R[i][i]))

    return fori_loop(0, n, step, vec(n, lambda _: 0.0))


def cholesky(A: Any) -> tuple[Any, Any]:
    """Factor a symmetric matrix A = UᵀU. Return a Bool, true if A is positive definite, and U."""
    n = len(A)

    def step(k: Any, carry: Any) -> Any:
        U, definite = carry
        k = Fin(n)(k)
        square = A[k][k] - sum_(k, lambda i: U[Fin(n)(i)][k] * U[Fin(n)(i)][k])
        positive = square > 0.0
        pivot = maths.sqrt(select(positive, square, 1.0))
        U = U.at[k, k].set(pivot)

        def other(j: Any, U: Any) -> Any:
            rest = sum_(k, lambda i: U[Fin(n)(i)][k] * U[Fin(n)(i)][j])
            return U.at[k, j].set((A[k][j] - rest) / pivot)

        return fori_loop(k + 1, n, other, U), definite & positive

    zeros = vec(n, lambda _: vec(n, lambda _: 0.0))
    U, definite = fori_loop(0, n, step, (zeros, True))
    return definite, U


def cholesky_solved(A: Any, b: Any) -> tuple[Any, Any]:
    """Solve A·x = b for a symmetric matrix A. Return a Bool, true if A is positive definite, and x."""
    definite, U = cholesky(A)
    return definite, back_substituted(U, forward_substituted(U, b))


def squares(v: Any) -> Any:
    """The sum of the squares of a Vec."""
    return dot(v, v)


def all_finite(v: Any) -> Any:
    """Return True if all elements of a Vec are finite, even if their squares overflow."""
    return sum_(len(v), lambda i: v[i] - v[i]) == 0.0
