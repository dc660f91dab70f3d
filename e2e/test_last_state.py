"""A page that is opened without a link restores the state in which the visitor left it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.seeds import NIGHTLY

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

KEEP = "([name, fragment]) => localStorage.setItem(`eglantine.last.1.${name}`, fragment)"


@pytest.mark.with_python
def test_a_formula_and_its_point_are_restored_on_the_next_visit(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    page.locator("#formula").fill("x^2 + 3 y")
    expect(page.locator(".cost")).to_contain_text("compiled here")
    page.locator("[name=x]").fill("0.125")
    page.locator("[name=x]").press("Enter")
    page.wait_for_url("**#*at=0.125,*")
    page.goto(f"{server_url}robot.html")
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("[name=x]")).to_have_value("0.125")
    expect(page.locator("#formula")).to_have_value("x^2 + 3 y")
    expect(page.locator(".cost")).to_contain_text("compiled here")


def test_a_link_takes_precedence_over_the_saved_state(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html")
    page.evaluate(KEEP, ["quadratic.html", "v=1&preset=power&at=0.25,0.75"])
    page.goto(f"{server_url}robot.html")
    page.goto(f"{server_url}quadratic.html#v=1&preset=power&at=0.5,0.75")
    expect(page.locator("[name=x]")).to_have_value("0.5")


KEPT = "() => Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.includes(`.last.1.`)))"


@pytest.mark.parametrize("name", ["quadratic", "robot"])
def test_a_link_that_the_visitor_only_looks_at_leaves_the_saved_state(
    page: Page, server_url: str, name: str
) -> None:
    page.goto(f"{server_url}robots.txt")  # this file stores nothing
    page.evaluate(KEEP, [f"{name}.html", "v=1&of=the+visitor"])
    page.evaluate(KEEP, ["robot.weights", "v=1&of=the+visitor\n{}"])
    before = page.evaluate(KEPT)
    # Playwright's assertions would count as the visitor's input, so we wait for the network instead.
    page.goto(f"{server_url}{name}.html#v=1", wait_until="networkidle")
    page.goto(f"{server_url}robots.txt")
    assert page.evaluate(KEPT) == before


DAMAGED = ("v=99&__proto__=1", "x" * 30_000, "%", "<script>alert(1)</script>")
ALL_AND_ONE = {
    "quadratic": DAMAGED,
    **dict.fromkeys(("billiards", "robot", "regression", "tape"), DAMAGED[:1]),
}
"""For each page, the damaged states that it tries by day.

All pages read their state with the same module, so one page tries all states, and the others try one.
"""


@pytest.mark.parametrize("name", ALL_AND_ONE)
def test_a_page_opens_despite_a_damaged_saved_state(page: Page, server_url: str, name: str) -> None:
    for fragment in DAMAGED if NIGHTLY else ALL_AND_ONE[name]:
        page.goto(f"{server_url}robots.txt")  # this file stores nothing
        page.evaluate(KEEP, [f"{name}.html", fragment])
        page.goto(f"{server_url}{name}.html")
        expect(page.locator("main")).to_be_visible()


def test_each_chapter_of_fit_restores_its_own_state(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}regression.html#v=1&set=IV&rate=0.004")
    expect(page.locator("[name=set]")).to_have_value("IV")
    page.get_by_role("link", name="Any formula", exact=True).click()
    expect(page.locator("[name=set]")).to_have_value("tea")
    page.get_by_role("link", name="A line, fitted by descent").click()
    expect(page.locator("[name=set]")).to_have_value("IV")
    expect(page.locator("[name=rate]")).to_have_value("0.004")
