"""Two kernels that survey a formula's surface: its critical points in a region, and the steepest descent.

A critical point is a place where the gradient g is 0. Searches start at the points of a grid over the region.
Each search uses a damped Newton method: with the Hessian H, its step is −(H² + μ·I)⁻¹·H·g. For μ = 0 this is
Newton's step −H⁻¹g. In a first attempt, μ is near 0 and the search takes every step. If it finds no critical
point, a second attempt takes only steps that make g smaller. Each such step reduces μ, and each rejected step
increases μ (Levenberg 1944, Marquardt 1963). The second attempt also finds critical points where H is
singular, such as points of a ridge.

The kernels use coordinates u and v that go from −1 to 1 across the region. So the result does not depend on
the units of x and y.
"""

from __future__ import annotations

from typing import Any, Final

import eglantine as eg
from eglantine import Artifact

STARTS: Final = 16
"""The number of starting points of searches along each side of the region."""
ROUNDS: Final = 60.0
FIRST_MU: Final = 1e-2
LEAST_MU: Final = 1e-28
"""The smallest damping μ of a step, as a fraction of the square of the largest second derivative."""
TENFOLD: Final = 10.0
LONGEST_FREE: Final = 0.4
"""The longest step of a search that takes every step, in the coordinates u and v."""
FARTHEST: Final = 1.5
"""The largest |u| and |v| that a search may reach. In the region, |u| and |v| are at most 1."""
ENOUGH: Final = 1e-13
"""The length, in the coordinates u and v, of a step that is so short that the search ends after it."""
NEAR: Final = 1e-5
"""The longest last step of a search that has found a critical point, in the coordinates u and v."""
FLAT: Final = 1e-7
"""The largest slope at the last point of a search that has found a critical point, as a fraction of the
largest slope at the starts of all searches."""

MOST_STEPS: Final = 200
FIRST_STEP: Final = 0.1
"""Half the length of the step that a descent tries first, in the coordinates u and v."""
LONGEST_STEP: Final = 0.25
SUFFICIENT: Final = 1e-4
"""The least decrease of the height in an accepted step, as a fraction of the decrease that the slope predicts
(Armijo 1966)."""
LEAST_STEP: Final = 1e-9
"""The shortest step of a descent, in the coordinates u and v. If all longer steps fail to lower the height
enough, the descent ends."""
SLIGHT: Final = 1e-8
"""The largest slope at a point where a descent has arrived, as a fraction of the slope where it began."""
SMALL: Final = 1e-3
"""The largest slope at a point where a descent has arrived because no step lowers the height enough. It is a
fraction of the slope where the descent began."""

REGION = (eg.Real, eg.Real, eg.Real, eg.Real)
"""x from, x to, y from, y to."""
RUNNING, ARRIVED, LEFT, EDGE = 0.0, 1.0, 2.0, 3.0
"""The ends of a descent: after MOST_STEPS steps, without a slope, outside the region, or at an edge. An
edge is a kink, or it is where the formula stops being defined."""


class _Surface:
    """A formula's value and derivatives in coordinates u and v, which go from −1 to 1 across the region."""

    def __init__(self, jet: eg.Fn, region: tuple[Any, ...], rest: tuple[Any, ...]) -> None:
        x0, x1, y0, y1 = region
        self.jet, self.rest = jet, rest
        self.middle = (0.5 * (x0 + x1), 0.5 * (y0 + y1))
        self.half = (0.5 * (x1 - x0), 0.5 * (y1 - y0))

    def place(self, u: Any, v: Any) -> tuple[Any, Any]:
        """x and y of a place."""
        return self.middle[0] + self.half[0] * u, self.middle[1] + self.half[1] * v

    def height(self, u: Any, v: Any) -> Any:
        """The value."""
        return self.jet(*self.place(u, v), *self.rest)["f"]

    def slopes(self, u: Any, v: Any) -> tuple[Any, Any, Any]:
        """Return the value, and its derivatives with respect to u and v."""
        full = self.jet(*self.place(u, v), *self.rest)
        return full["f"], full["g"][0] * self.half[0], full["g"][1] * self.half[1]

    def full(self, u: Any, v: Any) -> Any:
        """Return the first derivatives "g" (by u, v) and the second derivatives "h" (by uu, uv, vv)."""
        full = self.jet(*self.place(u, v), *self.rest)
        a, b = self.half
        return {
            "g": (full["g"][0] * a, full["g"][1] * b),
            "h": (full["h"][0] * a * a, full["h"][1] * a * b, full["h"][2] * b * b),
        }


