"""Eigenvalues and singular values by Jacobi's rotations, QR by Householder's reflections, and least squares.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition (8.5 and 8.6.3 for Jacobi's rotations, 5.2 for
QR); Giles (2008) and Walter and Lehmann, "Algorithmic differentiation of linear algebra functions" (2012),
for the rules.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from eglantine.errors import ShapeError
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.products import matmul
from eglantine.trace.shapes import shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin, Real, vec_type

from .building import built
from .calls import array_function
from .linalg import _square
from .ordering import _order
from .shaping import transpose

MOST_SWEEPS = 40.0
"""Jacobi's rotations converge quadratically; 6 to 10 sweeps are usual."""


def _rotation(app: Any, aqq: Any, apq: Any) -> tuple[Any, Any]:
    """The cosine and sine that make apq zero; 1 and 0 where it is zero already."""
    is_zero = apq == 0.0
    theta = (aqq - app) / (2.0 * select(is_zero, 1.0, apq))
    t = maths.copysign(1.0, theta) / (abs(theta) + maths.hypot(theta, 1.0))
    c = 1.0 / maths.sqrt(t * t + 1.0)
    return select(is_zero, 1.0, c), select(is_zero, 0.0, t * c)


def _pairs(n: int, step: Any, carry: Any) -> Any:
    """One sweep: step(p, q, carry) for all p < q < n."""

    def row(p: Any, carry: Any) -> Any:
        return fori_loop(p + 1, n, lambda q, carry: step(Fin(n)(p), Fin(n)(q), carry), carry)

    return fori_loop(0, n - 1, row, carry) if n > 1 else carry


def _symmetric(a: Any) -> Any:
    """The eigenvalues of a symmetric matrix in ascending order, and the eigenvectors as columns."""
    n = shape_of(a)[0]

    def rotate(p: Any, q: Any, carry: Any) -> Any:
        m, v = carry
        c, s = _rotation(m[p][p], m[q][q], m[p][q])

        def columns(k: Any, m: Any) -> Any:
            x, y = m[k][p], m[k][q]
            return m.at[k, p].set(c * x - s * y).at[k, q].set(s * x + c * y)

        def rows(k: Any, m: Any) -> Any:
            x, y = m[p][k], m[q][k]
            return m.at[p, k].set(c * x - s * y).at[q, k].set(s * x + c * y)

        m = fori_loop(0, n, rows, fori_loop(0, n, columns, m))
        return m.at[p, q].set(0.0).at[q, p].set(0.0), fori_loop(0, n, columns, v)

    def off(m: Any) -> Any:
        return sum_(n, lambda i: sum_(n, lambda j: select(i == j, 0.0, abs(m[i][j]))))

    def sweep(carry: Any) -> Any:
        m, v, count = carry
        m, v = _pairs(n, rotate, (m, v))
        return m, v, count + 1.0

    lower = built((n, n), lambda ij: select(ij[0] >= ij[1], a[ij[0]][ij[1]], a[ij[1]][ij[0]]))
    identity = built((n, n), lambda ij: select(ij[0] == ij[1], 1.0, 0.0))
    m, v, _ = while_loop(
        lambda carry: (off(carry[0]) > 0.0) & (carry[2] < MOST_SWEEPS), sweep, (lower, identity, 0.0)
    )
    values = vec(n, lambda i: m[i][i])
    order = _order(values)
    return vec(n, lambda i: values[order[i]]), built((n, n), lambda ij: v[ij[0]][order[ij[1]]])


@cache
def _eigh(n: int) -> Fn:
    """The function A → (w, V), with dw = diag(VᵀdAV) and dV = V·(F∘(VᵀdAV)), where F has 1/(w_j − w_i)."""
    function: Fn = make_fn([vec_type((n, n), Real)])(_symmetric)

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        w, v = function(a)
        symmetric = built((n, n), lambda ij: 0.5 * (da[ij[0]][ij[1]] + da[ij[1]][ij[0]]))
        middle = matmul(matmul(transpose(v), symmetric), v)

        def turned(ij: Any) -> Any:
            i, j = ij
            gap = select(i == j, 1.0, w[j] - w[i])
            return select(i == j, 0.0, 1.0 / gap) * middle[i][j]

        return (w, v), (vec(n, lambda i: middle[i][i]), matmul(v, built((n, n), turned)))

    return function


