"""The page "Quadratic" in a real browser: what a person does, and the numbers that must follow."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import open_link
from e2e.visitor import NARROW, NEXT_FRAME, PYTHON_TIMEOUT_MS, centre, with_python

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

ENTRIES = ("f", "fx", "fy", "fxx", "fxy", "fyy")
COMPILED_HERE = re.compile("compiled here")
"""Waits until what was asked for is drawn, so that all numbers are of one frame."""
LINK_BEFORE_ITS_EVENT = """() => {
  setTimeout(() => { location.hash = "v=1&preset=saddle&at=0.25,1"; }, 300);
  const field = document.querySelector("[name=x]");
  field.value = "1.25";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const begin = performance.now();
  while (performance.now() - begin < 350);
}"""
"""Another link is opened; before the page hears of it, it is due to write that of a change."""
AT_THE_LEFT = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, 1, canvas.height);
  return data.filter((part, k) => k % 4 === 3 && part > 0).length;
}"""
"""How many pixels of the picture's left border are painted: a number that is cut off reaches it."""


@pytest.fixture
def quadratic(page: Page, server_url: str) -> Page:
    """The page as soon as its picture can be dragged."""
    page.goto(f"{server_url}quadratic.html")
    expect(entry(page, "f")).not_to_be_empty()
    return page


@pytest.fixture
def editable(quadratic: Page) -> Page:
    """The page with Python ready."""
    return with_python(quadratic)


def entry(page: Page, name: str) -> Locator:
    """The number of one row of the table."""
    return page.locator(f"data[data-entry={name}]")


def shown(page: Page) -> dict[str, float]:
    """Value, gradient and Hessian with all their digits."""
    page.evaluate(NEXT_FRAME)
    return {name: float(entry(page, name).get_attribute("value") or "nan") for name in ENTRIES}


def point(page: Page) -> tuple[float, float]:
    """Where the point is, as the fields say."""
    x, y = (page.locator(f"[name={name}]").input_value().replace("\u2212", "-") for name in "xy")
    return float(x), float(y)


def expect_point(page: Page, x: float, y: float) -> None:
    """The fields say so, from the next frame on."""
    expect(page.locator("[name=x]")).to_have_value(f"{x:g}")
    expect(page.locator("[name=y]")).to_have_value(f"{y:g}")


def place(page: Page, x: float, y: float) -> None:
    """Type the point's coordinates."""
    page.locator("[name=x]").fill(str(x))
    page.locator("[name=y]").fill(str(y))
    expect(page.locator("[name=y]")).to_have_value(str(y))


def power(x: float, y: float) -> dict[str, float]:
    """x^y and its derivatives, by hand."""
    f, log = x**y, math.log(x)
    return {
        "f": f,
        "fx": y * f / x,
        "fy": f * log,
        "fxx": y * (y - 1) * f / x**2,
        "fxy": f / x * (1 + y * log),
        "fyy": f * log**2,
    }


def sine_times_square(x: float, y: float) -> dict[str, float]:
    """sin(x) y² and its derivatives, by hand."""
    return {
        "f": math.sin(x) * y**2,
        "fx": math.cos(x) * y**2,
        "fy": 2 * math.sin(x) * y,
        "fxx": -math.sin(x) * y**2,
        "fxy": 2 * math.cos(x) * y,
        "fyy": 2 * math.sin(x),
    }


def test_the_default_point_shows_the_derivatives_of_a_power(quadratic: Page) -> None:
    expect_point(quadratic, 2, 3)
    assert shown(quadratic) == pytest.approx(power(2, 3))
    expect(entry(quadratic, "fxy")).to_have_text("12.318")


def test_the_mouse_drags_the_point_and_the_numbers_follow(quadratic: Page) -> None:
    start = centre(quadratic.locator(".handle"))
    quadratic.mouse.move(*start)
    quadratic.mouse.down()
    quadratic.mouse.move(start[0] - 60, start[1] + 30, steps=8)
    quadratic.mouse.up()
    expect(quadratic.locator("[name=x]")).not_to_have_value("2")
    assert shown(quadratic) == pytest.approx(power(*point(quadratic)))
    end = centre(quadratic.locator(".handle"))
    assert end == pytest.approx((start[0] - 60, start[1] + 30), abs=4)


