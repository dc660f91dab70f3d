"""Draw arguments that reach every branch of the mathlib functions, and measure the functions' errors."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mpmath import libmp, mp, mpf

from tests.seeds import NIGHTLY, chosen_seed

POINTS = 1_000_000 if NIGHTLY else 3_000
"""The smallest number of points at which a function is compared with mpmath."""
PRECISION_BITS = 120
HARDEST_ANGLE = math.ldexp(6381956970095103, 797)
"""The double that, of all doubles, is closest to a multiple of
π/2 (J.-M. Muller, "Elementary Functions", 3rd ed., §11.3)."""

Arguments = tuple[float, ...]


@dataclass(frozen=True)
class Sampler:
    """A source of random doubles.

    times: a factor. A method with the argument `count` draws `count` · `times` doubles.
    """

    random: random.Random
    times: int = 1

    @classmethod
    def named(cls, name: str, times: int = 1) -> Sampler:
        """Make a sampler. Its seed consists of `name` and, if there is one, the seed of the test run."""
        chosen = chosen_seed()
        seed = name if chosen is None else f"{name} {chosen}"
        return cls(random.Random(seed), times)  # noqa: S311  samples must repeat; nothing is secret

    def between(self, low: float, high: float, count: int = 300) -> list[float]:
        """Draw doubles that are distributed uniformly over an interval."""
        return [self.random.uniform(low, high) for _ in range(count * self.times)]

    def powers(self, low: float, high: float, count: int = 300) -> list[float]:
        """2^e, with e distributed uniformly."""
        return [math.ldexp(2.0 ** (e % 1.0), math.floor(e)) for e in self.between(low, high, count)]

    def signed(self, values: list[float]) -> list[float]:
        """The values with random signs."""
        return [self.random.choice((-1.0, 1.0)) * v for v in values]

    def around(self, centre: float, count: int = 150, farthest: int = -2) -> list[float]:
        """Draw doubles on both sides of `centre`. Add `centre` and its two neighbouring doubles."""
        near = [centre + d for d in self.signed(self.powers(-54, farthest, count))]
        return [*near, math.nextafter(centre, -math.inf), centre, math.nextafter(centre, math.inf)]


def points_of(sample: Callable[[Sampler], list[Any]], name: str, least: int = POINTS) -> list[Arguments]:
    """Draw at least `least` points for testing a function. `name` is the seed."""
    times = -(-least // len(sample(Sampler.named(name))))
    sampled = sample(Sampler.named(name, times))
    while len(sampled) < least:
        times += 1 + times // 50
        sampled = sample(Sampler.named(name, times))
    return [at if isinstance(at, tuple) else (at,) for at in sampled]


def ulp_error(got: float, exact: mpf) -> float:
    """Return |got - exact| in ulps. One ulp is the distance between neighbouring doubles near `exact`."""
    if math.isnan(got):
        return math.inf
    _, mantissa, exponent, bits = exact._mpf_
    if math.isinf(got):
        overflows = mantissa and abs(exact) >= OVERFLOW
        return 0.0 if (overflows and (got > 0) == (exact > 0)) or exact == got else math.inf
    difference = libmp.mpf_abs(libmp.mpf_sub(libmp.from_float(got), exact._mpf_, 53))
    last_place = max(exponent + bits - 1, -1022) if mantissa else -1022
    return float(libmp.to_float(libmp.mpf_shift(difference, 52 - last_place)))


OVERFLOW = mpf(2) ** 1024 - mpf(2) ** 970
"""The smallest number that is rounded to infinity."""


def worst_error(
    values: Sequence[float], reference: Callable[..., mpf], points: Sequence[Arguments]
) -> tuple[float, Arguments]:
    """Return the largest error in ulps, and the point where it occurs."""
    with mp.workprec(PRECISION_BITS):
        errors = (
            (ulp_error(got, reference(*map(mpf, at))), at) for got, at in zip(values, points, strict=True)
        )
        return max(errors, key=lambda pair: pair[0])
