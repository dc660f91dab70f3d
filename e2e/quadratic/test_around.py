"""Tests of the page Quadratic: links, the browser's history, themes, small screens, and no Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.quadratic.conftest import (
    COMPILED_HERE,
    entry,
    expect_point,
    place,
    point,
    power,
    shown,
    sine_times_square,
)
from e2e.visitor import NARROW, NEXT_FRAME, PYTHON_TIMEOUT_MS, centre

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python


LINK_BEFORE_ITS_EVENT = """() => {
  setTimeout(() => { location.hash = "v=1&preset=saddle&at=0.25,1"; }, 300);
  const field = document.querySelector("[name=x]");
  field.value = "1.25";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const begin = performance.now();
  while (performance.now() - begin < 350);
}"""
"""A script that opens another link just before the page writes the link of an earlier change."""


def test_a_shared_link_restores_formula_point_and_view(editable: Page) -> None:
    editable.locator("#formula").fill("sin(x)*y^2")
    expect(editable.locator(".cost")).to_have_text(COMPILED_HERE)
    place(editable, 0.7, 1.3)
    expect(editable).to_have_url(re.compile(r"at=0\.7,1\.3(&|$)"))
    link = editable.url
    editable.goto("about:blank")
    editable.goto(link)
    expect(editable.locator("#formula")).to_have_value("sin(x)*y^2")
    expect(editable.locator(".cost")).to_have_text(COMPILED_HERE, timeout=PYTHON_TIMEOUT_MS)
    expect_point(editable, 0.7, 1.3)
    assert shown(editable) == pytest.approx(sine_times_square(0.7, 1.3))


@pytest.mark.parametrize(
    ("fragment", "reason"),
    [
        ("v=9&preset=saddle", "another version"),
        ("v=1&preset=nowhere", "unknown example"),
        ("v=1&preset=saddle&at=1,NaN", "number"),
        ("v=1&preset=saddle&region=0,0,0,1", "region"),
        ("v=1&preset=saddle&f=%00", "formula"),
        ("v=1&preset=saddle&f=" + "x" * 2001, "formula"),
        ("v=1&preset=saddle&f=%E0%A4%A", "damaged"),
        ("<script>alert(1)</script>", "damaged"),
        ("x" * 33_000, "longer than any link"),
    ],
)
def test_a_hostile_link_is_refused_with_a_sentence(
    quadratic: Page, server_url: str, fragment: str, reason: str
) -> None:
    open_link(quadratic, f"{server_url}quadratic.html#{fragment}")
    expect(quadratic.locator(".notice")).to_contain_text(reason)
    expect_point(quadratic, 2, 3)


def test_a_link_opened_just_after_a_change_is_not_overwritten_by_it(quadratic: Page) -> None:
    place(quadratic, 1.5, 3)
    quadratic.evaluate(LINK_BEFORE_ITS_EVENT)
    expect(quadratic.locator("#formula")).to_have_value("x^2 - y^2")
    expect_point(quadratic, 0.25, 1)
    expect(quadratic).to_have_url(re.compile(r"preset=saddle&at=0\.25,1(&|$)"))


def test_copying_a_link_beside_a_mistake_names_the_last_good_formula(editable: Page) -> None:
    editable.context.grant_permissions(["clipboard-read", "clipboard-write"])
    editable.locator("#formula").fill("x^y +")
    expect(editable.locator("#formula")).to_have_attribute("aria-invalid", "true")
    editable.get_by_role("button", name="Copy link").click()
    said = "The formula used is \u201cx^y\u201d, because what you typed has not compiled."
    expect(editable.locator(".notice")).to_have_text(f"Link copied. {said}")
    copied: str = editable.evaluate("() => navigator.clipboard.readText()")
    assert "preset=power" in copied
    assert "f=" not in copied
    with editable.expect_download():
        editable.get_by_role("button", name="Export code").click()
    expect(editable.locator(".notice")).to_contain_text(said)


def test_an_old_link_to_the_root_still_opens_its_formula(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}#v=1&preset=saddle&at=0.25,1")
    expect(page).to_have_url(re.compile(r"/quadratic\.html#v=1&preset=saddle"))
    expect(page.locator("#formula")).to_have_value("x^2 - y^2")
    expect_point(page, 0.25, 1)


def test_the_link_to_the_mathematics_is_not_taken_for_a_shared_link(quadratic: Page) -> None:
    place(quadratic, 1.5, 3)
    expect(quadratic).to_have_url(re.compile(r"at=1\.5,3(&|$)"))
    quadratic.get_by_role("link", name="The mathematics").click()
    expect(quadratic.locator("#mathematics")).to_be_in_viewport()
    expect(quadratic.locator(".notice")).to_have_text("")
    expect_point(quadratic, 1.5, 3)


def test_undo_and_redo_go_through_points_and_examples(quadratic: Page) -> None:
    place(quadratic, 1.5, 3)
    quadratic.locator("[name=preset]").select_option("saddle")
    expect(quadratic.locator("#formula")).to_have_value("x^2 - y^2")
    quadratic.locator(".handle").focus()
    quadratic.keyboard.press("Control+z")
    expect(quadratic.locator("#formula")).to_have_value("x^y")
    expect_point(quadratic, 1.5, 3)
    quadratic.get_by_role("button", name="Undo").click()
    expect(quadratic.locator("[name=x]")).to_have_value("2")
    quadratic.keyboard.press("Control+Shift+Z")
    expect(quadratic.locator("[name=x]")).to_have_value("1.5")
    quadratic.get_by_role("button", name="Redo").click()
    expect(quadratic.locator("#formula")).to_have_value("x^2 - y^2")
    quadratic.get_by_role("button", name="Reset").click()
    expect(quadratic.locator("[name=x]")).to_have_value("0.5")


def test_one_drag_is_one_step_of_undo(quadratic: Page) -> None:
    x, y = centre(quadratic.locator(".handle"))
    for dx in (-30, -60):
        quadratic.mouse.move(*centre(quadratic.locator(".handle")))
        quadratic.mouse.down()
        quadratic.mouse.move(x + dx, y, steps=6)
        quadratic.mouse.up()
    quadratic.get_by_role("button", name="Undo").click()
    quadratic.get_by_role("button", name="Undo").click()
    expect(quadratic.locator("[name=x]")).to_have_value("2")
    expect(quadratic.get_by_role("button", name="Undo")).to_be_disabled()


def test_the_theme_follows_the_system_and_can_be_chosen(quadratic: Page) -> None:
    quadratic.emulate_media(color_scheme="dark")
    body = quadratic.locator("body")
    expect(body).to_have_css("background-color", "rgb(23, 21, 19)")
    theme = quadratic.get_by_role("button", name="Theme")
    theme.click()
    expect(theme).to_have_text("Theme: light")
    expect(body).to_have_css("background-color", "rgb(251, 248, 243)")
    quadratic.reload()
    expect(body).to_have_css("background-color", "rgb(251, 248, 243)")


def test_a_narrow_page_does_not_scroll_sideways(quadratic: Page) -> None:
    quadratic.set_viewport_size(NARROW)
    quadratic.evaluate(NEXT_FRAME)
    expect(quadratic.locator(".katex").first).to_be_visible()
    assert quadratic.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.with_python
@pytest.mark.allow_console
def test_the_point_can_be_dragged_without_python(page: Page, server_url: str) -> None:
    page.route("**/vendor/pyodide/**", lambda route: route.abort())
    page.goto(f"{server_url}quadratic.html")
    expect(entry(page, "f")).not_to_be_empty()
    x, y = centre(page.locator(".handle"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 50, y, steps=5)
    page.mouse.up()
    assert shown(page) == pytest.approx(power(*point(page)))
    expect(page.locator("#formula-note")).to_contain_text("Python did not load")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
