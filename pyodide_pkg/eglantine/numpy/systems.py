"""Linear systems, determinants and Cholesky, with derivatives by rules.

A singular matrix gives values that are not finite.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition (LU with partial pivoting 3.4, Cholesky 4.2);
Giles, "Collected Matrix Derivative Results for Forward and Reverse Mode Algorithmic Differentiation" (2008),
for the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from eglantine.errors import ShapeError
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
from .creation import eye
from .matrices import for_each, square
from .shaping import swapaxes, transpose

# ---------------------------------------------------------------- LU


def _factors(a: Any) -> Any:
    """The LU factors of a in one matrix, the order of its rows, and the sign of that order."""
    n = shape_of(a)[0]

    def pivot(m: Any, k: Any) -> Any:
        def better(i: Any, carry: Any) -> Any:
            best, at = carry
            x = abs(m[i][k])
            wins = x > best
            return select(wins, x, best), Fin(n)(select(wins, i, at))

        return fori_loop(k + 1, n, better, (abs(m[k][k]), Fin(n)(k)))[1]

    def step(k: Any, carry: Any) -> Any:
        m, order, sign = carry
        p = pivot(m, k)

        def exchange(j: Any, m: Any) -> Any:
            x, y = m[k][j], m[p][j]
            return m.at[k, j].set(y).at[p, j].set(x)

        m = fori_loop(0, n, exchange, m)
        first, second = order[k], order[p]
        order = order.at[k].set(second).at[p].set(first)

        def eliminate(i: Any, m: Any) -> Any:
            factor = m[i][k] / m[k][k]
            m = m.at[i, k].set(factor)
            return fori_loop(k + 1, n, lambda j, m: m.at[i, j].set(m[i][j] - factor * m[k][j]), m)

        return fori_loop(k + 1, n, eliminate, m), order, select(p == k, sign, -sign)

    order = vec(n, Fin(n))
    return fori_loop(0, n, step, (a, order, 1.0))


def _substituted(m: Any, order: Any, b: Any) -> Any:
    """x with A·x = b, by the LU factors of A; b is a Vec."""
    n = shape_of(m)[0]

    def forward(i: Any, x: Any) -> Any:
        return x.at[i].set(b[order[i]] - _sum_below(i, lambda j: m[i][j] * x[j], n))

    def backward(k: Any, x: Any) -> Any:
        i = (n - 1) - k
        rest = 0.0 if n == 1 else sum_(k, lambda j: m[i][Fin(n)(i + 1 + j)] * x[Fin(n)(i + 1 + j)])
        return x.at[i].set((x[i] - rest) / m[i][i])

    return fori_loop(0, n, backward, fori_loop(0, n, forward, vec(n, lambda _: 0.0)))


def _sum_below(i: Any, f: Callable[[Any], Any], n: int) -> Any:
    return sum_(i, lambda j: f(Fin(n)(j)))


def _solved(a: Any, b: Any) -> Any:
    m, order, _ = _factors(a)
    if len(shape_of(b)) == 1:
        return _substituted(m, order, b)
    return transpose(vec(shape_of(b)[1], lambda j: _substituted(m, order, vec(len(b), lambda i: b[i][j]))))


@cache
def _solve(n: int, columns: int | None) -> Fn:
    """The function (A, b) → A⁻¹·b for matrices of n rows, with the derivative A⁻¹·(db − dA·x)."""
    types = [vec_type((n, n), Real), vec_type((n,) if columns is None else (n, columns), Real)]
    plain = make_fn(types)(_solved)
    solve = make_fn(types)(_solved)

    @solve.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        a, b = primals
        da, db = tangents
        x = solve(a, b)
        return x, plain(a, db - matmul(da, x))

    return solve


@array_function()
def solve(a: Any, b: Any) -> Any:
    """x with a @ x = b, for a square matrix and a Vec or a matrix of columns."""
    n = square(a, "solve")
    shape = shape_of(b)
    if not shape or shape[-2:][0] != n:
        raise ShapeError(
            f"solve takes {n} rows on the right of a {n}×{n} matrix, but b has the shape {shape}."
        )
    if len(shape) == 1:
        return for_each(_solve(n, None) if n else lambda _, b: b, [a, b], [2, 1])
    return for_each(_solve(n, shape[-1]) if n else lambda _, b: b, [a, b], [2, 2])


@array_function()
def inv(a: Any) -> Any:
    """The inverse of a square matrix."""
    return solve(a, eye(square(a, "inv")))


@cache
def _slogdet(n: int) -> Fn:
    """The function A → (sign, log |det A|), with the derivative tr(A⁻¹·dA)."""

    def value(a: Any) -> Any:
        m, _, sign = _factors(a)

        def step(i: Any, carry: Any) -> Any:
            sign, total = carry
            return sign * maths.sign(m[i][i]), total + maths.log(abs(m[i][i]))

        return fori_loop(0, n, step, (sign, 0.0))

    function = make_fn([vec_type((n, n), Real)])(value)

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        inverse = _solve(n, n)(a, eye(n))
        slope = sum_(n, lambda i: sum_(n, lambda j: inverse[i][j] * da[j][i]))
        return function(a), (0.0 * slope, slope)

    return function


@array_function()
def slogdet(a: Any) -> Any:
    """The sign of a determinant and the logarithm of its magnitude."""
    n = square(a, "slogdet")
    return for_each(_slogdet(n) if n else lambda _: (1.0, 0.0), [a], [2])


@array_function()
def det(a: Any) -> Any:
    """The determinant of a square matrix."""
    n = square(a, "det")

    def of_one(a: Any) -> Any:
        m, _, sign = _factors(a)
        return fori_loop(0, n, lambda i, d: d * m[i][i], sign)

    return for_each(of_one if n else lambda _: 1.0, [a], [2])


# ---------------------------------------------------------------- Cholesky


def _triangle(a: Any) -> Any:
    """The lower triangle L with L·Lᵀ = a."""
    n = shape_of(a)[0]

    def column(j: Any, m: Any) -> Any:
        diagonal = maths.sqrt(a[j][j] - _sum_below(j, lambda k: m[j][k] * m[j][k], n))
        m = m.at[j, j].set(diagonal)

        def below(i: Any, m: Any) -> Any:
            rest = a[i][j] - _sum_below(j, lambda k: m[i][k] * m[j][k], n)
            return m.at[i, j].set(rest / diagonal)

        return fori_loop(j + 1, n, below, m)

    return fori_loop(0, n, column, built((n, n), lambda _: 0.0))


@cache
def _cholesky(n: int) -> Fn:
    """The function A → L, with the derivative L·Φ(L⁻¹·dA·L⁻ᵀ).

    Φ takes the lower half of a matrix, with half of its diagonal.
    """
    function = make_fn([vec_type((n, n), Real)])(_triangle)

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        lower = function(a)
        inverse = _inverse_of_lower(lower)
        symmetric = built((n, n), lambda ij: 0.5 * (da[ij[0]][ij[1]] + da[ij[1]][ij[0]]))

        def left(ij: tuple[Any, ...]) -> Any:
            i, j = ij
            return _sum_below(i + 1, lambda k: inverse[i][k] * symmetric[k][j], n)

        middle = built((n, n), left)

        def half(ij: tuple[Any, ...]) -> Any:
            i, j = ij
            total = _sum_below(select(j <= i, j + 1, 0), lambda k: middle[i][k] * inverse[j][k], n)
            return select(i == j, 0.5, 1.0) * total

        halves = built((n, n), half)

        def slope(ij: tuple[Any, ...]) -> Any:
            i, j = ij
            return _sum_below(select(j <= i, i + 1, 0), lambda k: lower[i][k] * halves[k][j], n)

        return lower, built((n, n), slope)

    return function


def _inverse_of_lower(m: Any) -> Any:
    n = shape_of(m)[0]

    def row(i: Any, x: Any) -> Any:
        def entry(j: Any, x: Any) -> Any:
            total = _sum_below(i, lambda k: m[i][k] * x[k][j], n)
            return x.at[i, j].set((select(i == j, 1.0, 0.0) - total) / m[i][i])

        return fori_loop(0, i + 1, entry, x)

    return fori_loop(0, n, row, built((n, n), lambda _: 0.0))


@array_function("upper")
def cholesky(a: Any, *, upper: bool = False) -> Any:
    """The lower triangle L with L @ L.T = a, for a symmetric positive definite matrix a.

    upper: whether the upper triangle L.T is wanted. Only the half of a where the result is gets read.
    """
    n = square(a, "cholesky")
    if not n:
        return a
    if upper:
        return swapaxes(cholesky(swapaxes(a, -1, -2)), -1, -2)
    return for_each(_cholesky(n), [a], [2])
