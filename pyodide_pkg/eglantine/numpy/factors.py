"""QR by Householder's reflections, singular values by Jacobi's rotations, pseudo-inverses and least squares.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition (5.2 for QR, with the signs of LAPACK's
dgeqrf; 8.6.3 for one-sided rotations); Walter and Lehmann, "Algorithmic differentiation of linear algebra
functions" (2012), for the rule of singular values;
Golub and Pereyra, "The differentiation of pseudo-inverses" (1973).
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from eglantine.errors import ShapeError
from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.elementwise import real
from eglantine.trace.loops import fori_loop, while_loop
from eglantine.trace.products import matmul
from eglantine.trace.shapes import shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin, Real, vec_type

from .building import built
from .calls import array_function
from .eigen import MOST_SWEEPS, pairs, rotation
from .matrices import for_each, rectangle
from .ordering import _order
from .shaping import swapaxes, transpose

# ---------------------------------------------------------------- QR


def _below(k: Any, rows: int, term: Any) -> Any:
    """The sum of term(i) over k < i < rows."""
    return 0.0 if rows == 1 else sum_((rows - 1) - k, lambda t: term(Fin(rows)(k + 1 + t)))


def _reflect(m: Any, k: Any, j: Any, weight: Any, v: Any) -> Any:
    """Multiply column j of the matrix m by the reflection 1 − weight·v·vᵀ. Return the new matrix.

    The vector v is 0 above row k, 1 in row k, and v(i) in each row i below.
    """
    rows = shape_of(m)[0]
    product = weight * (m[k][j] + _below(k, rows, lambda i: v(i) * m[i][j]))
    m = m.at[k, j].set(m[k][j] - product)
    return fori_loop(k + 1, rows, lambda i, m: m.at[i, j].set(m[i][j] - v(i) * product), m)


def _reflections(a: Any) -> Any:
    """Reduce a to the triangle R by reflections. Return a matrix, and the weights of the reflections.

    The matrix has R on and above its diagonal. Below the diagonal, it has the vectors v of the reflections.
    """
    rows, n = shape_of(a)
    steps = min(rows, n)

    def step(k: Any, carry: Any) -> Any:
        m, weights = carry
        k = Fin(steps)(k)
        head = m[k][k]
        rest = _below(k, rows, lambda i: m[i][k] * m[i][k])
        turns = rest > 0.0
        length = maths.sqrt(select(turns, head * head + rest, 1.0))
        target = maths.copysign(length, -head)
        weight = select(turns, (target - head) / target, 0.0)
        scale = 1.0 / select(turns, head - target, 1.0)
        m = fori_loop(k + 1, rows, lambda i, m: m.at[i, k].set(m[i][k] * scale), m)
        m = m.at[k, k].set(select(turns, target, head))
        v = vec(rows, lambda i: m[i][k])
        m = fori_loop(k + 1, n, lambda j, m: _reflect(m, k, j, weight, lambda i: v[i]), m)
        return m, weights.at[k].set(weight)

    return fori_loop(0, steps, step, (a, vec(steps, lambda _: 0.0)))


def _orthogonal(m: Any, weights: Any, columns: int) -> Any:
    """Compute the first `columns` columns of Q, the product of the reflections that m and weights store."""
    rows, steps = shape_of(m)[0], len(weights)

    def step(t: Any, q: Any) -> Any:
        k = Fin(steps)((steps - 1) - t)
        return fori_loop(0, columns, lambda j, q: _reflect(q, k, j, weights[k], lambda i: m[i][k]), q)

    identity = built((rows, columns), lambda ij: select(ij[0] == ij[1], 1.0, 0.0))
    return fori_loop(0, steps, step, identity)


@cache
def _qr(rows: int, n: int, columns: int) -> Fn:
    """The function A → (Q, R), where Q has `columns` columns."""

    def factors(a: Any) -> Any:
        m, weights = _reflections(a)
        return _orthogonal(m, weights, columns), _upper(m, columns)

    return make_fn([vec_type((rows, n), Real)])(factors)


def _upper(m: Any, rows: int) -> Any:
    """The first `rows` rows of the upper triangle of m."""
    all_rows, n = shape_of(m)
    return built((rows, n), lambda ij: select(ij[0] <= ij[1], m[Fin(all_rows)(ij[0])][ij[1]], 0.0))


@array_function("mode")
def qr(a: Any, mode: str = "reduced") -> Any:
    """Factor a = Q·R, where Q has orthonormal columns and R is upper triangular.

    mode: with "reduced", the number of Q's columns is the smaller of a's numbers of rows and columns. With
        "complete", Q is square. With "r", the result is only R.
    """
    rows, n = rectangle(a, "qr")
    if mode not in ("reduced", "complete", "r"):
        raise ShapeError(f"qr has no mode {mode!r}. Write 'reduced', 'complete' or 'r'.")
    if 0 in (rows, n):
        raise ShapeError(f"qr takes a matrix that is not empty, but this has the shape {shape_of(a)}.")
    if mode == "r":
        return for_each(lambda a: _upper(_reflections(a)[0], min(rows, n)), [a], [2])
    return for_each(_qr(rows, n, rows if mode == "complete" else min(rows, n)), [a], [2])


# ---------------------------------------------------------------- singular values


def _singular(a: Any, columns: int) -> Any:
    """Compute U, s and Vᵀ of a matrix with at least as many rows as columns. U has `columns` columns.

    Rotations make the columns of the matrix orthogonal. We factor the result as Q·R. U is Q, with the signs
    of some columns changed. So the columns of U are orthogonal even if a singular value is 0.
    """
    rows, n = shape_of(a)

    def rotate(p: Any, q: Any, carry: Any) -> Any:
        m, v, worst = carry
        pp = sum_(rows, lambda k: m[k][p] * m[k][p])
        qq = sum_(rows, lambda k: m[k][q] * m[k][q])
        pq = sum_(rows, lambda k: m[k][p] * m[k][q])
        angle = abs(pq) / maths.sqrt(select(pp * qq > 0.0, pp * qq, 1.0))
        turns = angle > 1e-16
        c, s = rotation(pp, qq, select(turns, pq, 0.0))

        def turn(k: Any, m: Any) -> Any:
            x, y = m[k][p], m[k][q]
            return m.at[k, p].set(c * x - s * y).at[k, q].set(s * x + c * y)

        return fori_loop(0, rows, turn, m), fori_loop(0, n, turn, v), maths.maximum(worst, angle)

    def sweep(carry: Any) -> Any:
        m, v, _, count = carry
        m, v, worst = pairs(n, rotate, (m, v, 0.0))
        return m, v, worst, count + 1.0

    identity = built((n, n), lambda ij: select(ij[0] == ij[1], 1.0, 0.0))
    m, v, _, _ = while_loop(
        lambda carry: (carry[2] > 2e-16) & (carry[3] < MOST_SWEEPS), sweep, (a, identity, 1.0, 0.0)
    )
    lengths = vec(n, lambda j: maths.sqrt(sum_(rows, lambda k: m[k][j] * m[k][j])))
    order = _order(vec(n, lambda j: -lengths[j]))
    reflected, weights = _reflections(built((rows, n), lambda ij: m[ij[0]][order[ij[1]]]))
    q = _orthogonal(reflected, weights, columns)

    def signed(ij: Any) -> Any:
        i, j = ij
        k = Fin(n)(j % n)
        return q[i][j] * select(j < n, maths.copysign(1.0, reflected[Fin(rows)(k)][k]), 1.0)

    s = vec(n, lambda j: lengths[order[j]])
    return built((rows, columns), signed), s, built((n, n), lambda ij: v[ij[1]][order[ij[0]]])


@cache
def _svd(rows: int, n: int, columns: int) -> Fn:
    """The function A → (U, s, Vᵀ) for rows ≥ n, with the derivative of Walter and Lehmann.

    The derivatives of the columns of U beyond the n-th lie in the span of the first n columns.
    """
    function = make_fn([vec_type((rows, n), Real)])(lambda a: _singular(a, columns))

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        all_u, s, vt = function(a)
        u = built((rows, n), lambda ij: all_u[ij[0]][Fin(columns)(ij[1])])
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
        if columns > n:
            beyond = -matmul(u, matmul(transpose(du), all_u))
            thin = du
            du = built(
                (rows, columns),
                lambda ij: select(ij[1] < n, thin[ij[0]][Fin(n)(ij[1] % n)], beyond[ij[0]][ij[1]]),
            )
        return (all_u, s, vt), (du, vec(n, lambda i: p[i][i]), transpose(matmul(v, right)))

    return function


@array_function("full_matrices", "compute_uv")
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Factor a = U·diag(s)·Vᵀ, with the singular values s in descending order. Return (U, s, Vᵀ).

    full_matrices: if true, U and Vᵀ are square. Otherwise U has a column for each singular value, and Vᵀ
        has a row for each singular value.
    compute_uv: if false, the result is only s.
    """
    rows, n = rectangle(a, "svd")
    if 0 in (rows, n):
        raise ShapeError(f"svd takes a matrix that is not empty, but this has the shape {shape_of(a)}.")
    longer, shorter = max(rows, n), min(rows, n)
    factors = _svd(longer, shorter, longer if full_matrices and compute_uv else shorter)
    if rows >= n:
        u, s, vt = for_each(factors, [a], [2])
    else:
        v, s, ut = for_each(factors, [swapaxes(a, -1, -2)], [2])
        u, vt = swapaxes(ut, -1, -2), swapaxes(v, -1, -2)
    return (u, s, vt) if compute_uv else s


