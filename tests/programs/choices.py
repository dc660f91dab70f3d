"""Make random decisions for a generator of programs, by Hypothesis or from a seed.

Every decision is a whole number from 0 (the simplest decision) to a bound. Hypothesis makes
failing programs smaller, but a seed draws programs ten times as fast. Recorded decisions can be repeated.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

WILD = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, -2.5e-310, 1e308, 1e-200, -1e18, 3.0)
"""Numbers at which arithmetic has special cases."""

TAMEST = 2000
"""A tame number is n/1000 with an integer n from -TAMEST to TAMEST."""

T = TypeVar("T")


class Choices:
    """Draws random values. The function call below(n) must return a random integer from 0 to n - 1."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below

    def flag(self) -> bool:
        """True or False."""
        return self.below(2) == 1

    def between(self, lo: int, hi: int) -> int:
        """A whole number from lo to hi."""
        return lo + self.below(hi - lo + 1)

    def one(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def tame(self) -> float:
        """A number of moderate size."""
        size = self.below(TAMEST + 1) / 1000.0
        return -size if size and self.flag() else size

    def wild(self) -> float:
        """Return a moderate number, a number from WILD, or a double with random bits."""
        kind = self.below(4)
        if kind < 2:
            return self.tame()
        if kind == 2:
            return self.one(WILD)
        return float(struct.unpack("<d", self.below(1 << 64).to_bytes(8, "little"))[0])


def drawn(draw: Any) -> Choices:
    """Decisions that Hypothesis makes."""
    return Choices(lambda n: draw(st.integers(0, n - 1)) if n > 1 else 0)


class Recorded(Choices):
    """Repeats the decisions in `first`, and then draws more from a seed. `made` records all decisions."""

    def __init__(self, seed: int | str | None, first: Sequence[int] = ()) -> None:
        super().__init__(self._next)
        self.made: list[int] = []
        self._first = first
        self._random = None if seed is None else random.Random(seed)  # noqa: S311 - it must repeat

    def _next(self, n: int) -> int:
        k = len(self.made)
        if k < len(self._first):
            made = self._first[k] % n
        else:
            made = self._random.randrange(n) if self._random else 0
        self.made.append(made)
        return made


def shrunk(made: Sequence[int], fails: Callable[[Choices], bool], tries: int = 3000) -> list[int]:
    """Simplify a list of decisions: remove or decrease some of them while `fails` still returns True.

    Missing decisions at the end of a list count as 0.
    """
    best = list(made)

    def better(candidate: list[int]) -> bool:
        nonlocal best, tries
        tries -= 1
        if tries < 0:
            return False
        choices = Recorded(None, candidate)
        if not fails(choices):
            return False
        while choices.made and choices.made[-1] == 0:
            choices.made.pop()
        shorter = (len(choices.made), choices.made) < (len(best), best)
        best = choices.made if shorter else best
        return shorter

    progress = True
    while progress and tries > 0:
        progress = False
        for size in (64, 16, 8, 4, 3, 2, 1):
            k = 0
            while k < len(best):
                if better([*best[:k], *best[k + size :]]):
                    progress = True
                else:
                    k += size
        for k in range(len(best)):
            for smaller in (0, best[k] // 2 if k < len(best) else 0, best[k] - 1 if k < len(best) else 0):
                if k < len(best) and smaller < best[k] and better([*best[:k], smaller, *best[k + 1 :]]):
                    progress = True
                    break
    return best
