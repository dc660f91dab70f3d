"""HAND: the distances between measured points and a model of a hand. The hand's pose is 26 numbers.

Bones turn about their joints. A bone's absolute matrix is (its parent's absolute matrix) · base_relative ·
Rz · Ry · Rx. No joint turns about y, so Ry is 1. A vertex of the skin moves by the weighted mean of the
motions of nearby bones. Then the whole hand turns and shifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import eglantine as eg

m = eg.math

PAIR = eg.Vec(2, eg.Real)
POINT = eg.Vec(3, eg.Real)
THETA = eg.Vec(26, eg.Real)
"""The type of the pose θ: the global turn as the vector axis · angle (3 numbers), the global shift (3
numbers), then the angles of each finger."""

FINGERS = 5
BONES = 4
"""The number of bones of a finger. Each bone is the parent of the next, and all bones except the first
turn."""
FIRST_BONE = 1
"""The number of the first finger's first bone."""
ANGLES = 4
"""The number of angles of a finger: flex and spread of the second bone, flex of the third bone, and flex of
the fourth bone."""
FIRST_ANGLE = 6
LEAST_TURN = 1e-4
"""The smallest global turn, in radians, that is not ignored. ADBench has the same limit."""

X, Z = (1, 2), (0, 1)
"""Axes. Each is given by the two columns of a matrix that a turn about the axis mixes."""

Matrix = Sequence[Sequence[Any]]
"""An affine map: three rows of four numbers."""


@dataclass(frozen=True)
class Hand:
    """A hand's bones and skin.

    parents: the number of each bone's parent. It is negative if the bone has no parent.
    base_relatives: for each bone, the matrix from the bone's coordinates to its parent's coordinates, when
        the hand is unbent.
    inverse_base_absolutes: for each bone, the inverse of its absolute matrix when the hand is unbent.
    base_positions: the position of each vertex of the skin, when the hand is unbent.
    weights: for each vertex, the bones that move it, with their weights.
    triangles: the three vertices of each triangle.
    """

    parents: Sequence[int]
    base_relatives: Sequence[Matrix]
    inverse_base_absolutes: Sequence[Matrix]
    base_positions: Sequence[Sequence[float]]
    weights: Sequence[Sequence[tuple[int, float]]]
    triangles: Sequence[Sequence[int]]

    def at_rest(self, bone: int) -> Matrix:
        """Return the absolute matrix of a bone of an unbent hand."""
        chain = self.base_relatives[bone]
        while self.parents[bone] >= 0:
            bone = self.parents[bone]
            chain = product(self.base_relatives[bone], chain)
        return chain[:3]


def simple(hand: Hand, n: int) -> eg.Fn:
    """Make the function (θ, points, vertices) → the n differences point − vertex."""

    def run(theta: Any, points: Any, vertices: Any) -> Any:
        place = posed(hand, theta)
        return eg.vec(n, lambda i: difference(points[i], place(vertices[i])))

    vertex = eg.Fin(len(hand.base_positions))
    return eg.fn([THETA, eg.Vec(n, POINT), eg.Vec(n, vertex)], names=("theta", "points", "vertices"))(run)


def simple_derivative(hand: Hand, n: int) -> eg.Fn:
    """Make the function (θ, points, vertices) → (differences, n × 3 × 26 derivatives by θ)."""
    residuals = simple(hand, n)
    by_theta = eg.jacfwd(residuals)

    def run(*args: Any) -> Any:
        return residuals(*args), by_theta(*args)

    return eg.fn(list(residuals.function.params), names=residuals.function.param_names)(run)


def complicated(hand: Hand, n: int) -> eg.Fn:
    """Make the function (θ, us, points, triangles) → n differences: measured point − point of the skin.

    triangles: for each measured point, the number of the triangle that contains the point of the skin.
    us: the weights of the triangle's first two corners. The three weights of a point add up to 1.
    """

    def run(theta: Any, us: Any, points: Any, triangles: Any) -> Any:
        corners = posed_corners(hand, theta)
        return eg.vec(n, lambda i: difference(points[i], mixture(us[i], *corners(triangles[i]))))

    return eg.fn(complicated_types(hand, n), names=COMPLICATED)(run)


