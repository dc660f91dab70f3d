"""Compute minimax polynomials by Remez's algorithm with mpmath.

A polynomial P approximates `target(v)` on an interval. P has the error `weight(v) * (P(v) - target(v))`, and
minimises the maximum of this error. For n coefficients, the algorithm needs n + 1 points, which are called
the reference. It computes the polynomial with the errors E, −E, E, … at these points. Then it moves the
points to the extremes of the error, and repeats both steps.

Source: E. Remez (1934), as described in N. Brisebarre et al., "Handbook of Floating-Point Arithmetic", 2nd
ed., §10.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mpmath
from mpmath import mp, mpf

PRECISION_DIGITS = 60
GRID_POINTS = 1200
EXCHANGES_MAX = 12
CONVERGED = 1e-4

mp.dps = PRECISION_DIGITS

NEAR_ZERO = mpf("1e-6")


@dataclass(frozen=True)
class Polynomial:
    """A polynomial P(v) ≈ target(v) for v in [low, high]. `terms` is the number of its coefficients."""

    name: str
    terms: int
    low: mpf
    high: mpf
    target: Callable[[mpf], mpf]
    weight: Callable[[mpf], mpf]
    bound: float
    formula: str


def remez(polynomial: Polynomial) -> list[mpf]:
    """Compute the coefficients of a minimax polynomial, beginning with the constant.

    Raises:
        ArithmeticError: the error has too few changes of sign, because the target is not smooth enough.
    """
    grid = chebyshev_points(polynomial.low, polynomial.high, GRID_POINTS)
    targets = [polynomial.target(v) for v in grid]
    weights = [abs(polynomial.weight(v)) for v in grid]
    size = polynomial.terms + 1
    reference = [(2 * i + 1) * GRID_POINTS // (2 * size) for i in range(size)]
    for _ in range(EXCHANGES_MAX):
        *coefficients, level = _solve_reference(reference, grid, targets, weights)
        errors = [w * (evaluate(coefficients, v) - t) for v, t, w in zip(grid, targets, weights, strict=True)]
        reference = _extremes(errors, size)
        if len(reference) < size:
            raise ArithmeticError(
                f"{polynomial.name}: the error alternates {len(reference)} times, not {size}."
            )
        if max(map(abs, errors)) < abs(level) * (1 + CONVERGED):
            break
    return coefficients


def _solve_reference(
    reference: list[int], grid: list[mpf], targets: list[mpf], weights: list[mpf]
) -> list[mpf]:
    """Find the polynomial with weighted errors E, −E, E, … at the reference. Return coefficients and E."""
    size = len(reference)
    rows = mpmath.matrix(size, size)
    right = mpmath.matrix(size, 1)
    for i, at in enumerate(reference):
        for j in range(size - 1):
            rows[i, j] = grid[at] ** j
        rows[i, size - 1] = (-1) ** i / weights[at]
        right[i] = targets[at]
    return list(mpmath.lu_solve(rows, right))


def _extremes(errors: list[mpf], count: int) -> list[int]:
    """Return the index of the largest error in each run of errors with equal signs.

    If there are more than `count` runs, omit runs at the ends.
    """
    runs: list[int] = []
    for i, error in enumerate(errors):
        if runs and (errors[runs[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    while len(runs) > count:
        del runs[0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1]
    return runs


def weighted_error(polynomial: Polynomial, coefficients: Sequence[float | mpf], points: int = 200) -> mpf:
    """Return the largest weighted error of a polynomial at `points` points of its interval."""
    grid = chebyshev_points(polynomial.low, polynomial.high, points)
    return max(abs(polynomial.weight(v) * (evaluate(coefficients, v) - polynomial.target(v))) for v in grid)


def evaluate(coefficients: Sequence[float | mpf], v: mpf) -> mpf:
    """Evaluate a polynomial at v by Horner's rule in mpmath's precision."""
    total = mpf(0)
    for coefficient in reversed(coefficients):
        total = total * v + coefficient
    return total


def chebyshev_points(low: mpf, high: mpf, count: int) -> list[mpf]:
    """Return `count` points in [low, high] in increasing order. They are denser near the ends."""
    middle, radius = (low + high) / 2, (high - low) / 2
    points = [middle - radius * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    return [_away_from_zero(v) for v in points]


def _away_from_zero(v: mpf) -> mpf:
    """If v is close to 0, return NEAR_ZERO, because some targets have a removable singularity at 0."""
    return v if abs(v) > NEAR_ZERO else NEAR_ZERO
