"""Linear systems and determinants, with custom derivative rules.

A singular matrix gives values that are not finite.

Sources: Golub and Van Loan, "Matrix Computations", 4th edition (LU with partial pivoting 3.4);
Giles, "Collected Matrix Derivative Results for Forward and Reverse Mode Algorithmic Differentiation" (2008),
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
from eglantine.trace.loops import fori_loop
from eglantine.trace.products import matmul
from eglantine.trace.shapes import shape_of
from eglantine.trace.sums import sum_, vec
from eglantine.types import Fin, Real, Vec, vec_type

from .calls import array_function
from .creation import eye
from .linear_maps import linear_map
from .matrices import for_each, square
from .triangles import columns_of, substituted, sum_above, sum_below

# ---------------------------------------------------------------- LU


def _factors(a: Any) -> Any:
    """Factor a by LU. Return a matrix with both factors, the row permutation, and its sign."""
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

        index = Fin(n + 1)
        m = fori_loop(0, select(p == k, index(0), index(n)), exchange, m)
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
    """A⁻¹·b, by the LU factors of A."""
    n, columns = shape_of(m)[0], columns_of(b)

    def forward(i: Any, x: Any, of: Any) -> Any:
        return of(b[order[i]]) - sum_below(i, lambda k: m[i][k] * of(x[k]), n)

    y = substituted(n, columns, forward)

    def backward(i: Any, x: Any, of: Any) -> Any:
        return (of(y[i]) - sum_above(i, lambda k: m[i][k] * of(x[k]), n)) / m[i][i]

    return substituted(n, columns, backward, upwards=True)


def _substituted_transposed(m: Any, order: Any, b: Any) -> Any:
    """A⁻ᵀ·b, by the LU factors of A."""
    n, columns = shape_of(m)[0], columns_of(b)

    def forward(i: Any, x: Any, of: Any) -> Any:
        return (of(b[i]) - sum_below(i, lambda k: m[k][i] * of(x[k]), n)) / m[i][i]

    y = substituted(n, columns, forward)

    def backward(i: Any, x: Any, of: Any) -> Any:
        return of(y[i]) - sum_above(i, lambda k: m[k][i] * of(x[k]), n)

    x = substituted(n, columns, backward, upwards=True)
    return fori_loop(0, n, lambda i, of: of.at[order[i]].set(x[i]), x)


def _types(n: int, columns: int | None) -> list[Any]:
    right = vec_type((n,) if columns is None else (n, columns), Real)
    return [vec_type((n, n), Real), Vec(n, Fin(n)), right]


@cache
def _factors_of(n: int) -> Fn:
    """Make the function A → (LU, order, sign). A program that solves with A several times factors A once."""
    return make_fn([vec_type((n, n), Real)])(_factors)


@cache
def _by_factors(n: int, columns: int | None) -> Fn:
    """The function (LU, order, b) → A⁻¹·b."""
    return linear_map(_substituted, _types(n, columns), lambda: _by_factors_transposed(n, columns))


@cache
def _by_factors_transposed(n: int, columns: int | None) -> Fn:
    """The transpose of `_by_factors(n, columns)`."""
    return linear_map(_substituted_transposed, _types(n, columns), lambda: _by_factors(n, columns))


@cache
def _solve(n: int, columns: int | None) -> Fn:
    """The function (A, b) → x = A⁻¹·b for matrices of n rows. Its derivative is A⁻¹·(db − dA·x)."""
    matrix, _, right = _types(n, columns)

    def solved(a: Any, b: Any) -> Any:
        m, order, _ = _factors_of(n)(a)
        return _by_factors(n, columns)(m, order, b)

    solve = make_fn([matrix, right])(solved)

    @solve.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        a, b = primals
        da, db = tangents
        m, order, _ = _factors_of(n)(a)
        x = _by_factors(n, columns)(m, order, b)
        return x, _by_factors(n, columns)(m, order, db - matmul(da, x))

    return solve


@array_function()
def solve(a: Any, b: Any) -> Any:
    """Solve a @ x = b for x. The matrix a is square, and b is a Vec or a matrix."""
    n = square(a, "solve")
    shape = shape_of(b)
    if not shape or shape[-2:][0] != n:
        raise ShapeError(
            f"For a {n}×{n} matrix, the argument `b` of solve must have {n} rows, but it has the shape "
            f"{shape}."
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
    """Make the function A → (sign, log |det A|). The derivative of the logarithm is tr(A⁻¹·dA)."""

    def signed_logarithm(m: Any, _: Any, sign: Any) -> Any:
        def step(i: Any, carry: Any) -> Any:
            sign, total = carry
            return sign * maths.sign(m[i][i]), total + maths.log(abs(m[i][i]))

        return fori_loop(0, n, step, (sign, 0.0))

    function = make_fn([vec_type((n, n), Real)])(lambda a: signed_logarithm(*_factors_of(n)(a)))

    @function.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (a,), (da,) = primals, tangents
        factors = _factors_of(n)(a)
        m, order, _ = factors
        inverse = _by_factors(n, n)(m, order, eye(n))
        slope = sum_(n, lambda i: sum_(n, lambda j: inverse[i][j] * da[j][i]))
        return signed_logarithm(*factors), (0.0 * slope, slope)

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
