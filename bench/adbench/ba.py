"""BA, bundle adjustment: the distances between measured points in pictures and the points of a camera model.

An observation is a point X seen by a camera with rotation r, centre C, focal length f, principal point u0 and
distortion k1, k2. Its weight is w, and its measured place is `seen`. With X' = R(r)(X − C), p = X'_xy / X'_z
and ρ = ‖p‖², its error is e = w (f p (1 + k1 ρ + k2 ρ²) + u0 − seen).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

PAIR = eg.Vec(2, eg.Real)
POINT = eg.Vec(3, eg.Real)
CAMERA = eg.Vec(11, eg.Real)
"""r (3), C (3), f, u0 (2), k1, k2."""
UNKNOWNS = 15
"""The number of unknowns of one observation: 11 for a camera, 3 for a point, and 1 for a weight."""


@dataclass(frozen=True)
class Size:
    """The size of a problem: n cameras, m points and p observations."""

    n: int
    m: int
    p: int

    @property
    def types(self) -> tuple[Any, ...]:
        """Return the types of the model's arguments, in the order of NAMES."""
        return (
            eg.Vec(self.n, CAMERA),
            eg.Vec(self.m, POINT),
            eg.Vec(self.p, eg.Real),
            eg.Vec(self.p, eg.Fin(self.n)),
            eg.Vec(self.p, eg.Fin(self.m)),
            eg.Vec(self.p, PAIR),
        )


NAMES = ("cameras", "points", "weights", "by", "of", "features")


def residuals(size: Size) -> eg.Fn:
    """Make the function (cameras, points, weights, by, of, features) → (all errors e, weight residuals).

    by, of: for each observation, the index of its camera (`by`) and the index of its point (`of`).
    """

    def run(cameras: Any, points: Any, weights: Any, by: Any, of: Any, features: Any) -> Any:
        def error(i: Any) -> Any:
            return reprojection(cameras[by[i]], points[of[i]], weights[i], features[i])

        return eg.vec(size.p, error), eg.vec(size.p, lambda i: weight_residual(weights[i]))

    return eg.fn(list(size.types), names=NAMES)(run)


def derivative(size: Size) -> eg.Fn:
    """Make the function (cameras, …, features) → (errors e, blocks, weight residuals, slopes).

    The function takes the arguments of `residuals`. Each observation has a block, which is a 2 × 15 matrix:
    the derivatives of the observation's two errors with respect to the camera (11 numbers), the point (3) and
    the weight (1). A slope is the derivative of a weight residual with respect to the weight.
    """
    block = eg.jacfwd(eg.fn([eg.Vec(UNKNOWNS, eg.Real), PAIR], PAIR)(reprojection_of_all))
    slope = eg.grad(eg.fn([eg.Real], eg.Real)(weight_residual))

    def run(cameras: Any, points: Any, weights: Any, by: Any, of: Any, features: Any) -> Any:
        def unknowns(i: Any) -> Any:
            return [*cameras[by[i]], *points[of[i]], weights[i]]

        n = size.p
        return (
            eg.vec(n, lambda i: reprojection_of_all(unknowns(i), features[i])),
            eg.vec(n, lambda i: block(unknowns(i), features[i])),
            eg.vec(n, lambda i: weight_residual(weights[i])),
            eg.vec(n, lambda i: slope(weights[i])),
        )

    return eg.fn(list(size.types), names=NAMES)(run)


def reprojection_of_all(unknowns: Any, feature: Any) -> Any:
    """Call `reprojection`. unknowns: one array with the camera, then the point, then the weight."""
    return reprojection(unknowns[0:11], unknowns[11:14], unknowns[14], feature)


def reprojection(camera: Any, point: Any, weight: Any, feature: Any) -> Any:
    """Return weight · (the point's position in the camera model − its measured position `feature`)."""
    shown = project(camera, point)
    return [weight * (shown[k] - feature[k]) for k in range(2)]


def weight_residual(weight: Any) -> Any:
    """Return the weight residual 1 − w². It penalises small weights, so the weights do not become 0."""
    return 1.0 - weight * weight


def project(camera: Any, point: Any) -> Any:
    """Compute a point's position in a camera's picture."""
    x, y, z = rotated(camera[0:3], [point[k] - camera[3 + k] for k in range(3)])
    across, up = x / z, y / z
    square = across * across + up * up
    scale = camera[6] * (1.0 + camera[9] * square + camera[10] * square * square)
    return [scale * across + camera[7], scale * up + camera[8]]


def rotated(r: Any, x: Any) -> Any:
    """Rotate x about the axis r by the angle ‖r‖ (Rodrigues' formula). If r is 0, return x + r × x."""
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]

    def turn() -> Any:
        angle = m.sqrt(square)
        cosine, sine = m.cos(angle), m.sin(angle)
        axis = [part / angle for part in r]
        normal = cross(axis, x)
        along = (axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2]) * (1.0 - cosine)
        return tuple(x[k] * cosine + normal[k] * sine + axis[k] * along for k in range(3))

    def shift() -> Any:
        return tuple(x[k] + part for k, part in enumerate(cross(r, x)))

    return eg.cond(square == 0.0, shift, turn)


def cross(a: Any, b: Any) -> list[Any]:
    """The vector product."""
    return [a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3] for k in range(3)]
