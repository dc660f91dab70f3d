"""On a phone, the player's controls are arranged in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from e2e.silent_worker import leave_python_asleep
from e2e.visitor import NEXT_FRAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

WIDTHS = (320, 360, 390, 430, 480)
NARROW: ViewportSize = {"width": 320, "height": 760}
ROWS = """() => {
  const rows = [];
  for (const part of document.querySelectorAll(".transport > *")) {
    const { left, top, height } = part.getBoundingClientRect();
    const row = rows.find(({ middle }) => Math.abs(middle - top - height / 2) < 8);
    const name = part.getAttribute("name") ?? part.className;
    if (row === undefined) rows.push({ middle: top + height / 2, parts: [[left, name]] });
    else row.parts.push([left, name]);
  }
  rows.sort((a, b) => a.middle - b.middle);
  return rows.map(({ parts }) => parts.sort(([a], [b]) => a - b).map(([, name]) => name));
}"""
"""A script that returns the names of the controls that play a simulation or a tape, row by row."""


def test_on_a_phone_the_slider_has_one_row_and_the_buttons_another(browser: Browser, server_url: str) -> None:
    context = browser.new_context(viewport=NARROW, has_touch=True, is_mobile=True, base_url=server_url)
    page = context.new_page()
    leave_python_asleep(page)
    for name in ("billiards", "robot"):
        page.goto(f"{name}.html")
        expect(page.locator("data.loss")).not_to_be_empty()
        for width in WIDTHS:
            resize(page, width)
            rows = page.evaluate(ROWS)
            assert rows == [["moment", "clock"], ["play", "back", "forward", "speed"]], (name, width)
    page.goto("tape.html")
    expect(page.locator("data.result-f")).not_to_be_empty()
    for width in WIDTHS:
        resize(page, width)
        first, second = page.evaluate(ROWS)
        assert first[:2] == ["step", "clock"], width
        assert (first[2:] + second) == ["play", "first", "back", "forward", "last", "speed"], width
        assert first[2:] in ([], ["play"]), width
    context.close()


def resize(page: Page, width: int) -> None:
    """Change the width of the window, and wait for the next frame."""
    page.set_viewport_size({"width": width, "height": 760})
    page.evaluate(NEXT_FRAME)
