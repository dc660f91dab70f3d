"""Figures of chapter 9, "Fitting and doubting"."""

from __future__ import annotations

import math
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from eglantine import math as em

XS = (0.5, 1.5, 2.5, 3.5)
YS = (1.2, 1.4, 2.6, 2.7)
"""Four measurements."""
LINE = 40
SIGMA = 0.3
"""The first value of the second figure's slider, which sets the error of a measurement."""


def badness(slope: Any, height: Any, ys: Any) -> Any:
    """Return half the sum of the squared vertical distances between a line and the points."""
    total: Any = 0.0
    for x, y in zip(XS, ys, strict=True):
        total = total + (height + slope * x - y) * (height + slope * x - y) / 2
    return total


def fitted(ys: Any) -> tuple[Any, Any, Any]:
    """Fit a line by one step of Newton's method. Return its slope, its height, and the inverse Hessian.

    The inverse Hessian (p, q; q, r) is symmetric, so the function returns it as (p, q, r).
    """
    across, up = eg.grad(lambda a, b: badness(a, b, ys), (0, 1))(0.0, 0.0)
    (p, q), (_, r) = eg.hessian(lambda a, b: badness(a, b, ys), (0, 1))(0.0, 0.0)
    size = p * r - q * q
    slope, height = -(r * across - q * up) / size, -(p * up - q * across) / size
    return slope, height, (r / size, -q / size, p / size)


def line() -> Shown:
    """A figure of a line that is fitted to four points. A band shows the uncertainty of the line."""

    def through(x: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        slope, height, _ = fitted([a[1], b[1], c[1], d[1]])
        return height + slope * x

    through.__name__ = "fit"

    def edge(sign: float) -> Any:
        def path(a: Any, b: Any, c: Any, d: Any) -> Any:
            ys = [a[1], b[1], c[1], d[1]]
            slope, height, (p, q, r) = fitted(ys)
            sigma = em.sqrt(2 * badness(slope, height, ys) / (len(ys) - 2))

            def at(i: Any) -> Any:
                x = eg.real(i) * (4 / LINE)
                return height + slope * x + sign * sigma * em.sqrt(p * x * x + 2 * q * x + r)

            return eg.vec(LINE + 1, lambda i: eg.real(i) * (4 / LINE)), eg.vec(LINE + 1, at)

        return path

    def found(a: Any, b: Any, c: Any, d: Any) -> Any:
        ys = [a[1], b[1], c[1], d[1]]
        slope, height, (p, _, r) = fitted(ys)
        sigma = em.sqrt(2 * badness(slope, height, ys) / (len(ys) - 2))
        return slope, sigma * em.sqrt(p), height, sigma * em.sqrt(r)

    named = {name: eg.point((x, y), on="y") for name, x, y in zip("abcd", XS, YS, strict=True)}
    figure = eg.figure(
        through, x=(0, 4), y=(0, 4), show=(), paths={"upper": edge(1.0), "lower": edge(-1.0)},
        says=("Slope {} ± {}, height {} ± {}", found), **named,
    )  # fmt: skip
    slope, slope_error, height, height_error = found(*((0.0, y) for y in YS))
    return shown(
        figure,
        "The best line has the slope {slope} ± {slope_error} and starts at a height of {height} ± {height_error}. The "
        "errors come from the inverse of the Hessian.",
        slope=slope, slope_error=slope_error, height=height, height_error=height_error,
    )  # fmt: skip


def ellipse() -> Shown:
    """A figure of an ellipse. Each of its points gives a line that fits almost as well as the best line."""

    def loss(slope: Any, height: Any) -> Any:
        return badness(slope, height, YS)

    best_slope, best_height, (p, q, r) = fitted(YS)

    def ring(sigma: Any) -> Any:
        # a square root of the inverse Hessian maps a circle to the ellipse
        first, second = math.sqrt(p), q / math.sqrt(p)
        third = math.sqrt(r - second * second)

        def turned(i: Any) -> Any:
            return eg.real(i) * (2 * math.pi / LINE)

        return (
            eg.vec(LINE + 1, lambda i: best_slope + sigma * first * em.cos(turned(i))),
            eg.vec(
                LINE + 1,
                lambda i: best_height + sigma * (second * em.cos(turned(i)) + third * em.sin(turned(i))),
            ),
        )

    figure = eg.figure(
        loss, slope=(-0.5, 1.5), height=(-1, 3), at=eg.point((0.25, 1.5)), kind="contour", show=(),
        sigma=eg.slider(0.05, 1, SIGMA), paths={"ellipse": ring},
    )  # fmt: skip
    rise = [
        float(loss(best_slope + SIGMA * math.sqrt(p), best_height + SIGMA * q / math.sqrt(p)))
        - float(loss(best_slope, best_height))
    ]
    return shown(
        figure,
        "All lines on the ellipse for an error of σ = 0.3 have a loss that is larger by {rise}, which is σ²/2. The "
        "ellipse leans, because a steeper line must start lower: the correlation is {correlation}.",
        rise=rise[0], correlation=q / math.sqrt(p * r),
    )  # fmt: skip


FIGURES = {"line": line, "ellipse": ellipse}
NUMBERS = {"half": 1 / math.sqrt(4), "none": 0}
