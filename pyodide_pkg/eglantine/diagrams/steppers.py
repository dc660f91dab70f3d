"""Make the functions that lay out a diagram on a page, a few iterations at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

from eglantine.functions.derivatives import grad, jvp
from eglantine.functions.fn import Fn, fn
from eglantine.solvers.stepping import restricted_stepper
from eglantine.trace import maths as m
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector
from eglantine.trace.products import dot
from eglantine.types import Real, Type, Vec

from .description import Description, Term
from .programs import about, amount, is_traced, merged, of_stage, parts_of, program, wish, with_unknowns
from .shapes import Shape

LATE = 100.0
"""A start value for the method's count of solves that is larger than every `least_solves`.

With this value, the method may stop after its first solve."""


@dataclass(frozen=True)
class DiagramStepper:
    """Functions that lay out a diagram a few iterations at a time, so that people can drag its shapes.

    begin: the fn (x, parameters, pulls, targets, hold, home) → state.
    step: the fn (state, n, parameters, pulls, targets, hold, home) → state.
    firm: the fn (state, weight) → state that raises the weight of the relations that must hold. Call it on
        the state from `begin` if these relations nearly hold. Without it, the search begins with a small
        weight, and a label could pass through a line.
    These fns have the following parameters and results. state: its `x` has the values of the unknowns. pulls:
    how strongly each grip is pulled, or 0. targets: for each grip, the x and the y of the point to which it
    is pulled.
    hold: how strongly each unknown is pulled to its value in `home`, so that shapes do not move without need.
    stage: the last parameter of begin and step, but only if `stages` is not empty. If it is 0, they change
    all unknowns. If it is k ≥ 1, they change only the unknowns of stages[k − 1], and use only its relations.
    grips: the points of shapes that people can drag. Each is a pair (name of the shape, part of the shape).
        The middles of all shapes come first. Their part is "". If a shape is an included diagram with an
        unknown origin, its origin replaces its middle. Then come points and sizes that depend on unknowns.
    attributes: the fn (x, parameters) → the numbers that `names` lists.
    centres: the fn (x, parameters) → the x and the y of each grip.
    forces: the fn (x, parameters, chosen) → the x and the y of a direction for each shape. If the unknowns
        follow the negative gradient of Σ chosen[k] · (energy of terms[k]), the middle of the shape moves in
        this direction.
    amounts: the fn (x, parameters) → a number for each of `terms`. If the term is a relation that must hold,
        the number says how far the relation is from holding. Otherwise it is the energy times the weight.
    about: for each of `terms`, the names of the shapes in the relation.
    starts: the values of the unknowns at the start of a layout. parameters: the values of the parameters.
    shapes: the names of the shapes in order.
    moves: for each shape, true if the shape's middle depends on an unknown.
    unknowns: the names of the numbers in x, such as "A.x".
    stages: the names of the stages that can be solved alone, in order. It is empty if fewer than two stages
        have unknowns, or if the stepper was made without staged=True.
    """

    begin: Fn
    step: Fn
    firm: Fn
    attributes: Fn
    centres: Fn
    amounts: Fn
    forces: Fn
    grips: tuple[tuple[str, str], ...]
    terms: tuple[Term, ...]
    about: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, str], ...]
    starts: list[float]
    parameters: list[float]
    shapes: tuple[str, ...]
    moves: tuple[bool, ...]
    unknowns: tuple[str, ...]
    stages: tuple[str, ...]


def stepper_of(
    diagram: Description, seed: int, method: str, staged: bool, options: dict[str, Any]
) -> DiagramStepper:
    """Make the stepper of a diagram. If `staged` is true, it can also solve each stage alone."""
    free = [j for j, slot in enumerate(diagram.slots) if slot.stage is not None]
    fixed = [j for j, slot in enumerate(diagram.slots) if slot.stage is None]
    shapes = diagram.shapes
    grips = [(shape.name, part, at) for shape, part, at in grips_of(shapes)]
    types = [
        Vec(len(free), Real), Vec(len(fixed), Real), Vec(len(grips), Real), Vec(2 * len(grips), Real),
        Vec(len(free), Real), Vec(len(free), Real),
    ]  # fmt: skip
    alone = with_unknowns(diagram) if staged else []
    alone = alone if len(alone) > 1 else []
    types += [Real] if alone else []
    centres = program(diagram, [value for _, _, at in grips for value in at], "grips")
    objective, constraints = parts_of(diagram, diagram.terms, free, fixed, types[:2], alone)
    places = {stage: 1.0 + k for k, stage in enumerate(alone)}
    owners = [places[diagram.slots[j].stage or 0] for j in free] if alone else []

    @fn(types, Real)
    def pulled(moved: Any, rest: Any, pulls: Any, targets: Any, hold: Any, home: Any, *stage: Any) -> Any:
        places = centres(*merged(moved, rest, free, fixed))
        away = moved - home
        total: Any = objective(moved, rest, *stage) + dot(hold * away, away)
        for k in range(len(grips)):
            dx, dy = places[2 * k] - targets[2 * k], places[2 * k + 1] - targets[2 * k + 1]
            total = total + pulls[k] * (dx * dx + dy * dy)
        return total

    several = [{**one, "fun": _with_pulls(one["fun"], types)} for one in constraints]
    begin, step = restricted_stepper(
        pulled, types, _restriction(owners) if alone else None, method, constraints=several, **options
    )  # fmt: skip
    firm = _firmness(begin)
    traced = [
        (shape.name, name, value) for shape in shapes
        for name, value in {**shape.values, **shape.style}.items() if is_traced(value)
    ]  # fmt: skip

    every = program(diagram, [value for _, _, value in traced], "attributes")

    def listed(run: Fn) -> Fn:
        made: Fn = fn(types[:2])(lambda moved, rest: as_vector(list(run(*merged(moved, rest, free, fixed)))))
        return made

    amounts = program(diagram, [amount(term) for term in diagram.terms], "amounts")
    starts = diagram.starts(seed)
    return DiagramStepper(
        begin, step, firm, attributes=listed(every), centres=listed(centres), amounts=listed(amounts),
        forces=_forces(diagram, types[:2], free, fixed),
        grips=tuple((shape, part) for shape, part, _ in grips),
        terms=tuple(diagram.terms), about=tuple(about(diagram, term) for term in diagram.terms),
        names=tuple((shape, name) for shape, name, _ in traced),
        starts=[starts[j] for j in free], parameters=[starts[j] for j in fixed],
        shapes=tuple(shape.name for shape in shapes),
        moves=tuple(any(map(is_traced, shape.centre)) for shape in shapes),
        unknowns=tuple(diagram.slots[j].key for j in free),
        stages=tuple(diagram.stages[k] for k in alone),
    )  # fmt: skip


def _firmness(begin: Fn) -> Fn:
    """Make the fn `firm` of a `DiagramStepper` with this `begin`.

    The energy and its gradient are linear in the weight. So `firm` computes both for a new weight from the
    numbers in the state.
    """
    state = begin.function.result

    @fn([state, Real])
    def firm(at: Any, weight: Any) -> Any:
        times = weight / at.weight
        is_firm = times > 1.0
        return replace(
            at,
            weight=weight,
            solves=select(is_firm, LATE, at.solves),
            energy=select(is_firm, at.fun + times * (at.energy - at.fun), at.energy),
            slope=select(is_firm, at.jac + times * (at.slope - at.jac), at.slope),
        )

    made: Fn = firm
    return made


def grips_of(shapes: Sequence[Shape]) -> list[tuple[Shape, str, tuple[Any, Any]]]:
    """Return the points that people can drag: all middles, then the points and sizes that can change."""
    grips: list[tuple[Shape, str, tuple[Any, Any]]] = [(shape, "", _held_at(shape)) for shape in shapes]
    for shape in shapes:
        v = shape.values
        match shape.kind:
            case "circle" if is_traced(v["r"]):
                grips.append((shape, "r", (v["x"] + v["r"], v["y"])))
            case "ellipse":
                grips += [(shape, "rx", (v["x"] + v["rx"], v["y"]))] if is_traced(v["rx"]) else []
                grips += [(shape, "ry", (v["x"], v["y"] + v["ry"]))] if is_traced(v["ry"]) else []
            case "rectangle" | "image" | "text" if is_traced(v["width"]) or is_traced(v["height"]):
                grips.append((shape, "size", (v["x"] + v["width"] / 2, v["y"] + v["height"] / 2)))
            case "line" | "polyline" | "polygon" | "path":
                points = enumerate(shape.points, 1)
                grips += [(shape, f"point {k}", p) for k, p in points if any(map(is_traced, p))]
    return grips


def _held_at(shape: Shape) -> tuple[Any, Any]:
    """Return the point by which people drag a whole shape.

    This point is the middle of the shape. But an included diagram whose origin is an unknown is dragged by
    its origin. Then all its shapes move by the same way.
    """
    x, y = shape.centre
    origin_x, origin_y = shape.values.get("x_origin"), shape.values.get("y_origin")
    return origin_x if is_traced(origin_x) else x, origin_y if is_traced(origin_y) else y


def _forces(
    diagram: Description, types: Sequence[Type], free: Sequence[int], fixed: Sequence[int]
) -> Fn:  # fmt: skip
    energies = program(diagram, [_energy(term) for term in diagram.terms], "energies")
    middles = program(diagram, [value for shape in diagram.shapes for value in shape.centre], "middles")

    @fn([*types, Vec(len(diagram.terms), Real)], Vec(2 * len(diagram.shapes), Real))
    def forces(moved: Any, rest: Any, chosen: Any) -> Any:
        def energy(at: Any) -> Any:
            return dot(as_vector(list(energies(*merged(at, rest, free, fixed)))), chosen)

        def places(at: Any) -> Any:
            return as_vector(list(middles(*merged(at, rest, free, fixed))))

        return jvp(places, (moved,), (-grad(fn([types[0]], Real)(energy))(moved),))[1]

    made: Fn = forces
    return made


def _energy(term: Term) -> Any:
    """Return the energy of a term, multiplied by its weight.

    A term that must hold has no weight. Its energy is half the sum of the squares of its violations.
    """
    if term.weight is not None:
        return term.weight * wish(term)
    squares = [value * value for value in term.relation.equal]
    squares += [m.minimum(value, 0.0) ** 2 for value in term.relation.least]
    return 0.5 * reduce(add, squares, 0.0)


def _with_pulls(constraint: Fn, types: Sequence[Type]) -> Fn:
    """Give a constraint all parameters of a stepper's energy."""
    made: Fn = fn(types)(
        lambda moved, rest, pulls, targets, hold, home, *stage: constraint(moved, rest, *stage)
    )
    return made


def _restriction(owners: Sequence[float]) -> Any:
    """Make the function that sets the gradient to 0 for unknowns of stages that are not solved.

    owners: the number of each unknown's stage, counted from 1.
    """
    return lambda gradient, given: of_stage(gradient, owners, given[-1])
