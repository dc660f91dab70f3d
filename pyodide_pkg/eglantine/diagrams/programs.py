"""The programs of a diagram: a solver for each stage, and all its numbers as a function of the unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

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
"""A number of solves after which the method needs no further one to know that a layout has settled."""


@dataclass(frozen=True)
class Stage:
    """What one stage of a layout moves, and how.

    free, fixed: the places of the unknowns that it moves, and of all other numbers.
    solver: the Fn (free, fixed) → the end of the solve.
    """

    free: list[int]
    fixed: list[int]
    solver: Fn


def stages_of(diagram: Description, method: str, maxiter: int | None) -> list[Stage]:
    """The stages of a diagram that move anything."""
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
    """A layout that a page runs a few iterations at a time, while shapes are pulled to the pointer.

    begin: the fn (x, parameters, pulls, targets, hold, home) → state.
    step: the fn (state, n, parameters, pulls, targets, hold, home) → state.
    firm: the fn (state, weight) → state, for a state of `begin` whose relations nearly hold. The solve goes
        on with this weight of the relations that must hold, and not with the small first one, with which they
        would first give way: a label could slip through a line and come out on its other side.
    The state's `x` holds the unknowns. pulls: for each shape how strongly it is pulled, 0 for not at all.
    targets: for each shape the point to which it is pulled, x and y in turn.
    hold: how strongly all unknowns are held where they are in `home`, so that nothing moves without need.
    attributes: the fn (x, parameters) → the numbers that `names` lists.
    centres: the fn (x, parameters) → the middle of each shape, x and y in turn.
    amounts: the fn (x, parameters) → for each of `terms`, by how much the relation is missed if it must hold,
        and otherwise its energy times its weight.
    about: for each of `terms` the names of the shapes that it is about.
    starts, parameters: the numbers with which a layout begins. shapes: the names of the shapes in order.
    moves: for each shape whether its middle depends on an unknown.
    unknowns: the names of the numbers in x, such as "A.x".
    """

    begin: Fn
    step: Fn
    firm: Fn
    attributes: Fn
    centres: Fn
    amounts: Fn
    terms: tuple[Term, ...]
    about: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, str], ...]
    starts: list[float]
    parameters: list[float]
    shapes: tuple[str, ...]
    moves: tuple[bool, ...]
    unknowns: tuple[str, ...]


def stepper_of(diagram: Description, seed: int, method: str, options: dict[str, Any]) -> DiagramStepper:
    """The stepper of a diagram, in which all stages move together."""
    free = [j for j, slot in enumerate(diagram.slots) if slot.stage is not None]
    fixed = [j for j, slot in enumerate(diagram.slots) if slot.stage is None]
    shapes = diagram.shapes
    types = [
        Vec(len(free), Real), Vec(len(fixed), Real), Vec(len(shapes), Real), Vec(2 * len(shapes), Real),
        Real, Vec(len(free), Real),
    ]  # fmt: skip
    centres = program(diagram, [value for shape in shapes for value in shape.centre], "centres")
    objective, constraints = _parts(diagram, diagram.terms, free, fixed, types[:2])

    @fn(types, Real)
    def pulled(moved: Any, rest: Any, pulls: Any, targets: Any, hold: Any, home: Any) -> Any:
        places = centres(*merged(moved, rest, free, fixed))
        away = moved - home
        total: Any = objective(moved, rest) + hold * dot(away, away)
        for k in range(len(shapes)):
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
        terms=tuple(diagram.terms), about=tuple(_about(diagram, term) for term in diagram.terms),
        names=tuple((shape, name) for shape, name, _ in traced),
        starts=[starts[j] for j in free], parameters=[starts[j] for j in fixed],
        shapes=tuple(shape.name for shape in shapes),
        moves=tuple(any(map(is_traced, shape.centre)) for shape in shapes),
        unknowns=tuple(diagram.slots[j].key for j in free),
    )  # fmt: skip


def _firmness(begin: Fn) -> Fn:
    """The fn (state, weight) → state of a stepper with this `begin`.

    The energy is linear in the weight, so its value and its slope at another weight follow from the state.
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


def _about(diagram: Description, term: Term) -> tuple[str, ...]:
    """The shapes that a relation names, or else those on whose unknowns its numbers depend."""
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
    """The Fn that computes some of a diagram's numbers from all its unknowns and parameters."""
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
    """All numbers of a diagram in order, from those that a stage moves and the others."""
    values: list[Any] = [None] * (len(stage_free) + len(stage_fixed))
    for k, place in enumerate(stage_free):
        values[place] = free[k]
    for k, place in enumerate(stage_fixed):
        values[place] = fixed[k]
    return values


def objective_of(terms: Sequence[Term]) -> Any:
    """The sum of the encouraged terms, each with its weight."""
    parts = [term.weight * wish(term) for term in terms if term.weight is not None]
    return reduce(add, parts) if parts else 0.0


def wish(term: Term) -> Any:
    """The energy of an encouraged relation before it is weighted."""
    relation = term.relation
    if relation.energy is not None:
        return relation.energy
    squares = [value * value for value in relation.equal]
    squares += [m.minimum(value, 0.0) ** 2 for value in relation.least]
    return reduce(add, squares) if squares else 0.0


def amount(term: Term) -> Any:
    """By how much a relation is missed if it must hold, and otherwise its energy times its weight."""
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
    """What a solver minimises, and its constraints, as functions of the numbers that move and the others."""
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
    """Whether an attribute of a shape depends on the unknowns."""
    return isinstance(value, RealValue)
