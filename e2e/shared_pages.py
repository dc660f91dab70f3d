"""Pages that several tests share. After each test, a page returns to its first state."""

from __future__ import annotations

import inspect
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error, Page, expect

from e2e.conftest import PATIENT, shared_page
from e2e.silent_worker import ASLEEP
from e2e.visitor import NEXT_FRAME, with_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import ViewportSize

    from e2e.lending import Contexts
    from e2e.sharing import SharedPage

LINKS = {
    "billiards": ("#v=1&goal=0.8,0.75", "#v=1"),
    "quadratic": ("#v=1&preset=saddle", "#v=1"),
    "regression": ("#v=1&line=0,2", "#v=1"),
    "robot": ("#v=1&goal=0.8,0.2", "#v=1"),
    "tape": ("#v=1&at=2,4", "#v=1"),
}
"""Two links for each page. The first leads to another state, and the second to the page's first state."""
USUAL_SIZE: ViewportSize = {"width": 1280, "height": 720}
SETTLED_S = 2.0
"""The time that a page has to return to its first state. If it takes longer, the next test gets a new
page."""
CONTROLS = ":is(input, select, textarea, button, details)"
STATE = f"""() => {{
  const main = document.querySelector("main");
  const all = [...document.querySelectorAll("main {CONTROLS}, dialog")];
  return JSON.stringify([
    all.filter((one) => one.checkVisibility()).map((one) => [
      one.localName, one.name, one.classList[0], one.value, one.checked, one.disabled, one.open,
      one.ariaLabel, one.ariaPressed,
    ]),
    main.className, main.dataset.python, document.documentElement.dataset.theme, scrollX, scrollY,
    document.activeElement === document.body,
  ]);
}}"""
"""A script that returns what a test may change: controls, pending work, the theme, the scroll and the
focus."""
KEPT = "main :is(input[type=checkbox], select)"
FIRST = f"""() => ({{
  details: [...document.querySelectorAll("main details")].map((one) => one.open),
  kept: Object.fromEntries([...document.querySelectorAll("{KEPT}")]
    .map((one) => [one.name, one.localName === "select" ? one.value : one.checked])),
}})"""
PUT_BACK = f"""async ([links, {{ details, kept }}]) => {{
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const main = document.querySelector("main");
  for (let k = 0; k < 20 && main.classList.contains("is-pending"); k++) {{
    main.querySelector(".undo").click();
    await drawn();
  }}
  for (const one of document.querySelectorAll("dialog[open]")) one.close();
  document.activeElement?.blur();
  for (const one of document.querySelectorAll("main :is(.reset, .edit[aria-pressed=true])")) one.click();
  for (const link of links) {{
    if (location.hash === link) continue;
    const opened = new Promise((done) => addEventListener("hashchange", done, {{ once: true }}));
    location.hash = link;
    await opened;
  }}
  await drawn();
  document.querySelectorAll("main details").forEach((one, k) => {{ one.open = details[k] ?? one.open; }});
  for (const one of document.querySelectorAll("{KEPT}")) {{
    const property = one.localName === "select" ? "value" : "checked";
    if (!one.checkVisibility() || !(one.name in kept) || one[property] === kept[one.name]) continue;
    one[property] = kept[one.name];
    for (const kind of ["input", "change"]) one.dispatchEvent(new Event(kind, {{ bubbles: true }}));
  }}
  for (const said of document.querySelectorAll(".notice, .live")) said.textContent = "";
  localStorage.clear();
  scrollTo(0, 0);
}}"""
"""A script that opens the two links of a page in `LINKS`, so that the page begins a new history. Then it
restores the settings that a link does not contain."""


class RestoredPage:
    """A page that several tests share. After each test, it returns to its first state.

    name: the page's name, a key of `LINKS`.
    wakes: True if Python loads in the page.
    """

    def __init__(self, shared: SharedPage, server_url: str, name: str, *, wakes: bool) -> None:
        self.shared = shared
        self.address = f"{server_url}{name}.html"
        self.name = name
        self.wakes = wakes
        self.page: Page | None = None

    def lend(self) -> Iterator[Page]:
        """Give the page to a test. When the test has ended, restore the page's first state."""
        page = self.shared.lend()
        if page is not self.page:
            self.open(page)
        yield page
        try:
            troubles = self.shared.take_back()
            is_back = self.put_back(page)
        except Error:  # the page no longer answers
            troubles = [*self.shared.troubles]
            is_back = False
        if not is_back or self.shared.troubles:
            self.close()
        if troubles:
            pytest.fail("the page had errors:\n" + "\n".join(troubles))

    def open(self, page: Page) -> None:
        """Open the page's address, and remember the page's first state."""
        page.goto(self.address)
        expect(page.locator("main")).to_have_attribute("data-shown", "")
        if self.wakes:
            with_python(page)
        self.page = page
        self.first: Any = page.evaluate(FIRST)
        self.tidy(page)
        self.state = page.evaluate(STATE)

    def put_back(self, page: Page) -> bool:
        """Restore the page's first state. Return False if the page does not reach this state."""
        if page.url.split("#")[0] != self.address:
            return False
        self.tidy(page)
        end = time.monotonic() + SETTLED_S
        while page.evaluate(STATE) != self.state:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def tidy(self, page: Page) -> None:
        """Open the page's link in `LINKS`, and reset the settings that a link does not contain."""
        page.mouse.up()
        page.mouse.move(0, 0)
        page.set_viewport_size(USUAL_SIZE)
        page.emulate_media(color_scheme="light", reduced_motion="no-preference", forced_colors="none")
        page.evaluate(PUT_BACK, [LINKS[self.name], self.first])
        page.evaluate(NEXT_FRAME)

    def close(self) -> None:
        """Close the page. The next test gets a new one."""
        self.shared.close()
        self.page = None


def restored_page(name: str, scope: str, *, wakes: bool = False) -> Any:
    """Make a fixture that opens a `RestoredPage`. All tests in the scope `scope` share it."""

    def opened(
        contexts: Contexts, browser_context_args: dict[str, Any], server_url: str
    ) -> Iterator[RestoredPage]:
        scripts = [PATIENT] if wakes else [PATIENT, ASLEEP]
        shared = shared_page(contexts, browser_context_args, server_url, scripts)
        page = RestoredPage(shared, server_url, name, wakes=wakes)
        yield page
        page.close()

    return pytest.fixture(opened, scope=scope)  # type: ignore[call-overload]


def lent(fixture: str) -> Any:
    """Make a fixture that lends a page to a test. `fixture` is the name of a fixture of a `RestoredPage`.

    The new fixture has a parameter with this name. So pytest knows before the test starts that the test needs
    the browser, and does not start a second browser.
    """

    def page_of(**given: RestoredPage) -> Iterator[Page]:
        yield from given[fixture].lend()

    needs = inspect.Parameter(fixture, inspect.Parameter.KEYWORD_ONLY)
    page_of.__signature__ = inspect.Signature([needs])  # type: ignore[attr-defined]
    return pytest.fixture(page_of)
