"""The numbers that chapter 2 of the book must show.

The counts of terms come from published tables. The first counts are easy to check by hand.
"""

from __future__ import annotations

import math

SLOPE = math.sin(2) + 2 * math.cos(2)


def difference(h: float) -> float:
    return ((2 + h) * math.sin(2 + h) - 2 * math.sin(2)) / h


# sin x · cos y + x y / 4 has the derivatives cos x cos y + y/4 and −sin x sin y + x/4, here at (1, 1)
EAST, NORTH = math.cos(1) ** 2 + 0.25, 0.25 - math.sin(1) ** 2
LENGTH = math.hypot(EAST, NORTH)
CLAIMS = {
    "four": {
        "half": difference(0.5), "small": difference(0.001), "symbolic": SLOPE, "forward": SLOPE,
        "backward": SLOPE,
    },
    "explosion": {"most": 8, "texts": 4607, "rows": 23, "products": 9, "chain": 105},
    "matrix": {"cells": 24, "columns": 6, "rows": 4, "gap": 0},
    "directions": {
        "east": EAST, "north": NORTH, "angle": 360 + math.degrees(math.atan2(NORTH, EAST)), "most": LENGTH,
        "length": LENGTH,
    },
}  # fmt: skip
NUMBERS = {
    "terms_0": 7, "terms_1": 11, "terms_2": 19, "terms_3": 35, "twice": 2 * math.cos(1),
    "level": 90 + math.degrees(math.atan2(NORTH, EAST)), "nine": 2 * (4607 + 511 + 1) + 1,
}  # fmt: skip
