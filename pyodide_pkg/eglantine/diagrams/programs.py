"""Make the functions of a diagram: a solver for each stage, and functions that compute its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

from eglantine.functions.derivatives import grad, jvp
from eglantine.functions.fn import Fn, fn
from eglantine.ir.program import Function
from eglantine.solvers.stepping import minimizer, stepper
from eglantine.trace import maths as m
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector
from eglantine.trace.products import dot
from eglantine.trace.scalars import RealValue, real_row
from eglantine.types import Real, Type, Vec, as_type

from .description import Description, Term
from .shapes import Shape

MOST_ITERATIONS = 10_000
LATE = 100.0
"""A start value for the method's count of solves that is larger than every `least_solves`.

With this value, the method may stop after its first solve."""


@dataclass(frozen=True)
class Stage:
    """One stage of a layout: the numbers that it changes, and its solver.

    free: the positions of the unknowns that the stage changes, in the diagram's list of numbers.
    fixed: the positions of all other numbers in this list.
    solver: the Fn that takes the numbers at `free` and the numbers at `fixed`, and returns the final state of
        the search.
    """

    free: list[int]
    fixed: list[int]
    solver: Fn


def stages_of(diagram: Description, method: str, maxiter: int | None) -> list[Stage]:
    """Make the stages of a diagram. Leave out stages without unknowns."""
    stages = []
    for k in range(len(diagram.stages)):
        free = [j for j, slot in enumerate(diagram.slots) if slot.stage == k]
        if free:
            terms = [term for term in diagram.terms if term.stage == k]
            fixed = [j for j, slot in enumerate(diagram.slots) if slot.stage != k]
            types = [Vec(len(free), Real), Vec(len(fixed), Real)]
            objective, constraints = _parts(diagram, terms, free, fixed, types)
            most = MOST_ITERATIONS if maxiter is None else maxiter
            solver = minimizer(objective, types, method, constraints=constraints, maxiter=most)
            stages.append(Stage(free, fixed, solver))
    return stages


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


def stepper_of(diagram: Description, seed: int, method: str, options: dict[str, Any]) -> DiagramStepper:
    """Make the stepper of a diagram. It changes the unknowns of all stages at the same time."""
    free = [j for j, slot in enumerate(diagram.slots) if slot.stage is not None]
    fixed = [j for j, slot in enumerate(diagram.slots) if slot.stage is None]
    shapes = diagram.shapes
    grips = [(shape.name, part, at) for shape, part, at in grips_of(shapes)]
    types = [
        Vec(len(free), Real), Vec(len(fixed), Real), Vec(len(grips), Real), Vec(2 * len(grips), Real),
        Vec(len(free), Real), Vec(len(free), Real),
    ]  # fmt: skip
    centres = program(diagram, [value for _, _, at in grips for value in at], "grips")
    objective, constraints = _parts(diagram, diagram.terms, free, fixed, types[:2])

    @fn(types, Real)
    def pulled(moved: Any, rest: Any, pulls: Any, targets: Any, hold: Any, home: Any) -> Any:
        places = centres(*merged(moved, rest, free, fixed))
        away = moved - home
        total: Any = objective(moved, rest) + dot(hold * away, away)
        for k in range(len(grips)):
            dx, dy = places[2 * k] - targets[2 * k], places[2 * k + 1] - targets[2 * k + 1]
            total = total + pulls[k] * (dx * dx + dy * dy)
        return total

    several = [{**one, "fun": _with_pulls(one["fun"], types)} for one in constraints]
    begin, step = stepper(pulled, types, method, constraints=several, **options)
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

    It is the middle of the shape. For an included diagram, it is the origin if the origin is unknown, so that
    all copies move together.
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


def about(diagram: Description, term: Term) -> tuple[str, ...]:
    """Return the names of the shapes in a relation.

    If the relation names no shape, return the names of all shapes that have an unknown in it.
    """
    relation = term.relation
    named = [one.name for one in relation.about if isinstance(one, Shape)]
    if named:
        return tuple(named)
    numbers = [*relation.equal, *relation.least, relation.energy]
    rows, waiting = diagram.builder.rows, [value.row for value in numbers if is_traced(value)]
    seen: set[int] = set()
    while waiting:
        row = waiting.pop()
        if row > 0 and row not in seen:
            seen.add(row)
            if rows[row][0] != "param":
                waiting += [operand for operand in rows[row][1:] if isinstance(operand, int)]
    owners = {diagram.slots[rows[row][1]].key.rpartition(".")[0] for row in seen if rows[row][0] == "param"}
    return tuple(shape.name for shape in diagram.shapes if shape.name in owners)


def _with_pulls(constraint: Fn, types: Sequence[Type]) -> Fn:
    made: Fn = fn(types)(lambda moved, rest, *_: constraint(moved, rest))
    return made


def program(diagram: Description, results: Sequence[Any], name: str) -> Fn:
    """Make the Fn that computes `results` from all unknowns and parameters of a diagram."""
    b = diagram.builder
    rows = [real_row(b, value) for value in results]
    block = b.finish(rows)
    count = len(diagram.slots)
    function = Function(
        name, (Real,) * count, as_type((Real,) * len(rows)), block,
        leaf_params=block.param_types, leaf_results=block.result_types,
    )  # fmt: skip
    return Fn(function)


def merged(free: Any, fixed: Any, stage_free: Sequence[int], stage_fixed: Sequence[int]) -> list[Any]:
    """Combine the free and the fixed numbers of a stage into the diagram's list of numbers."""
    values: list[Any] = [None] * (len(stage_free) + len(stage_fixed))
    for k, place in enumerate(stage_free):
        values[place] = free[k]
    for k, place in enumerate(stage_fixed):
        values[place] = fixed[k]
    return values


