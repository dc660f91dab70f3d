"""Systems with triangular matrices, and Cholesky's factor with its derivative.

The right side is a Vec or a matrix. We compute each row of the solution from the rows before it, for
all columns at once.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition (substitution 3.1, Cholesky 4.2); Murray,
"Differentiation of the Cholesky decomposition" (2016), for the rule; Smith, "Differentiation of the
Cholesky algorithm" (1995), for its transpose.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from eglantine.functions.fn import Fn
from eglantine.functions.fn import fn as make_fn
from eglantine.trace import maths
from eglantine.trace.choices import select
from eglantine.trace.loops import fori_loop
from eglantine.trace.products import matmul
from eglantine.trace.shapes import shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin, Real, vec_type

from .building import built
from .calls import array_function
from .linear_maps import linear_map
from .matrices import for_each, square
from .shaping import swapaxes

# ---------------------------------------------------------------- substitution


def substituted(n: int, columns: int | None, row: Callable[..., Any], *, upwards: bool = False) -> Any:
    """Compute the rows of a solution x one after the other. Return x as a Vec or a matrix.

    columns: the number of columns of x, or None if x is a Vec.
    row: a function. row(i, x, take) returns the element of row i in the current column. x has the rows that
        are computed so far. take(x[k]) is the element of row k in the current column.
    upwards: if true, the last row is computed first.
    """

    def step(k: Any, x: Any) -> Any:
        i = (n - 1) - k if upwards else k
        if columns is None:
            return x.at[i].set(row(i, x, _itself))
        return x.at[i].set(vec(columns, lambda c: row(i, x, lambda of: of[c])))

    shape = (n,) if columns is None else (n, columns)
    return fori_loop(0, n, step, built(shape, lambda _: 0.0))


def _itself(x: Any) -> Any:
    return x


def columns_of(b: Any) -> int | None:
    """Return the number of columns of b, or None if b is a Vec."""
    shape = shape_of(b)
    return shape[1] if len(shape) == 2 else None


def sum_below(i: Any, f: Callable[[Any], Any], n: int) -> Any:
    """The sum of f(k) over k < i, where i ≤ n."""
    return sum_(i, lambda k: f(Fin(n)(k)))


def sum_above(i: Any, f: Callable[[Any], Any], n: int) -> Any:
    """The sum of f(k) over i < k < n."""
    return 0.0 if n == 1 else sum_((n - 1) - i, lambda k: f(Fin(n)(i + 1 + k)))


def lower_solved(m: Any, b: Any) -> Any:
    """L⁻¹·b, where L is the lower triangle of m."""
    n = len(m)

    def row(i: Any, x: Any, of: Any) -> Any:
        return (of(b[i]) - sum_below(i, lambda k: m[i][k] * of(x[k]), n)) / m[i][i]

    return substituted(n, columns_of(b), row)


# ---------------------------------------------------------------- Cholesky


def _triangle(a: Any) -> Any:
    """Compute the lower triangle L with L·Lᵀ = a by outer products. Row k of m becomes column k of L."""
    n = shape_of(a)[0]

    def column(j: Any, m: Any) -> Any:
        diagonal = maths.sqrt(m[j][j])
        m = fori_loop(j, n, lambda k, m: m.at[j, k].set(m[j][k] / diagonal), m)

        def below(i: Any, m: Any) -> Any:
            i = Fin(n)(i)
            factor = m[j][i]
            return fori_loop(i, n, lambda k, m: m.at[i, k].set(m[i][k] - factor * m[j][k]), m)

        return fori_loop(j + 1, n, below, m)

    m = fori_loop(0, n, column, _transposed(a))
    return built((n, n), lambda ij: select(ij[1] <= ij[0], m[ij[1]][ij[0]], 0.0))


def _transposed(m: Any) -> Any:
    n = len(m)
    return built((n, n), lambda ij: m[ij[1]][ij[0]])


def _symmetric(m: Any) -> Any:
    n = len(m)
    return built((n, n), lambda ij: 0.5 * (m[ij[0]][ij[1]] + m[ij[1]][ij[0]]))


def _lower_half(m: Any) -> Any:
    """Return Φ(m), the lower triangle of m with half its diagonal. The map Φ is its own transpose."""
    n = len(m)

    def entry(ij: Any) -> Any:
        i, j = ij
        return select(j < i, m[i][j], select(i == j, 0.5 * m[i][j], 0.0))

    return built((n, n), entry)


def _slope(lower: Any, da: Any) -> Any:
    """The tangent L·Φ(L⁻¹·dA·L⁻ᵀ) of L. We first make dA symmetric."""
    left = lower_solved(lower, _symmetric(da))
    middle = lower_solved(lower, _transposed(left))
    return matmul(lower, _lower_half(_transposed(middle)))


def _pulled(lower: Any, ct: Any) -> Any:
    """The cotangent L⁻ᵀ·Φ(Lᵀ·ct)·L⁻¹ of A, made symmetric. The upper triangle of ct is not read.

    The rows of the cotangent are computed from the last one to the first. Row k needs only the rows below it.
    """
    n = len(lower)

    def with_row(back: Any, s: Any) -> Any:
        """Compute row k and column k of s. The matrix s is twice the cotangent."""
        k = (n - 1) - back
        diagonal = lower[k][k]

        def below(i: Any, row: Any) -> Any:
            i = Fin(n)(i)
            factor = lower[i][k]
            return fori_loop(k + 1, n, lambda j, row: row.at[j].set(row[j] - factor * s[i][j]), row)

        row = fori_loop(k + 1, n, below, vec(n, lambda j: ct[j][k]))
        row = vec(n, lambda j: select(j > k, row[j] / diagonal, 0.0))
        rest = ct[k][k] - sum_above(k, lambda j: lower[j][k] * row[j], n)
        s = s.at[k].set(row).at[k, k].set(rest / diagonal)
        return fori_loop(k + 1, n, lambda j, s: s.at[j, k].set(row[j]), s)

    s = fori_loop(0, n, with_row, built((n, n), lambda _: 0.0))
    return built((n, n), lambda ij: 0.5 * s[ij[0]][ij[1]])


@cache
def _slope_of(n: int) -> Fn:
    """The function (L, dA) → dL."""
    matrix = vec_type((n, n), Real)
    return linear_map(_slope, [matrix, matrix], lambda: _pulled_of(n))


@cache
def _pulled_of(n: int) -> Fn:
    """The transpose of `_slope_of(n)`."""
    matrix = vec_type((n, n), Real)
    return linear_map(_pulled, [matrix, matrix], lambda: _slope_of(n))


@cache
def _cholesky(n: int) -> Fn:
    """The function A → L."""
    function = make_fn([vec_type((n, n), Real)])(_triangle)

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        lower = function(*primals)
        return lower, _slope_of(n)(lower, *tangents)

    return function


@array_function("upper")
def cholesky(a: Any, *, upper: bool = False) -> Any:
    """The lower triangle L with L @ L.T = a, for a symmetric positive definite matrix `a`.

    upper: if true, return L.T and read only the upper half of a. Otherwise read only the lower half.
    """
    n = square(a, "cholesky")
    if not n:
        return a
    if upper:
        return swapaxes(cholesky(swapaxes(a, -1, -2)), -1, -2)
    return for_each(_cholesky(n), [a], [2])
