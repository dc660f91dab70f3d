"""Quadratic before Python has loaded: the page interprets formulas first, and compiles them later."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.quadratic.conftest import COMPILED_HERE, entry, place, shown, sine_times_square
from e2e.visitor import PYTHON_TIMEOUT_MS

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

INTERPRETED = re.compile("is interpreted")
PICTURE = "document.querySelector('.picture canvas').toDataURL()"
WATCH = """() => {
  window.classes = [];
  const main = document.querySelector("main");
  const note = () => window.classes.push(main.className);
  new MutationObserver(note).observe(main, { attributes: true, attributeFilter: ["class"] });
}"""


def fetched(page: Page, part: str) -> bool:
    """True if the page has fetched a file whose name contains `part`."""
    script = "part => performance.getEntriesByType('resource').some(({ name }) => name.includes(part))"
    return bool(page.evaluate(script, part))


@pytest.mark.without_python
def test_a_formula_is_drawn_while_python_loads(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html")
    page.wait_for_function("() => performance.getEntriesByName('first tier').length > 0")
    assert not fetched(page, "tier-latex")
    place(page, 0.7, 1.3)
    page.locator("#formula").fill("sin(x)*y^2")
    expect(page.locator(".cost")).to_have_text(INTERPRETED)
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))
    assert shown(page) == pytest.approx(sine_times_square(0.7, 1.3))
    expect(page.locator(".formula-tex").first).to_be_empty()
    page.locator("#formula").fill(r"\frac{x}{2} + sen(y)")
    expect(page.locator(".mistake")).to_have_attribute("data-column", "14")
    expect(page.locator("#formula-note")).to_contain_text("There is no function “sen” here.")
    assert fetched(page, "tier-latex")
    page.locator("#formula").fill("b x y")
    page.get_by_role("button", name="slider").click()
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))
    expect(page.locator(".sliders")).to_contain_text("b")
    expect(entry(page, "fxy")).to_have_text("1")
    page.get_by_role("button", name="Undo").click()


def test_the_compiled_formula_takes_over_without_a_flicker(page: Page, server_url: str) -> None:
    held: list[Route] = []
    page.route("**/worker.js", lambda route: held.append(route))  # noqa: PLW0108  Playwright names it
    page.goto(f"{server_url}quadratic.html")
    expect(entry(page, "f")).not_to_be_empty()
    place(page, 0.7, 1.3)
    page.locator("#formula").fill("exp(-x^2) cos(3 y) + x^y/9")
    expect(page.locator(".cost")).to_have_text(INTERPRETED)
    before, picture = shown(page), page.evaluate(PICTURE)
    page.evaluate(WATCH)
    for route in held:
        route.continue_()
    expect(page.locator(".cost")).to_have_text(COMPILED_HERE, timeout=PYTHON_TIMEOUT_MS)
    expect(page.locator(".formula-tex").first).to_contain_text("cos")
    assert shown(page) == pytest.approx(before, rel=1e-12)
    assert shown(page)["f"] == before["f"]
    assert page.evaluate(PICTURE) == picture
    assert not any("is-stale" in names for names in page.evaluate("window.classes"))
