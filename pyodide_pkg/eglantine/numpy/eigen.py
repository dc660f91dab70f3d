"""Eigenvalues of symmetric matrices, by Jacobi's rotations.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition, 8.5; Giles (2008) for the derivatives.
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
from .matrices import for_each, square
from .ordering import _order
from .shaping import swapaxes, transpose

MOST_SWEEPS = 40.0
"""The largest number of sweeps. In a sweep, Jacobi's method rotates each pair of rows and columns once.

The method converges quadratically, so it usually needs 6 to 10 sweeps.
"""


def rotation(app: Any, aqq: Any, apq: Any) -> tuple[Any, Any]:
    """Compute the cosine and sine of the rotation that makes apq zero. If apq is 0, they are 1 and 0."""
    is_zero = apq == 0.0
    theta = (aqq - app) / (2.0 * select(is_zero, 1.0, apq))
    t = maths.copysign(1.0, theta) / (abs(theta) + maths.hypot(theta, 1.0))
    c = 1.0 / maths.sqrt(t * t + 1.0)
    return select(is_zero, 1.0, c), select(is_zero, 0.0, t * c)


def pairs(n: int, step: Any, carry: Any) -> Any:
    """Set carry = step(p, q, carry) for all pairs p < q < n in order. Return the last carry."""

    def row(p: Any, carry: Any) -> Any:
        return fori_loop(p + 1, n, lambda q, carry: step(Fin(n)(p), Fin(n)(q), carry), carry)

    return fori_loop(0, n - 1, row, carry) if n > 1 else carry


def _symmetric(a: Any) -> Any:
    """The eigenvalues of a symmetric matrix in ascending order, and the eigenvectors as columns."""
    n = shape_of(a)[0]

    def rotate(p: Any, q: Any, carry: Any) -> Any:
        m, v = carry
        c, s = rotation(m[p][p], m[q][q], m[p][q])

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
        m, v = pairs(n, rotate, (m, v))
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
    """Make the function A → (w, V). Its derivatives are dw = diag(VᵀdAV) and dV = V·(F∘(VᵀdAV)).

    Element (i, j) of F is 1/(w_j − w_i), or 0 if i = j. ∘ multiplies two matrices element by element.
    """
    function = make_fn([vec_type((n, n), Real)])(_symmetric)

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


@array_function("UPLO")
def eigh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors as columns.

    UPLO: which half of the matrix is read, "L" or "U".
    If two eigenvalues are equal, the derivatives of their eigenvectors are not finite.
    """
    n = square(a, "eigh")
    if UPLO.upper() not in ("L", "U"):
        raise ShapeError(f"The UPLO of eigh must be 'L' (lower half) or 'U' (upper half), not {UPLO!r}.")
    if UPLO.upper() == "U":
        a = swapaxes(a, -1, -2)
    if not n:
        return for_each(lambda a: (vec(0, lambda _: 0.0), a), [a], [2])
    return for_each(_eigh(n), [a], [2])


@array_function("UPLO")
def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of a symmetric matrix in ascending order."""
    return eigh(a, UPLO)[0]
