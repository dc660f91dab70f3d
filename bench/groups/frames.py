"""Measure the processor time of a frame while Quadratic's point or a figure's slider is dragged.

The browser counts the processor time of a page's main thread and of the page's process. The process also runs
the page's workers, compiles, collects garbage and composes the picture. Other work on the machine hardly
changes these times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import eglantine as eg
from bench.groups.live import FRAME_MS, visit
from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

    from bench.lab import Lab

MOST_MS = 8.0
"""The longest processor time, in milliseconds, that a frame should take."""
SLOWER = 4
"""The factor by which the browser slows the processor, so that it is about as slow as a phone's."""
ROUNDS, FRAMES = 9, 60
MOVES = 10
"""The number of moves of a slider whose time is measured together."""
SETS = 40

FIGURES: Mapping[str, Callable[[], eg.Figure]] = {
    "curve": lambda: eg.figure("a*sin(x) + x^2/5", x=(-3, 3), a=eg.slider(-1, 1, 0.5)),
    "contour": lambda: eg.figure("x^2 + a*y^2 + sin(3x)", a=eg.slider(0.5, 3, 1), kind="contour"),
    "surface": lambda: eg.figure("a*sin(x)*cos(y)", a=eg.slider(0.5, 3, 1), kind="surface"),
    "image": lambda: eg.figure("sin(a*x)*cos(y)", a=eg.slider(0.5, 3, 1), kind="image"),
    "tape": lambda: eg.figure("sin(x*y) + x^2/y", kind="tape", x=(0, 3), y=eg.slider(0, 2, 1)),
}

DRAG = """([frames, first]) => new Promise((done) => {
  const handle = document.querySelector(".handle");
  if (first) {
    const { x, y, width, height } = handle.getBoundingClientRect();
    globalThis.start = [x + width / 2, y + height / 2];
  }
  const [x, y] = globalThis.start;
  const send = (type, k) => handle.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0, buttons: 1, bubbles: true,
    clientX: x - 40 * (1 - Math.cos(k / 9)), clientY: y + 40 * Math.sin(k / 9),
  }));
  const times = [];
  const move = (now) => {
    times.push(now);
    if (times.length > frames) {
      done(times.slice(1).map((time, k) => time - times[k]));
      return;
    }
    send("pointermove", times.length);
    requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
})"""
"""A script that moves the point once in each frame. It returns the times between frames."""

SLIDE = """([moves, from]) => new Promise((done) => {
  const slider = document.querySelector("input[type=range]");
  const [lo, hi] = [Number(slider.min), Number(slider.max)];
  const move = (k) => {
    if (k === moves) {
      done(null);
      return;
    }
    slider.value = String(lo + (hi - lo) * (0.5 + 0.45 * Math.sin((from + k) / 7)));
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => move(k + 1)));
  };
  requestAnimationFrame(() => move(0));
})"""
"""A script that moves the slider several times. After each move, it waits until the picture has been
drawn."""


class Clock:
    """The processor time of a page, in ms."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")

    def read(self) -> tuple[float, float]:
        """Return the processor times so far of the page's main thread and of its whole process, in ms."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        times = {metric["name"]: 1000 * metric["value"] for metric in metrics}
        return times["ThreadTime"], times["ProcessTime"]


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows for the page Quadratic, and then rows for the figures."""
    lab.say("quadratic")
    yield from quadratic(lab)
    for name, make in FIGURES.items():
        lab.say(f"figure, {name}")
        yield figure(lab, name, make())


def quadratic(lab: Lab) -> Iterator[Row]:
    """The rows for a drag of the point."""
    rounds, frames = (1, 5) if lab.check else (ROUNDS, FRAMES)
    with visit(lab, "quadratic") as page, held(page):
        clock = Clock(page)
        page.evaluate(DRAG, [frames, True])
        thread, process = [], []
        for _ in range(rounds):
            before = clock.read()
            page.evaluate(DRAG, [frames, False])
            for times, begun, ended in zip((thread, process), before, clock.read(), strict=True):
                times.append((ended - begun) / frames)
        clock.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        between = [time for _ in range(rounds) for time in page.evaluate(DRAG, [frames, False])]
    title = "quadratic page: processor time of a frame while the point is dragged, page and workers"
    yield row(title, process, MOST_MS)
    yield row("  the page's main thread", thread)
    yield row(
        f"quadratic page: between frames while the point is dragged, {SLOWER} × CPU, 95 % of the frames",
        [quantiles(between, n=20)[-1]], FRAME_MS,
        note=f"By the clock, so other work on the machine counts. The median is {median(between):.3g} ms.",
    )  # fmt: skip


@contextmanager
def held(page: Page) -> Iterator[None]:
    """Hold the point with the mouse."""
    box = page.locator(".handle").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    yield
    page.mouse.up()


def figure(lab: Lab, name: str, shown: eg.Figure) -> Row:
    """Move a figure's slider, and measure the frames. Return a row."""
    moves, sets = (2, 1) if lab.check else (MOVES, SETS)
    context = lab.browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    try:
        page.set_content(f"<!doctype html><title>a figure</title>{shown.html()}")
        page.locator("figure[data-awake=ready]").wait_for()
        clock = Clock(page)
        page.evaluate(SLIDE, [moves, 0])
        times = []
        for k in range(sets):
            before = clock.read()[0]
            page.evaluate(SLIDE, [moves, k * moves])
            times.append((clock.read()[0] - before) / moves)
    finally:
        context.close()
    high = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return row(
        f"figure, {name}: processor time from the slider to the picture, 95 % of the moves", [high], MOST_MS,
        note=f"The main thread, {moves} moves at a time. The median is {median(times):.2g} ms.",
    )  # fmt: skip


def row(title: str, samples: list[float], target: float | None = None, note: str = "") -> Row:
    """A row with only our times, in ms."""
    series: dict[str, Any] = {OURS: Series(tuple(samples))}
    return Row(title, "ms", series, target=target, note=note)
