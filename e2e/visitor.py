"""Functions that act like a visitor or read the page. All browser tests share them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PYTHON_TIMEOUT_MS = 120_000
NARROW = {"width": 320, "height": 640}
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A script that waits until pending changes are drawn, so that all numbers that a test reads belong to one
frame."""


def with_python(page: Page) -> Page:
    """Wait until Python is ready on the page, and return the page."""
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PYTHON_TIMEOUT_MS)
    return page


def number(page: Page, selector: str) -> float:
    """Wait for the next frame. Return the `value` attribute of an element as a float."""
    page.evaluate(NEXT_FRAME)
    return float(page.locator(selector).get_attribute("value") or "nan")


def centre(element: Locator) -> tuple[float, float]:
    """The middle of an element, in pixels."""
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def field(page: Page, name: str) -> Locator:
    """A control by its name."""
    return page.locator(f"[name={name}]")


def grip(page: Page, name: str) -> Locator:
    """A handle by its name."""
    return page.locator(f"[data-grip='{name}']")


def drag(page: Page, name: str, dx: float, dy: float) -> None:
    """Drag a handle by this many pixels."""
    x, y = centre(grip(page, name))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=8)
    page.mouse.up()