def complicated_derivative(hand: Hand, n: int) -> eg.Fn:
    """Make the function (θ, us, points, triangles) → (differences, derivatives by u, derivatives by θ).

    Each difference is differentiated only by its own u. There are n × 3 × 2 derivatives by u, and n × 3 × 26
    derivatives by θ.
    """
    residuals = complicated(hand, n)
    by_theta = eg.jacfwd(residuals)
    by_u = eg.jacfwd(eg.fn([PAIR, POINT, POINT, POINT, POINT], POINT)(
        lambda u, point, *corners: difference(point, mixture(u, *corners))))  # fmt: skip

    def run(theta: Any, us: Any, points: Any, triangles: Any) -> Any:
        args = theta, us, points, triangles
        corners = posed_corners(hand, theta)
        own = eg.vec(n, lambda i: by_u(us[i], points[i], *corners(triangles[i])))
        return residuals(*args), own, by_theta(*args)

    return eg.fn(complicated_types(hand, n), names=COMPLICATED)(run)


COMPLICATED = ("theta", "us", "points", "triangles")


def complicated_types(hand: Hand, n: int) -> list[Any]:
    """Return the types of θ, us, points and triangles."""
    return [THETA, eg.Vec(n, PAIR), eg.Vec(n, POINT), eg.Vec(n, eg.Fin(len(hand.triangles)))]


def difference(a: Any, b: Any) -> list[Any]:
    """a − b."""
    return [x - y for x, y in zip(a, b, strict=True)]


def mixture(u: Any, a: Any, b: Any, c: Any) -> list[Any]:
    """Return the weighted mean of the corners a, b and c of a triangle. u: the weights of a and b."""
    return [u[0] * a[k] + u[1] * b[k] + (1.0 - u[0] - u[1]) * c[k] for k in range(3)]


def posed(hand: Hand, theta: Any) -> Any:
    """The function from a vertex to its place."""
    turn, skin = turned_about(theta[0:3]), Skin(hand)

    def finger_at(f: Any) -> Any:
        return finger(hand, [theta[f * ANGLES + FIRST_ANGLE + k] for k in range(ANGLES)], f)

    bones = eg.vec(FINGERS, finger_at)
    return lambda vertex: [a + theta[3 + k] for k, a in enumerate(turn(skin.place(bones, vertex)))]


def posed_corners(hand: Hand, theta: Any) -> Any:
    """Make a function that maps a triangle's number to the positions of its three corners."""
    place = posed(hand, theta)
    vertex = eg.Fin(len(hand.base_positions))
    flat = [corner for triangle in hand.triangles for corner in triangle]
    corners = eg.asarray(flat, eg.Vec(len(flat), vertex))
    return lambda triangle: [place(corners[triangle * 3 + k]) for k in range(3)]


# ---------------------------------------------------------------- bones


def finger(hand: Hand, angles: Any, f: Any) -> Any:
    """Return a matrix for each turning bone of a finger. It maps positions at rest to present positions."""
    relative = Matrices([hand.base_relatives[bone] for bone in bones_that_turn()])
    inverse = Matrices([hand.inverse_base_absolutes[bone] for bone in bones_that_turn()])
    root = Matrices([hand.at_rest(FIRST_BONE + BONES * k) for k in range(FINGERS)])
    flex, spread, *others = angles
    turns = [[(Z, spread), (X, flex)], *([(X, angle)] for angle in others)]
    absolute, skin_matrices = root.at(f), []
    for joint, turns_here in enumerate(turns):
        absolute = product(absolute, relative.at(f * (BONES - 1) + joint))
        for axis, angle in turns_here:
            absolute = turned(absolute, axis, angle)
        skin_matrices.append(product(absolute, inverse.at(f * (BONES - 1) + joint)))
    return skin_matrices


def bones_that_turn() -> list[int]:
    """The bones that turn, finger by finger."""
    return [FIRST_BONE + BONES * f + k for f in range(FINGERS) for k in range(1, BONES)]