def test_a_finger_drags_the_point(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}quadratic.html")
    expect(entry(page, "f")).not_to_be_empty()
    x, y = centre(page.locator(".handle"))
    touch = page.context.new_cdp_session(page)
    for kind, dx in (("touchStart", 0), ("touchMove", -20), ("touchMove", -50), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator("[name=x]")).not_to_have_value("2")
    assert shown(page) == pytest.approx(power(*point(page)))


def test_keys_move_the_point_with_shift_ten_times_and_alt_a_tenth(quadratic: Page) -> None:
    handle = quadratic.locator(".handle")
    handle.focus()
    x, y = point(quadratic)
    steps = []
    for keys in ("ArrowLeft", "Shift+ArrowLeft", "Alt+ArrowLeft"):
        quadratic.keyboard.press(keys)
        expect(quadratic.locator("[name=x]")).not_to_have_value(f"{x:g}")
        moved, _ = point(quadratic)
        steps.append(x - moved)
        x = moved
    assert steps[1] == pytest.approx(10 * steps[0])
    assert steps[2] == pytest.approx(steps[0] / 10)
    quadratic.keyboard.press("ArrowDown")
    expect(quadratic.locator("[name=y]")).not_to_have_value(f"{y:g}")
    assert shown(quadratic) == pytest.approx(power(*point(quadratic)))
    quadratic.keyboard.press("Home")
    expect(quadratic.locator("[name=x]")).to_have_value("2")
    expect_point(quadratic, 2, 3)


def test_a_field_that_is_left_before_the_next_frame_keeps_what_was_typed(quadratic: Page) -> None:
    seen = quadratic.evaluate(
        """async () => {
          const field = document.querySelector("[name=x]");
          field.focus();
          field.value = "1.25";
          field.dispatchEvent(new InputEvent("input", { bubbles: true }));
          field.blur();
          const left = field.value;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return [left, field.value];
        }"""
    )
    assert seen == ["1.25", "1.25"]
    field = quadratic.locator("[name=x]")
    field.fill("1.2.5")
    field.blur()
    expect(field).to_have_value("1.25")


def test_a_click_on_the_surface_places_the_point(quadratic: Page) -> None:
    x, y = centre(quadratic.locator(".handle"))
    quadratic.mouse.click(x - 80, y + 70)
    expect(quadratic.locator("[name=x]")).not_to_have_value("2")
    assert centre(quadratic.locator(".handle")) == pytest.approx((x - 80, y + 70), abs=4)


def test_dragging_the_paper_turns_the_view_and_leaves_the_point(quadratic: Page) -> None:
    before = centre(quadratic.locator(".handle"))
    canvas = quadratic.locator("canvas").bounding_box()
    assert canvas is not None
    quadratic.mouse.move(canvas["x"] + 60, canvas["y"] + 60)
    quadratic.mouse.down()
    quadratic.mouse.move(canvas["x"] + 160, canvas["y"] + 60, steps=5)
    quadratic.mouse.up()
    expect(quadratic).to_have_url(re.compile("view="))
    expect_point(quadratic, 2, 3)
    assert centre(quadratic.locator(".handle")) != pytest.approx(before, abs=4)


def test_looking_closer_keeps_the_point_and_narrows_the_region(quadratic: Page) -> None:
    quadratic.get_by_role("button", name="Look closer").click()
    expect(quadratic).to_have_url(re.compile(r"region=0\.4,"))
    expect_point(quadratic, 2, 3)


def test_a_typed_formula_gives_its_gradient_and_hessian(editable: Page) -> None:
    place(editable, 0.7, 1.3)
    editable.locator("#formula").fill("sin(x)*y^2")
    expect(editable.locator(".cost")).to_have_text(COMPILED_HERE)
    expect(editable.locator("main")).not_to_have_class(re.compile("is-stale"))
    assert shown(editable) == pytest.approx(sine_times_square(0.7, 1.3))
    expect(editable.locator(".formula-tex").first).to_contain_text("sin")