def critical_points(jet: eg.Fn, parameters: int) -> eg.Fn:
    """Make the function (region…, parameters…) → results of STARTS² searches for critical points.

    Each result has x, y, f, fxx, fxy, fyy and `off`. If the search found a critical point in the region,
    `off` is the length of its last step in the coordinates u and v. Otherwise `off` is −1.
    """

    @eg.fn([*REGION, *(eg.Real,) * parameters])
    def survey(x0: Any, x1: Any, y0: Any, y1: Any, *rest: Any) -> Any:
        surface = _Surface(jet, (x0, x1, y0, y1), rest)

        def start_of(k: Any) -> Any:
            return (eg.real(k) + 0.5) * (2.0 / STARTS) - 1.0

        def slope_at(k: Any, largest: Any) -> Any:
            full = surface.full(start_of(k // STARTS), start_of(k % STARTS))
            slope = _length(*full["g"])
            return eg.select(slope < eg.math.inf, eg.math.maximum(largest, slope), largest)

        steepest = eg.fori_loop(0, STARTS * STARTS, slope_at, 0.0)

        def end_of(k: Any) -> Any:
            def search(is_free: bool) -> Any:
                end = _search(surface, start_of(k // STARTS), start_of(k % STARTS), is_free)
                inside = (abs(end["u"]) <= 1.0) & (abs(end["v"]) <= 1.0)
                found = inside & (end["slope"] <= FLAT * steepest) & (end["off"] <= NEAR)
                return {"u": end["u"], "v": end["v"], "off": eg.select(found, end["off"], -1.0)}

            free = search(True)
            end = eg.cond(free["off"] >= 0.0, lambda: free, lambda: search(False))
            x, y = surface.place(end["u"], end["v"])
            at = jet(x, y, *rest)
            off = eg.select(abs(at["f"]) < eg.math.inf, end["off"], -1.0)
            return (x, y, at["f"], at["h"][0], at["h"][1], at["h"][2], off)

        return eg.vec(STARTS * STARTS, end_of)

    return survey


def _search(surface: _Surface, u: Any, v: Any, is_free: bool) -> Any:
    """Run one search. Return its last point, the gradient's length there, and the length of its last step.

    is_free: if true, the search takes every step. If false, it takes only steps that make the gradient
        smaller.
    """

    def goes_on(c: Any) -> Any:
        near = (abs(c["u"]) <= FARTHEST) & (abs(c["v"]) <= FARTHEST)
        return near & (c["off"] > ENOUGH) & (c["mu"] < 1.0 / LEAST_MU) & (c["round"] < ROUNDS)

    def advance(c: Any) -> Any:
        (gu, gv), h = c["g"], c["h"]
        du, dv = _step(gu, gv, h, c["mu"])
        if is_free:
            shorter = eg.math.minimum(1.0, LONGEST_FREE / eg.math.maximum(_length(du, dv), LONGEST_FREE))
            du, dv = shorter * du, shorter * dv
        at = surface.full(c["u"] + du, c["v"] + dv)
        slope, before = _length(*at["g"]), _length(gu, gv)
        better = slope < eg.math.inf if is_free else slope <= before
        length = _length(du, dv)
        return {
            "u": eg.select(better, c["u"] + du, c["u"]),
            "v": eg.select(better, c["v"] + dv, c["v"]),
            "g": tuple(eg.select(better, at["g"][k], c["g"][k]) for k in range(2)),
            "h": tuple(eg.select(better, at["h"][k], c["h"][k]) for k in range(3)),
            "mu": eg.select(better, eg.math.maximum(c["mu"] / TENFOLD, LEAST_MU), c["mu"] * TENFOLD),
            "off": eg.select(better, length, c["off"]),
            "round": c["round"] + 1.0,
        }

    begin = surface.full(u, v)
    end = eg.while_loop(
        goes_on, advance,
        {"u": u, "v": v, **begin, "mu": LEAST_MU if is_free else FIRST_MU, "off": 1.0, "round": 0.0},
    )  # fmt: skip
    return {"u": end["u"], "v": end["v"], "slope": _length(*end["g"]), "off": end["off"]}


def _step(gu: Any, gv: Any, h: Any, mu: Any) -> tuple[Any, Any]:
    """Compute the step −(H² + μ·s²·I)⁻¹·H·g, where s is the largest entry of H. The step is 0 if H is 0."""
    largest = eg.math.maximum(abs(h[0]), eg.math.maximum(abs(h[1]), abs(h[2])))
    scale = eg.select(largest > 0.0, 1.0 / largest, 0.0)
    a, b, d = h[0] * scale, h[1] * scale, h[2] * scale
    p, q, r = a * a + b * b + mu, b * (a + d), b * b + d * d + mu
    mu_, mv = (a * gu + b * gv) * scale, (b * gu + d * gv) * scale
    determinant = p * r - q * q
    safe = eg.select(determinant > 0.0, determinant, 1.0)
    return (q * mv - r * mu_) / safe, (q * mu_ - p * mv) / safe


def _length(x: Any, y: Any) -> Any:
    return eg.math.sqrt(x * x + y * y)


def descent_path(jet: eg.Fn, parameters: int) -> eg.Fn:
    """Make the function (x, y, region…, parameters…) → {"path", "count", "end"} for steepest descent.

    path: MOST_STEPS places (x, y). Only the first `count` places belong to the descent.
    end: the reason why the descent ended: RUNNING, ARRIVED, LEFT or EDGE.

    Each step follows the negative gradient in the coordinates u and v. We halve the length of a step until
    the step lowers f enough. The next step starts with twice this length.
    """

    @eg.fn([eg.Real, eg.Real, *REGION, *(eg.Real,) * parameters])
    def descend(x: Any, y: Any, x0: Any, x1: Any, y0: Any, y1: Any, *rest: Any) -> Any:
        surface = _Surface(jet, (x0, x1, y0, y1), rest)
        u, v = (x - surface.middle[0]) / surface.half[0], (y - surface.middle[1]) / surface.half[1]
        f, gu, gv = surface.slopes(u, v)
        begin = {"u": u, "v": v, "f": f, "gu": gu, "gv": gv, "step": FIRST_STEP, "end": RUNNING, "count": 0.0}
        first = _length(gu, gv)

        def advance(c: Any, _: Any) -> Any:
            on = c["end"] == RUNNING
            after = eg.cond(on, lambda: _downhill(surface, c, first), lambda: c)
            return after, surface.place(after["u"], after["v"])

        end, places = eg.scan(advance, begin, length=MOST_STEPS)
        return {"path": places, "count": end["count"], "end": end["end"]}

    return descend


def _downhill(surface: _Surface, c: Any, first: Any) -> Any:
    """The state of a descent after one step."""
    slope = _length(c["gu"], c["gv"])
    safe = eg.select(slope > 0.0, slope, 1.0)
    du, dv = -c["gu"] / safe, -c["gv"] / safe

    def is_too_long(t: Any) -> Any:
        lower = surface.height(c["u"] + t * du, c["v"] + t * dv)
        enough = lower <= c["f"] - SUFFICIENT * t * slope
        return ~enough & (t > LEAST_STEP)

    t = eg.while_loop(is_too_long, lambda t: 0.5 * t, eg.math.minimum(2.0 * c["step"], LONGEST_STEP))
    stuck = t <= LEAST_STEP
    arrived = (slope <= SLIGHT * first) | (stuck & (slope <= SMALL * first))
    u, v = c["u"] + t * du, c["v"] + t * dv
    f, gu, gv = surface.slopes(u, v)
    outside = (abs(u) > 1.0) | (abs(v) > 1.0)
    on = ~(stuck | outside) & (abs(c["f"]) + slope < eg.math.inf)
    moves = on & ~arrived
    end = eg.select(
        arrived, ARRIVED, eg.select(on, RUNNING, eg.select(stuck, EDGE, eg.select(outside, LEFT, EDGE)))
    )
    return {
        "u": eg.select(moves, u, c["u"]), "v": eg.select(moves, v, c["v"]), "f": eg.select(moves, f, c["f"]),
        "gu": eg.select(moves, gu, c["gu"]), "gv": eg.select(moves, gv, c["gv"]),
        "step": t, "end": end, "count": eg.select(moves, c["count"] + 1.0, c["count"]),
    }  # fmt: skip


def compile_survey(jet: eg.Fn) -> dict[str, Artifact]:
    """Compile the two kernels. jet: a function that computes a formula's value, gradient and Hessian."""
    parameters = len(jet.function.params) - 2
    return {
        "critical": eg.compile_artifact(critical_points(jet, parameters)),
        "descent": eg.compile_artifact(descent_path(jet, parameters)),
    }
