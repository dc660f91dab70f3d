"""On a phone: the pages are in a menu, no large area is blank, and the numbers can be scrolled to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.test_access import SMALLEST_TOUCH_PX, opened
from tools.pages import read_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext, Page

NAMES = [page.name for page in read_pages() if "script" in page.fields]
PANELS = [name for name in NAMES if name != "index"]
LARGEST_BLANK_PX = 64
LARGEST_STICKY = 0.55
"""The largest share of the window that sticky elements may cover while the rest scrolls."""
STICKY = """() => [...document.querySelectorAll("main *")]
  .filter((one) => getComputedStyle(one).position === "sticky")
  .map((one) => one.getBoundingClientRect().height / innerHeight)"""
BLANKS = """() => {
  const boxes = [];
  const add = (box, name) => box.height > 2 && boxes.push([box.top, box.bottom, name]);
  const drawn = "canvas, svg, input, select, button:not(.grip), textarea, .code-host";
  const { SHOW_TEXT, SHOW_ELEMENT } = NodeFilter;
  const walker = document.createTreeWalker(document.querySelector("main"), SHOW_TEXT | SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    const element = isText ? node.parentElement : node;
    if (!element.checkVisibility() || (isText && node.data.trim() === "")) continue;
    if (!isText && node.matches(drawn)) add(node.getBoundingClientRect(), node.className || node.localName);
    const labelled = !isText && getComputedStyle(node, "::before").content.length > "normal".length;
    if (labelled) add(node.getBoundingClientRect(), node.className);
    if (!isText) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) add(box, node.data.slice(0, 30));
  }
  boxes.sort(([a], [b]) => a - b);
  const blanks = [];
  let [[, bottom, name]] = boxes;
  for (const [top, end, next] of boxes) {
    blanks.push([Math.round(top - bottom), `between "${name}" and "${next}"`]);
    if (end > bottom) [bottom, name] = [end, next];
  }
  return blanks;
}"""
"""The heights of the blank bands between drawings and texts, from the top."""


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    context = new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("width", [320, 390])
def test_a_menu_button_opens_all_pages_in_groups_and_they_fit(
    phone: Page, server_url: str, width: int
) -> None:
    phone.set_viewport_size({"width": width, "height": 640})
    opened(phone, server_url, "quadratic")
    groups = phone.locator("nav [role=group]")
    expect(groups.first).to_be_hidden()
    menu = phone.get_by_role("button", name="Menu")
    menu.tap()
    expect(groups).to_have_count(3)
    for link in phone.locator("nav a").all():
        box = link.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= SMALLEST_TOUCH_PX
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert phone.evaluate("document.documentElement.scrollWidth") <= width
    phone.locator("h1").tap(position={"x": width - 60, "y": 4}, force=True)
    expect(groups.first).to_be_hidden()
    phone.set_viewport_size({"width": 1024, "height": 640})
    expect(menu).to_be_hidden()
    expect(groups.first).to_be_visible()
    expect(phone.locator("nav [aria-current]")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", PANELS)
def test_no_large_area_is_blank(phone: Page, server_url: str, name: str, width: int) -> None:
    phone.set_viewport_size({"width": width, "height": 2400})  # no sticky element covers another
    opened(phone, server_url, name)
    blanks: list[Any] = phone.evaluate(BLANKS)
    assert [blank for blank in blanks if blank[0] > LARGEST_BLANK_PX] == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (640, 320), (320, 480)])
@pytest.mark.parametrize("name", PANELS)
def test_sticky_elements_leave_room_for_the_numbers(
    phone: Page, server_url: str, name: str, width: int, height: int
) -> None:
    phone.set_viewport_size({"width": width, "height": height})
    opened(phone, server_url, name)
    shares: list[float] = phone.evaluate(STICKY)
    assert max(shares, default=0.0) <= LARGEST_STICKY


def test_after_a_run_the_output_and_the_panes_are_shown_in_full(phone: Page, server_url: str) -> None:
    opened(phone, server_url, "playground")
    expect(phone.locator("#wat")).to_be_hidden()
    phone.locator(".run").tap()
    expect(phone.locator("#rows .has-place").first).to_be_attached(timeout=60_000)
    for pane in ("#rows", "#wat"):
        box = phone.locator(pane).bounding_box()
        assert box is not None
        assert box["height"] > 150
    expect(phone.locator(".output")).to_contain_text("gradient")
