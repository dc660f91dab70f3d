"""Make a kernel that computes a formula's Taylor polynomial in x and y, up to order 8, about any point.

Consider the terms of degree d ≤ 8 of a polynomial in u and v. On the unit circle, with u = cos θ and v = sin
θ, they are a sum of d + 1 waves e^(i(2k − d)θ), k = 0 … d. `eg.taylor` along the line with the angle θ gives
the value of this sum. The values at the nine angles 0, π/9, … 8π/9 determine up to nine waves (discrete
Fourier transform). So Taylor series along nine lines determine all coefficients of the polynomial: each
coefficient is a fixed linear combination of the nine series' coefficients.
"""

from __future__ import annotations

import cmath
import json
import math
from collections.abc import Sequence
from typing import Any, Final

import eglantine as eg
from eglantine import Artifact, formulas
from eglantine import numpy as enp

HIGHEST: Final = 8
DIRECTIONS: Final = HIGHEST + 1
COUNT: Final = (HIGHEST + 1) * (HIGHEST + 2) // 2
"""The number of coefficients of a polynomial of order HIGHEST in two variables."""


def polynomial(f: eg.Fn, parameters: int) -> eg.Fn:
    """Make the function (x, y, a, b, parameters…) → the coefficients c of f's Taylor polynomial at (x, y).

    f(x + a·u, y + b·v) ≈ Σ c·u^(d − j)·v^j. The coefficients are sorted by d = 0 … HIGHEST, then by j = 0 …
    d. The numbers a and b are scales. For example, let a be half the width and b half the height of a region
    around (x, y). Then u and v go from −1 to 1 in the region.
    """
    angles = [math.pi * k / DIRECTIONS for k in range(DIRECTIONS)]
    across, up = [math.cos(angle) for angle in angles], [math.sin(angle) for angle in angles]
    tables = [weights(degree) for degree in range(HIGHEST + 1)]

    @eg.fn([eg.Real, eg.Real, eg.Real, eg.Real, *(eg.Real,) * parameters])
    def coefficients(x: Any, y: Any, a: Any, b: Any, *rest: Any) -> Any:
        us, vs = eg.asarray(across), eg.asarray(up)

        def along(k: Any) -> Any:
            du, dv = a * us[k], b * vs[k]
            series = eg.taylor(lambda t: f(x + t * du, y + t * dv, *rest), 0.0, order=HIGHEST)
            return eg.asarray(series)

        lines = eg.vec(DIRECTIONS, along)
        parts = [
            eg.vec(degree + 1, lambda j, degree=degree: eg.sum(
                DIRECTIONS, lambda k: eg.asarray(tables[degree])[j][k] * lines[k][degree]
            ))
            for degree in range(HIGHEST + 1)
        ]  # fmt: skip
        return enp.concatenate(parts)

    return coefficients


def weights(degree: int) -> list[list[float]]:
    """Return, for each j = 0 … degree, the nine lines' weights in the coefficient of u^(degree − j)·v^j."""
    waves = [_monomials(k, degree - k) for k in range(degree + 1)]
    return [
        [
            sum(
                (cmath.exp(-1j * (2 * k - degree) * math.pi * n / DIRECTIONS) * waves[k][j]).real
                for k in range(degree + 1)
            )
            / DIRECTIONS
            for n in range(DIRECTIONS)
        ]
        for j in range(degree + 1)
    ]


def _monomials(p: int, q: int) -> list[complex]:
    """Expand (u + iv)^p·(u − iv)^q. Return the coefficient of u^(p + q − j)·v^j for each j = 0 … p + q."""
    product: list[complex] = [1]
    for sign in (*(1j,) * p, *(-1j,) * q):
        product = [before + sign * after for before, after in zip([*product, 0], [0, *product], strict=True)]
    return product


def compile_polynomial(f: eg.Fn) -> Artifact:
    """Compile the `polynomial` of a formula."""
    return eg.compile_artifact(polynomial(f, len(f.function.params) - 2))


def answered(text: str, names: Sequence[str]) -> tuple[str, bytes]:
    """Answer a page's request. Return JSON {"ok", "abi" or "error"} and the module, which may be empty."""
    try:
        artifact = compile_polynomial(formulas.to_fn(text, names))
    except eg.EglantineError as error:
        return json.dumps({"ok": False, "error": {"message": str(error)}}), b""
    return json.dumps({"ok": True, "abi": artifact.abi}), artifact.wasm
