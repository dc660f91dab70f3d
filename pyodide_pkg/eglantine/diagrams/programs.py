"""Make the functions of a diagram: a solver for each stage, and functions that compute its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from eglantine.functions.fn import Fn, fn
from eglantine.ir.program import Function
from eglantine.solvers.stepping import minimizer
from eglantine.trace import maths as m
from eglantine.trace.choices import select
from eglantine.trace.elementwise import as_vector
from eglantine.trace.scalars import RealValue, real_row
from eglantine.types import Real, Type, Vec, as_type

from .description import Description, Term
from .shapes import Shape

MOST_ITERATIONS = 10_000
NEVER_ALONE = -1.0
"""The number of a stage that cannot be solved alone, because it has no unknowns."""


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
    for k in with_unknowns(diagram):
        free = [j for j, slot in enumerate(diagram.slots) if slot.stage == k]
        fixed = [j for j, slot in enumerate(diagram.slots) if slot.stage != k]
        terms = [term for term in diagram.terms if term.stage == k]
        types = [Vec(len(free), Real), Vec(len(fixed), Real)]
        objective, constraints = parts_of(diagram, terms, free, fixed, types)
        most = MOST_ITERATIONS if maxiter is None else maxiter
        solver = minimizer(objective, types, method, constraints=constraints, maxiter=most)
        stages.append(Stage(free, fixed, solver))
    return stages


def with_unknowns(diagram: Description) -> list[int]:
    """Return the numbers of the stages that have unknowns."""
    return [k for k in range(len(diagram.stages)) if any(slot.stage == k for slot in diagram.slots)]


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


def parts_of(
    diagram: Description,
    terms: Sequence[Term],
    free: Sequence[int],
    fixed: Sequence[int],
    types: Sequence[Type],
    alone: Sequence[int] = (),
) -> tuple[Fn, list[dict[str, Any]]]:
    """Make functions of the free and the fixed numbers: the energy and the constraints.

    alone: the stages that can be solved alone. If there are any, the functions have a further argument, as
        for `of_stage`, and ignore the terms of stages that are not solved.
    """
    numbers = {k: float(number) for number, k in enumerate(alone, 1)}
    owner = [numbers.get(term.stage, NEVER_ALONE) for term in terms]
    groups = {one: [term for term, own in zip(terms, owner, strict=True) if own == one] for one in owner}
    must = [(term, one) for term, one in zip(terms, owner, strict=True) if term.weight is None]
    energies = [(objective_of(group), one) for one, group in groups.items()] or [(0.0, NEVER_ALONE)]
    equal = [(value, one) for term, one in must for value in term.relation.equal]
    least = [(value, one) for term, one in must for value in term.relation.least]
    parts = program(diagram, [value for value, _ in (*energies, *equal, *least)], "terms")
    takes = [*types, Real] if alone else types

    def part(first: int, values: Sequence[tuple[Any, float]]) -> Fn:
        """Make the function that computes some of the values."""

        @fn(takes)
        def computed(moved: Any, rest: Any, *stage: Any) -> Any:
            found = list(parts(*merged(moved, rest, free, fixed))[first : first + len(values)])
            return of_stage(as_vector(found), [one for _, one in values], *stage)

        made: Fn = computed
        return made

    added = part(0, energies)
    objective = fn(takes, Real)(lambda *given: reduce(add, list(added(*given))))
    constraints = []
    if equal:
        constraints.append({"type": "eq", "fun": part(len(energies), equal)})
    if least:
        constraints.append({"type": "ineq", "fun": part(len(energies) + len(equal), least)})
    return objective, constraints


def of_stage(values: Any, owners: Sequence[float], stage: Any = None) -> Any:
    """Replace the values of all stages that are not solved by 0.

    owners: for each value, the number of its stage, or NEVER_ALONE. stage: the number of the stage that is
        solved. If it is 0, all stages are solved. If it is None, the values are returned unchanged.
    """
    if stage is None:
        return values
    is_solved = {owner: (stage == 0.0) | (stage == owner) for owner in sorted(set(owners))}
    return as_vector([select(is_solved[owner], values[k], 0.0) for k, owner in enumerate(owners)])


def is_traced(value: Any) -> bool:
    """True if an attribute's value depends on the unknowns. Otherwise it is a plain number."""
    return isinstance(value, RealValue)
