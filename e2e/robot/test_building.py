"""A visitor builds a robot by hand. The picture shows each edit before the modules are compiled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.robot.conftest import loss, tie_all, train
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, centre

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

PRESS = "selectors => { for (const selector of selectors) document.querySelector(selector).click(); }"
"""A function that presses several buttons within one task, so that nothing is compiled in between."""
MUSCLE = ("4", "6")
"""The numbers of the two masses that a muscle of robot B joins."""


def edited(page: Page) -> Page:
    """The page with its editor open."""
    page.get_by_role("button", name="Edit the robot").click()
    page.evaluate(NEXT_FRAME)
    return page


def masses(page: Page) -> list[str]:
    """Return the position of each mass, as the editor names it for screen readers."""
    page.evaluate(NEXT_FRAME)
    labels = page.locator(".grip").evaluate_all("grips => grips.map(grip => grip.ariaLabel)")
    return [re.sub(r"^.* at (.*)\. Arrow.*$", r"\1", label) for label in labels]


def choose(page: Page, mass: int) -> None:
    """Choose a mass in the list, and wait until the panel shows this mass."""
    page.evaluate(
        "mass => { const list = document.querySelector('[name=mass]'); list.value = mass;"
        " list.dispatchEvent(new Event('change')); }",
        str(mass),
    )
    page.evaluate(NEXT_FRAME)


def spring_middle(page: Page, a: str, b: str) -> tuple[float, float]:
    """The point halfway between two masses."""
    (x, y), (u, v) = (centre(page.locator(f"[data-grip='{mass}']")) for mass in (a, b))
    return (x + u) / 2, (y + v) / 2


def test_removing_masses_before_compiling_removes_the_chosen_ones(
    editable: Page,
) -> None:
    before = masses(edited(editable))
    choose(editable, 5)
    editable.evaluate(PRESS, [".remove-mass"])
    assert masses(editable) == before[:5] + before[6:], "the editor shows the wanted robot"
    choose(editable, 8)
    editable.evaluate(PRESS, [".remove-mass"])
    left = before[:5] + before[6:9] + before[10:]
    assert masses(editable) == left
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator("main")).not_to_have_class(re.compile("is-pending"))
    assert masses(editable) == left


def test_edits_that_are_not_compiled_yet_are_undone_one_by_one(editable: Page) -> None:
    before = masses(edited(editable))
    choose(editable, 5)
    editable.evaluate(PRESS, [".remove-mass"])
    choose(editable, 8)
    editable.evaluate(PRESS, [".remove-mass"])
    editable.keyboard.press("Control+z")
    assert masses(editable) == before[:5] + before[6:]
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    assert len(masses(editable)) == 13
    editable.keyboard.press("Control+z")
    assert masses(editable) == before
    editable.keyboard.press("Control+y")
    editable.keyboard.press("Control+y")
    expect(editable.locator("[name=mass] option")).to_have_count(12)
    expect(editable.locator("main")).not_to_have_class(re.compile("is-pending"))


def test_a_robot_requested_again_is_compiled_after_another_request(editable: Page) -> None:
    edited(editable).locator("[name=mass]").select_option("3")
    editable.evaluate(NEXT_FRAME)
    editable.evaluate(PRESS, [".add-mass", ".add-mass", ".remove-mass"])
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)
    expect(editable.locator("main")).not_to_have_class(re.compile("is-pending"))
    assert len(masses(editable)) == 15


def test_delete_removes_the_clicked_spring_and_the_added_mass(editable: Page) -> None:
    x, y = spring_middle(edited(editable), *MUSCLE)
    editable.locator("[name=mass-x]").focus()
    editable.mouse.click(x, y)
    expect(editable.locator("[name=spring] option:checked")).to_have_text("4\u20136, muscle")
    editable.keyboard.press("Delete")
    expect(editable.locator("[name=spring] option")).to_have_count(29)
    box = editable.locator(".arena").bounding_box()
    assert box is not None
    editable.mouse.dblclick(box["x"] + 40, box["y"] + 40)
    expect(editable.locator("[name=mass] option")).to_have_count(15)
    editable.keyboard.press("Delete")
    expect(editable.locator("[name=mass] option")).to_have_count(14)
    expect(editable.locator(".cost")).to_contain_text("compiled here", timeout=PYTHON_TIMEOUT_MS)


def test_a_second_click_makes_a_muscle_plain_and_the_key_m_undoes_that(robot: Page) -> None:
    x, y = spring_middle(edited(robot), *MUSCLE)
    walked = loss(robot)
    chosen = robot.locator("[name=spring] option:checked")
    robot.mouse.click(x, y)
    expect(chosen).to_have_text("4\u20136, muscle")
    robot.mouse.click(x, y)
    expect(chosen).to_have_text("4\u20136")
    assert loss(robot) != walked
    robot.keyboard.press("m")
    expect(chosen).to_have_text("4\u20136, muscle")
    assert loss(robot) == walked


def test_joining_joined_masses_is_reported_and_selects_their_spring(robot: Page) -> None:
    edited(robot)
    choose(robot, 4)
    robot.locator(".join").click()
    robot.mouse.click(*centre(robot.locator("[data-grip='6']")))
    expect(robot.locator(".notice")).to_have_text("A spring already joins masses 4 and 6.")
    expect(robot.locator("[name=spring] option:checked")).to_have_text("4\u20136, muscle")
    expect(robot.locator(".join")).to_have_text("Add a spring")


def test_a_new_robot_begins_as_a_triangle_and_learns(editable: Page) -> None:
    editable.locator("[name=robot]").select_option(label="one of your own")
    assert len(masses(editable)) == 3
    expect(editable).to_have_url(re.compile("gait=seed&masses="), timeout=PYTHON_TIMEOUT_MS)
    began = loss(editable)
    train(editable, 50)
    expect(editable.locator(".editor")).to_be_hidden()
    assert loss(editable) < began - 0.05
    editable.locator("[name=robot]").select_option("B")
    expect(editable).to_have_url(re.compile("robot=B&.*gait=kept$"))
    expect(editable.locator("[name=robot]")).to_have_value("B")


def test_training_closes_the_editor_and_plays_the_walk(robot: Page) -> None:
    edited(robot)
    robot.locator("[name=iterations]").fill("5000")
    robot.locator(".train").click()
    expect(robot.locator(".editor")).to_be_hidden()
    expect(robot.locator(".play")).to_have_text("Pause")
    expect(robot.locator("[name=moment]")).not_to_have_value("0")


def test_the_page_says_that_a_training_found_nothing_better(robot: Page) -> None:
    walked = loss(robot)
    robot.locator("[name=rate]").fill("2")
    train(robot, 1)
    expect(robot.locator(".outcome")).to_contain_text("None was better than the start")
    assert loss(robot) == walked


def test_the_copied_link_of_a_trained_robot_says_that_it_opens_untrained(robot: Page) -> None:
    robot.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share = robot.get_by_role("button", name="Copy link")
    share.click()
    expect(robot.locator(".notice")).to_have_text("Link copied")
    robot.get_by_role("button", name="Start over").click()
    share.click()
    expect(robot.locator(".notice")).to_have_text("Link copied")
    train(robot, 20)
    share.click()
    expect(robot.locator(".notice")).to_contain_text("It opens an untrained robot")


@pytest.mark.with_python
@pytest.mark.allow_console
def test_without_python_choosing_another_robot_says_that_python_is_missing(
    page: Page, server_url: str
) -> None:
    page.route(re.compile(r"build/(engine|python)-"), lambda route: route.abort())
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-python", "failed", timeout=PYTHON_TIMEOUT_MS)
    page.locator("[name=robot]").select_option("C")
    expect(page.locator(".notice")).to_contain_text("Python did not load")


def test_a_robot_that_flies_out_of_sight_is_reported_with_a_way_back(editable: Page) -> None:
    """All numbers stay finite, but the robot's 28 springs throw it more than 1 km away."""
    tie_all(editable, 8, rest=1.0, muscle=True, settings="seed=1&rate=2&iterations=4")
    outcome = editable.locator(".outcome")
    expect(outcome).to_contain_text("flies more than 1 km away", timeout=PYTHON_TIMEOUT_MS)
    editable.get_by_role("button", name="Back to the last good robot").click()
    expect(outcome).not_to_contain_text("1 km")
    assert loss(editable) < -0.4
