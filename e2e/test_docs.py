"""The documentation: a search finds a function, and the function's example runs in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from e2e.visitor import PYTHON_TIMEOUT_MS

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"


def test_search_leads_to_an_example_that_runs_in_the_page(page: Page, server_url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{server_url}docs.html")
    page.keyboard.press("/")
    page.keyboard.type("curve_fit")
    first = page.locator(".results a").first
    expect(first).to_have_text("eg.curve_fit")
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Solvers and integrals")
    page.wait_for_load_state("load")
    heading = page.locator("[id='eg.curve_fit']")
    expect(heading).to_be_in_viewport()
    wide, room = page.evaluate(WIDTHS)
    assert wide <= room
    cell = page.locator("h3[id='eg.curve_fit'] ~ .cell").first
    cell.locator("button.run").click()
    # on this machine a test of the documents has run the same example, so the outputs are equal
    expect(cell.locator(".note")).to_contain_text("The output is the one shown.", timeout=PYTHON_TIMEOUT_MS)
    expect(cell.locator(".ran")).to_have_count(0)
    assert page.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    cell.locator("a.open").click()
    expect(page.locator(".cm-content")).to_contain_text("eg.curve_fit")
