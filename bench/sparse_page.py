"""Time the page Sparse: drag a node of its net, and measure the time of Newton's method in each frame."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING

from bench import dragging
from bench.groups.live import VISITS, visit
from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from bench.lab import Lab

FRAMES, FEW_FRAMES = 240, 20
SHOWN = ("springs-left", "entries", "directions")


def rows(lab: Lab) -> Iterator[Row]:
    """The row of a drag on several visits."""
    lab.say("the page Sparse")
    visits, shown, wrong = [], [], ""
    for _ in range(1 if lab.check else VISITS):
        with visit(lab, "sparse", "main[data-shown]") as page:
            page.locator(".outcome", has_text="At rest").wait_for()
            frames = FEW_FRAMES if lab.check else FRAMES
            lab.browser.start_tracing(page=page, categories=dragging.CATEGORIES)
            dragging.drag(page, frames, ".place.net", "[data-grip='0']", turns=1)
            visits.append(dragging.work_in(lab.browser.stop_tracing()))
            shown = [page.locator(f"data.{name}").get_attribute("value") for name in SHOWN]
            if not page.locator(".let-go").is_enabled():
                wrong = "The node did not move."
    middle = median(time for times in visits for time in times)
    note = (
        "{} springs, {} entries of the Hessian from {} directions. ".format(*shown)
        + f"Each sample is the processor time of {len(visits[0])} frames in one visit. The median of all "
        f"frames is {middle:.2g} ms."
    )
    yield Row(
        "Sparse page: our work in a frame while a node is dragged, 95 % of the frames", "ms",
        {OURS: Series(tuple(map(dragging.most_of, visits)))}, target=dragging.FRAME_MS, note=note,
        wrong=wrong,
    )  # fmt: skip
