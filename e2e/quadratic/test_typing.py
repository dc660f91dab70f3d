"""Quadratic helps visitors to type formulas, and reads equations and polar coordinates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.quadratic.conftest import entry, place, shown
from e2e.visitor import NEXT_FRAME, centre

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

THREE_MISTAKES = "g(t) = t^2 + sen(t)\nh(t) = g(t) + 1)\nz = g(x) + h(y"
DARK_AT = """(canvas, [x, y]) => {
  const scale = canvas.width / canvas.clientWidth;
  const [left, top] = [x, y].map((place) => Math.round(place * scale) - 3);
  const { data } = canvas.getContext("2d").getImageData(left, top, 7, 7);
  return data.some((part, k) => k % 4 === 3 && part === 255 && data[k - 1] + data[k - 2] + data[k - 3] < 150);
}"""
"""A function that returns true if the picture near a place is as dark as the thick line of an equation."""


def test_each_line_has_its_own_mistake_and_one_tap_mends_them_all(editable: Page) -> None:
    page = editable
    page.locator("#formula").fill(THREE_MISTAKES)
    expect(page.locator(".mistake")).to_have_text(["sen", ")", "("])
    lines = page.locator(".mistake-line")
    expect(lines).to_have_count(3)
    expect(lines.nth(0)).to_contain_text("Line 1, column 14: There is no function “sen”")
    expect(lines.nth(1)).to_contain_text("Line 2, column 16: The “)” closes no bracket")
    expect(lines.nth(2)).to_contain_text("Line 3, column 13: The “(” here is never closed")
    page.get_by_role("button", name="Use the corrected formula").click()
    mended = "g(t) = t^2 + sin(t)\nh(t) = g(t) + 1\nz = g(x) + h(y)"
    expect(page.locator("#formula")).to_have_value(mended)
    expect(page.locator(".mistake")).to_have_count(0)
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))
    place(page, 0, 2)
    assert shown(page)["fyy"] == pytest.approx(2 - 0.9092974268256817)
    expect(page.locator(".formula-shown math")).to_have_count(3)
    page.locator("#formula").fill("(x, y) => x * Math.max(y, 1")
    page.get_by_role("button", name="Use x * Math.max(y, 1)").click()
    expect(entry(page, "f")).to_have_text("0")
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))


def test_the_mathematics_is_shown_and_keys_complete_names(editable: Page) -> None:
    page = editable
    formula, names = page.locator("#formula"), page.locator(".formula-names li")
    formula.fill("")
    formula.press_sequentially("x^2/(y + sig")
    expect(page.locator(".formula-shown .mfrac")).to_have_count(1)
    expect(names).to_have_text(["sign(", "sigma", "signum(", "sigmoid("])
    expect(page.locator(".formula-names [aria-selected=true]")).to_have_count(0)
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(formula).to_have_attribute("aria-activedescendant", "formula-names-3")
    page.keyboard.press("Enter")
    expect(formula).to_have_value("x^2/(y + sigmoid(")
    expect(names).to_have_count(0)
    page.keyboard.type("x))")
    expect(page.locator(".formula-marks .pair")).to_have_text(["(", ")"])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")
    page.keyboard.press("End")
    expect(page.locator(".formula-marks .pair")).to_have_text(["(", ")"])
    page.keyboard.press("Home")
    expect(page.locator(".formula-marks .pair")).to_have_count(0)
    page.keyboard.press("End")
    page.keyboard.type(") si")
    names.get_by_text("sinc(").click()
    expect(formula).to_be_focused()
    page.keyboard.type("y)")
    expect(formula).to_have_value("x^2/(y + sigmoid(x)) sinc(y)")
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"))
    page.keyboard.type(" + ta")
    expect(names.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(names).to_have_count(0)
    page.keyboard.press("Enter")
    expect(formula).to_have_value(re.compile("ta\n$"))


def test_an_equation_has_a_thick_line_and_polar_letters_a_meaning(editable: Page) -> None:
    page = editable
    page.locator(".region summary").click()
    for name, end in {"x-from": "-2", "x-to": "2", "y-from": "-2", "y-to": "2"}.items():
        page.locator(f"[name={name}]").fill(end)
    page.get_by_label("Map", exact=True).check()
    page.locator("#formula").fill("x^2 + y^2 = 1")
    expect(page.locator("#formula-note")).to_contain_text("both sides are equal")
    expect(page.locator(".legend li:visible", has_text="both sides are equal")).to_have_count(1)
    place(page, 1, 0)
    assert shown(page) == {"f": 0, "fx": 2, "fy": 0, "fxx": 2, "fxy": 0, "fyy": 2}
    place(page, 0, 1)
    page.evaluate(NEXT_FRAME)
    on_curve = centre(page.locator(".map-point"))
    place(page, 1.5, 1.5)  # the point hides the curve
    assert is_dark(page, on_curve)
    page.locator("#formula").fill("x^2 + y^2")
    expect(page.locator(".legend li:visible", has_text="both sides are equal")).to_have_count(0)
    assert not is_dark(page, on_curve)

    page.locator("#formula").fill("r = 1 + cos(theta)")
    page.get_by_role("button", name="Use polar coordinates").click()
    expect(page.get_by_label("Polar coordinates")).to_be_checked()
    expect(page.locator("#formula-note")).to_contain_text("both sides are equal")
    place(page, 0, 1)
    assert shown(page)["f"] == pytest.approx(0, abs=1e-15)
    expect(page).to_have_url(re.compile("f=r%20%3D%201%20%2B%20cos\\(theta\\)%0A%23%20polar"))
    page.goto(page.url)
    page.reload()
    expect(page.locator("#formula")).to_have_value("r = 1 + cos(theta)")
    expect(page.get_by_label("Polar coordinates")).to_be_checked()
    page.get_by_label("Polar coordinates").uncheck()
    expect(page.get_by_role("button", name=re.compile("Add a slider for theta"))).to_be_visible()


def is_dark(page: Page, place: tuple[float, float]) -> bool:
    """True if the map has a thick line at this point of the window."""
    page.evaluate(NEXT_FRAME)
    canvas = page.locator(".map canvas")
    box = canvas.bounding_box()
    assert box is not None
    return bool(canvas.evaluate(DARK_AT, (place[0] - box["x"], place[1] - box["y"])))


def test_a_student_reads_drags_and_learns_what_a_hessian_is(quadratic: Page) -> None:
    page = quadratic
    expect(page.get_by_role("heading", level=1)).to_have_text("A surface and its quadratic approximation")
    expect(page.get_by_text("Drag a point on a surface.")).to_be_visible()
    expect(page.get_by_text("the gradient: straight uphill")).to_be_visible()
    before = shown(page)
    x, y = centre(page.locator(".handle"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 20, steps=4)
    page.mouse.up()
    after = shown(page)
    assert all(after[name] != before[name] for name in ("f", "fx", "fy", "fxx", "fxy", "fyy"))
    expect(page.locator(".kind")).to_contain_text("curves")

    page.locator("[name=preset]").select_option("saddle")
    dragged = shown(page)
    page.locator(".handle").focus()
    page.keyboard.press("ArrowLeft")
    moved = shown(page)
    assert moved["f"] != dragged["f"]
    assert [moved[name] for name in ("fxx", "fxy", "fyy")] == [
        dragged[name] for name in ("fxx", "fxy", "fyy")
    ]
    expect(page.locator(".kind")).to_contain_text("curves up one way and down the other")
    expect(page.locator(".eigenvalues")).to_contain_text("−")

    expect(page.get_by_text("The Hessian H says how they change.")).to_be_visible()
    place = ",".join(page.locator(f"[name={name}]").input_value() for name in ("x", "y"))
    expect(page).to_have_url(re.compile(f"preset=saddle.*at={re.escape(place)}(&|$)"))
    page.get_by_role("link", name="the Hessian").click()
    expect(page.get_by_role("heading", name="The Hessian", exact=True)).to_be_visible()
    expect(page.get_by_text("They form a square table, the Hessian matrix")).to_be_visible()
    page.go_back()
    expect(page.locator("[name=preset]")).to_have_value("saddle")
    assert shown(page) == moved
