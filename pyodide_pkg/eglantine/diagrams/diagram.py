"""The class `Diagram`. A person describes a diagram, and the optimiser lays it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .including import Including
from .layout import Layout, laid_out
from .steppers import DiagramStepper, stepper_of


class Diagram(Including):
    """A diagram. Make shapes, say which relations must hold, and call `layout`.

        from eglantine import diagrams as dg

        d = dg.Diagram(300, 200)
        a, b = d.circle(r=40, name="A"), d.circle(r=25, name="B")
        d.ensure(dg.touching(a, b))
        d.encourage(dg.centred(a))
        d.layout().svg()

    The origin is the middle of the canvas, and y points up. If you do not give an attribute, the optimiser
    chooses it. Use attributes in any expression: `d.ensure(a.x + 10 < b.x)`. Shapes with unknowns stay in
    the canvas. To allow a shape to leave the canvas, make the shape with in_canvas=False.

    width, height: the size of the canvas. seed: the seed for the random start values of the search.
    """

    def layout(
        self, method: str = "exterior-point", maxiter: int | None = None, *, seed: int | None = None,
        start: Layout | Mapping[str, Mapping[str, float]] | None = None,
        parameters: Mapping[str, float] | None = None, tries: int = 5,
    ) -> Layout:  # fmt: skip
        """Find numbers for all unknowns.

        seed: the seed for the random start values.
        start: an earlier layout, or its values. Each shape starts with the attributes that the layout gives
            for its name.
        parameters: a dict with new numbers for parameters of the diagram, by name.
        tries: the largest number of searches, each from new random numbers. We stop when no relation is
            violated.
        Returns a `Layout` with the values, the energy and the violated relations.
        """
        return laid_out(self, method, maxiter, self.seed if seed is None else seed, start, parameters, tries)

    def stepper(
        self, method: str = "exterior-point", *, seed: int | None = None, staged: bool = False,
        **options: Any,
    ) -> DiagramStepper:  # fmt: skip
        """Make functions that lay out the diagram step by step, for a page where people can drag shapes.

        The functions change the unknowns of all stages at the same time, so that every shape follows a drag.
        seed: the seed for the random start values. options: other arguments of `eg.stepper`.
        staged: if true, the functions can also solve one stage of the diagram alone. `DiagramStepper`
            describes their parameter for this.
        """
        return stepper_of(self, self.seed if seed is None else seed, method, staged, options)

    def _figure_(self, controls: Mapping[str, Any]) -> Any:
        """Make the kernel and the drawing for `eg.figure(d, kind="diagram")`."""
        from .live import figure_of

        return figure_of(self, controls)

    def _repr_svg_(self) -> str:
        return self.layout().svg()
