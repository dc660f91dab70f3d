"""Time the pages Billiards and Robot in use, from a click or a drag until the page shows its effect.

The times include everything that slows a real page: messages between its workers, drawing, and Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from bench.lab import Lab

ITERATIONS = 200
"""The number of iterations of a descent. The descent in tests/data/billiards.json has the same number."""
TRAINED = 100
"""The iterations of training."""
VISITS = 5
DRAG_MS, TURNS = 2500, 2
SETTLED_MS = 1500
"""The time, in milliseconds, that we wait on a page before we measure. After this time, Python has finished
the compilations that warm it up."""
LONGEST_MS = 60_000
FRAME_MS = 1000 / 30

UNTIL = """([press, figure, least]) => new Promise((done) => {
  const shown = document.querySelector(figure);
  const start = performance.now();
  new MutationObserver((_, observer) => {
    if (Number(shown.value) < least) return;
    observer.disconnect();
    done(performance.now() - start);
  }).observe(shown, { attributes: true });
  document.querySelector(press).click();
})"""
"""A script that presses a button, and measures the time until a number on the page has reached `least`."""

WATCH = """() => {
  const tasks = [];
  const updates = [];
  const collect = (entries) => tasks.push(...entries.map((task) => task.duration));
  const observer = new PerformanceObserver((list) => collect(list.getEntries()));
  observer.observe({ type: "longtask" });
  const loss = document.querySelector("data.loss");
  const mutations = new MutationObserver(() => updates.push(performance.now()));
  mutations.observe(loss, { attributes: true });
  globalThis.watched = () => {
    collect(observer.takeRecords());
    observer.disconnect();
    mutations.disconnect();
    return { tasks, updates };
  };
}"""
"""A script that collects long tasks, and the times at which the shown loss changes. A call of `watched()`
ends this and returns the times."""

ANOTHER_TABLE = """() => new Promise((done) => {
  const root = document.querySelector("main");
  const balls = () => document.querySelectorAll(".grip").length;
  const before = balls();
  const start = performance.now();
  new MutationObserver((_, observer) => {
    if (balls() === before || root.classList.contains("is-pending")) return;
    observer.disconnect();
    done(performance.now() - start);
  }).observe(root, { attributes: true, childList: true, subtree: true });
  document.querySelector(".add").click();
})"""
"""A script that adds a ball, and measures the time until the page shows a shot on the new table. The new
table needs other modules."""


def rows(lab: Lab) -> Iterator[Row]:
    """The rows of Billiards, then of Robot."""
    yield from billiards(lab)
    yield from robot(lab)


def billiards(lab: Lab) -> Iterator[Row]:
    """Yield rows for Billiards: a descent, a drag during a descent, and a change of the table."""
    descents = visits(
        lab, "billiards", lambda page: page.evaluate(UNTIL, [".optimise", "data.iteration", ITERATIONS])
    )
    yield row(f"billiards page: Optimise, until {ITERATIONS} iterations are shown", "ms", descents, 300, 200)
    seen = visits(lab, "billiards", dragged)
    between = [sample for each in seen for sample in each["between"]]
    yield row(
        "billiards page: between updates while the goal is dragged", "ms", between, FRAME_MS, FRAME_MS / 2
    )
    yield row("  the longest task of the page meanwhile", "ms", [each["longest"] for each in seen], 50, 20)
    tables = visits(lab, "billiards", lambda page: page.evaluate(ANOTHER_TABLE))
    yield row("billiards page: another ball, until its gradient is there", "ms", tables, 100, 60)


def robot(lab: Lab) -> Iterator[Row]:
    """Yield rows for Robot: the largest robot is trained."""
    trainings = visits(lab, "robot", trained)
    times, tasks = [each["ms"] for each in trainings], [each["longest"] for each in trainings]
    yield row(f"robot page, robot D: Train, until {TRAINED} iterations are shown", "ms", times, 2500, 1500)
    yield row("  the longest task of the page meanwhile", "ms", tasks, 50, 20)


def visits(lab: Lab, name: str, act: Callable[[Page], Any]) -> list[Any]:
    """Open a page VISITS times and call `act` with it. Return the results. With `lab.check`, open it once."""
    results = []
    for _ in range(1 if lab.check else VISITS):
        with visit(lab, name) as page:
            results.append(act(page))
    return results


WITH_PYTHON = "main[data-python=ready]"
"""Matches when Python has loaded."""


@contextmanager
def visit(lab: Lab, name: str, ready: str = WITH_PYTHON) -> Iterator[Page]:
    """Open a page in a new browser profile. Wait until an element matches `ready` and the page is idle."""
    context = lab.browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    page.on("pageerror", lambda error: lab.say(f"uncaught: {error}"))
    try:
        page.goto(f"{lab.url}{name}.html")
        page.locator(ready).wait_for()
        page.wait_for_timeout(SETTLED_MS)
        yield page
    finally:
        context.close()


def dragged(page: Page) -> dict[str, Any]:
    """Drag the goal in circles. Return the times between updates of the loss, and the longest task's time."""
    box = page.locator(".grip[data-grip=goal]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate(WATCH)
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(CIRCLES, [x, y, DRAG_MS, TURNS])
    seen = page.evaluate("() => globalThis.watched()")
    page.mouse.up()
    updates = seen["updates"]
    between = [later - earlier for earlier, later in pairwise(updates)]
    return {"between": between, "longest": max(seen["tasks"], default=0.0)}


CIRCLES = """([x, y, ms, turns]) => new Promise((done) => {
  const place = document.querySelector(".place");
  const start = performance.now();
  const move = (now) => {
    const share = Math.max(0, now - start) / ms;
    const angle = 2 * Math.PI * turns * share;
    const [clientX, clientY] = [x - 40 * (1 - Math.cos(angle)), y + 40 * Math.sin(angle)];
    const pointer = { pointerId: 1, pointerType: "mouse", clientX, clientY, bubbles: true };
    place.dispatchEvent(new PointerEvent("pointermove", pointer));
    if (share < 1) requestAnimationFrame(move);
    else done();
  };
  requestAnimationFrame(move);
})"""
"""A script that moves the pointer in circles. It makes one move in each frame, as a hand does. Moves by
Playwright would wait for each other."""


def trained(page: Page) -> dict[str, float]:
    """Train robot D, starting from new random weights. Return the training's time and its longest task."""
    page.locator("[name=robot]").select_option("D")
    page.locator("main:not(.is-pending)").wait_for()
    page.locator(".over").click()
    page.locator("[name=iterations]").fill(str(TRAINED))
    page.wait_for_timeout(SETTLED_MS)
    page.evaluate(WATCH)
    ms = page.evaluate(UNTIL, [".train", "data.iteration", TRAINED])
    seen = page.evaluate("() => globalThis.watched()")
    return {"ms": ms, "longest": max(seen["tasks"], default=0.0)}


def row(title: str, unit: str, samples: list[float], target: float, aim: float) -> Row:
    """A row with only our times."""
    return Row(title, unit, {OURS: Series(tuple(samples))}, target=target, aim=aim)
