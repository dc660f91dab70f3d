"""The programs of a diagram: its energy for each stage, and all its numbers as a function of the unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from eglantine.functions.fn import Fn, fn
from eglantine.ir.program import Function
from eglantine.trace import maths as m
from eglantine.trace.scalars import RealValue, real_row
from eglantine.types import Real, Vec, as_type

from .description import Description, Term


@dataclass(frozen=True)
class Stage:
    """What one stage of a layout moves, and its energy.

    free, fixed: the places of the unknowns that it moves, and of all other numbers.
    energy: the Fn (free, fixed, weight) → energy.
    """

    free: list[int]
    fixed: list[int]
    energy: Fn


def stages_of(diagram: Description) -> list[Stage]:
    """The stages of a diagram that move anything."""
    stages = []
    for k in range(len(diagram.stages)):
        free = [j for j, slot in enumerate(diagram.slots) if slot.stage == k]
        if free:
            terms = [term for term in diagram.terms if term.stage == k]
            fixed = [j for j, slot in enumerate(diagram.slots) if slot.stage != k]
            stages.append(Stage(free, fixed, _energy(diagram, terms, free, fixed)))
    return stages


def program(diagram: Description, results: Sequence[Any], name: str) -> Fn:
    """The Fn that computes some of a diagram's numbers, as a Vec, from all its unknowns and parameters."""
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
    return penalty_of(relation.equal, relation.least) if relation.energy is None else relation.energy


def penalty_of(equal: Sequence[Any], least: Sequence[Any]) -> Any:
    """The sum of the squares by which relations are violated."""
    squares = [value * value for value in equal]
    squares += [m.minimum(value, 0.0) ** 2 for value in least]
    return reduce(add, squares) if squares else 0.0


def ensured(terms: Sequence[Term]) -> list[Term]:
    """The terms that must hold."""
    return [term for term in terms if term.weight is None]


def _energy(diagram: Description, terms: Sequence[Term], free: Sequence[int], fixed: Sequence[int]) -> Fn:
    """The energy of a stage."""
    must = ensured(terms)
    penalty = penalty_of(
        [value for term in must for value in term.relation.equal],
        [value for term in must for value in term.relation.least],
    )
    parts = program(diagram, [objective_of(terms), penalty], "energy")

    def energy(moved: Any, rest: Any, weight: Any) -> Any:
        objective, violated = parts(*merged(moved, rest, free, fixed))
        return objective + weight * violated

    return fn([Vec(len(free), Real), Vec(len(fixed), Real), Real], Real)(energy)


def is_traced(value: Any) -> bool:
    """Whether an attribute of a shape depends on the unknowns."""
    return isinstance(value, RealValue)