def objective_of(terms: Sequence[Term]) -> Any:
    """Add up the energies of the encouraged relations, each multiplied by its weight."""
    parts = [term.weight * wish(term) for term in terms if term.weight is not None]
    return reduce(add, parts) if parts else 0.0


def wish(term: Term) -> Any:
    """The energy of an encouraged relation, without its weight."""
    relation = term.relation
    if relation.energy is not None:
        return relation.energy
    squares = [value * value for value in relation.equal]
    squares += [m.minimum(value, 0.0) ** 2 for value in relation.least]
    return reduce(add, squares) if squares else 0.0


def amount(term: Term) -> Any:
    """For a relation that must hold, return how far it is from holding.

    For an encouraged relation, return its energy times its weight.
    """
    if term.weight is not None:
        return term.weight * wish(term)
    missed = [abs(value) for value in term.relation.equal] + [-value for value in term.relation.least]
    return reduce(m.maximum, missed, 0.0)


def ensured(terms: Sequence[Term]) -> list[Term]:
    """The terms that must hold."""
    return [term for term in terms if term.weight is None]


def _parts(
    diagram: Description,
    terms: Sequence[Term],
    free: Sequence[int],
    fixed: Sequence[int],
    types: Sequence[Type],
) -> tuple[Fn, list[dict[str, Any]]]:
    """Make functions of the free and the fixed numbers: the energy and the constraints."""
    must = ensured(terms)
    equal = [value for term in must for value in term.relation.equal]
    least = [value for term in must for value in term.relation.least]
    parts = program(diagram, [objective_of(terms), *equal, *least], "terms")

    def numbers(moved: Any, rest: Any, first: int, last: int) -> Any:
        return as_vector(list(parts(*merged(moved, rest, free, fixed))[first:last]))

    objective = fn(types, Real)(lambda moved, rest: parts(*merged(moved, rest, free, fixed))[0])
    constraints = []
    if equal:
        f = fn(types)(lambda moved, rest: numbers(moved, rest, 1, 1 + len(equal)))
        constraints.append({"type": "eq", "fun": f})
    if least:
        f = fn(types)(lambda moved, rest: numbers(moved, rest, 1 + len(equal), 1 + len(equal) + len(least)))
        constraints.append({"type": "ineq", "fun": f})
    return objective, constraints


def is_traced(value: Any) -> bool:
    """True if an attribute's value depends on the unknowns. Otherwise it is a plain number."""
    return isinstance(value, RealValue)
