"""The numbers that chapter 8 of the book must show. A formula and NumPy compute them."""

from __future__ import annotations

import numpy as np

RELATIVE = 1e-6
ABSOLUTE = 1e-12
EDGES = [(0, k) for k in range(1, 7)] + [(k, k % 6 + 1) for k in range(1, 7)]


def energy(steps: int) -> float:
    k = np.arange(6)
    rim = np.stack([1.5 * np.cos(1.05 * k + 0.4 * np.sin(5 * k)), 0.7 * np.sin(1.05 * k)], axis=1)
    at = np.concatenate([[[0.2, 0.1]], rim])
    for step in range(steps + 1):
        slope, total = np.zeros_like(at), 0.0
        for i, j in EDGES:
            way = at[i] - at[j]
            length = float(np.hypot(*way))
            total += (length - 1) ** 2
            slope[i] += 2 * (length - 1) * way / length
            slope[j] -= 2 * (length - 1) * way / length
        if step < steps:
            at[1:] -= 0.1 * slope[1:]
    return total


CLAIMS = {
    # Three circles at the distance s from the middle have the energy 3 s² + 3 w (1 − √3 s)². At the minimum
    # of the energy, the overlap 1 − √3 s is 1/(1 + 3 w).
    "circles": {"one": 1 / 4, "ten": 1 / 31, "hundred": 1 / 301},
    "graph": {"before": energy(0), "some": energy(20), "after": energy(200)},
}
NUMBERS = {"limit": 0.01, "weight": 33}
