"""Quadratic: the letters of a formula get sliders, and links and undo restore their values.

Most of these tests need no Python, because the page interprets formulas in JavaScript.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.quadratic.conftest import entry, place, shown
from e2e.visitor import NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python


def type_formula(page: Page, text: str) -> None:
    page.locator("#formula").fill(text)


def add_sliders(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Add (a slider|sliders) for")).click()


def slide(page: Page, letter: str, value: float) -> None:
    page.get_by_label(f"parameter {letter}, as a number").fill(str(value))


def letters(page: Page) -> list[str]:
    return page.locator(".slider > i").all_text_contents()


def expect_letters(page: Page, *names: str) -> None:
    expect(page.locator(".slider > i")).to_have_text([*names])


def test_one_tap_adds_sliders_for_the_letters_of_a_formula(editable: Page) -> None:
    place(editable, 2, 3)
    type_formula(editable, "a x^2 + b y")
    expect(editable.locator(".note")).to_contain_text("a and b have no values yet.")
    add_sliders(editable)
    expect_letters(editable, "a", "b")
    expect(entry(editable, "f")).to_have_text("7")
    slide(editable, "a", 2)
    slide(editable, "b", -1)
    expect(entry(editable, "f")).to_have_text("5")
    assert shown(editable)["fx"] == 8


def test_letters_that_the_formula_no_longer_uses_lose_their_sliders(quadratic: Page) -> None:
    type_formula(quadratic, "a x + b y")
    add_sliders(quadratic)
    expect_letters(quadratic, "a", "b")
    type_formula(quadratic, "x + b y")
    expect_letters(quadratic, "b")
    type_formula(quadratic, "x + y")
    expect_letters(quadratic)


def test_a_remembered_setting_adds_sliders_for_new_letters_while_typing(visited: Page) -> None:
    type_formula(visited, "a x")
    add_sliders(visited)
    visited.get_by_label("Add sliders for new letters automatically").check()
    type_formula(visited, "a x + c y")
    expect_letters(visited, "a", "c")
    visited.reload()
    expect(entry(visited, "f")).not_to_be_empty()
    type_formula(visited, "k x y")
    expect_letters(visited, "k")


def test_range_and_step_can_be_changed(quadratic: Page) -> None:
    type_formula(quadratic, "a x")
    add_sliders(quadratic)
    quadratic.get_by_text("Range", exact=True).click()
    quadratic.get_by_label("to of a").fill("20")
    quadratic.get_by_label("from of a").fill("10")
    quadratic.get_by_label("step of a").fill("5")
    slider = quadratic.get_by_label("parameter a", exact=True)
    expect(slider).to_have_attribute("min", "10")
    expect(slider).to_have_attribute("max", "20")
    expect(slider).to_have_value("10")
    slider.press("ArrowRight")
    expect(quadratic.get_by_label("parameter a, as a number")).to_have_value("15")


def test_a_slider_plays_until_it_is_paused(quadratic: Page) -> None:
    type_formula(quadratic, "a x")
    add_sliders(quadratic)
    number = quadratic.get_by_label("parameter a, as a number")
    quadratic.get_by_text("Range", exact=True).click()
    quadratic.get_by_label("speed of a").select_option("4")
    quadratic.get_by_role("button", name="play a").click()
    expect(number).not_to_have_value("1")
    quadratic.get_by_role("button", name="pause a").click()
    expect(quadratic.get_by_role("button", name="play a")).to_be_visible()
    still = number.input_value()
    quadratic.wait_for_timeout(200)
    assert number.input_value() == still


def test_a_link_restores_letters_with_value_range_and_step(quadratic: Page) -> None:
    place(quadratic, 2, 3)
    type_formula(quadratic, "a x + theta y")
    add_sliders(quadratic)
    quadratic.get_by_text("Range", exact=True).first.click()
    quadratic.get_by_label("to of a").fill("50")
    slide(quadratic, "a", 40)
    expect(entry(quadratic, "f")).to_have_text("83")
    expect(quadratic).to_have_url(re.compile("sliders=a,40,-5,50,0.1,theta,1,-5,5,0.1"))
    address = quadratic.url
    quadratic.goto("about:blank")
    quadratic.goto(address)
    expect_letters(quadratic, "a", "theta")
    expect(entry(quadratic, "f")).to_have_text("83")
    expect(quadratic.get_by_label("parameter a", exact=True)).to_have_attribute("max", "50")


def test_undo_removes_the_sliders_and_redo_restores_them(quadratic: Page) -> None:
    type_formula(quadratic, "a x")
    add_sliders(quadratic)
    expect_letters(quadratic, "a")
    quadratic.locator("#formula").blur()
    quadratic.locator(".undo").click()
    expect_letters(quadratic)
    expect(quadratic.locator("#formula")).to_have_value("x^y")
    quadratic.locator(".redo").click()
    expect_letters(quadratic, "a")


def test_pasted_definitions_keep_their_lines(editable: Page) -> None:
    place(editable, 2, 3)
    pasted = "g(t) = t^2 # a square\nz = g(x) + g(y)"
    editable.locator("#formula").fill("")
    editable.locator("#formula").focus()
    editable.keyboard.insert_text(pasted)
    expect(editable.locator("#formula")).to_have_value(pasted)
    expect(editable.locator("#formula")).to_have_js_property("rows", 2)
    expect(entry(editable, "f")).to_have_text("13")


def test_sliders_fit_a_phone(quadratic: Page) -> None:
    quadratic.set_viewport_size(NARROW)
    type_formula(quadratic, "a x + b y")
    add_sliders(quadratic)
    quadratic.get_by_text("Range", exact=True).first.click()
    width = quadratic.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW["width"]
