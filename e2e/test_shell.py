"""Every page shows its texts before any script runs. On a phone, the player's controls stand in rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.silent_worker import leave_python_asleep
from e2e.visitor import NEXT_FRAME
from tools.pages import read_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

NAMES = [page.name for page in read_pages() if "script" in page.fields]
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
"""The names of the controls that play a simulation or a tape, row by row."""


def address(url: str, name: str) -> str:
    """The address of a page."""
    return url if name == "index" else f"{url}{name}.html"


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
    """Give the page's window another width, and wait until the page is drawn."""
    page.set_viewport_size({"width": width, "height": 760})
    page.evaluate(NEXT_FRAME)


@pytest.mark.parametrize("name", NAMES)
def test_the_words_are_shown_before_any_script_runs(browser: Browser, server_url: str, name: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(address(server_url, name))
        text = page.locator("main").inner_text()
        assert "needs JavaScript" in text
        assert len(re.findall(r"\w+", text)) > 40
    finally:
        context.close()
