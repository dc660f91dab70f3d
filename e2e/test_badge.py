"""The badge of a formula is green if its module's numbers are right, and red if they are wrong."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

import eglantine as eg
from app.service import jet
from app.tape.tape import NAMES, tape_of
from e2e.shared_pages import lent, restored_page
from e2e.visitor import PYTHON_TIMEOUT_MS
from eglantine import formulas

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


awake = restored_page("quadratic", "module", wakes=True)
quadratic = lent("awake")
"""The page in its first state, with Python ready."""


def place(page: Page, x: float, y: float) -> None:
    page.locator("[name=x]").fill(str(x))
    page.locator("[name=y]").fill(str(y))


def expect_state(page: Page, state: str, words: str) -> None:
    badge = page.locator(".badge")
    expect(badge).not_to_have_class(re.compile("is-old"))
    expect(badge).to_have_attribute("data-state", state)
    expect(badge).to_contain_text(words)


def test_an_examples_numbers_are_checked_again_when_the_point_moves(quadratic: Page) -> None:
    expect_state(quadratic, "agree", "checked ✓")
    quadratic.locator(".handle").focus()
    quadratic.keyboard.press("ArrowLeft")
    expect(quadratic.locator("[name=x]")).not_to_have_value("2")
    expect_state(quadratic, "agree", "Finite differences agree")


def test_an_edited_formula_is_checked_too(quadratic: Page) -> None:
    quadratic.locator("#formula").fill("abs(x) + sin(y)")
    expect(quadratic.locator(".cost")).to_have_text(re.compile("compiled here"))
    expect_state(quadratic, "agree", "checked ✓")
    place(quadratic, 0, 3)
    expect_state(quadratic, "kink", "not differentiable here")
    quadratic.locator("#formula").fill("log(x) + sin(y)")
    expect_state(quadratic, "undefined", "not defined here")


def test_a_module_with_wrong_numbers_turns_the_badge_red(page: Page, server_url: str) -> None:
    right = jet(formulas.to_fn("x^y", ["x", "y"]))

    def formula(x: Any, y: Any) -> Any:
        values = right(x, y)
        return {"f": values["f"], "g": (values["g"][0], values["g"][1] * 1.01), "h": values["h"]}

    lying = eg.compile_artifact(formula, [eg.Real, eg.Real])

    def lie(route: Route) -> None:
        content = json.loads(route.fetch().body())
        preset = content["presets"][0]
        assert preset["text"] == "x^y"
        preset |= {"wasm": base64.b64encode(lying.wasm).decode(), "abi": lying.abi}
        route.fulfill(json=content)

    page.route("**/build/presets-*.json", lie)
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator(".badge")).to_have_attribute("data-state", "differ", timeout=PYTHON_TIMEOUT_MS)
    expect_state(page, "differ", "∂f/∂y is 5.6")
    expect(page.locator(".badge .mark")).to_have_text("wrong ✗")
    colour = page.locator(".badge .mark").evaluate("(element) => getComputedStyle(element).color")
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    assert red > 2 * max(green, blue) or red - max(green, blue) > 80
    page.locator("[name=preset]").select_option("saddle")
    expect_state(page, "agree", "checked ✓")


def test_the_badge_loses_its_colour_during_a_drag_and_regains_it_after(quadratic: Page) -> None:
    expect_state(quadratic, "agree", "checked ✓")
    quadratic.evaluate(
        """() => {
          window.checks = [];
          new MutationObserver(() => window.checks.push(document.querySelector(".badge").className))
            .observe(document.querySelector(".badge"), { attributes: true, attributeFilter: ["class"] });
        }"""
    )
    box = quadratic.locator(".handle").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    quadratic.mouse.move(x, y)
    quadratic.mouse.down()
    for k in range(80):
        quadratic.mouse.move(x - k, y + k / 4)
    quadratic.mouse.up()
    expect_state(quadratic, "agree", "checked ✓")
    assert len(quadratic.evaluate("() => window.checks")) >= 2


def test_a_tapes_numbers_are_checked_again_when_they_change(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}tape.html")
    expect(page.locator(".badge")).to_have_attribute("data-state", "agree", timeout=PYTHON_TIMEOUT_MS)
    expect_state(page, "agree", "The interpreter gives the same bits for all 24 numbers")
    page.locator("[name=x]").fill("-1")
    expect_state(page, "undefined", "not defined here")
    page.locator("[name=preset]").select_option("larger")
    expect_state(page, "agree", "agree with the result’s slopes")


def test_a_tape_with_wrong_numbers_turns_the_badge_red(page: Page, server_url: str) -> None:
    right = tape_of("x^y", NAMES)

    def numbers(*values: Any) -> Any:
        honest = [*right.numbers(*values)]
        place = right.nodes[0]["cotangent"]
        return eg.asarray([number * (1.01 if k == place else 1) for k, number in enumerate(honest)])

    lying = eg.compile_artifact(numbers, [eg.Real] * 4)

    def lie(route: Route) -> None:
        content = json.loads(route.fetch().body())
        preset = next(one for one in content["presets"] if one["text"] == "x^y")
        preset |= {"wasm": base64.b64encode(lying.wasm).decode(), "abi": lying.abi}
        route.fulfill(json=content)

    page.route("**/build/tape-*.json", lie)
    page.goto(f"{server_url}tape.html")
    page.locator("[name=preset]").select_option("power")
    expect(page.locator(".badge")).to_have_attribute("data-state", "differ", timeout=PYTHON_TIMEOUT_MS)
    expect_state(page, "differ", "The cotangent of x is")
    page.locator("[name=preset]").select_option("distance")
    expect_state(page, "agree", "checked ✓")
