"""Signed distances between outlines, compared with points sampled on their borders."""

from __future__ import annotations

import math
import random

import pytest

from eglantine.diagrams import distances
from eglantine.diagrams.distances import Box, Chain, Disc, Ellipse, Hull, Outline, from_point, separation

Point = tuple[float, float]
STEPS = 4000
TRIANGLE = Hull(((0.0, 0.0), (40.0, 5.0), (10.0, 30.0)))
CONCAVE = Hull(((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (30.0, 20.0), (0.0, 60.0)))


def around(points: list[Point]) -> list[Point]:
    """Points on the border of a polygon."""
    share = STEPS // len(points)
    return [
        (ax + (bx - ax) * k / share, ay + (by - ay) * k / share)
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
        for k in range(share)
    ]


def border(of: Outline) -> list[Point]:
    """Points on the border of an outline."""
    angles = [2 * math.pi * k / STEPS for k in range(STEPS)]
    match of:
        case Disc(centre=(x, y)):
            return [(x + of.radius * math.cos(a), y + of.radius * math.sin(a)) for a in angles]
        case Ellipse(centre=(x, y)):
            return [(x + of.rx * math.cos(a), y + of.ry * math.sin(a)) for a in angles]
        case _:
            return around(list(distances.corners(of)))


def nearest(points: list[Point], p: Point) -> float:
    return min(math.dist(point, p) for point in points)


OUTLINES = {
    "disc": (Disc((3.0, -2.0), 20.0), lambda x, y: math.hypot(x - 3, y + 2) < 20),
    "box": (Box((5.0, 5.0), 40.0, 20.0), lambda x, y: abs(x - 5) < 20 and abs(y - 5) < 10),
    "ellipse": (Ellipse((0.0, 0.0), 40.0, 15.0), lambda x, y: (x / 40) ** 2 + (y / 15) ** 2 < 1),
    "tall ellipse": (Ellipse((0.0, 0.0), 10.0, 30.0), lambda x, y: (x / 10) ** 2 + (y / 30) ** 2 < 1),
    "triangle": (TRIANGLE, None),
    "concave": (CONCAVE, None),
}


def is_inside(name: str, p: Point) -> bool:
    """True if a point is inside the outline `name`. The test uses an equation or the outline's corners."""
    outline, within = OUTLINES[name]
    return within(*p) if within else inside_polygon(list(outline.points), *p)  # type: ignore[union-attr]


def inside_polygon(points: list[Point], x: float, y: float) -> bool:
    """True if a point is inside a polygon. Then the edges' angles, seen from the point, add up to 360°."""
    turn = 0.0
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        angle = math.atan2(by - y, bx - x) - math.atan2(ay - y, ax - x)
        turn += (angle + math.pi) % (2 * math.pi) - math.pi
    return abs(turn) > 1


@pytest.mark.parametrize("name", OUTLINES)
def test_the_distance_of_a_point_is_measured_to_the_nearest_border_point(name: str) -> None:
    outline = OUTLINES[name][0]
    points = border(outline)
    draw = random.Random(name)  # noqa: S311
    for _ in range(60):
        p = draw.uniform(-80, 80), draw.uniform(-80, 80)
        expected = nearest(points, p) * (-1 if is_inside(name, p) else 1)
        assert from_point(outline, p) == pytest.approx(expected, abs=0.05)


def test_point_on_a_corner_is_at_distance_0() -> None:
    assert from_point(TRIANGLE, (40.0, 5.0)) == pytest.approx(0, abs=1e-12)
    assert from_point(Box((0.0, 0.0), 2.0, 2.0), (1.0, 1.0)) == 0


def test_the_distance_to_a_thick_line_is_less_by_half_its_thickness() -> None:
    assert from_point(Hull(((0.0, 0.0), (10.0, 0.0)), 2.0), (5.0, 7.0)) == pytest.approx(5)
    assert from_point(Chain(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0)), 1.0), (13.0, 5.0)) == pytest.approx(2)


