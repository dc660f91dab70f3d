"""Check the numbers that a formula's module computes at a point.

There are two checks. First, the interpreter runs the rows (operations) of the formula and its derivatives.
Its numbers differ from the module's if the compiler emitted wrong code or the module is damaged. Second, we
compare derivatives with difference quotients. These do not use the rules of differentiation, so they reveal a
wrong rule. The gradient is compared with differences of the value, and then the Hessian with differences of
the gradient.

A central difference D(h) = (q(p + h) − q(p − h)) / 2h has an error of c·h² + …. From the differences for h
and h/2 we compute the better value R = D(h/2) + (D(h/2) − D(h)) / 3 (Richardson). |R − D(h/2)| is about the
error of D(h/2). Three times this amount bounds the error of R. This is true even beside a kink of a
derivative, although errors there shrink only in proportion to h. We add a second term to the bound: the error
from the rounding of q.

We try six steps h. An entry of the gradient or Hessian is right if one step gives a bound below 1/10000 of
the entry's size, and the entry differs from R by at most this bound. We call an entry wrong only if two steps
agree with each other but not with the entry.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

ENTRIES: Final = ("f", "fx", "fy", "fxx", "fxy", "fyy")
"""The names of the checked numbers, in the order of the module's result."""
DIFFERENCES: Final = (("fx", 0, 0), ("fy", 0, 1), ("fxx", 1, 0), ("fxy", 2, 0), ("fxy", 1, 1), ("fyy", 2, 1))
"""The difference quotients. Each has the entry that it estimates, the index (in ENTRIES) of the entry from
whose values it is computed, and the index of the variable that is varied."""
STEPS: Final = tuple(2.0**-k for k in (14, 11, 8, 17, 20, 5))
"""The steps h of the difference quotients, in units of max(1, |x|). The most promising step is the first. The
finest step, 2⁻²⁰, is second to last. The next finest, 2⁻¹⁷, is just before it. `_compare` relies on this
order."""
USEFUL: Final = 1e-4
"""The largest relative error bound of a difference quotient that is used."""
ROUNDING: Final = 16 * 2.0**-52
"""The assumed relative rounding error of a value. Cancellation can make the actual error larger."""
GAP_LEFT: Final = 0.5
"""The gap is the difference between the slopes to the right and to the left of a point. If the step shrinks
from 2⁻¹⁷ to 2⁻²⁰, an eighth of the gap should remain. There is a kink or a jump if more than the fraction
GAP_LEFT remains."""

Point = Sequence[float]
Jet = Callable[[Point], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Difference:
    """An estimate of an entry of a gradient or Hessian by difference quotients, with a bound on the error.

    size: the entry's order of magnitude, estimated from function values near the point and other entries.
    near: the entry's order of magnitude, estimated only from function values near the point.
    gap: the difference between the slope to the right of the point and the slope to the left.
    """

    value: float
    bound: float
    size: float
    near: float
    gap: float

    @property
    def is_useful(self) -> bool:
        """True if the bound is small enough to tell a right entry from a wrong entry."""
        return self.bound <= USEFUL * max(abs(self.value), self.size)

    @property
    def is_sharp(self) -> bool:
        """True if the bound is so small that an entry outside the bound must be wrong."""
        return self.bound <= USEFUL * max(abs(self.value), self.near)


def verdict(
    jet: Jet,
    point: Point,
    shown: Sequence[float],
    entries: Sequence[str] = ENTRIES,
    differences: Sequence[tuple[str, int, int]] = DIFFERENCES,
) -> dict[str, Any]:
    """Judge the numbers that a page shows as value, gradient and Hessian at a point.

    jet: a function that computes the value and derivatives at a point by the interpreter.

    Returns {"state"} with details that depend on the state:
        "agree": {"within"}, the largest relative error bound.
        "differ": {"entry", "shown", "expected", "by": "interpreter" | "differences"}.
        "undefined": f is not finite here.
        "singular": {"entry"}, an entry that is not finite.
        "kink": {"entry"}. The slopes to the left and to the right of the point are different.
        "edge": {"entry"}. The function is defined only on one side of the point.
        "rough": {"entry"}. No step gives a useful bound.
    """
    expected = jet(point)
    for entry, value, wanted in zip(entries, shown, expected, strict=True):
        if value != wanted and not (math.isnan(value) and math.isnan(wanted)):
            return differ(entry, value, wanted, "interpreter")
    if not math.isfinite(shown[0]):
        return {"state": "undefined"}
    for entry, value in zip(entries, shown, strict=True):
        if not math.isfinite(value):
            return {"state": "singular", "entry": entry}
    change = max(map(abs, shown))
    within = 0.0
    for entry, of, along in differences:
        outcome = _compare(jet, point, shown[entries.index(entry)], change, of, along)
        if not isinstance(outcome, float):
            return {**outcome, "entry": entry}
        within = max(within, outcome)
    return {"state": "agree", "within": within}


def differ(entry: str, shown: float, expected: float, by: str) -> dict[str, Any]:
    """Make the verdict "differ" for a wrong entry, with the shown and the expected number."""
    numbers = {
        name: x if math.isfinite(x) else str(x) for name, x in (("shown", shown), ("expected", expected))
    }
    return {"state": "differ", "entry": entry, **numbers, "by": by}


def _compare(
    jet: Jet, point: Point, shown: float, change: float, of: int, along: int
) -> float | dict[str, Any]:
    """Compare an entry with difference quotients. If it agrees, return the relative bound, else a verdict."""
    tried: list[Difference] = []
    for step in STEPS:
        difference = _difference(jet, point, change, of, along, step * max(1.0, abs(point[along])))
        tried.append(difference)
        if difference.is_useful and abs(difference.value - shown) <= difference.bound:
            return difference.bound / max(abs(shown), difference.size, math.ulp(0))
    fine = tried[-2]
    if math.isnan(fine.value):
        return {"state": "edge"}
    if fine.gap > fine.bound + USEFUL * max(abs(shown), fine.size) and fine.gap > GAP_LEFT * tried[-3].gap:
        return {"state": "kink"}
    agreed = next((late for early, late in itertools.pairwise(tried) if _meet(early, late)), None)
    return {"state": "rough"} if agreed is None else differ("", shown, agreed.value, "differences")


def _meet(one: Difference, other: Difference) -> bool:
    """True if two estimates are sharp (`is_sharp`) and agree within the sum of their bounds."""
    return one.is_sharp and other.is_sharp and abs(one.value - other.value) <= one.bound + other.bound


def _difference(jet: Jet, point: Point, change: float, of: int, along: int, step: float) -> Difference:
    """Estimate a derivative of the jet's entry `of`, by difference quotients and Richardson's method."""

    def at(h: float) -> float:
        moved = list(point)
        moved[along] += h
        return jet(moved)[of]

    middle, x = jet(point)[of], point[along]
    right, left, near_right, near_left = at(step), at(-step), at(step / 2), at(-step / 2)
    wide = (right - left) / ((x + step) - (x - step))
    narrow = (near_right - near_left) / ((x + step / 2) - (x - step / 2))
    better = narrow + (narrow - wide) / 3
    largest = max(map(abs, (right, left, near_right, near_left, middle)))
    bound = 3 * abs(better - narrow) + ROUNDING * largest / step
    gap = abs((near_right - middle) - (middle - near_left)) / (step / 2)
    unit = max(1.0, abs(x))
    return Difference(better, bound, max(largest, change) / unit, largest / unit, gap)
