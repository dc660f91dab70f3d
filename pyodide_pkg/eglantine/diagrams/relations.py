"""Relations between shapes. `ensure` and `encourage` take most of them, but some are only for `encourage`.

The docstring of a relation says what is true if it holds. Instead of a shape, you can give a point (x, y),
such as `line.start` or `circle.centre`. Lengths are in the diagram's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from eglantine.errors import TypeMismatchError
from eglantine.trace import maths as m

from . import arguments, distances
from .arguments import LINE, LINES, NUMBER, NUMBER_OR_PLACE, PLACE, SHAPE, TRUTH, takes
from .distances import Chain, Disc, Hull, Outline, Point, between, side
from .shapes import Shape

NEARLY_NOTHING = 1e-3
"""A small length that we add to a distance before we divide by it, so that the divisor is not 0."""
REPULSION = 1e4
"""The energy of two shapes that repel each other, multiplied by their distance."""


@dataclass(frozen=True, repr=False)
class Relation:
    """A condition that should hold in a diagram.

    equal: the numbers that are 0 if the condition holds.
    least: the numbers that are at least 0 if the condition holds.
    energy: a number that is small if the condition nearly holds. It is None for relations that have no energy
        of their own. Only `encourage` can use a relation with an energy.
    """

    name: str
    about: tuple[Any, ...]
    equal: tuple[Any, ...] = ()
    least: tuple[Any, ...] = ()
    energy: Any = None

    def __repr__(self) -> str:
        return f"<relation {self}>"

    def __str__(self) -> str:
        return f"{self.name}({', '.join(told(one) for one in self.about)})"


def told(one: Any) -> str:
    """Return the text for a shape, point or number in the description of a relation."""
    if isinstance(one, Shape):
        return one.name
    if isinstance(one, tuple):
        return "a point"
    return f"{one:g}" if isinstance(one, int | float) else "a value"


def shapes_in(about: Iterable[Any]) -> list[Shape]:
    """List the shapes among the arguments of a relation, and in the pairs among these arguments."""
    parts = [part for one in about for part in (one if isinstance(one, tuple | list) else [one])]
    return [part for part in parts if isinstance(part, Shape)]


def _outline(of: Any) -> Outline:
    """The outline of a shape or point."""
    return of.outline if isinstance(of, Shape) else Disc(point_of(of))


def point_of(of: Any) -> Point:
    """A point, or the middle of a shape."""
    found: Point = arguments.point(of)
    return found


def _ends(line: Any) -> tuple[Point, Point]:
    """Return the ends of a line. The line is a shape or a pair of points or shapes."""
    if isinstance(line, Shape):
        return line.start, line.end
    return point_of(line[0]), point_of(line[1])


@takes(PLACE, PLACE)
def distance(a: Any, b: Any) -> Any:
    """The distance between two shapes or points, for use in expressions. It is negative if they overlap."""
    return distances.distance(_outline(a), _outline(b))


# -------------------------------------------------------------------- relations that can be ensured


@takes(PLACE, PLACE, NUMBER)
def disjoint(a: Any, b: Any, padding: Any = 0.0) -> Relation:
    """The shapes do not overlap, and the gap between them is at least `padding`."""
    return Relation("disjoint", (a, b), least=(distances.separation(_outline(a), _outline(b)) - padding,))


@takes(PLACE, PLACE, NUMBER)
def contains(a: Any, b: Any, padding: Any = 0.0) -> Relation:
    """The whole shape b is inside a, at a distance of at least `padding` from a's border."""
    room = distances.room_inside(_outline(a), _outline(b))
    return Relation("contains", (a, b), least=tuple(space - padding for space in room))


@takes(PLACE, PLACE, TRUTH)
def touching(a: Any, b: Any, inside: bool = False) -> Relation:
    """The shapes touch from outside. If `inside` is true, b is inside a and touches a's border."""
    first, second = _outline(a), _outline(b)
    if inside:
        gap = distances.smallest(distances.room_inside(first, second))
    else:
        gap = distances.separation(first, second)
    return Relation("touching", (a, b), equal=(gap,))


@takes(PLACE, PLACE, NUMBER)
def overlapping(a: Any, b: Any, by: Any = 0.0) -> Relation:
    """The shapes overlap. The overlap is at least `by` deep."""
    return Relation("overlapping", (a, b), least=(-distances.separation(_outline(a), _outline(b)) - by,))