@pytest.mark.parametrize("width", [1280, NARROW["width"]])
def test_heights_of_many_digits_stay_within_the_picture(editable: Page, width: int) -> None:
    editable.set_viewport_size({"width": width, "height": 800})
    for formula in ("12345.678 x - 20000 y", "exp(300 x)"):
        editable.locator("#formula").fill(formula)
        expect(entry(editable, "f")).to_have_text(re.compile("^\u221235309$|^[0-9.]+e260$"))
        editable.evaluate(NEXT_FRAME)
        assert editable.locator(".picture canvas").evaluate(AT_THE_LEFT) == 0


def test_what_stands_below_a_sentence_of_one_line_stands_where_it_does_below_two(editable: Page) -> None:
    below = editable.locator(".eigenvalues")
    tops = []
    for formula, lines in (("x", 1), ("x y", 2)):
        editable.locator("#formula").fill(formula)
        expect(editable.locator(".kind")).to_contain_text("no curvature" if lines == 1 else "saddle-shaped")
        tops.append(below.evaluate("element => element.getBoundingClientRect().top"))
    assert tops[0] == tops[1]


def test_a_derivative_too_long_to_be_shown_says_so(editable: Page) -> None:
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


def test_what_is_typed_before_python_is_ready_compiles_when_it_is(quadratic: Page) -> None:
    quadratic.locator("#formula").fill("x^2 + 3y")
    expect(quadratic.locator(".cost")).to_have_text(COMPILED_HERE, timeout=PYTHON_TIMEOUT_MS)
    assert shown(quadratic) == pytest.approx({"f": 13, "fx": 4, "fy": 3, "fxx": 2, "fxy": 0, "fyy": 0})


def test_a_shared_link_brings_formula_point_and_view_back(editable: Page) -> None:
    editable.locator("#formula").fill("sin(x)*y^2")
    expect(editable.locator(".cost")).to_have_text(COMPILED_HERE)
    place(editable, 0.7, 1.3)
    expect(editable).to_have_url(re.compile(r"at=0\.7,1\.3"))
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
        ("v=1&preset=nowhere", "does not have"),
        ("v=1&preset=saddle&at=1,NaN", "number"),
        ("v=1&preset=saddle&region=0,0,0,1", "region"),
        ("v=1&preset=saddle&f=%00", "formula"),
        ("v=1&preset=saddle&f=" + "x" * 2001, "formula"),
        ("v=1&preset=saddle&f=%E0%A4%A", "damaged"),
        ("<script>alert(1)</script>", "damaged"),
        ("x" * 9000, "too long"),
    ],
)
def test_a_hostile_link_is_refused_with_a_sentence(
    tab: Page, server_url: str, fragment: str, reason: str
) -> None:
    open_link(tab, f"{server_url}quadratic.html#{fragment}")
    expect(tab.locator(".notice")).to_contain_text(reason)
    expect_point(tab, 2, 3)


def test_a_link_opened_just_after_a_change_is_not_overwritten_by_it(quadratic: Page) -> None:
    place(quadratic, 1.5, 3)
    quadratic.evaluate(LINK_BEFORE_ITS_EVENT)
    expect(quadratic.locator("#formula")).to_have_value("x^2 - y^2")
    expect_point(quadratic, 0.25, 1)
    expect(quadratic).to_have_url(re.compile(r"preset=saddle&at=0\.25,1"))


def test_a_link_copied_beside_a_mistake_says_that_it_holds_the_last_good_formula(editable: Page) -> None:
    editable.context.grant_permissions(["clipboard-read", "clipboard-write"])
    editable.locator("#formula").fill("x^y +")
    expect(editable.locator("#formula")).to_have_attribute("aria-invalid", "true")
    editable.get_by_role("button", name="Copy link").click()
    said = "for \u201cx^y\u201d: what is typed has not compiled."
    expect(editable.locator(".notice")).to_have_text(f"Link copied, {said}")
    copied: str = editable.evaluate("() => navigator.clipboard.readText()")
    assert "preset=power" in copied
    assert "f=" not in copied
    with editable.expect_download():
        editable.get_by_role("button", name="Export code").click()
    expect(editable.locator(".notice")).to_contain_text(said)


