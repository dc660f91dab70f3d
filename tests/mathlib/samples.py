"""Arguments that reach every branch of the mathlib functions, and the measure of their error."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable
from dataclasses import dataclass

from mpmath import mp, mpf

NIGHTLY = os.environ.get("EGLANTINE_NIGHTLY") == "1"
POINTS = 13 if NIGHTLY else 1
"""How many times the ordinary number of points."""
PRECISION_BITS = 160
HARDEST_ANGLE = math.ldexp(6381956970095103, 797)
"""The double nearest to a multiple of π/2 (J.-M. Muller, "Elementary Functions", 3rd ed., §11.3)."""

Arguments = tuple[float, ...]


@dataclass(frozen=True)
class Sampler:
    """Random doubles from one seed."""

    random: random.Random

    @classmethod
    def named(cls, name: str) -> Sampler:
        """The same doubles for the same name."""
        return cls(random.Random(name))  # noqa: S311  samples must repeat; nothing is secret

    def between(self, low: float, high: float, count: int = 300) -> list[float]:
        """Evenly spread."""
        return [self.random.uniform(low, high) for _ in range(count * POINTS)]

    def powers(self, low: float, high: float, count: int = 300) -> list[float]:
        """2^e, e evenly spread."""
        return [math.ldexp(2.0 ** (e % 1.0), math.floor(e)) for e in self.between(low, high, count)]

    def signed(self, values: list[float]) -> list[float]:
        """The values with random signs."""
        return [self.random.choice((-1.0, 1.0)) * v for v in values]

    def around(self, centre: float, count: int = 150, farthest: int = -2) -> list[float]:
        """Doubles on both sides of the centre, most of them very near, and its neighbours."""
        near = [centre + d for d in self.signed(self.powers(-54, farthest, count))]
        return [*near, math.nextafter(centre, -math.inf), centre, math.nextafter(centre, math.inf)]


def ulp_error(got: float, exact: mpf) -> float:
    """|got - exact| in units of the last place of `exact` as a double (2^-1074 among subnormals)."""
    overflow = mpf(2) ** 1024 - mpf(2) ** 970
    if math.isinf(got):
        return 0.0 if abs(exact) >= overflow and (got > 0) == (exact > 0) else math.inf
    if math.isnan(got):
        return math.inf
    exponent = max(int(mp.floor(mp.log(abs(exact), 2))), -1022) if exact else -1022
    return float(abs(mpf(got) - exact) / mpf(2) ** (exponent - 52))


def worst_error(
    function: Callable[..., float], reference: Callable[..., mpf], points: list[Arguments]
) -> tuple[float, Arguments]:
    """The largest ulp error over the points, and where it is."""
    with mp.workprec(PRECISION_BITS):
        errors = ((ulp_error(function(*at), reference(*map(mpf, at))), at) for at in points)
        return max(errors, key=lambda pair: pair[0])
