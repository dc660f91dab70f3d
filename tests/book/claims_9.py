"""The numbers that chapter 9 of the book must show. NumPy computes them from the normal equations."""

from __future__ import annotations

import math

import numpy as np

X, Y = np.array([0.5, 1.5, 2.5, 3.5]), np.array([1.2, 1.4, 2.6, 2.7])
A = np.stack([X, np.ones(4)], axis=1)
COVARIANCE = np.linalg.inv(A.T @ A)
BEST = COVARIANCE @ A.T @ Y
SIGMA = math.sqrt(np.sum((A @ BEST - Y) ** 2) / 2)
CLAIMS = {
    "line": {
        "slope": BEST[0], "slope_error": SIGMA * math.sqrt(COVARIANCE[0, 0]),
        "height": BEST[1], "height_error": SIGMA * math.sqrt(COVARIANCE[1, 1]),
    },
    "ellipse": {
        "rise": 0.3**2 / 2,
        "correlation": COVARIANCE[0, 1] / math.sqrt(COVARIANCE[0, 0] * COVARIANCE[1, 1]),
    },
}  # fmt: skip
NUMBERS = {"half": 0.5, "none": 0}
