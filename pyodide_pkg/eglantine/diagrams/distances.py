"""Compute signed distances between outlines of shapes in the plane.

All lengths are in the diagram's units. Points are pairs (x, y). Coordinates may be plain numbers or traced
Reals. The signed distance of a point from an outline is positive outside the outline and negative inside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

from eglantine.trace import maths as m
from eglantine.trace.choices import select

Point = tuple[Any, Any]

NEAR_ZERO = 1e-9
"""A small number that we add to a divisor, such as a length, so that the divisor is not 0."""
DIRECTIONS = 16
"""The number of fixed directions along which we measure the gap between two outlines, if we know no exact
distance."""
ELLIPSE_ROUNDS = 5
ELLIPSE_CORNERS = 32


@dataclass(frozen=True)
class Disc:
    """A circle with its interior. A point is a disc of radius 0."""

    centre: Point
    radius: Any = 0.0


@dataclass(frozen=True)
class Box:
    """A rectangle with sides parallel to the axes."""

    centre: Point
    width: Any
    height: Any


@dataclass(frozen=True)
class Ellipse:
    """An ellipse with axes parallel to the coordinate axes."""

    centre: Point
    rx: Any
    ry: Any


@dataclass(frozen=True)
class Hull:
    """The convex hull of points, enlarged by `margin` on all sides."""

    points: tuple[Point, ...]
    margin: Any = 0.0


@dataclass(frozen=True)
class Chain:
    """A line of segments that connect the points in order. `margin` is half the line's width."""

    points: tuple[Point, ...]
    margin: Any = 0.0


Outline = Disc | Box | Ellipse | Hull | Chain


def largest(values: Sequence[Any]) -> Any:
    """The largest of some numbers."""
    return reduce(m.maximum, values)


def smallest(values: Sequence[Any]) -> Any:
    """The smallest of some numbers."""
    return reduce(m.minimum, values)


def between(p: Point, q: Point) -> Any:
    """The distance of two points."""
    return m.hypot(q[0] - p[0], q[1] - p[1])


