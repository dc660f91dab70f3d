"""Penrose's optimiser for the layout of diagrams: an exterior point method that uses L-BFGS.

This version takes exactly as many iterations and evaluations as the original. Vectors are lists, so no
package is needed. Source: the optimiser of Penrose (MIT), as Rose's benchmark runs it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul, sub

FIRST_WEIGHT, WEIGHT_GROWTH = 1e3, 10.0
LEAST_SOLVES = 3
SETTLED = 1e-3
"""The change from one solve to the next below which the optimiser stops.

It is the distance that the point moves, or the change of the energy.
"""
MEMORY = 17
REGULARISER = 1e-11
"""A small number that is added to the denominators of L-BFGS, so that they are not 0."""
LEAST_DESCENT = 1e-2
ARMIJO, WOLFE = 1e-3, 0.9
NARROWEST, MOST_HALVINGS = 1e-9, 10

Vector = list[float]
Energy = Callable[[Vector, float], tuple[float, Vector]]
"""(x, weight) → (φ, gradient)."""


@dataclass
class Counts:
    """Counts the iterations and evaluations of an optimisation."""

    iterations: int = 0
    evaluations: int = 0


def optimise(energy: Energy, x: Sequence[float], maxiter: float = math.inf) -> tuple[Vector, Counts]:
    """Minimise the energy of one stage, starting at x. Stop soon after `maxiter` iterations.

    Returns the final point and the counts.
    """
    counts = Counts()
    weight, at, phi, solves = FIRST_WEIGHT, list(x), math.inf, 0
    while True:
        solver = _Solver(energy, weight, counts, maxiter)
        moved_to = solver.minimise(at)
        solves += 1
        settled = math.dist(at, moved_to) < SETTLED or abs(solver.phi - phi) < SETTLED
        at, phi = moved_to, solver.phi
        if (solves >= LEAST_SOLVES and settled) or counts.iterations >= maxiter:
            return at, counts
        weight *= WEIGHT_GROWTH


class _Solver:
    """Minimises the energy for one weight of the penalties, by L-BFGS.

    phi: the energy at the point where the last step started.
    """

    def __init__(self, energy: Energy, weight: float, counts: Counts, maxiter: float) -> None:
        self._energy = energy
        self._weight = weight
        self._counts = counts
        self._maxiter = maxiter
        self._pairs: deque[tuple[Vector, Vector]] = deque(maxlen=MEMORY)
        self.phi = math.inf

    def minimise(self, x: Vector) -> Vector:
        """Descend from x until the predicted descent is less than LEAST_DESCENT. Return the final point."""
        self.phi, gradient = self._evaluate(x)
        before, x = (x, gradient), self._search(x, self.phi, gradient, gradient)
        while True:
            self._counts.iterations += 1
            self.phi, gradient = self._evaluate(x)
            self._pairs.appendleft((_minus(x, before[0]), _minus(gradient, before[1])))
            r = self._direction(gradient)
            before, x = (x, gradient), self._search(x, self.phi, gradient, r)
            if _dot(gradient, r) < LEAST_DESCENT or self._counts.iterations >= self._maxiter:
                return x

    def _evaluate(self, x: Vector) -> tuple[float, Vector]:
        self._counts.evaluations += 1
        return self._energy(x, self._weight)

    def _direction(self, gradient: Vector) -> Vector:
        """Approximate the inverse Hessian times the gradient, by the two-loop recursion of L-BFGS."""
        q = gradient
        factors = []
        for s, y in self._pairs:
            rho = 1.0 / (_dot(y, s) + REGULARISER)
            alpha = rho * _dot(s, q)
            q = _plus_scaled(q, -alpha, y)
            factors.append((rho, alpha))
        s, y = self._pairs[0]
        gamma = _dot(s, y) / (_dot(y, y) + REGULARISER)
        r = [gamma * value for value in q]
        for (s, y), (rho, alpha) in zip(reversed(self._pairs), reversed(factors), strict=True):
            r = _plus_scaled(r, alpha - rho * _dot(y, r), s)
        return r

    def _search(self, x0: Vector, phi0: float, gradient0: Vector, r: Vector) -> Vector:
        """Find a point x0 − t·r by bisecting t until the weak Wolfe conditions hold.

        If this takes more than MOST_HALVINGS halvings, or if the interval of t becomes too narrow, return the
        point for the latest t.
        """
        low, high, t = 0.0, math.inf, 1.0
        slope0 = -_dot(r, gradient0)
        tried = 0
        while True:
            x = _plus_scaled(x0, -t, r)
            if abs(low - high) < NARROWEST or tried > MOST_HALVINGS:
                return x
            phi, gradient = self._evaluate(x)
            if not phi <= phi0 + ARMIJO * t * slope0:
                high = t
            elif not -_dot(r, gradient) >= WOLFE * slope0:
                low = t
            else:
                return x
            t = (low + high) / 2 if high < math.inf else 2 * low
            tried += 1


def _dot(x: Vector, y: Vector) -> float:
    total: float = sum(map(mul, x, y))
    return total


def _minus(x: Vector, y: Vector) -> Vector:
    return list(map(sub, x, y))


def _plus_scaled(x: Vector, factor: float, y: Vector) -> Vector:
    return [a + factor * b for a, b in zip(x, y, strict=True)]
