"""Measure our work in each frame while shapes of Penrose's diagrams are dragged on the page, in Chromium.

`python3 -m bench drags` measures all diagrams. `python -m bench.diagrams.frames [NAME …]` drags a few shapes
of the named diagrams (or of all diagrams) away and back. Work is all that the page does in pointer listeners
and animation frames: input, solve and draw calls. The page's workers do nothing during a drag.

A line for each diagram gives the 95th percentile of the work in milliseconds, once by the clock and once in
processor time of the page's thread. Processor time is also reliable on a busy machine. It counts all scripts
of a move, including the few that drive the drag. The processor time of the whole process is more than our
work: it also includes the browser's layout, painting and collection of garbage. The line also gives the
longest task by the clock, the most processor time that all tasks of a move took together, the distance from
the pointer to the shape at the turning point, and how far the worst relation is from being satisfied, at rest
and after each drag. The last line counts the diagrams that keep each bound on a frame's time.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, CDPSession, Locator, Page, sync_playwright

from bench.diagrams import registry
from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium
from tools.build import build
from tools.server import start

SHAPES = 3
STEPS = 20
"""Moves of the pointer on the way out. There are as many on the way back."""
PATIENCE_MS = 300_000
FRAME_MS, TASK_MS = (8, 25), 50
"""Bounds on the work in a frame, and on a task."""
STILL, MOST_FRAMES = 20, 500
"""A diagram has settled if it shows the same miss for STILL frames. We wait for at most MOST_FRAMES."""
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
    """The results of a diagram's drags.

    p95_ms, longest_ms: the work and the longest task of a move, by the clock.
    p95_cpu_ms, most_cpu_ms: the processor time of a move's scripts, and of all its tasks.
    p95_process_ms: the processor time of the page's process for a move, with all its threads.
    moves: the number of moves.
    missed: how far the worst relation is from being satisfied, at rest and after drags.
    """

    name: str
    p95_ms: float
    longest_ms: float
    p95_cpu_ms: float
    most_cpu_ms: float
    p95_process_ms: float
    moves: int
    gaps: list[float]
    missed: list[float]

    def __str__(self) -> str:
        gaps = ", ".join(f"{gap:.1f}" for gap in self.gaps)
        missed = ", ".join(f"{by:.1e}" for by in self.missed)
        clock = f"p95 {self.p95_ms:.1f} ms, longest task {self.longest_ms:.0f} ms"
        processor = f"p95 {self.p95_cpu_ms:.1f} ms, tasks of a move {self.most_cpu_ms:.0f} ms"
        return f"{self.name}: {clock}; processor {processor}; gaps {gaps} px, missed {missed}"


@dataclass
class Processor:
    """Measures the processor time of each move, in milliseconds.

    scripts, tasks: the time of the page's thread. process: the time of all threads of the page's process.
    """

    session: CDPSession
    scripts: list[float] = field(default_factory=list)
    tasks: list[float] = field(default_factory=list)
    process: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, page: Page) -> Processor:
        """Begin to count on a page."""
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        return cls(session)

    def spent(self) -> tuple[float, float, float]:
        """The milliseconds of all scripts, of all tasks and of the process so far."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        seconds = {one["name"]: one["value"] for one in metrics}
        scripts, tasks, process = (
            seconds[name] for name in ("ScriptDuration", "TaskDuration", "ProcessTime")
        )
        return 1e3 * scripts, 1e3 * tasks, 1e3 * process

    @contextmanager
    def move(self) -> Iterator[None]:
        """Count what happens in the block as one move."""
        before = self.spent()
        yield
        for times, begun, ended in zip(
            (self.scripts, self.tasks, self.process), before, self.spent(), strict=True
        ):
            times.append(ended - begun)


def percentile(values: Sequence[float]) -> float:
    """The 95th percentile, or 0 if there are no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else 0.0


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
    processor = Processor.of(page)
    missed, gaps = [missed_by(page)], []
    for k in range(0, count, math.ceil(count / SHAPES)):
        gaps.append(dragged(page, grips.nth(k), processor))
        missed.append(settled(page))
    processor.session.detach()
    return Told(
        name, percentile(page.evaluate("works")), page.evaluate("longest"),
        percentile(processor.scripts), max(processor.tasks, default=0.0), percentile(processor.process),
        len(processor.scripts), gaps, missed,
    )  # fmt: skip


def dragged(page: Page, grip: Locator, processor: Processor) -> float:
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
        with processor.move():
            page.mouse.move(x + far * share, y)
            page.evaluate(NEXT_FRAME)
        if k == STEPS:
            held = page.locator(".grip.is-held")  # the topmost shape at that place
            gap = math.dist(middle(held), (x + far, y)) if held.count() else math.nan
    page.mouse.up()
    return gap


def settled(page: Page) -> float:
    """Wait until the diagram has settled after a drag. Return by how much the worst relation is missed."""
    misses: list[float] = []
    while len(misses) < MOST_FRAMES and (len(misses) < STILL or len(set(misses[-STILL:])) > 1):
        page.evaluate(NEXT_FRAME)
        misses.append(missed_by(page))
    return misses[-1]


def middle(grip: Locator) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = grip.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def missed_by(page: Page) -> float:
    """How far the worst relation is from being satisfied, as the page shows it."""
    return float(page.locator("data.missed").get_attribute("value") or "nan")


def counted(every: Sequence[Told]) -> str:
    """The number of diagrams that keep each bound, in processor time."""
    times = [one.p95_cpu_ms for one in every]
    within = ", ".join(f"{sum(ms <= bound for ms in times)} at most {bound} ms" for bound in FRAME_MS)
    short = sum(one.most_cpu_ms <= TASK_MS for one in every)
    return (
        f"Of {len(every)} diagrams: p95 of a frame's work {within}. No move takes more than {TASK_MS} ms "
        f"in {short}. Load {os.getloadavg()[0]:.1f}."
    )


@contextmanager
def pages(browser: Browser) -> Iterator[Page]:
    """Open a page that measures its work."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(MEASURE)
    try:
        yield page
    finally:
        context.close()


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
            every = []
            with pages(browser) as page:
                for name in names or registry.index(folder):
                    told = measured(page, server.url, name)
                    print(told or f"{name}: nothing moves", flush=True)
                    every += [told] if told else []
            print(counted(every))
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