# ---------------------------------------------------------------- least squares


@cache
def _pinv(rows: int, n: int, rcond: float) -> Fn:
    """The function A → A⁺. Its derivative (Golub and Pereyra) assumes that the rank of A does not change."""

    def value(a: Any) -> Any:
        u, s, vt = svd(a, full_matrices=False)
        size = len(s)
        inverse = vec(size, lambda i: select(s[i] > rcond * s[0], 1.0 / select(s[i] > 0.0, s[i], 1.0), 0.0))
        scaled = built((n, size), lambda ij: vt[ij[1]][ij[0]] * inverse[ij[1]])
        return matmul(scaled, transpose(u))

    function = make_fn([vec_type((rows, n), Real)])(value)

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        p = function(a)
        pt, dat = transpose(p), transpose(da)
        beside_columns = dat - matmul(matmul(dat, a), p)  # dAᵀ·(1 − A·P)
        beside_rows = dat - matmul(p, matmul(a, dat))  # (1 − P·A)·dAᵀ
        dp = matmul(matmul(p, pt), beside_columns) - matmul(p, matmul(da, p))
        return p, dp + matmul(beside_rows, matmul(pt, p))

    return function


@array_function("rcond")
def pinv(a: Any, rcond: float = 1e-15) -> Any:
    """The pseudo-inverse of a matrix. Singular values up to rcond times the largest one count as 0."""
    rows, n = rectangle(a, "pinv")
    return for_each(_pinv(rows, n, float(rcond)), [a], [2])