@takes(NUMBER_OR_PLACE, NUMBER_OR_PLACE)
def equal(a: Any, b: Any) -> Relation:
    """Two numbers are equal, two points coincide, or the middles of two shapes coincide."""
    are_places = [isinstance(one, Shape | tuple) for one in (a, b)]
    if all(are_places):
        p, q = point_of(a), point_of(b)
        return Relation("equal", (a, b), equal=(p[0] - q[0], p[1] - q[1]))
    if any(are_places):
        raise TypeMismatchError(
            f"dg.equal needs two numbers, or two shapes or points, but it was given {arguments.told(a)} and "
            f"{arguments.told(b)}. Write a number such as an attribute for both, or a place for both."
        )
    return Relation("equal", (a, b), equal=(a - b,))


@takes(NUMBER, NUMBER, NUMBER)
def less_than(a: Any, b: Any, padding: Any = 0.0) -> Relation:
    """a + padding ≤ b, for two numbers."""
    return Relation("less_than", (a, b), least=(b - a - padding,))


@takes(LINE, LINE)
def perpendicular(a: Any, b: Any) -> Relation:
    """Two lines meet at a right angle. A pair of points also counts as a line."""
    (p, q), (r, s) = _ends(a), _ends(b)
    (ux, uy), (vx, vy) = distances.direction(p, q), distances.direction(r, s)
    return Relation("perpendicular", (a, b), equal=((ux * vx + uy * vy) * between(p, q),))


@takes(LINE, LINE)
def parallel(a: Any, b: Any) -> Relation:
    """Two lines are parallel. A pair of points also counts as a line."""
    (p, q), (r, s) = _ends(a), _ends(b)
    (ux, uy), (vx, vy) = distances.direction(p, q), distances.direction(r, s)
    return Relation("parallel", (a, b), equal=((ux * vy - uy * vx) * between(p, q),))


@takes(PLACE, PLACE, PLACE, PLACE)
def collinear(a: Any, b: Any, c: Any, *more: Any) -> Relation:
    """All points lie on one line. A shape counts as its middle."""
    first, *rest = map(point_of, (a, b, c, *more))
    last = rest.pop()
    return Relation("collinear", (a, b, c, *more), equal=tuple(side(first, last, p) for p in rest))


@takes(PLACE, PLACE)
def on_curve(a: Any, curve: Any) -> Relation:
    """A point, or the middle of a shape, lies on the border of a shape or on a line."""
    of = _outline(curve)
    if isinstance(of, Hull | Chain) and (isinstance(of, Chain) or len(of.points) == 2):
        of = Chain(of.points)
    return Relation("on_curve", (a, curve), equal=(distances.from_point(of, point_of(a)),))


@takes(PLACE, PLACE, NUMBER)
def at_distance(a: Any, b: Any, length: Any) -> Relation:
    """The distance between two shapes or points is `length`. For shapes, it is the width of the gap."""
    return Relation("at_distance", (a, b, length), equal=(distance(a, b) - length,))


@takes(SHAPE, NUMBER)
def in_canvas(a: Shape, padding: Any = 0.0) -> Relation:
    """The whole shape is inside the canvas, at a distance of at least `padding` from the canvas's border."""
    canvas = distances.Box((0.0, 0.0), *a.canvas)
    room = distances.room_inside(canvas, a.outline)
    return Relation("in_canvas", (a,), least=tuple(space - padding for space in room))


@takes(PLACE, SHAPE, NUMBER)
def inside_polygon(a: Any, polygon: Any, padding: Any = 0.0) -> Relation:
    """A point, or the middle of a shape, lies inside a polygon. The polygon need not be convex."""
    space = -distances.from_point(_outline(polygon), point_of(a))
    return Relation("inside_polygon", (a, polygon), least=(space - padding,))


@takes(PLACE, PLACE, NUMBER)
def above(a: Any, b: Any, padding: Any = 0.0) -> Relation:
    """The lowest part of a is at least `padding` higher than the highest part of b."""
    bottom = -distances.support(_outline(a), (0.0, -1.0))
    return Relation("above", (a, b), least=(bottom - distances.support(_outline(b), (0.0, 1.0)) - padding,))


@takes(PLACE, PLACE, NUMBER)
def left_of(a: Any, b: Any, padding: Any = 0.0) -> Relation:
    """The right end of a is at least `padding` to the left of the left end of b."""
    left = -distances.support(_outline(b), (-1.0, 0.0))
    return Relation("left_of", (a, b), least=(left - distances.support(_outline(a), (1.0, 0.0)) - padding,))


