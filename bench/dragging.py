"""A drag on a page, and the work that the page does for it in each frame."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING

from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME_MS = 8.0
"""The most milliseconds that the work of a frame should take."""

DRAG = """([frames, where, what, turns]) => new Promise((done) => {
  const place = document.querySelector(where);
  const grip = document.querySelector(what).getBoundingClientRect();
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
  const nextFrame = window.requestAnimationFrame.bind(window);
  let worked = 0;
  const timed = (work) => (...args) => {
    const start = performance.now();
    try {
      return work(...args);
    } finally {
      worked += performance.now() - start;
    }
  };
  window.requestAnimationFrame = (work) => nextFrame(timed(work));
  const times = [];
  const send = timed((type, k) => place.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0, buttons: 1, bubbles: true,
    clientX: x, clientY: y - 40 * Math.sin(k / 9),
  })));
  const after = (count, call) => nextFrame(() => (count > 1 ? after(count - 1, call) : call()));
  const move = (k) => {
    if (k > 0) times.push(worked);
    worked = 0;
    if (k === frames) {
      send("pointerup", k);
      window.requestAnimationFrame = nextFrame;
      done(times.slice(5));
      return;
    }
    send("pointermove", k);
    after(turns, () => move(k + 1));
  };
  send("pointerdown", 0);
  nextFrame(() => move(0));
})"""
"""The times of the page's work for each move of the pointer: for the event, and for the next frames."""


def drag(page: Page, frames: int, place: str, grip: str, *, turns: int) -> list[float]:
    """Drag a grip up and down. Return the milliseconds of work for each move.

    place, grip: selectors of the element that listens and of the handle.
    turns: the number of frames until the next move.
    """
    times: list[float] = page.evaluate(DRAG, [frames, place, grip, turns])
    return times


def row(title: str, times: list[float], note: str, wrong: str = "") -> Row:
    """The row of a drag. 95 % of its frames take at most the time that it shows."""
    return Row(
        f"{title}, 95 % of the frames", "ms", {OURS: Series((quantiles(times, n=20)[-1],))}, target=FRAME_MS,
        note=f"{note} The median of {len(times)} frames is {median(times):.2g} ms.",
        wrong=wrong,
    )  # fmt: skip
