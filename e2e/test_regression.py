"""The page Regression in a real browser: a visitor moves points, and descent fits a line to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.simulations.regression import ANSCOMBE
from e2e.conftest import open_link
from e2e.lending import developer_tools
from e2e.shared_pages import lent, restored_page
from e2e.visitor import NEXT_FRAME, centre, drag, field, grip, number

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESCENT_TIMEOUT_MS = 30_000
PIXELS = "(name) => document.querySelector(name + ' canvas').toDataURL()"
LINK = "v=1&set=I&points=2,3,10,5,18,12&line=0.4,2&loss=huber&threshold=0.5&centred=0&by=adam&rate=0.1"


shared = restored_page("regression", "module")
regression = lent("shared")
"""The page in its first state."""


def typed(page: Page, name: str) -> float:
    """The number in a field."""
    page.evaluate(NEXT_FRAME)
    return float(field(page, name).input_value().replace("\u2212", "-"))


def pixels(page: Page, plot: str) -> str:
    """Return the picture of a plot as a string, which changes if any pixel changes."""
    page.evaluate(NEXT_FRAME)
    return str(page.evaluate(PIXELS, f".{plot}"))


def fast(page: Page) -> None:
    """Make the descent fast."""
    field(page, "optimiser").select_option("adam")
    field(page, "speed").select_option("2000")


def test_at_rest_the_page_says_what_to_try(regression: Page) -> None:
    expect(regression.locator(".outcome")).to_have_text("Press Descend, or drag a point.")


def test_the_line_descends_to_the_least_squares_line(regression: Page) -> None:
    fast(regression)
    before = number(regression, "data.loss")
    regression.locator(".descend").click()
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    assert number(regression, "data.loss") < before / 20
    assert typed(regression, "line-0") == pytest.approx(number(regression, "data.exact-0"), abs=2e-3)
    assert typed(regression, "line-1") == pytest.approx(number(regression, "data.exact-1"), abs=2e-2)
    assert number(regression, "data.exact-0") == pytest.approx(0.5001, abs=1e-4)
    assert number(regression, "data.exact-1") == pytest.approx(3.0001, abs=1e-4)


def test_the_gradient_agrees_with_differences_of_the_loss(regression: Page) -> None:
    field(regression, "follow").uncheck()
    for loss in ("squared", "huber"):
        field(regression, "loss").select_option(loss)
        losses = []
        for slope in ("0.3", "0.301", "0.299"):
            field(regression, "line-0").fill(slope)
            losses.append(number(regression, "data.loss"))
            if slope == "0.3":
                by_slope = number(regression, "data.by-0")
        assert by_slope == pytest.approx((losses[1] - losses[2]) / 0.002, rel=1e-3)


def test_dragging_a_point_moves_the_loss_surface_while_it_is_dragged(regression: Page) -> None:
    field(regression, "follow").uncheck()
    before = pixels(regression, "surface")
    x, y = centre(grip(regression, "10"))
    regression.mouse.move(x, y)
    regression.mouse.down()
    regression.mouse.move(x, y - 100, steps=4)
    during = pixels(regression, "surface")
    regression.mouse.up()
    assert during != before
    assert number(regression, "data.exact-0") != pytest.approx(0.5001, abs=1e-3)


def test_the_line_follows_a_point_that_is_dragged(regression: Page) -> None:
    fast(regression)
    drag(regression, "10", 0, -120)
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    assert typed(regression, "line-1") == pytest.approx(number(regression, "data.exact-1"), abs=2e-2)
    drag(regression, "10", 0, 60)
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    assert typed(regression, "line-1") == pytest.approx(number(regression, "data.exact-1"), abs=2e-2)


def test_the_start_of_the_descent_is_dragged_over_the_surface(regression: Page) -> None:
    drag(regression, "line", -60, -50)
    assert typed(regression, "line-0") < -0.1
    assert typed(regression, "line-1") > 1.5
    slope, intercept = typed(regression, "line-0"), typed(regression, "line-1")
    by = (number(regression, "data.by-0"), number(regression, "data.by-1"))
    regression.locator(".once").click()
    expect(regression.locator("data.iteration")).to_have_text("1")
    assert typed(regression, "line-0") == pytest.approx(slope - 0.008 * by[0], rel=1e-3)
    assert typed(regression, "line-1") == pytest.approx(intercept - 0.008 * by[1], rel=1e-3)


@pytest.mark.parametrize("name", sorted(ANSCOMBE))
def test_each_of_anscombes_sets_has_the_same_line(regression: Page, name: str) -> None:
    field(regression, "follow").uncheck()
    field(regression, "set").select_option(name)
    expect(regression.locator(".scatter .grip")).to_have_count(11)
    assert number(regression, "data.exact-0") == pytest.approx(0.5, abs=2e-3)
    assert number(regression, "data.exact-1") == pytest.approx(3.0, abs=1e-2)


def test_adding_and_removing_points_can_be_undone(regression: Page) -> None:
    field(regression, "follow").uncheck()
    box = regression.locator(".scatter").bounding_box()
    assert box is not None
    regression.mouse.dblclick(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.7)
    expect(regression.locator(".scatter .grip")).to_have_count(12)
    regression.locator(".add").click()
    expect(regression.locator(".scatter .grip")).to_have_count(13)
    regression.locator("[data-grip='12']").focus()
    regression.keyboard.press("Delete")
    expect(regression.locator(".scatter .grip")).to_have_count(12)
    regression.locator(".remove").click()
    expect(regression.locator(".scatter .grip")).to_have_count(11)
    for count in (12, 13, 12, 11):
        regression.locator(".undo").click()
        expect(regression.locator(".scatter .grip")).to_have_count(count)
    assert number(regression, "data.exact-0") == pytest.approx(0.5001, abs=1e-4)


def test_a_descent_is_undone_at_once(regression: Page) -> None:
    fast(regression)
    regression.locator(".descend").click()
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    regression.keyboard.press("Control+z")
    assert (typed(regression, "line-0"), typed(regression, "line-1")) == (0, 1)
    regression.keyboard.press("Control+y")
    assert typed(regression, "line-0") == pytest.approx(0.5, abs=1e-2)


def test_measuring_x_from_its_mean_keeps_the_line_and_shortens_the_descent(regression: Page) -> None:
    field(regression, "follow").uncheck()
    field(regression, "line-0").fill("0.25")
    loss = number(regression, "data.loss")
    field(regression, "centred").check()
    assert number(regression, "data.loss") == pytest.approx(loss, rel=1e-12)
    assert typed(regression, "line-1") == pytest.approx(1 + 0.25 * 9)
    expect(regression.locator(".intercept-name")).to_have_text("height at x = 9")
    regression.locator(".descend").click()
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    assert number(regression, "data.iteration") < 300


def test_a_step_that_is_too_large_diverges_with_advice_from_the_page(regression: Page) -> None:
    field(regression, "rate").fill("0.02")
    field(regression, "speed").select_option("2000")
    below = regression.locator(".numbers").bounding_box()
    regression.locator(".descend").click()
    expect(regression.locator(".outcome")).to_contain_text("Diverged", timeout=DESCENT_TIMEOUT_MS)
    assert regression.locator(".numbers").bounding_box() == below, "the panel jumped"
    remedy = regression.get_by_role("button", name="Half the step size")
    remedy.click()
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    expect(field(regression, "rate")).to_have_value("0.01")


def test_with_hubers_loss_the_outlier_of_the_third_set_has_little_effect(regression: Page) -> None:
    fast(regression)
    field(regression, "follow").uncheck()  # so that nothing descends before the button is clicked
    field(regression, "set").select_option("III")
    field(regression, "loss").select_option("huber")
    field(regression, "threshold").fill("0.05")
    field(regression, "centred").check()
    regression.locator(".once").click()
    regression.locator(".descend").click()
    expect(regression.locator(".outcome")).to_contain_text("Converged", timeout=DESCENT_TIMEOUT_MS)
    assert typed(regression, "line-0") == pytest.approx(0.345, abs=0.01)


def test_adams_first_step_is_as_long_as_the_rate_after_another_method(regression: Page) -> None:
    field(regression, "optimiser").select_option("momentum")
    for _ in range(5):
        regression.locator(".once").click()
    expect(regression.locator("data.iteration")).to_have_text("5")
    field(regression, "optimiser").select_option("adam")
    slope, intercept = typed(regression, "line-0"), typed(regression, "line-1")
    regression.locator(".once").click()
    expect(regression.locator("data.iteration")).to_have_text("6")
    assert abs(typed(regression, "line-0") - slope) == pytest.approx(0.05, abs=1e-6)
    assert abs(typed(regression, "line-1") - intercept) == pytest.approx(0.05, abs=1e-6)


def test_keys_move_points_and_line(regression: Page) -> None:
    field(regression, "follow").uncheck()
    regression.locator("[data-grip='0']").focus()
    expect(field(regression, "chosen")).to_have_value("0")
    regression.keyboard.press("ArrowRight")
    regression.keyboard.press("Shift+ArrowUp")
    expect(field(regression, "point-0")).to_have_value("10.1")
    expect(field(regression, "point-1")).to_have_value("9.04")
    regression.locator("[data-grip='line']").focus()
    regression.keyboard.press("ArrowRight")
    regression.keyboard.press("ArrowUp")
    assert (typed(regression, "line-0"), typed(regression, "line-1")) == (0.01, 1.05)
    regression.keyboard.press("Home")
    assert (typed(regression, "line-0"), typed(regression, "line-1")) == (0, 1)
    label = regression.locator("[data-grip='0']").get_attribute("aria-label") or ""
    assert re.search(r"Point 1 of 11 at x 10\.1, y 9\.04", label)


def test_a_finger_drags_a_point(regression: Page) -> None:
    field(regression, "follow").uncheck()
    x, y = centre(grip(regression, "2"))
    touch = developer_tools(regression)
    for kind, dy in (("touchStart", 15), ("touchMove", 0), ("touchMove", -40), ("touchEnd", None)):
        points = [] if dy is None else [{"x": x, "y": y + dy}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    regression.evaluate(NEXT_FRAME)
    assert typed(regression, "point-1") > 8.5
    expect(field(regression, "chosen")).to_have_value("2")


def test_a_link_holds_points_line_and_method(regression: Page, server_url: str) -> None:
    regression.goto(f"{server_url}regression.html#{LINK}")
    regression.reload()
    expect(regression.locator(".scatter .grip")).to_have_count(3)
    assert (typed(regression, "line-0"), typed(regression, "line-1")) == (0.4, 2)
    expect(field(regression, "loss")).to_have_value("huber")
    expect(field(regression, "threshold")).to_have_value("0.5")
    expect(field(regression, "optimiser")).to_have_value("adam")
    expect(field(regression, "set")).to_have_value("own")
    field(regression, "line-0").fill("0.5")
    regression.wait_for_url("**/*line=0.5,2*")


@pytest.mark.parametrize(
    "change", ["line=0.4,2>line=1e9,2", "points=2,3,10,5,18,12>points=1", "by=adam>by=x"]
)
def test_a_link_that_is_not_ours_is_refused_with_a_sentence(
    regression: Page, server_url: str, change: str
) -> None:
    open_link(regression, f"{server_url}regression.html#{LINK.replace(*change.split('>'))}")
    expect(regression.locator(".notice")).to_contain_text("not used")
    expect(regression.locator(".scatter .grip")).to_have_count(11)


def test_the_page_needs_no_python(page: Page, server_url: str) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{server_url}regression.html")
    expect(page.locator("data.loss")).not_to_be_empty()
    page.wait_for_timeout(500)
    python = ("pyodide", "build/python", "build/stdlib", "/worker.js")
    assert not [url for url in requested if any(part in url for part in python)]


def test_pictures_and_points_are_saved_as_files(regression: Page) -> None:
    kept = {}
    for name in ("svg", "csv", "png"):
        with regression.expect_download() as download:
            regression.locator(f"button.{name}").click()
        kept[name] = download.value.path().read_bytes()
    assert kept["svg"].startswith(b"<svg")
    assert kept["svg"].count(b"<path") > 30
    assert kept["csv"].decode().splitlines()[0] == "x,y,residual"
    assert len(kept["csv"].decode().splitlines()) == 12
    assert kept["png"][:4] == b"\x89PNG"
