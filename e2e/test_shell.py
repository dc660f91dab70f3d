"""Every page links to the others, shows its words in the first paint, and does not jump while loading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tools.pages import read_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = [page.name for page in read_pages() if "script" in page.fields]
OTHERS = [name for name in NAMES if name != "index"]
NARROW = {"width": 320, "height": 640}
SEEN = """(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}"""
MOST_SHIFT, MOST_SHIFTS = 0.015, {"tape": 0.1}
"""Limits of the cumulative layout shift, which counts as good below 0.1. The height of the tape's graph
depends on its formula."""
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
WATCH_SHIFTS = """
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const names = sources.map(({ node }) => `${node?.nodeName}.${node?.className}`);
      if (!hadRecentInput) globalThis.shifts.push([value, names]);
    }
  }).observe({ type: "layout-shift", buffered: true });
"""


def address(url: str, name: str) -> str:
    """The address of a page."""
    return url if name == "index" else f"{url}{name}.html"


def settled(page: Page, url: str) -> None:
    """Go to a page and wait until it is drawn."""
    page.goto(url)
    page.wait_for_load_state("load")
    page.evaluate("() => new Promise((done) => setTimeout(done, 500))")


@pytest.mark.parametrize("width", [320, 360, 390, 430, 480])
def test_on_a_phone_the_slider_has_one_row_and_the_buttons_the_next(
    browser: Browser, server_url: str, width: int
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 760}, has_touch=True, is_mobile=True, base_url=server_url
    )
    page = context.new_page()
    for name in ("billiards", "robot"):
        page.goto(f"{name}.html")
        expect(page.locator("data.loss")).not_to_be_empty()
        assert page.evaluate(ROWS) == [["moment", "clock"], ["play", "back", "forward", "speed"]]
    page.goto("tape.html")
    expect(page.locator("data.result-f")).not_to_be_empty()
    first, second = page.evaluate(ROWS)
    assert first[:2] == ["step", "clock"]
    assert (first[2:] + second) == ["play", "first", "back", "forward", "last", "speed"]
    assert first[2:] in ([], ["play"])
    context.close()


@pytest.mark.without_python
@pytest.mark.parametrize("name", OTHERS)
def test_every_page_can_be_reached_by_keys_on_a_narrow_screen(page: Page, server_url: str, name: str) -> None:
    page.set_viewport_size(NARROW)
    settled(page, address(server_url, name))
    links = page.locator("nav a")
    menu = page.get_by_role("button", name="Menu")
    expect(links.first).to_be_hidden()
    page.locator(".name").focus()
    page.keyboard.press("Tab")
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    current = page.locator("nav [aria-current=page]")
    expect(current).to_have_count(1)
    assert current.evaluate(SEEN), "the page's own link is out of sight"
    for k in range(links.count()):
        page.keyboard.press("Tab")
        expect(links.nth(k)).to_be_focused()
        assert links.nth(k).evaluate(SEEN), f"link {k} has the focus and is out of sight"
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(menu).to_be_focused()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_moves_while_a_page_loads(page: Page, server_url: str, name: str) -> None:
    page.add_init_script(WATCH_SHIFTS)
    settled(page, address(server_url, name))
    shifts: list[Any] = page.evaluate("globalThis.shifts")
    assert sum(value for value, _ in shifts) < MOST_SHIFTS.get(name, MOST_SHIFT), shifts


@pytest.mark.parametrize("name", NAMES)
def test_the_words_are_there_before_any_script(browser: Browser, server_url: str, name: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(address(server_url, name))
        text = page.locator("main").inner_text()
        assert "needs JavaScript" in text
        assert len(re.findall(r"\w+", text)) > 40
    finally:
        context.close()
