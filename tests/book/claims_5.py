"""The numbers of chapter 5, by hand."""

from __future__ import annotations

import math


def rounds() -> int:
    """Count the steps that Heron's method takes to find √4 from the guess 1."""
    guess, change, count = 1.0, 1.0, 0
    while change > 1e-12:
        new = (guess + 4 / guess) / 2
        guess, change, count = new, abs(new - guess), count + 1
    return count


CLAIMS = {
    "loops": {"rounds": rounds(), "root": 2, "slope": 0.25, "formula": 0.25},
    "branches": {"low": 0.1, "middle": 0.3, "high": 0.5, "corner": 0.3},
    "memory": {"steps": 64, "all": 64, "best": 8, "least": 16},
    "not_a_number": {"careless": math.nan, "careful": 0},
}
NUMBERS = {"best": 16, "jump": 2.5}