class Matrices:
    """Constant matrices in a table. The program selects a matrix by its index at run time."""

    def __init__(self, matrices: Sequence[Matrix]) -> None:
        self.numbers = eg.asarray([x for matrix in matrices for row in matrix[:3] for x in row])

    def at(self, i: Any) -> Matrix:
        """Matrix number i."""
        return [[self.numbers[i * 12 + (4 * row + column)] for column in range(4)] for row in range(3)]


def product(a: Matrix, b: Matrix) -> Matrix:
    """The map b followed by the map a."""

    def entry(row: int, column: int) -> Any:
        turned = a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column]
        return turned + a[row][3] if column == 3 else turned

    return [[entry(row, column) for column in range(4)] for row in range(3)]


def turned(matrix: Matrix, axis: tuple[int, int], angle: Any) -> Matrix:
    """Return the matrix of a rotation by `angle` about an axis, followed by `matrix`."""
    p, q = axis
    cosine, sine = m.cos(angle), m.sin(angle)
    rows = [list(row) for row in matrix]
    for row, old in zip(rows, matrix, strict=True):
        row[p], row[q] = cosine * old[p] + sine * old[q], cosine * old[q] - sine * old[p]
    return rows


def turned_about(r: Any) -> Any:
    """Make the function that turns a point about the axis r by the angle ‖r‖."""
    angle = m.sqrt(eg.dot(r, r))

    def matrix() -> Any:
        x, y, z = (part / angle for part in r)
        s, c = m.sin(angle), m.cos(angle)
        return [
            [x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s],
            [x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c],
        ]

    none = [[float(row == column) for column in range(3)] for row in range(3)]
    turn = eg.cond(angle < LEAST_TURN, lambda: none, matrix)
    return lambda point: [row[0] * point[0] + row[1] * point[1] + row[2] * point[2] for row in turn]


# ---------------------------------------------------------------- skin


class Skin:
    """A hand's skin, as tables that the program reads at run time.

    A vertex's position is a sum over the bones that move it. `rest` has the sum over the bones that never
    turn, which is constant. For each turning bone, there is an entry with the bone's finger and joint, and
    weight·(x, y, z, 1), where (x, y, z) is the vertex's position at rest.
    """

    def __init__(self, hand: Hand) -> None:
        moving = {bone: divmod(k, BONES - 1) for k, bone in enumerate(bones_that_turn())}
        still = {bone: product(hand.at_rest(bone), hand.inverse_base_absolutes[bone])
                 for bone in range(len(hand.parents)) if bone not in moving}  # fmt: skip
        rest, entries, counts, starts = [], [], [], []
        for place, weights in zip(hand.base_positions, hand.weights, strict=True):
            starts.append(len(entries))
            constant = [0.0, 0.0, 0.0]
            for bone, weight in weights:
                weighted = [weight * x for x in (*place, 1.0)]
                if bone in moving:
                    entries.append((*moving[bone], weighted))
                else:
                    moved = [sum(a * x for a, x in zip(row, weighted, strict=True)) for row in still[bone]]
                    constant = [a + b for a, b in zip(constant, moved, strict=True)]
            rest += constant
            counts.append(len(entries) - starts[-1])
        n = len(counts)
        self.rest = eg.asarray(rest)
        self.count = eg.asarray(counts, eg.Vec(n, eg.Fin(max(counts) + 1)))
        self.start = eg.asarray(starts, eg.Vec(n, eg.Fin(len(entries) + 1)))
        self.finger = eg.asarray([f for f, _, _ in entries], eg.Vec(len(entries), eg.Fin(FINGERS)))
        self.joint = eg.asarray([j for _, j, _ in entries], eg.Vec(len(entries), eg.Fin(BONES - 1)))
        self.weighted = eg.asarray([x for _, _, weighted in entries for x in weighted])

    def place(self, bones: Any, vertex: Any) -> Any:
        """Compute the position of a vertex of the skin. bones: the matrices that `finger` returns."""

        def moved(k: Any) -> Any:
            entry = self.start[vertex] + k
            matrix = bones[self.finger[entry]][self.joint[entry]]
            return [eg.sum(4, lambda c, row=row: row[c] * self.weighted[entry * 4 + c]) for row in matrix]

        held = eg.sum(self.count[vertex], moved)
        return [self.rest[vertex * 3 + k] + held[k] for k in range(3)]