def direction(p: Point, q: Point) -> Point:
    """The vector of length 1 that points from p to q."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    length = m.hypot(dx, dy) + NEAR_ZERO
    return dx / length, dy / length


def support(of: Outline, n: Point) -> Any:
    """Return the largest value of n·p over all points p of an outline. The vector n has length 1."""
    match of:
        case Disc():
            return _dot(of.centre, n) + of.radius
        case Box():
            return _dot(of.centre, n) + of.width / 2 * abs(n[0]) + of.height / 2 * abs(n[1])
        case Ellipse():
            return _dot(of.centre, n) + m.hypot(of.rx * n[0], of.ry * n[1])
        case _:
            return largest([_dot(p, n) for p in of.points]) + of.margin


def centre(of: Outline) -> Point:
    """The middle of an outline. For a hull or a chain it is the mean of the points."""
    if isinstance(of, Hull | Chain):
        count = len(of.points)
        return sum(p[0] for p in of.points) / count, sum(p[1] for p in of.points) / count
    return of.centre


def corners(of: Outline) -> tuple[Point, ...]:
    """Return the corners of an outline.

    The outline is the convex hull of its corners, enlarged by `margin`. For an ellipse, this hull is slightly
    too large.
    """
    match of:
        case Disc():
            return (of.centre,)
        case Box(centre=(x, y)):
            w, h = of.width / 2, of.height / 2
            return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)
        case Ellipse(centre=(x, y)):
            out = 1 / math.cos(math.pi / ELLIPSE_CORNERS)
            angles = [2 * math.pi * k / ELLIPSE_CORNERS for k in range(ELLIPSE_CORNERS)]
            return tuple((x + of.rx * (out * math.cos(a)), y + of.ry * (out * math.sin(a))) for a in angles)
        case _:
            return of.points


def margin(of: Outline) -> Any:
    """Return how far an outline extends beyond the convex hull of its corners."""
    if isinstance(of, Disc):
        return of.radius
    return of.margin if isinstance(of, Hull | Chain) else 0.0


def from_point(of: Outline, p: Point) -> Any:
    """The exact signed distance of a point from an outline."""
    match of:
        case Disc():
            return between(of.centre, p) - of.radius
        case Box(centre=(x, y)):
            return _outside(abs(p[0] - x) - of.width / 2, abs(p[1] - y) - of.height / 2)
        case Ellipse():
            return _from_ellipse(of, p)
        case Hull() if len(of.points) > 2:
            return _from_polygon(of.points, p) - of.margin
        case _:
            return smallest([_from_segment(a, b, p) for a, b in pairwise(of.points)]) - of.margin


def separation(a: Outline, b: Outline) -> Any:
    """The width of the gap between two outlines. It is negative if they overlap.

    If both outlines have corners, the sign is exact, but the gap may be wider than the result. For an ellipse
    and an outline that is not a disc, even the sign may be wrong, because the result may be too small.
    """
    if isinstance(b, Disc):
        return from_point(a, b.centre) - b.radius
    if isinstance(a, Disc):
        return from_point(b, a.centre) - a.radius
    if isinstance(a, Box) and isinstance(b, Box):
        (x, y), (u, v) = a.centre, b.centre
        return _outside(abs(u - x) - (a.width + b.width) / 2, abs(v - y) - (a.height + b.height) / 2)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Chain):
            parts = [Hull((p, q), one.margin) for p, q in pairwise(one.points)]
            return smallest([separation(part, other) for part in parts])
    return largest(
        [-support(a, n) - support(b, (-n[0], -n[1])) for n in [*_normals(a), *_normals(b), *_between(a, b)]]
    )


def distance(a: Outline, b: Outline) -> Any:
    """Return the distance between two outlines. If they overlap, return minus the depth of the overlap."""
    apart = separation(a, b)
    if any(isinstance(one, Disc | Ellipse) for one in (a, b)) or (isinstance(a, Box) and isinstance(b, Box)):
        return apart
    p, q = corners(a), corners(b)
    reach = [_from_segment(*edge, p=point) for edge in edges(p) for point in q]
    reach += [_from_segment(*edge, p=point) for edge in edges(q) for point in p]
    return select(apart > 0, smallest(reach) - margin(a) - margin(b), apart)


def room_inside(a: Outline, b: Outline) -> list[Any]:
    """For each side or corner that we check, return how far `b` is inside `a` there.

    If no number is negative, `a` contains `b`. For polygons we use the convex hull. For an ellipse in a
    disc or in another ellipse we check the corners of the ellipse's box.
    """
    match a:
        case Disc() if isinstance(b, Disc):
            return [a.radius - b.radius - between(a.centre, b.centre)]
        case Box():
            sides = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
            return [support(a, n) - support(b, n) for n in sides]
        case Hull() if len(a.points) > 2:
            turn = _orientation(a.points)
            room = []
            for p, q in edges(a.points):
                dx, dy = direction(p, q)
                n = (turn * dy, -turn * dx)
                room.append(_dot(p, n) + a.margin - support(b, n))
            return room
        case _:
            return [-from_point(a, p) - margin(b) for p in corners(b)]


def edges(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield the edges of a polygon as pairs of points. For two points, yield only one edge."""
    yield from pairwise(points)
    if len(points) > 2:
        yield points[-1], points[0]


def side(a: Point, b: Point, p: Point) -> Any:
    """Return p's distance from the line through a and b: positive on the left if you look from a to b."""
    dx, dy = direction(a, b)
    return dx * (p[1] - a[1]) - dy * (p[0] - a[0])


def _dot(p: Point, q: Point) -> Any:
    return p[0] * q[0] + p[1] * q[1]


