"""Measure our work in each frame while shapes of Penrose's diagrams are dragged on the page, in Chromium.

`python -m bench.diagrams.frames [NAME …]` drags a few shapes of the named diagrams (or of all diagrams) away
and back. Work is all that the page does in pointer listeners and animation frames: input, solve and draw
calls. The page's workers do nothing during a drag. A line for each diagram tells the 95th percentile of the
work in milliseconds, the longest task, the distance from the pointer to the shape at the turning point, and
by how much the worst relation is missed, at rest and after each drag.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, sync_playwright

from bench.diagrams import registry
from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium
from tools.build import build
from tools.server import start

SHAPES = 3
STEPS = 30
"""Moves of the pointer on the way out. There are as many on the way back."""
PATIENCE_MS = 120_000
FAR = 0.2
"""The distance that the pointer goes, as a share of the picture's width."""
MEASURE = """
window.works = [];
window.longest = 0;
let work = 0;
const timed = (f) => function (...given) {
  const begun = performance.now();
  try { return f.apply(this, given); } finally { work += performance.now() - begun; }
};
const raf = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (f) => raf(timed(f));
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (name, f, ...rest) {
  const isMove = name === "pointermove" && typeof f === "function";
  return add.call(this, name, isMove ? timed(f) : f, ...rest);
};
const tick = () => { if (work > 0) works.push(work); work = 0; raf(tick); };
raf(tick);
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ type: "longtask" });
"""

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass(frozen=True)
class Told:
    """The results of a diagram's drags. `missed`: the worst miss of a relation, at rest and after drags."""

    name: str
    p95_ms: float
    longest_ms: float
    gaps: list[float]
    missed: list[float]

    def __str__(self) -> str:
        gaps = ", ".join(f"{gap:.1f}" for gap in self.gaps)
        missed = ", ".join(f"{by:.1e}" for by in self.missed)
        times = f"p95 {self.p95_ms:.1f} ms, longest task {self.longest_ms:.0f} ms"
        return f"{self.name}: {times}, gaps {gaps} px, missed {missed}"


def measured(page: Page, address: str, name: str) -> Told | None:
    """Drag shapes of a diagram, and measure. Return None if the diagram has no shape to drag."""
    page.goto("about:blank")
    page.goto(f"{address}diagrams.html#v=1&diagram=penrose:{name}")
    page.locator(".about", has_text="Penrose compiled").wait_for()
    grips = page.locator(".grip:not(.is-part)")
    count = grips.count()
    if count == 0:
        return None
    page.evaluate("works.length = 0; longest = 0")
    missed, gaps = [missed_by(page)], []
    for k in range(0, count, math.ceil(count / SHAPES)):
        gaps.append(dragged(page, grips.nth(k)))
        missed.append(missed_by(page))
    works = sorted(page.evaluate("works"))
    at = min(len(works) - 1, int(0.95 * len(works)))
    return Told(name, works[at] if works else 0.0, page.evaluate("longest"), gaps, missed)


def dragged(page: Page, grip: Locator) -> float:
    """Drag a shape away and back. Return its distance from the pointer at the turning point, in pixels."""
    box = page.locator(".place").bounding_box()
    x, y = middle(grip)
    assert box is not None
    far = FAR * box["width"] * (1 if x < box["x"] + box["width"] / 2 else -1)
    page.mouse.move(x, y)
    page.mouse.down()
    gap = math.nan
    for k in range(1, 2 * STEPS + 1):
        share = 1 - abs(k / STEPS - 1)
        page.mouse.move(x + far * share, y)
        page.evaluate(NEXT_FRAME)
        if k == STEPS:
            held = page.locator(".grip.is-held")  # the topmost shape at that place
            gap = math.dist(middle(held), (x + far, y)) if held.count() else math.nan
    page.mouse.up()
    return gap


def middle(grip: Locator) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = grip.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def missed_by(page: Page) -> float:
    """By how much the worst relation is missed, as the page says."""
    return float(page.locator("data.missed").get_attribute("value") or "nan")


def main(names: Sequence[str]) -> None:
    """Measure the named diagrams, or all."""
    folder = registry.folder()
    if folder is None:
        raise SystemExit(
            "Penrose's diagrams are not on this machine. Name their folder in EGLANTINE_DIAGRAMS."
        )
    build()
    server = start(ROOT / "static")
    server.library.lend("/diagrams/", folder)
    try:
        with sync_playwright() as playwright:
            chromium = str(require_chromium())
            browser = playwright.chromium.launch(executable_path=chromium, args=launch_arguments())
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(MEASURE)
            for name in names or registry.index(folder):
                print(measured(page, server.url, name) or f"{name}: nothing moves", flush=True)
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
