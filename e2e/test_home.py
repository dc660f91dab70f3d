"""The home page: visitors can drag a point at once, without Python, and open all other pages."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.shared_pages import USUAL_SIZE
from e2e.visitor import NARROW, NEXT_FRAME

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = (
    "quadratic", "fit", "regression", "billiards", "robot", "diagrams", "learn", "tape", "sparse", "bril",
    "playground",
)  # fmt: skip
VALUE = "() => document.querySelector('eglantine-plot').value"
WHEN = """async () => {
  const gallery = () => performance.getEntriesByType("resource")
    .find(({ name }) => /\\/packs\\/home\\/gallery-\\w+\\.js$/.test(name));
  while (gallery() === undefined) await new Promise((done) => setTimeout(done, 20));
  return [performance.getEntriesByName("draggable")[0].startTime, gallery().startTime];
}"""
"""A script that returns two times: when the point became draggable, and when the page requested the script of
the gallery."""
COLOURS = """(canvas) => new Set(new Uint32Array(canvas.getContext("2d")
  .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""

AT_THE_BORDER = """(canvas) => {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let painted = 0;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    const isBorder = x === 0 || y === 0 || x === width - 1 || y === height - 1;
    if (isBorder && data[4 * (y * width + x) + 3] > 0) painted += 1;
  }
  return painted;
}"""
"""A function that counts the painted pixels on a picture's border. A shape that is cut off would reach it."""


@pytest.fixture
def home(tab: Page, server_url: str) -> Page:
    """The home page, scrolled to its top. All tests of this file share it."""
    tab.set_viewport_size(USUAL_SIZE)
    if tab.url != server_url:
        tab.goto(server_url)
    expect(tab.locator("eglantine-plot .numbers")).to_contain_text("sin(x) cos(y)")
    tab.evaluate("scrollTo(0, 0)")
    return tab


def value(page: Page) -> dict[str, float]:
    value_and_derivatives: dict[str, float] = page.evaluate(VALUE)
    return value_and_derivatives


def test_derivatives_follow_the_dragged_point_without_python(page: Page, server_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server_url)
    expect(page.locator("eglantine-plot .numbers")).to_contain_text("sin(x) cos(y)")
    before = value(page)
    box = page.locator("eglantine-plot .handle").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 12, steps=6)
    page.mouse.up()
    after = value(page)
    assert (after["x"], after["y"]) != (before["x"], before["y"])
    assert after["fx"] == pytest.approx(math.cos(after["x"]) * math.cos(after["y"]), rel=1e-14)
    assert after["fxy"] == pytest.approx(-math.cos(after["x"]) * math.sin(after["y"]), rel=1e-14)
    assert not [url for url in asked if re.search(r"pyodide|/worker\.js|python-|\.whl", url)]


def test_the_gallery_is_requested_only_after_the_point_can_be_dragged(home: Page) -> None:
    """The pictures of the gallery must not delay the point."""
    expect(home.locator("[data-card=quadratic] canvas")).to_be_attached()
    draggable, gallery = home.evaluate(WHEN)
    assert gallery >= draggable


def test_each_card_has_a_picture_and_leads_to_its_page(home: Page, server_url: str) -> None:
    for name in PAGES:
        card = home.locator(f"[data-card={name}]")
        card.scroll_into_view_if_needed()
        canvas = card.locator("canvas")
        expect(canvas).to_have_attribute("data-drawn", "")
        assert canvas.evaluate(COLOURS) > 10
        assert card.get_attribute("href") == f"{name}.html"
        assert home.request.get(f"{server_url}{name}.html").ok


def test_every_surface_is_drawn_and_opens_in_quadratic(home: Page) -> None:
    cards = home.locator(".surfaces a")
    expect(cards).to_have_count(15)
    for card in cards.all():
        card.scroll_into_view_if_needed()
        expect(card.locator("canvas")).to_have_attribute("data-drawn", "")
    cards.filter(has_text="Ripples").click()
    expect(home.locator("#formula")).to_have_value("cos(k hypot(x, y)) / (1 + hypot(x, y))")
    expect(home.locator("data[data-entry=f]")).not_to_be_empty()


@pytest.mark.parametrize("width", [1280, NARROW["width"]])
def test_nothing_in_a_picture_of_a_surface_a_loss_or_a_table_is_cut_off(home: Page, width: int) -> None:
    home.set_viewport_size({"width": width, "height": 800})
    home.evaluate(NEXT_FRAME)
    cards = [home.locator(f"[data-card={name}]") for name in ("quadratic", "regression", "billiards")]
    for card in (*cards, *home.locator(".surfaces a").all()):
        card.scroll_into_view_if_needed()
        canvas = card.locator("canvas")
        expect(canvas).to_have_attribute("data-drawn", "")
        assert canvas.evaluate(AT_THE_BORDER) == 0, card.text_content()


def test_the_tapes_picture_writes_rows_as_the_tape_page_does(home: Page) -> None:
    written = home.evaluate(
        """async () => {
          const { operationText, rowText } = await import("./js/pages/tape/operation.js");
          const on = (node) => ({ node });
          const nodes = [
            { name: "x", op: "input", operands: [] },
            { name: "v1", op: "powi", operands: [on(0)], power: 2 },
            { name: "v12", op: "mul", operands: [on(1), on(0)] },
          ];
          return [operationText(nodes, 1), operationText(nodes, 2), rowText("v12")];
        }"""
    )
    assert written == ["x^2", "v₁ · x", "v₁₂"]


def test_an_old_link_with_a_formula_still_opens_it(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}#v=1&preset=saddle")
    expect(page).to_have_url(re.compile(r"quadratic\.html"))
    expect(page.locator("#formula")).to_have_value("x^2 - y^2")


def test_another_theme_redraws_the_pictures(home: Page) -> None:
    home.locator("[data-card=tape]").scroll_into_view_if_needed()
    canvas = home.locator("[data-card=tape] canvas")
    expect(canvas).to_have_attribute("data-drawn", "")
    before = canvas.evaluate("(canvas) => canvas.toDataURL()")
    for _ in range(2):
        home.locator("header .theme").click()
    assert canvas.evaluate("(canvas) => canvas.toDataURL()") != before
    home.locator("header .theme").click()  # the system's theme again


def test_nothing_is_wider_than_a_narrow_screen(home: Page) -> None:
    home.set_viewport_size(NARROW)
    assert home.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]
    expect(home.get_by_role("link", name="The mathematics")).to_be_visible()
    expect(home.get_by_role("link", name="This page’s source")).to_be_visible()
