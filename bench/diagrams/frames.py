"""Drag shapes of Penrose's diagrams on the page in Chromium, and measure the work in each frame.

`python3 -m bench drags` measures all diagrams. `python -m bench.diagrams.frames [NAME …]` drags a few shapes
of the named diagrams (or of all diagrams) away and back. The work in a frame is everything that the page does
in pointer listeners and animation frames: it handles input, solves and draws. The page's workers do nothing
during a drag.

The output has one line for each diagram, with times in milliseconds. First come times by the clock: the
longest task, and the 95th percentile of a frame's work. Then come processor times: the 95th percentile and
the maximum of a frame's work. We read processor times from a trace of the browser, because they are reliable
even on a busy machine. Next come the distances from the pointer to the dragged shapes at the points where the
drags turn back. The line ends with the violation of the worst relation between shapes, before the drags and
after each drag. The last line of the output counts the diagrams that stay below certain processor times.
"""

from __future__ import annotations

import json
import math
import os
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from bench.diagrams import registry
from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium
from tools.build import build
from tools.server import start

SHAPES = 3
STEPS = 20
"""The number of the pointer's moves on the way out. The way back has the same number of moves."""
PATIENCE_MS = 300_000
FRAME_MS, TASK_MS = (8, 25), 50
"""Bounds on the work in a frame, and on a task."""
STILL, MOST_FRAMES = 20, 500
"""A diagram has settled if it shows the same miss for STILL frames. We wait for at most MOST_FRAMES."""
FAR = 0.2
"""The distance that the pointer moves, as a fraction of the picture's width."""
MEASURE = """
window.works = [];
window.longest = 0;
// The work of listeners since the last frame, and of all listeners and callbacks of the present frame. The
// browser calls the listeners of a pointer just before the callbacks of the frame that shows the effect.
let listened = 0;
let work = 0;
const timed = (f, add) => function (...given) {
  const begun = performance.now();
  try { return f.apply(this, given); } finally { add(performance.now() - begun); }
};
const raf = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (f) => raf(timed(f, (ms) => { work += ms; }));
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (name, f, ...rest) {
  const isMove = name === "pointermove" && typeof f === "function";
  return add.call(this, name, isMove ? timed(f, (ms) => { listened += ms; }) : f, ...rest);
};
let isHeld = false;
for (const [name, held] of [["pointerdown", true], ["pointerup", false]]) {
  add.call(window, name, () => { isHeld = held; }, true);
}
const tick = () => {
  if (work > 0) works.push(work);
  [work, listened] = [listened, 0];
  performance.mark(isHeld ? "dragging" : "resting");
  raf(tick);
};
raf(tick);
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ type: "longtask" });
"""

CATEGORIES = ["devtools.timeline", "blink.user_timing"]
LISTENER = "EventDispatch"
OURS = (LISTENER, "FireAnimationFrame", "TimerFire")
"""The names of events in the browser's trace. During such an event, the page's thread runs a script of
ours."""
IN_WORKERS = "FunctionCall"
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass(frozen=True)
class Told:
    """The results of a diagram's drags.

    p95_ms: the 95th percentile of the time of a frame's work, by the clock.
    longest_ms: the time of the longest task, by the clock.
    p95_cpu_ms, median_cpu_ms, most_cpu_ms: the 95th percentile, median and maximum of a frame's processor
        time, in the page and its workers.
    frames: the number of frames with work.
    gaps: for each drag, the distance from the shape to the pointer at the turning point, in pixels.
    missed: the violation of the worst relation between shapes, before the drags and after each drag.
    """

    name: str
    p95_ms: float
    longest_ms: float
    p95_cpu_ms: float
    median_cpu_ms: float
    most_cpu_ms: float
    frames: int
    gaps: list[float]
    missed: list[float]

    def __str__(self) -> str:
        gaps = ", ".join(f"{gap:.1f}" for gap in self.gaps)
        missed = ", ".join(f"{by:.1e}" for by in self.missed)
        clock = f"p95 {self.p95_ms:.1f} ms, longest task {self.longest_ms:.0f} ms"
        processor = f"p95 {self.p95_cpu_ms:.1f} ms, at most {self.most_cpu_ms:.0f} ms"
        return f"{self.name}: {clock}; processor {processor}; gaps {gaps} px, missed {missed}"


def work_in(trace: bytes) -> list[float]:
    """Read from a browser's trace how much processor time our work took in each frame, in milliseconds.

    An animation-frame callback writes each frame's mark into the trace. The pointer's listeners run before
    this callback, so we count their time to the frame of the next mark.
    """
    events = json.loads(trace)["traceEvents"]
    marks = sorted(
        (event["ts"], event["name"], event["pid"], event["tid"])
        for event in events if event["name"] in ("dragging", "resting")
    )  # fmt: skip
    starts = [at for at, *_ in marks]
    work = [0.0] * len(marks)
    for event in events:
        if "tdur" not in event or event["pid"] != marks[0][2]:
            continue
        is_ours = event["name"] in OURS if event["tid"] == marks[0][3] else event["name"] == IN_WORKERS
        frame = bisect_right(starts, event["ts"]) - (event["name"] != LISTENER)
        if is_ours and 0 <= frame < len(work):
            work[frame] += event["tdur"] / 1e3
    return [ms for ms, (_, name, *_) in zip(work, marks, strict=True) if name == "dragging" and ms > 0]


def percentile(values: Sequence[float]) -> float:
    """Return the 95th percentile, or 0 if there are no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else 0.0


def measured(page: Page, address: str, name: str) -> Told | None:
    """Drag shapes of a diagram, and measure the work. Return None if the diagram has no shape to drag."""
    page.goto("about:blank")
    page.goto(f"{address}diagrams.html#v=1&diagram=penrose:{name}")
    page.locator(".about", has_text="Penrose compiled").wait_for()
    browser = page.context.browser
    assert browser is not None
    grips = page.locator(".grip").evaluate_all("all => all.map(({ dataset }) => dataset.grip)")
    if not grips:
        return None
    page.evaluate("works.length = 0; longest = 0")
    missed, gaps, work = [missed_by(page)], [], list[float]()
    for grip in grips[:: math.ceil(len(grips) / SHAPES)]:
        browser.start_tracing(page=page, categories=CATEGORIES)
        gaps.append(dragged(page, page.locator(f".grip[data-grip='{grip}']")))
        work += work_in(browser.stop_tracing())
        missed.append(settled(page))
    return Told(
        name, percentile(page.evaluate("works")), page.evaluate("longest"),
        percentile(work), median(work), max(work), len(work), gaps, missed,
    )  # fmt: skip


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


def settled(page: Page) -> float:
    """Wait until the diagram is at rest. Return the violation of its worst relation."""
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
    """Read the violation of the worst relation from the page."""
    return float(page.locator("data.missed").get_attribute("value") or "nan")


def counted(every: Sequence[Told]) -> str:
    """Write how many diagrams stay below each bound in FRAME_MS, and how many stay below TASK_MS."""
    times = [one.p95_cpu_ms for one in every]
    within = ", ".join(f"{sum(ms <= bound for ms in times)} at most {bound} ms" for bound in FRAME_MS)
    short = sum(one.most_cpu_ms <= TASK_MS for one in every)
    return (
        f"Of {len(every)} diagrams: p95 of a frame's work {within}. No frame takes more than {TASK_MS} ms "
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
            "Penrose's diagrams were not found. Set the environment variable EGLANTINE_DIAGRAMS to their "
            "folder."
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
