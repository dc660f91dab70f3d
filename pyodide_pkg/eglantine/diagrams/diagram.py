"""The class of diagrams. A person describes a diagram, and the optimiser lays it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .description import Description
from .layout import Layout, laid_out
from .programs import DiagramStepper, stepper_of


class Diagram(Description):
    """A diagram. Make shapes, say which relations must hold, and call `layout`.

        from eglantine import diagrams as dg

        d = dg.Diagram(300, 200)
        a, b = d.circle(r=40, name="A"), d.circle(r=25, name="B")
        d.ensure(dg.touching(a, b))
        d.encourage(dg.centred(a))
        d.layout().svg()

    The origin is the middle of the canvas, and y points up. Attributes that are not given are unknowns. They
    can be used in any expression: `d.ensure(a.x + 10 < b.x)`. All shapes with unknowns stay in the canvas,
    unless they are made with in_canvas=False.

    width, height: the size of the canvas. seed: the seed of the random numbers with which the search starts.
    """

    def layout(
        self, method: str = "exterior-point", maxiter: int | None = None, *, seed: int | None = None,
        start: Layout | Mapping[str, Mapping[str, float]] | None = None,
        parameters: Mapping[str, float] | None = None, tries: int = 5,
    ) -> Layout:  # fmt: skip
        """Find numbers for all unknowns.

        seed: the seed of the random numbers that the search starts with. start: an earlier layout, or its
            values. Shapes that have the same name there start with the attributes they have there.
            parameters: numbers by name.
        tries: how often to search at most, each time from other random numbers. We stop once no relation is
            violated.
        Returns a `Layout` with the values, the energy and the relations that are violated.
        """
        return laid_out(self, method, maxiter, self.seed if seed is None else seed, start, parameters, tries)

    def stepper(
        self, method: str = "exterior-point", *, seed: int | None = None, **options: Any
    ) -> DiagramStepper:
        """Make functions with which a page lays out the diagram: some iterations in each frame, and dragging.

        seed: the seed of the random numbers that the search starts with. options: as for `eg.stepper`.
        """
        return stepper_of(self, self.seed if seed is None else seed, method, options)

    def _figure_(self, controls: Mapping[str, Any]) -> Any:
        """Make the kernel and the drawing of a figure of this diagram, for `eg.figure(d, kind="diagram")`."""
        from .live import figure_of

        return figure_of(self, controls)

    def _repr_svg_(self) -> str:
        return self.layout().svg()
