"""Fixtures and helpers for the playground's tests: open the page, edit and run programs, read the output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

READY = "Python is ready"
PROGRAM = """import eglantine as eg

@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x ** y + eg.math.sin(x)

print("here", f(2.0, 3.0))
"""


TIDY = """() => {
  document.dispatchEvent(new Event("visibilitychange")); // saves what was typed last
  localStorage.clear();
  document.querySelector("[name=limit]").value = "10";
  document.querySelector("[name=kind]").replaceChildren();
  document.querySelector(".output").replaceChildren();
  document.querySelector(".notice").textContent = "";
  document.querySelector("[data-form=wat]").click();
}"""
"""A script that removes what the last test typed and chose, and the messages that it got.

Python keeps what the last program defined.
"""


@pytest.fixture
def playground(shared: Page) -> Page:
    """Wait until the playground is ready, with its editor and Python. All tests of a file share this page.

    The editor shows the first example. Python may still know names that an earlier test has defined.
    """
    if not shared.url.startswith("http"):
        shared.goto("playground.html")
        settled(shared)
        return shared
    settled(shared)
    shared.evaluate(TIDY)
    shared.locator("[name=program]").select_option("power")
    expect(shared.locator(".cm-line").first).to_have_text(FIRST_LINE)
    return shared


FIRST_LINE = (ROOT / "static" / "programs" / "power.py").read_text(encoding="utf-8").splitlines()[0]


def settled(page: Page) -> None:
    """Wait until the editor and Python have loaded."""
    expect(page.locator(".cm-content")).to_be_visible()
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)


def write(page: Page, text: str) -> None:
    """Replace the program in the editor."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def read(page: Page) -> str:
    """The program in the editor."""
    lines = page.locator(".cm-line").all_text_contents()
    return "\n".join(lines)


def run(page: Page, text: str | None = None) -> Locator:
    """Run a program and return the element with its output."""
    if text is not None:
        write(page, text)
    page.locator(".run").click()
    expect(page.locator(".run")).to_have_attribute("aria-disabled", "false", timeout=60_000)
    return page.locator(".output")


def lit(page: Page, where: str) -> list[str]:
    """The highlighted lines of a pane."""
    return [text.strip() for text in page.locator(f"#{where} .is-lit").all_text_contents()]


def open_in_place(page: Page, text: str) -> None:
    """Follow a link to a program without reloading the page."""
    page.evaluate("() => history.replaceState(null, '', location.pathname)")  # an equal link does nothing
    page.evaluate("(code) => { location.hash = `v=1&code=${encodeURIComponent(code)}`; }", text)
    expect(page.locator(".notice")).to_contain_text("came from a link")
