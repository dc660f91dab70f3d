"""The numbers that chapter 1 of the book must show, computed by hand or with Python's `math`."""

from __future__ import annotations

import math


def magnified_gap(zoom: int) -> float:
    """Magnify sin 3x + x²/2 at ½ by 10^zoom. Return the largest gap between the curve and its tangent."""

    def wave(x: float) -> float:
        return math.sin(3 * x) + x * x / 2

    width, slope = 10.0**-zoom, 3 * math.cos(1.5) + 0.5
    return max(
        abs((wave(0.5 + u / 100 * width) - wave(0.5)) / width - slope * u / 100) for u in range(-100, 101)
    )


CLAIMS = {
    "secants": {"wide": 3, "near": 2.1, "close": 2.01, "slope": 2},  # (1 + h)² rises 2 + h per unit
    "magnified": {"ten": magnified_gap(1), "hundred": magnified_gap(2), "thousand": magnified_gap(3)},
    "slopes": {"top": 2, "bottom": -2, "left": 0, "right": 0, "steepest": -3},  # 3x² − 3
    "vee": {
        "large": abs((math.sin(1.1) - math.sin(1)) / 0.1 - math.cos(1)),
        "best": abs((math.sin(1 + 1e-8) - math.sin(1)) / 1e-8 - math.cos(1)),
        "tiny": abs((math.sin(1 + 1e-15) - math.sin(1)) / 1e-15 - math.cos(1)),
        "exact": 0,  # Im sin(1 + ih) = cos 1 · sinh h, and for this small h, sinh h = h as floats
    },
    "corner": {"right": 1, "left": -1},
}
NUMBERS = {"cubed": 12, "secant": 4.5, "steep": 2}