def _outside(dx: Any, dy: Any) -> Any:
    """The signed distance of a point from a box.

    dx, dy: how far the point is outside the box along each axis. They are negative if it is inside.
    """
    return m.hypot(m.maximum(dx, 0.0), m.maximum(dy, 0.0)) + m.minimum(m.maximum(dx, dy), 0.0)


def _from_segment(a: Point, b: Point, p: Point) -> Any:
    """The distance of p from the segment between a and b."""
    along = (b[0] - a[0], b[1] - a[1])
    to = (p[0] - a[0], p[1] - a[1])
    t = m.clip(_dot(to, along) / (_dot(along, along) + NEAR_ZERO), 0.0, 1.0)
    return m.hypot(to[0] - t * along[0], to[1] - t * along[1])


def _from_polygon(points: Sequence[Point], p: Point) -> Any:
    """The signed distance of p from a polygon, convex or not.

    A point is inside if a ray from it crosses the border an odd number of times (Shimrat, 1962).
    """
    inside: Any = -1.0
    for (ax, ay), (bx, by) in edges(points):
        above = p[1] >= ay
        to_the_right = (bx - ax) * (p[1] - ay) <= (by - ay) * (p[0] - ax)
        crosses = (above ^ (p[1] >= by)) & (above ^ to_the_right)
        inside = select(crosses, -inside, inside)
    return -inside * smallest([_from_segment(a, b, p) for a, b in edges(points)])


def _from_ellipse(of: Ellipse, p: Point) -> Any:
    """The signed distance of p from an ellipse.

    Source: the fixed-point iteration on circles of curvature by A. Stephens, "Simple method for distance to
    ellipse" (2017). Five rounds give about seven digits for ordinary ellipses.
    """
    a, b = of.rx, of.ry
    px, py = abs(p[0] - of.centre[0]), abs(p[1] - of.centre[1])
    tx: Any = math.sqrt(0.5)
    ty: Any = math.sqrt(0.5)
    for _ in range(ELLIPSE_ROUNDS):
        ex, ey = (a * a - b * b) * tx * tx * tx / a, (b * b - a * a) * ty * ty * ty / b
        qx, qy = px - ex, py - ey
        scale = m.hypot(a * tx - ex, b * ty - ey) / (m.hypot(qx, qy) + NEAR_ZERO)
        tx = m.clip((qx * scale + ex) / a, 0.0, 1.0)
        ty = m.clip((qy * scale + ey) / b, 0.0, 1.0)
        length = m.hypot(tx, ty) + NEAR_ZERO
        tx, ty = tx / length, ty / length
    reach = m.hypot(px - a * tx, py - b * ty)
    return select((px / a) ** 2 + (py / b) ** 2 < 1, -reach, reach)


def _normals(of: Outline) -> list[Point]:
    """Return the normals of the edges of a box or a hull. `separation` measures the gap along them."""
    if isinstance(of, Box):
        return [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
    if not isinstance(of, Hull):
        return []
    normals = []
    for p, q in edges(of.points):
        dx, dy = direction(p, q)
        normals += [(dy, -dx), (-dy, dx)]
        if len(of.points) == 2:
            normals += [(dx, dy), (-dx, -dy)]
    return normals


def _between(a: Outline, b: Outline) -> list[Point]:
    """If an outline is an ellipse, return more directions along which `separation` measures the gap."""
    if not (isinstance(a, Ellipse) or isinstance(b, Ellipse)):
        return []
    angles = [2 * math.pi * k / DIRECTIONS for k in range(DIRECTIONS)]
    return [direction(centre(a), centre(b)), *((math.cos(t), math.sin(t)) for t in angles)]


def _orientation(points: Sequence[Point]) -> Any:
    """Return 1 if a polygon's points are in counterclockwise order, −1 if they are in clockwise order."""
    area: Any = 0.0
    for (ax, ay), (bx, by) in edges(points):
        area = area + (ax * by - bx * ay)
    return m.copysign(1.0, area)
