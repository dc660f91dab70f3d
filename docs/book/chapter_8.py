"""Figures of chapter 8, "Diagrams that solve themselves"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import eglantine as eg
from docs.book.shown import Shown, shown
from docs.book.vectors import vector
from eglantine import math as em

RADIUS = 0.5
ROUND = 32
"""The number of straight pieces with which a circle is drawn."""
RELAXED = 200
RIM = 6
"""The number of nodes around the hub of the wheel."""

Place = tuple[Any, Any]


def overlap(one: Place, other: Place) -> Any:
    """How deep two circles lie in each other."""
    apart = em.hypot(one[0] - other[0], one[1] - other[1])
    return em.maximum(2 * RADIUS - apart, 0.0)


def crowding(centres: Sequence[Place], weight: Any) -> Any:
    """The energy of three circles. It is low if the circles are near the middle and do not overlap."""
    total: Any = 0.0
    for x, y in centres:
        total = total + x * x + y * y
    for i, one in enumerate(centres):
        for other in centres[:i]:
            total = total + weight * overlap(one, other) * overlap(one, other)
    return total


def settled(centres: Sequence[Place], weight: Any, steps: Any) -> list[Place]:
    """The centres after some steps downhill."""

    def energy(*numbers: Any) -> Any:
        return crowding(list(zip(numbers[::2], numbers[1::2], strict=True)), weight)

    def step(state: Any) -> Any:
        k, numbers = state
        slopes = eg.grad(energy, tuple(range(len(numbers))))(*numbers)
        rate = 0.4 / (1 + 3 * weight)
        return k + 1.0, tuple(one - rate * slope for one, slope in zip(numbers, slopes, strict=True))

    numbers = tuple(one * 1.0 for place in centres for one in place)
    _, found = eg.while_loop(lambda state: state[0] < steps, step, (0.0, numbers))
    return list(zip(found[::2], found[1::2], strict=True))


def corners(size: float) -> list[tuple[float, float]]:
    """Three places around the middle."""
    return [
        (size * math.cos(angle), size * math.sin(angle))
        for angle in (math.pi / 2, -5 * math.pi / 6, -math.pi / 6)
    ]


def circles() -> Shown:
    """A figure of three circles. Descent pulls them to the middle, and a penalty keeps them apart."""

    def ring(k: int) -> Any:
        def path(a: Any, b: Any, c: Any, weight: Any, steps: Any) -> Any:
            x, y = settled([(one[0], one[1]) for one in (a, b, c)], weight, em.floor(steps))[k]

            def at(i: Any) -> Any:
                return eg.real(i) * (2 * math.pi / ROUND)

            return (
                eg.vec(ROUND + 1, lambda i: x + RADIUS * em.cos(at(i))),
                eg.vec(ROUND + 1, lambda i: y + RADIUS * em.sin(at(i))),
            )

        return path

    def told(a: Any, b: Any, c: Any, weight: Any, steps: Any) -> Any:
        ends = settled([(one[0], one[1]) for one in (a, b, c)], weight, em.floor(steps))
        deepest = em.maximum(
            overlap(ends[0], ends[1]), em.maximum(overlap(ends[1], ends[2]), overlap(ends[2], ends[0]))
        )
        return crowding(ends, weight), deepest

    def left(weight: float) -> float:
        ends = settled(corners(0.4), weight, 100.0)
        return float(overlap(ends[0], ends[1]))

    spots = {
        name: eg.point(place)
        for name, place in zip("abc", [(0.2, 1), (-1.2, -0.6), (1.3, -0.4)], strict=True)
    }
    figure = eg.figure(
        None, kind="scatter", x=(-2.4, 2.4), y=(-1.5, 1.51), weight=eg.slider(0.1, 100, 10), steps=eg.slider(0, 100, 0),
        paths={"circle a": ring(0), "circle b": ring(1), "circle c": ring(2)},
        says=("Energy {}, deepest overlap {}", told), **spots,
    )  # fmt: skip
    return shown(
        figure,
        "At rest, three circles of radius ½ overlap by {one} if overlaps have the weight 1, by {ten} with 10 and by "
        "{hundred} with 100. The overlap is one divided by 1 + 3 times the weight.",
        one=left(1.0), ten=left(10.0), hundred=left(100.0),
    )  # fmt: skip


def edges() -> list[tuple[int, int]]:
    """Return the edges of a wheel: its spokes and its rim. Node 0 is the hub."""
    return [(0, k) for k in range(1, RIM + 1)] + [(k, k % RIM + 1) for k in range(1, RIM + 1)]


def tangle() -> list[tuple[float, float]]:
    """Where the nodes of the rim begin."""
    return [(1.5 * math.cos(1.05 * k + 0.4 * math.sin(5 * k)), 0.7 * math.sin(1.05 * k)) for k in range(RIM)]


def strain(numbers: Sequence[Any], hub: Place) -> Any:
    """Return the energy of the springs along all edges. The natural length of a spring is 1."""
    places = [hub, *zip(numbers[::2], numbers[1::2], strict=True)]
    total: Any = 0.0
    for i, j in edges():
        stretch = em.hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]) - 1
        total = total + stretch * stretch
    return total


def relaxed(hub: Place, steps: Any) -> tuple[Any, ...]:
    """Return the coordinates of the rim's nodes after a number of steps of gradient descent."""
    numbers = tuple(range(2 * RIM))

    def step(state: Any) -> Any:
        k, at = state
        slopes = eg.grad(lambda *all_of: strain(all_of, hub), numbers)(*at)
        return k + 1.0, tuple(one - 0.1 * slope for one, slope in zip(at, slopes, strict=True))

    first = tuple(one + 0.0 * hub[0] for place in tangle() for one in place)
    found: tuple[Any, ...] = eg.while_loop(lambda state: state[0] < steps, step, (0.0, first))[1]
    return found