@array_function("rcond")
def lstsq(a: Any, b: Any, rcond: float | None = None) -> Any:
    """Find the x that minimises the sum of squares of a @ x − b. Return NumPy's (x, residuals, rank, s).

    x: the solution. If there are several solutions, x is the shortest of them.
    residuals: a Vec with the sum of squares for each column of b. It is empty unless a has more rows than
        columns. (In NumPy, it is also empty if a does not have full rank.)
    rank: a Real, the number of singular values (s) that are larger than rcond times the largest of them.
    rcond: None means ε·max(rows, columns), where ε is the distance from 1.0 to the next float.
    """
    shape = shape_of(b)
    if len(shape_of(a)) != 2 or len(shape) not in (1, 2) or shape[0] != shape_of(a)[0]:
        raise ShapeError(
            "lstsq needs a matrix and a right side with equal numbers of rows, but their shapes are "
            f"{shape_of(a)} and {shape}."
        )
    rows, n = shape_of(a)
    share = sys.float_info.epsilon * max(rows, n) if rcond is None else float(rcond)
    s = svd(a, compute_uv=False)
    x = matmul(_pinv(rows, n, share)(a), b)
    beside = matmul(a, x) - b
    wide = beside if len(shape) == 2 else transpose(vec(1, lambda _: beside))
    columns = shape_of(wide)[1] if rows > n else 0
    residuals = vec(columns, lambda j: sum_(rows, lambda i: wide[i][j] * wide[i][j]))
    rank = sum_(len(s), lambda i: real(s[i] > share * s[0]))
    return x, residuals, rank, s
