"""Robot: visitors change masses, springs, steps and the world while the robot walks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.robot.conftest import field, loss, train
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, centre, number

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python


def test_the_goal_follows_mouse_and_keys(robot: Page) -> None:
    before = loss(robot)
    x, y = centre(robot.locator("[data-grip=goal]"))
    robot.mouse.move(x, y)
    robot.mouse.down()
    robot.mouse.move(x - 60, y - 20, steps=5)
    robot.mouse.up()
    dragged = field(robot, "goal-x"), field(robot, "goal-y")
    assert dragged[0] < 0.9
    assert dragged[1] > 0.2
    assert loss(robot) != before  # the network sees the goal
    robot.locator("[data-grip=goal]").focus()
    robot.keyboard.press("ArrowRight")
    assert field(robot, "goal-x") == pytest.approx(dragged[0] + 0.01)
    robot.keyboard.press("Control+z")
    robot.keyboard.press("Control+z")
    assert field(robot, "goal-x") == 0.9
    assert loss(robot) == before


def test_the_goal_stays_above_the_ground(robot: Page) -> None:
    robot.locator("[name=goal-y]").fill("-1")
    robot.locator("[name=goal-y]").blur()
    assert field(robot, "goal-y") == pytest.approx(0.1)


def test_friction_and_gravity_change_the_walk_at_once(robot: Page) -> None:
    walked = loss(robot)
    robot.locator("[name=friction-range]").fill("0")
    assert field(robot, "friction") == 0
    on_ice = loss(robot)
    assert on_ice != walked
    robot.locator("[name=gravity]").fill("-1.6")
    assert loss(robot) != on_ice
    expect(robot.locator(".cost")).to_contain_text("compiled beforehand")


def test_the_aim_to_reach_the_goal_is_a_squared_distance(robot: Page) -> None:
    head = -loss(robot)
    robot.locator("[name=aim]").select_option("goal")
    assert loss(robot) > (0.9 - head) ** 2
    assert loss(robot) < (0.9 - head) ** 2 + 0.25**2


def test_keys_play_step_and_edit(robot: Page) -> None:
    robot.locator("[name=speed]").select_option("0.25")  # so slow that the walk lasts until the check
    robot.locator("[name=speed]").blur()
    robot.keyboard.press(".")
    expect(robot.locator("[name=moment]")).to_have_value("1")
    robot.keyboard.press(",")
    expect(robot.locator("[name=moment]")).to_have_value("0")
    robot.keyboard.press("p")
    expect(robot.locator(".play")).to_have_text("Pause")
    robot.keyboard.press("e")
    expect(robot.locator(".editor")).to_be_visible()
    robot.locator("[data-grip='3']").focus()
    expect(robot.locator("[name=mass]")).to_have_value("3")
    x = field(robot, "mass-x")
    robot.keyboard.press("ArrowLeft")
    assert field(robot, "mass-x") == pytest.approx(x - 0.01)


def test_a_dragged_mass_changes_the_walk_without_compiling(robot: Page) -> None:
    before = loss(robot)
    robot.get_by_role("button", name="Edit the robot").click()
    robot.evaluate(NEXT_FRAME)
    x, y = centre(robot.locator("[data-grip='8']"))
    robot.mouse.move(x, y)
    robot.mouse.down()
    robot.mouse.move(x - 15, y - 25, steps=4)
    robot.mouse.up()
    expect(robot.locator("[name=mass]")).to_have_value("8")
    assert field(robot, "mass-y") > 0.25
    assert loss(robot) != before
    expect(robot.locator(".cost")).to_contain_text("compiled beforehand")


def test_another_structure_is_compiled_when_masses_and_springs_change(editable: Page) -> None:
    editable.get_by_role("button", name="Edit the robot").click()
    editable.locator("[name=mass]").select_option("13")
    editable.get_by_role("button", name="Add a mass").click()
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator("[name=mass] option")).to_have_count(15)
    expect(editable.locator("[name=mass]")).to_have_value("14")
    expect(editable.locator("[name=spring] option")).to_have_count(33)
    editable.locator("[name=spring]").select_option("32")
    editable.locator("[name=muscle]").check()
    expect(editable.locator("[name=spring] option").last).to_contain_text("muscle")
    train(editable, 3)
    editable.get_by_role("button", name="Edit the robot").click()
    editable.get_by_role("button", name="Remove spring").click()
    expect(editable.locator("[name=spring] option")).to_have_count(32)
    editable.locator("[name=mass]").select_option("14")
    editable.get_by_role("button", name="Remove mass").click()
    expect(editable.locator("[name=mass] option")).to_have_count(14)
    expect(editable.locator(".cost")).to_contain_text("compiled beforehand")


def test_a_longer_walk_compiles_while_the_shorter_plays_and_links_keep_it(
    editable: Page,
) -> None:
    before = loss(editable)
    steps = editable.locator("input[name=steps]")
    expect(steps).to_have_value("681")
    steps.fill("1000")
    expect(editable.locator(".clock")).to_contain_text("/1000", timeout=PYTHON_TIMEOUT_MS)
    assert loss(editable) < before - 0.05
    editable.get_by_role("button", name="Undo").click()
    expect(editable.locator(".clock")).to_contain_text("/681")
    assert loss(editable) == before
    editable.get_by_role("button", name="Redo").click()
    expect(editable).to_have_url(re.compile(r"steps=1000(&|$)"))
    link = editable.url
    editable.goto("about:blank")
    editable.goto(link)
    expect(editable.locator(".clock")).to_contain_text("/1000", timeout=PYTHON_TIMEOUT_MS)


def test_a_training_goes_on_while_more_steps_are_compiled(editable: Page) -> None:
    editable.locator("[name=iterations]").fill("5000")
    editable.locator(".train").click()
    editable.locator("input[name=steps]").fill("300")
    expect(editable.locator(".clock")).to_contain_text("/300", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator(".train")).to_have_text("Pause")
    reached = number(editable, ".iteration")
    expect(editable.locator(".iteration")).not_to_have_text(f"{reached:g}")


def test_a_spring_joins_two_masses(editable: Page) -> None:
    editable.get_by_role("button", name="Edit the robot").click()
    editable.locator("[name=mass]").select_option("0")
    editable.get_by_role("button", name="Add a spring").click()
    editable.locator("[data-grip='3']").focus()
    editable.keyboard.press("Enter")
    expect(editable.locator("[name=spring] option")).to_have_count(31)
    expect(editable.locator("[name=spring] option").last).to_have_text("0\u20133")