@array_function()
def eigh(a: Any) -> Any:
    """The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors as columns.

    Only the lower half is read. Equal eigenvalues have eigenvectors without a derivative: it is not finite.
    """
    return _eigh(_square(a, "eigh"))(a)


@array_function()
def eigvalsh(a: Any) -> Any:
    """The eigenvalues of a symmetric matrix in ascending order."""
    return _eigh(_square(a, "eigvalsh"))(a)[0]


# ---------------------------------------------------------------- singular values


def _singular(a: Any) -> Any:
    """U, s and Vᵀ of a matrix with at least as many rows as columns, by rotations of its columns."""
    rows, n = shape_of(a)

    def rotate(p: Any, q: Any, carry: Any) -> Any:
        m, v, worst = carry
        pp = sum_(rows, lambda k: m[k][p] * m[k][p])
        qq = sum_(rows, lambda k: m[k][q] * m[k][q])
        pq = sum_(rows, lambda k: m[k][p] * m[k][q])
        angle = abs(pq) / maths.sqrt(select(pp * qq > 0.0, pp * qq, 1.0))
        turns = angle > 1e-16
        c, s = _rotation(pp, qq, select(turns, pq, 0.0))

        def columns(k: Any, m: Any) -> Any:
            x, y = m[k][p], m[k][q]
            return m.at[k, p].set(c * x - s * y).at[k, q].set(s * x + c * y)

        return fori_loop(0, rows, columns, m), fori_loop(0, n, columns, v), maths.maximum(worst, angle)

    def sweep(carry: Any) -> Any:
        m, v, _, count = carry
        m, v, worst = _pairs(n, rotate, (m, v, 0.0))
        return m, v, worst, count + 1.0

    identity = built((n, n), lambda ij: select(ij[0] == ij[1], 1.0, 0.0))
    m, v, _, _ = while_loop(
        lambda carry: (carry[2] > 2e-16) & (carry[3] < MOST_SWEEPS), sweep, (a, identity, 1.0, 0.0)
    )
    lengths = vec(n, lambda j: maths.sqrt(sum_(rows, lambda k: m[k][j] * m[k][j])))
    order = _order(vec(n, lambda j: -lengths[j]))
    s = vec(n, lambda j: lengths[order[j]])
    u = built((rows, n), lambda ij: m[ij[0]][order[ij[1]]] / s[ij[1]])
    return u, s, built((n, n), lambda ij: v[ij[1]][order[ij[0]]])


@cache
def _svd(rows: int, n: int) -> Fn:
    """The function A → (U, s, Vᵀ) for rows ≥ n, with the derivative of Walter and Lehmann."""
    function: Fn = make_fn([vec_type((rows, n), Real)])(_singular)

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        u, s, vt = function(a)
        v, ut = transpose(vt), transpose(u)
        p = matmul(matmul(ut, da), v)

        def gap(i: Any, j: Any) -> Any:
            return select(i == j, 0.0, 1.0 / select(i == j, 1.0, (s[j] - s[i]) * (s[j] + s[i])))

        left = built((n, n), lambda ij: gap(*ij) * (p[ij[0]][ij[1]] * s[ij[1]] + s[ij[0]] * p[ij[1]][ij[0]]))
        right = built((n, n), lambda ij: gap(*ij) * (s[ij[0]] * p[ij[0]][ij[1]] + p[ij[1]][ij[0]] * s[ij[1]]))
        du = matmul(u, left)
        if rows > n:
            beside = matmul(da, v) - matmul(u, p)
            du = du + built((rows, n), lambda ij: beside[ij[0]][ij[1]] / s[ij[1]])
        return (u, s, vt), (du, vec(n, lambda i: p[i][i]), transpose(matmul(v, right)))

    return function