@takes(LINE)
def horizontal(line: Any) -> Relation:
    """A line, or the line through two points or shapes, is horizontal."""
    p, q = _ends(line)
    return Relation("horizontal", (line,), equal=(q[1] - p[1],))


@takes(LINE)
def vertical(line: Any) -> Relation:
    """A line, or the line through two points or shapes, is vertical."""
    p, q = _ends(line)
    return Relation("vertical", (line,), equal=(q[0] - p[0],))


@takes(LINE, LINE)
def equal_length(a: Any, b: Any) -> Relation:
    """Two lines have the same length."""
    return Relation("equal_length", (a, b), equal=(between(*_ends(a)) - between(*_ends(b)),))


@takes(SHAPE, SHAPE)
def same_size(a: Shape, b: Shape) -> Relation:
    """Two shapes of one kind have the same size: radius, half-axes, or width and height."""
    names = ("r", "rx", "ry", "width", "height")
    sizes = [name for name in names if name in a.values and name in b.values]
    if not sizes:
        raise TypeMismatchError(
            "dg.same_size needs two shapes with the same kind of size, but it was given "
            f"{arguments.told(a)} and {arguments.told(b)}, which have different kinds or no size. Compare "
            "two circles, two ellipses, or two shapes with width and height."
        )
    return Relation("same_size", (a, b), equal=tuple(a.values[name] - b.values[name] for name in sizes))


# ----------------------------------------------------------------- relations that can only be encouraged


@takes(PLACE, PLACE, NUMBER)
def near(a: Any, b: Any, offset: Any = 0.0) -> Relation:
    """The distance between the middles of two shapes is as close to `offset` as possible."""
    return Relation("near", (a, b), energy=(between(point_of(a), point_of(b)) - offset) ** 2)


@takes(PLACE, PLACE)
def far(a: Any, b: Any) -> Relation:
    """The middles of the shapes are far from each other."""
    return Relation("far", (a, b), energy=-between(point_of(a), point_of(b)))


@takes(PLACE, PLACE)
def repel(a: Any, b: Any) -> Relation:
    """The shapes repel each other. The force becomes weaker as their distance grows."""
    return Relation("repel", (a, b), energy=REPULSION / (between(point_of(a), point_of(b)) + NEARLY_NOTHING))


@takes(PLACE, PLACE)
def centred(a: Any, b: Any = (0.0, 0.0)) -> Relation:
    """The middles of a and b coincide. Without b, the middle of a is the middle of the canvas."""
    p, q = point_of(a), point_of(b)
    return Relation("centred", (a, b), equal=(p[0] - q[0], p[1] - q[1]))


@takes(NUMBER)
def minimise(value: Any) -> Relation:
    """A number is small."""
    return Relation("minimise", (value,), energy=value)


@takes(NUMBER)
def maximise(value: Any) -> Relation:
    """A number is large."""
    return Relation("maximise", (value,), energy=-value)


@takes(LINES, NUMBER)
def minimal_crossings(lines: Sequence[Any], sharpness: float = 0.1) -> Relation:
    """Make the relation that few of the lines cross each other.

    lines: lines, or pairs of points or shapes. Two lines that share an end do not count as crossing.
    sharpness: how fast the energy falls when two lines that cross move apart. Its unit is 1 / length.
    """
    total: Any = 0.0
    for one, other in combinations(lines, 2):
        if not _share_an_end(one, other):
            total = total + _crossing(_ends(one), _ends(other), sharpness)
    return Relation("minimal_crossings", tuple(lines), energy=total * REPULSION)


def _share_an_end(one: Any, other: Any) -> bool:
    if isinstance(one, Shape) or isinstance(other, Shape):
        ends = [[*map(id, (e for p in _ends(line) for e in p))] for line in (one, other)]
        return any(ends[0][i : i + 2] == ends[1][j : j + 2] for i in (0, 2) for j in (0, 2))
    return any(a is b for a in one for b in other)


def _crossing(first: tuple[Point, Point], second: tuple[Point, Point], sharpness: float) -> Any:
    """Return about 1 if two segments cross, and about 0 if they are far apart. It is a smooth function."""
    (p, q), (r, s) = first, second
    split = side(p, q, r) * side(p, q, s) * sharpness
    cut = side(r, s, p) * side(r, s, q) * sharpness
    return (0.5 - 0.5 * m.tanh(split * sharpness)) * (0.5 - 0.5 * m.tanh(cut * sharpness))


def expression(value: Any, text: str) -> Relation:
    """Make the relation that a number, which the user computed, must be at least 0."""
    return Relation(text or "an expression", (), least=(value,))