def graph() -> Shown:
    """A graph whose edges become equally long."""

    def all_places(hub: Any, steps: Any) -> list[Place]:
        found = relaxed((hub[0], hub[1]), em.floor(steps))
        return [(hub[0], hub[1]), *zip(found[::2], found[1::2], strict=True)]

    def lines(hub: Any, steps: Any) -> Any:
        places = all_places(hub, steps)
        ends = [(places[i], places[j], (math.nan, math.nan)) for i, j in edges()]
        flat = [place for three in ends for place in three]
        return vector([x for x, _ in flat]), vector([y for _, y in flat])

    def nodes(hub: Any, steps: Any) -> Any:
        places = all_places(hub, steps)
        return vector([x for x, _ in places]), vector([y for _, y in places])

    def told(hub: Any, steps: Any) -> Any:
        return em.floor(steps), strain(relaxed((hub[0], hub[1]), em.floor(steps)), (hub[0], hub[1]))

    figure = eg.figure(
        None, kind="scatter", x=(-2.4, 2.4), y=(-1.5, 1.51), hub=eg.point((0.2, 0.1)), steps=eg.slider(0, RELAXED, 20),
        paths={"edges": lines, "nodes": (nodes, "dots")}, says=("Energy after {} steps: {}", told),
    )  # fmt: skip
    hub = (0.2, 0.1)
    energies = [float(strain(relaxed(hub, steps), hub)) for steps in (0.0, 20.0, float(RELAXED))]
    return shown(
        figure,
        "The tangled wheel has the energy {before}. After 20 steps it is {some}, and after 200 it is {after}.",
        before=energies[0], some=energies[1], after=energies[2],
    )  # fmt: skip


FIGURES = {"circles": circles, "graph": graph}
NUMBERS = {"limit": 1 / (1 + 3 * 33), "weight": (1 / 0.01 - 1) / 3}