@array_function("full_matrices", "compute_uv")
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """U, the singular values in descending order, and Vᵀ, with a = U·diag(s)·Vᵀ.

    compute_uv: whether U and Vᵀ are wanted. Without them the result is the Vec of singular values.
    """
    shape = shape_of(a)
    if len(shape) != 2:
        raise ShapeError(f"svd takes a matrix, but this array has the shape {shape}.")
    rows, n = shape
    if full_matrices and compute_uv and rows != n:
        raise ShapeError(f"svd of a {rows}×{n} matrix gives thin factors alone. Write full_matrices=False.")
    if rows >= n:
        u, s, vt = _svd(rows, n)(a)
    else:
        v, s, ut = _svd(n, rows)(transpose(a))
        u, vt = transpose(ut), transpose(v)
    return (u, s, vt) if compute_uv else s


@array_function("rcond")
def pinv(a: Any, rcond: float = 1e-15) -> Any:
    """The pseudo-inverse of a matrix; singular values below rcond times the largest count as 0."""
    u, s, vt = svd(a, full_matrices=False)
    n = len(s)
    keeps = vec(n, lambda i: select(s[i] > rcond * s[0], 1.0 / select(s[i] > rcond * s[0], s[i], 1.0), 0.0))
    columns = shape_of(a)[1]
    scaled = built((columns, n), lambda ij: vt[ij[1]][ij[0]] * keeps[ij[1]])
    return matmul(scaled, transpose(u))


# ---------------------------------------------------------------- QR


def _reflected(a: Any) -> Any:
    """The thin factors Q and R of a matrix with at least as many rows as columns."""
    rows, n = shape_of(a)

    def step(k: Any, carry: Any) -> Any:
        q, r = carry
        squares = sum_(rows, lambda i: select(i >= k, r[i][k] * r[i][k], 0.0))
        head = r[Fin(rows)(k)][k]
        length = maths.sqrt(squares)
        alpha = select(head > 0.0, -length, length)
        u = vec(rows, lambda i: select(i > k, r[i][k], select(i == k, r[i][k] - alpha, 0.0)))
        uu = sum_(rows, lambda i: u[i] * u[i])
        scale = select(uu > 0.0, 2.0 / select(uu > 0.0, uu, 1.0), 0.0)
        of_r = vec(n, lambda j: scale * sum_(rows, lambda i: u[i] * r[i][j]))
        of_q = vec(rows, lambda i: scale * sum_(rows, lambda j: q[i][j] * u[j]))
        return (
            built((rows, rows), lambda ij: q[ij[0]][ij[1]] - of_q[ij[0]] * u[ij[1]]),
            built((rows, n), lambda ij: r[ij[0]][ij[1]] - u[ij[0]] * of_r[ij[1]]),
        )

    identity = built((rows, rows), lambda ij: select(ij[0] == ij[1], 1.0, 0.0))
    q, r = fori_loop(0, n, step, (identity, a))
    upper = built((n, n), lambda ij: select(ij[0] <= ij[1], r[Fin(rows)(ij[0])][ij[1]], 0.0))
    return built((rows, n), lambda ij: q[ij[0]][Fin(rows)(ij[1])]), upper


@array_function()
def qr(a: Any) -> Any:
    """Q with orthonormal columns and the upper triangle R, with a = Q·R, of a matrix with rows ≥ columns."""
    shape = shape_of(a)
    if len(shape) != 2 or shape[0] < shape[1]:
        raise ShapeError(
            f"qr takes a matrix with at least as many rows as columns, not one of shape {shape}."
        )
    return _qr(*shape)(a)


@cache
def _qr(rows: int, n: int) -> Fn:
    function: Fn = make_fn([vec_type((rows, n), Real)])(_reflected)
    return function


@array_function()
def lstsq(a: Any, b: Any) -> Any:
    """x that makes the sum of squares of a @ x − b least, for a matrix of full rank with rows ≥ columns."""
    q, r = qr(a)
    n = shape_of(r)[0]
    right = matmul(transpose(q), b)

    def backward(k: Any, x: Any) -> Any:
        i = (n - 1) - k
        rest = sum_(k, lambda j: r[i][Fin(n)(i + 1 + j)] * x[Fin(n)(i + 1 + j)])
        return x.at[i].set((right[i] - rest) / r[i][i])

    return fori_loop(0, n, backward, vec(n, lambda _: 0.0))
