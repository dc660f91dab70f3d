"""The page Diagrams in a real browser: a visitor drags shapes, and the relations still hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from e2e.lending import developer_tools
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, centre, field, number, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

AFTER_EDIT_MS = 1500
"""A program that has run once runs again 600 ms after an edit."""
VIOLATED = 1e-3
NEAR_PX = 2.0
DOMAIN = "type Set\npredicate In(Set a, Set b)\n"
SUBSTANCE = "Set Pets, Cats\nIn(Cats, Pets)\nAutoLabel All\n"
STYLE = """
canvas {
  width = 600
  height = 400
}
forall Set x {
  x.icon = Circle { strokeWidth : 1 }
  x.text = Equation {
    center : (x.icon.center[0], x.icon.center[1] + x.icon.r + 9)
    string : x.label
    fontSize : "14px"
  }
  ensure x.icon.r > 15
  ensure x.icon.r < 70
}
forall Set x; Set y {
  ensure disjoint(x.text, y.text)
}
forall Set x; Set y where In(x, y) {
  ensure contains(y.icon, x.icon, 10)
  ensure contains(y.icon, x.text, 2)
  layer x.icon above y.icon
  layer x.text above x.icon
}
"""
SHAPES = "() => document.querySelectorAll('.place .shape').length"
PLACES = """() => [...document.querySelectorAll(".grip")].map((grip) => {
  const { x, y, width, height } = grip.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
IS_NEAR = """([name, [x, y], most]) => {
  const grip = document.querySelector(`.grip[aria-label^="${name},"]`);
  const { left, top, width, height } = grip.getBoundingClientRect();
  return Math.hypot(left + width / 2 - x, top + height / 2 - y) <= most;
}"""
CORNER = """(centres) => {
  const isAt = (box) => ([x, y]) => Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 1;
  const halos = [...document.querySelectorAll(".place .is-circle .halo")];
  const boxes = halos.map((halo) => halo.getBoundingClientRect()).filter((box) => centres.some(isAt(box)));
  const all = (side) => boxes.map((box) => box[side]);
  const ends = (low, high) => [Math.min(...all(low)) - 4, Math.max(...all(high)) + 4];
  const corners = ends("left", "right").flatMap((x) => ends("top", "bottom").map((y) => [x, y]));
  const shapeOf = (element) => element.closest(".shape") ?? [];
  const reached = ([x, y]) => document.elementsFromPoint(x, y).flatMap(shapeOf);
  return corners.find((corner) => reached(corner).every((one) => one.parentNode.firstChild === one));
}"""
"""A function that takes the centres of circles, and finds a corner of the box around the circles.

If a shape lies at this corner, it is the lowest shape.
"""


@pytest.fixture
def diagrams(page: Page, server_url: str) -> Page:
    """Open the page, and wait until its first diagram is laid out."""
    page.goto(f"{server_url}diagrams.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    expect(page.locator(".outcome")).to_have_text(re.compile(r"All \d+ relations hold\."))
    return page


def shape(page: Page, name: str) -> Locator:
    """The handle of a shape."""
    return page.locator(f".grip[aria-label^='{name},']")


def pull(page: Page, name: str, dx: float, dy: float) -> tuple[float, float]:
    """Drag a shape by (dx, dy) pixels, and keep the button pressed. Return the pointer's position."""
    x, y = centre(shape(page, name))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=12)
    page.evaluate(NEXT_FRAME)
    return x + dx, y + dy


def arrives(page: Page, name: str, at: tuple[float, float], within: float = NEAR_PX) -> None:
    """Wait until a shape is near a position. The layout may need several frames."""
    page.wait_for_function(IS_NEAR, arg=[name, at, within])


def let_go(page: Page, pinned: str = "") -> None:
    """End a drag. Wait until the diagram is at rest and the address contains `pin=` and the shape's name."""
    page.mouse.up()
    page.wait_for_url(f"**&pin={quote(pinned)}*")


def all_hold(page: Page) -> None:
    """Wait until every relation holds."""
    expect(page.locator(".outcome")).to_have_text(re.compile("All .* relations hold"))
    assert number(page, "data.missed") <= VIOLATED


@pytest.mark.without_python
def test_a_dragged_label_takes_its_set_along_and_every_relation_holds(diagrams: Page) -> None:
    before = centre(shape(diagrams, "Cats"))
    start = diagrams.evaluate(PLACES)
    to = pull(diagrams, "label Cats", 150, -60)
    arrives(diagrams, "label Cats", to)
    let_go(diagrams, "label Cats")
    all_hold(diagrams)
    arrives(diagrams, "label Cats", to)
    after = centre(shape(diagrams, "Cats"))
    assert after[0] - before[0] > 50  # the circle follows its label
    link = diagrams.url

    diagrams.get_by_role("button", name="Let go of label Cats").click()
    expect(diagrams.locator(".pin")).to_be_hidden()
    all_hold(diagrams)
    diagrams.locator(".undo").click()
    expect(diagrams.locator(".pin")).to_be_visible()
    diagrams.locator(".undo").click()
    expect(diagrams.locator(".pin")).to_be_hidden()
    diagrams.evaluate(NEXT_FRAME)
    assert diagrams.evaluate(PLACES) == [pytest.approx(place, abs=0.2) for place in start]
    diagrams.locator(".redo").click()
    diagrams.wait_for_url(re.compile("pin=label%20Cats"))
    link = diagrams.url
    diagrams.goto("about:blank")
    diagrams.goto(link)
    expect(diagrams.locator(".pin")).to_be_visible()
    assert centre(shape(diagrams, "label Cats")) == pytest.approx(to, abs=NEAR_PX)
    all_hold(diagrams)


@pytest.mark.without_python
def test_keys_move_a_shape_and_a_screen_reader_hears_of_it(diagrams: Page) -> None:
    dogs = shape(diagrams, "Dogs")
    expect(dogs).to_have_attribute("aria-label", re.compile("Dogs, circle, at x .* Inside Mammals"))
    x, y = centre(dogs)
    dogs.focus()
    diagrams.keyboard.press("Shift+ArrowLeft")
    diagrams.wait_for_url("**pin=Dogs&**")
    assert centre(shape(diagrams, "Dogs")) == (pytest.approx(x - 57, abs=20), pytest.approx(y, abs=NEAR_PX))
    all_hold(diagrams)
    expect(diagrams.locator(".live")).to_have_text(re.compile("^Dogs, circle, at x .* All relations hold"))
    diagrams.keyboard.press("Delete")
    expect(diagrams.locator(".pin")).to_be_hidden()


def test_a_diagram_of_the_gallery_is_compiled_and_laid_out_in_the_page(diagrams: Page) -> None:
    with_python(diagrams)
    diagrams.locator(".card[data-id=free_body]").click()
    expect(field(diagrams, "diagram")).to_have_value("free_body")
    expect(diagrams.locator(".cost")).to_contain_text("compiled here in")
    assert diagrams.evaluate(SHAPES) == 5
    all_hold(diagrams)
    diagrams.locator(".terms li", has_text="touching(block, slope)").hover()
    expect(diagrams.locator(".shape.is-lit")).to_have_count(2)
    diagrams.locator(".program summary").click()
    diagrams.locator(".program .cm-line").nth(9).hover()
    expect(diagrams.locator(".shape.is-lit")).to_have_count(1)
    expect(diagrams.locator(".terms .is-lit", has_text="in_canvas(block)")).to_have_count(1)
    diagrams.locator(".vary").click()
    expect(diagrams.locator(".variations .card")).to_have_count(12, timeout=PYTHON_TIMEOUT_MS)
    diagrams.evaluate("scrollTo(0, 0)")
    # The relations keep the block on the slope, so it does not follow the pointer to the end.
    pull(diagrams, "block", 100, -40)
    let_go(diagrams)
    all_hold(diagrams)
    before = diagrams.evaluate(PLACES)
    diagrams.locator(".variations .card").nth(3).click()
    expect(diagrams.locator(".pin")).to_be_hidden()
    all_hold(diagrams)
    assert diagrams.evaluate(PLACES) != before


def test_a_changed_program_keeps_the_layout_of_everything_else(diagrams: Page) -> None:
    with_python(diagrams)
    before = {name: centre(shape(diagrams, name)) for name in ("Cats", "Dogs", "Birds")}
    diagrams.locator(".program summary").click()
    editor = diagrams.locator(".program .cm-content")
    editor.click()
    diagrams.keyboard.press("ControlOrMeta+End")
    diagrams.keyboard.insert_text('fish = d.circle(name="Fish", r=9)\nd.ensure(dg.disjoint(fish, 7))')
    expect(diagrams.locator(".trouble")).to_contain_text("dg.disjoint needs a shape or a point")
    expect(diagrams.locator(".trouble")).to_contain_text("Line 23")
    for _ in range(len("7))")):
        diagrams.keyboard.press("Backspace")
    diagrams.keyboard.insert_text('sets["Birds"]))\nd.group(fish, sets["Birds"], name="Shoal")')
    expect(shape(diagrams, "Shoal")).to_be_attached()
    all_hold(diagrams)
    diagrams.evaluate("scrollTo(0, 0)")  # the editor had scrolled the page
    after = {name: centre(shape(diagrams, name)) for name in before}
    assert after == {name: pytest.approx(place, abs=1.0) for name, place in before.items()}
    expect(diagrams).to_have_url(re.compile("program=.*Fish.*Birds"))
    link = diagrams.url
    members = [centre(shape(diagrams, name)) for name in ("Fish", "Birds")]
    x, y = diagrams.evaluate(CORNER, members)  # The corner is outside the circles, so the whole group moves.
    diagrams.mouse.move(x, y)
    expect(diagrams.locator(".shape.is-near")).to_have_count(2)
    diagrams.mouse.down()
    diagrams.mouse.move(x - 10, y - 12, steps=5)
    diagrams.mouse.up()
    diagrams.evaluate(NEXT_FRAME)
    all_hold(diagrams)
    expect(diagrams.get_by_role("button", name="Let go of Shoal")).to_be_visible()
    assert [centre(shape(diagrams, name)) for name in ("Fish", "Birds")] != members
    diagrams.locator(".undo").click()
    diagrams.locator(".undo").click()
    expect(shape(diagrams, "Fish")).to_have_count(0)
    diagrams.goto("about:blank")
    diagrams.goto(link)
    with_python(diagrams)
    expect(diagrams.locator(".trouble")).to_contain_text("Press Run")
    expect(shape(diagrams, "Fish")).to_have_count(0)  # a link's program does not run by itself
    diagrams.locator(".program .run").click()
    expect(shape(diagrams, "Fish")).to_be_attached()


LEAVES = """
import eglantine.diagrams as dg, builtins
builtins.left = "Left"
d = dg.Diagram(200, 200)
d.circle(name="First", r=9)
"""
FINDS = """
import eglantine.diagrams as dg, builtins
d = dg.Diagram(200, 200)
d.circle(name=getattr(builtins, "left", "Clean"), r=9)
"""


def test_a_program_of_a_link_waits_for_run_and_starts_in_a_clean_python(
    diagrams: Page, server_url: str
) -> None:
    for program, name in ((LEAVES, "First"), (FINDS, "Clean")):
        diagrams.goto(f"{server_url}diagrams.html#v=1&diagram=euler_sets&program={quote(program)}")
        with_python(diagrams)
        expect(diagrams.locator(".trouble")).to_contain_text("Press Run")
        diagrams.locator(".program .cm-content").click()
        diagrams.keyboard.press("ControlOrMeta+End")
        diagrams.keyboard.press("Enter")
        diagrams.wait_for_timeout(AFTER_EDIT_MS)
        expect(diagrams.locator(".trouble")).to_contain_text("Press Run")  # an edit does not run it
        diagrams.locator(".program .run").click()
        expect(shape(diagrams, name)).to_be_attached()


@pytest.mark.without_python
def test_the_mark_of_a_held_shape_moves_with_the_shape(diagrams: Page) -> None:
    to = pull(diagrams, "label Cats", 60, -30)
    arrives(diagrams, "label Cats", to)
    held = diagrams.locator(".place .shape.is-held")
    for part in (".halo", "text"):
        assert centre(held.locator(part)) == pytest.approx(to, abs=4.0)
    diagrams.mouse.up()


@pytest.mark.without_python
def test_a_finger_drags_a_label_on_a_phone(diagrams: Page) -> None:
    diagrams.set_viewport_size({"width": 390, "height": 844})
    diagrams.evaluate(NEXT_FRAME)
    before = centre(shape(diagrams, "Cats"))
    x, y = centre(shape(diagrams, "label Cats"))
    touch = developer_tools(diagrams)
    for kind, dx in (
        ("touchStart", 0),
        ("touchMove", 15),
        ("touchMove", 40),
        ("touchMove", 60),
        ("touchEnd", None),
    ):
        points = [] if dx is None else [{"x": x + dx, "y": y - dx / 2}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    diagrams.wait_for_url("**pin=label%20Cats&**")
    all_hold(diagrams)
    arrives(diagrams, "label Cats", (x + 60, y - 30))
    assert centre(shape(diagrams, "Cats"))[0] > before[0] + 20  # The circle follows its label.
    assert diagrams.evaluate("scrollY") == 0  # The page does not scroll during the drag.


@pytest.mark.without_python
def test_dragging_a_radius_does_not_move_the_middle(diagrams: Page) -> None:
    x, y = centre(shape(diagrams, "Dogs"))
    diagrams.mouse.move(x, y + 12)
    handle = shape(diagrams, "Dogs: radius")
    expect(handle).to_have_class(re.compile("is-part"))
    to = pull(diagrams, "Dogs: radius", 30, 0)
    let_go(diagrams, "Dogs")
    all_hold(diagrams)
    arrives(diagrams, "Dogs: radius", to)
    arrives(diagrams, "Dogs", (x, y))


def lay_out(page: Page, **programs: str) -> None:
    """Type the three programs of a Penrose diagram, and click the button that lays it out."""
    for name, text in programs.items():
        page.locator(f".trio [name={name}]").fill(text)
    page.locator(".trio-run").click()


def test_a_pasted_trio_is_laid_out_and_its_computed_label_is_dragged(diagrams: Page) -> None:
    with_python(diagrams)
    diagrams.locator(".trio summary").click()
    expect(field(diagrams, "trio")).to_have_value("sets")
    lay_out(diagrams, domain="type Set\npredicate In(Set a Set b)")
    expect(diagrams.locator(".trio-said")).to_contain_text("line 2")
    expect(field(diagrams, "trio")).to_have_value("")

    lay_out(diagrams, substance="Set " + ", ".join(f"s{k}" for k in range(200)), domain=DOMAIN, style=STYLE)
    diagrams.locator(".trio-stop").click()
    expect(diagrams.locator(".trio-said")).to_contain_text("Stopped")

    lay_out(diagrams, substance=SUBSTANCE)
    compared = diagrams.locator(".trio-compared tbody")
    expect(compared).to_be_visible(timeout=PYTHON_TIMEOUT_MS)
    expect(compared.locator("tr", has_text="Shapes you can drag").locator("td")).to_have_text(
        ["2 of 4", "4 of 4"]
    )
    [theirs, ours] = compared.locator("tr", has_text="Worst missed").locator("td").all_inner_texts()
    assert float(theirs.replace("−", "-")) <= VIOLATED
    assert float(ours.replace("−", "-")) <= VIOLATED
    all_hold(diagrams)
    expect(diagrams.locator(".terms li").first).to_contain_text("line ")

    diagrams.evaluate("scrollTo(0, 0)")
    before = centre(shape(diagrams, "Cats.icon"))
    to = pull(diagrams, "Cats.text", 60, 0)
    arrives(diagrams, "Cats.text", to)
    diagrams.mouse.up()
    all_hold(diagrams)
    arrives(diagrams, "Cats.icon", (before[0] + 60, before[1]), within=20)

    diagrams.wait_for_url(re.compile("substance=.*style="))
    link = diagrams.url
    diagrams.goto("about:blank")
    diagrams.goto(link)
    expect(diagrams.locator(".trio-said")).to_contain_text("This link contains Penrose programs")
    expect(field(diagrams, "substance")).to_have_value(SUBSTANCE)
    expect(shape(diagrams, "Cats.text")).to_have_count(0)  # a link's programs do not run by themselves
