"""First light: edit a formula, call it, load the page. The browser's half is first.js."""

from __future__ import annotations

import json
from collections.abc import Iterator

from playwright.sync_api import BrowserContext
from playwright.sync_api import Error as PlaywrightError

from bench import specs
from bench.lab import STATIC, Lab
from bench.measure import OURS, Row, Series

INSTRUCTIONS = 580
"""So many that about 4,000 rows with the gradient are emitted."""
OBSERVATIONS, FEATURES = 1000, 10
LOADS = 7
LONGEST_LOAD_MS = 30_000
WHEEL_TARGET = 150_000

MARKED = """([name, longest]) => new Promise((resolve, reject) => {
  const seen = (list) => list.getEntriesByName(name).forEach((mark) => resolve(mark.startTime));
  new PerformanceObserver(seen).observe({ type: "mark", buffered: true });
  setTimeout(() => reject(new Error(`the page did not become ${name}`)), longest);
})"""
"""Milliseconds from the start of the navigation to a mark of the page's."""


def rows(lab: Lab) -> Iterator[Row]:
    """Compiling and calling, then sizes, then the page."""
    yield from lab.in_browser(
        "first",
        {
            "formulas": specs.FORMULAS,
            "straightLine": {
                "instructions": specs.straight_line(INSTRUCTIONS),
                "inputs": specs.straight_line_inputs(),
            },
            "regression": specs.regression(OBSERVATIONS, FEATURES),
        },
    )
    yield wheel()
    if not lab.check:
        yield from page_loads(lab)


def wheel() -> Row:
    """The size of the wheel."""
    manifest = json.loads((STATIC / "build" / "manifest.json").read_text(encoding="utf-8"))
    size = (STATIC / "build" / manifest["wheel"]).stat().st_size
    return Row("wheel", "B", {OURS: Series((float(size),))}, target=WHEEL_TARGET)


def page_loads(lab: Lab) -> Iterator[Row]:
    """When the page can be dragged and edited, with nothing cached and with all cached."""
    draggable: list[float] = []
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(LOADS):
        context = lab.browser.new_context()
        try:
            drag, edit = load(lab, context)
            draggable.append(drag)
            cold.append(edit)
            load(lab, context)  # V8 keeps compiled code from the second load on
            warm.append(load(lab, context)[1])
        except PlaywrightError as error:
            reason = str(error).splitlines()[0]
            yield Row("page", "ms", missing={OURS: reason})
            return
        finally:
            context.close()
    note = (
        "from the start of the navigation to the page's own performance marks, served from this machine; "
        "cold: a new browser context, nothing cached, in a browser that runs; warm: a context's third load"
    )
    yield Row("page draggable, cold", "ms", {OURS: Series(tuple(draggable))}, target=600, note=note)
    yield Row("formula editable, cold", "ms", {OURS: Series(tuple(cold))})
    yield Row("formula editable, warm", "ms", {OURS: Series(tuple(warm))}, target=1500)


def load(lab: Lab, context: BrowserContext) -> tuple[float, float]:
    """Load the page; the times of its marks."""
    page = context.new_page()
    try:
        page.goto(lab.url)
        drag, edit = (page.evaluate(MARKED, [name, LONGEST_LOAD_MS]) for name in ("draggable", "editable"))
    finally:
        page.close()
    return drag, edit
