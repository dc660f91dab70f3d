"""The gallery's diagrams by name. Their programs are the files of the folder `gallery`."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import eglantine as eg

from .compiling import compile_diagram, starts_of

if TYPE_CHECKING:
    from eglantine import Artifact
    from eglantine.diagrams import Diagram

NAMES = (
    "euler_sets", "commutative_square", "labelled_graph", "family_tree", "flowchart", "neural_network",
    "nine_point_circle", "incircle", "pythagoras", "tangent_circles", "seven_coins", "circle_packing",
    "gears", "free_body", "lens", "circuit", "hanging_chain", "planets", "water_molecule", "steiner_tree",
    "map_labels", "word_cloud", "timeline", "box_model", "latin_square", "island",
)  # fmt: skip
"""The names of the gallery's diagrams, in the page's order. The first is the default."""


def gallery_diagram(name: str, seed: int | None) -> dict[str, Any]:
    """Compile a diagram of the gallery. Return the dict of `compile_diagram` with "seed" and "starts" added.

    seed: the seed of the random numbers. If it is None, the seed in the diagram's program is used.

    Raises:
        ValueError: the gallery has no such diagram.
    """
    diagram, compiled = _compiled(name)
    used = diagram.seed if seed is None else seed
    return {**compiled, "seed": used, "starts": starts_of(diagram, used)}


def handed_diagram(text: str, seed: int | None) -> dict[str, Any]:
    """Compile a diagram given as text. Return a dict with the same keys as `gallery_diagram`."""
    diagram, compiled = _compiled_handed(text)
    used = diagram.seed if seed is None else seed
    return {**compiled, "seed": used, "starts": starts_of(diagram, used)}


def forces_of(name: str, text: str | None) -> Artifact:
    """Compile a module that computes the forces by which the relations of a diagram move its shapes.

    name: the name of a diagram of the gallery. It is used if `text` is None.
    text: a diagram written as text, or None.
    """
    diagram, _ = _compiled(name) if text is None else _compiled_handed(text)
    return eg.compile_artifact(diagram.stepper().forces)


@lru_cache(maxsize=4)
def _compiled_handed(text: str) -> tuple[Diagram, dict[str, Any]]:
    """Read a diagram from a text and compile it. Return the diagram and the dict of `compile_diagram`."""
    from eglantine.diagrams import from_text  # the gallery does not need it

    start = time.perf_counter()
    diagram = from_text(text)
    return diagram, compile_diagram(diagram, start)


@lru_cache(maxsize=4)
def _compiled(name: str) -> tuple[Diagram, dict[str, Any]]:
    """Compile a diagram of the gallery. Return the diagram and the dict of `compile_diagram`.

    The four most recent results are cached.
    """
    start = time.perf_counter()
    diagram = _diagram(name)
    return diagram, compile_diagram(diagram, start)


def _diagram(name: str) -> Diagram:  # noqa: C901, PLR0912, PLR0915 - so that no text becomes code
    """Run a program of the gallery, and return its diagram."""
    match name:
        case "euler_sets":
            from .gallery.euler_sets import d
        case "commutative_square":
            from .gallery.commutative_square import d
        case "labelled_graph":
            from .gallery.labelled_graph import d
        case "family_tree":
            from .gallery.family_tree import d
        case "flowchart":
            from .gallery.flowchart import d
        case "neural_network":
            from .gallery.neural_network import d
        case "nine_point_circle":
            from .gallery.nine_point_circle import d
        case "incircle":
            from .gallery.incircle import d
        case "pythagoras":
            from .gallery.pythagoras import d
        case "tangent_circles":
            from .gallery.tangent_circles import d
        case "seven_coins":
            from .gallery.seven_coins import d
        case "circle_packing":
            from .gallery.circle_packing import d
        case "gears":
            from .gallery.gears import d
        case "free_body":
            from .gallery.free_body import d
        case "lens":
            from .gallery.lens import d
        case "circuit":
            from .gallery.circuit import d
        case "hanging_chain":
            from .gallery.hanging_chain import d
        case "planets":
            from .gallery.planets import d
        case "water_molecule":
            from .gallery.water_molecule import d
        case "steiner_tree":
            from .gallery.steiner_tree import d
        case "map_labels":
            from .gallery.map_labels import d
        case "word_cloud":
            from .gallery.word_cloud import d
        case "timeline":
            from .gallery.timeline import d
        case "box_model":
            from .gallery.box_model import d
        case "latin_square":
            from .gallery.latin_square import d
        case "island":
            from .gallery.island import d
        case _:
            msg = f"The gallery has no diagram {name!r}. Choose one of {', '.join(NAMES)}."
            raise ValueError(msg)
    return d
