"""Pages on a phone: a menu lists all pages, no large area is blank, and readers can reach the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENT
from e2e.looking import AS_OPENED, BLANKS, CONTROLS, OVERFULL, STICKY, TAPPED
from e2e.silent_worker import leave_python_asleep
from e2e.test_access import SMALLEST_TOUCH_PX, opened, python_started, small
from e2e.visitor import NEXT_FRAME
from tests.seeds import NIGHTLY
from tools.pages import read_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

NAMES = [page.name for page in read_pages() if "script" in page.fields]
WITH_PYTHON = {"quadratic", "billiards", "playground"}
"""The pages that start Python by day: formulas, a simulation, and the editor of programs.

Python changes little in the layout of the other pages.
"""
SMALL: ViewportSize = {"width": 320, "height": 640}
LARGEST_BLANK_PX = 64
LARGEST_STICKY = 0.55
"""The greatest allowed height of a sticky element, as a fraction of the window's height."""


@pytest.fixture(scope="module")
def telephone(browser: Browser) -> Iterator[BrowserContext]:
    """A browser context that behaves like a phone. All its pages share one cache."""
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    context.add_init_script(PATIENT)
    yield context
    context.close()


@pytest.fixture
def phone(telephone: BrowserContext) -> Iterator[Page]:
    """A new page on the telephone."""
    page = telephone.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module", params=NAMES)
def visited(telephone: BrowserContext, server_url: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open each page once for all tests. Some pages start Python. Nightly runs start it in all pages."""
    page = telephone.new_page()
    page.set_viewport_size(SMALL)
    wakes = NIGHTLY or request.param in WITH_PYTHON
    if not wakes:
        leave_python_asleep(page)
    opened(page, server_url, request.param)
    if wakes:
        python_started(page)
    yield page
    page.close()


@pytest.fixture
def visit(visited: Page) -> Page:
    """Reset the window and the scroll position of an open page. Tests must not change its content."""
    visited.set_viewport_size(SMALL)
    visited.evaluate(AS_OPENED)
    visited.evaluate(NEXT_FRAME)
    return visited


def test_a_menu_button_opens_all_pages_in_groups_and_they_fit(phone: Page, server_url: str) -> None:
    leave_python_asleep(phone)
    opened(phone, server_url, "quadratic")
    groups = phone.locator("nav [role=group]")
    menu = phone.get_by_role("button", name="Menu")
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": 640})
        phone.evaluate(NEXT_FRAME)
        expect(groups.first).to_be_hidden()
        menu.tap()
        expect(groups.first).to_be_visible()
        expect(groups).to_have_count(3)
        for link in phone.locator("nav a").all():
            box = link.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= SMALLEST_TOUCH_PX, width
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        assert phone.evaluate("document.documentElement.scrollWidth") <= width
        phone.touchscreen.tap(width - 10, 630)  # outside of the menu
        expect(groups.first).to_be_hidden()
    phone.set_viewport_size({"width": 1280, "height": 640})
    expect(menu).to_be_hidden()
    expect(groups.first).to_be_visible()
    expect(phone.locator("nav [aria-current]")).to_be_visible()


def test_no_large_area_is_blank(visit: Page) -> None:
    large: list[Any] = []
    for width in (320, 390):
        visit.set_viewport_size({"width": width, "height": 2400})  # no sticky element covers another
        visit.evaluate(NEXT_FRAME)
        blanks: list[Any] = visit.evaluate(BLANKS)
        large += [(width, *blank) for blank in blanks if blank[0] > LARGEST_BLANK_PX]
    assert large == []


def test_sticky_elements_leave_room_for_the_numbers(visit: Page) -> None:
    largest = {}
    for width, height in ((390, 844), (844, 390), (640, 320), (320, 480)):
        visit.set_viewport_size({"width": width, "height": height})
        visit.evaluate(NEXT_FRAME)
        shares: list[float] = visit.evaluate(STICKY)
        largest[width, height] = max(shares, default=0.0)
    assert {size: share for size, share in largest.items() if share > LARGEST_STICKY} == {}


def test_every_control_can_be_tapped_and_is_large_enough_for_a_finger(visit: Page) -> None:
    visit.evaluate(CONTROLS)
    assert visit.evaluate("() => matchMedia('(pointer: coarse)').matches")
    assert visit.evaluate(TAPPED) == []
    assert visit.evaluate(OVERFULL) == []
    assert small(visit, SMALLEST_TOUCH_PX) == []


def test_a_tap_opens_the_whole_table_of_keys(visit: Page) -> None:
    visit.get_by_role("button", name="Keys", exact=True).tap()
    table = visit.get_by_role("dialog", name="Keys", exact=True)
    expect(table).to_be_visible()
    assert visit.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    assert table.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    table.get_by_role("button", name="Close").tap()
    expect(table).to_be_hidden()


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