PAIRS = [
    (Disc((0.0, 0.0), 10.0), Disc((25.0, 0.0), 5.0)),
    (Disc((0.0, 0.0), 10.0), Box((25.0, 20.0), 10.0, 30.0)),
    (Disc((50.0, 40.0), 10.0), TRIANGLE),
    (Disc((50.0, 40.0), 10.0), Ellipse((0.0, 0.0), 40.0, 15.0)),
    (Box((0.0, 0.0), 10.0, 10.0), Box((30.0, 40.0), 20.0, 20.0)),
    (Box((-30.0, 40.0), 10.0, 10.0), TRIANGLE),
    (Hull(((0.0, 0.0), (10.0, 10.0))), Hull(((20.0, 0.0), (30.0, 50.0)))),
    (TRIANGLE, Hull(((60.0, 60.0), (90.0, 70.0), (60.0, 100.0)))),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join(type(one).__name__ for one in pair))
def test_the_distance_of_outlines_is_measured_between_nearest_points(pair: tuple[Outline, Outline]) -> None:
    a, b = pair
    points = border(a)[::10]
    expected = min(nearest(points, p) for p in border(b)[::10])
    for one, other in ((a, b), (b, a)):
        assert distances.distance(one, other) == pytest.approx(expected, abs=0.2)
        assert 0 < separation(one, other) <= expected + 0.2


def shifted(of: Outline, dx: float, dy: float) -> Outline:
    if isinstance(of, Hull):
        return Hull(tuple((x + dx, y + dy) for x, y in of.points), of.margin)
    assert not isinstance(of, Chain)
    x, y = of.centre
    return type(of)((x + dx, y + dy), *[getattr(of, f) for f in list(of.__dataclass_fields__)[1:]])


def points_in(of: Outline) -> list[Point]:
    """Return many points inside an outline, from its centre to its border."""
    x, y = distances.centre(of)
    return [(x + (px - x) * k / 10, y + (py - y) * k / 10) for px, py in border(of)[::20] for k in range(11)]


@pytest.mark.parametrize("first", ["disc", "box", "ellipse", "triangle"])
@pytest.mark.parametrize("second", ["disc", "box", "ellipse", "triangle"])
def test_separation_is_negative_exactly_where_outlines_overlap(first: str, second: str) -> None:
    a, b = OUTLINES[first][0], OUTLINES[second][0]
    by_directions = "ellipse" in (first, second) and "disc" not in (first, second)
    draw = random.Random(f"{first}/{second}")  # noqa: S311
    points = points_in(b)
    for _ in range(40):
        dx, dy = draw.uniform(-60, 60), draw.uniform(-60, 60)
        gap = separation(a, shifted(b, dx, dy))
        if abs(gap) < (4 if by_directions else 1.5):
            continue
        assert (gap < 0) == any(is_inside(first, (x + dx, y + dy)) for x, y in points)


@pytest.mark.parametrize("outer", ["disc", "box", "ellipse", "triangle"])
@pytest.mark.parametrize(
    "inner", [Disc((0.0, 0.0), 4.0), Box((0.0, 0.0), 6.0, 3.0), Hull(((0.0, 0.0), (5.0, 1.0), (2.0, 6.0)))]
)
def test_room_inside_is_positive_if_the_whole_outline_is_inside(outer: str, inner: Outline) -> None:
    a = OUTLINES[outer][0]
    draw = random.Random(outer)  # noqa: S311
    for _ in range(60):
        moved = shifted(inner, draw.uniform(-45, 45), draw.uniform(-45, 45))
        room = min(distances.room_inside(a, moved))
        if abs(room) > 0.1:
            assert (room > 0) == all(is_inside(outer, p) for p in border(moved)[::20])


def test_room_inside_a_polygon_does_not_depend_on_the_order_of_points() -> None:
    backwards = Hull(TRIANGLE.points[::-1])
    inner = Disc((15.0, 10.0), 2.0)
    assert min(distances.room_inside(TRIANGLE, inner)) == pytest.approx(
        min(distances.room_inside(backwards, inner))
    )
    assert min(distances.room_inside(TRIANGLE, inner)) > 0
