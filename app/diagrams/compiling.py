"""Compile a diagram to a kernel. While a shape is dragged, the kernel computes a new layout in each frame."""

from __future__ import annotations

import time
from typing import Any

import eglantine as eg
from eglantine.diagrams import Diagram, DiagramStepper, Shape, Term

TRIES = 5
"""The largest number of random starts that the page tries for a layout. The page stops at the first layout
without violated relations. `Diagram.layout` has the same limit."""
FAR_SEED = 1_000_003
"""The difference between the seeds of two successive starts. `Diagram.layout` uses the same number."""

DESCENT = 1e-4
"""The predicted decrease of the energy below which a solve ends. This bound is smaller than for layouts that
nobody drags. With a larger bound, solves would end too early: a layout would not return to its old state when
the pointer comes back."""
REACH = 0.03
"""The longest step of the search, as a fraction of the canvas's width or height, whichever is smaller. Steps
are short so that shapes do not leap while you drag."""


def compile_diagram(diagram: Diagram, start: float) -> dict[str, Any]:
    """Compile a diagram and describe it.

    start: the time when the diagram's program began to run. "cost" is the time from `start` until now.

    Returns {"wasm", "abi", "size", "shapes", "grips", "places", "terms", "unknowns", "stages", "parameters",
    "cost"}. If at least two stages of the diagram have unknowns, "stages" has the names of these stages.
    Otherwise it is empty.
    The module takes, in this order:
        the unknowns x;
        the number of iterations;
        the first weight of the penalty for violated relations, or 0 if the solver should choose a weight;
        the parameters;
        for each grip (a point by which a shape can be dragged), the strength and the target of a pull;
        for each unknown, the strength and the target of a force that holds the unknown;
        if "stages" is not empty: the number of the only stage to solve, counted from 1, or 0 for all stages.
    The module returns the new x, the attributes of shapes that "places" lists, the position of each grip, a
    number for each relation in "terms", the energy of the solved stages, the number of iterations, the last
    weight of the penalty, and the solver's status. The number for a relation that must hold is the size of
    its violation. The number for a relation that is only encouraged is its energy.
    """
    reach = REACH * min(diagram.width, diagram.height)
    stepper = diagram.stepper(staged=True, descent=DESCENT, reach=reach)
    artifact = eg.compile_artifact(frame_of(stepper))
    ms = 1000 * (time.perf_counter() - start)
    places = {name: k for k, name in enumerate(stepper.shapes)}
    computed = set(stepper.names)
    return {
        "wasm": artifact.wasm,
        "abi": artifact.abi,
        "size": [diagram.width, diagram.height],
        "shapes": [
            {**described(shape, places, computed), "moves": moves}
            for shape, moves in zip(diagram.shapes, stepper.moves, strict=True)
        ],
        "grips": [[places[shape], part] for shape, part in stepper.grips],
        "places": [[places[shape], name] for shape, name in stepper.names],
        "terms": [
            told(term, [places[name] for name in about])
            for term, about in zip(stepper.terms, stepper.about, strict=True)
        ],
        "unknowns": stepper.unknowns,
        "stages": stepper.stages,
        "parameters": stepper.parameters,
        "cost": {"ms": ms, "bytes": len(artifact.wasm)},
    }


def starts_of(diagram: Diagram, seed: int) -> list[list[float]]:
    """Return the starting points of the searches that `Diagram.layout` makes with this seed."""
    free = [k for k, slot in enumerate(diagram.slots) if slot.stage is not None]
    every = [diagram.starts(seed + FAR_SEED * k) for k in range(TRIES)]
    return [[numbers[k] for k in free] for numbers in every]


def frame_of(stepper: DiagramStepper) -> eg.Fn:
    """Make the function that a page calls in each frame.

    The function starts from the layout x, makes at most n iterations of the solver, and returns the numbers
    that the page draws.
    """
    of_x, *others = stepper.begin.function.params

    @eg.fn([of_x, eg.Real, eg.Real, *others])
    def frame(x: Any, n: Any, weight: Any, *given: Any) -> Any:
        start = stepper.begin(x, *given)
        end = stepper.step(stepper.firm(start, eg.select(weight > 0.0, weight, start.weight)), n, *given)
        parameters = given[0]
        return {
            "x": end.x,
            "shown": stepper.attributes(end.x, parameters),
            "centres": stepper.centres(end.x, parameters),
            "amounts": stepper.amounts(end.x, parameters),
            "energy": end.fun,
            "iterations": end.nit,
            "weight": end.weight,
            "status": end.status,
        }

    made: eg.Fn = frame
    return made


def described(shape: Shape, places: dict[str, int], computed: set[tuple[str, str]]) -> dict[str, Any]:
    """Describe a shape for the page. Attributes that the kernel computes get the value None.

    places: maps the name of each shape to its number.
    computed: the attributes that the kernel computes, as pairs (shape's name, attribute).
    """
    values = {**shape.values, **shape.style}
    return {
        "name": shape.name,
        "kind": shape.kind,
        "content": shape.content,
        "layer": shape.layer,
        "members": [places[member.name] for member in shape.members],
        "values": {k: None if (shape.name, k) in computed else value for k, value in values.items()},
        "line": shape.span.line if shape.span else 0,
    }


def told(term: Term, shapes: list[int]) -> dict[str, Any]:
    """Describe a relation for the page's list. shapes: the numbers of the shapes in the relation."""
    return {
        "name": term.relation.name,
        "words": term.words,
        "shapes": shapes,
        "must": term.weight is None,
        "line": term.span.line if term.span else 0,
    }
