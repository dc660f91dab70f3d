"""Lay out a diagram: minimise the energy of each stage, and say which relations are violated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eglantine.api import compile
from eglantine.errors import CompileError, TypeMismatchError
from eglantine.words.spelling import listed, nearest

from .description import Description, Term
from .drawing import svg_of
from .programs import Stage, ensured, is_traced, objective_of, program, stages_of

VIOLATED = 1e-3
"""The largest error of a relation that still counts as holding, in the diagram's units."""
METHODS = ("exterior-point",)
FAR_SEED = 1_000_003


@dataclass(frozen=True)
class Violation:
    """A relation that does not hold in a layout.

    relation: the relation in words.
    line: the number of the program's line that states the relation, or 0 if the line is not known.
    by: how far the relation is from holding, in the diagram's units.
    """

    relation: str
    line: int
    by: float

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.relation} is missed by {self.by:.3g}"


@dataclass(frozen=True)
class Layout:
    """A layout of a diagram: the numbers that the optimiser found.

    values: a dict from the name of each shape to a dict of the shape's attributes.
    energy: the sum of the energies of the encouraged relations, each multiplied by its weight.
    violations: the relations that do not hold, the worst first.
    unknowns: a dict from the name of each unknown, such as "A.x", to the unknown's value.
    iterations: the number of steps of the optimiser.
    """

    diagram: Description
    values: dict[str, dict[str, Any]]
    energy: float
    violations: list[Violation]
    unknowns: dict[str, float]
    iterations: int

    @property
    def success(self) -> bool:
        """True if all relations that must hold do hold."""
        return not self.violations

    def svg(self) -> str:
        """Draw the diagram as SVG. The id of each shape is its name."""
        return svg_of(self.diagram, self.values)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        told = "every relation holds" if self.success else "; ".join(map(str, self.violations))
        return f"<layout of {len(self.diagram.shapes)} shapes, energy {self.energy:.6g}, {told}>"


def laid_out(
    diagram: Description, method: str, maxiter: int | None, seed: int, start: Any,
    parameters: Mapping[str, float] | None, tries: int,
) -> Layout:  # fmt: skip
    """Lay out a diagram, as `Diagram.layout` describes it."""
    if method.lower() not in METHODS:
        raise TypeMismatchError(f"The method of a layout must be {listed(METHODS)}, but it is {method!r}.")
    report = _Report(diagram)
    solvers = [(stage, _compiled(stage)) for stage in stages_of(diagram, method.lower(), maxiter)]
    best: Layout | None = None
    for attempt in range(max(tries, 1)):
        x = diagram.starts(seed + FAR_SEED * attempt)
        _place_parameters(diagram, x, parameters or {})
        if attempt == 0 and start is not None:
            _place_start(diagram, x, start)
        iterations = 0
        for stage, solver in solvers:
            iterations += _solve(stage, solver, x)
        layout = report.of(x, iterations)
        if best is None or _rank(layout) < _rank(best):
            best = layout
        if best.success:
            break
    assert best is not None
    return best


def _rank(layout: Layout) -> tuple[float, float]:
    """Return a sort key for layouts: first the sum of the violations, then the energy."""
    return sum(violation.by for violation in layout.violations), layout.energy


def _compiled(stage: Stage) -> Any:
    """Compile the solver of a stage. If there is no engine to run it, return the solver unchanged."""
    try:
        return compile(stage.solver)
    except CompileError:
        return stage.solver


def _solve(stage: Stage, solver: Any, x: list[float]) -> int:
    """Minimise the energy of a stage. Update its unknowns in x, and return the number of iterations."""
    end = solver([x[place] for place in stage.free], [x[place] for place in stage.fixed])
    if all(map(math.isfinite, end.x)):
        for place, value in zip(stage.free, end.x, strict=True):
            x[place] = value
    return int(end.nit)


def _place_parameters(diagram: Description, x: list[float], parameters: Mapping[str, float]) -> None:
    known = {slot.key: k for k, slot in enumerate(diagram.slots) if slot.stage is None}
    for name, value in parameters.items():
        if name not in known:
            raise TypeMismatchError(
                f"The diagram has no parameter {name}. It has {listed(list(known)) or 'none'}.",
                None,
                nearest(name, list(known)),
            )
        x[known[name]] = float(value)


def _place_start(diagram: Description, x: list[float], start: Any) -> None:
    """Copy the values of an earlier layout to the unknowns in x."""
    if isinstance(start, Layout):
        found: Mapping[str, Any] = start.unknowns
    else:
        found = {f"{shape}.{name}": v for shape, values in start.items() for name, v in values.items()}
    for k, slot in enumerate(diagram.slots):
        if slot.stage is not None and slot.key in found:
            x[k] = float(found[slot.key])


class _Report:
    """Computes a layout (attributes, energy and violations) from the values of a diagram's unknowns."""

    def __init__(self, diagram: Description) -> None:
        self._diagram = diagram
        self._traced = [
            (shape, name, value) for shape in diagram.shapes
            for name, value in {**shape.values, **shape.style}.items() if is_traced(value)
        ]  # fmt: skip
        self._must = ensured(diagram.terms)
        numbers = [value for _, _, value in self._traced]
        for term in self._must:
            numbers += [*term.relation.equal, *term.relation.least]
        self._run = program(diagram, [*numbers, objective_of(diagram.terms)], "layout")

    def of(self, x: Sequence[float], iterations: int) -> Layout:
        """The layout with these unknowns."""
        numbers = iter(self._run(*x))
        values = {shape.name: {**shape.values, **shape.style} for shape in self._diagram.shapes}
        for shape, name, _ in self._traced:
            values[shape.name][name] = next(numbers)
        violations = [
            Violation(term.words, term.span.line if term.span else 0, missed)
            for term in self._must if not (missed := _missed(term, numbers)) <= VIOLATED
        ]  # fmt: skip
        slots = self._diagram.slots
        return Layout(
            self._diagram, values, next(numbers), sorted(violations, key=lambda one: -one.by),
            {slot.key: value for slot, value in zip(slots, x, strict=True)}, iterations,
        )  # fmt: skip


def _missed(term: Term, numbers: Any) -> float:
    """Return how far a relation is from holding. Take its numbers from the iterator `numbers`."""
    off = [abs(next(numbers)) for _ in term.relation.equal]
    off += [-next(numbers) for _ in term.relation.least]
    return max(off, default=0.0) if not any(map(math.isnan, off)) else math.inf
