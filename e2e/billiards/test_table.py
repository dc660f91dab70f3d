"""Billiards in a real browser: a visitor changes tables and balls by mouse, touch and keys."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import eglantine as eg
from app.simulations.billiards import shot
from app.simulations.tables import DEFAULT, GOAL, TARGET, table_of
from e2e.billiards.conftest import pixels, place
from e2e.lending import developer_tools
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, centre, drag, field, grip, number, with_python
from tests.app.references import RACK
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.without_python

LONGER_THAN_KEYS_SETTLE_MS = 1200


@pytest.fixture
def let_python_come(page: Page) -> Callable[[], None]:
    """Keep Python from loading. Return a function that lets Python load."""
    held: list[Route] = []
    page.context.route("**/build/snapshot-*", lambda route: held.append(route))  # noqa: PLW0108  Playwright sets an attribute on it

    def let_come() -> None:
        end = time.monotonic() + PATIENCE_S
        while not held:
            assert time.monotonic() < end, "the page did not request Python"
            page.wait_for_timeout(20)
        held.pop().continue_()

    return let_come


def test_scrubbing_to_a_step_shows_the_same_picture_each_time(billiards: Page) -> None:
    moment = field(billiards, "moment")
    moment.fill("500")
    expect(billiards.locator(".clock")).to_contain_text("500/1024")
    first = pixels(billiards)
    moment.fill("900")
    assert pixels(billiards) != first
    billiards.get_by_role("button", name="One step back").click()
    expect(billiards.locator(".clock")).to_contain_text("899/1024")
    moment.fill("499")
    billiards.get_by_role("button", name="One step forward").click()
    assert pixels(billiards) == first


def test_the_player_runs_until_it_is_paused(billiards: Page) -> None:
    field(billiards, "speed").select_option("0.25")  # 12 s: even a busy machine sees it move
    billiards.keyboard.press("p")
    expect(billiards.locator(".play")).to_have_text("Pause")
    expect(field(billiards, "moment")).not_to_have_value("0")
    billiards.locator(".play").click()
    expect(billiards.locator(".play")).to_have_text("Play")
    field(billiards, "speed").select_option("4")
    field(billiards, "moment").fill("1000")
    billiards.locator(".play").click()
    expect(field(billiards, "moment")).to_have_value("1024")
    expect(billiards.locator(".play")).to_have_text("Play")


def test_keys_move_the_focused_handle_and_choose_and_remove_balls(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    grip(compiling, "goal").focus()
    compiling.keyboard.press("ArrowLeft")
    expect(field(compiling, "goal-x")).to_have_value("0.89")
    compiling.keyboard.press("Shift+ArrowDown")
    expect(field(compiling, "goal-y")).to_have_value("0.65")
    compiling.keyboard.press("Home")
    expect(field(compiling, "goal-x")).to_have_value("0.9")
    grip(compiling, "tip").focus()
    compiling.keyboard.press("ArrowUp")
    expect(field(compiling, "velocity-y")).to_have_value("0.02")
    grip(compiling, "3").focus()
    compiling.keyboard.press("Enter")
    expect(compiling.locator(".target-number")).to_have_text("3")
    compiling.keyboard.press("Delete")
    expect(compiling.locator(".grip")).to_have_count(12)
    expect(compiling.locator(".cost")).to_contain_text("compiled here")


def test_the_cue_ball_and_its_velocity_are_dragged_and_stop_a_descent(billiards: Page) -> None:
    place(billiards, rate=1e-6)  # so that the arrow hardly moves before the mouse reaches it
    billiards.locator(".optimise").click()
    drag(billiards, "tip", 40, -30)
    expect(billiards.locator(".optimise")).to_have_text("Optimise")
    expect(field(billiards, "velocity-y")).not_to_have_value("0")
    before = field(billiards, "velocity-x").input_value()
    drag(billiards, "cue", -10, 25)
    expect(field(billiards, "velocity-x")).to_have_value(before)
    assert number(billiards, "data.iteration") == 0


def test_a_click_on_a_ball_makes_it_the_target(billiards: Page) -> None:
    field(billiards, "follow").uncheck()
    billiards.mouse.click(*centre(grip(billiards, "7")))
    expect(billiards.locator(".target-number")).to_have_text("7")
    expect(field(billiards, "target")).to_have_value("7")


def test_a_finger_drags_the_goal_and_does_not_scroll_the_page(billiards: Page) -> None:
    billiards.set_viewport_size({"width": 320, "height": 640})
    billiards.evaluate(NEXT_FRAME)
    x, y = centre(grip(billiards, "goal"))
    touch = developer_tools(billiards)
    for kind, dy in (("touchStart", 15), ("touchMove", 0), ("touchMove", -10), ("touchEnd", None)):
        points = [] if dy is None else [{"x": x + 12, "y": y + dy}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(field(billiards, "goal-y")).not_to_have_value("0.75")
    billiards.evaluate(NEXT_FRAME)
    assert centre(grip(billiards, "goal")) == pytest.approx((x, y - 25), abs=3)
    assert billiards.evaluate("scrollY") == 0


@pytest.mark.parametrize("name", ["goal", "cue", "5"])
def test_a_dragged_handle_stays_in_the_picture(billiards: Page, name: str) -> None:
    field(billiards, "follow").uncheck()
    box = billiards.locator(".place").bounding_box()
    assert box is not None
    drag(billiards, name, -900, 500)
    assert centre(grip(billiards, name)) == pytest.approx((box["x"], box["y"] + box["height"]), abs=2)


def test_a_field_does_not_change_while_a_number_is_typed_into_it(billiards: Page) -> None:
    field(billiards, "follow").uncheck()
    steps = field(billiards, "steps")
    steps.select_text()
    for key, shown in (("5", "5"), ("1", "51"), ("2", "512")):
        billiards.keyboard.press(key)
        billiards.evaluate(NEXT_FRAME)
        assert steps.input_value() == shown
    steps.fill("5")
    billiards.evaluate(NEXT_FRAME)
    steps.press("Enter")
    expect(steps).to_have_value("16")


def test_a_number_can_be_typed_while_a_descent_runs(billiards: Page) -> None:
    place(billiards, goal_x=1.15, goal_y=0.2)
    goal = field(billiards, "goal-x")
    goal.select_text()
    for key, shown in (("Backspace", ""), ("0", "0"), (".", "0."), ("8", "0.8"), ("5", "0.85")):
        billiards.keyboard.press(key)
        billiards.evaluate(NEXT_FRAME)
        assert goal.input_value() == shown
    billiards.keyboard.press("Control+z")
    expect(goal).not_to_have_value("0.85")


def test_another_number_of_balls_is_compiled_while_the_old_table_plays(
    let_python_come: Callable[[], None], visited: Page
) -> None:
    field(visited, "follow").uncheck()
    visited.get_by_role("button", name="Add a ball").click()
    expect(grip(visited, "10")).to_have_count(1)
    drag(visited, "goal", -30, 0)
    expect(field(visited, "goal-x")).not_to_have_value("0.9")
    moved = field(visited, "goal-x").input_value()
    let_python_come()
    expect(grip(visited, "11")).to_have_count(1, timeout=PYTHON_TIMEOUT_MS)
    expect(field(visited, "goal-x")).to_have_value(moved)
    expect(visited.locator(".cost")).to_contain_text("compiled here")
    visited.get_by_role("button", name="Undo").click()
    visited.get_by_role("button", name="Undo").click()
    expect(grip(visited, "11")).to_have_count(0)
    expect(field(visited, "goal-x")).to_have_value("0.9")


def test_a_new_table_waits_for_a_drag_to_end_so_the_drag_is_one_undo_step(
    let_python_come: Callable[[], None], visited: Page
) -> None:
    field(visited, "follow").uncheck()
    visited.get_by_role("button", name="Add a ball").click()
    x, y = centre(grip(visited, "goal"))
    visited.mouse.move(x, y)
    visited.mouse.down()
    visited.mouse.move(x - 15, y, steps=3)
    expect(field(visited, "goal-x")).not_to_have_value("0.9")
    let_python_come()
    visited.wait_for_function(
        "() => performance.getEntriesByName('editable').length === 1", timeout=PYTHON_TIMEOUT_MS
    )
    visited.wait_for_timeout(1_500)  # Python compiles the table, but the page must not show it yet
    expect(grip(visited, "11")).to_have_count(0)
    visited.mouse.move(x - 30, y, steps=3)
    visited.mouse.up()
    expect(grip(visited, "11")).to_have_count(1)
    for _ in range(2):
        visited.get_by_role("button", name="Undo").click()
    expect(grip(visited, "11")).to_have_count(0)
    expect(field(visited, "goal-x")).to_have_value("0.9")


@pytest.mark.parametrize(("rack", "grips"), [("two", 6), ("line", 9), ("cluster", 22)])
def test_every_rack_can_be_played(compiling: Page, rack: str, grips: int) -> None:
    field(compiling, "follow").uncheck()
    field(compiling, "rack").select_option(rack)
    expect(compiling.locator(".grip")).to_have_count(grips)
    assert number(compiling, "data.slope") > 0, "nothing reaches the target"
    expect(field(compiling, "rack")).to_have_value(rack)


def test_another_rack_resets_the_cue_ball(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    place(compiling, cue_x=0.5, velocity_x=1)
    field(compiling, "rack").select_option("two")
    expect(compiling.locator(".grip")).to_have_count(6)
    expect(field(compiling, "cue-x")).to_have_value("0.1")
    expect(field(compiling, "velocity-x")).to_have_value("0.3")
    compiling.get_by_role("button", name="Undo").click()
    expect(field(compiling, "cue-x")).to_have_value("0.5")


def test_cushions_friction_and_the_time_of_impact_change_the_shot(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    place(compiling, velocity_x=2, velocity_y=0.4)
    slope = compiling.locator("data.by-x0")
    seen = {number(compiling, "data.by-x0")}
    for change in (
        lambda: field(compiling, "cushions").check(),
        lambda: field(compiling, "friction").fill("0.3"),
        lambda: field(compiling, "impact").uncheck(),
    ):
        before = slope.get_attribute("value") or ""
        change()
        expect(slope).not_to_have_attribute("value", before)
        seen.add(number(compiling, "data.by-x0"))
    assert len(seen) == 4
    spec = {**DEFAULT, "cushions": True, "friction": 0.3, "timeOfImpact": False}
    jet = eg.compile(shot(table_of(spec)))([0.1, 0.5], [2.0, 0.4], RACK, list(GOAL), TARGET)
    shown = [number(compiling, f"data.{name}") for name in ("loss", "by-x0", "by-x1", "by-v0", "by-v1")]
    assert shown == [jet["loss"], *jet["x"], *jet["v"]]


def test_a_double_click_adds_a_ball_at_the_pointer(compiling: Page) -> None:
    field(compiling, "follow").uncheck()
    x, y = centre(grip(compiling, "goal"))
    compiling.mouse.dblclick(x, y + 200)
    expect(grip(compiling, "11")).to_have_count(1)
    assert centre(grip(compiling, "11")) == pytest.approx((x, y + 200), abs=2)


@pytest.mark.with_python
def test_an_added_ball_appears_at_once_because_its_table_is_compiled_ahead(
    visited: Page,
) -> None:
    with_python(visited)
    field(visited, "follow").uncheck()
    visited.wait_for_function("() => performance.getEntriesByName('prepared').length === 1")
    waited = visited.evaluate(
        """() => {
          const root = document.querySelector("main");
          let waited = false;
          new MutationObserver(() => { waited ||= root.classList.contains("is-pending"); })
            .observe(root, { attributes: true, attributeFilter: ["class"] });
          document.querySelector(".add").click();
          const drawn = (done) => requestAnimationFrame(() => requestAnimationFrame(() => done(waited)));
          return new Promise(drawn);
        }"""
    )
    assert waited is False
    expect(grip(visited, "11")).to_have_count(1)
    expect(visited.locator(".cost")).to_contain_text("compiled here")
    visited.wait_for_function("() => performance.getEntriesByName('prepared').length === 2")


def test_undo_reverts_a_drag_with_a_pause_as_one_step(billiards: Page) -> None:
    field(billiards, "follow").uncheck()
    x, y = centre(grip(billiards, "goal"))
    billiards.mouse.move(x, y)
    billiards.mouse.down()
    billiards.mouse.move(x - 30, y, steps=3)
    billiards.wait_for_timeout(LONGER_THAN_KEYS_SETTLE_MS)
    billiards.mouse.move(x - 60, y, steps=3)
    billiards.mouse.up()
    billiards.get_by_role("button", name="Undo").click()
    expect(field(billiards, "goal-x")).to_have_value("0.9")
    expect(billiards.get_by_role("button", name="Undo")).to_be_disabled()


def test_undo_reverts_a_descent_as_one_step(billiards: Page) -> None:
    start = number(billiards, "data.loss")
    billiards.locator(".optimise").click()
    expect(billiards.locator("data.iteration")).not_to_have_text("0")
    billiards.locator(".optimise").click()
    billiards.get_by_role("button", name="Undo").click()
    assert number(billiards, "data.loss") == start
    expect(field(billiards, "cue-x")).to_have_value("0.1")
    expect(billiards.get_by_role("button", name="Undo")).to_be_disabled()


def test_two_resting_balls_in_one_place_give_finite_numbers(billiards: Page) -> None:
    place(billiards, velocity_x=0, velocity_y=0, cue_x=0.5, cue_y=0.5)
    expect(billiards.locator(".outcome")).not_to_contain_text("finite")
    assert number(billiards, "data.slope") == 0


@pytest.mark.parametrize("width", [1280, 768, 320])
def test_five_decimals_fit_their_fields_and_slopes_fit_their_columns(billiards: Page, width: int) -> None:
    billiards.set_viewport_size({"width": width, "height": 800})
    place(billiards, cue_x=0.44573, cue_y=0.47541, velocity_x=0.50017, velocity_y=-0.00092)
    cut = billiards.locator(".numbers input").evaluate_all(
        "all => all.filter((input) => input.scrollWidth > input.clientWidth).map(({ name }) => name)"
    )
    assert cut == []
    beyond = billiards.locator(".numbers data").evaluate_all(
        "all => all.filter((data) => data.scrollWidth > data.parentElement.clientWidth).length"
    )
    assert beyond == 0
    right = billiards.locator(".numbers").evaluate("numbers => numbers.scrollWidth - numbers.clientWidth")
    assert right == 0
