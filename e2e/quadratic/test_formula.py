"""Quadratic: formulas that compile, formulas with mistakes, and formulas that are too long or too slow."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import patient
from e2e.quadratic.conftest import COMPILED_HERE, entry, expect_point, place, shown, sine_times_square
from e2e.silent_worker import silence_python
from e2e.visitor import NARROW, NEXT_FRAME, PYTHON_TIMEOUT_MS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python


AT_THE_LEFT = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, 1, canvas.height);
  return data.filter((part, k) => k % 4 === 3 && part > 0).length;
}"""
"""A function that counts the painted pixels at the picture's left border. A written number that is cut off
would reach the border."""


def test_a_typed_formula_gives_its_gradient_and_hessian(editable: Page) -> None:
    place(editable, 0.7, 1.3)
    editable.locator("#formula").fill("sin(x)*y^2")
    expect(editable.locator(".cost")).to_have_text(COMPILED_HERE)
    expect(editable.locator("main")).not_to_have_class(re.compile("is-stale"))
    assert shown(editable) == pytest.approx(sine_times_square(0.7, 1.3))
    expect(editable.locator(".formula-tex").first).to_contain_text("sin")


def test_heights_of_many_digits_stay_within_the_picture(quadratic: Page) -> None:
    cut: list[str] = []
    for formula in ("12345.678 x - 20000 y", "exp(300 x)"):
        quadratic.locator("#formula").fill(formula)
        expect(entry(quadratic, "f")).to_have_text(re.compile("^\u221235309$|^[0-9.]+e260$"))
        for width in (1280, NARROW["width"]):
            quadratic.set_viewport_size({"width": width, "height": 800})
            quadratic.evaluate(NEXT_FRAME)
            if quadratic.locator(".picture canvas").evaluate(AT_THE_LEFT) != 0:
                cut.append(f"{formula} at {width} px")
    assert cut == []


def test_eigenvalues_do_not_move_if_the_sentence_above_takes_two_lines(quadratic: Page) -> None:
    below = quadratic.locator(".eigenvalues")
    tops = []
    for formula, lines in (("x", 1), ("x y", 2)):
        quadratic.locator("#formula").fill(formula)
        expect(quadratic.locator(".kind")).to_contain_text("does not curve" if lines == 1 else "curves up")
        tops.append(below.evaluate("element => element.getBoundingClientRect().top"))
    assert tops[0] == tops[1]


def test_the_page_says_that_a_derivative_is_too_long_to_show(editable: Page) -> None:
    editable.locator("#formula").fill("sin x cos y tan(x y) / (x^2 + y^2) + exp(-x^2) sqrt(abs(x y))")
    expect(editable.locator(".values .formula-tex").last).to_have_text("too long to show")
    expect(entry(editable, "fyy")).not_to_be_empty()


def test_a_mistake_is_underlined_at_its_column_and_the_last_surface_stays(editable: Page) -> None:
    before = shown(editable)
    editable.locator("#formula").fill("x + sen(y)")
    mistake = editable.locator(".mistake")
    expect(mistake).to_have_attribute("data-column", "4")
    expect(mistake).to_have_text("sen")
    expect(editable.locator("#formula-note")).to_contain_text("Column 5")
    expect(editable.locator("#formula")).to_have_attribute("aria-invalid", "true")
    expect(editable.locator("main")).to_have_class(re.compile("is-stale"))
    expect(editable.locator(".badge")).not_to_have_css("opacity", "1")
    assert shown(editable) == before
    editable.get_by_role("button", name="Use sin").click()
    expect(editable.locator("#formula")).to_have_value("x + sin(y)")
    expect(editable.locator("main")).not_to_have_class(re.compile("is-stale"))
    assert shown(editable)["fyy"] == pytest.approx(-math.sin(3))


@pytest.mark.with_python
def test_a_formula_typed_before_python_is_ready_compiles_once_it_is(visited: Page) -> None:
    visited.locator("#formula").fill("x^2 + 3y")
    expect(visited.locator(".cost")).to_have_text(COMPILED_HERE, timeout=PYTHON_TIMEOUT_MS)
    assert shown(visited) == pytest.approx({"f": 13, "fx": 4, "fy": 3, "fxx": 2, "fxy": 0, "fyy": 0})


def test_a_slider_changes_its_parameter_and_takes_typing(quadratic: Page) -> None:
    quadratic.locator("[name=preset]").select_option("quadratic-form")
    quadratic.get_by_role("textbox", name="parameter a").fill("2")
    expect(entry(quadratic, "fxx")).to_have_text("4")
    expect(quadratic.locator(".kind")).to_contain_text("is a minimum")
    quadratic.get_by_role("slider", name="parameter a").press("ArrowLeft")
    expect(entry(quadratic, "fxx")).to_have_text("3.9")
    quadratic.get_by_role("textbox", name="parameter a").fill("-1")
    expect(quadratic.locator(".kind")).to_contain_text("is a saddle point")


def test_every_example_draws_and_has_finite_numbers_at_its_start(quadratic: Page) -> None:
    examples = quadratic.locator("[name=preset] option")
    assert examples.count() >= 10
    for option in examples.all():
        quadratic.locator("[name=preset]").select_option(option.get_attribute("value"))
        expect(quadratic.locator("#formula-note")).not_to_have_text("")
        assert all(math.isfinite(value) for value in shown(quadratic).values())


@pytest.mark.own_limits
def test_a_compile_that_takes_too_long_is_stopped_and_the_worker_replaced(
    page: Page, server_url: str
) -> None:
    starts = silence_python(page)
    page.add_init_script(patient(4_000))  # more time for the worker's start, but not for a formula
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    page.locator("#formula").fill("x + y")
    expect(page.locator("#formula-note")).to_contain_text("more than 2 seconds")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    assert len(starts) >= 2  # the badge's requests, which are also too slow, start more workers
    expect_point(page, 2, 3)
    expect(page.locator("#formula")).to_have_value("x + y")
