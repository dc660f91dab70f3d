"""Drag a handle on a page, and measure the work that the page does in each frame."""

from __future__ import annotations

import json
from bisect import bisect_left
from statistics import quantiles
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME_MS = 8.0
"""The longest time, in milliseconds, that the work of a frame should take."""

CATEGORIES = ["devtools.timeline", "blink.user_timing"]
MOVE = "pointer moved"
DRAG = """([frames, where, what, turns, MOVE]) => new Promise((done) => {
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
    performance.mark(MOVE);
    send("pointermove", k);
    after(turns, () => move(k + 1));
  };
  send("pointerdown", 0);
  nextFrame(() => move(0));
})"""
"""A script that drags a handle. For each move of the pointer, it returns how long the page works in the event
and in the next frames. Each move leaves a mark in a trace of the browser."""


def drag(page: Page, frames: int, place: str, grip: str, *, turns: int) -> list[float]:
    """Drag a handle up and down. Return the milliseconds of work for each move.

    place: a CSS selector of the element that receives the pointer's events.
    grip: a CSS selector of the handle.
    turns: the number of frames between two moves.
    """
    times: list[float] = page.evaluate(DRAG, [frames, place, grip, turns, MOVE])
    return times


def work_in(trace: bytes) -> list[float]:
    """Read a browser's trace. Return the processor time of each move of the pointer, in milliseconds.

    Two animation-frame callbacks belong to a move. Our callback moves the pointer and so runs the page's
    event handlers. In the next frame, the page's callback draws. The trace must contain CATEGORIES.
    """
    events = json.loads(trace)["traceEvents"]
    moves = sorted(event["ts"] for event in events if event["name"] == MOVE)
    work = [0.0] * len(moves)
    for event in events:
        if event["name"] == "FireAnimationFrame" and "dur" in event:
            move = bisect_left(moves, event["ts"] + event["dur"]) - 1
            if move >= 0:
                work[move] += event["tdur"] / 1e3
    return work[5:-1]


def most_of(times: list[float]) -> float:
    """The 95th percentile of the times."""
    return quantiles(times, n=20)[-1]
