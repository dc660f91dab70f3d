"""The page "Robot" in a real browser: it walks, plays and trains."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.robot.conftest import loss, train
from e2e.visitor import NEXT_FRAME, PYTHON_TIMEOUT_MS, centre, number

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python

PICTURE = "() => document.querySelector('.arena canvas').toDataURL()"
ENOUGH = -0.35
"""The loss below which a robot has learned to walk. The loss is −x, where x is the final place of its head.

The head starts at x = 0.225.
"""


def seek(page: Page, step: int) -> None:
    """Scrub to a step."""
    page.locator("[name=moment]").fill(str(step))
    page.evaluate(NEXT_FRAME)


def test_at_rest_the_page_says_what_to_try(robot: Page) -> None:
    expect(robot.locator(".outcome")).to_have_text(
        "Press Play to see the robot walk. Press Start over, then Train, to see it learn. "
        "The goal matters only if you train for it."
    )
    robot.locator("[name=aim]").select_option("goal")
    expect(robot.locator(".outcome")).to_contain_text("Drag the goal, then train the robot")


def test_the_goal_stands_at_the_edge_unless_the_walk_should_end_there(robot: Page) -> None:
    goal = robot.locator("[data-grip=goal]")
    box = robot.locator(".arena").bounding_box()
    assert box is not None
    at_edge, _ = centre(goal)
    assert box["x"] + box["width"] - at_edge < box["width"] / 20
    left, _ = centre(robot.locator(".arena"))
    robot.locator("[name=aim]").select_option("goal")
    robot.evaluate(NEXT_FRAME)
    inside, _ = centre(goal)
    assert left < inside < at_edge - box["width"] / 20


def test_a_trained_gait_can_be_played_before_python_has_loaded(robot: Page) -> None:
    assert loss(robot) < -0.4
    expect(robot.locator("main")).not_to_have_attribute("data-python", "ready")
    expect(robot.get_by_role("button", name="Play")).to_be_enabled()


def test_robot_b_learns_to_walk_from_random_weights(robot: Page) -> None:
    robot.get_by_role("button", name="Start over").click()
    assert loss(robot) > ENOUGH
    train(robot, 60)
    assert loss(robot) < ENOUGH
    assert number(robot, ".slope") > 0
    assert number(robot, ".iteration") == 60
    robot.get_by_role("button", name="Undo").click()
    assert loss(robot) > ENOUGH


def test_a_training_pauses_and_continues(robot: Page) -> None:
    robot.get_by_role("button", name="Start over").click()
    robot.locator("[name=iterations]").fill("5000")
    robot.get_by_role("button", name="Train", exact=True).click()
    expect(robot.locator(".progress")).to_be_visible()
    expect(robot.locator(".iteration")).not_to_have_text("0")
    robot.locator(".train").click()
    expect(robot.locator(".outcome")).to_contain_text("Paused")
    expect(robot.locator(".train")).to_have_text("Continue")
    robot.wait_for_timeout(400)  # long enough for the answers to all earlier requests
    before = number(robot, ".iteration")
    robot.locator(".train").click()
    expect(robot.locator(".train")).to_have_text("Pause")
    expect(robot.locator(".iteration")).not_to_have_attribute("value", f"{before:g}")
    assert number(robot, ".iteration") > before


def test_the_same_seed_trains_to_the_same_bits(robot: Page) -> None:
    results = []
    for _ in range(2):
        robot.get_by_role("button", name="Start over").click()
        train(robot, 4)
        results.append((loss(robot), number(robot, ".slope")))
    assert results[0] == results[1]


def test_scrubbing_shows_the_same_picture_for_the_same_step(robot: Page) -> None:
    seek(robot, 137)
    first = robot.evaluate(PICTURE)
    seek(robot, 512)
    assert robot.evaluate(PICTURE) != first
    seek(robot, 137)
    assert robot.evaluate(PICTURE) == first
    robot.get_by_role("button", name="One step forward").click()
    expect(robot.locator("[name=moment]")).to_have_value("138")
    robot.get_by_role("button", name="One step back").click()
    expect(robot.locator("[name=moment]")).to_have_value("137")
    robot.evaluate(NEXT_FRAME)
    assert robot.evaluate(PICTURE) == first


def test_the_walk_plays_and_pauses(robot: Page) -> None:
    robot.locator("[name=speed]").select_option("0.25")  # so slow that the walk lasts until the check
    robot.locator(".play").click()
    expect(robot.locator(".play")).to_have_text("Pause")
    expect(robot.locator("[name=moment]")).not_to_have_value("0")
    robot.locator(".play").click()
    expect(robot.locator(".play")).to_have_text("Play")


def test_every_robot_walks(editable: Page) -> None:
    for name in "ACD":
        editable.locator("[name=robot]").select_option(name)
        expect(editable).to_have_url(re.compile(f"robot={name}&"), timeout=PYTHON_TIMEOUT_MS)
        assert loss(editable) < -0.4
