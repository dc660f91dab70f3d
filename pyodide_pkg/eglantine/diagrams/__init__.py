"""Describe a diagram by its shapes and by the relations between them. An optimiser finds the layout.

    from eglantine import diagrams as dg

    d = dg.Diagram(300, 200)
    a, b = d.circle(r=40, name="A"), d.circle(r=25, name="B")
    d.ensure(dg.touching(a, b))
    print(d.layout().svg())

| module | what it does |
|---|---|
| `diagram` | the diagram that a user describes and lays out |
| `including` | copy a diagram into another one |
| `description` | collect the diagram's shapes, unknowns and relations |
| `shapes` | hold a shape's attributes and outline |
| `styles` | check the colours, lines and other styles of shapes |
| `arguments` | check the arguments of relations |
| `statements` | find the text of each relation in the user's program |
| `relations` | measure how badly a relation is violated |
| `distances` | compute signed distances of outlines |
| `text_widths` | measure text |
| `programs` | build the energy of a diagram, and functions that solve its stages |
| `steppers` | build the functions that lay out a diagram while people drag its shapes |
| `layout` | minimise the energy, and list the violated relations |
| `drawing` | draw a layout as SVG |
| `live` | make a figure that can update the layout in the page |
| `exchange` | convert a diagram to data and back, for the pages |

Some pages build the energy of a diagram themselves, as a graph of operations. The package reads such graphs,
and differentiates and compiles them:

| module | what it does |
|---|---|
| `compiling` | compile the energies of all stages, and time each pass |
| `stages` | minimise, stage by stage, an energy that another module computes |
| `energy` | build the function of an energy and of its gradient |
| `gradient` | differentiate an energy while its rows are being built |
| `rounds` | turn pieces that have the same shape into loops |
| `operations` | turn the operations of a graph into rows |
| `pieces` | find the pieces of a graph that have the same shape |
| `lanes` | compare many numbers at once inside one long integer |
| `graphs` | read a graph in the format `penrose-scalar-dag/1` |
| `dragging` | let the pages' visitors drag the shapes of a diagram |
| `penrose` | prepare Penrose's diagrams for the pages |
| `exterior` | minimise an energy by the same steps as Penrose's optimiser |
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from .description import Term
    from .diagram import Diagram
    from .exchange import from_text as from_text
    from .exchange import to_data as to_data
    from .layout import Layout, Violation
    from .penrose import penrose_diagram as penrose_diagram
    from .relations import (
        Relation,
        above,
        at_distance,
        centred,
        collinear,
        contains,
        disjoint,
        distance,
        equal,
        equal_length,
        far,
        horizontal,
        in_canvas,
        inside_polygon,
        left_of,
        less_than,
        maximise,
        minimal_crossings,
        minimise,
        near,
        on_curve,
        overlapping,
        parallel,
        perpendicular,
        repel,
        same_size,
        touching,
        vertical,
    )
    from .shapes import Shape, unknown
    from .steppers import DiagramStepper

_HOMES = {
    "description": ("Term",),
    "diagram": ("Diagram",),
    "layout": ("Layout", "Violation"),
    "steppers": ("DiagramStepper",),
    "shapes": ("Shape", "unknown"),
    "exchange": ("from_text", "to_data"),
    "penrose": ("penrose_diagram",),
    "relations": (
        "Relation", "above", "at_distance", "centred", "collinear", "contains", "disjoint",
        "distance", "equal", "equal_length", "far", "horizontal", "in_canvas", "inside_polygon",
        "left_of", "less_than", "maximise", "minimal_crossings", "minimise", "near", "on_curve",
        "overlapping", "parallel", "perpendicular", "repel", "same_size", "touching", "vertical",
    ),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Diagram", "DiagramStepper", "Layout", "Relation", "Shape", "Term", "Violation", "above", "at_distance",
    "centred", "collinear", "contains", "disjoint", "distance", "equal", "equal_length", "far", "horizontal",
    "in_canvas", "inside_polygon", "left_of", "less_than", "maximise", "minimal_crossings", "minimise",
    "near", "on_curve", "overlapping", "parallel", "perpendicular", "repel", "same_size", "touching",
    "unknown", "vertical",
]  # fmt: skip
# Only the pages use from_text, to_data and penrose_diagram, so `__all__` omits them.


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        value: object = getattr(_import_module(f".{_MODULE_OF[name]}", __name__), name)
        globals()[name] = value
        return value
    from eglantine.unknown import unknown_name

    raise unknown_name(name, "diagrams", __all__)