def test_a_link_from_before_there_was_a_home_page_still_opens_its_formula(
    page: Page, server_url: str
) -> None:
    page.goto(f"{server_url}#v=1&preset=saddle&at=0.25,1")
    expect(page).to_have_url(re.compile(r"/quadratic\.html#v=1&preset=saddle"))
    expect(page.locator("#formula")).to_have_value("x^2 - y^2")
    expect_point(page, 0.25, 1)


def test_the_way_to_the_mathematics_is_not_taken_for_a_shared_link(quadratic: Page) -> None:
    place(quadratic, 1.5, 3)
    expect(quadratic).to_have_url(re.compile(r"at=1\.5,3"))
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


def test_a_slider_changes_its_parameter_and_takes_typing(quadratic: Page) -> None:
    quadratic.locator("[name=preset]").select_option("quadratic-form")
    quadratic.get_by_role("textbox", name="parameter a").fill("2")
    expect(entry(quadratic, "fxx")).to_have_text("4")
    expect(quadratic.locator(".kind")).to_contain_text("A minimum")
    quadratic.get_by_role("slider", name="parameter a").press("ArrowLeft")
    expect(entry(quadratic, "fxx")).to_have_text("3.9")
    quadratic.get_by_role("textbox", name="parameter a").fill("-1")
    expect(quadratic.locator(".kind")).to_contain_text("A saddle point")


def test_every_example_draws_and_has_finite_numbers_at_its_start(quadratic: Page) -> None:
    examples = quadratic.locator("[name=preset] option")
    assert examples.count() >= 10
    for option in examples.all():
        quadratic.locator("[name=preset]").select_option(option.get_attribute("value"))
        expect(quadratic.locator("#formula-note")).not_to_have_text("")
        assert all(math.isfinite(value) for value in shown(quadratic).values())


def test_the_theme_follows_the_system_and_can_be_chosen(editable: Page) -> None:
    editable.emulate_media(color_scheme="dark")
    body = editable.locator("body")
    expect(body).to_have_css("background-color", "rgb(23, 21, 19)")
    theme = editable.get_by_role("button", name="Theme")
    theme.click()
    expect(theme).to_have_text("Theme: light")
    expect(body).to_have_css("background-color", "rgb(251, 248, 243)")
    editable.reload()
    expect(body).to_have_css("background-color", "rgb(251, 248, 243)")


def test_a_narrow_page_does_not_scroll_sideways(page: Page, server_url: str) -> None:
    page.set_viewport_size(NARROW)
    page.goto(f"{server_url}quadratic.html")
    expect(entry(page, "f")).not_to_be_empty()
    expect(page.locator(".katex").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


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


SILENT_WORKER = """self.onmessage = ({ data }) => {
  self.postMessage(data.manifest === undefined ? { kind: "begun", id: data.id } : { kind: "ready" });
};"""
WORKER_HEADERS = {"Content-Type": "text/javascript", "Cross-Origin-Embedder-Policy": "require-corp"}


def test_a_compile_that_takes_too_long_is_stopped_and_the_worker_replaced(
    page: Page, server_url: str
) -> None:
    starts: list[str] = []

    def serve(route: Route) -> None:
        starts.append(route.request.url)
        route.fulfill(body=SILENT_WORKER, headers=WORKER_HEADERS)

    page.route("**/worker.js", serve)
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    page.locator("#formula").fill("x + y")
    expect(page.locator("#formula-note")).to_contain_text("more than 2 seconds")
    expect(page.locator("main")).to_have_attribute("data-python", "ready")
    assert len(starts) in {2, 3}  # the badge's question may have come first, and have been as slow
    expect_point(page, 2, 3)
    expect(page.locator("#formula")).to_have_value("x + y")
