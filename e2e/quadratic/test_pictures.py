"""Tests of Quadratic's pictures: region, contour map, slice, critical points, descents, and a lecture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.quadratic.conftest import COMPILED_HERE, expect_point, place, shown
from e2e.visitor import NEXT_FRAME, centre, field

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.without_python

HIMMELBLAU = "v=1&preset=himmelblau&show=map,critical,descent,slice&angle=0"
LEAST_STROKES = 500
"""The number of lines that a complete picture exceeds. A surface, its map and its slice have many more."""


@pytest.fixture
def himmelblau(quadratic: Page, server_url: str) -> Page:
    """Open Himmelblau's function. The map shows every kind of curve and mark."""
    quadratic.goto(f"{server_url}quadratic.html#{HIMMELBLAU}")
    expect(quadratic.locator(".critical-points li")).to_have_count(9)
    return quadratic


def lines(page: Page) -> list[str]:
    """Return the page's list of critical points."""
    return page.locator(".critical-points li").all_text_contents()


def test_critical_points_are_listed_with_their_kinds_and_lead_to_the_point(himmelblau: Page) -> None:
    page = himmelblau
    kinds = [re.sub(r" at .*", "", line) for line in lines(page)]
    assert kinds == ["minimum"] * 4 + ["saddle point"] * 4 + ["maximum"]
    page.get_by_role("button", name="minimum at (3, 2), height 0").click()
    expect_point(page, 3, 2)
    expect(page.locator(".kind")).to_contain_text("This is a minimum.")
    expect(page.locator(".descent-end")).to_contain_text("the slope is 0 here")
    page.keyboard.press("Control+z")
    expect(field(page, "x")).to_have_value("\u22120.6")
    expect(page.locator(".descent-end")).to_contain_text("reaches a point of slope 0")
    field(page, "preset").select_option("ridge")
    expect(field(page, "critical")).not_to_be_checked()
    field(page, "critical").check()
    expect(page.locator(".critical-rest")).to_contain_text("whole curves")


def test_the_map_follows_the_mouse_and_the_keys(himmelblau: Page) -> None:
    page = himmelblau
    x, y = centre(page.locator(".map-point"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 40, steps=4)
    page.mouse.up()
    page.evaluate(NEXT_FRAME)
    moved = [float(field(page, name).input_value().replace("\u2212", "-")) for name in "xy"]
    assert moved[0] > -0.6
    assert moved[1] > -1.6
    # The slice is along x, so its slope is the partial derivative with respect to x.
    numbers = shown(page)
    expect(page.locator(".slice-numbers")).to_contain_text(
        f"slope {numbers['fx']:.4g}"[:9].replace("-", "\u2212")
    )
    page.mouse.click(x, y)
    page.evaluate(NEXT_FRAME)
    page.locator(".slice-grip").press("Shift+ArrowRight")
    expect(field(page, "angle")).to_have_value("10")
    page.locator(".map canvas").press("ArrowRight")
    page.locator(".region summary").click()
    expect(field(page, "x-from")).to_have_value("\u22124.5")
    page.keyboard.press("Control+z")
    expect(field(page, "x-from")).to_have_value("\u22125")
    page.locator(".map canvas").focus()
    x, y = centre(page.locator(".map canvas"))
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    expect(field(page, "x-from")).not_to_have_value("\u22125")
    page.get_by_role("button", name="First view").click()
    expect(field(page, "x-from")).to_have_value("\u22125")


def test_the_heights_are_fixed_and_fitted_again(himmelblau: Page) -> None:
    page = himmelblau
    page.locator(".region summary").click()
    fitted = field(page, "z-to").input_value()
    field(page, "z-to").fill("90")
    expect(page).to_have_url(re.compile(r"heights=[-\d.]+,90&"))
    page.reload()
    page.locator(".region summary").click()
    expect(field(page, "z-to")).to_have_value("90")
    page.get_by_role("button", name="Fit the heights").click()
    expect(field(page, "z-to")).to_have_value(fitted)


def prepare(page: Page) -> str:
    """Type a formula, set the region, and save three views. Return the link that contains these views."""
    page.locator("#formula").fill("x^2 y - y^3/3")
    expect(page.locator(".cost")).to_have_text(COMPILED_HERE)
    page.locator(".region summary").click()
    for name, value in {"x-from": "-2", "x-to": "2", "y-from": "-2", "y-to": "2"}.items():
        field(page, name).fill(value)
    place(page, 1, 0.5)
    page.locator(".lecture summary").click()
    save = page.get_by_role("button", name="Save this view")
    save.click()
    page.get_by_label("Map", exact=True).check()
    field(page, "critical").check()
    expect(page.locator(".critical-points li")).to_contain_text("slope 0, kind unknown at (0, 0), height 0")
    save.click()
    page.get_by_label("Both", exact=True).check()
    field(page, "slice").check()
    field(page, "error").check()
    expect(page.locator(".largest-error")).to_contain_text("off by at most")
    save.click()
    names = page.get_by_role("textbox", name="Name of view")
    expect(names).to_have_count(3)
    names.nth(2).fill("Slice & error")
    names.nth(2).press("Enter")
    page.get_by_role("button", name="Move Slice & error up").click()
    expect(names.nth(1)).to_have_value("Slice & error")
    expect(page).to_have_url(re.compile(r"saved=View%25201:.*;Slice%2520.*;View%25202:"))
    return page.url


def test_a_professor_prepares_a_lecture_presents_it_and_exports_a_figure(editable: Page) -> None:
    page = editable
    link = prepare(page)
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    page.locator(".lecture summary").click()
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".caption")).to_have_text("View 1: z = x^2 y - y^3/3")
    expect(page.locator(".panel")).to_be_hidden()
    expect(page.locator(".map")).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(page.locator(".caption")).to_contain_text("Slice & error")
    expect(page.locator(".map")).to_be_visible()
    expect(page.locator(".slice")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".view-count")).to_have_text("3 of 3")
    expect(page.locator(".picture")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_visible()

    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG").click()
    words = ET.parse(saved.value.path()).getroot()  # noqa: S314 - our own file
    texts = {element.text for element in words.iter() if element.tag.endswith("text")}
    assert {"z = x^2 y - y^3/3", "the slice", "its parabola", "the surface is lower"} <= texts
    assert sum(element.tag.endswith("path") for element in words.iter()) > LEAST_STROKES
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG").click()
    assert saved.value.suggested_filename == "quadratic.png"


def test_the_point_moves_before_the_map_and_the_saved_views_load(page: Page, server_url: str) -> None:
    held: list[Route] = []
    page.route("**/packs/quadratic/extras-*.js", lambda route: held.append(route))  # noqa: PLW0108  Playwright sets an attribute on it
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("data[data-entry=f]")).not_to_be_empty()
    handle = page.locator(".handle")
    before = handle.get_attribute("style")
    x, y = centre(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=3)
    page.mouse.up()
    expect(handle).not_to_have_attribute("style", before or "")
    place(page, 2, 1)
    page.locator("details.lecture summary").click()
    page.locator(".save-view").click()
    page.get_by_role("radio", name="Both").check()
    expect(page.locator(".map")).to_be_visible()
    where = page.locator(".map").bounding_box()
    assert held
    assert page.locator(".saved li").count() == 0
    held.pop().continue_()
    expect(page.locator(".saved li")).to_have_count(1)
    expect(page.locator(".map canvas")).to_have_attribute("aria-label", re.compile("^Contour map of z = "))
    assert page.locator(".map").bounding_box() == where
    page.locator(".map-point").press("ArrowRight")
    expect(field(page, "x")).not_to_have_value("2")
