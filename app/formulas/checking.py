"""Whether a formula's module tells the truth at a point: against the interpreter and against differences.

The interpreter runs the rows of the formula and its derivatives, so it catches what emission or a damaged
module gets wrong. Differences know nothing of differentiation, so they catch wrong rows: those of the value
must be the gradient, and those of the gradient, which is then trusted, the Hessian.

A central difference D(h) = (q(p + h) − q(p − h)) / 2h errs by c·h² + …, so the two at h and h/2 give a better
one, R = D(h/2) + (D(h/2) − D(h)) / 3 (Richardson). |R − D(h/2)| is about the error of the worse; three times
that bounds R's even where the error falls with h only, as beside a kink of a derivative. To this comes what
the rounding of q makes of a difference. An entry agrees if it lies within the bound for one of six steps h,
and the bound is below a ten thousandth of how much the function changes. It is called wrong only where two
steps agree with each other, and not with it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

ENTRIES: Final = ("f", "fx", "fy", "fxx", "fxy", "fyy")
"""What is checked, in the module's order."""
DIFFERENCES: Final = (("fx", 0, 0), ("fy", 0, 1), ("fxx", 1, 0), ("fxy", 2, 0), ("fxy", 1, 1), ("fyy", 2, 1))
"""(entry, of which of the entries it is the difference, along which variable)."""
STEPS: Final = tuple(2.0**-k for k in (14, 11, 8, 17, 20, 5))
"""In units of max(1, |x|), the most promising first; the two finest are the last but one and but two."""
USEFUL: Final = 1e-4
"""A bound that is larger than this, relatively, says nothing."""
ROUNDING: Final = 16 * 2.0**-52
"""How far, relatively, a value may be from what exact arithmetic gives; cancellation can make it more."""
GAP_LEFT: Final = 0.5
"""The slopes to the right and to the left come nearer with the step, to an eighth from one step to the next;
where they keep more than this share of their gap, there is a kink or a jump."""

Point = Sequence[float]
Jet = Callable[[Point], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry by differences, and a bound of its error.

    size: how large the entry could well be, by the values around and the other entries; `near` by the first.
    gap: between the slopes to the right and to the left.
    """

    value: float
    bound: float
    size: float
    near: float
    gap: float

    @property
    def is_useful(self) -> bool:
        """Whether the bound is small enough to tell a right entry from a wrong one."""
        return self.bound <= USEFUL * max(abs(self.value), self.size)

    @property
    def is_sharp(self) -> bool:
        """Whether it is small enough to believe the difference against the entry."""
        return self.bound <= USEFUL * max(abs(self.value), self.near)


def verdict(
    jet: Jet,
    point: Point,
    shown: Sequence[float],
    entries: Sequence[str] = ENTRIES,
    differences: Sequence[tuple[str, int, int]] = DIFFERENCES,
) -> dict[str, Any]:
    """What becomes of the numbers shown, the entries, at a point.

    jet: the interpreter's entries at a point; only coordinates that have a difference are varied.

    Returns {"state"} and what it is about. "agree": {"within"}, the largest relative bound. "differ":
    {"entry", "shown", "expected", "by": "interpreter" | "differences"}. "undefined": f is not finite here.
    "singular": {"entry"} is not. "kink", "edge", "rough": {"entry"}; the two sides have different slopes, one
    side is not there, or no step gives a useful bound.
    """
    expected = jet(point)
    for entry, found, wanted in zip(entries, shown, expected, strict=True):
        if found != wanted and not (math.isnan(found) and math.isnan(wanted)):
            return differ(entry, found, wanted, "interpreter")
    if not math.isfinite(shown[0]):
        return {"state": "undefined"}
    for entry, found in zip(entries, shown, strict=True):
        if not math.isfinite(found):
            return {"state": "singular", "entry": entry}
    change = max(map(abs, shown))
    within = 0.0
    for entry, of, along in differences:
        found = shown[entries.index(entry)]
        tried = _compare(jet, point, found, change, of, along)
        if not isinstance(tried, float):
            return {**tried, "entry": entry}
        within = max(within, tried)
    return {"state": "agree", "within": within}


def differ(entry: str, shown: float, expected: float, by: str) -> dict[str, Any]:
    """The verdict on a wrong number, and what it should be."""
    numbers = {
        name: x if math.isfinite(x) else str(x) for name, x in (("shown", shown), ("expected", expected))
    }
    return {"state": "differ", "entry": entry, **numbers, "by": by}


def _compare(
    jet: Jet, point: Point, shown: float, change: float, of: int, along: int
) -> float | dict[str, Any]:
    """The bound within which an entry agrees, relative to it and to `change`, or why it does not."""
    tried: list[Difference] = []
    for step in STEPS:
        found = _difference(jet, point, change, of, along, step * max(1.0, abs(point[along])))
        tried.append(found)
        if found.is_useful and abs(found.value - shown) <= found.bound:
            return found.bound / max(abs(shown), found.size, math.ulp(0))
    fine = tried[-2]
    if math.isnan(fine.value):
        return {"state": "edge"}
    if fine.gap > fine.bound + USEFUL * max(abs(shown), fine.size) and fine.gap > GAP_LEFT * tried[-3].gap:
        return {"state": "kink"}
    agreed = next((late for early, late in itertools.pairwise(tried) if _meet(early, late)), None)
    return {"state": "rough"} if agreed is None else differ("", shown, agreed.value, "differences")


def _meet(one: Difference, other: Difference) -> bool:
    """Whether two steps, both sharp, say the same."""
    return one.is_sharp and other.is_sharp and abs(one.value - other.value) <= one.bound + other.bound


def _difference(jet: Jet, point: Point, change: float, of: int, along: int, step: float) -> Difference:
    """Richardson's difference of one of the entries along a variable."""

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
