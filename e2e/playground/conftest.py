"""Fixtures and actions for the playground's tests: the opened page, its editor, its output and its panes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

READY = "Python is ready"
PROGRAM = """import eglantine as eg

@eg.fn
def f(x: eg.Real, y: eg.Real) -> eg.Real:
    return x ** y + eg.math.sin(x)

print("here", f(2.0, 3.0))
"""


@pytest.fixture
def playground(page: Page) -> Page:
    """The playground, once its editor and Python have loaded."""
    page.goto("playground.html")
    settled(page)
    return page


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
