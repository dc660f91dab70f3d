"""The page Sparse in use: a node of the net is dragged, and Newton's method follows in each frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bench import dragging
from bench.groups.live import visit
from bench.measure import Row

if TYPE_CHECKING:
    from bench.lab import Lab

FRAMES, FEW_FRAMES = 240, 20
SHOWN = ("springs-left", "entries", "directions")


def rows(lab: Lab) -> Iterator[Row]:
    """The row of a drag."""
    lab.say("the page Sparse")
    with visit(lab, "sparse", "main[data-shown]") as page:
        page.locator(".outcome", has_text="At rest").wait_for()
        times = dragging.drag(
            page, FEW_FRAMES if lab.check else FRAMES, ".place.net", "[data-grip='0']", turns=1
        )
        shown = [page.locator(f"data.{name}").get_attribute("value") for name in SHOWN]
        wrong = "" if page.locator(".let-go").is_enabled() else "The node did not move."
    note = "{} springs, {} entries of the Hessian from {} directions.".format(*shown)
    yield dragging.row("Sparse page: our work in a frame while a node is dragged", times, note, wrong)
